// Who asks: bearer tokens for seats, referees, spectators and the administrator. A token is 256
// random bits, shown once and kept only as its hash; it is looked up by that hash, so no comparison
// of secrets could be timed.
//
// Records in the store (docs/formats-store.md): "token/<hash>" is what a token grants;
// "grant/<game or admin>/<id>" lists them, without anything one could use as a token.
#pragma once

#include <optional>
#include <string>
#include <unordered_map>

#include "domain/rule_system.h"
#include "eventstore/event_store.h"
#include "http/api/guess_limit.h"
#include "http/server/http.h"
#include "replay/library.h"

namespace wardiary::http {

struct Grant {
  enum class Role { kSeat, kReferee, kSpectator, kAdmin };
  Role role = Role::kSpectator;
  std::optional<GameId> game;  // none for an administrator, nor for who has no token
  std::string seat;            // for kSeat
  std::vector<SideId> sides;   // the sides the seat plays
};

class Access {
 public:
  static constexpr std::size_t kLabelBytesMax = 100;
  static constexpr std::size_t kKnownMax = 10'000;  // good tokens remembered in memory

  explicit Access(EventStore& store) : store_(store) {}

  // A token as it is listed: its id names it, the secret is nowhere.
  struct Listed {
    std::string id;
    Grant grant;
    std::string label;
    std::uint64_t created_at_ms = 0;
  };
  struct Issued {
    std::string id;
    std::string secret;  // what the bearer sends; never shown again
  };
  // Makes a token for a grant and remembers its hash.
  Result<Issued> issue(const Grant& grant, std::string_view label, std::uint64_t now_ms);
  // The tokens of a game, or the administrators' (no game), in the order of their ids.
  Result<Page<Listed>> list(const std::optional<GameId>& game,
                            const std::optional<std::string>& after, std::size_t limit);
  // kNotFound if there is none of that id. Takes effect at once.
  Status revoke(const std::optional<GameId>& game, std::string_view id);

  // The grant behind the request's Authorization header; a spectator's if there is none. kDenied
  // (answer 401) for a token that is not known, kLimit (429) after too many of them.
  Result<Grant> who(const Request& request);

  // As whom the grant looks at a game.
  static Viewer viewer(const Grant& grant, const OpenGame& game, bool over);
  // May it give orders for this side of this game's mainline?
  static bool may_order(const Grant& grant, const OpenGame& game, SideId side);
  static bool is_referee(const Grant& grant, const OpenGame& game);

 private:
  EventStore& store_;
  GuessLimit guesses_;
  std::mutex mutex_;
  std::unordered_map<std::string, Grant> known_;  // by the token's record key
  std::uint64_t revoked_ = 0;                     // how many have been, since the start
};

std::string_view role_word(Grant::Role role);
std::optional<Grant::Role> role_of(std::string_view word);

}  // namespace wardiary::http

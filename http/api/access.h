// Who asks: bearer tokens for seats, referees and the administrator. A token is 256 random bits,
// shown once and kept only as its hash; looking one up by its hash needs no comparison of secrets.
#pragma once

#include <optional>
#include <string>

#include "domain/rule_system.h"
#include "eventstore/event_store.h"
#include "http/server/http.h"
#include "replay/library.h"

namespace wardiary::http {

struct Grant {
  enum class Role { kSeat, kReferee, kSpectator, kAdmin };
  Role role = Role::kSpectator;
  std::optional<GameId> game;   // none for an administrator
  std::string seat;             // for kSeat
  std::vector<SideId> sides;    // the sides the seat plays
};

class Access {
 public:
  explicit Access(EventStore& store) : store_(store) {}

  // Makes a token for a grant and remembers its hash.
  Result<std::string> issue(const Grant& grant);
  Status revoke(std::string_view token);

  // The grant behind the request's Authorization header; a spectator's if there is none. kDenied
  // (answer 401) for a token that is not known.
  Result<Grant> who(const Request& request);

  // As whom the grant looks at a game. `side` picks one of a seat's several sides.
  static Viewer viewer(const Grant& grant, const OpenGame& game, bool over);
  // May it give orders for this side of this game's mainline?
  static bool may_order(const Grant& grant, const OpenGame& game, SideId side);
  static bool is_referee(const Grant& grant, const OpenGame& game);

 private:
  EventStore& store_;
};

std::string_view role_word(Grant::Role role);

}  // namespace wardiary::http

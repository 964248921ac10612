// Notes and bookmarks: what people write beside a game. They stand beside the evidence, never in
// it: nothing of them is hashed, and none of them changes a game. A note is never changed either;
// one that was removed stays in the store and is not listed any more.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "domain/rule_system.h"
#include "eventstore/event_store.h"

namespace wardiary {

struct Note {
  enum class Kind : std::uint8_t {
    kNote,
    kBookmark,
    kBranchDeleted,  // written by the service when a what-if is put away
  };
  enum class Seen : std::uint8_t { kEveryone, kSeat, kReferee };  // kSeat: by its author alone

  std::uint64_t number = 0;  // given by the store, from 1
  Kind kind = Kind::kNote;
  BranchId branch;
  Version version = 0;  // the event it is about
  std::string author;   // a seat, "referee", "spectator" or "service"
  std::string text;
  Seen seen = Seen::kEveryone;
  std::uint64_t at_ms = 0;
};

// Who asks for notes: as the envelope's author says it.
struct NoteReader {
  std::string author;
  bool referee = false;
};

class Notes {
 public:
  static constexpr std::size_t kTextBytesMax = 8'000;
  static constexpr std::size_t kNotesPerGameMax = 100'000;

  explicit Notes(EventStore& store) : store_(store) {}

  // Returns it with its number. kNotFound for a branch that is not the game's or an event beyond
  // its end, kInvalid for text that is empty (bookmarks may have none) or no UTF-8, kLimit.
  Result<Note> add(const GameId& game, Note note);
  // By its author or the referee; kDenied for others. kNotFound for what is not there, or not to be
  // seen. Twice is as good as once.
  Status remove(const GameId& game, std::uint64_t number, const NoteReader& by);
  // What `reader` may see, of one branch's own line or of all, oldest first.
  Result<std::vector<Note>> list(const GameId& game, const NoteReader& reader,
                                 const std::optional<BranchId>& branch = {});

 private:
  struct All {
    std::vector<Note> notes;
    std::uint64_t count = 0;  // with those that were removed
  };
  Result<All> read(const GameId& game);

  EventStore& store_;
};

std::string_view name_of(Note::Kind kind);  // "note", "bookmark", "branch_deleted"
std::string_view name_of(Note::Seen seen);  // "everyone", "seat", "referee"
std::optional<Note::Kind> note_kind(std::string_view name);
std::optional<Note::Seen> note_seen(std::string_view name);
// {"number":3,"kind":"note","branch":"..","version":120,"author":"axis","text":"..",...}
nlohmann::json note_json(const Note& note);

}  // namespace wardiary

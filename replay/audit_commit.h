// One commit of a log, run again: what the rules make of its order with the recorded dice must be
// what was recorded, byte for byte.
#pragma once

#include <optional>
#include <string>

#include "domain/rule_system.h"
#include "replay/dice_record.h"

namespace wardiary {

struct RecordedCommit {
  std::uint64_t first = 0;  // version of its first event
  Position before;
  EventList events;
};

struct WrongEvent {
  std::uint64_t version = 0;
  Wrong wrong;
};

// When, by whom and with which salts the commit was written.
Envelope recorded_envelope(const EventList& events);
// The first of the commit's first `count` events that is not the expected one.
std::optional<WrongEvent> compare_commit(const RecordedCommit& commit, const EventList& expected,
                                         std::size_t count, const Roster& roster);

// The commit begins with an OrderIssued.
std::optional<WrongEvent> redecide(const Game& game, const RecordedCommit& commit);

// The commit begins with a GameCreated. `remark` says so if this program cannot make that game
// again (other data than it was made with).
std::optional<WrongEvent> recreate(const Game& game, const std::vector<Content>& contents,
                                   const RecordedCommit& commit, std::string& remark);

}  // namespace wardiary

// A game's log taken out of its store, altered, and audited: what the tests of planted faults
// share.
#pragma once

#include <algorithm>
#include <functional>
#include <string>
#include <vector>

#include "domain/schema/event_generated.h"
#include "replay/audit.h"
#include "replay/world_testing.h"

namespace wardiary::planted {

struct LoggedEvent {
  std::uint16_t type = 0;
  Bytes bytes;
  const fb::Event& event() const { return *trusted_event(bytes); }
  fb::Payload payload() const { return event().payload_type(); }
};

// A game's log taken out of its store.
struct Log {
  GameInfo info;
  std::vector<Bytes> contents;
  std::vector<LoggedEvent> events;

  // The n-th event (from 0) of a type; version = index + 1.
  std::size_t find(fb::Payload payload, std::size_t n = 0) const {
    for (std::size_t i = 0; i < events.size(); ++i) {
      if (events[i].payload() == payload && n-- == 0) return i;
    }
    ADD_FAILURE() << "the game has no such event: " << fb::EnumNamePayload(payload);
    return 0;
  }
};

inline Log take(World& world, const GameId& id) {
  Log log;
  log.info = *world.store().game(id);
  auto game = world.library().game(id);
  for (const ContentRef& ref : (*game)->game.created.contents) {
    log.contents.push_back(*world.store().content(ref.sha256));
  }
  auto read = world.store().read(
      log.info.mainline, 1, world.version(log.info.mainline), [&](const StoredEvent& s) {
        log.events.push_back({s.type, Bytes(s.payload.begin(), s.payload.end())});
        return true;
      });
  EXPECT_TRUE(read.ok());
  return log;
}

inline AuditReport audit_of(const Log& log) {
  World world;
  NewGame game;
  game.game = log.info.game;
  game.mainline = log.info.mainline;
  game.name = log.info.name;
  game.created_at_ms = log.info.created_at_ms;
  game.command = random_id();
  std::vector<NewEvent> events;
  for (const LoggedEvent& e : log.events) events.push_back({e.type, e.bytes});
  const std::vector<ByteView> contents(log.contents.begin(), log.contents.end());
  game.events = events;
  game.contents = contents;
  auto created = world.store().create_game(game);
  EXPECT_TRUE(created.ok()) << created.error().text;
  auto report = audit_game(world.store(), world.library(), game.game);
  EXPECT_TRUE(report.ok()) << report.error().text;
  return report ? *report : AuditReport{};
}

inline const AuditCheck& check_of(const AuditReport& report, std::string_view name) {
  for (const AuditCheck& check : report.checks) {
    if (check.name == name) return check;
  }
  throw std::logic_error("no such check");
}

// The played game all faults are planted in: made once, long enough to have rolled dice.
inline const Log& played() {
  static const Log log = [] {
    World world;
    return take(world, world.play("eastfront", "Edelweiss", 4, 150));
  }();
  return log;
}

// Overwrites a scalar of a table inside `bytes`; it must have been written (not at its default).
template <class T, class Table>
void overwrite(const Table* table, flatbuffers::voffset_t field, T value) {
  auto* raw = reinterpret_cast<flatbuffers::Table*>(const_cast<Table*>(table));
  auto* at = raw->GetAddressOf(field);
  ASSERT_NE(at, nullptr) << "the field is at its default and cannot be overwritten";
  flatbuffers::WriteScalar(const_cast<std::uint8_t*>(at), value);
}
template <class Vector>
void flip(const Vector* vector, std::size_t index = 0) {
  ASSERT_NE(vector, nullptr);
  const_cast<std::uint8_t*>(vector->Data())[index] ^= 1;
}

struct PlantedFault {
  const char* name;
  std::function<std::size_t(Log&)> plant;  // returns the index of the event it is about
  const char* check;
  const char* field;
};

inline const fb::DiceRolled* roll_at(Log& log, std::size_t index) {
  return log.events[index].event().payload_as_DiceRolled();
}

inline void expect_found(const PlantedFault& fault, Log log = played()) {
  const std::size_t index = fault.plant(log);
  const AuditReport report = audit_of(log);
  SCOPED_TRACE(fault.name);
  EXPECT_FALSE(report.clean());
  EXPECT_EQ(check_of(report, "store").failed, 0u);
  if (!*fault.check) {
    // Which check sees it first depends on what was exchanged; that the event is named does not.
    Version first = UINT64_MAX;
    for (const AuditCheck& check : report.checks) {
      if (check.first) first = std::min(first, check.first->version);
    }
    EXPECT_LE(first, index + 3) << audit_text(report);
    return;
  }
  const AuditCheck& check = check_of(report, fault.check);
  ASSERT_TRUE(check.first.has_value()) << audit_text(report);
  EXPECT_EQ(check.first->version, index + 1) << audit_text(report);
  if (*fault.field) {
    EXPECT_EQ(check.first->field, fault.field) << audit_text(report);
  }
}

}  // namespace wardiary::planted

// Encoded events. An event is a finished FlatBuffer (schema/event.fbs); stored bytes are the truth,
// so there is exactly one encoder per event type (event.cpp) and nothing ever re-encodes.
// Code that looks inside events includes the generated header in its .cpp file.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "domain/base/bytes.h"
#include "domain/base/result.h"
#include "domain/chance.h"
#include "domain/ids.h"
#include "domain/order.h"
#include "domain/position.h"
#include "domain/roster.h"

namespace wardiary {

namespace fb {
struct Event;
}

// The events of one commit, one after the other in aligned memory.
class EventList {
 public:
  std::size_t size() const { return spans_.size(); }
  bool empty() const { return spans_.empty(); }
  ByteView operator[](std::size_t i) const {
    return {memory_.data() + spans_[i].offset, spans_[i].length};
  }
  std::uint16_t type(std::size_t i) const { return spans_[i].type; }
  void add(std::uint16_t type, ByteView bytes);
  void clear() { memory_.clear(), spans_.clear(); }

 private:
  struct Span {
    std::size_t offset, length;
    std::uint16_t type;
  };
  std::vector<std::uint8_t> memory_;  // each event begins at a multiple of 8
  std::vector<Span> spans_;
};

// The event inside `bytes` (8-byte aligned), after the FlatBuffers verifier and our own checks of
// what it does not see (identifier, a known payload). kCorrupt otherwise. That is memory safety,
// not integrity: integrity is the hash chain's.
Result<const fb::Event*> open_event(ByteView bytes);
// For bytes that were verified before (own commits, replay of hashed data): no check.
const fb::Event* trusted_event(ByteView bytes);
// "UnitMoved", ...
std::string_view event_type_name(std::uint16_t type);
std::uint16_t event_type_number(std::string_view name);  // 0 if there is none

// What an envelope says besides its payload.
struct EventMeta {
  std::uint32_t visible_to = 0;
  Bytes salt;
  std::uint16_t because = 0;
  std::uint64_t recorded_at_ms = 0;
  std::string author;
};

// What whoever runs the rules adds to a commit's events: when and by whom on the first, and a salt on
// each hidden one (asked for by its place in the commit), so that the rules need no randomness.
struct Envelope {
  std::uint64_t recorded_at_ms = 0;
  std::string author;
  std::function<Id(std::size_t index)> salt;
};

struct AttributeChange {
  int attribute = 0;
  std::int16_t from = 0;
  std::int16_t to = 0;
};

struct GameOption {
  std::string name;
  std::string value;
};

struct ContentRef {
  std::string role;
  std::string name;
  Hash sha256;
};

struct SeatSpec {
  std::string name;
  std::vector<SideId> sides;
};

enum class Keeping : std::uint8_t { kRefereed, kScribed };
enum class DicePolicy : std::uint8_t { kSame, kFresh, kFixed, kExpected };

struct GameCreatedFacts {
  std::string system;
  std::string rules_version;
  std::string scenario;
  std::vector<GameOption> options;
  std::vector<ContentRef> contents;
  std::vector<SeatSpec> seats;
  Keeping keeping = Keeping::kRefereed;
  Grade dice = Grade::kSolo;
  Roster roster;
};

// The opening of a dice epoch (see docs/dice.md): who contributes, under which keys.
struct EpochFacts {
  Id stream;
  Hash vrf_key;
  std::uint8_t suite = 0;
  std::uint32_t chain_length = 0;
  Hash rules_hash;
  struct Contributor {
    std::uint8_t slot = 0;
    std::string name;
    Hash key;
    std::vector<std::pair<std::uint8_t, Hash>> anchors;  // roller, anchor
    Bytes signature;
    bool custodial = false;
  };
  std::vector<Contributor> contributors;
};

// What a roll came to by the rules, known once the faces are.
struct RollOutcome {
  std::string column;
  std::string result;
  std::int32_t hits = -1;
};

// The encoders: each appends one event. Reused; not for sharing between threads.
class EventWriter {
 public:
  EventWriter();
  ~EventWriter();
  EventWriter(const EventWriter&) = delete;
  EventWriter& operator=(const EventWriter&) = delete;

  EventMeta meta;  // goes onto every event written; the caller resets it

  void game_created(EventList& out, const GameCreatedFacts& facts);
  void branch_forked(EventList& out, const Id& parent, std::uint64_t at, std::string_view name,
                     std::string_view reason, DicePolicy policy);
  void game_ended(EventList& out, SideId winner, std::string_view level, std::string_view text);
  void order_issued(EventList& out, const Order& order);
  void ruling(EventList& out, std::string_view by, std::string_view rule, std::string_view text);
  void take_back(EventList& out, std::uint64_t to, std::string_view text);
  void phase_began(EventList& out, const Clock& from, const Clock& to, const Hash& digest);
  void decision_asked(EventList& out, SideId side, const Question& from, const Question& to);
  void dice_rolled(EventList& out, const RollRequest& request, const Rolled& rolled,
                   const RollOutcome& outcome);
  void epoch_opened(EventList& out, const EpochFacts& epoch);
  void unit_placed(EventList& out, UnitId unit, SpaceId at, std::span<const AttributeChange> changes);
  void unit_moved(EventList& out, UnitId unit, std::span<const SpaceId> path, std::string_view how);
  void unit_changed(EventList& out, UnitId unit, const AttributeChange& change);
  void unit_removed(EventList& out, UnitId unit, SpaceId from, std::string_view why);
  void space_changed(EventList& out, SpaceId space, const AttributeChange& change);
  void spaces_changed(EventList& out, int attribute, std::span<const SpaceId> spaces,
                      std::span<const std::int16_t> from, std::span<const std::int16_t> to);
  void link_changed(EventList& out, LinkId link, const AttributeChange& change);
  void track_changed(EventList& out, TrackId track, std::int32_t from, std::int32_t to);
  void pool_changed(EventList& out, PoolId pool, int item, std::int16_t from, std::int16_t to);
  void revealed(EventList& out, UnitId unit, std::uint32_t to_sides);

 private:
  struct Builder;
  std::unique_ptr<Builder> builder_;
};

// Reading back what the core itself needs.
Result<GameCreatedFacts> read_game_created(const fb::Event& event);
Result<EpochFacts> read_epoch(const fb::Event& event);
// Every id of the order is checked against the roster.
Result<Order> read_order(const fb::Event& event, std::span<const OrderType> types,
                         const Roster& roster);

}  // namespace wardiary

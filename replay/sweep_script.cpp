#include "replay/sweep_script.h"

#include "domain/schema/event_generated.h"

namespace wardiary {
namespace {

Clock from_fb(const fb::Clock& clock) {
  return {clock.turn(), clock.phase(), clock.side()};
}

bool same_stretch(const Clock& a, const Clock& b, Through through) {
  switch (through) {
    case Through::kOrder:
      return false;
    case Through::kPhase:
      return a == b;
    case Through::kTurn:
      return a.turn == b.turn;
  }
  return false;
}

Error too_long() {
  return {ErrorCode::kLimit, "the stretch has more than " +
                                 std::to_string(SweepLimits::kStretchEventsMax) + " events"};
}

// Backwards from `at` to the order that the stretch begins with.
Result<Version> find_first(EventStore& store, const BranchId& branch, Version at, Clock clock,
                           Through through) {
  const Clock wanted = clock;
  Version first = 0;
  Status problem = Done{};
  std::size_t seen = 0;
  Status read = store.read_backwards(branch, at, 1, [&](const StoredEvent& stored) {
    auto event = open_event(stored.payload);
    if (!event) {
      problem = std::move(event).error();
    } else if (++seen > SweepLimits::kStretchEventsMax) {
      problem = too_long();
    } else {
      if (const auto* phase = (*event)->payload_as_PhaseBegan()) clock = from_fb(*phase->from());
      if ((*event)->payload_type() != fb::Payload::OrderIssued) return true;
      // An order belongs to the clock it was given at. The one `at` stands in always counts.
      if (first == 0 || same_stretch(clock, wanted, through)) {
        first = stored.version;
        return through != Through::kOrder;
      }
    }
    return false;
  });
  if (!read) return std::move(read).error();
  if (!problem) return std::move(problem).error();
  if (first == 0) return invalid("event " + std::to_string(at) + " follows from no order");
  return first;
}

class ScriptReader {
 public:
  ScriptReader(Script& script, Through through) : script_(script), through_(through) {
    position_ = script.before;
  }

  // False when the stretch is over.
  Result<bool> take(const StoredEvent& stored) {
    auto opened = open_event(stored.payload);
    if (!opened) return std::move(opened).error();
    const fb::Event& event = **opened;
    if (auto more = begin_commit(stored.version, event); !more || !*more) return more;
    if (script_.events.size() >= SweepLimits::kStretchEventsMax) return too_long();
    const Fault fault = apply(position_, event);
    if (fault != Fault::kNone) {
      return corrupt("event " + std::to_string(stored.version) + ": " +
                     describe(fault, position_, event, script_.game->roster()));
    }
    script_.events.add(stored.type, stored.payload);
    script_.last = stored.version;
    return true;
  }
  void finish() { script_.after = std::move(position_); }

 private:
  Result<bool> begin_commit(Version version, const fb::Event& event) {
    const auto type = event.payload_type();
    const bool is_order = type == fb::Payload::OrderIssued;
    const auto* back = event.payload_as_TakeBack();
    if (!is_order && !back && event.recorded_at_ms() == 0) return true;  // goes on with its commit
    const bool beginning = version == script_.first;
    if (!beginning && !same_stretch(position_.clock, script_.before.clock, through_)) return false;
    if (type == fb::Payload::TakeBackProposed || type == fb::Payload::TakeBackAnswered) return true;
    if (back) {
      if (back->to() < script_.first) {
        return invalid("event " + std::to_string(version) +
                       " takes back what was before the stretch; it cannot be played again");
      }
      std::erase_if(script_.orders,
                    [&](const ScriptedOrder& order) { return order.version > back->to(); });
      return true;
    }
    if (!is_order) {
      return invalid("event " + std::to_string(version) + " (" +
                     std::string(event_type_name(static_cast<std::uint16_t>(type))) +
                     ") follows from no order; only orders can be played again");
    }
    const Game& game = script_.game->game;
    auto order = read_order(event, game.system->order_types(), game.roster());
    if (!order) return std::move(order).error().within("event " + std::to_string(version));
    const Question question = position_.pending(order->side);
    script_.orders.push_back({version, std::move(*order), question, position_.clock});
    return true;
  }

  Script& script_;
  const Through through_;
  Position position_;
};

}  // namespace

Result<Script> read_script(EventStore& store, Library& library, TimeMachine& time,
                           const BranchId& branch, Version at, Through through) {
  Script script;
  auto game = library.game_of(branch);
  if (!game) return std::move(game).error();
  script.game = std::move(*game);
  const Game& rules = script.game->game;
  if (!rules.system || rules.system->rules_version() != rules.created.rules_version) {
    return Error{ErrorCode::kInvalid, "this program does not have " + rules.created.system +
                                          " in rules version " + rules.created.rules_version};
  }
  auto info = store.branch(branch);
  if (!info) return std::move(info).error();
  auto there = time.at(branch, at);
  if (!there) return std::move(there).error();
  auto first = find_first(store, branch, at, there->clock, through);
  if (!first) return std::move(first).error();
  script.first = *first;
  auto before = time.at(branch, *first - 1);
  if (!before) return std::move(before).error();
  script.before = std::move(*before);

  ScriptReader reader(script, through);
  Status problem = Done{};
  Status read = store.read(branch, *first, info->version, [&](const StoredEvent& stored) {
    auto more = reader.take(stored);
    if (!more) problem = std::move(more).error();
    return problem && *more;
  });
  if (!read) return std::move(read).error();
  if (!problem) return std::move(problem).error();
  reader.finish();
  return script;
}

Gauge::Gauge(const Game& game, const Position& before)
    : game_(game), control_(game.roster().space_attribute("control")) {
  for (std::size_t u = 0; u < before.unit_count(); ++u) {
    const UnitId unit{static_cast<int>(u)};
    strength_.push_back(static_cast<std::int16_t>(game.system->strength(game, before, unit)));
    side_.push_back(before.side(unit));
  }
  if (control_ >= 0 &&
      game.roster().space_attributes[static_cast<std::size_t>(control_)].kind != ValueKind::kSide) {
    control_ = -1;
  }
}

void Gauge::read(const Position& position, std::vector<std::int64_t>& out) const {
  const std::size_t sides = game_.roster().sides.size();
  out.assign(sides * (control_ >= 0 ? 3 : 2), 0);
  for (std::size_t u = 0; u < strength_.size(); ++u) {
    if (strength_[u] == 0 || !side_[u].ok()) continue;
    const int now = game_.system->strength(game_, position, UnitId{static_cast<int>(u)});
    if (now < strength_[u]) out[side_[u].index()] += strength_[u] - now;
  }
  for (const ScoreTerm& term : game_.system->score(game_, position)) {
    if (term.side.ok()) out[sides + term.side.index()] += term.value;
  }
  if (control_ < 0) return;
  for (std::size_t s = 0; s < position.space_count(); ++s) {
    const std::int16_t side = position.get(SpaceId{static_cast<int>(s)}, control_);
    if (side >= 0 && static_cast<std::size_t>(side) < sides) {
      ++out[2 * sides + static_cast<std::size_t>(side)];
    }
  }
}

std::vector<SweepMeasure> Gauge::measures(const Position& real) const {
  using Kind = SweepMeasure::Kind;
  std::vector<std::int64_t> values;
  read(real, values);
  const std::size_t sides = game_.roster().sides.size();
  std::vector<SweepMeasure> out;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const Kind kind = i < sides ? Kind::kLosses : i < 2 * sides ? Kind::kScore : Kind::kControl;
    out.push_back({kind, SideId{static_cast<int>(i % sides)}, {}, values[i]});
  }
  return out;
}

}  // namespace wardiary

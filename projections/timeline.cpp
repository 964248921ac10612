#include "projections/timeline.h"

#include "domain/json_writer.h"
#include "domain/schema/event_generated.h"

namespace wardiary {

Timeline::Timeline(const Game& game, const View& view)
    : game_(game),
      view_(view),
      control_attribute_(game.roster().space_attribute("control")),
      strength_(game.roster().sides.size()) {}

void Timeline::count_change(const Position& before, const Position& after, UnitId unit, bool seen) {
  if (!game_.system || !unit.ok() || unit.index() >= before.unit_count()) return;
  const int was = game_.system->strength(game_, before, unit);
  const int is = game_.system->strength(game_, after, unit);
  const SideId old_side = before.side(unit);
  const SideId new_side = after.side(unit);
  if (old_side.ok()) strength_[old_side.index()] -= was;
  if (new_side.ok()) strength_[new_side.index()] += is;
  if (seen && is < was && old_side.ok()) phases_.back().losses[old_side.index()] += was - is;
}

void Timeline::step(std::uint64_t version, const fb::Event& event, const Position& before,
                    const Position& after) {
  const bool new_phase = event.payload_type() == fb::Payload::PhaseBegan;
  if (phases_.empty() || new_phase) {
    TimelinePhase phase;
    phase.clock = after.clock;
    phase.first = version;
    phase.losses.resize(strength_.size());
    phases_.push_back(std::move(phase));
  }
  TimelinePhase& phase = phases_.back();
  phase.last = version;
  const bool seen = view_.sees_event(event, before, after);
  switch (event.payload_type()) {
    case fb::Payload::OrderIssued: phase.orders += seen ? 1 : 0; break;
    case fb::Payload::DiceRolled:
      phase.rolls += seen ? 1 : 0;
      if (seen && event.payload_as_DiceRolled()->hits() > 0) phase.battles.push_back(version);
      break;
    case fb::Payload::UnitPlaced:
      count_change(before, after, UnitId{event.payload_as_UnitPlaced()->unit()}, seen);
      break;
    case fb::Payload::UnitChanged:
      count_change(before, after, UnitId{event.payload_as_UnitChanged()->unit()}, seen);
      break;
    case fb::Payload::UnitRemoved:
      count_change(before, after, UnitId{event.payload_as_UnitRemoved()->unit()}, seen);
      break;
    case fb::Payload::SpaceChanged:
      phase.control_changes += event.payload_as_SpaceChanged()->attribute() == control_attribute_;
      break;
    case fb::Payload::SpacesChanged:
      if (event.payload_as_SpacesChanged()->attribute() == control_attribute_) {
        phase.control_changes += event.payload_as_SpacesChanged()->spaces()->size();
      }
      break;
    default: break;
  }
  phase.strength = strength_;
  if (!view_.sees_everything()) {
    for (std::size_t s = 0; s < phase.strength.size(); ++s) {
      const bool own = view_.viewer().kind == Viewer::Kind::kSide && view_.viewer().side.index() == s;
      if (!own) phase.strength[s] = -1;
    }
  }
}

void Timeline::write(JsonWriter& out) const {
  const Roster& roster = game_.roster();
  out.begin_array();
  for (const TimelinePhase& phase : phases_) {
    out.begin_object();
    out.member("turn", std::int64_t{phase.clock.turn});
    out.member("turnName", roster.turn_name(phase.clock.turn));
    out.member("phase", phase.clock.phase < roster.phases.size() ? roster.phases[phase.clock.phase] : "?");
    out.key("side");
    if (phase.clock.side >= 0) {
      out.text(roster.sides[static_cast<std::size_t>(phase.clock.side)]);
    } else {
      out.null();
    }
    out.member("first", static_cast<std::int64_t>(phase.first));
    out.member("last", static_cast<std::int64_t>(phase.last));
    out.member("orders", std::int64_t{phase.orders});
    out.member("rolls", std::int64_t{phase.rolls});
    out.member("controlChanges", std::int64_t{phase.control_changes});
    auto by_side = [&](std::string_view key, const std::vector<std::int32_t>& values, bool zeros) {
      out.key(key).begin_object();
      for (std::size_t s = 0; s < values.size(); ++s) {
        if (values[s] > 0 || (zeros && values[s] == 0)) {
          out.member(roster.sides[s], std::int64_t{values[s]});
        }
      }
      out.end_object();
    };
    by_side("losses", phase.losses, false);
    by_side("strength", phase.strength, true);
    out.key("battles").begin_array();
    for (std::uint64_t version : phase.battles) out.number(static_cast<std::int64_t>(version));
    out.end_array();
    out.end_object();
  }
  out.end_array();
}

}  // namespace wardiary

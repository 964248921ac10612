#include "projections/timeline.h"

#include <algorithm>
#include <numeric>

#include "domain/schema/event_generated.h"
#include "projections/control.h"

namespace wardiary {

std::uint32_t TimelinePhase::order_count() const {
  return std::accumulate(orders.begin(), orders.end(), 0u);
}

std::int32_t TimelinePhase::loss(SideId side) const {
  std::int32_t sum = 0;
  for (const auto& [type, steps] : losses[side.index()]) sum += steps;
  return sum;
}

std::int64_t TimelinePhase::score_of(SideId side) const {
  std::int64_t sum = 0;
  for (const Score& term : score) sum += term.side == side ? term.value : 0;
  return sum;
}

Timeline::Timeline(const Game& game, const View& view)
    : game_(game),
      view_(view),
      control_attribute_(Control(game.roster()).attribute()),
      at_beginning_(game.roster().units.size()),
      at_end_(game.roster().units.size()) {}

void Timeline::resume(TimelinePhase open, const Position& before, const Position& now) {
  phases_ = {std::move(open)};
  at_beginning_ = statuses(before);
  at_end_ = statuses(now);
}

void Timeline::begin_phase(std::uint64_t version, const Position& after) {
  const std::size_t sides = game_.roster().sides.size();
  TimelinePhase phase;
  phase.clock = after.clock;
  phase.first = version;
  phase.orders.resize(sides);
  phase.losses.resize(sides);
  phase.gained.resize(sides);
  phases_.push_back(std::move(phase));
  at_beginning_ = at_end_;  // phases follow on one another
}

std::vector<Timeline::UnitStatus> Timeline::statuses(const Position& position) const {
  std::vector<UnitStatus> out(game_.roster().units.size());
  if (!game_.system) return out;
  for (const UnitSupply& supply : game_.system->supply(game_, position)) {
    // The supply of a unit one does not know would tell it from its neighbours.
    if (!position.on_board(supply.unit) || !view_.sees_unit(position, supply.unit)) continue;
    out[supply.unit.index()] = {supply.status, position.side(supply.unit)};
  }
  return out;
}

std::vector<std::int32_t> Timeline::strengths(const Position& position) const {
  std::vector<std::int32_t> out(game_.roster().sides.size());
  for (std::size_t u = 0; game_.system && u < position.unit_count(); ++u) {
    const UnitId unit{static_cast<int>(u)};
    const SideId side = position.side(unit);
    if (side.ok()) out[side.index()] += game_.system->strength(game_, position, unit);
  }
  if (view_.sees_everything()) return out;
  for (std::size_t s = 0; s < out.size(); ++s) {
    const bool own = view_.viewer().kind == Viewer::Kind::kSide && view_.viewer().side.index() == s;
    if (!own) out[s] = -1;
  }
  return out;
}

void Timeline::finish(const Position& now) {
  if (phases_.empty()) return;
  TimelinePhase& phase = phases_.back();
  phase.strength = strengths(now);
  at_end_ = statuses(now);
  phase.supply_changes.clear();
  phase.supply.assign(phase.orders.size(), {});
  for (std::size_t u = 0; u < at_end_.size(); ++u) {
    const UnitStatus& was = at_beginning_[u];
    const UnitStatus& is = at_end_[u];
    if (!is.status.empty() && is.side.ok()) ++phase.supply[is.side.index()][is.status];
    if (was.status != is.status) {
      phase.supply_changes.push_back({UnitId{static_cast<int>(u)}, was.status, is.status});
    }
  }
  phase.score.clear();
  if (!game_.system || !view_.sees_score(now)) return;
  for (const ScoreTerm& term : game_.system->score(game_, now)) {
    phase.score.push_back({term.side, term.term, term.value});
  }
}

void Timeline::count_change(const Position& before, const Position& after, UnitId unit, bool seen) {
  if (!game_.system || !seen || !unit.ok() || unit.index() >= before.unit_count()) return;
  const int was = game_.system->strength(game_, before, unit);
  const int is = game_.system->strength(game_, after, unit);
  const SideId side = before.side(unit);
  if (is >= was || !side.ok()) return;
  // The strength and type of a block that is seen and not known stay hidden, also as a loss.
  if (!view_.sees_unit(before, unit)) return;
  const std::string& type = game_.roster().units[unit.index()].type;
  phases_.back().losses[side.index()][type] += was - is;
}

void Timeline::count_control(std::int16_t from, std::int16_t to) {
  TimelinePhase& phase = phases_.back();
  ++phase.control_changes;
  const Control control(game_.roster());
  if (const SideId winner = control.holder(to)) ++phase.gained[winner.index()];
  if (const SideId loser = control.holder(from)) --phase.gained[loser.index()];
}

void Timeline::count_roll(const fb::Event& event, std::uint64_t version) {
  TimelinePhase& phase = phases_.back();
  ++phase.rolls;
  if (event.payload_as_DiceRolled()->hits() > 0) phase.battles.push_back(version);
  const RollRecord roll = read_roll(event, version, phase.clock.turn);
  const RollOdds odds = odds_of(roll.groups);
  if (odds.distribution.p.empty()) return;
  auto same = [&](const TimelinePhase::Luck& l) {
    return l.side == roll.roller && l.proven == roll.proven && l.unit == odds.unit;
  };
  auto found = std::find_if(phase.luck.begin(), phase.luck.end(), same);
  if (found == phase.luck.end()) {
    found = phase.luck.insert(found, {roll.roller, roll.proven, odds.unit, 0, 0, 0, 0});
  }
  ++found->rolls;
  found->actual += static_cast<double>(outcome_of(odds.unit, roll.groups, roll.values));
  found->expected += odds.mean;
  found->variance += odds.variance;
}

void Timeline::step(std::uint64_t version, const fb::Event& event, const Position& before,
                    const Position& after) {
  const bool new_phase = event.payload_type() == fb::Payload::PhaseBegan;
  if (new_phase) finish(before);
  if (phases_.empty() || new_phase) begin_phase(version, after);
  TimelinePhase& phase = phases_.back();
  phase.last = version;
  const bool seen = view_.sees_event(event, before, after);
  switch (event.payload_type()) {
    case fb::Payload::OrderIssued: {
      const int side = event.payload_as_OrderIssued()->side();
      if (seen && side >= 0 && side < static_cast<int>(phase.orders.size())) {
        ++phase.orders[static_cast<std::size_t>(side)];
      }
      break;
    }
    case fb::Payload::DiceRolled:
      if (seen) count_roll(event, version);
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
    case fb::Payload::SpaceChanged: {
      const auto& e = *event.payload_as_SpaceChanged();
      if (seen && e.attribute() == control_attribute_) count_control(e.from(), e.to());
      break;
    }
    case fb::Payload::SpacesChanged: {
      const auto& e = *event.payload_as_SpacesChanged();
      if (!seen || e.attribute() != control_attribute_) break;
      for (unsigned i = 0; i < e.spaces()->size(); ++i) {
        count_control(e.from()->Get(i), e.to()->Get(i));
      }
      break;
    }
    default:
      break;
  }
}

}  // namespace wardiary

// Victory [17]: points by term, levels, tournament points, and how a scenario or a war ends.
#include <cstdlib>

#include "domain/systems/eastfront/chapters.h"
#include "domain/systems/eastfront/strategic.h"
#include "domain/systems/eastfront/victory.h"

namespace wardiary::eastfront {
namespace {

// The highest sum of Axis command values, for the exhaustion of Winter 1941 [W41 2].
constexpr int kAxisCommandMax = 14;

struct Count {
  int command = 0;
  int hqs_lost = 0;
  int units_lost = 0;
  int restricted = 0;
  int unsupplied = 0;
};

// In play: on the map, or off it opposite the Hungarian Plain.
bool in_play(const Situation& now, UnitId unit) {
  return now.pos.on_board(unit) ||
         (now.fate(unit) == Fate::kOffMap && !now.data.rulings.off_map_units_are_lost);
}

// The Italian army counts as eliminated, also before it has come.
bool counts_as_lost(const Situation& now, UnitId unit) {
  const Fate fate = now.fate(unit);
  if (now.facts(unit).italian) {
    return fate != Fate::kByEvent || now.data.rulings.absent_italians_count;
  }
  return fate == Fate::kEliminated || fate == Fate::kOffMap;
}

Count count(const Situation& now, SideId side) {
  Count out;
  for (std::size_t i = 0; i < now.data.units.size(); ++i) {
    const UnitId unit{static_cast<int>(i)};
    if (now.side(unit) != side) continue;
    const UnitFacts& facts = now.facts(unit);
    const bool here = in_play(now, unit);
    if (here) {
      if (facts.hq()) out.command += now.cv(unit);
      if (facts.expeditionary && now.is(unit, u::kRestricted)) out.restricted += 1;
      if (facts.nation == Country::kGermany && !now.is(unit, u::kSupplied)) out.unsupplied += 1;
    } else if (counts_as_lost(now, unit)) {
      (facts.hq() ? out.hqs_lost : out.units_lost) += 1;
    }
  }
  return out;
}

const char* name_of(SideId side) {
  return side == kAxis ? "Axis" : "Soviet";
}

void end_with(Draft& draft, const Outcome& outcome, std::string text) {
  if (outcome.winner) {
    text += std::string("; ") + name_of(outcome.winner) + " " + outcome.level + " victory, " +
            std::to_string(outcome.tournament_points) + " tournament points";
  } else {
    text += "; a draw, 1 tournament point each";
  }
  draft.end_game(outcome.winner, outcome.level, text);
}

// Winter 1944: the month in which the Soviets break through decides [W44 5], A-24.
Outcome winter_1944(const Situation& now) {
  const int turn = now.track(t::kBreakthrough);
  if (turn < 1 || turn > static_cast<int>(now.data.fortnights.size())) return {kAxis, "major", 3};
  switch (now.data.fortnights[static_cast<std::size_t>(turn - 1)].month) {
    case 12:
    case 1:
      return {kSoviet, "major", 3};
    case 2:
      return {kSoviet, "marginal", 2};
    case 3:
      return {kNoSide, "draw", 1};
    case 4:
      return {kAxis, "marginal", 2};
    default:
      return {kAxis, "major", 3};
  }
}

bool last_period(const Situation& now) {
  return static_cast<std::size_t>(now.track(t::kPeriod)) + 1 == now.data.periods.size();
}

}  // namespace

std::vector<ScoreTerm> victory_points(const Situation& now) {
  std::vector<ScoreTerm> terms;
  const Period& period = now.period();
  for (SideId side : {kAxis, kSoviet}) {
    const Count sum = count(now, side);
    const auto add = [&](const char* term, int value, const char* rule) {
      if (value != 0) terms.push_back({side, term, value, rule});
    };
    terms.push_back({side, "production", now.track(of_side(t::kAxisLevel, side)), "17.1"});
    terms.push_back({side, "headquarters", 2 * sum.command, "17.1"});
    add("eliminated headquarters", -4 * sum.hqs_lost, "17.1");
    add("eliminated units", (side == kAxis ? -2 : -1) * sum.units_lost, "17.1");
    if (side == kAxis) {
      const int restricted = now.data.rulings.restricted_cost_points ? sum.restricted : 0;
      add("restricted expeditionary satellites", -restricted, "17.1");
      add("unsupplied German units", -sum.unsupplied, "17.1");
      add("handicap", period.axis_handicap, "17.2");
    } else if (period.exhaustion) {
      add("Axis exhaustion", kAxisCommandMax - count(now, kAxis).command, "W41 2");
    }
  }
  return terms;
}

int points_of(const std::vector<ScoreTerm>& terms, SideId side) {
  int sum = 0;
  for (const ScoreTerm& term : terms) {
    if (term.side == side) sum += term.value;
  }
  return sum;
}

Outcome outcome_of(int axis, int soviet) {
  const int lead = std::abs(axis - soviet);
  const SideId winner = axis > soviet ? kAxis : kSoviet;
  if (lead <= 5) return {kNoSide, "draw", 1};
  if (lead <= 15) return {winner, "marginal", 2};
  if (lead <= 25) return {winner, "major", 3};
  return {winner, "decisive", 5};
}

bool breakthrough_ends(const Situation& now) {
  return now.period().w44_victory || now.data.rulings.campaign;
}

bool finish_period(Draft& draft) {
  const Situation now(draft);
  const Period& period = now.period();
  if (period.no_victory) {
    draft.end_game(kNoSide, "none", period.title + " has no victory conditions");
    return true;
  }
  if (period.w44_victory) {
    end_with(draft, winter_1944(now), "Winter 1944 is decided on the Polish Plain");
    return true;
  }
  if (now.track(t::kBreakthrough) != 0) {  // [16.8]
    end_with(draft, {kSoviet, "decisive", 5}, "the Soviets have reached the Polish Plain");
    return true;
  }
  recompute_control(draft);  // the last attrition may have lost a city
  const std::vector<ScoreTerm> terms = victory_points(now);
  const int axis = points_of(terms, kAxis);
  const int soviet = points_of(terms, kSoviet);
  const Outcome outcome = outcome_of(axis, soviet);
  // Linked games go on; a campaign stops for a Decisive victory only [3.1.4, 17.4].
  const bool decisive = outcome.winner && outcome.tournament_points == 5;
  if (!last_period(now) && !(now.data.rulings.campaign && decisive)) return false;
  end_with(draft, outcome, "Axis " + std::to_string(axis) + ", Soviet " + std::to_string(soviet));
  return true;
}

}  // namespace wardiary::eastfront

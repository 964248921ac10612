// Axis satellites [2.66, 16.1, 16.11, 16.4]: where they may be, who frees or binds them, and how
// their countries leave the war.
#include <algorithm>

#include "domain/systems/eastfront/chapters.h"
#include "domain/systems/eastfront/production.h"
#include "domain/systems/eastfront/strategic.h"

namespace wardiary::eastfront {
namespace {

constexpr int kCountries = 3;
constexpr const char* kCountryNames[kCountries] = {"Romania", "Hungary", "Bulgaria"};
constexpr Country kCountryOf[kCountries] = {Country::kRomania, Country::kHungary,
                                            Country::kBulgaria};

bool june_1941(const Situation& now) {
  const Fortnight& when = now.fortnight();
  return now.period().june_surprise && when.year == 1941 && when.month == 6;
}

// What a city has done for the satellites so far; kept on its track.
enum Fallen : int { kNotYet, kTaken, kRetaken };

// A city's fall frees satellites; its loss binds them all again [16.4].
void follow_city(Draft& draft, t::Track fallen, SpaceId city) {
  const Situation now(draft);
  if (!city) return;
  if (now.friendly(city, kAxis)) draft.set(track(fallen), kTaken);
  if (now.friendly(city, kSoviet) && now.track(fallen) == kTaken) {
    draft.set(track(fallen), kRetaken);
  }
}

bool freed(const Situation& now, UnitId unit) {
  const UnitFacts& facts = now.facts(unit);
  if (!facts.expeditionary || now.is(unit, u::kRebuilt)) return false;  // [11.42]
  if (!now.period().satellites_release) return false;                   // [S43 2]
  const int odessa = now.track(t::kOdessaFell);
  const int sevastopol = now.track(t::kSevastopolFell);
  if (odessa == kRetaken || sevastopol == kRetaken) return false;
  // Odessa frees the Romanian 3rd Army, Sevastopol the other three [16.4].
  return facts.freed_by_odessa ? odessa == kTaken : sevastopol == kTaken;
}

int national_hexes_held(const Situation& now, int country) {
  int held = 0;
  for (std::size_t i = 0; i < now.data.hexes.size(); ++i) {
    held += now.data.hexes[i].country == kCountryOf[country] &&
            now.friendly(SpaceId{static_cast<int>(i)}, kSoviet);
  }
  return held;
}

std::vector<UnitId> national_units(const Situation& now, int country) {
  std::vector<UnitId> out;
  for (std::size_t i = 0; i < now.pos.unit_count(); ++i) {
    const UnitId unit{static_cast<int>(i)};
    if (now.side(unit) == kAxis && satellite_index(now.facts(unit).nation) == country) {
      out.push_back(unit);
    }
  }
  return out;
}

// The number a roll must stay below; 0 if no roll is possible [16.1].
int surrender_number(const Situation& now, int country) {
  if (now.track(allegiance_track(country)) != 0) return 0;
  const int held = national_hexes_held(now, country);
  if (held == 0) return 0;
  int lost = 0;
  for (UnitId unit : national_units(now, country)) lost += now.fate(unit) == Fate::kEliminated;
  return held + lost;
}

// Would units of other Axis nations keep this one in the line: in its hex, or with a zone of
// control over it [16.1, 8.2]?
bool watched(const Situation& now, UnitId unit) {
  const SpaceId hex = now.at(unit);
  for (UnitId other : now.units_of(kAxis)) {
    if (now.facts(other).nation == now.facts(unit).nation) continue;
    if (now.at(other) == hex) return true;
    const LinkId link = now.board().link_between(now.at(other), hex);
    if (!link || now.engaged(other) || !now.is(other, u::kSupplied)) continue;
    if (now.data.link(link).passable() && !now.data.link(link).river) return true;
  }
  return false;
}

std::vector<UnitId> defectors(const Situation& now, int country) {
  std::vector<UnitId> out = national_units(now, country);
  std::erase_if(out, [&](UnitId unit) { return !now.pos.on_board(unit) || watched(now, unit); });
  return out;
}

// What is asked: the countries that may still be rolled for (bits), and the one whose defector is
// to be chosen.
Question question(Ask what, int countries, int country) {
  return {static_cast<std::uint8_t>(what), -1, -1, countries | (country << 8)};
}

// Who says which unit changes sides.
SideId picker(const Situation& now) {
  return now.data.rulings.axis_picks_defector ? kAxis : kSoviet;
}

// Asks for another roll, or goes on with the Supply phase.
void ask_again(Draft& draft, int countries) {
  if (countries != 0) {
    draft.ask(kSoviet, question(Ask::kSurrender, countries, 0));
    return;
  }
  draft.settle(kSoviet);
  draft.add(track(t::kStage), 1);
  continue_supply(draft);
}

// One national unit joins the Soviets, the others are lost for good [16.1].
void surrender(Draft& draft, int country, UnitId defector) {
  draft.set(track(allegiance_track(country)), static_cast<int>(Allegiance::kSurrendered));
  if (defector) {
    draft.set(defector, u::kSide, kSoviet.value);
    draft.set(defector, u::kRestricted, 0);
    draft.set(defector, u::kShown, 0);
    draft.set(defector, u::kSupplied, 1);
  }
  for (UnitId unit : national_units(Situation(draft), country)) {
    if (draft->on_board(unit)) {
      eliminate(draft, unit, "surrender");
    } else {
      draft.set(unit, u::kFate, static_cast<int>(Fate::kEliminated));
    }
  }
  if (defector) end_battle_if_over(draft, draft->at(defector));
}

Refused roll_surrender(Draft& draft, const Order& order, int countries) {
  const Situation now(draft);
  const std::string name = order.choice("country");
  int country = 0;
  while (country < kCountries && name != kCountryNames[country]) ++country;
  if (country == kCountries || (countries & (1 << country)) == 0) {
    return refuse("NO_ROLL", "16.1", name + " cannot be rolled for now");
  }
  const int below = surrender_number(now, country);
  RollRequest request;
  request.roller = kSoviet;
  request.purpose = "surrender of " + name;
  request.groups.push_back(
      {RollGroup::kDice, static_cast<std::uint16_t>(now.data.rulings.surrender_dice), 6, 0});
  const int held = national_hexes_held(now, country);
  request.terms = {{"hexes held", held}, {"units eliminated", below - held}};
  request.table = "16.1";
  const auto total = [](std::span<const std::uint32_t> values) {
    int sum = 0;
    for (std::uint32_t value : values) sum += static_cast<int>(value);
    return sum;
  };
  const auto values = draft.roll(request, [&](std::span<const std::uint32_t> faces) {
    RollOutcome outcome;
    outcome.result = total(faces) < below ? "surrenders" : "fights on";
    return outcome;
  });
  const int left = countries & ~(1 << country);
  if (total(values) >= below) {
    ask_again(draft, left);
    return std::nullopt;
  }
  const std::vector<UnitId> who = defectors(now, country);
  if (who.size() > 1) {
    draft.settle(kSoviet);
    draft.ask(picker(now), question(Ask::kDefector, left, country));
    return std::nullopt;
  }
  surrender(draft, country, who.empty() ? UnitId{} : who.front());
  ask_again(draft, left);
  return std::nullopt;
}

}  // namespace

bool satellite_may_enter(const Situation& now, UnitId unit, SpaceId space) {
  const UnitFacts& facts = now.facts(unit);
  if (!facts.satellite()) {
    // June 1941: no German unit in Hungary [S41 4].
    return now.side(unit) != kAxis || !june_1941(now) ||
           now.data.hex(space).country != Country::kHungary;
  }
  return now.side(unit) != kAxis || !now.is(unit, u::kRestricted) ||
         in_satellite_area(now, unit, space);
}

bool in_satellite_area(const Situation& now, UnitId unit, SpaceId space) {
  const int country = satellite_index(now.facts(unit).nation);
  return country >= 0 &&
         now.data.satellite_area[static_cast<std::size_t>(country)][space.index()] != 0;
}

bool may_move_at_all(const Situation& now, UnitId unit) {
  return !(june_1941(now) && now.facts(unit).nation == Country::kHungary);  // [S41 4]
}

void update_satellites(Draft& draft) {
  const Situation now(draft);
  if (now.period().satellites_release) {
    follow_city(draft, t::kOdessaFell, now.data.odessa);
    follow_city(draft, t::kSevastopolFell, now.data.sevastopol);
    if (now.track(t::kSevastopolFell) == kTaken && now.track(t::kItalianDue) == 0) {
      draft.set(track(t::kItalianDue), 1);
    }
  }
  for (std::size_t i = 0; i < now.pos.unit_count(); ++i) {
    const UnitId unit{static_cast<int>(i)};
    const UnitFacts& facts = now.facts(unit);
    if (!facts.satellite() || now.side(unit) != kAxis) continue;
    draft.set(unit, u::kRestricted, freed(now, unit) ? 0 : 1);
    // From Summer 1943 the Italians are gone [S43 2].
    if (facts.italian && now.period().satellites_restricted && now.pos.on_board(unit)) {
      eliminate(draft, unit, "withdrawn");
    }
  }
}

Question surrender_question(const Situation& now) {
  int countries = 0;
  for (int country = 0; country < kCountries && now.period().surrender_rolls; ++country) {
    if (surrender_number(now, country) > 0) countries |= 1 << country;
  }
  return question(Ask::kSurrender, countries, 0);
}

bool ask_surrender(Draft& draft) {
  const Situation now(draft);
  const Question asked = surrender_question(now);
  if (now.active() != kSoviet || asked.number == 0) return false;
  draft.ask(kSoviet, asked);
  return true;
}

Refused decide_surrender(Draft& draft, const Order& order) {
  const Situation now(draft);
  const int number = now.pos.pending(order.side).number;
  const int countries = number & 0xff;
  if (order.is("Pass")) {
    ask_again(draft, 0);
    return std::nullopt;
  }
  if (order.is("RollSurrender")) return roll_surrender(draft, order, countries);
  const int country = number >> 8;
  const std::vector<UnitId> who = defectors(now, country);
  const UnitId unit = order.unit("unit");
  if (std::find(who.begin(), who.end(), unit) == who.end()) {
    return refuse("NOT_A_DEFECTOR", "16.1", "that unit cannot change sides");
  }
  draft.settle(order.side);
  surrender(draft, country, unit);
  ask_again(draft, countries);
  return std::nullopt;
}

void legal_surrender(const Situation& now, SideId side, const SeeOrder& see) {
  const int number = now.pos.pending(side).number;
  if (now.asked(side) == Ask::kDefector) {
    for (UnitId unit : defectors(now, number >> 8)) {
      if (!see(order("ChooseDefector", side).with("unit", unit))) return;
    }
    return;
  }
  for (int country = 0; country < kCountries; ++country) {
    if ((number & (1 << country)) == 0) continue;
    if (!see(order("RollSurrender", kSoviet).with_choice("country", kCountryNames[country]))) {
      return;
    }
  }
  see(order("Pass", kSoviet));
}

// A surrendered country without Axis units at the end of a Soviet turn is Soviet [16.11].
void conquer(Draft& draft) {
  const Situation now(draft);
  if (now.active() != kSoviet) return;
  for (int country = 0; country < kCountries; ++country) {
    if (now.track(allegiance_track(country)) == 0) continue;
    const std::vector<UnitId> axis = now.units_of(kAxis);
    const bool defended = std::any_of(axis.begin(), axis.end(), [&](UnitId unit) {
      return now.data.hex(now.at(unit)).country == kCountryOf[country];
    });
    if (defended) continue;
    draft.set(track(allegiance_track(country)), static_cast<int>(Allegiance::kConquered));
    for (std::size_t i = 0; i < now.data.hexes.size(); ++i) {
      if (now.data.hexes[i].country != kCountryOf[country]) continue;
      const SpaceId hex{static_cast<int>(i)};
      draft.set(hex, h::kControl, static_cast<int>(Control::kSovietHeld));
      draft.set(hex, h::kHeld, kSoviet.value);
    }
  }
}

}  // namespace wardiary::eastfront

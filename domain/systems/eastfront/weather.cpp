// Weather [12]: the calendar, and two dice - one of each player - in the variable months.
#include "domain/systems/eastfront/chapters.h"

namespace wardiary::eastfront {
namespace {

struct Month {
  Weather even;  // also the weather of a settled month
  Weather odd;
  bool variable() const { return even != odd; }
};

constexpr Weather kDry = Weather::kDry;
constexpr Weather kMud = Weather::kMud;
constexpr Weather kSnow = Weather::kSnow;

// [12.1, sb 12] January to December.
constexpr Month kEast[] = {{kSnow, kSnow}, {kSnow, kSnow}, {kSnow, kMud}, {kMud, kMud},
                           {kDry, kMud},   {kDry, kDry},   {kDry, kDry},  {kDry, kDry},
                           {kDry, kDry},   {kDry, kMud},   {kSnow, kMud}, {kSnow, kSnow}};
// [12.3]
constexpr Month kWest[] = {{kMud, kMud}, {kDry, kMud}, {kDry, kDry}, {kDry, kDry},
                           {kDry, kDry}, {kDry, kDry}, {kDry, kDry}, {kDry, kDry},
                           {kDry, kDry}, {kDry, kDry}, {kDry, kMud}, {kMud, kMud}};

const char* word(Weather weather) {
  return weather == kDry ? "dry" : weather == kMud ? "mud" : "snow";
}

std::uint32_t die_of(Draft& draft, SideId roller, const char* front, const Draft::Judge& judge) {
  RollRequest request;
  request.roller = roller;
  request.purpose = std::string(front) + " weather";
  request.groups.push_back(RollGroup{});
  request.table = "12.1";
  return draft.roll(request, judge).front();
}

// Each player rolls a die; the parity of the sum decides [12.1].
Weather rolled(Draft& draft, const Month& month, const char* front) {
  const std::uint32_t first =
      die_of(draft, kAxis, front, [](std::span<const std::uint32_t>) { return RollOutcome{}; });
  const auto decided = [&](std::uint32_t second) {
    return (first + second) % 2 == 0 ? month.even : month.odd;
  };
  const std::uint32_t second =
      die_of(draft, kSoviet, front, [&](std::span<const std::uint32_t> values) {
        RollOutcome outcome;
        outcome.column = (first + values.front()) % 2 == 0 ? "even" : "odd";
        outcome.result = word(decided(values.front()));
        return outcome;
      });
  return decided(second);
}

}  // namespace

std::optional<Weather> settled_weather(int month, bool west) {
  const Month& row = (west ? kWest : kEast)[static_cast<std::size_t>(month - 1)];
  if (row.variable()) return std::nullopt;
  return row.even;
}

void roll_weather(Draft& draft) {
  const Situation now(draft);
  const auto month = static_cast<std::size_t>(now.fortnight().month - 1);
  const Month& east = kEast[month];
  const Month& west = kWest[month];
  const Weather east_now = east.variable() ? rolled(draft, east, "East Front") : east.even;
  draft.set(track(t::kEastWeather), static_cast<int>(east_now));
  // Nobody need roll for the West Front before the Soviets come there; it is Dry then [12.3].
  const bool matters = now.data.rulings.west_weather_always || now.track(t::kArmyGroupE) != 0;
  const Weather west_now =
      west.variable() && matters ? rolled(draft, west, "West Front") : west.even;
  draft.set(track(t::kWestWeather), static_cast<int>(west_now));
}

}  // namespace wardiary::eastfront

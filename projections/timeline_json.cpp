#include <nlohmann/json.hpp>

#include "domain/json_reader.h"
#include "projections/timeline.h"

namespace wardiary {

using nlohmann::json;

namespace {

template <class Values, class Write>
json by_side(const Roster& roster, const Values& values, const Write& write) {
  json out = json::object();
  for (std::size_t s = 0; s < values.size(); ++s) {
    if (json value = write(values[s], s); !value.is_null()) out[roster.sides[s]] = std::move(value);
  }
  return out;
}

json luck_of(const TimelinePhase::Luck& luck, const Roster& roster) {
  return {{"side", roller_name(roster, luck.side)},
          {"dice", luck.proven ? "proven" : "unproven"},
          {"unit", name_of(luck.unit)},
          {"rolls", luck.rolls},
          {"actual", luck.actual},
          {"expected", luck.expected},
          {"variance", luck.variance}};
}

// Reads what phase_json wrote; whatever else it meets is noted, and the value is harmless.
class PhaseReader {
 public:
  PhaseReader(const json& phase, const Roster& roster) : in_(phase, "phase"), roster_(roster) {}

  Result<TimelinePhase> read() {
    clock();
    const std::size_t sides = roster_.sides.size();
    out_.orders.resize(sides);
    out_.losses.resize(sides);
    out_.gained.resize(sides);
    out_.supply.resize(sides);
    out_.strength.assign(sides, -1);
    counts();
    lists();
    if (in_.ok()) return std::move(out_);
    return corrupt(std::move(in_).error().text);
  }

 private:
  template <class Number>
  Number number(JsonReader& in, std::string_view field, std::int64_t least = 0) {
    return static_cast<Number>(
        in.number(field, least, static_cast<std::int64_t>(std::numeric_limits<Number>::max())));
  }
  void clock() {
    out_.clock.turn = number<std::int16_t>(in_, "turn", INT16_MIN);
    const int phase = roster_.phase(in_.text("phase"));
    if (phase < 0) in_.complain("phase", "is none of the game's");
    out_.clock.phase = static_cast<std::uint8_t>(std::max(phase, 0));
    const json* active = in_.get("side");
    if (active && active->is_string()) {
      out_.clock.side = static_cast<std::int8_t>(side(in_, active->get<std::string>()).value);
    }
    out_.first = static_cast<std::uint64_t>(in_.number("first", 1, INT64_MAX));
    out_.last = static_cast<std::uint64_t>(in_.number("last", 1, INT64_MAX));
    out_.rolls = number<std::uint32_t>(in_, "rolls");
    out_.control_changes = number<std::uint32_t>(in_, "controlChanges");
  }
  SideId side(JsonReader& in, const std::string& name) {
    const SideId found = roster_.side(name);
    if (!found && name != "nobody") in.complain("side", "is none of the game's");
    return found;
  }
  using SeeSide = std::function<void(std::size_t, JsonReader&)>;
  void each_side(std::string_view field, const SeeSide& see) {
    in_.each_member(field, [&](const std::string& name, JsonReader& value) {
      if (const SideId found = side(value, name)) see(found.index(), value);
    });
  }
  std::int64_t whole(JsonReader& in) {
    if (in.value().is_number_integer()) return in.value().get<std::int64_t>();
    in.complain("", "must be a number");
    return 0;
  }
  void counts() {
    each_side("ordersBySide", [&](std::size_t s, JsonReader& v) {
      out_.orders[s] = static_cast<std::uint32_t>(whole(v));
    });
    each_side("lossesByType", [&](std::size_t s, JsonReader& v) {
      v.each_member("", [&](const std::string& type, JsonReader& steps) {
        out_.losses[s][type] = static_cast<std::int32_t>(whole(steps));
      });
    });
    each_side("gained", [&](std::size_t s, JsonReader& v) {
      out_.gained[s] = static_cast<std::int32_t>(whole(v));
    });
    each_side("strength", [&](std::size_t s, JsonReader& v) {
      out_.strength[s] = static_cast<std::int32_t>(whole(v));
    });
    each_side("supply", [&](std::size_t s, JsonReader& v) {
      v.each_member("", [&](const std::string& status, JsonReader& count) {
        out_.supply[s][status] = static_cast<std::uint32_t>(whole(count));
      });
    });
  }
  void lists() {
    constexpr std::size_t kMost = 1'000'000;
    const json* battles = in_.get("battles");
    if (!battles || !battles->is_array()) return in_.complain("battles", "must be a list");
    for (const json& version : *battles) {
      if (!version.is_number_unsigned()) return in_.complain("battles", "must be versions");
      out_.battles.push_back(version.get<std::uint64_t>());
    }
    in_.each("supplyChanges", kMost, [&](JsonReader& v) {
      const UnitId unit = roster_.unit(v.text("unit"));
      if (!unit) v.complain("unit", "is none of the game's");
      out_.supply_changes.push_back({unit, v.text_or("from", ""), v.text_or("to", "")});
    });
    in_.each("score", kMost, [&](JsonReader& v) {
      out_.score.push_back(
          {side(v, v.text("side")), v.text("term"), number<std::int32_t>(v, "value", INT32_MIN)});
    });
    in_.each("luck", kMost, [&](JsonReader& v) {
      TimelinePhase::Luck luck;
      luck.side = side(v, v.text("side"));
      luck.proven = v.text("dice") == "proven";
      luck.unit = v.text("unit") == name_of(RollUnit::kHits) ? RollUnit::kHits : RollUnit::kPips;
      luck.rolls = number<std::uint32_t>(v, "rolls");
      luck.actual = real(v, "actual");
      luck.expected = real(v, "expected");
      luck.variance = real(v, "variance");
      out_.luck.push_back(luck);
    });
  }
  double real(JsonReader& in, std::string_view field) {
    const json* value = in.get(field);
    if (value && value->is_number()) return value->get<double>();
    in.complain(field, "must be a number");
    return 0;
  }

  JsonReader in_;
  const Roster& roster_;
  TimelinePhase out_;
};

}  // namespace

json phase_json(const TimelinePhase& phase, const Roster& roster) {
  const auto maps = [&](const auto& values) {
    return by_side(roster, values,
                   [](const auto& map, std::size_t) { return map.empty() ? json() : json(map); });
  };
  const auto numbers = [&](const auto& values, bool zeros) {
    return by_side(roster, values, [&](auto value, std::size_t) {
      return value != 0 || zeros ? json(value) : json();
    });
  };
  json strength = json::object(), losses = json::object();
  for (std::size_t s = 0; s < phase.strength.size(); ++s) {
    if (phase.strength[s] >= 0) strength[roster.sides[s]] = phase.strength[s];
  }
  for (std::size_t s = 0; s < phase.losses.size(); ++s) {
    const SideId side{static_cast<int>(s)};
    if (const auto steps = phase.loss(side)) losses[roster.sides[s]] = steps;
  }
  json changes = json::array(), score = json::array(), luck = json::array();
  for (const auto& change : phase.supply_changes) {
    changes.push_back({{"unit", roster.units[change.unit.index()].name},
                       {"from", change.from},
                       {"to", change.to}});
  }
  for (const auto& term : phase.score) {
    score.push_back(
        {{"side", roller_name(roster, term.side)}, {"term", term.term}, {"value", term.value}});
  }
  for (const auto& entry : phase.luck) luck.push_back(luck_of(entry, roster));
  const bool active = phase.clock.side >= 0;
  return {
      {"turn", phase.clock.turn},
      {"turnName", roster.turn_name(phase.clock.turn)},
      {"phase", roster.phases[phase.clock.phase]},
      {"side", active ? json(roster.sides[static_cast<std::size_t>(phase.clock.side)]) : json()},
      {"first", phase.first},
      {"last", phase.last},
      {"orders", phase.order_count()},
      {"ordersBySide", numbers(phase.orders, false)},
      {"rolls", phase.rolls},
      {"controlChanges", phase.control_changes},
      {"gained", numbers(phase.gained, false)},
      {"losses", std::move(losses)},
      {"lossesByType", maps(phase.losses)},
      {"strength", std::move(strength)},
      {"supply", maps(phase.supply)},
      {"supplyChanges", std::move(changes)},
      {"score", std::move(score)},
      {"luck", std::move(luck)},
      {"battles", phase.battles}};
}

Result<TimelinePhase> read_phase(const json& phase, const Roster& roster) {
  return PhaseReader(phase, roster).read();
}

}  // namespace wardiary

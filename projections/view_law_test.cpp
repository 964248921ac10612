// The law of sight: positions that differ only in what a viewer may not see look the same to that
// viewer, byte for byte. Held on positions of games played at random, by changing one hidden thing
// after another: a value, a track, or which of two blocks of a side stands where.
#include <gtest/gtest.h>

#include <map>
#include <random>

#include "domain/json_writer.h"
#include "projections/view.h"

namespace wardiary {
namespace {

class RandomDice : public Chance {
 public:
  explicit RandomDice(std::mt19937& random) : random_(random) {}
  std::optional<Rolled> roll(const RollRequest& request) override {
    Rolled out;
    for (const RollGroup& group : request.groups) {
      for (int i = 0; i < group.count; ++i) out.values.push_back(1 + random_() % group.sides);
    }
    return out;
  }

 private:
  std::mt19937& random_;
};

// A game and how one viewer sees it.
class Eyes {
 public:
  Eyes(const Game& game, const RuleSystem& rules, const Viewer& viewer)
      : game_(game), rules_(rules), viewer_(viewer) {}

  std::string seen(const Position& p) const {
    std::string text;
    JsonWriter out(text);
    View(game_, viewer_).write_position(out, p);
    return text;
  }
  UnitSight sight(const Position& p, UnitId unit) const {
    return rules_.sees_unit(game_, p, viewer_, unit);
  }
  bool sees(const Position& p, UnitId unit, int attribute) const {
    return rules_.sees_unit_value(game_, p, viewer_, unit, attribute);
  }
  bool sees(const Position& p, TrackId track) const {
    return rules_.sees_track(game_, p, viewer_, track);
  }
  // What is hidden, and where things seem to be (of blocks: how many of a side seem to be where).
  // If this changes, more than hidden facts differ.
  std::string hidden(const Position& p) const {
    std::string out;
    std::map<std::pair<int, int>, int> blocks;
    const Shape& shape = p.shape();
    for (std::uint32_t u = 0; u < shape.units; ++u) {
      const UnitId unit{static_cast<int>(u)};
      const UnitSight how = sight(p, unit);
      const int place = rules_.seen_at(game_, p, viewer_, unit).value;
      out += std::to_string(static_cast<int>(how));
      if (how == UnitSight::kFull) out += "@" + std::to_string(place);
      if (how == UnitSight::kBlock) ++blocks[{p.side(unit).value, place}];
      for (std::uint32_t a = 0; a < shape.unit_attributes; ++a) {
        out += sees(p, unit, static_cast<int>(a)) ? '+' : '-';
      }
    }
    for (const auto& [where, count] : blocks) {
      out += " " + std::to_string(where.first) + "@" + std::to_string(where.second) + "x" +
             std::to_string(count);
    }
    for (std::uint32_t t = 0; t < shape.tracks; ++t) {
      out += sees(p, TrackId{static_cast<int>(t)}) ? '+' : '-';
    }
    out += rules_.sees_score(game_, p, viewer_) ? '+' : '-';
    return out;
  }

 private:
  const Game& game_;
  const RuleSystem& rules_;
  const Viewer viewer_;
};

std::int16_t another_value(std::mt19937& random, const ValueRange& range, std::int16_t now) {
  for (int i = 0; i < 20; ++i) {
    const auto value = static_cast<std::int16_t>(static_cast<int>(random() % 8) - 1);
    if (value != now && range.contains(value)) return value;
  }
  return now;
}

// Changes one hidden thing at random; says which kind, or nothing if there was none at hand.
std::string disturb(Position& p, const Eyes& eyes, std::mt19937& random) {
  const Shape& shape = p.shape();
  const UnitId unit{static_cast<int>(random() % shape.units)};
  if (shape.tracks > 0 && random() % 8 == 0) {
    const TrackId track{static_cast<int>(random() % shape.tracks)};
    if (eyes.sees(p, track)) return "";
    p.set(track, another_value(random, p.ranges().tracks[track.index()],
                               static_cast<std::int16_t>(p.get(track))));
    return "track";
  }
  if (random() % 3 == 0) {
    const UnitId other{static_cast<int>(random() % shape.units)};
    const bool blocks =
        eyes.sight(p, unit) == UnitSight::kBlock && eyes.sight(p, other) == UnitSight::kBlock;
    if (!blocks || p.side(unit) != p.side(other) || p.at(unit) == p.at(other)) return "";
    const SpaceId place = p.at(unit);
    p.set_at(unit, p.at(other));
    p.set_at(other, place);
    return "places";
  }
  const auto attribute = static_cast<int>(random() % shape.unit_attributes);
  if (eyes.sees(p, unit, attribute)) return "";
  const std::int16_t now = p.get(unit, attribute);
  p.set(unit, attribute,
        another_value(random, p.ranges().units[static_cast<std::size_t>(attribute)], now));
  return p.get(unit, attribute) == now ? "" : "value";
}

void hold_law(const Game& game, const RuleSystem& rules, const Position& position,
              std::mt19937& random, std::map<std::string, int>& changed) {
  for (const Viewer& viewer : {Viewer::of(SideId{0}), Viewer::of(SideId{1}), Viewer::spectator()}) {
    const Eyes eyes(game, rules, viewer);
    const std::string seen = eyes.seen(position), hidden = eyes.hidden(position);
    for (int i = 0; i < 60; ++i) {
      Position other = position;
      const std::string kind = disturb(other, eyes, random);
      if (kind.empty() || eyes.hidden(other) != hidden) continue;
      ++changed[kind];
      ASSERT_EQ(eyes.seen(other), seen) << kind << " in turn " << position.clock.turn;
    }
  }
}

TEST(ViewLaw, WhatDiffersOnlyInHiddenFactsLooksTheSame) {
  const RuleSystem* rules = rule_system("eastfront");
  ASSERT_TRUE(rules);
  std::map<std::string, int> changed;
  for (const char* scenario : {"Edelweiss", "S42"}) {
    NewGameSpec spec;
    spec.scenario = scenario;
    auto created = create_game(*rules, spec, {});
    ASSERT_TRUE(created.ok()) << created.error().text;
    const Game& game = created->game;
    Position position = created->position;
    std::mt19937 random(2026);
    RandomDice dice(random);
    for (int n = 0; n < 600 && !position.over; ++n) {
      std::vector<Order> orders;
      for (const SideId side : {SideId{0}, SideId{1}}) {
        rules->legal_orders(game, position, side,
                            [&](const Order& order) { return orders.push_back(order), true; });
      }
      ASSERT_FALSE(orders.empty());
      // The last ones mostly end a phase: take them often, to come around the turn.
      const bool end = random() % 5 == 0;
      const Order& order = end ? orders.back() : orders[random() % orders.size()];
      Verdict verdict = decide(game, position, order, dice);
      auto* accepted = std::get_if<Accepted>(&verdict);
      ASSERT_TRUE(accepted) << order.type().name;
      position = std::move(accepted->position);
      if (n % 12 == 0) hold_law(game, *rules, position, random, changed);
      if (HasFatalFailure()) return;
    }
  }
  for (const char* kind : {"value", "places", "track"}) EXPECT_GT(changed[kind], 20) << kind;
}

}  // namespace
}  // namespace wardiary

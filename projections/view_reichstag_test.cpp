// What lies face down stays so: positions of Race to the Reichstag that differ only in hidden
// pieces look the same to everybody who may not know them.
#include <gtest/gtest.h>

#include "domain/json_writer.h"
#include "projections/view.h"

namespace wardiary {
namespace {

// Draws and dice in their natural order: 0, 1, 2 ... and ones.
class PlainChance : public Chance {
 public:
  std::optional<Rolled> roll(const RollRequest& request) override {
    Rolled out;
    for (const RollGroup& group : request.groups) {
      for (std::uint32_t i = 0; i < group.count; ++i) {
        out.values.push_back(group.kind == RollGroup::kDice ? 1 : i);
      }
    }
    return out;
  }
};

struct Berlin {
  Berlin() {
    NewGameSpec spec;
    spec.scenario = "base";
    spec.options["quickSetup"] = "on";
    auto created = create_game(*rule_system("reichstag"), spec, {});
    EXPECT_TRUE(created.ok()) << created.error().text;
    game = std::move(created->game);
    position = std::move(created->position);
    PlainChance chance;
    for (int side : {0, 1}) {
      const Order order(rule_system("reichstag")->order_types()[0], SideId{side});
      auto verdict = decide(game, position, order, chance);
      auto* accepted = std::get_if<Accepted>(&verdict);
      if (!accepted) {
        ADD_FAILURE() << "the commands were not accepted";
        return;
      }
      position = accepted->position;
    }
  }
  std::string seen_by(const Viewer& viewer, const Position& of) const {
    std::string out;
    JsonWriter writer(out);
    View(game, viewer).write_position(writer, of);
    return out;
  }
  // The first static unit that lies face down there; on the map, or in the pool.
  UnitId hidden(bool in_reichstag, bool in_pool) const {
    const Roster& roster = game.roster();
    const int pile = roster.unit_attribute("pile");
    const int face_up = roster.unit_attribute("faceUp");
    for (std::size_t i = 0; i < roster.units.size(); ++i) {
      const UnitId unit{static_cast<int>(i)};
      if (!roster.units[i].name.starts_with("S-") || position.get(unit, face_up)) continue;
      const bool pooled = position.get(unit, pile) == 2;
      const bool garrison = position.at(unit) == game.board->find("Reichstag");
      if (pooled == in_pool && garrison == in_reichstag) return unit;
    }
    return {};
  }
  Position exchanged(UnitId a, UnitId b) const {
    Position out = position;
    const int pile = game.roster().unit_attribute("pile");
    out.set_at(a, position.at(b));
    out.set_at(b, position.at(a));
    out.set(a, pile, position.get(b, pile));
    out.set(b, pile, position.get(a, pile));
    return out;
  }

  Game game;
  Position position;
};

TEST(ReichstagView, TheGarrisonOfTheReichstagIsHiddenFromEverybody) {
  const Berlin berlin;
  const UnitId garrison = berlin.hidden(true, false);
  const UnitId pooled = berlin.hidden(false, true);
  ASSERT_TRUE(garrison.ok() && pooled.ok());
  const Position other = berlin.exchanged(garrison, pooled);
  ASSERT_FALSE(other == berlin.position);
  for (const Viewer& viewer :
       {Viewer::of(SideId{0}), Viewer::of(SideId{1}), Viewer::of(SideId{2}), Viewer::spectator()}) {
    EXPECT_EQ(berlin.seen_by(viewer, berlin.position), berlin.seen_by(viewer, other));
  }
  EXPECT_NE(berlin.seen_by(Viewer::referee(), berlin.position),
            berlin.seen_by(Viewer::referee(), other));
}

TEST(ReichstagView, FaceDownUnitsAreKnownToTheirPlayerOnly) {
  const Berlin berlin;
  const UnitId placed = berlin.hidden(false, false);
  const UnitId pooled = berlin.hidden(false, true);
  ASSERT_TRUE(placed.ok() && pooled.ok());
  const SideId owner{0};  // the first are placed by 1BF [3.5]
  const Position other = berlin.exchanged(placed, pooled);
  EXPECT_NE(berlin.seen_by(Viewer::of(owner), berlin.position),
            berlin.seen_by(Viewer::of(owner), other));
  EXPECT_EQ(berlin.seen_by(Viewer::of(SideId{1}), berlin.position),
            berlin.seen_by(Viewer::of(SideId{1}), other));
  EXPECT_EQ(berlin.seen_by(Viewer::spectator(), berlin.position),
            berlin.seen_by(Viewer::spectator(), other));
}

}  // namespace
}  // namespace wardiary

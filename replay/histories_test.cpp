#include "replay/histories.h"

#include "domain/schema/event_generated.h"
#include "replay/fork_testing.h"

namespace wardiary {
namespace {

struct Office {
  World world;
  GameId id;
  OpenGamePtr game;
  std::unique_ptr<Histories> histories;

  explicit Office(std::size_t orders) {
    id = world.play("eastfront", "S41", 4, orders);
    game = *world.library().game(id);
    histories = std::make_unique<Histories>(world.store(), world.library(), world.time());
  }
  // By looking at every event.
  std::vector<Version> scanned(const BranchId& branch, Thing thing) {
    std::vector<Version> out;
    (void)world.store().read(branch, 1, world.version(branch), [&](const StoredEvent& stored) {
      if (touches(**open_event(stored.payload), thing)) out.push_back(stored.version);
      return true;
    });
    return out;
  }
  std::vector<Version> asked(const BranchId& branch, Thing thing) {
    auto found = histories->touching(branch, thing, 1, world.version(branch));
    EXPECT_TRUE(found.ok()) << found.error().text;
    return found ? *found : std::vector<Version>();
  }
  std::vector<Thing> things() const {
    std::vector<Thing> out = {Thing::clock()};
    for (std::size_t u = 0; u < game->roster().units.size(); u += 5) {
      out.push_back(Thing::of(UnitId{static_cast<int>(u)}));
    }
    for (std::size_t s = 0; s < game->roster().spaces.size(); s += 37) {
      out.push_back(Thing::of(SpaceId{static_cast<int>(s)}));
    }
    for (std::size_t t = 0; t < game->roster().tracks.size(); ++t) {
      out.push_back(Thing::of(TrackId{static_cast<int>(t)}));
    }
    return out;
  }
};

TEST(Histories, FromTheIndexAreThoseOfEveryEventAlsoOnBranches) {
  Office o(1'500);
  const BranchId line = o.game->mainline;
  ASSERT_GT(o.world.version(line), Histories::kBlock) << "the game must fill a block";
  const BranchId child = fork_at(o.world, line, Histories::kBlock / 2);
  const BranchId later = fork_at(o.world, line, o.world.version(line) - 3);
  for (const BranchId& branch : {line, child, later}) {
    for (Thing thing : o.things()) EXPECT_EQ(o.asked(branch, thing), o.scanned(branch, thing));
  }
  // Again from what is kept, after a restart, and after it was dropped.
  o.world.reopen();
  o.histories = std::make_unique<Histories>(o.world.store(), o.world.library(), o.world.time());
  for (Thing thing : o.things()) EXPECT_EQ(o.asked(line, thing), o.scanned(line, thing));
  ASSERT_TRUE(o.histories->drop().ok());
  for (Thing thing : o.things()) EXPECT_EQ(o.asked(line, thing), o.scanned(line, thing));
}

TEST(Histories, WhyLeadsFromTheLastChangeBackToTheOrder) {
  Office o(300);
  const BranchId line = o.game->mainline;
  int chains = 0;
  for (std::size_t u = 0; u < o.game->roster().units.size(); ++u) {
    const UnitId unit{static_cast<int>(u)};
    auto chain = o.histories->why(line, Thing::of(unit), -1, o.world.version(line));
    ASSERT_TRUE(chain.ok()) << chain.error().text;
    Version last = 0;
    for (Version version : o.scanned(line, Thing::of(unit))) {
      (void)o.world.store().read(line, version, version, [&](const StoredEvent& stored) {
        if (changes_unit(**open_event(stored.payload), unit, -1)) last = version;
        return true;
      });
    }
    EXPECT_EQ(chain->empty() ? 0 : chain->front(), last);
    if (chain->empty()) continue;
    ++chains;
    EXPECT_TRUE(std::is_sorted(chain->rbegin(), chain->rend()));
    (void)o.world.store().read(line, chain->back(), chain->back(), [&](const StoredEvent& stored) {
      EXPECT_TRUE(begins_commit(**open_event(stored.payload)));
      return true;
    });
  }
  EXPECT_GT(chains, 10);
}

// By walking over every event.
std::vector<Histories::Stretch> walked(Office& o, const Condition& condition) {
  std::vector<Histories::Stretch> out;
  const Version end = o.world.version(o.game->mainline);
  (void)o.world.time().walk(
      o.game->mainline, 1, end,
      [&](Version version, const fb::Event&, ByteView, const Position&, const Position& after) {
        if (!condition.holds(after)) return true;
        if (!out.empty() && out.back().last + 1 == version) {
          out.back().last = version;
        } else {
          out.push_back({version, version});
        }
        return true;
      });
  return out;
}

TEST(Histories, WhenIsTheSameByIndexAndByWalking) {
  Office o(700);
  const Roster& roster = o.game->roster();
  const std::string unit = "unit:\"" + roster.units[o.things()[3].index].name + "\"";
  const std::string space = "space:\"" + roster.spaces[200] + "\"";
  const std::string side = roster.sides[0];
  int by_index = 0;
  const std::vector<std::string> texts = {
      "turn >= 2",
      "phase == " + roster.phases[3] + " and active == " + side,
      unit + ".at != nowhere",
      unit + ".steps < 2",
      unit + ".cv < 3 or " + space + ".control == " + side,
      "not (" + space + ".control == none)",
      unit + ".supply == unsupplied",
      "score." + roster.sides[0] + " - score." + roster.sides[1] + " > 0",
      space + ".units > 0",
      "over == 0"};
  for (const std::string& text : texts) {
    auto condition = Condition::parse(text, o.game->game);
    ASSERT_TRUE(condition.ok()) << text << ": " << condition.error().text;
    auto found =
        o.histories->when(o.game->mainline, *condition, o.world.version(o.game->mainline), 10'000);
    ASSERT_TRUE(found.ok()) << found.error().text;
    by_index += found->by_index;
    const auto expected = walked(o, *condition);
    EXPECT_EQ(found->stretches, expected) << text;
    EXPECT_TRUE(found->complete);
    auto first = o.histories->when(o.game->mainline, *condition, o.world.version(o.game->mainline),
                                   10, Histories::Which::kFirst);
    auto last = o.histories->when(o.game->mainline, *condition, o.world.version(o.game->mainline),
                                  10, Histories::Which::kLast);
    ASSERT_EQ(first->stretches.size(), expected.empty() ? 0u : 1u);
    ASSERT_EQ(last->stretches.size(), expected.empty() ? 0u : 1u);
    if (expected.empty()) continue;
    EXPECT_EQ(first->stretches.front(), expected.front()) << text;
    EXPECT_EQ(last->stretches.front(), expected.back()) << text;
  }
  EXPECT_GT(by_index, 2) << "the index is used where it can be";
}

}  // namespace
}  // namespace wardiary

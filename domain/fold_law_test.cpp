// The laws of the fold, on random games: revert undoes apply, what is refused changes nothing, and
// what a draft did is what its events say.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <nlohmann/json.hpp>

#include "domain/event_json.h"
#include "domain/game_testing.h"
#include "domain/json_reader.h"
#include "domain/position_json.h"

namespace wardiary {
namespace {

using namespace testing;

// One random thing to do; the numbers are taken modulo whatever there is.
struct Step {
  int what, a, b, c;
};

const Game& the_game() {
  static const Game game = small_game();
  return game;
}

int below(int n, int limit) {
  return (n % limit + limit) % limit;
}

// Does the step if the position allows it.
void take(Draft& draft, const Step& step) {
  const Roster& r = draft.game().roster();
  const UnitId unit{below(step.a, static_cast<int>(r.units.size()))};
  const SpaceId space{below(step.b, static_cast<int>(r.spaces.size()))};
  const SideId side{below(step.a, 2)};
  switch (below(step.what, 14)) {
    case 0:
      if (!draft->on_board(unit)) draft.place(unit, space, {{kSteps, below(step.c, 9)}});
      break;
    case 1:
      if (draft->on_board(unit) && draft->at(unit) != space) {
        draft.move(unit, draft.game().board->path(draft->at(unit), space, nullptr));
      }
      break;
    case 2:
      if (draft->on_board(unit)) draft.remove(unit, "lost");
      break;
    case 3:
      draft.set(unit, 1 + below(step.b, 3), below(step.c, 3) - 1);
      break;
    case 4:
      draft.set(unit, Roster::kSideAttribute, below(step.c, 3) - 1);
      break;
    case 5:
      draft.set(space, kControl, below(step.c, 3) - 1);
      break;
    case 6: {
      std::vector<std::int16_t> values;
      for (int i = 0; i < 9; ++i)
        values.push_back(static_cast<std::int16_t>(below(step.c >> i, 3) - 1));
      draft.set_all_spaces(kControl, values);
      break;
    }
    case 7:
      draft.set(LinkId{below(step.a, 12)}, kBridge, below(step.c, 2));
      break;
    case 8:
      draft.set(TrackId{0}, step.c);
      break;
    case 9:
      draft.set_pool(PoolId{1}, below(step.a, 3), below(step.c, 5));
      break;
    case 10:
      draft.begin_phase({static_cast<std::int16_t>(below(step.a, 9)),
                         static_cast<std::uint8_t>(below(step.b, 2)),
                         static_cast<std::int8_t>(below(step.c, 3) - 1)});
      break;
    case 11:
      if (draft->over) break;  // nobody decides anything any more
      draft.ask(side,
                {static_cast<std::uint8_t>(1 + below(step.b, 2)), space.value, unit.value, step.c});
      break;
    case 12:
      draft.roll({side, 0, "test", space, unit, {{RollGroup::kDice, 2, 6, 5}}, {{"base", 2}}, ""},
                 [](std::span<const std::uint32_t> v) {
                   return RollOutcome{"", "", static_cast<int>(v.size())};
                 });
      break;
    case 13:
      // Rarely, or most games would be over at once.
      if (!draft->over && step.c % 8 == 0) draft.end_game(SideId{below(step.b, 3) - 1}, "");
      break;
  }
}

// Answers every roll with ones.
class Ones : public Chance {
 public:
  std::optional<Rolled> roll(const RollRequest& request) override {
    Rolled rolled;
    rolled.values.assign(values_wanted(request), 1);
    return rolled;
  }
};

// A random game: its events and the position they lead to.
struct RandomGame {
  EventList events;
  Position position;
};

RandomGame play(const std::vector<std::tuple<int, int, int, int>>& steps) {
  Ones ones;
  Draft draft(the_game(), Position(the_game().roster()), ones);
  for (auto [what, a, b, c] : steps) take(draft, {what, a, b, c});
  RandomGame out{draft.events(), draft.position()};
  return out;
}

using Steps = std::vector<std::tuple<int, int, int, int>>;

RC_GTEST_PROP(FoldLaw, EventsFoldToThePositionTheDraftEndedWith, (const Steps& steps)) {
  const RandomGame game = play(steps);
  Position position(the_game().roster());
  RC_ASSERT(fold(position, game.events) == Fault::kNone);
  RC_ASSERT(position == game.position);
  RC_ASSERT(position.digest() == game.position.digest());
}

RC_GTEST_PROP(FoldLaw, RevertUndoesApplyAtEveryStep, (const Steps& steps)) {
  const RandomGame game = play(steps);
  std::vector<Position> history{Position(the_game().roster())};
  for (std::size_t i = 0; i < game.events.size(); ++i) {
    Position next = history.back();
    RC_ASSERT(apply(next, *trusted_event(game.events[i]), {true}) == Fault::kNone);
    history.push_back(next);
  }
  Position position = history.back();
  for (std::size_t i = game.events.size(); i-- > 0;) {
    RC_ASSERT(revert(position, *trusted_event(game.events[i])) == Fault::kNone);
    RC_ASSERT(position == history[i]);
  }
}

RC_GTEST_PROP(FoldLaw, ARefusedEventLeavesThePositionAsItWas,
              (const Steps& steps, const Steps& others)) {
  Position position = play(steps).position;
  const EventList foreign = play(others).events;
  for (std::size_t i = 0; i < foreign.size(); ++i) {
    const Position before = position;
    if (apply(position, *trusted_event(foreign[i])) != Fault::kNone) {
      RC_ASSERT(position == before);
    } else {
      RC_ASSERT(revert(position, *trusted_event(foreign[i])) == Fault::kNone);
      RC_ASSERT(position == before);
    }
    const Fault fault = revert(position, *trusted_event(foreign[i]));
    if (fault != Fault::kNone) RC_ASSERT(position == before);
    position = before;
  }
}

RC_GTEST_PROP(FoldLaw, TheSameStepsGiveTheSameBytes, (const Steps& steps)) {
  const RandomGame a = play(steps);
  const RandomGame b = play(steps);
  RC_ASSERT(a.events.size() == b.events.size());
  for (std::size_t i = 0; i < a.events.size(); ++i) RC_ASSERT(equal(a.events[i], b.events[i]));
}

RC_GTEST_PROP(FoldLaw, EveryPositionComesBackFromItsBytes, (const Steps& steps)) {
  const Position position = play(steps).position;
  auto back = Position::from_bytes(the_game().roster(), position.to_bytes());
  RC_ASSERT(back.ok());
  RC_ASSERT(*back == position);
}

RC_GTEST_PROP(FoldLaw, EveryPositionComesBackFromItsJson, (const Steps& steps)) {
  Position position = play(steps).position;
  // Roll numbers never go back, so a position written by hand does not carry them.
  for (SideId side : {kRed, kBlue, kNoSide}) position.set_rolls(side, 0);
  auto document = parse_json(position_json(position, the_game().roster()));
  RC_ASSERT(document.ok());
  Ones ones;
  Draft draft(the_game(), Position(the_game().roster()), ones);
  auto status = draft_position(draft, *document);
  RC_ASSERT(status.ok());
  RC_ASSERT(draft.position() == position);
}

RC_GTEST_PROP(FoldLaw, EveryEventIsWrittenAsJson, (const Steps& steps)) {
  const RandomGame game = play(steps);
  for (std::size_t i = 0; i < game.events.size(); ++i) {
    auto parsed =
        parse_json(event_json(*trusted_event(game.events[i]), i + 1, the_game().roster()));
    RC_ASSERT(parsed.ok());
    RC_ASSERT((*parsed)["type"] == std::string(event_type_name(game.events.type(i))));
  }
}

}  // namespace
}  // namespace wardiary

#include "replay/take_back.h"

#include <nlohmann/json.hpp>

#include "domain/schema/event_generated.h"
#include "replay/audit.h"
#include "replay/world_testing.h"

namespace wardiary {
namespace {

using nlohmann::json;

// A refereed game some orders in, with dice rolled.
struct Played {
  World world;
  OpenGamePtr game;
  BranchId line;
  Version end = 0;

  explicit Played(std::size_t orders = 60) {
    const GameId id = world.play("eastfront", "S41", 11, orders);
    game = *world.library().game(id);
    line = game->mainline;
    end = world.version(line);
  }
  OrderRequest by(const std::string& seat) const {
    OrderRequest request;
    request.branch = line;
    request.author = seat;
    return request;
  }
  std::vector<std::string> seats() const {
    std::vector<std::string> out;
    for (const SeatSpec& seat : game->game.created.seats) out.push_back(seat.name);
    return out;
  }
  Position at(Version version) {
    auto position = world.time().at(line, version);
    EXPECT_TRUE(position.ok()) << position.error().text;
    return *position;
  }
  // The end of a commit about so many events before the end.
  Version commit_end(Version back) {
    BranchInfo info = *world.store().branch(line);
    info.version = end - back;
    return *undo_target(world.store(), info);
  }
  std::string clean() {
    auto report = audit_game(world.store(), world.library(), game->id);
    EXPECT_TRUE(report.ok());
    return report->clean() ? "clean" : audit_text(*report);
  }
};

// Everything but the numbers of rolls, which never go back.
Position without_rolls(Position p, const Roster& roster) {
  for (int s = -1; s < static_cast<int>(roster.sides.size()); ++s) p.set_rolls(SideId{s}, 0);
  return p;
}

std::optional<OrderAccepted> accepted(const Result<OrderAnswer>& answer) {
  EXPECT_TRUE(answer.ok()) << answer.error().text;
  const auto* yes = answer ? std::get_if<OrderAccepted>(&*answer) : nullptr;
  return yes ? std::optional(*yes) : std::nullopt;
}

TEST(TakeBack, IsCarriedOutWhenAllSeatsAgreeAndNothingIsRemoved) {
  Played p;
  const Version to = p.commit_end(40);
  ASSERT_LT(to, p.end);
  const Position then = p.at(to);
  const Position before = p.at(p.end);
  const auto proposed =
      accepted(p.world.referee().propose_take_back(p.by(p.seats()[0]), to, "slip"));
  ASSERT_TRUE(proposed);
  auto open = p.world.referee().open_take_back(p.line);
  ASSERT_TRUE(open.ok() && *open);
  EXPECT_EQ((*open)->to, to);
  EXPECT_EQ((*open)->waiting_for, std::vector<std::string>{p.seats()[1]});
  EXPECT_EQ(p.at(p.world.version(p.line)), before) << "a proposal changes nothing";

  ASSERT_TRUE(
      accepted(p.world.referee().answer_take_back(p.by(p.seats()[1]), (*open)->version, true, "")));
  const Version now = p.world.version(p.line);
  EXPECT_GT(now, p.end);
  EXPECT_EQ(without_rolls(p.at(now), p.game->roster()), without_rolls(then, p.game->roster()));
  for (int s = -1; s < 2; ++s) EXPECT_EQ(p.at(now).rolls(SideId{s}), before.rolls(SideId{s}));
  EXPECT_FALSE(p.world.referee().open_take_back(p.line)->has_value());
  EXPECT_EQ(p.clean(), "clean");
}

TEST(TakeBack, OrdersGoOnAfterwardsWithNewRollNumbersAndTheAuditIsClean) {
  Played p(120);
  const Version to = p.commit_end(60);
  const auto rolls = p.at(p.end).rolls(SideId{0}) + p.at(p.end).rolls(SideId{1});
  ASSERT_GT(rolls, 0u);
  RulingText ruling{"", "the wrong table was used"};
  ASSERT_TRUE(accepted(p.world.referee().take_back(p.by("referee"), to, "", ruling)));
  for (int i = 0; i < 40; ++i) {
    for (int s = 0; s < 2; ++s) {
      auto orders = p.world.referee().legal_orders(p.line, SideId{s}, 50);
      ASSERT_TRUE(orders.ok());
      if (orders->empty()) continue;
      ASSERT_TRUE(accepted(p.world.referee().order(p.by("x"), (*orders)[orders->size() / 2])));
      break;
    }
  }
  const Position now = p.at(p.world.version(p.line));
  EXPECT_GE(now.rolls(SideId{0}) + now.rolls(SideId{1}), rolls);
  EXPECT_EQ(p.clean(), "clean");
}

TEST(TakeBack, CanItselfBeTakenBack) {
  Played p;
  const Position before = p.at(p.end);
  RulingText ruling{"", "so ruled"};
  ASSERT_TRUE(accepted(p.world.referee().take_back(p.by("referee"), p.commit_end(30), "", ruling)));
  ASSERT_TRUE(accepted(p.world.referee().take_back(p.by("referee"), p.end, "", ruling)));
  EXPECT_EQ(p.at(p.world.version(p.line)), before);
  EXPECT_EQ(p.clean(), "clean");
}

TEST(TakeBack, IsOffWhenASeatDeclinesOrTheGameGoesOn) {
  Played p;
  const Version to = p.commit_end(10);
  Referee& referee = p.world.referee();
  const auto first = accepted(referee.propose_take_back(p.by(p.seats()[0]), to, ""));
  EXPECT_EQ(referee.propose_take_back(p.by(p.seats()[1]), to, "").error().code,
            ErrorCode::kConflict);
  ASSERT_TRUE(accepted(referee.answer_take_back(p.by(p.seats()[1]), first->first, false, "no")));
  EXPECT_FALSE(referee.open_take_back(p.line)->has_value());
  EXPECT_EQ(referee.answer_take_back(p.by(p.seats()[1]), first->first, true, "").error().code,
            ErrorCode::kConflict);

  const auto second = accepted(referee.propose_take_back(p.by(p.seats()[0]), to, ""));
  for (int s = 0; s < 2; ++s) {
    auto orders = referee.legal_orders(p.line, SideId{s}, 1);
    if (orders->empty()) continue;
    ASSERT_TRUE(accepted(referee.order(p.by("x"), orders->front())));
    break;
  }
  EXPECT_EQ(referee.answer_take_back(p.by(p.seats()[1]), second->first, true, "").error().code,
            ErrorCode::kConflict);
  EXPECT_EQ(p.clean(), "clean");
}

TEST(TakeBack, NeedsASeatACommitsEndAndAgreement) {
  Played p;
  Referee& referee = p.world.referee();
  const Version to = p.commit_end(20);
  EXPECT_EQ(referee.propose_take_back(p.by("nobody"), to, "").error().code, ErrorCode::kInvalid);
  EXPECT_EQ(referee.propose_take_back(p.by(p.seats()[0]), p.end, "").error().code,
            ErrorCode::kInvalid);
  EXPECT_EQ(referee.propose_take_back(p.by(p.seats()[0]), 3, "").error().code, ErrorCode::kInvalid)
      << "in the middle of the set-up";
  EXPECT_EQ(referee.propose_take_back(p.by(p.seats()[0]), 0, "").error().code, ErrorCode::kInvalid);
  EXPECT_EQ(referee.take_back(p.by(p.seats()[0]), to, "").error().code, ErrorCode::kDenied);
  const auto proposed = accepted(referee.propose_take_back(p.by(p.seats()[0]), to, ""));
  EXPECT_EQ(referee.answer_take_back(p.by(p.seats()[0]), proposed->first, true, "").error().code,
            ErrorCode::kInvalid)
      << "nobody agrees with himself";
  EXPECT_EQ(p.world.version(p.line), proposed->last);
}

TEST(TakeBack, UndoesAWhatIfAndAScribesSlipAtOnce) {
  World world;
  auto game = world.create("freeform", "duel", Keeping::kScribed);
  const Version start = world.version(game->mainline);
  world.record(game->mainline, R"([{"type":"UnitMoved","unit":"R1","path":["A1","B1"]},
      {"type":"UnitRemoved","unit":"B1"},{"type":"TrackChanged","track":"score.red","to":7}])");
  OrderRequest request;
  request.branch = game->mainline;
  request.author = "scribe";
  const BranchInfo info = *world.store().branch(game->mainline);
  EXPECT_EQ(*undo_target(world.store(), info), start);
  ASSERT_TRUE(accepted(world.referee().take_back(request, start, "misread")));
  EXPECT_EQ(*world.time().at(game->mainline, world.version(game->mainline)),
            *world.time().at(game->mainline, start));
  auto report = audit_game(world.store(), world.library(), game->id);
  EXPECT_TRUE(report->clean()) << audit_text(*report);
}

TEST(TakeBack, OfAGameThatIsOverIsRefused) {
  World world;
  auto game = world.create("freeform", "duel", Keeping::kScribed);
  const Version start = world.version(game->mainline);
  world.record(game->mainline, R"([{"type":"GameEnded","winner":"red"}])");
  OrderRequest request;
  request.branch = game->mainline;
  request.author = "scribe";
  EXPECT_EQ(world.referee().take_back(request, start, "").error().code, ErrorCode::kDenied);
}

TEST(Ruling, OfTheRefereeCorrectsARefereedGameAndIsListed) {
  Played p;
  const std::string unit = [&] {
    const Position now = p.at(p.end);
    for (std::size_t u = 0; u < now.unit_count(); ++u) {
      if (now.on_board(UnitId{static_cast<int>(u)})) return p.game->roster().units[u].name;
    }
    return std::string();
  }();
  const std::vector<json> facts = {{{"type", "UnitRemoved"}, {"unit", unit}, {"why", "ruled out"}}};
  ASSERT_TRUE(
      accepted(p.world.referee().rule(p.by("referee"), {"7.3", "it was not there"}, facts)));
  EXPECT_FALSE(p.at(p.world.version(p.line)).on_board(p.game->roster().unit(unit)));
  EXPECT_EQ(p.world.referee().rule(p.by("referee"), {"", ""}, facts).error().code,
            ErrorCode::kInvalid);
  EXPECT_EQ(p.clean(), "clean");
}

// What a dishonest service could write; `forge` is put at the end of a game.
std::string audited(Played& p, const std::function<void(Draft&)>& forge) {
  ScriptedChance none({});
  Envelope envelope;
  envelope.recorded_at_ms = 1;
  envelope.author = p.seats()[0];
  Draft draft(p.game->game, p.at(p.end), none, envelope);
  forge(draft);
  std::vector<NewEvent> events;
  for (std::size_t i = 0; i < draft.events().size(); ++i) {
    events.push_back({draft.events().type(i), draft.events()[i]});
  }
  EXPECT_TRUE(p.world.store().append({p.line, p.end, random_id(), events}).ok());
  auto report = audit_game(p.world.store(), p.world.library(), p.game->id);
  EXPECT_TRUE(report.ok());
  for (const AuditCheck& check : report->checks) {
    if (check.name == "commits" && check.first) return check.first->field;
  }
  return "clean";
}

TEST(TakeBack, ThatNobodyAgreedToIsFoundByTheAudit) {
  const auto take_back = [](Played& p, Draft& draft, Version to) {
    auto events = events_to_take_back(p.world.store(), *p.world.store().branch(p.line), to, p.end);
    ASSERT_TRUE(events.ok()) << events.error().text;
    draft_take_back(draft, to, "", *events);
  };
  {
    Played p;
    EXPECT_EQ(audited(p, [&](Draft& d) { take_back(p, d, p.commit_end(20)); }), "author");
  }
  {
    Played p;  // agreed with oneself
    EXPECT_EQ(audited(p,
                      [&](Draft& d) {
                        d.write([&](EventWriter& w, EventList& out) {
                          write_proposal(w.meta, out, p.commit_end(20), "");
                        });
                        take_back(p, d, p.commit_end(20));
                      }),
              "agreement");
  }
  {
    Played p;  // more than was taken back
    EXPECT_EQ(audited(p,
                      [&](Draft& d) {
                        d.write([&](EventWriter& w, EventList& out) {
                          w.ruling(out, "referee", "", "so ruled");
                        });
                        take_back(p, d, p.commit_end(20));
                        d.set(TrackId{0}, d->get(TrackId{0}) + 1);
                      }),
              "type");
  }
  {
    Played p;  // a proposal with something in its tow
    EXPECT_EQ(audited(p,
                      [&](Draft& d) {
                        d.write([&](EventWriter& w, EventList& out) {
                          write_proposal(w.meta, out, p.commit_end(20), "");
                        });
                        d.set(TrackId{0}, d->get(TrackId{0}) + 1);
                      }),
              "type");
  }
}

}  // namespace
}  // namespace wardiary

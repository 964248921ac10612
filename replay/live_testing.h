// Two players with files of their own at one table, for tests of live dice.
#pragma once

#include "domain/schema/event_generated.h"
#include "replay/audit.h"
#include "replay/bot.h"
#include "replay/dice_json.h"
#include "replay/player_file.h"
#include "replay/world_testing.h"

namespace wardiary {

class LiveTable {
 public:
  explicit LiveTable(Grade dice = Grade::kLive, std::function<void(GameRequest&)> edit = {}) {
    GameRequest request;
    request.system = "eastfront";
    request.spec.scenario = "Edelweiss";
    request.name = "live";
    request.author = "referee";
    request.dice = dice;
    request.chain_length = 512;
    if (edit) edit(request);
    auto created = world.referee().create(request);
    EXPECT_TRUE(created.ok()) << created.error().text;
    game = *created;
    branch = game->mainline;
    for (const char* name : {"axis", "soviet"}) {
      auto file = PlayerFile::create(world.directory() / (std::string(name) + ".player"), name);
      EXPECT_TRUE(file.ok()) << file.error().text;
      players.push_back(std::make_unique<PlayerFile>(std::move(*file)));
    }
  }

  nlohmann::json state() {
    auto now = world.referee().dice_state(branch);
    EXPECT_TRUE(now.ok()) << now.error().text;
    return dice_state_json(*now, game->roster(), world.now_ms);
  }
  Result<DiceAnswer> join(std::uint8_t slot) {
    auto mine = players[slot]->join(state(), slot);
    if (!mine) return std::move(mine).error();
    return world.referee().join(branch, *contributor_from_json(*mine), players[slot]->name());
  }
  void join_all() {
    for (std::uint8_t slot = 0; slot < players.size(); ++slot) {
      auto joined = join(slot);
      ASSERT_TRUE(joined.ok()) << joined.error().text;
    }
  }
  Result<DiceAnswer> request(std::uint8_t slot) {
    auto mine = players[slot]->request(state());
    if (!mine) return std::move(mine).error();
    return world.referee().request_roll(branch, *roll_request_from_json(*mine), "player");
  }
  Result<DiceAnswer> reveal(std::uint8_t slot) {
    auto mine = players[slot]->reveal(state());
    if (!mine) return std::move(mine).error();
    return world.referee().reveal_roll(branch, *reveal_from_json(*mine), "player");
  }
  void unlock(std::uint8_t slot, std::uint64_t count) {
    auto mine = players[slot]->unlock(state(), count);
    ASSERT_TRUE(mine.ok()) << mine.error().text;
    for (const nlohmann::json& each : *mine) {
      auto done = world.referee().unlock_rolls(branch, *unlock_from_json(each), "player");
      ASSERT_TRUE(done.ok()) << done.error().text;
    }
  }
  // Everybody does what he owes until nobody owes anything.
  void settle() {
    for (int i = 0; i < 1'000; ++i) {
      const nlohmann::json owed = state()["owed"];
      if (owed.empty()) return;
      const std::string what = owed[0]["what"];
      const auto slot = owed[0]["slot"].get<std::uint8_t>();
      auto done = what == "join" ? join(slot) : what == "request" ? request(slot) : reveal(slot);
      ASSERT_TRUE(done.ok()) << owed.dump() << ": " << done.error().text;
    }
    FAIL() << "there is no end to what is owed";
  }
  // The order that the bot gives next.
  std::optional<Order> choose() {
    auto head = world.time().head(branch);
    EXPECT_TRUE(head.ok());
    std::string why;
    if (head->position.over) return std::nullopt;
    return bot.choose(game->game, head->position, why);
  }
  Result<OrderAnswer> order(const Order& order, const CommandId& command = {}) {
    OrderRequest request;
    request.branch = branch;
    request.command = command;
    request.author = game->roster().sides[order.side.index()];
    return world.referee().order(request, order);
  }
  // Orders until one waits for a roll; false if the game ended first.
  bool play_until_suspended() {
    while (const auto next = choose()) {
      last_command = random_id();
      last_order = next;
      auto answer = order(*next, last_command);
      EXPECT_TRUE(answer.ok()) << answer.error().text;
      if (!answer || std::holds_alternative<Rejection>(*answer)) return false;
      if (std::holds_alternative<OrderSuspended>(*answer)) return true;
    }
    return false;
  }
  void play(std::size_t orders) {
    for (std::size_t i = 0; i < orders; ++i) {
      const auto next = choose();
      if (!next) return;
      auto answer = order(*next);
      ASSERT_TRUE(answer.ok()) << answer.error().text;
      if (std::holds_alternative<OrderSuspended>(*answer)) settle();
      if (HasFatalFailure()) return;
    }
  }
  static bool HasFatalFailure() { return testing::Test::HasFatalFailure(); }

  AuditReport audit() {
    auto report = audit_game(world.store(), world.library(), game->id);
    EXPECT_TRUE(report.ok()) << report.error().text;
    return *report;
  }
  Version version() { return world.version(branch); }
  std::size_t count(fb::Payload type) {
    std::size_t n = 0;
    auto read = world.store().read(branch, 1, version(), [&](const StoredEvent& s) {
      n += s.type == static_cast<std::uint16_t>(type) ? 1 : 0;
      return true;
    });
    EXPECT_TRUE(read.ok());
    return n;
  }

  World world;
  OpenGamePtr game;
  BranchId branch;
  std::vector<std::unique_ptr<PlayerFile>> players;
  Bot bot{Policy::kGreedy, 4};
  CommandId last_command;
  std::optional<Order> last_order;
};

}  // namespace wardiary

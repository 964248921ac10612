// A data directory of its own with everything that runs on it, for tests.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <atomic>
#include <filesystem>
#include <memory>
#include <string>

#include "domain/json_reader.h"
#include "eventstore/data_dir.h"
#include "eventstore/rocksdb_store.h"
#include "replay/bot_keeper.h"
#include "replay/referee.h"

namespace wardiary {

class World {
 public:
  World() {
    static std::atomic<int> count{0};
    directory_ = std::filesystem::temp_directory_path() /
                 ("wardiary-replay-" + std::to_string(::getpid()) + "-" + std::to_string(++count));
    std::filesystem::remove_all(directory_);
    open();
  }
  ~World() {
    parts_.reset();
    std::filesystem::remove_all(directory_);
  }
  World(const World&) = delete;
  World& operator=(const World&) = delete;

  std::uint64_t now_ms = 1'700'000'000'000;  // what the referee takes for the time

  const std::filesystem::path& directory() const { return directory_; }
  EventStore& store() { return *parts_->store; }
  Library& library() { return parts_->library; }
  TimeMachine& time() { return parts_->time; }
  DiceBox& dice() { return parts_->dice; }
  Referee& referee() { return parts_->referee; }
  // As after a restart of the program.
  void reopen(TimeMachine::Options options = {}) {
    parts_.reset();
    open(options);
  }

  OpenGamePtr create(const std::string& system, const std::string& scenario,
                     Keeping keeping = Keeping::kRefereed) {
    GameRequest request;
    request.system = system;
    request.spec.scenario = scenario;
    request.name = scenario;
    request.keeping = keeping;
    request.author = "tester";
    auto game = referee().create(request);
    EXPECT_TRUE(game.ok()) << game.error().text;
    return game ? *game : nullptr;
  }
  // Facts given as one JSON list, in one commit.
  OrderAccepted record(const BranchId& branch, const std::string& facts) {
    OrderRequest request;
    request.branch = branch;
    request.author = "scribe";
    const auto list = parse_json(facts);
    EXPECT_TRUE(list.ok()) << facts;
    const std::vector<nlohmann::json> all(list->begin(), list->end());
    auto answer = referee().record(request, all);
    EXPECT_TRUE(answer.ok()) << answer.error().text;
    const auto* accepted = answer ? std::get_if<OrderAccepted>(&*answer) : nullptr;
    EXPECT_TRUE(accepted);
    return accepted ? *accepted : OrderAccepted{};
  }
  // A refereed game of some orders, played by a bot with the store's own dice.
  GameId play(const std::string& system, const std::string& scenario, std::uint64_t seed,
              std::size_t orders, Policy policy = Policy::kGreedy) {
    BotOptions options;
    options.system = system;
    options.spec.scenario = scenario;
    options.seed = seed;
    options.policy = policy;
    options.orders_max = orders;
    auto kept = keep_bot_game(referee(), store(), time(), options, {});
    EXPECT_TRUE(kept.ok()) << kept.error().text;
    return kept ? kept->game : GameId{};
  }
  Version version(const BranchId& branch) { return store().branch(branch)->version; }

 private:
  struct Parts {
    Parts(std::unique_ptr<EventStore> opened, const FixedBytes<32>& master,
          TimeMachine::Options options, const std::uint64_t& now)
        : store(std::move(opened)),
          library(*store),
          time(*store, library, options),
          dice(*store, fairdice::Seed(master.data)),
          referee(*store, library, time, dice, [&now] { return now; }) {}
    std::unique_ptr<EventStore> store;
    Library library;
    TimeMachine time;
    DiceBox dice;
    Referee referee;
  };
  void open(TimeMachine::Options options = {}) {
    StoreOptions wanted;
    wanted.directory = directory_.string();
    wanted.create_if_missing = true;
    auto store = open_rocksdb_store(wanted);
    ASSERT_TRUE(store.ok()) << store.error().text;
    auto master = read_master_key(directory_);
    ASSERT_TRUE(master.ok()) << master.error().text;
    parts_ = std::make_unique<Parts>(std::move(*store), *master, options, now_ms);
  }

  std::filesystem::path directory_;
  std::unique_ptr<Parts> parts_;
};

}  // namespace wardiary

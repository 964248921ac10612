// What happens when the disk does not do what it is told.
#include "eventstore/fault_file_system.h"

#include <gtest/gtest.h>

#include <random>
#include <thread>

#include "eventstore/rocksdb_store.h"
#include "eventstore/store_conformance.h"

namespace wardiary::testing {
namespace {

using Kind = Appended::Kind;
using Texts = std::vector<std::string>;

class FaultInjection : public ::testing::Test {
 protected:
  void use_new_disk() {
    store_.reset();
    fs_ = std::make_shared<FaultFileSystem>();
    env_ = rocksdb::NewCompositeEnv(fs_);
  }
  Status open(const std::string& name, bool with_faults = true) {
    StoreOptions options;
    options.directory = dir_ / name;
    options.create_if_missing = true;
    options.seal_in_background = false;
    options.seal_keep_events = 0;
    if (with_faults) options.env = env_.get();
    auto opened = open_rocksdb_store(options);
    if (!opened) return std::move(opened).error();
    store_ = std::move(*opened);
    return Done{};
  }
  void SetUp() override { use_new_disk(); }
  void TearDown() override { store_.reset(); }

  TempDir dir_;
  std::shared_ptr<FaultFileSystem> fs_;
  std::unique_ptr<rocksdb::Env> env_;
  std::unique_ptr<EventStore> store_;
};

TEST_F(FaultInjection, AnAcknowledgedCommitHasBeenSynced) {
  ASSERT_TRUE(open("data").ok());
  ASSERT_TRUE(create(*store_, 1, {"0"}).ok());
  for (Version v = 1; v <= 20; ++v) {
    const std::uint64_t before = fs_->syncs();
    ASSERT_TRUE(append(*store_, branch_id(1), v, 100 + v, {"x"}).ok());
    EXPECT_GT(fs_->syncs(), before);
  }
}

// Printed with every failure: the seed that makes it happen again.
TEST_F(FaultInjection, WhatWasAcknowledgedSurvivesAPowerFailureAtAnyMoment) {
  const unsigned first_seed = 20'261'118;
  for (unsigned seed = first_seed; seed < first_seed + 25; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::mt19937 random(seed);
    use_new_disk();
    const std::string name = "data" + std::to_string(seed);
    ASSERT_TRUE(open(name).ok());
    ASSERT_TRUE(create(*store_, 1, {"0"}).ok());
    fs_->cut_power_after(random() % 300 + 1);
    Version acknowledged = 1;
    for (Version v = 1; v < 200; ++v) {
      const bool synced = random() % 3 != 0;
      const auto result = append(*store_, branch_id(1), v, 100 + v, Events().add(std::to_string(v)),
                                 synced ? Durability::kSynced : Durability::kBuffered);
      if (!result.ok() || result->kind != Kind::kOk) break;
      if (synced) acknowledged = v + 1;
      if (v % 70 == 0) (void)store_->tidy();
    }
    store_.reset();
    fs_->forget_unsynced();
    const Status reopened = open(name, false);
    ASSERT_TRUE(reopened.ok()) << reopened.error().text;
    const auto all = texts(*store_, branch_id(1));
    ASSERT_GE(all.size(), acknowledged);
    for (std::size_t i = 0; i < all.size(); ++i) ASSERT_EQ(all[i], std::to_string(i));
    EXPECT_EQ(findings(*store_), Texts{});
    // The outcome that was unknown is known now, and asking again does it once.
    const Version v = store_->branch(branch_id(1))->version;
    const auto again = append(*store_, branch_id(1), v, 100 + v, Events().add(std::to_string(v)));
    EXPECT_EQ(kind_of(again), Kind::kOk);
  }
}

TEST_F(FaultInjection, AFailedSyncLeavesTheOutcomeUnknownAndAcknowledgesNothingMore) {
  ASSERT_TRUE(open("data").ok());
  ASSERT_TRUE(create(*store_, 1, {"a"}).ok());
  fs_->fail_syncs(true);
  EXPECT_EQ(kind_of(append(*store_, branch_id(1), 1, 100, {"b"})), Kind::kUnknown);
  fs_->fail_syncs(false);  // a later sync that succeeds proves nothing about the earlier one
  EXPECT_EQ(code_of(append(*store_, branch_id(1), 1, 100, {"b"})), ErrorCode::kIo);
  EXPECT_EQ(code_of(append(*store_, branch_id(1), 1, 101, {"c"}, Durability::kBuffered)),
            ErrorCode::kIo);
  EXPECT_EQ(code_of(fork(*store_, 1, branch_id(2), branch_id(1), 1)), ErrorCode::kIo);
  EXPECT_EQ(code_of(store_->add_note(game_id(1), bytes_of("n"))), ErrorCode::kIo);
  EXPECT_EQ(code_of(store_->checkpoint(game_id(1))), ErrorCode::kIo);
  EXPECT_EQ(texts(*store_, branch_id(1)), (Texts{"a"}));  // reading goes on
  store_.reset();
  ASSERT_TRUE(open("data").ok());
  const auto again = append(*store_, branch_id(1), 1, 100, {"b"});
  EXPECT_TRUE(again->kind == Kind::kOk || again->kind == Kind::kDuplicate);
  EXPECT_EQ(texts(*store_, branch_id(1)), (Texts{"a", "b"}));
  EXPECT_EQ(findings(*store_), Texts{});
}

TEST_F(FaultInjection, EveryoneInAFailedGroupIsToldSo) {
  ASSERT_TRUE(open("data").ok());
  for (std::uint64_t n = 1; n <= 8; ++n) ASSERT_TRUE(create(*store_, n, {"a"}).ok());
  std::atomic<bool> failing{false};
  std::vector<std::thread> threads;
  std::atomic<int> acknowledged_after{0};
  for (std::uint64_t n = 1; n <= 8; ++n) {
    threads.emplace_back([&, n] {
      for (Version v = 1; v < 2000; ++v) {
        const bool before = failing;
        const auto result = append(*store_, branch_id(n), v, 100 + v, {"x"});
        if (!result.ok() || result->kind == Kind::kUnknown) return;
        if (before) ++acknowledged_after;
      }
    });
  }
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  fs_->fail_syncs(true);
  failing = true;
  for (auto& thread : threads) thread.join();
  EXPECT_EQ(acknowledged_after, 0);
}

TEST_F(FaultInjection, AFullDiskIsCalledFull) {
  ASSERT_TRUE(open("data").ok());
  ASSERT_TRUE(create(*store_, 1, {"a"}).ok());
  fs_->fill_disk(true);
  EXPECT_EQ(code_of(append(*store_, branch_id(1), 1, 100, {"b"})), ErrorCode::kFull);
  store_.reset();
  fs_->fill_disk(false);
  ASSERT_TRUE(open("data").ok());
  EXPECT_EQ(texts(*store_, branch_id(1)), (Texts{"a"}));
  EXPECT_EQ(kind_of(append(*store_, branch_id(1), 1, 100, {"b"})), Kind::kOk);
}

TEST_F(FaultInjection, ADiskGettingFullIsRefusedBeforeAndAcceptedAfterMakingRoom) {
  ASSERT_TRUE(open("data").ok());
  ASSERT_TRUE(create(*store_, 1, {"a"}).ok());
  fs_->set_free_space(1u << 20);
  Version v = 1;
  Result<Appended> result = Appended{};
  for (int i = 0; i < 1000 && result.ok(); ++i) {
    result = append(*store_, branch_id(1), v, 100 + v, {"x"}, Durability::kBuffered);
    if (result.ok()) ++v;
  }
  EXPECT_EQ(code_of(result), ErrorCode::kFull);
  EXPECT_EQ(store_->branch(branch_id(1))->version, v);
  fs_->set_free_space(1u << 30);
  EXPECT_EQ(kind_of(append(*store_, branch_id(1), v, 100 + v, {"x"})), Kind::kOk);
  EXPECT_EQ(findings(*store_), Texts{});
}

TEST_F(FaultInjection, AStoreOnAFullDiskIsNotOpenedAndNotBlamed) {
  ASSERT_TRUE(open("data").ok());
  ASSERT_TRUE(create(*store_, 1, {"a"}).ok());
  store_.reset();
  fs_->set_free_space(1u << 20);
  const Status refused = open("data");
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().code, ErrorCode::kFull);
  EXPECT_NE(refused.error().text.find("make room"), std::string::npos) << refused.error().text;
  StoreOptions options;
  options.directory = dir_ / "data";
  options.env = env_.get();
  const auto verified = verify_rocksdb_store(options, nullptr);
  ASSERT_FALSE(verified.ok());  // an error, not a finding
  EXPECT_EQ(verified.error().code, ErrorCode::kFull);
  fs_->set_free_space(1u << 30);
  ASSERT_TRUE(open("data").ok());
  EXPECT_EQ(texts(*store_, branch_id(1)), (Texts{"a"}));
}

TEST_F(FaultInjection, ABranchIsNeverThereWithoutItsFirstCommit) {
  int with = 0, without = 0;
  for (int cut = 0; cut < 6; ++cut) {
    use_new_disk();
    const std::string name = "data" + std::to_string(cut);
    ASSERT_TRUE(open(name).ok());
    ASSERT_TRUE(create(*store_, 1, {"a", "b"}).ok());
    const Events events{"forked", "epoch"};
    NewBranch wanted{game_id(1), branch_id(2), branch_id(1), 1, "", ""};
    wanted.events = events;
    wanted.command = command_id(7);
    fs_->cut_power_after(cut);
    const auto forked = store_->fork(wanted);
    store_.reset();
    fs_->forget_unsynced();
    ASSERT_TRUE(open(name, false).ok());
    const auto there = store_->branch(branch_id(2));
    EXPECT_TRUE(there.ok() || !forked.ok()) << cut;
    ++(there.ok() ? with : without);
    if (there.ok()) {
      EXPECT_EQ(texts(*store_, branch_id(2)), (Texts{"a", "forked", "epoch"}));
    }
    EXPECT_EQ(findings(*store_), Texts{});
    EXPECT_TRUE(store_->fork(wanted).ok());  // asking again settles it
    EXPECT_EQ(texts(*store_, branch_id(2)), (Texts{"a", "forked", "epoch"}));
  }
  EXPECT_GT(with, 0);
  EXPECT_GT(without, 0);
}

TEST_F(FaultInjection, AFailureWhileSealingLosesNothing) {
  for (int cut = 1; cut < 12; cut += 2) {
    use_new_disk();
    const std::string name = "data" + std::to_string(cut);
    ASSERT_TRUE(open(name).ok());
    ASSERT_TRUE(create(*store_, 1, {"0"}).ok());
    for (Version v = 1; v < 200; ++v) {
      ASSERT_TRUE(append(*store_, branch_id(1), v, 100 + v, Events().add(std::to_string(v)),
                         v == 199 ? Durability::kSynced : Durability::kBuffered)
                      .ok());
    }
    fs_->cut_power_after(cut);
    (void)store_->tidy();
    store_.reset();
    fs_->forget_unsynced();
    ASSERT_TRUE(open(name, false).ok());
    EXPECT_EQ(texts(*store_, branch_id(1)).size(), 200u);
    EXPECT_EQ(findings(*store_), Texts{});
  }
}

}  // namespace
}  // namespace wardiary::testing

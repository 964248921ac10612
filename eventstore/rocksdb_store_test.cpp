#include "eventstore/rocksdb_store.h"

#include <sys/stat.h>

#include <fstream>
#include <thread>

#include "eventstore/data_dir.h"
#include "eventstore/receipts.h"
#include "eventstore/store_conformance.h"

namespace wardiary::testing {
namespace {

using Kind = Appended::Kind;
using Texts = std::vector<std::string>;
namespace fs = std::filesystem;

StoreOptions options_for(const std::string& directory) {
  StoreOptions options;
  options.directory = directory;
  options.create_if_missing = true;
  options.seal_in_background = false;
  return options;
}

class RocksdbHarness : public StoreHarness {
 public:
  RocksdbHarness() { open(); }
  EventStore& store() override { return *store_; }
  void reopen() override {
    store_.reset();
    open();
  }
  std::string new_place() override { return dir_ / ("new" + std::to_string(++places_)); }

 private:
  void open() {
    auto opened = open_rocksdb_store(options_for(dir_ / "data"));
    ASSERT_TRUE(opened.ok()) << opened.error().text;
    store_ = std::move(*opened);
  }
  TempDir dir_;
  std::unique_ptr<EventStore> store_;
  int places_ = 0;
};

std::unique_ptr<StoreHarness> make_rocksdb() {
  return std::make_unique<RocksdbHarness>();
}

INSTANTIATE_TEST_SUITE_P(Rocksdb, StoreConformance, ::testing::Values(&make_rocksdb));

class RocksdbStore : public ::testing::Test {
 protected:
  std::unique_ptr<EventStore> open(const StoreOptions& options) {
    auto opened = open_rocksdb_store(options);
    EXPECT_TRUE(opened.ok()) << opened.error().text;
    return opened ? std::move(*opened) : nullptr;
  }
  std::unique_ptr<EventStore> open() { return open(options_for(data_)); }
  ErrorCode open_fails(const StoreOptions& options, std::string* text = nullptr) {
    auto opened = open_rocksdb_store(options);
    if (opened.ok()) return ADD_FAILURE() << "opened", ErrorCode::kIo;
    if (text) *text = opened.error().text;
    return opened.error().code;
  }

  TempDir dir_;
  const std::string data_ = dir_ / "data";
};

TEST_F(RocksdbStore, IsMadeOnlyWhenAskedTo) {
  StoreOptions options = options_for(data_);
  options.create_if_missing = false;
  EXPECT_EQ(open_fails(options), ErrorCode::kNotFound);
  open();
  EXPECT_TRUE(open_rocksdb_store(options).ok());
}

TEST_F(RocksdbStore, KeepsItsKeysToItsOwner) {
  open();
  const DataDir data{data_};
  for (const auto& key : {data.log_key(), data.master_key()}) {
    struct ::stat info {};
    ASSERT_EQ(::stat(key.c_str(), &info), 0);
    EXPECT_EQ(info.st_mode & 0777, 0600u);
  }
  const auto master = read_master_key(data_);
  ASSERT_TRUE(master.ok());
  EXPECT_FALSE(master->is_zero());
  EXPECT_EQ(read_master_key(data_).value(), *master);
  fs::permissions(data.master_key(), fs::perms(0644));
  EXPECT_EQ(code_of(read_master_key(data_)), ErrorCode::kDenied);
  EXPECT_EQ(open_fails(options_for(data_)), ErrorCode::kDenied);
}

TEST_F(RocksdbStore, DoesNotReplaceALostKeyUnasked) {
  open();
  fs::remove(DataDir{data_}.log_key());
  EXPECT_EQ(open_fails(options_for(data_)), ErrorCode::kNotFound);
  StoreOptions options = options_for(data_);
  options.create_missing_keys = true;
  open(options);
  open();
}

TEST_F(RocksdbStore, RefusesAFormatItDoesNotKnow) {
  open();
  std::ofstream(DataDir{data_}.format()) << "wardiary-store 2\n";
  std::string text;
  EXPECT_EQ(open_fails(options_for(data_), &text), ErrorCode::kInvalid);
  EXPECT_NE(text.find("wardiary-store 2"), std::string::npos) << text;
}

TEST_F(RocksdbStore, SaysSoWhenItIsOpenElsewhere) {
  const auto store = open();
  std::string text;
  EXPECT_EQ(open_fails(options_for(data_), &text), ErrorCode::kConflict);
  EXPECT_NE(text.find("in use"), std::string::npos) << text;
}

TEST_F(RocksdbStore, NoticesThatItsDatabaseIsGone) {
  open();
  fs::remove_all(DataDir{data_}.database());
  EXPECT_EQ(open_fails(options_for(data_)), ErrorCode::kCorrupt);
}

TEST_F(RocksdbStore, BackupsWhileOpenAndRestoresVerified) {
  const auto store = open();
  ASSERT_TRUE(create(*store, 1, numbered("e", 300)).ok());
  ASSERT_TRUE(store->checkpoint(game_id(1)).ok());
  ASSERT_TRUE(store->backup(dir_ / "backup", EventStore::BackupKeys::kInclude).ok());
  ASSERT_TRUE(append(*store, branch_id(1), 300, 5, {"later"}).ok());
  EXPECT_EQ(code_of(store->backup(dir_ / "backup", EventStore::BackupKeys::kInclude)),
            ErrorCode::kConflict);
  ASSERT_TRUE(restore_rocksdb_store(dir_ / "backup", dir_ / "restored").ok());
  const auto restored = open(options_for(dir_ / "restored"));
  EXPECT_EQ(texts(*restored, branch_id(1)).size(), 300u);
  EXPECT_EQ(restored->log_key(game_id(1)).value(), store->log_key(game_id(1)).value());
  EXPECT_EQ(code_of(restore_rocksdb_store(dir_ / "backup", dir_ / "restored")),
            ErrorCode::kConflict);
  EXPECT_EQ(code_of(restore_rocksdb_store(dir_ / "nothing", dir_ / "other")), ErrorCode::kNotFound);
}

TEST_F(RocksdbStore, LeavesTheKeysOutOfABackupUnlessAsked) {
  const auto store = open();
  ASSERT_TRUE(create(*store, 1, {"a"}).ok());
  ASSERT_TRUE(store->backup(dir_ / "backup", EventStore::BackupKeys::kLeaveOut).ok());
  EXPECT_FALSE(fs::exists(DataDir{dir_ / "backup"}.log_key()));
  EXPECT_FALSE(fs::exists(DataDir{dir_ / "backup"}.master_key()));
  ASSERT_TRUE(restore_rocksdb_store(dir_ / "backup", dir_ / "restored").ok());
  EXPECT_FALSE(fs::exists(DataDir{dir_ / "restored"}.log_key()));
  EXPECT_EQ(open_fails(options_for(dir_ / "restored")), ErrorCode::kNotFound);
}

TEST_F(RocksdbStore, DoesNotRestoreADamagedBackup) {
  const auto store = open();
  ASSERT_TRUE(create(*store, 1, numbered("e", 300)).ok());
  ASSERT_TRUE(store->backup(dir_ / "backup", EventStore::BackupKeys::kInclude).ok());
  for (const auto& entry : fs::directory_iterator(DataDir{dir_ / "backup"}.database())) {
    if (entry.path().extension() == ".sst") fs::resize_file(entry.path(), entry.file_size() / 2);
  }
  EXPECT_EQ(code_of(restore_rocksdb_store(dir_ / "backup", dir_ / "restored")),
            ErrorCode::kCorrupt);
  EXPECT_FALSE(fs::exists(dir_ / "restored"));
}

TEST_F(RocksdbStore, RefusesToOpenBehindACheckpointItHasSigned) {
  auto store = open();
  ASSERT_TRUE(create(*store, 1, {"a", "b"}).ok());
  ASSERT_TRUE(store->backup(dir_ / "old", EventStore::BackupKeys::kInclude).ok());
  ASSERT_TRUE(append(*store, branch_id(1), 2, 5, {"c"}).ok());
  ASSERT_TRUE(store->checkpoint(game_id(1)).ok());
  store.reset();
  fs::remove_all(DataDir{data_}.database());  // an administrator puts the old database back
  fs::copy(DataDir{dir_ / "old"}.database(), DataDir{data_}.database(),
           fs::copy_options::recursive);

  std::string text;
  EXPECT_EQ(open_fails(options_for(data_), &text), ErrorCode::kCorrupt);
  EXPECT_NE(text.find("behind a checkpoint"), std::string::npos) << text;
  EXPECT_NE(text.find(to_hex(game_id(1))), std::string::npos) << text;
  const auto verified = verify_rocksdb_store(options_for(data_), nullptr);
  ASSERT_TRUE(verified.ok());
  EXPECT_EQ(verified->findings.size(), 1u);

  StoreOptions accepting = options_for(data_);
  accepting.accept_rollback = true;
  store = open(accepting);
  EXPECT_EQ(store->verify({}, nullptr)->rollbacks, 1u);
  store.reset();
  store = open();  // accepted for good, and remembered for good
  EXPECT_EQ(texts(*store, branch_id(1)), (Texts{"a", "b"}));
  EXPECT_EQ(store->verify({}, nullptr)->rollbacks, 1u);
  EXPECT_EQ(findings(*store), Texts{});
}

TEST_F(RocksdbStore, ARollbackToBeforeAGameWasMadeIsAcceptedOnceAndForAll) {
  auto store = open();
  ASSERT_TRUE(create(*store, 1, {"a"}).ok());
  store.reset();
  fs::copy(DataDir{data_}.database(), dir_ / "old", fs::copy_options::recursive);
  store = open();
  ASSERT_TRUE(create(*store, 2, {"b"}).ok());
  ASSERT_TRUE(store->checkpoint(game_id(2)).ok());
  store.reset();
  fs::remove_all(DataDir{data_}.database());
  fs::rename(dir_ / "old", DataDir{data_}.database());
  EXPECT_EQ(open_fails(options_for(data_)), ErrorCode::kCorrupt);
  StoreOptions accepting = options_for(data_);
  accepting.accept_rollback = true;
  store = open(accepting);
  store.reset();
  store = open();
  EXPECT_EQ(findings(*store), Texts{});
  EXPECT_GE(store->verify({}, nullptr)->rollbacks, 1u);
}

TEST_F(RocksdbStore, WhatItHandedOutIsHeldAgainstIt) {
  auto store = open();
  ASSERT_TRUE(create(*store, 1, {"a", "b"}).ok());
  ASSERT_TRUE(fork(*store, 1, branch_id(2), branch_id(1), 1).ok());
  ASSERT_TRUE(append(*store, branch_id(2), 1, 5, {"c"}).ok());
  const std::string note = *store->checkpoint(game_id(1));
  const std::string receipt = make_receipt(*store, branch_id(2), 2)->text();
  ASSERT_TRUE(append(*store, branch_id(1), 2, 6, {"d"}).ok());
  const auto key = *VerifierKey::parse(*store->log_key(game_id(1)));
  EXPECT_EQ(*game_named_by(note), game_id(1));
  EXPECT_EQ(*game_named_by(receipt), game_id(1));
  EXPECT_EQ(code_of(game_named_by("nothing of the kind")), ErrorCode::kInvalid);
  EXPECT_TRUE(hold_checkpoint(*store, game_id(1), key, note).ok());
  EXPECT_TRUE(hold_receipt(*store, game_id(1), key, receipt).ok());

  // Another store with the same key and another history: signed, and contradicted.
  store.reset();
  fs::remove_all(DataDir{data_}.database());
  fs::remove(DataDir{data_}.root / "format");
  fs::remove(DataDir{data_}.checkpoints());
  store = open();
  ASSERT_TRUE(create(*store, 1, {"a", "b", "x", "d"}).ok());
  EXPECT_EQ(hold_checkpoint(*store, game_id(1), key, note).error().code, ErrorCode::kCorrupt);
  EXPECT_EQ(hold_receipt(*store, game_id(1), key, receipt).error().code, ErrorCode::kCorrupt);
  // And a key that has signed neither.
  const VerifierKey other{key.name, SigningKey::from_seed({}).public_key()};
  EXPECT_EQ(hold_checkpoint(*store, game_id(1), other, note).error().code, ErrorCode::kInvalid);
  EXPECT_EQ(hold_receipt(*store, game_id(1), other, receipt).error().code, ErrorCode::kInvalid);
}

TEST_F(RocksdbStore, RefusesADifferentHistoryOfTheSameLength) {
  auto store = open();
  ASSERT_TRUE(create(*store, 1, {"a"}).ok());
  ASSERT_TRUE(store->backup(dir_ / "old", EventStore::BackupKeys::kInclude).ok());
  ASSERT_TRUE(append(*store, branch_id(1), 1, 5, {"b"}).ok());
  ASSERT_TRUE(store->checkpoint(game_id(1)).ok());
  store.reset();
  auto other = open(options_for(dir_ / "old"));
  ASSERT_TRUE(append(*other, branch_id(1), 1, 5, {"B"}).ok());
  other.reset();
  fs::remove_all(DataDir{data_}.database());
  fs::copy(DataDir{dir_ / "old"}.database(), DataDir{data_}.database(),
           fs::copy_options::recursive);
  EXPECT_EQ(open_fails(options_for(data_)), ErrorCode::kCorrupt);
}

TEST_F(RocksdbStore, SealsInTheBackgroundWhenItIsQuiet) {
  StoreOptions options = options_for(data_);
  options.seal_in_background = true;
  options.seal_keep_events = 0;
  auto store = open(options);
  ASSERT_TRUE(create(*store, 1, {"0"}).ok());
  for (Version v = 1; v < 200; ++v) {
    ASSERT_TRUE(append(*store, branch_id(1), v, 1000 + v, Events().add(std::to_string(v)),
                       Durability::kBuffered)
                    .ok());
  }
  for (int i = 0; i < 20; ++i) {  // reading goes on while it happens
    const auto all = texts(*store, branch_id(1));
    ASSERT_EQ(all.size(), 200u);
    ASSERT_EQ(all[199], "199");
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
  }
  EXPECT_EQ(findings(*store), Texts{});
}

TEST_F(RocksdbStore, ForksAHundredThousandBranches) {
  const auto store = open();
  ASSERT_TRUE(create(*store, 1, numbered("e", 100)).ok());
  constexpr std::uint64_t kThreads = 8, kBranches = 100'000;
  std::vector<std::thread> threads;
  for (std::uint64_t t = 0; t < kThreads; ++t) {
    threads.emplace_back([&, t] {
      for (std::uint64_t n = t; n < kBranches; n += kThreads) {
        ASSERT_TRUE(store
                        ->fork({game_id(1), branch_id(1000 + n), branch_id(1), n % 100 + 1, "", "",
                                Durability::kBuffered})
                        .ok());
      }
    });
  }
  for (auto& thread : threads) thread.join();
  EXPECT_EQ(store->stats()->branches, kBranches + 1);
  EXPECT_EQ(texts(*store, branch_id(1000 + 4321)).size(), 22u);
  EXPECT_EQ(findings(*store), Texts{});
}

}  // namespace
}  // namespace wardiary::testing

// Every kind of damage is found, named, and survived.
#include <gtest/gtest.h>

#include <fstream>
#include <set>

#include "eventstore/rocksdb/store.h"
#include "eventstore/stored/verifier.h"
#include "eventstore/store_conformance.h"

namespace wardiary::embedded {
namespace {

using namespace wardiary::testing;  // NOLINT: the builders
namespace fs = std::filesystem;
using Texts = std::vector<std::string>;

constexpr Family kEvidenceFamilies[] = {Family::kEvents,   Family::kSegments, Family::kGames,
                                        Family::kBranches, Family::kHeads,    Family::kCommands,
                                        Family::kLeaves,   Family::kTree,     Family::kContents};
constexpr Family kSideFamilies[] = {Family::kSnapshots, Family::kIndex, Family::kNotes,
                                    Family::kRecords};

StoreOptions options_for(const std::string& directory) {
  StoreOptions options;
  options.directory = directory;
  options.create_if_missing = true;
  options.seal_in_background = false;
  options.seal_keep_events = 10;
  return options;
}

// A small game with everything in it: commits of several sizes, sealed and fresh blocks, a branch
// with and one without events, a content, a complete tile, a signed checkpoint, and something in
// every family beside the evidence.
void fill(const std::string& directory, std::uint64_t small_commits = 90) {
  auto opened = open_rocksdb_store(options_for(directory));
  ASSERT_TRUE(opened.ok());
  EventStore& store = **opened;
  const Events first = numbered("e", 180);
  const std::vector<ByteView> contents{bytes_of("the board")};
  const NewGame game{game_id(1), branch_id(1), "a game", 5, command_id(1), first, contents};
  ASSERT_TRUE(store.create_game(game).ok());
  Version v = 180;
  for (std::uint64_t i = 0; i < small_commits; ++i) {
    ASSERT_TRUE(append(store, branch_id(1), v, 100 + i, {"m"}, Durability::kBuffered).ok());
    ++v;
  }
  ASSERT_TRUE(fork(store, 1, branch_id(2), branch_id(1), 200).ok());
  ASSERT_TRUE(fork(store, 1, branch_id(3), branch_id(2), 150).ok());
  ASSERT_TRUE(append(store, branch_id(2), 200, 5, {"x", "y"}).ok());
  ASSERT_TRUE(append(store, branch_id(1), v, 300, {"n"}).ok());
  ASSERT_TRUE(store.add_note(game_id(1), bytes_of("a good game")).ok());
  ASSERT_TRUE(store.add_note(game_id(1), bytes_of("indeed")).ok());
  ASSERT_TRUE(store.put_snapshot(branch_id(1), {200, Bytes{1, 2, 3, 4, 5}}).ok());
  ASSERT_TRUE(store.put_index("history/unit", bytes_of("17")).ok());
  const EventStore::RecordChange change{"token/7", Bytes{9, 8, 7}};
  ASSERT_TRUE(store.change_records({&change, 1}).ok());
  ASSERT_TRUE(store.tidy().ok());
  ASSERT_TRUE(store.checkpoint(game_id(1)).ok());
  ASSERT_EQ(findings(store), Texts{});
  ASSERT_TRUE(store.close().ok());
}

class Corruption : public ::testing::Test {
 protected:
  void SetUp() override {
    fill(data_);
    auto engine = Engine::open(options_for(data_), DataDir{data_}.database().string());
    ASSERT_TRUE(engine.ok());
    engine_ = std::move(*engine);
    auto checkpoints = CheckpointFile::open(DataDir{data_}.checkpoints());
    ASSERT_TRUE(checkpoints.ok());
    checkpoints_ = std::move(*checkpoints);
    ASSERT_TRUE(verify().empty());
  }
  std::vector<EventStore::Finding> verify() {
    EngineSource source(*engine_);
    const Promises promises = Promises::of(*checkpoints_);
    return Verifier(source, promises, nullptr).verify_all().findings;
  }
  std::vector<std::pair<std::string, std::string>> all(Family family) {
    std::vector<std::pair<std::string, std::string>> out;
    const std::unique_ptr<rocksdb::Iterator> it(
        engine_->db().NewIterator(rocksdb::ReadOptions(), engine_->family(family)));
    for (it->SeekToFirst(); it->Valid(); it->Next()) {
      out.emplace_back(it->key().ToString(), it->value().ToString());
    }
    return out;
  }
  void put(Family family, const std::string& key, const std::string& value) {
    ASSERT_TRUE(
        engine_->db().Put(rocksdb::WriteOptions(), engine_->family(family), key, value).ok());
  }
  void remove(Family family, const std::string& key) {
    ASSERT_TRUE(engine_->db().Delete(rocksdb::WriteOptions(), engine_->family(family), key).ok());
  }
  // The value with another body and a check that fits: what a forger would write.
  void forge(Family family, const std::string& key, const std::string& body) {
    put(family, key, checked(family, key, body));
  }
  static std::string body_of(const std::string& value) { return value.substr(0, value.size() - 4); }
  // There is a finding of this check whose place mentions `where`.
  ::testing::AssertionResult found(const std::string& check, const std::string& where) {
    std::string seen;
    for (const auto& f : verify()) {
      if (f.check == check && f.where.find(where) != std::string::npos) {
        return ::testing::AssertionSuccess();
      }
      seen += "\n  " + f.check + ": " + f.where + ": " + f.text;
    }
    return ::testing::AssertionFailure() << "no " << check << " at " << where << " in:" << seen;
  }

  TempDir dir_;
  const std::string data_ = dir_ / "data";
  std::unique_ptr<Engine> engine_;
  std::unique_ptr<CheckpointFile> checkpoints_;
};

TEST_F(Corruption, EveryFlippedByteIsFoundAndNamed) {
  std::vector<Family> families(std::begin(kEvidenceFamilies), std::end(kEvidenceFamilies));
  families.insert(families.end(), std::begin(kSideFamilies), std::end(kSideFamilies));
  std::size_t flips = 0;
  for (const Family family : families) {
    const auto values = all(family);
    ASSERT_FALSE(values.empty()) << kFamilyNames[static_cast<int>(family)];
    for (const auto& [key, value] : values) {
      for (std::size_t i = 0; i < value.size(); ++i) {
        std::string altered = value;
        altered[i] = static_cast<char>(altered[i] ^ (1 << (i % 8)));
        put(family, key, altered);
        const auto findings = verify();
        ASSERT_FALSE(findings.empty()) << kFamilyNames[static_cast<int>(family)] << " byte " << i;
        if (family == Family::kEvents || family == Family::kSegments) {
          const Id branch = *Id::from(bytes_of(key).first(16));
          const auto version = get_u64(bytes_of(key).data() + 16);
          ASSERT_EQ(findings.front().where, place(game_id(1), branch, version));
        } else {
          ASSERT_FALSE(findings.front().where.empty());
        }
        ++flips;
      }
      put(family, key, value);
    }
  }
  EXPECT_GT(flips, 5'000u);
  EXPECT_TRUE(verify().empty());
}

TEST_F(Corruption, AnyRecordThatIsMissingIsFound) {
  for (const Family family : kEvidenceFamilies) {
    for (const auto& [key, value] : all(family)) {
      remove(family, key);
      EXPECT_FALSE(verify().empty())
          << kFamilyNames[static_cast<int>(family)] << " " << to_hex(bytes_of(key));
      put(family, key, value);
    }
  }
  EXPECT_TRUE(verify().empty());
}

TEST_F(Corruption, AMissingContentIsNamed) {
  const std::string key = all(Family::kContents).front().first;
  remove(Family::kContents, key);
  ASSERT_TRUE(found("content", "game " + to_hex(game_id(1))));
  EXPECT_NE(verify().front().text.find(to_hex(bytes_of(key))), std::string::npos);
}

TEST_F(Corruption, AnEditedContentIsNamedThoughItsCheckFits) {
  const std::string key = all(Family::kContents).front().first;
  forge(Family::kContents, key, "another board");
  EXPECT_TRUE(found("content", "content " + to_hex(bytes_of(key))));
}

TEST_F(Corruption, AMissingNoteIsNamed) {
  remove(Family::kNotes, all(Family::kNotes).front().first);
  EXPECT_TRUE(found("note", "note 1"));
}

TEST_F(Corruption, WhatBelongsToNobodyIsFound) {
  forge(Family::kNotes, number_key(game_id(77), 1), "a note");
  EXPECT_TRUE(found("orphan", to_hex(game_id(77))));
  forge(Family::kSnapshots, number_key(branch_id(77), 1), "a snapshot");
  EXPECT_TRUE(found("orphan", "snapshots " + to_hex(branch_id(77))));
  forge(Family::kDefault, "stray", "value");
  EXPECT_TRUE(found("orphan", "default"));
}

TEST_F(Corruption, AMissingVersionIsNamed) {
  remove(Family::kEvents, number_key(branch_id(1), 265));
  EXPECT_TRUE(found("continuity", place(game_id(1), branch_id(1), 265)));
}

TEST_F(Corruption, AnExtraVersionIsNamed) {
  const std::string stolen = all(Family::kEvents).front().second;
  forge(Family::kEvents, number_key(branch_id(1), 272), body_of(stolen));
  EXPECT_TRUE(found("continuity", place(game_id(1), branch_id(1), 272)));
}

TEST_F(Corruption, TwoSwappedEventsAreNamed) {
  const std::string a = number_key(branch_id(1), 266), b = number_key(branch_id(1), 267);
  std::map<std::string, std::string> blocks;
  for (const auto& [key, value] : all(Family::kEvents)) blocks[key] = value;
  put(Family::kEvents, a, blocks[b]);  // as they are: the check knows its key
  put(Family::kEvents, b, blocks[a]);
  EXPECT_TRUE(found("payload", place(game_id(1), branch_id(1), 266)));
  forge(Family::kEvents, a, body_of(blocks[b]));  // with fitting checks: the chain knows its order
  forge(Family::kEvents, b, body_of(blocks[a]));
  EXPECT_TRUE(found("chain", place(game_id(1), branch_id(1), 266)));
}

TEST_F(Corruption, AForgedPayloadBreaksTheChain) {
  const auto [key, value] = all(Family::kSegments).front();
  std::string body = body_of(value);
  const std::size_t at = body.find("e17");
  ASSERT_NE(at, std::string::npos);
  body[at] = 'E';
  forge(Family::kSegments, key, body);
  EXPECT_TRUE(found("chain", "branch " + to_hex(branch_id(1))));
}

TEST_F(Corruption, AForgedCommitRecordIsFound) {
  const auto [key, value] = all(Family::kEvents).front();
  for (const std::size_t i : {std::size_t{10}, std::size_t{20}, body_of(value).size() - 1}) {
    std::string body = body_of(value);  // which events end commits, the event hash, the leaf
    body[i] = static_cast<char>(body[i] ^ 1);
    forge(Family::kEvents, key, body);
    EXPECT_FALSE(verify().empty()) << i;
  }
}

TEST_F(Corruption, ForgedHeadsTilesAndLeavesAreFound) {
  for (const Family family : {Family::kHeads, Family::kTree, Family::kLeaves, Family::kCommands}) {
    for (const auto& [key, value] : all(family)) {
      std::string body = body_of(value);
      body.back() = static_cast<char>(body.back() ^ 1);
      forge(family, key, body);
      EXPECT_FALSE(verify().empty())
          << kFamilyNames[static_cast<int>(family)] << " " << to_hex(bytes_of(key));
      put(family, key, value);
    }
  }
}

TEST_F(Corruption, AForgedBranchRecordIsFound) {
  const std::string key = pair_key(game_id(1), branch_id(3));
  for (const int field : {0, 1, 2, 3}) {
    auto record = BranchRecord::parse(*engine_->get(Family::kBranches, key).value());
    ASSERT_TRUE(record.has_value());
    if (field == 0) record->parent = branch_id(3);
    if (field == 1) record->forked_at = 149;
    if (field == 2) record->fork_hash.data[0] ^= 1;
    if (field == 3) record->depth = 7;
    const std::string before = all(Family::kBranches)[2].second;
    forge(Family::kBranches, key, record->body());
    EXPECT_TRUE(found("branch", "branch " + to_hex(branch_id(3)))) << field;
    put(Family::kBranches, key, before);
  }
}

TEST_F(Corruption, ASignedCheckpointThatDoesNotFitIsFound) {
  ASSERT_TRUE(checkpoints_->accept_rollback(game_id(1), {100, Hash{}}, 0).ok());
  EXPECT_TRUE(found("checkpoint", "game " + to_hex(game_id(1))));
}

TEST_F(Corruption, EventsOfNobodyAreFound) {
  const std::string stolen = all(Family::kEvents).front().second;
  forge(Family::kEvents, number_key(branch_id(77), 1), body_of(stolen));
  EXPECT_TRUE(found("orphan", to_hex(branch_id(77))));
}

TEST_F(Corruption, DamagedEventsAreNeverReturned) {
  const std::string key = number_key(branch_id(1), 266);
  std::string value;
  for (const auto& [k, v] : all(Family::kEvents)) {
    if (k == key) value = v;
  }
  value[value.size() / 2] = static_cast<char>(value[value.size() / 2] ^ 4);
  put(Family::kEvents, key, value);
  engine_.reset();
  checkpoints_.reset();
  auto store = open_rocksdb_store(options_for(data_));
  ASSERT_TRUE(store.ok()) << store.error().text;
  Version last = 0;
  const Status s = (*store)->read(branch_id(1), 1, 999, [&](const StoredEvent& e) {
    last = e.version;
    return true;
  });
  EXPECT_EQ(last, 265u);
  ASSERT_EQ(code_of(s), ErrorCode::kCorrupt);
  EXPECT_NE(s.error().text.find(place(game_id(1), branch_id(1), 266)), std::string::npos);
  EXPECT_EQ(texts(**store, branch_id(2)).size(), 202u);  // what is whole can be read
}

TEST_F(Corruption, ADamagedHeadStopsItsBranchAndNothingElse) {
  std::string key = branch_head_key(branch_id(2));
  put(Family::kHeads, key, "nonsense");
  engine_.reset();
  checkpoints_.reset();
  auto store = open_rocksdb_store(options_for(data_));
  ASSERT_TRUE(store.ok()) << store.error().text;
  EXPECT_EQ(code_of(append(**store, branch_id(2), 202, 77, {"z"})), ErrorCode::kCorrupt);
  EXPECT_TRUE(append(**store, branch_id(1), 271, 77, {"z"}).ok());
}

// Damage to whole files: the store may be impossible to open, but it says so and does not crash.
class FileCorruption : public ::testing::Test {
 protected:
  void SetUp() override { fill(dir_ / "whole", 20); }
  // A fresh copy, damaged by `damage`, and what verification says of it.
  template <class Damage>
  std::vector<std::string> after(Damage&& damage) {
    const std::string copy = dir_ / "copy";
    fs::remove_all(copy);
    fs::copy(dir_ / "whole", copy, fs::copy_options::recursive);
    damage(copy);
    auto verified = verify_rocksdb_store(options_for(copy), nullptr);
    if (!verified) return {verified.error().text};
    std::vector<std::string> out;
    for (const auto& f : verified->findings) out.push_back(f.where + ": " + f.text);
    return out;
  }
  std::vector<std::string> files(const std::string& extension) {
    std::vector<std::string> out;
    for (const auto& entry : fs::directory_iterator(DataDir{dir_ / "whole"}.database())) {
      const std::string name = entry.path().filename();
      if (name.ends_with(extension) || name.starts_with(extension)) out.push_back("db/" + name);
    }
    return out;
  }
  TempDir dir_;
};

TEST_F(FileCorruption, AMissingFileIsFound) {
  ASSERT_FALSE(files(".sst").empty());
  std::vector<std::string> all = files(".sst");
  for (const char* name : {"MANIFEST", "CURRENT"}) {
    for (const auto& file : files(name)) all.push_back(file);
  }
  for (const char* name : {"format", "log.key", "master.key", "checkpoints.log"})
    all.push_back(name);
  for (const std::string& file : all) {
    EXPECT_FALSE(after([&](const std::string& copy) { fs::remove(copy + "/" + file); }).empty())
        << file;
  }
}

TEST_F(FileCorruption, ATruncatedFileIsFound) {
  for (const std::string& file : files(".sst")) {
    for (const int part : {0, 1, 3}) {
      EXPECT_FALSE(after([&](const std::string& copy) {
                     const std::string path = copy + "/" + file;
                     fs::resize_file(path, fs::file_size(path) * part / 4);
                   }).empty())
          << file << " " << part;
    }
  }
}

// Also where a cut-off end could be taken for a write that was not finished.
TEST_F(FileCorruption, AManifestCutShortIsFound) {
  for (const std::string& file : files("MANIFEST")) {
    const auto size = fs::file_size(dir_ / ("whole/" + file));
    for (std::uintmax_t less = 1; less < size; less = less * 3 + 1) {
      EXPECT_FALSE(after([&](const std::string& copy) {
                     fs::resize_file(copy + "/" + file, size - less);
                   }).empty())
          << less << " of " << size;
    }
  }
}

TEST_F(FileCorruption, AnOlderDatabaseInTheSameDirectoryIsFound) {
  const std::string old = dir_ / "old";
  fs::copy(DataDir{dir_ / "whole"}.database(), old, fs::copy_options::recursive);
  {
    auto store = open_rocksdb_store(options_for(dir_ / "whole"));
    ASSERT_TRUE(store.ok());
    ASSERT_TRUE(append(**store, branch_id(1), 201, 400, {"n"}).ok());  // signed by nobody
  }
  const auto put_back = [&](const std::string& copy) {
    fs::remove_all(DataDir{copy}.database());
    fs::copy(old, DataDir{copy}.database(), fs::copy_options::recursive);
  };
  const auto findings = after(put_back);
  ASSERT_FALSE(findings.empty());
  EXPECT_NE(findings.front().find("writes are missing"), std::string::npos) << findings.front();
  StoreOptions accepting = options_for(dir_ / "copy");
  accepting.accept_rollback = true;
  ASSERT_TRUE(open_rocksdb_store(accepting).ok());
  auto verified = verify_rocksdb_store(options_for(dir_ / "copy"), nullptr);
  ASSERT_TRUE(verified.ok());
  EXPECT_TRUE(verified->findings.empty());
  EXPECT_EQ(verified->rollbacks, 1u);
}

TEST_F(FileCorruption, AnotherKeyIsFound) {
  for (const std::string name : {"log.key", "master.key"}) {
    const auto findings = after([&](const std::string& copy) {
      std::fstream stream(copy + "/" + name, std::ios::in | std::ios::out);
      const char old = static_cast<char>(stream.get());
      stream.seekp(0);
      stream.put(old == '0' ? '1' : '0');
    });
    ASSERT_FALSE(findings.empty()) << name;
    EXPECT_NE(findings.front().find(name), std::string::npos) << findings.front();
  }
}

// One flipped bit, at places all over every file.
TEST_F(FileCorruption, ADamagedFileIsFound) {
  std::vector<std::string> all = files(".sst");
  for (const char* name : {"MANIFEST", "CURRENT"}) {
    for (const auto& file : files(name)) all.push_back(file);
  }
  for (const char* name : {"format", "log.key", "master.key", "checkpoints.log"})
    all.push_back(name);
  for (const std::string& file : all) {
    const auto size = fs::file_size(dir_ / ("whole/" + file));
    for (std::size_t at = 0; at < size; at += size / 16 + 1) {
      const auto findings = after([&](const std::string& copy) {
        std::fstream stream(copy + "/" + file, std::ios::in | std::ios::out | std::ios::binary);
        stream.seekg(static_cast<std::streamoff>(at));
        const int byte = stream.get();
        stream.seekp(static_cast<std::streamoff>(at));
        stream.put(static_cast<char>(byte ^ (1 << at % 8)));
      });
      EXPECT_FALSE(findings.empty()) << file << " byte " << at;
    }
  }
}

TEST_F(FileCorruption, DamageInsideTheWriteAheadLogIsNotPassedOver) {
  const std::string live = dir_ / "live", copy = dir_ / "crashed";
  auto store = open_rocksdb_store(options_for(live));
  ASSERT_TRUE(store.ok());
  ASSERT_TRUE(create(**store, 1, numbered("e", 50)).ok());
  for (Version v = 50; v < 80; ++v) {
    ASSERT_TRUE(append(**store, branch_id(1), v, 1000 + v, {"m"}, Durability::kBuffered).ok());
  }
  fs::copy(live, copy, fs::copy_options::recursive);  // as a power failure would leave it
  std::string log;
  for (const auto& entry : fs::directory_iterator(DataDir{copy}.database())) {
    if (entry.path().extension() == ".log" && entry.file_size() > 0) log = entry.path();
  }
  ASSERT_FALSE(log.empty());
  const auto size = fs::file_size(log);
  std::fstream stream(log, std::ios::in | std::ios::out | std::ios::binary);
  stream.seekp(static_cast<std::streamoff>(size / 2));
  stream << "damage";
  stream.close();
  EXPECT_EQ(code_of(open_rocksdb_store(options_for(copy))), ErrorCode::kCorrupt);
  StoreOptions accepting = options_for(copy);
  accepting.accept_rollback = true;
  auto opened = open_rocksdb_store(accepting);
  ASSERT_TRUE(opened.ok()) << opened.error().text;
  EXPECT_EQ(findings(**opened), Texts{});  // what is left is whole
}

TEST_F(FileCorruption, ALogCutOffAtItsEndLosesOnlyTheUnfinishedCommit) {
  const std::string live = dir_ / "live", copy = dir_ / "crashed";
  auto store = open_rocksdb_store(options_for(live));
  ASSERT_TRUE(store.ok());
  ASSERT_TRUE(create(**store, 1, numbered("e", 50)).ok());
  ASSERT_TRUE(append(**store, branch_id(1), 50, 1000, {"last"}).ok());
  fs::copy(live, copy, fs::copy_options::recursive);
  for (const auto& entry : fs::directory_iterator(DataDir{copy}.database())) {
    if (entry.path().extension() == ".log" && entry.file_size() > 0) {
      fs::resize_file(entry.path(), entry.file_size() - 3);
    }
  }
  auto opened = open_rocksdb_store(options_for(copy));
  ASSERT_TRUE(opened.ok()) << opened.error().text;
  EXPECT_EQ(texts(**opened, branch_id(1)).size(), 50u);
  EXPECT_EQ(findings(**opened), Texts{});
}

}  // namespace
}  // namespace wardiary::embedded

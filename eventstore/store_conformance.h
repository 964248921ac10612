// What every store must do, as tests: store_conformance_test.cpp and
// store_conformance_more_test.cpp say it once, and each engine runs it with one line,
//
//   INSTANTIATE_TEST_SUITE_P(MyEngine, StoreConformance, testing::Values(make_my_harness));
//
// Also the small builders that the store's other tests use.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "eventstore/log_keeper.h"

namespace wardiary::testing {

// A store in a place of its own, empty at first.
class StoreHarness {
 public:
  virtual ~StoreHarness() = default;
  virtual EventStore& store() = 0;
  virtual void reopen() = 0;            // close, then open what was written
  virtual std::string new_place() = 0;  // a directory name that does not exist, for backups
};
using MakeHarness = std::unique_ptr<StoreHarness> (*)();

class StoreConformance : public ::testing::TestWithParam<MakeHarness> {
 protected:
  void SetUp() override { harness_ = GetParam()(); }
  EventStore& store() { return harness_->store(); }
  StoreHarness& harness() { return *harness_; }
  LogKeeper& keeper() { return *LogKeeper::of(store()); }

 private:
  std::unique_ptr<StoreHarness> harness_;
};

// Ids that read well in failures: kind in the first byte, number in the last eight.
inline Id id(char kind, std::uint64_t number) {
  Id out;
  out.data[0] = static_cast<std::uint8_t>(kind);
  for (int i = 0; i < 8; ++i) out.data[8 + i] = static_cast<std::uint8_t>(number >> (56 - 8 * i));
  return out;
}
inline Id game_id(std::uint64_t n) {
  return id('G', n);
}
inline Id branch_id(std::uint64_t n) {
  return id('B', n);
}
inline Id command_id(std::uint64_t n) {
  return id('C', n);
}

// Owns the bytes behind a span of NewEvents.
class Events {
 public:
  Events() = default;
  Events(std::initializer_list<const char*> texts) {
    for (const char* text : texts) add(text);
  }
  Events& add(std::string text, std::uint16_t type = 7) {
    texts_.push_back(std::make_unique<std::string>(std::move(text)));
    events_.push_back({type, bytes_of(*texts_.back())});
    return *this;
  }
  operator std::span<const NewEvent>() const { return events_; }
  std::size_t size() const { return events_.size(); }

 private:
  std::vector<std::unique_ptr<std::string>> texts_;
  std::vector<NewEvent> events_;
};
// `count` events "<stem>1", "<stem>2", ...
inline Events numbered(const std::string& stem, std::size_t count) {
  Events out;
  for (std::size_t i = 1; i <= count; ++i) out.add(stem + std::to_string(i));
  return out;
}

// Game n with mainline n; the first commit takes command n.
inline Result<Appended> create(EventStore& store, std::uint64_t n, const Events& events) {
  NewGame game;
  game.game = game_id(n);
  game.mainline = branch_id(n);
  game.name = "game " + std::to_string(n);
  game.created_at_ms = 1'700'000'000'000 + n;
  game.command = command_id(n);
  game.events = events;
  return store.create_game(game);
}
inline Result<Appended> append(EventStore& store, const BranchId& branch, Version expected,
                               std::uint64_t command, const Events& events,
                               Durability durability = Durability::kSynced) {
  return store.append({branch, expected, command_id(command), events, durability});
}
inline Result<BranchInfo> fork(EventStore& store, std::uint64_t game, const BranchId& branch,
                               const BranchId& parent, Version at) {
  return store.fork({game_id(game), branch, parent, at, "what if", "to see"});
}
// The texts of events first..last.
inline std::vector<std::string> texts(EventStore& store, const BranchId& branch, Version first = 1,
                                      Version last = ~Version{0}) {
  std::vector<std::string> out;
  Version expected = first;
  Status s = store.read(branch, first, last, [&](const StoredEvent& e) {
    EXPECT_EQ(e.version, expected++);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(e.payload.data()) % 8, 0u);
    out.emplace_back(text_of(e.payload));
    return true;
  });
  if (!s) out.push_back("error: " + s.error().text);
  return out;
}
// The findings of a full verification, as text.
inline std::vector<std::string> findings(EventStore& store) {
  std::vector<std::string> out;
  auto verified = store.verify(std::nullopt, nullptr);
  if (!verified) return {"error: " + verified.error().text};
  for (const auto& f : verified->findings) out.push_back(f.check + ": " + f.where + ": " + f.text);
  return out;
}
inline Appended::Kind kind_of(const Result<Appended>& result) {
  EXPECT_TRUE(result.ok()) << (result.ok() ? "" : result.error().text);
  return result.ok() ? result->kind : Appended::Kind::kUnknown;
}
template <class T>
ErrorCode code_of(const Result<T>& result) {
  EXPECT_FALSE(result.ok());
  return result.ok() ? ErrorCode::kIo : result.error().code;
}

// A directory that is gone when the test is. In memory unless TMPDIR says otherwise: a database
// syncs hundreds of times in a test, and what syncing is for is tested with fault_file_system.h.
class TempDir {
 public:
  TempDir() {
    const bool in_memory = !std::getenv("TMPDIR") && ::access("/dev/shm", W_OK) == 0;
    const std::filesystem::path parent =
        in_memory ? "/dev/shm" : std::filesystem::temp_directory_path();
    std::string name = (parent / "wardiary-XXXXXX").string();
    path_ = ::mkdtemp(name.data());
  }
  ~TempDir() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  TempDir(const TempDir&) = delete;
  TempDir& operator=(const TempDir&) = delete;
  std::string operator/(const std::string& name) const { return (path_ / name).string(); }

 private:
  std::filesystem::path path_;
};

}  // namespace wardiary::testing

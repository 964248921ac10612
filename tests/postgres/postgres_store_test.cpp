// What the PostgreSQL store does beyond the contract: several processes on one cluster, connections
// lost in every state, several clusters as one store, keys, settings, copies. On one real server.
#include "eventstore/postgres_store.h"

#include <gmock/gmock.h>
#include <signal.h>

#include <fstream>
#include <set>
#include <thread>

#include "domain/base/sha256.h"
#include "eventstore/copy.h"
#include "eventstore/postgres/shards.h"
#include "eventstore/rocksdb_store.h"
#include "eventstore/store_conformance.h"
#include "tests/postgres/cluster.h"
#include "tests/postgres/proxy.h"

namespace wardiary::testing {
namespace {

using Kind = Appended::Kind;
using Texts = std::vector<std::string>;
using ::testing::HasSubstr;

Cluster& server() {
  static Cluster one(1);
  return one;
}

class PostgresStore : public ::testing::Test {
 protected:
  PostgresStore() {
    static int databases = 0;
    database_ = "store" + std::to_string(++databases);
    server().create_database(database_);
  }
  PostgresOptions options(const std::string& uri) {
    PostgresOptions out;
    out.uri = uri;
    out.directory = dir_ / "keys";
    out.create_if_missing = true;
    out.poll_ms = 20;
    return out;
  }
  PostgresOptions options() { return options(server().uri(database_)); }
  std::unique_ptr<EventStore> open(const PostgresOptions& wanted) {
    auto opened = open_postgres_store(wanted);
    if (!opened) throw std::runtime_error(opened.error().text);  // fails the test
    return std::move(*opened);
  }
  std::unique_ptr<EventStore> open() { return open(options()); }
  Error open_fails(const PostgresOptions& wanted) {
    auto opened = open_postgres_store(wanted);
    if (opened) return ADD_FAILURE() << "opened", Error{};
    return opened.error();
  }
  std::string sql(const std::string& text) { return server().ask(0, text, database_); }

  TempDir dir_;
  std::string database_;
};

TEST_F(PostgresStore, AnotherProcessesCommitIsAnOrdinaryConflict) {
  auto a = open(), b = open();
  ASSERT_EQ(kind_of(create(*a, 1, {"a"})), Kind::kOk);
  EXPECT_EQ(kind_of(create(*b, 1, {"a"})), Kind::kDuplicate);
  ASSERT_EQ(kind_of(append(*b, branch_id(1), 1, 100, {"b"})), Kind::kOk);
  const auto stale = append(*a, branch_id(1), 1, 101, {"x"});  // a still remembers version 1
  ASSERT_EQ(kind_of(stale), Kind::kConflict);
  EXPECT_EQ(stale->current, 2u);
  EXPECT_EQ(kind_of(append(*a, branch_id(1), 1, 100, {"b"})), Kind::kDuplicate);
  ASSERT_EQ(kind_of(append(*a, branch_id(1), 2, 102, {"c"})), Kind::kOk);
  EXPECT_EQ(texts(*b, branch_id(1)), (Texts{"a", "b", "c"}));
  EXPECT_EQ(findings(*b), Texts{});
}

TEST_F(PostgresStore, WhatOneProcessForksDeletesOrSignsTheOtherSees) {
  auto a = open(), b = open();
  ASSERT_TRUE(create(*a, 1, {"a", "b"}).ok());
  ASSERT_TRUE(b->branch(branch_id(1)).ok());
  ASSERT_TRUE(fork(*a, 1, branch_id(2), branch_id(1), 1).ok());
  ASSERT_EQ(kind_of(append(*b, branch_id(2), 1, 5, {"x"})), Kind::kOk);
  ASSERT_TRUE(fork(*b, 1, branch_id(3), branch_id(2), 2).ok());
  EXPECT_EQ(code_of(a->delete_branch(branch_id(2))), ErrorCode::kInvalid);  // b gave it a child
  ASSERT_TRUE(a->delete_branch(branch_id(3)).ok());
  EXPECT_EQ(code_of(append(*b, branch_id(3), 2, 6, {"y"})), ErrorCode::kInvalid);
  ASSERT_TRUE(a->checkpoint(game_id(1)).ok());
  EXPECT_EQ(LogKeeper::of(*b)->promised(game_id(1)).value()->size, 3u);
  EXPECT_EQ(a->add_note(game_id(1), bytes_of("one")).value(), 1u);
  EXPECT_EQ(b->add_note(game_id(1), bytes_of("two")).value(), 2u);
  EXPECT_EQ(findings(*a), Texts{});
}

TEST_F(PostgresStore, FollowersHearOfOtherProcessesCommits) {
  auto a = open(), b = open();
  ASSERT_TRUE(create(*a, 1, {"a"}).ok());
  std::thread writer([&] { ASSERT_TRUE(append(*a, branch_id(1), 1, 2, {"b"}).ok()); });
  EXPECT_EQ(b->wait_beyond(branch_id(1), 1, 60'000).value(), 2u);
  writer.join();
  std::mutex mutex;
  std::condition_variable changed;
  Version heard = 0;
  b->set_listener([&](const BranchId& branch, Version version) {
    std::lock_guard lock(mutex);
    if (branch == branch_id(1)) heard = version;
    changed.notify_all();
  });
  LogKeeper::of(*b)->watch(branch_id(1), true);
  ASSERT_TRUE(append(*a, branch_id(1), 2, 3, {"c"}).ok());
  std::unique_lock lock(mutex);
  EXPECT_TRUE(changed.wait_for(lock, std::chrono::seconds(60), [&] { return heard == 3; }));
  lock.unlock();
  b->set_listener(nullptr);
}

// The connection is cut after every so many bytes of the conversation, on the way to the server and
// on the way back. Whatever state that was in: the commit is made, once, and acknowledged.
TEST_F(PostgresStore, AConnectionLostInAnyStateLosesAndRepeatsNothing) {
  Proxy proxy(server().port(0));
  PostgresOptions wanted = options(server().uri_through(proxy.port(), database_));
  wanted.answer_timeout_ms = 20'000;
  auto store = open(wanted);
  ASSERT_TRUE(create(*store, 1, {"begin"}).ok());
  Texts expected{"begin"};
  Version version = 1;
  int cuts = 0;
  const auto step = [&](std::int64_t to_server, std::int64_t to_client) {
    proxy.cut_after(to_server, to_client);
    const std::string text = "e" + std::to_string(version);
    const auto done = append(*store, branch_id(1), version, 1000 + version, Events().add(text));
    if (!proxy.armed()) ++cuts;
    proxy.disarm();
    ASSERT_TRUE(done.ok()) << done.error().text;
    ASSERT_EQ(done->kind, Kind::kOk) << to_server << "/" << to_client;
    ASSERT_EQ(done->first, version + 1);
    expected.push_back(text);
    ++version;
  };
  for (std::int64_t bytes = 0; bytes < 1200; bytes += 61) step(bytes, Proxy::kNever);
  for (std::int64_t bytes = 0; bytes < 120; bytes += 9) step(Proxy::kNever, bytes);
  EXPECT_GT(cuts, 10);
  EXPECT_EQ(texts(*store, branch_id(1)), expected);
  // Likewise for what is not a commit: a fork with events, a note, a record, a new game.
  for (std::int64_t bytes = 0; bytes < 60; bytes += 7) {
    const auto n = static_cast<std::uint64_t>(bytes) + 10;
    proxy.cut_after(Proxy::kNever, bytes);
    NewBranch wanted_branch{game_id(1), branch_id(n), branch_id(1), 1, "w", ""};
    const Events events{"forked"};
    wanted_branch.events = events;
    wanted_branch.command = command_id(n);
    const auto made = store->fork(wanted_branch);
    ASSERT_TRUE(made.ok()) << made.error().text;
    EXPECT_EQ(made->version, 2u);
    proxy.cut_after(Proxy::kNever, bytes);
    ASSERT_EQ(kind_of(create(*store, n + 1000, {"g"})), Kind::kOk);
    proxy.cut_after(Proxy::kNever, bytes);
    ASSERT_EQ(store->add_note(game_id(1), bytes_of("same")).value(),
              static_cast<std::uint64_t>(bytes) / 7 + 1);
    proxy.disarm();
  }
  EXPECT_EQ(findings(*store), Texts{});
}

TEST_F(PostgresStore, AServerThatDoesNotAnswerLeavesTheOutcomeUnknownAndTheRetryFindsIt) {
  PostgresOptions wanted = options();
  auto store = open(wanted);
  ASSERT_TRUE(create(*store, 1, {"a"}).ok());
  wanted.answer_timeout_ms = 300;
  wanted.patience_ms = 600;
  wanted.connect_seconds = 2;
  auto impatient = open(wanted);
  ASSERT_TRUE(impatient->branch(branch_id(1)).ok());
  server().stop(0);
  const auto asked = append(*impatient, branch_id(1), 1, 7, {"b"});
  server().go_on(0);
  ASSERT_TRUE(asked.ok()) << asked.error().text;
  EXPECT_EQ(asked->kind, Kind::kUnknown);
  // Whether it was done or not: asking again with the same command settles it.
  const auto again = append(*store, branch_id(1), 1, 7, {"b"});
  ASSERT_TRUE(again.ok());
  EXPECT_TRUE(again->kind == Kind::kOk || again->kind == Kind::kDuplicate);
  EXPECT_EQ(texts(*store, branch_id(1)), (Texts{"a", "b"}));
}

TEST_F(PostgresStore, AWarningAboutReplicationIsNotAnAcknowledgement) {
  // A server whose standby never comes: the commit waits until an administrator ends the wait, and
  // then says success with a warning. That is not to be believed.
  auto store = open();
  ASSERT_TRUE(create(*store, 1, {"a"}).ok());
  PostgresOptions wanted = options();
  wanted.answer_timeout_ms = 60'000;
  wanted.patience_ms = 100;
  auto waiting = open(wanted);
  ASSERT_TRUE(waiting->branch(branch_id(1)).ok());
  sql("alter system set synchronous_standby_names = 'nobody'");
  sql("select pg_reload_conf()");
  while (sql("show synchronous_standby_names") != "nobody") {
  }
  Result<Appended> done = Error{};
  std::thread writer([&] { done = append(*waiting, branch_id(1), 1, 7, {"b"}); });
  const std::string waits = "select pid from pg_stat_activity where wait_event = 'SyncRep'";
  while (sql(waits).empty()) {
  }
  sql("select pg_cancel_backend(pid) from pg_stat_activity where wait_event = 'SyncRep'");
  // The store now asks for a write that waits as well; give that its end, too.
  std::atomic<bool> ended{false};
  std::thread cancel([&] {
    while (!ended) {
      sql("select pg_terminate_backend(pid) from pg_stat_activity where wait_event = 'SyncRep'");
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
    }
  });
  writer.join();
  ended = true;
  cancel.join();
  sql("alter system reset synchronous_standby_names");
  sql("select pg_reload_conf()");
  ASSERT_TRUE(done.ok()) << done.error().text;
  EXPECT_EQ(done->kind, Kind::kUnknown);
  const auto again = append(*store, branch_id(1), 1, 7, {"b"});
  ASSERT_TRUE(again.ok());
  EXPECT_TRUE(again->kind == Kind::kOk || again->kind == Kind::kDuplicate);
  EXPECT_EQ(texts(*store, branch_id(1)), (Texts{"a", "b"}));
}

TEST_F(PostgresStore, AlteredRowsAreFoundAndNamed) {
  auto store = open();
  ASSERT_TRUE(create(*store, 1, numbered("e", 10)).ok());
  ASSERT_TRUE(append(*store, branch_id(1), 10, 5, numbered("f", 5)).ok());
  ASSERT_TRUE(store->checkpoint(game_id(1)).ok());
  ASSERT_EQ(findings(*store), Texts{});
  for (const char* table :
       {"event", "game", "branch", "game_head", "branch_head", "command", "leaf"}) {
    const std::string name = std::string("wardiary_") + table;
    sql("create table kept as select * from " + name);
    sql("update " + name + " set v = set_byte(v, 5, get_byte(v, 5) # 1)");
    EXPECT_NE(findings(*store), Texts{}) << table;
    sql("delete from " + name);
    EXPECT_NE(findings(*store), Texts{}) << table;
    sql("insert into " + name + " select * from kept");
    sql("drop table kept");
    ASSERT_EQ(findings(*store), Texts{}) << table;
  }
  // The last commit taken away with everything that tells of it: the promise remains.
  auto again = open();
  ASSERT_TRUE(append(*again, branch_id(1), 15, 6, {"g"}).ok());
  sql("create table heads as select * from wardiary_game_head");
  const std::string event = sql("select encode(max(k), 'hex') from wardiary_event");
  ASSERT_TRUE(append(*again, branch_id(1), 16, 7, {"h"}).ok());
  ASSERT_TRUE(again->checkpoint(game_id(1)).ok());
  sql("delete from wardiary_game_head");
  sql("insert into wardiary_game_head select * from heads");
  again.reset();
  EXPECT_THAT(open_fails(options()).text, HasSubstr("behind a checkpoint"));
}

TEST_F(PostgresStore, EveryProcessNeedsTheKeysTheClusterWasMadeWith) {
  { auto store = open(); }
  PostgresOptions other = options();
  other.directory = dir_ / "elsewhere";
  EXPECT_THAT(open_fails(other).text, HasSubstr("log.key is missing"));
  std::filesystem::create_directories(other.directory);
  std::ofstream(other.directory + "/log.key") << std::string(64, 'a') << "\n";
  std::filesystem::permissions(other.directory + "/log.key", std::filesystem::perms::owner_read);
  EXPECT_THAT(open_fails(other).text, HasSubstr("is not the key"));
  other.directory = dir_ / "embedded";
  StoreOptions embedded;
  embedded.directory = other.directory;
  embedded.create_if_missing = true;
  ASSERT_TRUE(open_rocksdb_store(embedded).ok());
  EXPECT_THAT(open_fails(other).text, HasSubstr("a directory of their own"));
}

TEST_F(PostgresStore, WithoutTablesOrWithNewerOnesItSaysSo) {
  PostgresOptions wanted = options();
  wanted.create_if_missing = false;
  EXPECT_EQ(open_fails(wanted).code, ErrorCode::kNotFound);
  { auto store = open(); }
  ASSERT_NE(open(wanted), nullptr);
  sql("update wardiary_meta set v = '99' where k = 'schema'");
  EXPECT_THAT(open_fails(options()).text, HasSubstr("version 99"));
}

TEST_F(PostgresStore, WeakSettingsAreWarnedOf) {
  Texts warnings;
  PostgresOptions wanted = options();
  wanted.warn = [&](const std::string& text) { warnings.push_back(text); };
  sql("alter role wardiary set synchronous_commit = off");
  auto store = open(wanted);
  sql("alter role wardiary reset synchronous_commit");
  ASSERT_EQ(warnings.size(), 2u);
  EXPECT_THAT(warnings[0], HasSubstr("synchronous_standby_names is empty"));
  EXPECT_THAT(warnings[1], HasSubstr("synchronous_commit is off"));
}

TEST_F(PostgresStore, PasswordsAreNotShown) {
  EXPECT_EQ(shown_uri("postgres://me:secret@h1,h2/db?x=y"), "postgres://me@h1,h2/db?x=y");
  EXPECT_EQ(shown_uri("postgres://me@h1/db?password=secret&x=y"), "postgres://me@h1/db?&x=y");
  EXPECT_EQ(shown_uri("postgres://h1:5432/db"), "postgres://h1:5432/db");
  PostgresOptions wanted = options("postgres://me:secret@127.0.0.1:1/db");
  wanted.patience_ms = 1;
  EXPECT_THAT(open_fails(wanted).text, ::testing::Not(HasSubstr("secret")));
}

// ---------------------------------------------------------------------------------- many clusters

TEST_F(PostgresStore, GamesAreSpreadOverSeveralClustersAndEachIsWhole) {
  server().create_database(database_ + "b");
  server().create_database(database_ + "c");
  const std::vector<std::string> two{server().uri(database_), server().uri(database_ + "b")};
  std::vector<std::string> three = two;
  three.push_back(server().uri(database_ + "c"));
  constexpr std::uint64_t kGames = 24;
  {
    auto opened = open_postgres_stores(options(), two);
    ASSERT_TRUE(opened.ok()) << opened.error().text;
    EventStore& store = **opened;
    for (std::uint64_t n = 1; n <= kGames; ++n) {
      ASSERT_EQ(kind_of(create(store, n, {"a"})), Kind::kOk);
      ASSERT_EQ(kind_of(create(store, n, {"a"})), Kind::kDuplicate);
      ASSERT_EQ(kind_of(append(store, branch_id(n), 1, 100, {"b"})), Kind::kOk);
      ASSERT_TRUE(fork(store, n, branch_id(1000 + n), branch_id(n), 1).ok());
    }
    NewGame thief{game_id(500), branch_id(1), "t", 0, command_id(1), {}, {}};
    const Events events{"x"};
    thief.events = events;
    EXPECT_EQ(kind_of(store.create_game(thief)), Kind::kConflict);
    EXPECT_EQ(store.stats()->games, kGames);
    EXPECT_EQ(findings(store), Texts{});
  }
  const std::string here = sql("select count(*) from wardiary_game");
  EXPECT_NE(here, "0");
  EXPECT_NE(here, std::to_string(kGames));
  // One of two alone is refused: it would make games where they do not belong.
  PostgresOptions plain = options();
  plain.create_if_missing = false;
  EXPECT_FALSE(open_postgres_stores(plain, {two[0]}).ok());
  EXPECT_FALSE(open_postgres_stores(plain, three).ok());
  EXPECT_TRUE(open_postgres_stores(plain, {two[1], two[0]}).ok());
  // A third: games stay where they are, and all are found.
  auto opened = open_postgres_stores(options(), three);
  ASSERT_TRUE(opened.ok()) << opened.error().text;
  EventStore& store = **opened;
  std::set<Id> listed;
  std::optional<std::string> cursor;
  do {
    auto page = store.games(cursor, 5);
    ASSERT_TRUE(page.ok());
    for (const GameInfo& game : page->items) EXPECT_TRUE(listed.insert(game.game).second);
    cursor = page->next;
  } while (cursor);
  EXPECT_EQ(listed.size(), kGames);
  for (std::uint64_t n = 1; n <= kGames; ++n) {
    ASSERT_EQ(texts(store, branch_id(n)), (Texts{"a", "b"}));
    ASSERT_EQ(kind_of(append(store, branch_id(n), 2, 101, {"c"})), Kind::kOk);
    ASSERT_EQ(kind_of(create(store, n, {"a"})), Kind::kDuplicate);
  }
  EXPECT_EQ(server().ask(0, "select count(*) from wardiary_game", database_), here);
}

TEST(Rendezvous, AnotherClusterTakesItsShareAndMovesNothingElse) {
  const std::vector<std::string> two{"a", "b"}, three{"a", "b", "c"};
  int moved = 0, to_new = 0, first = 0;
  for (std::uint64_t n = 0; n < 3000; ++n) {
    const auto before = postgres::preference(game_id(n), two).front();
    const auto after = postgres::preference(game_id(n), three).front();
    first += before == 0;
    moved += before != after;
    to_new += after == 2;
  }
  EXPECT_EQ(moved, to_new);
  EXPECT_NEAR(first, 1500, 150);
  EXPECT_NEAR(to_new, 1000, 150);
}

// ---------------------------------------------------------------------------------- copies

class StoreCopy : public PostgresStore {
 protected:
  std::unique_ptr<EventStore> embedded(const std::string& name) {
    StoreOptions wanted;
    wanted.directory = dir_ / name;
    wanted.create_if_missing = true;
    auto opened = open_rocksdb_store(wanted);
    EXPECT_TRUE(opened.ok()) << opened.error().text;
    return std::move(*opened);
  }
  void fill(EventStore& store) {
    const Events events{"a", "b", "c"};
    const std::vector<ByteView> contents{bytes_of("board")};
    ASSERT_TRUE(
        store.create_game({game_id(1), branch_id(1), "one", 7, command_id(1), events, contents})
            .ok());
    ASSERT_TRUE(create(store, 2, numbered("e", 300)).ok());
    ASSERT_TRUE(fork(store, 1, branch_id(11), branch_id(1), 2).ok());
    ASSERT_TRUE(append(store, branch_id(11), 2, 5, {"x"}).ok());
    ASSERT_TRUE(append(store, branch_id(1), 3, 6, {"d"}).ok());
    ASSERT_TRUE(append(store, branch_id(11), 3, 7, {"y", "z"}).ok());
    ASSERT_TRUE(fork(store, 1, branch_id(12), branch_id(11), 5).ok());
    ASSERT_TRUE(fork(store, 1, branch_id(13), branch_id(12), 4).ok());
    ASSERT_TRUE(store.delete_branch(branch_id(13)).ok());
    ASSERT_TRUE(store.checkpoint(game_id(1)).ok());
    ASSERT_TRUE(append(store, branch_id(1), 4, 8, {"after the checkpoint"}).ok());
    ASSERT_TRUE(store.add_note(game_id(1), bytes_of("note")).ok());
    const std::vector<EventStore::RecordChange> records{{"token/1", Bytes{1, 2}}};
    ASSERT_TRUE(store.change_records(records).ok());
  }
};

TEST_F(StoreCopy, GoesFromOneEngineToTheOtherAndBackWithoutLosingAByte) {
  auto original = embedded("original");
  fill(*original);
  auto cluster = open();
  const auto there = copy_store(*original, *cluster);
  ASSERT_TRUE(there.ok()) << there.error().text;
  EXPECT_EQ(there->games, 2u);
  EXPECT_EQ(there->branches, 5u);
  EXPECT_EQ(there->checkpoints, 1u);
  EXPECT_EQ(there->events, there->new_events);
  auto back = embedded("back");
  ASSERT_TRUE(copy_store(*cluster, *back).ok());
  for (EventStore* store : {cluster.get(), back.get()}) {
    EXPECT_EQ(texts(*store, branch_id(12)), texts(*original, branch_id(12)));
    EXPECT_EQ(store->tree_root(game_id(1), 8).value(), original->tree_root(game_id(1), 8).value());
    EXPECT_EQ(kind_of(append(*store, branch_id(11), 3, 7, {"?"})), Kind::kDuplicate);
    EXPECT_TRUE(store->branch(branch_id(13))->deleted);
    EXPECT_EQ(store->record("token/1").value(), (Bytes{1, 2}));
    EXPECT_EQ(text_of(store->content(sha256(bytes_of("board"))).value()), "board");
  }
}

TEST_F(StoreCopy, ABackupOfAClusterIsADataDirectory) {
  auto cluster = open();
  fill(*cluster);
  const std::string place = dir_ / "backup";
  ASSERT_TRUE(cluster->backup(place, EventStore::BackupKeys::kInclude).ok());
  EXPECT_EQ(code_of(cluster->backup(place, EventStore::BackupKeys::kInclude)),
            ErrorCode::kConflict);
  StoreOptions wanted;
  wanted.directory = place;
  auto opened = open_rocksdb_store(wanted);
  ASSERT_TRUE(opened.ok()) << opened.error().text;
  EXPECT_EQ(texts(**opened, branch_id(12)), texts(*cluster, branch_id(12)));
  EXPECT_EQ((*opened)->log_key(game_id(1)).value(), cluster->log_key(game_id(1)).value());
  EXPECT_EQ(findings(**opened), Texts{});
}

TEST_F(StoreCopy, IsContinuedByCopyingAgainAndRefusedWhereItDiffers) {
  auto original = embedded("original");
  fill(*original);
  auto cluster = open();
  ASSERT_TRUE(copy_store(*original, *cluster).ok());
  ASSERT_TRUE(append(*original, branch_id(1), 5, 50, {"new"}).ok());
  const auto again = copy_store(*original, *cluster);
  ASSERT_TRUE(again.ok()) << again.error().text;
  EXPECT_EQ(again->new_events, 1u);
  ASSERT_TRUE(append(*cluster, branch_id(1), 6, 60, {"its own"}).ok());
  ASSERT_TRUE(append(*original, branch_id(1), 6, 61, {"another"}).ok());
  EXPECT_EQ(code_of(copy_store(*original, *cluster)), ErrorCode::kConflict);
}

}  // namespace
}  // namespace wardiary::testing

#include "eventstore/store_conformance.h"

#include <atomic>
#include <set>
#include <thread>

namespace wardiary::testing {
namespace {

using Kind = Appended::Kind;
using Texts = std::vector<std::string>;

TEST_P(StoreConformance, AGameBeginsWithItsFirstCommit) {
  const auto made = create(store(), 1, {"a", "b"});
  ASSERT_EQ(kind_of(made), Kind::kOk);
  EXPECT_EQ(made->first, 1u);
  EXPECT_EQ(made->last, 2u);
  EXPECT_EQ(texts(store(), branch_id(1)), (Texts{"a", "b"}));
  const auto game = store().game(game_id(1));
  ASSERT_TRUE(game.ok());
  EXPECT_EQ(game->name, "game 1");
  EXPECT_EQ(game->mainline, branch_id(1));
  EXPECT_EQ(game->created_at_ms, 1'700'000'000'001u);
  EXPECT_EQ(game->tree_size, 2u);
}

TEST_P(StoreConformance, AGameIsMadeOnce) {
  const auto first = create(store(), 1, {"a"});
  const auto again = create(store(), 1, {"a"});
  ASSERT_EQ(kind_of(again), Kind::kDuplicate);
  EXPECT_EQ(again->event_hash, first->event_hash);
  NewGame other{game_id(1), branch_id(9), "other", 0, command_id(99), {}, {}};
  const Events events{"x"};
  other.events = events;
  EXPECT_EQ(kind_of(store().create_game(other)), Kind::kConflict);
  other.game = game_id(2);
  other.mainline = branch_id(1);  // taken by game 1
  EXPECT_EQ(kind_of(store().create_game(other)), Kind::kConflict);
  EXPECT_EQ(store().games({}, 10)->items.size(), 1u);
}

TEST_P(StoreConformance, ACommitContinuesTheBranch) {
  ASSERT_TRUE(create(store(), 1, {"a"}).ok());
  const auto appended = append(store(), branch_id(1), 1, 100, {"b", "c"});
  ASSERT_EQ(kind_of(appended), Kind::kOk);
  EXPECT_EQ(appended->first, 2u);
  EXPECT_EQ(appended->last, 3u);
  EXPECT_EQ(texts(store(), branch_id(1)), (Texts{"a", "b", "c"}));
  const auto info = store().branch(branch_id(1));
  ASSERT_TRUE(info.ok());
  EXPECT_EQ(info->version, 3u);
  EXPECT_EQ(info->event_hash, appended->event_hash);
  EXPECT_FALSE(info->parent.has_value());
}

TEST_P(StoreConformance, AStaleCommitIsAConflictAndChangesNothing) {
  ASSERT_TRUE(create(store(), 1, {"a", "b"}).ok());
  const auto stale = append(store(), branch_id(1), 1, 100, {"x"});
  ASSERT_EQ(kind_of(stale), Kind::kConflict);
  EXPECT_EQ(stale->current, 2u);
  EXPECT_EQ(kind_of(append(store(), branch_id(1), 5, 101, {"x"})), Kind::kConflict);
  EXPECT_EQ(texts(store(), branch_id(1)), (Texts{"a", "b"}));
}

TEST_P(StoreConformance, ACommandIsTakenOnceAndAnsweredAlikeEvenAfterReopening) {
  ASSERT_TRUE(create(store(), 1, {"a"}).ok());
  const auto first = append(store(), branch_id(1), 1, 100, {"b", "c"});
  ASSERT_EQ(kind_of(append(store(), branch_id(1), 3, 101, {"d"})), Kind::kOk);
  for (int round = 0; round < 2; ++round) {
    for (const Version expected : {Version{1}, Version{4}, Version{77}}) {
      const auto again = append(store(), branch_id(1), expected, 100, {"b", "c"});
      ASSERT_EQ(kind_of(again), Kind::kDuplicate);
      EXPECT_EQ(again->first, 2u);
      EXPECT_EQ(again->last, 3u);
      EXPECT_EQ(again->event_hash, first->event_hash);
    }
    harness().reopen();
  }
  EXPECT_EQ(texts(store(), branch_id(1)), (Texts{"a", "b", "c", "d"}));
}

TEST_P(StoreConformance, AnEmptyAppendIsRefused) {
  ASSERT_TRUE(create(store(), 1, {"a"}).ok());
  EXPECT_EQ(code_of(append(store(), branch_id(1), 1, 100, {})), ErrorCode::kInvalid);
  EXPECT_EQ(code_of(create(store(), 2, {})), ErrorCode::kInvalid);
  EXPECT_EQ(texts(store(), branch_id(1)), (Texts{"a"}));
}

TEST_P(StoreConformance, WhatDoesNotExistIsNotFound) {
  ASSERT_TRUE(create(store(), 1, {"a"}).ok());
  EXPECT_EQ(code_of(store().game(game_id(9))), ErrorCode::kNotFound);
  EXPECT_EQ(code_of(store().branch(branch_id(9))), ErrorCode::kNotFound);
  EXPECT_EQ(code_of(append(store(), branch_id(9), 0, 1, {"x"})), ErrorCode::kNotFound);
  EXPECT_EQ(code_of(store().read(branch_id(9), 1, 1, [](auto&) { return true; })),
            ErrorCode::kNotFound);
  EXPECT_EQ(code_of(store().event_hash(branch_id(1), 2)), ErrorCode::kNotFound);
  EXPECT_EQ(code_of(store().leaf_of(branch_id(1), 2)), ErrorCode::kNotFound);
  EXPECT_EQ(code_of(store().leaf_of(branch_id(1), 0)), ErrorCode::kNotFound);
  EXPECT_EQ(code_of(store().tree_root(game_id(1), 2)), ErrorCode::kNotFound);
  EXPECT_EQ(code_of(store().content(Hash{})), ErrorCode::kNotFound);
  EXPECT_EQ(code_of(store().add_note(game_id(9), bytes_of("n"))), ErrorCode::kNotFound);
  EXPECT_EQ(code_of(store().branches(game_id(9), {}, 1)), ErrorCode::kNotFound);
  EXPECT_EQ(code_of(store().checkpoint(game_id(9))), ErrorCode::kNotFound);
  EXPECT_EQ(code_of(store().verify(game_id(9), nullptr)), ErrorCode::kNotFound);
}

TEST_P(StoreConformance, RangesAreReadForwardsAndBackwardsAndMayStopEarly) {
  ASSERT_TRUE(create(store(), 1, numbered("e", 5)).ok());
  ASSERT_TRUE(append(store(), branch_id(1), 5, 100, numbered("f", 200)).ok());
  EXPECT_EQ(texts(store(), branch_id(1), 4, 7), (Texts{"e4", "e5", "f1", "f2"}));
  EXPECT_EQ(texts(store(), branch_id(1), 204, 999), (Texts{"f199", "f200"}));
  EXPECT_EQ(texts(store(), branch_id(1), 206, 999), Texts{});
  Texts seen;
  ASSERT_TRUE(store()
                  .read_backwards(branch_id(1), 7, 3,
                                  [&](const StoredEvent& e) {
                                    seen.emplace_back(text_of(e.payload));
                                    return e.version > 4;
                                  })
                  .ok());
  EXPECT_EQ(seen, (Texts{"f2", "f1", "e5", "e4"}));
  std::size_t count = 0;
  ASSERT_TRUE(
      store().read_backwards(branch_id(1), 999, 0, [&](auto&) { return ++count, true; }).ok());
  EXPECT_EQ(count, 205u);
}

TEST_P(StoreConformance, TypesAndEmptyPayloadsAreKept) {
  Events events;
  events.add("", 0).add(std::string("\0x\0", 3), 65535);
  ASSERT_TRUE(create(store(), 1, events).ok());
  std::vector<std::uint16_t> types;
  ASSERT_TRUE(store()
                  .read(branch_id(1), 1, 2,
                        [&](const StoredEvent& e) {
                          types.push_back(e.type);
                          return true;
                        })
                  .ok());
  EXPECT_EQ(types, (std::vector<std::uint16_t>{0, 65535}));
  EXPECT_EQ(texts(store(), branch_id(1))[1], std::string("\0x\0", 3));
}

TEST_P(StoreConformance, ABranchShowsItsParentsEventsAndGoesItsOwnWay) {
  ASSERT_TRUE(create(store(), 1, {"a", "b", "c"}).ok());
  const auto made = fork(store(), 1, branch_id(2), branch_id(1), 2);
  ASSERT_TRUE(made.ok());
  EXPECT_EQ(made->version, 2u);
  EXPECT_EQ(made->forked_at, 2u);
  EXPECT_EQ(made->depth, 1u);
  EXPECT_EQ(made->name, "what if");
  EXPECT_EQ(made->reason, "to see");
  EXPECT_EQ(made->event_hash, *store().event_hash(branch_id(1), 2));
  ASSERT_EQ(kind_of(append(store(), branch_id(2), 2, 100, {"x"})), Kind::kOk);
  ASSERT_EQ(kind_of(append(store(), branch_id(1), 3, 100, {"d"})), Kind::kOk);
  EXPECT_EQ(texts(store(), branch_id(2)), (Texts{"a", "b", "x"}));
  EXPECT_EQ(texts(store(), branch_id(1)), (Texts{"a", "b", "c", "d"}));
  harness().reopen();
  EXPECT_EQ(texts(store(), branch_id(2)), (Texts{"a", "b", "x"}));
  EXPECT_EQ(store().branch(branch_id(2))->parent, branch_id(1));
  EXPECT_EQ(findings(store()), Texts{});
}

TEST_P(StoreConformance, BranchesNestAndMayForkBelowTheirParentsOwnEvents) {
  ASSERT_TRUE(create(store(), 1, {"a", "b", "c"}).ok());
  ASSERT_TRUE(fork(store(), 1, branch_id(2), branch_id(1), 3).ok());
  ASSERT_TRUE(append(store(), branch_id(2), 3, 1, {"d"}).ok());
  ASSERT_TRUE(fork(store(), 1, branch_id(3), branch_id(2), 4).ok());
  ASSERT_TRUE(append(store(), branch_id(3), 4, 1, {"e"}).ok());
  ASSERT_TRUE(fork(store(), 1, branch_id(4), branch_id(3), 1).ok());
  ASSERT_TRUE(append(store(), branch_id(4), 1, 1, {"z"}).ok());
  EXPECT_EQ(texts(store(), branch_id(3)), (Texts{"a", "b", "c", "d", "e"}));
  EXPECT_EQ(texts(store(), branch_id(4)), (Texts{"a", "z"}));
  EXPECT_EQ(store().branch(branch_id(4))->depth, 3u);
  EXPECT_EQ(findings(store()), Texts{});
}

TEST_P(StoreConformance, ForkingTwiceIsForkingOnce) {
  ASSERT_TRUE(create(store(), 1, {"a", "b"}).ok());
  ASSERT_TRUE(fork(store(), 1, branch_id(2), branch_id(1), 1).ok());
  EXPECT_TRUE(fork(store(), 1, branch_id(2), branch_id(1), 1).ok());
  EXPECT_EQ(code_of(fork(store(), 1, branch_id(2), branch_id(1), 2)), ErrorCode::kConflict);
  EXPECT_EQ(store().branches(game_id(1), {}, 10)->items.size(), 2u);
}

TEST_P(StoreConformance, ABranchMayComeWithItsFirstCommit) {
  ASSERT_TRUE(create(store(), 1, {"a", "b", "c"}).ok());
  const Events events{"forked", "x"};
  NewBranch wanted{game_id(1), branch_id(2), branch_id(1), 2, "what if", "to see"};
  wanted.events = events;
  wanted.command = command_id(9);
  const auto made = store().fork(wanted);
  ASSERT_TRUE(made.ok()) << made.error().text;
  EXPECT_EQ(made->version, 4u);
  EXPECT_EQ(made->forked_at, 2u);
  EXPECT_EQ(texts(store(), branch_id(2)), (Texts{"a", "b", "forked", "x"}));
  EXPECT_EQ(made->event_hash, *store().event_hash(branch_id(2), 4));
  EXPECT_EQ((*store().find_command(branch_id(2), command_id(9)))->first, 3u);
  EXPECT_EQ(store().tree_size(game_id(1)).value(), 5u);
  ASSERT_EQ(kind_of(append(store(), branch_id(2), 4, 10, {"y"})), Kind::kOk);
  harness().reopen();
  const auto again = store().fork(wanted);  // the same call: the same branch, as it is now
  ASSERT_TRUE(again.ok()) << again.error().text;
  EXPECT_EQ(again->version, 5u);
  wanted.command = command_id(11);
  EXPECT_EQ(code_of(store().fork(wanted)), ErrorCode::kConflict);
  EXPECT_EQ(texts(store(), branch_id(2)), (Texts{"a", "b", "forked", "x", "y"}));
  EXPECT_EQ(findings(store()), Texts{});
}

TEST_P(StoreConformance, ABranchWithARefusedFirstCommitIsNotMade) {
  ASSERT_TRUE(create(store(), 1, {"a"}).ok());
  Events huge;
  huge.add(std::string(StoreLimits::kEventBytesMax + 1, 'x'));
  NewBranch wanted{game_id(1), branch_id(2), branch_id(1), 1, "", ""};
  wanted.events = huge;
  EXPECT_EQ(code_of(store().fork(wanted)), ErrorCode::kLimit);
  EXPECT_EQ(code_of(store().branch(branch_id(2))), ErrorCode::kNotFound);
  EXPECT_EQ(findings(store()), Texts{});
}

TEST_P(StoreConformance, AForkMustBeAtAnEventOfItsParent) {
  ASSERT_TRUE(create(store(), 1, {"a", "b"}).ok());
  ASSERT_TRUE(create(store(), 2, {"a"}).ok());
  EXPECT_EQ(code_of(fork(store(), 1, branch_id(3), branch_id(1), 0)), ErrorCode::kInvalid);
  EXPECT_EQ(code_of(fork(store(), 1, branch_id(3), branch_id(1), 3)), ErrorCode::kInvalid);
  EXPECT_EQ(code_of(fork(store(), 1, branch_id(3), branch_id(9), 1)), ErrorCode::kNotFound);
  EXPECT_EQ(code_of(fork(store(), 2, branch_id(3), branch_id(1), 1)), ErrorCode::kNotFound);
}

TEST_P(StoreConformance, ADeletedBranchIsPutAwayButNotLost) {
  ASSERT_TRUE(create(store(), 1, {"a"}).ok());
  ASSERT_TRUE(fork(store(), 1, branch_id(2), branch_id(1), 1).ok());
  ASSERT_TRUE(append(store(), branch_id(2), 1, 1, {"x"}).ok());
  ASSERT_TRUE(fork(store(), 1, branch_id(3), branch_id(2), 2).ok());
  EXPECT_EQ(code_of(store().delete_branch(branch_id(1))), ErrorCode::kInvalid);
  EXPECT_EQ(code_of(store().delete_branch(branch_id(2))), ErrorCode::kInvalid);  // has a child
  ASSERT_TRUE(store().delete_branch(branch_id(3)).ok());
  ASSERT_TRUE(store().delete_branch(branch_id(2)).ok());
  EXPECT_TRUE(store().delete_branch(branch_id(2)).ok());
  harness().reopen();
  EXPECT_TRUE(store().branch(branch_id(2))->deleted);
  EXPECT_EQ(texts(store(), branch_id(2)), (Texts{"a", "x"}));
  EXPECT_EQ(code_of(append(store(), branch_id(2), 2, 2, {"y"})), ErrorCode::kInvalid);
  EXPECT_EQ(code_of(fork(store(), 1, branch_id(4), branch_id(2), 2)), ErrorCode::kInvalid);
  EXPECT_EQ(store().tree_size(game_id(1)).value(), 2u);
  EXPECT_EQ(findings(store()), Texts{});
}

TEST_P(StoreConformance, ListsComeInPages) {
  for (std::uint64_t n = 1; n <= 7; ++n) ASSERT_TRUE(create(store(), n, {"a"}).ok());
  for (std::uint64_t n = 11; n <= 15; ++n) {
    ASSERT_TRUE(fork(store(), 3, branch_id(n), branch_id(3), 1).ok());
  }
  std::set<Id> games, branches;
  std::optional<std::string> cursor;
  do {
    auto page = store().games(cursor, 3);
    ASSERT_TRUE(page.ok());
    EXPECT_LE(page->items.size(), 3u);
    for (const auto& game : page->items) EXPECT_TRUE(games.insert(game.game).second);
    cursor = page->next;
  } while (cursor);
  EXPECT_EQ(games.size(), 7u);
  do {
    auto page = store().branches(game_id(3), cursor, 2);
    ASSERT_TRUE(page.ok());
    for (const auto& branch : page->items) EXPECT_TRUE(branches.insert(branch.branch).second);
    cursor = page->next;
  } while (cursor);
  EXPECT_EQ(branches.size(), 6u);
  EXPECT_EQ(code_of(store().games({}, 0)), ErrorCode::kLimit);
  EXPECT_EQ(code_of(store().games({}, StoreLimits::kPageMax + 1)), ErrorCode::kLimit);
  EXPECT_EQ(code_of(store().games("nonsense", 1)), ErrorCode::kInvalid);
}

TEST_P(StoreConformance, WaitingEndsWithACommitATimeoutOrTheStore) {
  ASSERT_TRUE(create(store(), 1, {"a"}).ok());
  EXPECT_EQ(store().wait_beyond(branch_id(1), 0, 0).value(), 1u);
  EXPECT_EQ(store().wait_beyond(branch_id(1), 1, 20).value(), 1u);
  EXPECT_EQ(code_of(store().wait_beyond(branch_id(9), 0, 0)), ErrorCode::kNotFound);
  std::thread writer([&] { ASSERT_TRUE(append(store(), branch_id(1), 1, 100, {"b"}).ok()); });
  EXPECT_EQ(store().wait_beyond(branch_id(1), 1, 60'000).value(), 2u);
  writer.join();
  std::thread closer([&] { ASSERT_TRUE(store().close().ok()); });
  EXPECT_EQ(code_of(store().wait_beyond(branch_id(1), 2, 60'000)), ErrorCode::kClosed);
  closer.join();
}

TEST_P(StoreConformance, AFollowerSeesEveryEventOnceInOrder) {
  ASSERT_TRUE(create(store(), 1, {"0"}).ok());
  constexpr Version kLast = 300;
  std::thread writer([&] {
    for (Version v = 1; v < kLast; ++v) {
      ASSERT_TRUE(append(store(), branch_id(1), v, 100 + v, Events().add(std::to_string(v)),
                         Durability::kBuffered)
                      .ok());
    }
  });
  Version seen = 0;
  while (seen < kLast) {
    const auto version = store().wait_beyond(branch_id(1), seen, 60'000);
    ASSERT_TRUE(version.ok());
    ASSERT_TRUE(store()
                    .read(branch_id(1), seen + 1, *version,
                          [&](const StoredEvent& e) {
                            EXPECT_EQ(text_of(e.payload), std::to_string(seen));
                            EXPECT_EQ(e.version, ++seen);
                            return true;
                          })
                    .ok());
  }
  writer.join();
}

TEST_P(StoreConformance, TheListenerHearsEveryCommitInOrder) {
  std::vector<std::pair<BranchId, Version>> heard;
  store().set_listener([&](const BranchId& b, Version v) { heard.emplace_back(b, v); });
  ASSERT_TRUE(create(store(), 1, {"a", "b"}).ok());
  ASSERT_TRUE(append(store(), branch_id(1), 2, 100, {"c"}).ok());
  ASSERT_TRUE(append(store(), branch_id(1), 2, 101, {"x"}).ok());  // a conflict: not heard
  store().set_listener(nullptr);
  ASSERT_TRUE(append(store(), branch_id(1), 3, 102, {"d"}).ok());
  const std::vector<std::pair<BranchId, Version>> expected{{branch_id(1), 2}, {branch_id(1), 3}};
  EXPECT_EQ(heard, expected);
}

TEST_P(StoreConformance, TwoWritersRacingForAVersionGetOneWinner) {
  ASSERT_TRUE(create(store(), 1, {"a"}).ok());
  for (Version v = 1; v <= 50; ++v) {
    std::atomic<int> won{0}, lost{0};
    std::vector<std::thread> writers;
    for (int w = 0; w < 4; ++w) {
      writers.emplace_back([&, w] {
        const auto r = append(store(), branch_id(1), v, 1000 * v + w, {"x"}, Durability::kBuffered);
        kind_of(r) == Kind::kOk ? ++won : ++lost;
        EXPECT_TRUE(r->kind == Kind::kOk || r->current == v + 1);
      });
    }
    for (auto& writer : writers) writer.join();
    ASSERT_EQ(won, 1);
    ASSERT_EQ(lost, 3);
  }
  EXPECT_EQ(store().branch(branch_id(1))->version, 51u);
  EXPECT_EQ(findings(store()), Texts{});
}

TEST_P(StoreConformance, ACommandSentTwiceAtOnceIsDoneOnce) {
  ASSERT_TRUE(create(store(), 1, {"a"}).ok());
  for (Version v = 1; v <= 30; ++v) {
    std::atomic<int> done{0}, repeated{0};
    std::vector<std::thread> writers;
    for (int w = 0; w < 3; ++w) {
      writers.emplace_back([&] {
        const auto kind = kind_of(append(store(), branch_id(1), v, 500 + v, {"x"}));
        if (kind == Kind::kOk) ++done;
        if (kind == Kind::kDuplicate) ++repeated;
      });
    }
    for (auto& writer : writers) writer.join();
    ASSERT_EQ(done, 1);
    ASSERT_EQ(repeated, 2);
  }
}

TEST_P(StoreConformance, ReadersGoOnWhileWritersWrite) {
  for (std::uint64_t n = 1; n <= 3; ++n) ASSERT_TRUE(create(store(), n, {"0"}).ok());
  std::atomic<bool> stop{false};
  std::vector<std::thread> threads;
  for (std::uint64_t n = 1; n <= 3; ++n) {
    threads.emplace_back([&, n] {
      for (Version v = 1; v <= 400; ++v) {
        ASSERT_EQ(kind_of(append(store(), branch_id(n), v, 100 + v, Events().add(std::to_string(v)),
                                 Durability::kBuffered)),
                  Kind::kOk);
      }
    });
  }
  for (int reader = 0; reader < 2; ++reader) {
    threads.emplace_back([&] {
      while (!stop) {
        for (std::uint64_t n = 1; n <= 3; ++n) {
          const Version version = store().branch(branch_id(n))->version;
          const auto all = texts(store(), branch_id(n));
          ASSERT_GE(all.size(), version);
          for (std::size_t i = 0; i < all.size(); ++i) ASSERT_EQ(all[i], std::to_string(i));
          const auto size = store().tree_size(game_id(n));
          ASSERT_TRUE(store().inclusion_proof(game_id(n), *size / 2, *size).ok());
        }
      }
    });
  }
  for (int i = 0; i < 3; ++i) threads[i].join();
  ASSERT_TRUE(store().tidy().ok());
  stop = true;
  for (int i = 3; i < 5; ++i) threads[i].join();
  EXPECT_EQ(findings(store()), Texts{});
}

TEST_P(StoreConformance, ACommitOfTenThousandEventsIsWhole) {
  ASSERT_TRUE(create(store(), 1, {"a"}).ok());
  ASSERT_EQ(kind_of(append(store(), branch_id(1), 1, 100, numbered("e", 10'000))), Kind::kOk);
  harness().reopen();
  const auto all = texts(store(), branch_id(1));
  ASSERT_EQ(all.size(), 10'001u);
  EXPECT_EQ(all[10'000], "e10000");
  const auto again = append(store(), branch_id(1), 1, 100, {"e"});
  EXPECT_EQ(again->kind, Kind::kDuplicate);
  EXPECT_EQ(again->first, 2u);
  EXPECT_EQ(again->last, 10'001u);
  EXPECT_EQ(findings(store()), Texts{});
}

TEST_P(StoreConformance, EveryLimitOfACommitIsKept) {
  using L = StoreLimits;
  ASSERT_TRUE(create(store(), 1, {"a"}).ok());
  Events large, largest, many, heavy;
  large.add(std::string(L::kEventBytesMax + 1, 'x'));
  largest.add(std::string(L::kEventBytesMax, 'x'));
  for (std::size_t i = 0; i <= L::kCommitEventsMax; ++i) many.add("");
  for (std::size_t i = 0; i <= L::kCommitBytesMax / L::kEventBytesMax; ++i) {
    heavy.add(std::string(L::kEventBytesMax, 'x'));
  }
  EXPECT_EQ(code_of(append(store(), branch_id(1), 1, 2, large)), ErrorCode::kLimit);
  EXPECT_EQ(code_of(append(store(), branch_id(1), 1, 2, many)), ErrorCode::kLimit);
  EXPECT_EQ(code_of(append(store(), branch_id(1), 1, 2, heavy)), ErrorCode::kLimit);
  EXPECT_EQ(kind_of(append(store(), branch_id(1), 1, 2, largest)), Kind::kOk);
  EXPECT_EQ(texts(store(), branch_id(1), 2, 2)[0].size(), L::kEventBytesMax);
}

TEST_P(StoreConformance, EveryLimitOfNamesContentsAndBranchesIsKept) {
  using L = StoreLimits;
  const Events events{"a"};
  NewGame game{game_id(1), branch_id(1),  std::string(L::kNameBytesMax + 1, 'n'),
               0,          command_id(1), events,
               {}};
  EXPECT_EQ(code_of(store().create_game(game)), ErrorCode::kLimit);
  game.name = "bell\a";
  EXPECT_EQ(code_of(store().create_game(game)), ErrorCode::kInvalid);
  game.name = std::string(L::kNameBytesMax, 'n');
  const Bytes too_large(L::kContentBytesMax + 1);
  const std::vector<ByteView> large{too_large}, many(L::kContentsMax + 1);
  game.contents = large;
  EXPECT_EQ(code_of(store().create_game(game)), ErrorCode::kLimit);
  game.contents = many;
  EXPECT_EQ(code_of(store().create_game(game)), ErrorCode::kLimit);
  game.contents = {};
  ASSERT_EQ(kind_of(store().create_game(game)), Kind::kOk);

  NewBranch branch{
      game_id(1), branch_id(2), branch_id(1), 1, std::string(L::kNameBytesMax + 1, 'n'), ""};
  EXPECT_EQ(code_of(store().fork(branch)), ErrorCode::kLimit);
  branch.name = "";
  branch.reason = std::string(L::kReasonBytesMax + 1, 'r');
  EXPECT_EQ(code_of(store().fork(branch)), ErrorCode::kLimit);
  for (std::uint64_t depth = 1; depth <= L::kBranchDepthMax; ++depth) {
    ASSERT_TRUE(fork(store(), 1, branch_id(depth + 1), branch_id(depth), 1).ok());
  }
  EXPECT_EQ(code_of(fork(store(), 1, branch_id(999), branch_id(L::kBranchDepthMax + 1), 1)),
            ErrorCode::kLimit);
  EXPECT_EQ(texts(store(), branch_id(L::kBranchDepthMax + 1)), (Texts{"a"}));
}

}  // namespace
}  // namespace wardiary::testing

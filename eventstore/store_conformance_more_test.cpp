// What every store must do (store_conformance.h), second part: what is kept beside the events, and
// the evidence.
#include "eventstore/evidence.h"
#include "eventstore/merkle.h"
#include "eventstore/receipts.h"
#include "eventstore/store_conformance.h"

namespace wardiary::testing {
namespace {

using Kind = Appended::Kind;
using Texts = std::vector<std::string>;

TEST_P(StoreConformance, ContentsAreKeptByTheirHash) {
  const Events events{"a"};
  const std::vector<ByteView> contents{bytes_of("the board"), bytes_of("")};
  NewGame game{game_id(1), branch_id(1), "g", 0, command_id(1), events, contents};
  ASSERT_EQ(kind_of(store().create_game(game)), Kind::kOk);
  harness().reopen();
  EXPECT_EQ(text_of(store().content(sha256(bytes_of("the board"))).value()), "the board");
  EXPECT_TRUE(store().content(sha256({})).value().empty());
}

TEST_P(StoreConformance, AGameNamesTheContentsItCameWith) {
  const Events events{"a"};
  const std::vector<ByteView> contents{bytes_of("board"), bytes_of("table")};
  NewGame game{game_id(1), branch_id(1), "g", 0, command_id(1), events, contents};
  ASSERT_EQ(kind_of(store().create_game(game)), Kind::kOk);
  ASSERT_EQ(kind_of(create(store(), 2, {"a"})), Kind::kOk);
  EXPECT_EQ(keeper().contents_of(game_id(1)).value(),
            (std::vector<Hash>{sha256(bytes_of("board")), sha256(bytes_of("table"))}));
  EXPECT_TRUE(keeper().contents_of(game_id(2)).value().empty());
  EXPECT_EQ(code_of(keeper().contents_of(game_id(9))), ErrorCode::kNotFound);
}

TEST_P(StoreConformance, ABranchNamesItsOwnCommits) {
  ASSERT_TRUE(create(store(), 1, {"a", "b"}).ok());
  ASSERT_TRUE(append(store(), branch_id(1), 2, 90, {"c"}).ok());
  ASSERT_TRUE(append(store(), branch_id(1), 3, 20, numbered("d", 100)).ok());
  ASSERT_TRUE(fork(store(), 1, branch_id(2), branch_id(1), 3).ok());
  ASSERT_TRUE(append(store(), branch_id(2), 3, 90, {"x"}).ok());
  const auto said = [&](std::uint64_t branch) {
    Texts out;
    const auto commits = keeper().commits(branch_id(branch));
    for (const CommitInfo& c : commits.value()) {
      out.push_back(std::to_string(get_u64(c.command.data.data() + 8)) + ": " +
                    std::to_string(c.first) + ".." + std::to_string(c.last));
    }
    return out;
  };
  EXPECT_EQ(said(1), (Texts{"1: 1..2", "90: 3..3", "20: 4..103"}));
  EXPECT_EQ(said(2), (Texts{"90: 4..4"}));
  EXPECT_EQ(code_of(keeper().commits(branch_id(9))), ErrorCode::kNotFound);
}

TEST_P(StoreConformance, TheNewestSignedTreeIsRemembered) {
  ASSERT_TRUE(create(store(), 1, {"a", "b"}).ok());
  EXPECT_FALSE(keeper().promised(game_id(1)).value().has_value());
  ASSERT_TRUE(store().checkpoint(game_id(1)).ok());
  ASSERT_TRUE(append(store(), branch_id(1), 2, 90, {"c"}).ok());
  harness().reopen();
  const SignedTree two{2, store().tree_root(game_id(1), 2).value()};
  EXPECT_EQ(keeper().promised(game_id(1)).value(), two);
  ASSERT_TRUE(store().checkpoint(game_id(1)).ok());
  EXPECT_EQ(keeper().promised(game_id(1)).value()->size, 3u);
}

TEST_P(StoreConformance, SnapshotsAreFoundAlongTheLine) {
  ASSERT_TRUE(create(store(), 1, numbered("e", 10)).ok());
  ASSERT_TRUE(fork(store(), 1, branch_id(2), branch_id(1), 6).ok());
  ASSERT_TRUE(append(store(), branch_id(2), 6, 1, numbered("f", 4)).ok());
  const auto put = [&](std::uint64_t branch, Version version, const char* text) {
    const ByteView bytes = bytes_of(text);
    return store().put_snapshot(branch_id(branch), {version, {bytes.begin(), bytes.end()}});
  };
  ASSERT_TRUE(put(1, 4, "main 4").ok());
  ASSERT_TRUE(put(1, 8, "main 8").ok());
  ASSERT_TRUE(put(2, 9, "branch 9").ok());
  const auto at = [&](std::uint64_t branch, Version version) {
    auto found = store().snapshot_at(branch_id(branch), version);
    EXPECT_TRUE(found.ok());
    return *found ? std::string(text_of((*found)->bytes)) : "none";
  };
  EXPECT_EQ(at(1, 3), "none");
  EXPECT_EQ(at(1, 7), "main 4");
  EXPECT_EQ(at(1, 10), "main 8");
  EXPECT_EQ(at(2, 8), "main 4");  // not main 8: that is after the fork
  EXPECT_EQ(at(2, 10), "branch 9");
  ASSERT_TRUE(put(2, 5, "shared 5").ok());  // below the fork: also the parent's
  EXPECT_EQ(at(1, 6), "shared 5");
  EXPECT_EQ(code_of(put(2, 11, "beyond")), ErrorCode::kInvalid);
  EXPECT_EQ(code_of(put(2, 0, "before")), ErrorCode::kInvalid);
  ASSERT_TRUE(store().drop_snapshots().ok());
  EXPECT_EQ(at(1, 10), "none");
}

TEST_P(StoreConformance, TheIndexIsScannedByPrefixAndDropped) {
  for (const char* key : {"unit/1", "unit/2", "unit/3", "turn/1"}) {
    ASSERT_TRUE(store().put_index(key, bytes_of(key)).ok());
  }
  const auto keys = [&](std::string_view prefix, std::string_view after) {
    Texts out;
    EXPECT_TRUE(store()
                    .scan_index(prefix, after,
                                [&](std::string_view key, ByteView value) {
                                  EXPECT_EQ(key, text_of(value));
                                  out.emplace_back(key);
                                  return out.size() < 2;
                                })
                    .ok());
    return out;
  };
  EXPECT_EQ(keys("unit/", ""), (Texts{"unit/1", "unit/2"}));
  EXPECT_EQ(keys("unit/", "unit/2"), (Texts{"unit/3"}));
  ASSERT_TRUE(store().drop_index("unit/").ok());
  EXPECT_EQ(keys("", ""), (Texts{"turn/1"}));
  ASSERT_TRUE(store().drop_index("").ok());
  EXPECT_EQ(keys("", ""), Texts{});
  EXPECT_EQ(code_of(store().put_index("", {})), ErrorCode::kInvalid);
  EXPECT_EQ(code_of(store().put_index(std::string(StoreLimits::kKeyBytesMax + 1, 'k'), {})),
            ErrorCode::kLimit);
  EXPECT_EQ(code_of(store().put_index("k", Bytes(StoreLimits::kValueBytesMax + 1))),
            ErrorCode::kLimit);
}

TEST_P(StoreConformance, NotesAreNumberedPerGameAndKept) {
  ASSERT_TRUE(create(store(), 1, {"a"}).ok());
  ASSERT_TRUE(create(store(), 2, {"a"}).ok());
  EXPECT_EQ(store().add_note(game_id(1), bytes_of("one")).value(), 1u);
  EXPECT_EQ(store().add_note(game_id(1), bytes_of("two")).value(), 2u);
  EXPECT_EQ(store().add_note(game_id(2), bytes_of("other")).value(), 1u);
  harness().reopen();
  EXPECT_EQ(store().add_note(game_id(1), bytes_of("three")).value(), 3u);
  Texts seen;
  ASSERT_TRUE(store()
                  .read_notes(game_id(1), 1,
                              [&](std::uint64_t n, ByteView note) {
                                seen.push_back(std::to_string(n) + std::string(text_of(note)));
                                return true;
                              })
                  .ok());
  EXPECT_EQ(seen, (Texts{"2two", "3three"}));
  EXPECT_EQ(code_of(store().add_note(game_id(1), {})), ErrorCode::kInvalid);
  EXPECT_EQ(code_of(store().add_note(game_id(1), Bytes(StoreLimits::kNoteBytesMax + 1))),
            ErrorCode::kLimit);
  EXPECT_EQ(store().tree_size(game_id(1)).value(), 1u);  // notes are beside the evidence
}

TEST_P(StoreConformance, RecordsChangeTogether) {
  using Change = EventStore::RecordChange;
  const std::vector<Change> first{{"token/a", Bytes{1}}, {"token/b", Bytes{2}}, {"x", Bytes{}}};
  ASSERT_TRUE(store().change_records(first).ok());
  const std::vector<Change> second{{"token/a", std::nullopt}, {"token/c", Bytes{3}}};
  ASSERT_TRUE(store().change_records(second).ok());
  harness().reopen();
  EXPECT_FALSE(store().record("token/a").value().has_value());
  EXPECT_EQ(store().record("token/b").value(), Bytes{2});
  EXPECT_EQ(store().record("x").value(), Bytes{});
  Texts keys;
  ASSERT_TRUE(store()
                  .scan_records("token/",
                                [&](std::string_view key, ByteView) {
                                  keys.emplace_back(key);
                                  return true;
                                })
                  .ok());
  EXPECT_EQ(keys, (Texts{"token/b", "token/c"}));
  EXPECT_EQ(code_of(store().change_records({})), ErrorCode::kInvalid);
  const std::vector<Change> large{{"k", Bytes(StoreLimits::kValueBytesMax + 1)}};
  EXPECT_EQ(code_of(store().change_records(large)), ErrorCode::kLimit);
  const std::vector<Change> many(StoreLimits::kRecordChangesMax + 1, Change{"k", Bytes{}});
  EXPECT_EQ(code_of(store().change_records(many)), ErrorCode::kLimit);
}

TEST_P(StoreConformance, EventHashesAreThoseOfTheFormulaAlongEachLine) {
  ASSERT_TRUE(create(store(), 1, numbered("e", 100)).ok());
  ASSERT_TRUE(fork(store(), 1, branch_id(2), branch_id(1), 40).ok());
  ASSERT_TRUE(append(store(), branch_id(2), 40, 1, numbered("f", 30)).ok());
  Sha256 hasher;
  Hash previous;
  Hash at_40;
  for (Version v = 1; v <= 100; ++v) {
    const std::string text = "e" + std::to_string(v);
    previous = event_hash_of(hasher, branch_id(1), v, previous, 7, bytes_of(text));
    ASSERT_EQ(store().event_hash(branch_id(1), v).value(), previous);
    if (v == 40) at_40 = previous;
  }
  EXPECT_EQ(store().event_hash(branch_id(2), 40).value(), at_40);
  previous = at_40;
  for (Version v = 41; v <= 70; ++v) {
    const std::string text = "f" + std::to_string(v - 40);
    previous = event_hash_of(hasher, branch_id(2), v, previous, 7, bytes_of(text));
    ASSERT_EQ(store().event_hash(branch_id(2), v).value(), previous);
  }
}

TEST_P(StoreConformance, ProofsVerifyForEveryLeafAndSize) {
  ASSERT_TRUE(create(store(), 1, numbered("e", 3)).ok());
  ASSERT_TRUE(fork(store(), 1, branch_id(2), branch_id(1), 2).ok());
  Version main = 3, side = 2;
  std::uint64_t command = 10;
  while (store().tree_size(game_id(1)).value() < 600) {  // three tiles, the last one open
    const std::size_t n = command % 7 + 1;
    ASSERT_TRUE(
        append(store(), branch_id(1), main, ++command, numbered("m", n), Durability::kBuffered)
            .ok());
    main += n;
    ASSERT_TRUE(
        append(store(), branch_id(2), side, ++command, numbered("s", 2), Durability::kBuffered)
            .ok());
    side += 2;
  }
  const std::uint64_t size = store().tree_size(game_id(1)).value();
  std::vector<Hash> leaves(size);
  for (const auto& [branch, last] : {std::pair{1u, main}, std::pair{2u, side}}) {
    for (Version v = 1; v <= last; ++v) {
      const auto leaf = store().leaf_of(branch_id(branch), v);
      ASSERT_TRUE(leaf.ok());
      leaves[*leaf] = merkle::leaf_hash(leaf_data_of(store(), branch_id(branch), v).value());
    }
  }
  for (std::uint64_t n = 1; n <= size; n += n < 20 || n > 590 ? 1 : 37) {
    const Hash root = merkle::root_of(std::span(leaves).first(n));
    ASSERT_EQ(store().tree_root(game_id(1), n).value(), root) << n;
    for (std::uint64_t leaf = 0; leaf < n; leaf += 1 + n / 5) {
      const auto proof = store().inclusion_proof(game_id(1), leaf, n);
      ASSERT_TRUE(proof.ok());
      ASSERT_TRUE(merkle::verify_inclusion(leaves[leaf], leaf, n, *proof, root));
    }
    const auto proof = store().consistency_proof(game_id(1), n, size);
    ASSERT_TRUE(proof.ok());
    ASSERT_TRUE(merkle::verify_consistency(n, root, size, merkle::root_of(leaves), *proof));
  }
  EXPECT_EQ(code_of(store().inclusion_proof(game_id(1), 5, 5)), ErrorCode::kInvalid);
  EXPECT_EQ(code_of(store().consistency_proof(game_id(1), 0, 5)), ErrorCode::kInvalid);
  EXPECT_EQ(code_of(store().consistency_proof(game_id(1), 1, size + 1)), ErrorCode::kInvalid);
  EXPECT_EQ(findings(store()), Texts{});
}

TEST_P(StoreConformance, LeafRangesTellWhoseEventsTheLeavesAre) {
  ASSERT_TRUE(create(store(), 1, numbered("e", 3)).ok());
  ASSERT_TRUE(append(store(), branch_id(1), 3, 5, numbered("e", 2)).ok());
  ASSERT_TRUE(fork(store(), 1, branch_id(2), branch_id(1), 4).ok());
  ASSERT_TRUE(append(store(), branch_id(2), 4, 6, numbered("f", 2)).ok());
  const auto run = store().leaf_range(game_id(1), 6);
  ASSERT_TRUE(run.ok());
  EXPECT_EQ(run->branch, branch_id(2));
  EXPECT_EQ(run->first_leaf, 5u);
  EXPECT_EQ(run->first, 5u);
  EXPECT_EQ(run->count, 2u);
  const auto main = store().leaf_range(game_id(1), 4);
  ASSERT_TRUE(main.ok());
  EXPECT_EQ(main->branch, branch_id(1));
  EXPECT_EQ(main->first + (4 - main->first_leaf), 5u);
  EXPECT_EQ(code_of(store().leaf_range(game_id(1), 7)), ErrorCode::kNotFound);
}

TEST_P(StoreConformance, CheckpointsAndReceiptsVerifyOffline) {
  ASSERT_TRUE(create(store(), 1, numbered("e", 300)).ok());
  ASSERT_TRUE(fork(store(), 1, branch_id(2), branch_id(1), 250).ok());
  ASSERT_TRUE(append(store(), branch_id(2), 250, 1, {"x"}).ok());
  const auto key = VerifierKey::parse(store().log_key(game_id(1)).value());
  ASSERT_TRUE(key.ok());
  const auto tree = verify_checkpoint(store().checkpoint(game_id(1)).value(), *key);
  ASSERT_TRUE(tree.ok()) << tree.error().text;
  EXPECT_EQ(tree->origin, "wardiary/" + to_hex(game_id(1)));
  EXPECT_EQ(tree->size, 301u);
  EXPECT_EQ(tree->root, store().tree_root(game_id(1), 301).value());
  for (const Version v : {Version{1}, Version{250}, Version{251}}) {
    const auto receipt = make_receipt(store(), branch_id(2), v);
    ASSERT_TRUE(receipt.ok());
    const auto again = Receipt::parse(receipt->text());
    ASSERT_TRUE(again.ok());
    EXPECT_TRUE(again->verify(leaf_data_of(store(), branch_id(2), v).value(), *key).ok());
    EXPECT_FALSE(again->verify(leaf_data_of(store(), branch_id(1), 2).value(), *key).ok());
  }
}

TEST_P(StoreConformance, StatisticsCount) {
  ASSERT_TRUE(create(store(), 1, {"abc", "de"}).ok());
  ASSERT_TRUE(fork(store(), 1, branch_id(2), branch_id(1), 1).ok());
  ASSERT_TRUE(append(store(), branch_id(1), 2, 9, {"f"}).ok());
  ASSERT_TRUE(append(store(), branch_id(1), 2, 9, {"f"}).ok());
  ASSERT_TRUE(append(store(), branch_id(1), 2, 10, {"f"}).ok());
  const auto stats = store().stats();
  ASSERT_TRUE(stats.ok());
  EXPECT_EQ(stats->games, 1u);
  EXPECT_EQ(stats->branches, 2u);
  EXPECT_EQ(stats->events, 3u);
  EXPECT_EQ(stats->payload_bytes, 6u);
  EXPECT_EQ(stats->commits, 2u);
  EXPECT_EQ(stats->duplicates, 1u);
  EXPECT_EQ(stats->conflicts, 1u);
  EXPECT_GE(stats->syncs, 2u);
}

TEST_P(StoreConformance, AClosedStoreSaysSo) {
  ASSERT_TRUE(create(store(), 1, {"a"}).ok());
  ASSERT_TRUE(store().close().ok());
  ASSERT_TRUE(store().close().ok());
  EXPECT_EQ(code_of(append(store(), branch_id(1), 1, 2, {"b"})), ErrorCode::kClosed);
  EXPECT_EQ(code_of(store().branch(branch_id(1))), ErrorCode::kClosed);
  EXPECT_EQ(code_of(store().verify({}, nullptr)), ErrorCode::kClosed);
  harness().reopen();
  EXPECT_EQ(texts(store(), branch_id(1)), (Texts{"a"}));
}

TEST_P(StoreConformance, TidyingChangesNothingThatCanBeSeen) {
  ASSERT_TRUE(create(store(), 1, {"0"}).ok());
  Texts expected{"0"};
  for (Version v = 1; v < 500; v += 3) {
    ASSERT_TRUE(append(store(), branch_id(1), v, 1000 + v, numbered(std::to_string(v) + "/", 3),
                       Durability::kBuffered)
                    .ok());
    for (int i = 1; i <= 3; ++i) expected.push_back(std::to_string(v) + "/" + std::to_string(i));
  }
  ASSERT_TRUE(fork(store(), 1, branch_id(2), branch_id(1), 77).ok());
  const Hash root = store().tree_root(game_id(1), 333).value();
  const Hash hash = store().event_hash(branch_id(1), 123).value();
  ASSERT_TRUE(store().tidy().ok());
  for (int round = 0; round < 2; ++round) {
    EXPECT_EQ(texts(store(), branch_id(1)), expected);
    EXPECT_EQ(texts(store(), branch_id(2)), Texts(expected.begin(), expected.begin() + 77));
    EXPECT_EQ(store().tree_root(game_id(1), 333).value(), root);
    EXPECT_EQ(store().event_hash(branch_id(1), 123).value(), hash);
    EXPECT_EQ(kind_of(append(store(), branch_id(1), 1, 1001, {"again"})), Kind::kDuplicate);
    EXPECT_EQ(findings(store()), Texts{});
    harness().reopen();
  }
}

}  // namespace
}  // namespace wardiary::testing

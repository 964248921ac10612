// A bundle is the game: read back it has the same hashes, and whatever is cut off, flipped or made
// up in it is found and named.
#include "replay/bundle.h"

#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "eventstore/checkpoint.h"
#include "eventstore/receipts.h"
#include "replay/tangled_testing.h"

namespace wardiary {
namespace {

Bytes bundle_of(World& world, const GameId& game) {
  std::ostringstream out;
  auto status = export_bundle(world.store(), world.library(), game, out);
  EXPECT_TRUE(status.ok()) << status.error().text;
  const std::string text = out.str();
  return {text.begin(), text.end()};
}

Result<Imported> import_bytes(World& world, const Bytes& bytes) {
  const auto file = world.directory() / "import.wardiary";
  std::ofstream(file, std::ios::binary)
      .write(reinterpret_cast<const char*>(bytes.data()),
             static_cast<std::streamsize>(bytes.size()));
  return import_bundle(world.store(), file);
}

// With its checksum made good again, as somebody with intent would.
Bytes resealed(Bytes bytes) {
  const Hash sum = sha256(ByteView(bytes).first(bytes.size() - Hash::kSize));
  std::copy(sum.data.begin(), sum.data.end(), bytes.end() - Hash::kSize);
  return bytes;
}

// The finding or error, in words; empty for a sound bundle.
std::string wrong_with(Bytes bytes) {
  auto bundle = Bundle::open(std::move(bytes));
  if (!bundle) return bundle.error().text;
  auto verified = (*bundle)->verify(std::nullopt, {});
  if (!verified) return verified.error().text;
  std::string out;
  for (const EventStore::Finding& f : verified->findings) {
    out += f.check + ": " + f.where + ": " + f.text + "\n";
  }
  return out;
}

TEST(BundleTest, AGameReadBackHasTheSameHashesTreeAndLabels) {
  World from, to;
  const GameId id = tangled_game(from);
  const Bytes bytes = bundle_of(from, id);
  EXPECT_EQ(wrong_with(bytes), "");
  auto imported = import_bytes(to, bytes);
  ASSERT_TRUE(imported.ok()) << imported.error().text;
  EXPECT_EQ(imported->branches, 4u);
  expect_same_game(from, to, id);
  EXPECT_TRUE(to.store().verify(id, [](std::uint64_t) {})->findings.empty());
  auto again = import_bytes(to, bytes);
  ASSERT_TRUE(again.ok()) << again.error().text;
  EXPECT_TRUE(again->already_there);
}

TEST(BundleTest, ABundleIsAStoreThatCanOnlyBeRead) {
  World world;
  const GameId id = tangled_game(world);
  auto bundle = Bundle::open(bundle_of(world, id));
  ASSERT_TRUE(bundle.ok()) << bundle.error().text;
  EventStore& copy = **bundle;
  const std::uint64_t size = *world.store().tree_size(id);
  EXPECT_EQ(*copy.tree_root(id, size), *world.store().tree_root(id, size));
  for (const BranchInfo& branch : (*bundle)->all_branches()) {
    std::vector<Bytes> ours, theirs, backwards;
    auto into = [](std::vector<Bytes>& list) {
      return [&list](const StoredEvent& e) {
        list.emplace_back(e.payload.begin(), e.payload.end());
        return true;
      };
    };
    ASSERT_TRUE(copy.read(branch.branch, 1, UINT64_MAX, into(ours)).ok());
    ASSERT_TRUE(world.store().read(branch.branch, 1, UINT64_MAX, into(theirs)).ok());
    ASSERT_TRUE(copy.read_backwards(branch.branch, UINT64_MAX, 1, into(backwards)).ok());
    std::reverse(backwards.begin(), backwards.end());
    EXPECT_EQ(ours, theirs);
    EXPECT_EQ(backwards, theirs);
    for (Version v = 1; v <= branch.version; ++v) {
      EXPECT_EQ(*copy.event_hash(branch.branch, v), *world.store().event_hash(branch.branch, v));
      EXPECT_EQ(*copy.leaf_of(branch.branch, v), *world.store().leaf_of(branch.branch, v));
    }
    EXPECT_FALSE(copy.event_hash(branch.branch, branch.version + 1).ok());
  }
  for (std::uint64_t leaf = 0; leaf < size; ++leaf) {
    EXPECT_EQ(*copy.inclusion_proof(id, leaf, size),
              *world.store().inclusion_proof(id, leaf, size));
  }
  EXPECT_EQ(copy.delete_branch(copy.game(id)->mainline).error().code, ErrorCode::kDenied);
  EXPECT_EQ(copy.append({}).error().code, ErrorCode::kDenied);
}

TEST(BundleTest, WhereverItIsCutOffIsNamed) {
  World world;
  const Bytes good = bundle_of(world, tangled_game(world));
  for (std::size_t size = 0; size < good.size(); ++size) {
    auto bundle = Bundle::open(Bytes(good.begin(), good.begin() + static_cast<long>(size)));
    ASSERT_FALSE(bundle.ok()) << size;
    ASSERT_TRUE(bundle.error().text.starts_with("byte ")) << bundle.error().text;
  }
  Bytes more = good;
  more.push_back(0);
  EXPECT_NE(wrong_with(more).find("1 bytes too many"), std::string::npos);
}

TEST(BundleTest, WhateverByteIsFlippedIsFound) {
  World world;
  const Bytes good = bundle_of(world, tangled_game(world));
  ASSERT_LT(good.size(), 40'000u);
  for (std::size_t at = 0; at < good.size(); ++at) {
    Bytes bad = good;
    bad[at] ^= 0x41;
    ASSERT_NE(wrong_with(std::move(bad)), "") << "byte " << at;
  }
}

// Where the events begin: after the list of branches, which ends with their number.
std::size_t events_at(Bundle& bundle, const Bytes& bytes) {
  for (std::size_t at = kBundleMagic.size(); at + 8 < bytes.size(); ++at) {
    if (get_u64(bytes.data() + at) == bundle.info().tree_size &&
        get_u64(bytes.data() + at + 8) >> 32 == 0 && get_u64(bytes.data() + at + 12) == 1) {
      return at + 8;
    }
  }
  ADD_FAILURE() << "no events";
  return 0;
}

TEST(BundleTest, AnEventChangedWithIntentIsNamedByBranchAndVersion) {
  World world;
  const GameId id = tangled_game(world);
  const Bytes good = bundle_of(world, id);
  auto bundle = Bundle::open(good);
  const std::size_t events = events_at(**bundle, good);
  Bytes bad = good;
  bad[events + 50 + 60] ^= 1;  // inside the first event's bytes
  const std::string said = wrong_with(resealed(bad));
  EXPECT_NE(said.find("chain: branch " + to_hex((*bundle)->info().mainline) + ", version 1"),
            std::string::npos)
      << said;
  EXPECT_EQ(said.find("checksum"), std::string::npos);
  // Hash and checksum made good as well: then the next event's, and in the end the tree's.
  World to;
  EXPECT_FALSE(import_bytes(to, resealed(bad)).ok());
  EXPECT_EQ(to.store().stats()->games, 0u);
}

TEST(BundleTest, HostileNumbersAreRefusedBeforeAnythingIsMade) {
  World world;
  const Bytes good = bundle_of(world, tangled_game(world));
  std::srand(7);
  for (int i = 0; i < 20'000; ++i) {
    Bytes bad = good;
    const std::size_t at = static_cast<std::size_t>(std::rand()) % bad.size();
    for (std::size_t k = 0; k < 4 && at + k < bad.size(); ++k) bad[at + k] = 0xff;
    if (bad == good) continue;  // they were so before
    ASSERT_NE(wrong_with(std::move(bad)), "") << "byte " << at;
  }
}

TEST(BundleTest, TheWholeAuditRunsOnABundle) {
  World world;
  const GameId id = world.play("eastfront", "Edelweiss", 4, 40);
  auto bundle = Bundle::open(bundle_of(world, id));
  ASSERT_TRUE(bundle.ok()) << bundle.error().text;
  auto report = verify_bundle(**bundle, {});
  ASSERT_TRUE(report.ok()) << report.error().text;
  EXPECT_TRUE(report->clean()) << audit_text(*report);
  for (const AuditCheck& check : report->checks) {
    if (check.name == "decisions" || check.name == "dice") {
      EXPECT_GT(check.examined, 0u);
    }
  }
}

TEST(BundleTest, AKeptReceiptAndCheckpointAreHeldAgainstIt) {
  World world;
  const GameId id = tangled_game(world);
  const BranchId mainline = world.store().game(id)->mainline;
  BundleWitness witness;
  witness.key = *world.store().log_key(id);
  witness.checkpoints.push_back(*world.store().checkpoint(id));
  witness.receipts.push_back(make_receipt(world.store(), mainline, 3)->text());
  world.record(mainline, R"([{"type":"Ruling","text":"later"}])");
  auto bundle = Bundle::open(bundle_of(world, id));
  auto report = verify_bundle(**bundle, witness);
  ASSERT_TRUE(report.ok()) << report.error().text;
  EXPECT_TRUE(report->clean()) << audit_text(*report);
  EXPECT_EQ(report->checks.back().examined, 3u);

  // Another game's paper does not fit, nor does another key.
  World other;
  BundleWitness wrong = witness;
  wrong.key = *other.store().log_key(tangled_game(other));
  report = verify_bundle(**bundle, wrong);
  EXPECT_EQ(report->checks.back().failed, 3u);
  EXPECT_EQ(report->checks.back().first->field, "key");
}

TEST(BundleTest, EditedBoardDataIsAFindingOfTheAudit) {
  World world;
  const GameId id = tangled_game(world);
  Bytes bytes = bundle_of(world, id);
  const std::string text(bytes.begin(), bytes.end());
  bytes[text.find("wardiary-board/1")] ^= 1;
  auto bundle = Bundle::open(resealed(bytes));
  ASSERT_TRUE(bundle.ok()) << bundle.error().text;
  auto report = verify_bundle(**bundle, {});
  ASSERT_TRUE(report.ok()) << report.error().text;
  EXPECT_FALSE(report->clean());
  EXPECT_EQ(report->checks[1].name, "contents");
  EXPECT_EQ(report->checks[1].failed, 1u);
}

TEST(BundleTest, OldBundlesVerifyForEver) {
  for (const char* name : {"duel", "edelweiss"}) {
    auto bundle = Bundle::read(std::filesystem::path(WARDIARY_SOURCE_DIR) / "tests/golden/bundles" /
                               (std::string(name) + ".wardiary"));
    ASSERT_TRUE(bundle.ok()) << bundle.error().text;
    auto verified = (*bundle)->verify(std::nullopt, {});
    ASSERT_TRUE(verified.ok());
    EXPECT_TRUE(verified->findings.empty()) << verified->findings.front().text;
  }
}

}  // namespace
}  // namespace wardiary

#include "domain/fairdice/transcript.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "domain/fairdice/transcript_json.h"

namespace wardiary::fairdice {
namespace {

using Json = nlohmann::ordered_json;

// The goldens are written by tests/golden/dice/generate.py, another implementation of the protocol.
std::string golden(const std::string& name) {
  const std::filesystem::path root = WARDIARY_SOURCE_DIR;
  std::ifstream in(root / "tests" / "golden" / "dice" / (name + ".json"));
  EXPECT_TRUE(in.good()) << name;
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

constexpr const char* kGoldens[] = {"live", "async", "sealed", "solo", "beacon", "three"};

// Empty if the transcript is good, else what is wrong with it.
std::string verdict(const std::string& text) {
  auto transcript = transcript_from_json(text);
  if (!transcript) return transcript.error().text;
  auto verified = verify_transcript(*transcript);
  return verified ? "" : verified.error().text;
}

// ---- A table of players that makes live.json anew
// ------------------------------------------------

Seed seed_of(std::uint8_t byte) {
  return *Seed::from(Bytes(32, byte));
}
Hash test_hash(const char* label, std::uint8_t roller, std::uint64_t number) {
  Bytes bytes = domain_prefix(label);
  bytes.push_back(roller);
  put_u64(bytes, number);
  return sha256(bytes);
}

class Table {
 public:
  Table() {
    EpochTerms& terms = transcript.epoch.terms;
    terms.stream = *fixed_from_hex<16>("000102030405060708090a0b0c0d0e0f");
    terms.vrf_pk = vrf_.public_key();
    terms.chain_length = 64;
    terms.policy = Grade::kLive;
    terms.rules_hash = sha256(domain_prefix("test-rules"));
    transcript.epoch.hash = sha256(domain_prefix("test-genesis"));
    for (std::uint8_t c = 0; c < 2; ++c) {
      for (std::uint8_t r = 0; r < 2; ++r) {
        const auto seed = seed_of(static_cast<std::uint8_t>(0xaa + 0x11 * c + 2 * r));
        chains_.push_back(*ContributionChain::make({terms.stream, c, r}, seed, 64));
      }
      Contributor contributor;
      contributor.slot = c;
      contributor.key = players_[c].public_key();
      contributor.anchors = {chain(c, 0).anchor(), chain(c, 1).anchor()};
      const SlotAnchor anchors[] = {{0, chain(c, 0).anchor()}, {1, chain(c, 1).anchor()}};
      contributor.signature = players_[c].sign(anchors_digest(terms, c, false, anchors));
      transcript.epoch.contributors.push_back(contributor);
    }
    transcript.counters = {0, 0};
  }

  void roll(std::uint8_t roller, RollSpec spec) {
    const Id& stream = transcript.epoch.terms.stream;
    const std::uint64_t number = transcript.counters[roller]++;
    const std::uint8_t other = 1 - roller;
    RollTranscript out;
    out.grade = Grade::kLive;
    out.request = {roller,
                   number,
                   test_hash("test-prev", roller, number),
                   test_hash("test-order", roller, number),
                   std::move(spec),
                   *chain(roller, roller).element(number),
                   *Id::from(test_hash("test-key", roller, number).view().first(16))};
    const Hash digest = request_digest(stream, out.request);
    out.signature = players_[roller].sign(digest);
    const Hash v = *chain(other, roller).element(number);
    out.disclosures.push_back(
        {other, {}, v, players_[other].sign(reveal_digest(stream, digest, other, v))});
    const Contribution both[] = {{0, *chain(0, roller).element(number)},
                                 {1, *chain(1, roller).element(number)}};
    const Bytes alpha =
        make_alpha(transcript.epoch.hash, stream, roller, number, both, std::nullopt);
    const Roll made = *make_roll(vrf_, alpha, out.request.spec);
    out.pi = made.pi;
    out.values = made.outcome.values;
    transcript.rolls.push_back(out);
  }

  DiceTranscript transcript;

 private:
  const ContributionChain& chain(std::uint8_t c, std::uint8_t r) const {
    return chains_[2 * c + r];
  }

  VrfKey vrf_{seed_of(0x11)};
  PlayerKey players_[2] = {PlayerKey(seed_of(1)), PlayerKey(seed_of(2))};
  std::vector<ContributionChain> chains_;
};

RollGroup dice(std::uint16_t count, std::uint32_t sides) {
  return {RollGroup::kDice, count, sides, 0};
}
RollGroup shuffle(std::uint16_t size) {
  return {RollGroup::kShuffle, size, size, 0};
}
RollGroup draw(std::uint16_t count, std::uint32_t size) {
  return {RollGroup::kDraw, count, size, 0};
}

TEST(Transcript, TwoImplementationsMakeTheSameBytes) {
  Table table;
  table.roll(0, {{dice(2, 6)}});
  table.roll(0, {{dice(40, 6)}});
  table.roll(0, {{dice(3, 10)}});
  table.roll(0, {{dice(12, 100)}});
  table.roll(0, {{shuffle(54)}});
  table.roll(0, {{draw(5, 20)}});
  table.roll(0, {{dice(1, 1000)}});
  table.roll(0, {{dice(1, 1), draw(1, 1), dice(2, 70000)}});
  table.roll(1, {{dice(2, 6), shuffle(6), draw(3, 300)}});
  table.roll(1, {{dice(2, 6)}});
  EXPECT_EQ(transcript_to_json(table.transcript), golden("live"));
}

TEST(Transcript, GoldensAreGoodAndSurviveReadingAndWriting) {
  for (const char* name : kGoldens) {
    const std::string text = golden(name);
    EXPECT_EQ(verdict(text), "") << name;
    EXPECT_EQ(transcript_to_json(*transcript_from_json(text)), text) << name;
  }
}

TEST(Transcript, OneRollCanBeCheckedOnItsOwn) {
  const auto transcript = *transcript_from_json(golden("async"));
  for (std::size_t i = transcript.rolls.size(); i-- > 0;) {
    auto verifier = EpochVerifier::open(transcript.epoch);
    ASSERT_TRUE(verifier.ok());
    const auto checked = verifier->check(transcript.rolls[i]);
    ASSERT_TRUE(checked.ok()) << checked.error().text;
    EXPECT_EQ(checked->outcome.values, transcript.rolls[i].values);
    EXPECT_EQ(checked->signatures, 2u);
  }
}

TEST(Transcript, ASealedRollSaysThatItIsNotOpened) {
  const auto transcript = *transcript_from_json(golden("sealed"));
  auto verifier = *EpochVerifier::open(transcript.epoch);
  EXPECT_TRUE(verifier.check_next(transcript.rolls[0])->opened);
  EXPECT_FALSE(verifier.check_next(transcript.rolls[1])->opened);
}

TEST(Transcript, ARollNumberServesOnce) {
  const auto transcript = *transcript_from_json(golden("live"));
  auto verifier = *EpochVerifier::open(transcript.epoch);
  ASSERT_TRUE(verifier.check_next(transcript.rolls[0]).ok());
  const auto again = verifier.check_next(transcript.rolls[0]);
  ASSERT_FALSE(again.ok());
  EXPECT_EQ(again.error().text, "request.number: expected 1");
  EXPECT_FALSE(verifier.check_next(transcript.rolls[2]).ok());
  EXPECT_TRUE(verifier.check_next(transcript.rolls[1]).ok());
}

TEST(Transcript, ErrorsNameTheField) {
  const auto good = *transcript_from_json(golden("async"));
  const auto error = [](const DiceTranscript& t) { return verify_transcript(t).error().text; };
  DiceTranscript bad = good;
  bad.epoch.contributors[1].key = bad.epoch.contributors[0].key;
  EXPECT_EQ(error(bad), "epoch: contributors[1]: key: used by another contributor");
  bad = good;
  bad.rolls[2].disclosures[0].v.data[0] ^= 1;
  EXPECT_EQ(error(bad),
            "rolls[2]: disclosures[0]: signature: not by this contributor over this contribution");
  bad = good;
  bad.rolls[3].values[0] ^= 1;
  EXPECT_EQ(error(bad), "rolls[3]: values: not what the proof yields");
  bad = good;
  bad.rolls[1].grade = Grade::kLive;
  EXPECT_EQ(error(bad), "rolls[1]: grade: live, but an opponent had unlocked this roll in advance");
  bad = good;
  bad.rolls.erase(bad.rolls.begin() + 1);
  EXPECT_EQ(error(bad), "rolls[1]: request.number: expected 1");
  bad = good;
  bad.epoch.terms.rules_hash.data[3] ^= 8;
  EXPECT_EQ(error(bad),
            "epoch: contributors[0]: signature: not by this key over these terms and anchors");
}

// ---- Every field changed must fail
// ---------------------------------------------------------------

class Mutator {
 public:
  explicit Mutator(Json document) : document_(std::move(document)) {}

  void run() { visit(document_, ""); }
  std::size_t tried = 0, sound = 0;

 private:
  // Changes `node`, which is part of document_, to `changed` for one verdict.
  void expect_bad(Json& node, Json changed, const std::string& path) {
    if (node == changed) return;
    std::swap(node, changed);
    ++tried;
    if (verdict(document_.dump()).empty()) {
      // Only a roll that is still sealed may promise something nobody can check yet.
      ++sound;
      EXPECT_TRUE(path.ends_with("/rolls/1/seal")) << path << " became " << node;
    }
    std::swap(node, changed);
  }

  void visit_text(Json& node, const std::string& path) {
    const auto text = node.get<std::string>();
    for (std::size_t at : {std::size_t{0}, text.size() / 2, text.size() - 1}) {
      std::string changed = text;
      changed[at] = changed[at] == '0' ? '1' : changed[at] == 'f' ? 'e' : changed[at] + 1;
      expect_bad(node, changed, path);
    }
    expect_bad(node, text.substr(2), path);
    for (const char* word :
         {"live", "async", "solo", "imported", "beacon", "branch", "dice", "shuffle", "draw", ""}) {
      expect_bad(node, word, path);
    }
  }

  void visit_number(Json& node, const std::string& path) {
    const auto number = node.get<std::uint64_t>();
    expect_bad(node, number + 1, path);
    expect_bad(node, static_cast<std::int64_t>(number) - 1, path);
    expect_bad(node, 0, path);
    expect_bad(node, std::to_string(number), path);
  }

  void visit_array(Json& node, const std::string& path) {
    for (std::size_t i = 0; i < node.size(); ++i) {
      Json dropped = node, doubled = node, swapped = node;
      dropped.erase(i);
      expect_bad(node, dropped, path);
      doubled.insert(doubled.begin() + static_cast<std::ptrdiff_t>(i), node[i]);
      expect_bad(node, doubled, path);
      if (i + 1 < node.size()) {
        std::swap(swapped[i], swapped[i + 1]);
        expect_bad(node, swapped, path);
      }
    }
    for (std::size_t i = 0; i < node.size(); ++i) visit(node[i], path + "/" + std::to_string(i));
  }

  void visit_object(Json& node, const std::string& path) {
    Json more = node;
    more["extra"] = 0;
    expect_bad(node, more, path);
    const Json before = node;
    for (const auto& [key, value] : before.items()) {
      Json fewer = node;
      fewer.erase(key);
      expect_bad(node, fewer, path);
    }
    for (auto& [key, value] : node.items()) visit(value, path + "/" + key);
  }

  void visit(Json& node, const std::string& path) {
    expect_bad(node, nullptr, path);
    if (node.is_object()) return visit_object(node, path);
    if (node.is_array()) return visit_array(node, path);
    if (node.is_string()) return visit_text(node, path);
    if (node.is_boolean()) return expect_bad(node, !node.get<bool>(), path);
    visit_number(node, path);
  }

  Json document_;
};

class Mutations : public testing::TestWithParam<const char*> {};

TEST_P(Mutations, EveryFieldChangedFails) {
  Mutator mutator(Json::parse(golden(GetParam())));
  mutator.run();
  EXPECT_GT(mutator.tried, 300u);
  EXPECT_EQ(mutator.sound, std::string(GetParam()) == "sealed" ? 3u : 0u);
}

INSTANTIATE_TEST_SUITE_P(Goldens, Mutations, testing::ValuesIn(kGoldens),
                         [](const auto& test) { return std::string(test.param); });

}  // namespace
}  // namespace wardiary::fairdice

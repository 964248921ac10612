#include "replay/dossier.h"

#include <nlohmann/json.hpp>

#include "domain/schema/event_generated.h"
#include "eventstore/checkpoint.h"
#include "eventstore/receipts.h"
#include "projections/view.h"
#include "replay/world_testing.h"

namespace wardiary {
namespace {

using nlohmann::json;

// One played game for all of these tests.
struct Played {
  World world;
  GameId id = world.play("eastfront", "Edelweiss", 4, 120);
  BranchId mainline = world.store().game(id)->mainline;

  Result<json> of(DossierRequest request) {
    request.branch = mainline;
    return make_dossier(world.store(), world.library(), world.time(), request);
  }
  // Every roll of the game: roller and number.
  std::vector<std::pair<SideId, std::uint64_t>> rolls() {
    std::vector<std::pair<SideId, std::uint64_t>> out;
    EXPECT_TRUE(world.store()
                    .read(mainline, 1, UINT64_MAX,
                          [&](const StoredEvent& s) {
                            if (const auto* e = trusted_event(s.payload)->payload_as_DiceRolled()) {
                              out.emplace_back(SideId{e->roller()}, e->number());
                            }
                            return true;
                          })
                    .ok());
    return out;
  }
  DossierRequest roll(std::size_t n, Viewer viewer = Viewer::referee()) {
    DossierRequest request;
    request.viewer = viewer;
    request.side = rolls()[n].first;
    request.roll = rolls()[n].second;
    return request;
  }
};
Played& played() {
  static Played game;
  return game;
}

TEST(DossierTest, ARollHasItsOrderDigestsTermsOddsProofAndStatistics) {
  auto dossier = played().of(played().roll(5));
  ASSERT_TRUE(dossier.ok()) << dossier.error().text;
  ASSERT_EQ((*dossier)["commits"].size(), 1u);
  const json& commit = (*dossier)["commits"][0];
  EXPECT_TRUE(commit.contains("order"));
  const Version first = commit["first"], last = commit["last"];
  EXPECT_EQ(commit["digestBefore"],
            to_hex(played().world.time().at(played().mainline, first - 1)->digest()));
  EXPECT_EQ(commit["digestAfter"],
            to_hex(played().world.time().at(played().mainline, last)->digest()));
  ASSERT_EQ(commit["rolls"].size(), 1u);
  const json& roll = commit["rolls"][0];
  EXPECT_EQ(roll["event"]["number"], played().rolls()[5].second);
  double total = 0;
  for (const json& entry : roll["odds"]["distribution"]) total += entry["p"].get<double>();
  EXPECT_NEAR(total, 1, 1e-12);
  EXPECT_EQ(roll["proof"]["holds"], true) << roll["proof"].dump();
  EXPECT_EQ(roll["proof"]["grade"], "solo");
  const json& picked = (*dossier)["statistics"]["picked"];
  EXPECT_GE(picked["corrected"].get<double>(), picked["p"].get<double>());
  EXPECT_EQ(picked["from"], (*dossier)["statistics"]["rolls"]);
}

TEST(DossierTest, ItsReceiptProvesTheRollsEvent) {
  auto dossier = played().of(played().roll(2));
  ASSERT_TRUE(dossier.ok()) << dossier.error().text;
  const json& roll = (*dossier)["commits"][0]["rolls"][0];
  auto receipt = Receipt::parse(roll["proof"]["receipt"].get<std::string>());
  ASSERT_TRUE(receipt.ok());
  const Version version = roll["event"]["version"];
  auto data = leaf_data_of(played().world.store(), played().mainline, version);
  auto key = VerifierKey::parse(*played().world.store().log_key(played().id));
  EXPECT_TRUE(receipt->verify(*data, *key).ok());
}

TEST(DossierTest, ATurnHasAllItsRollsAndNoOthers) {
  DossierRequest request;
  request.turn = 1;
  auto dossier = played().of(request);
  ASSERT_TRUE(dossier.ok()) << dossier.error().text;
  std::size_t rolls = 0;
  for (const json& commit : (*dossier)["commits"]) {
    rolls += commit["rolls"].size();
    EXPECT_GE(commit["turn"].get<int>(), 1);
  }
  EXPECT_GT(rolls, 0u);
  for (const json& account : (*dossier)["statistics"]["luck"]) {
    for (const json& row : account["turns"]) EXPECT_EQ(row["of"], "1");
  }
}

TEST(DossierTest, NothingHiddenLeaks) {
  const Game& game = (*played().world.library().game(played().id))->game;
  const auto rolls = played().rolls();
  for (int s = 0; s < 2; ++s) {
    const Viewer viewer = Viewer::of(SideId{s});
    const View view(game, viewer);
    for (std::size_t n = 0; n < rolls.size(); ++n) {
      auto dossier = played().of(played().roll(n, viewer));
      if (!dossier) continue;  // hidden altogether
      const std::string text = dossier->dump();
      EXPECT_EQ(text.find("digestBefore"), std::string::npos);
      const json& commit = (*dossier)["commits"][0];
      const Position before =
          *played().world.time().at(played().mainline, commit["first"].get<Version>() - 1);
      // No unit is named that this side knows nothing of, in any position of the commit.
      for (std::size_t u = 0; u < game.roster().units.size(); ++u) {
        const UnitId unit{static_cast<int>(u)};
        if (text.find("\"" + game.roster().units[u].name + "\"") == std::string::npos) continue;
        bool seen = view.sees_unit(before, unit);
        for (Version v = commit["first"]; v <= commit["last"].get<Version>() && !seen; ++v) {
          seen = view.sees_unit(*played().world.time().at(played().mainline, v), unit);
        }
        EXPECT_TRUE(seen) << game.roster().units[u].name << " for viewer " << s << ", roll " << n;
      }
    }
  }
}

TEST(DossierTest, WhatIsNotThereIsNotFoundAndWrongQuestionsAreRefused) {
  DossierRequest request;
  EXPECT_EQ(played().of(request).error().code, ErrorCode::kInvalid);
  request.side = SideId{0};
  request.roll = 1'000'000;
  EXPECT_EQ(played().of(request).error().code, ErrorCode::kNotFound);
  request.turn = 1;
  EXPECT_EQ(played().of(request).error().code, ErrorCode::kInvalid);
  request.roll.reset();
  request.turn = 99;
  EXPECT_EQ(played().of(request).error().code, ErrorCode::kNotFound);
}

TEST(DossierTest, ThePageIsSelfContainedAndEscapesWhatItShows) {
  auto dossier = played().of(played().roll(1));
  ASSERT_TRUE(dossier.ok());
  (*dossier)["name"] = "<script>alert(1)</script> & more";
  const std::string page = dossier_html(*dossier);
  EXPECT_EQ(page.find("<script"), std::string::npos);
  EXPECT_EQ(page.find("src="), std::string::npos);
  EXPECT_EQ(page.find("href="), std::string::npos);
  EXPECT_NE(page.find("&lt;script&gt;"), std::string::npos);
  EXPECT_NE(page.find("the proof holds and yields these values"), std::string::npos);
  EXPECT_EQ(dossier_markdown(*dossier).find("<script"), std::string::npos);
}

TEST(DossierTest, ImportedDiceAreNeverCalledProvenNorPooledWithThem) {
  World world;
  auto game = world.create("freeform", "duel", Keeping::kScribed);
  world.record(game->mainline,
               R"([{"type":"DiceRolled","roller":"red","purpose":"test","values":[6,1]}])");
  DossierRequest request;
  request.branch = game->mainline;
  request.side = SideId{0};
  request.roll = 0;
  auto dossier = make_dossier(world.store(), world.library(), world.time(), request);
  ASSERT_TRUE(dossier.ok()) << dossier.error().text;
  const json& proof = (*dossier)["commits"][0]["rolls"][0]["proof"];
  EXPECT_EQ(proof["proven"], false);
  EXPECT_EQ(proof["grade"], "imported");
  for (const json& account : (*dossier)["statistics"]["luck"]) {
    EXPECT_EQ(account["dice"], "unproven");
  }
  EXPECT_FALSE((*dossier)["statistics"].contains("first"));
}

}  // namespace
}  // namespace wardiary

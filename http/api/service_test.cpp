// The service without a socket: requests in, responses out, on a real store.
#include "http/api/service.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>

#include "eventstore/data_dir.h"
#include "eventstore/rocksdb_store.h"
#include "http/api/api_page.h"
#include "http/server/stream.h"

namespace wardiary::http {
namespace {

using nlohmann::json;

class ServiceTest : public testing::Test {
 protected:
  void SetUp() override {
    directory_ = std::filesystem::temp_directory_path() /
                 ("wardiary-service-" + std::to_string(::getpid()) + "-" +
                  testing::UnitTest::GetInstance()->current_test_info()->name());
    std::filesystem::remove_all(directory_);
    StoreOptions options;
    options.directory = directory_.string();
    options.create_if_missing = true;
    auto store = open_rocksdb_store(options);
    ASSERT_TRUE(store) << store.error().text;
    store_ = std::move(*store);
    auto master = read_master_key(directory_);
    ASSERT_TRUE(master) << master.error().text;
    service_ = std::make_unique<Service>(*store_, fairdice::Seed(master->data), ServiceOptions{});
    router_ = std::make_unique<Router>(service_->routes());
    ASSERT_TRUE(router_->check());
  }
  void TearDown() override {
    router_.reset();
    service_.reset();
    store_.reset();
    std::filesystem::remove_all(directory_);
  }

  Response ask(Method method, const std::string& target, const json& body = {},
               const std::string& token = {}) {
    Request request = make_request(method, target, body.is_null() ? "" : body.dump());
    if (!token.empty()) request.headers.set("Authorization", "Bearer " + token);
    if (!key_.empty()) request.headers.set("Idempotency-Key", key_);
    return router_->respond(request);
  }
  json get(const std::string& target, int status = 200, const std::string& token = {}) {
    Response answer = ask(Method::kGet, target, {}, token);
    EXPECT_EQ(answer.status, status) << target << ": " << answer.text();
    return json::parse(answer.text(), nullptr, false);
  }
  json post(const std::string& target, const json& body, int status,
            const std::string& token = {}) {
    Response answer = ask(Method::kPost, target, body, token);
    EXPECT_EQ(answer.status, status) << target << ": " << answer.text();
    return json::parse(answer.text(), nullptr, false);
  }
  json new_duel(const std::string& keeping = "scribed") {
    return post(
        "/games",
        {{"name", "Duel"}, {"system", "freeform"}, {"scenario", "duel"}, {"keeping", keeping}},
        201);
  }
  static std::string branch_path(const json& game) {
    return "/games/" + game["id"].get<std::string>() + "/branches/" +
           game["mainline"].get<std::string>();
  }

  std::filesystem::path directory_;
  std::unique_ptr<EventStore> store_;
  std::unique_ptr<Service> service_;
  std::unique_ptr<Router> router_;
  std::string key_;
};

TEST_F(ServiceTest, ListsTheSystemsItCanPlay) {
  json systems = get("/systems")["systems"];
  ASSERT_FALSE(systems.empty());
  bool freeform = false;
  for (const json& system : systems) freeform = freeform || system["name"] == "freeform";
  EXPECT_TRUE(freeform);
}

TEST_F(ServiceTest, ANewGameIsListedAndCanBeRead) {
  json game = new_duel();
  EXPECT_EQ(game["tokens"]["seats"].size(), 2u);
  json list = get("/games");
  ASSERT_EQ(list["games"].size(), 1u);
  EXPECT_EQ(list["games"][0]["name"], "Duel");
  json position = get(branch_path(game) + "/position")["position"];
  EXPECT_EQ(position["units"].size(), 5u);
  json events = get(branch_path(game) + "/events?limit=3");
  EXPECT_EQ(events["events"].size(), 3u);
  EXPECT_EQ(events["events"][0]["type"], "GameCreated");
  EXPECT_EQ(events["next"], 3);
}

TEST_F(ServiceTest, EventPagesJoinWithoutGapOrOverlap) {
  json game = new_duel();
  std::uint64_t expected = 1;
  json next = 0;
  while (!next.is_null()) {
    json page = get(branch_path(game) + "/events?limit=2&after=" + std::to_string(next.get<int>()));
    for (const json& event : page["events"]) EXPECT_EQ(event["version"], expected++);
    next = page["next"];
  }
  EXPECT_EQ(expected - 1, game["version"].get<std::uint64_t>());
}

TEST_F(ServiceTest, APositionByVersionNeverChangesAndIsTaggedSo) {
  json game = new_duel();
  Request request = make_request(Method::kGet, branch_path(game) + "/position?at=5");
  Response first = router_->respond(request);
  ASSERT_EQ(first.status, 200);
  auto etag = first.headers.get("ETag");
  ASSERT_TRUE(etag);
  Request again = make_request(Method::kGet, branch_path(game) + "/position?at=5");
  again.headers.set("If-None-Match", *etag);
  EXPECT_EQ(router_->respond(again).status, 304);
}

TEST_F(ServiceTest, WhatIsNotThereIsNotFoundAndSaysWhat) {
  json game = new_duel();
  EXPECT_EQ(get("/games/00000000000000000000000000000000", 404)["code"], "not_found");
  EXPECT_EQ(get(branch_path(game) + "/position?at=99999", 404)["code"], "not_found");
  EXPECT_EQ(get(branch_path(game) + "/position?at=x", 400)["code"], "invalid");
  EXPECT_EQ(get(branch_path(game) + "/position?when=1", 400)["status"], 400);
}

TEST_F(ServiceTest, BadCreationsNameTheField) {
  json bad_system = post("/games", {{"system", "chess"}, {"scenario", "x"}}, 400);
  EXPECT_NE(bad_system["detail"].get<std::string>().find("system"), std::string::npos);
  json unknown =
      post("/games", {{"system", "freeform"}, {"scenario", "duel"}, {"colour", "red"}}, 400);
  EXPECT_NE(unknown["detail"].get<std::string>().find("colour"), std::string::npos);
  EXPECT_TRUE(get("/games")["games"].empty());
}

TEST_F(ServiceTest, TheSameIdempotencyKeyCreatesOneGame) {
  key_ = "create-1-0123456789";
  json first = new_duel();
  json second = new_duel();
  EXPECT_EQ(first["id"], second["id"]);
  EXPECT_EQ(get("/games")["games"].size(), 1u);
}

TEST_F(ServiceTest, AnUnknownTokenIsRefusedNotIgnored) {
  json game = new_duel();
  get("/games/" + game["id"].get<std::string>(), 401, "wd_" + std::string(64, 'a'));
}

TEST_F(ServiceTest, OnlyTheRefereeBranchesARunningGame) {
  json game = new_duel();
  const std::string branches = "/games/" + game["id"].get<std::string>() + "/branches";
  const json fork = {{"parent", game["mainline"]}, {"at", 3}, {"name", "what if"}};
  post(branches, fork, 403);
  post(branches, fork, 403, game["tokens"]["seats"]["red"]);
  json made = post(branches, fork, 201, game["tokens"]["referee"]);
  EXPECT_EQ(made["parent"], game["mainline"]);
  EXPECT_EQ(made["forkedAt"], 3);
  EXPECT_EQ(get(branches)["branches"].size(), 2u);
}

TEST_F(ServiceTest, AFreshGameAuditsCleanAndSaysWhatWasExamined) {
  json game = new_duel();
  json audit = get("/games/" + game["id"].get<std::string>() + "/audit");
  EXPECT_TRUE(audit["clean"].get<bool>()) << audit.dump(1);
  EXPECT_EQ(audit["events"], game["version"]);
  ASSERT_FALSE(audit["checks"].empty());
  for (const json& check : audit["checks"]) EXPECT_TRUE(check["failure"].is_null()) << check.dump();
}

TEST_F(ServiceTest, QuestionsAboutAUnitAreAnswered) {
  json game = new_duel();
  OrderRequest scribe;
  scribe.branch = *fixed_from_hex<16>(game["mainline"].get<std::string>());
  const json fact = {{"type", "UnitMoved"}, {"unit", "R1"}, {"path", {"A1", "A2"}}};
  auto recorded = service_->referee.record(scribe, {&fact, 1});
  ASSERT_TRUE(recorded) << recorded.error().text;
  const std::string branch = branch_path(game);
  const std::string before = std::to_string(game["version"].get<int>());
  const std::string now = std::to_string(game["version"].get<int>() + 1);

  json history = get(branch + "/units/R1/history")["events"];
  EXPECT_EQ(history.back()["type"], "UnitMoved");
  json why = get(branch + "/why?unit=R1&attribute=at")["chain"];
  ASSERT_FALSE(why.empty());
  EXPECT_EQ(why[0]["type"], "UnitMoved");
  // While the game runs a spectator may not ask about units: some were hidden at some event.
  get(branch + "/when?condition=unit:R1.at%20%3D%3D%20A2", 403);
  const std::string referee = game["tokens"]["referee"];
  json when = get(branch + "/when?condition=unit:R1.at%20%3D%3D%20A2", 200, referee)["stretches"];
  ASSERT_EQ(when.size(), 1u);
  EXPECT_EQ(when[0]["first"], game["version"].get<int>() + 1);
  json diff = get(branch + "/diff?from=" + before + "&to=" + now)["difference"];
  ASSERT_EQ(diff["units"].size(), 1u);
  EXPECT_EQ(diff["units"][0]["to"], "A2");
  json bad = get(branch + "/when?condition=unit:R9.at%20%3D%3D%20A2", 400);
  EXPECT_NE(bad["detail"].get<std::string>().find("R9"), std::string::npos);
}

TEST_F(ServiceTest, LegalOrdersCanBeAskedForByUnit) {
  json game =
      post("/games", {{"name", "Legal"}, {"system", "eastfront"}, {"scenario", "Edelweiss"}}, 201);
  const std::string referee = game["tokens"]["referee"];
  const std::string branch = branch_path(game);
  json pending = get(branch + "/position", 200, referee)["position"]["pending"];
  ASSERT_FALSE(pending.empty());
  const std::string legal = branch + "/legal?side=" + pending.begin().key();
  json all = get(legal, 200, referee);
  ASSERT_TRUE(all["complete"].get<bool>());
  // Every order is either one of a unit's or needs none.
  auto unit_of = [](const json& order) {
    return order.contains("unit") ? order["unit"] : order.contains("hq") ? order["hq"] : json();
  };
  std::map<json, std::size_t> by_unit;
  for (const json& order : all["orders"]) ++by_unit[unit_of(order)];
  ASSERT_GT(by_unit.size(), 1u);
  for (const auto& [unit, count] : by_unit) {
    json part =
        get(legal + "&unit=" + (unit.is_null() ? "" : unit.get<std::string>()), 200, referee);
    EXPECT_EQ(part["orders"].size(), count) << unit;
    EXPECT_TRUE(part["complete"].get<bool>());
  }
  json some = get(legal + "&each=1", 200, referee);
  std::map<json, std::size_t> kept;
  for (const json& order : some["orders"]) ++kept[unit_of(order)];
  ASSERT_EQ(kept.size(), by_unit.size());
  for (const auto& [unit, count] : kept) EXPECT_EQ(count, unit.is_null() ? by_unit[unit] : 1u);
  EXPECT_EQ(some["complete"].get<bool>(), some["orders"].size() == all["orders"].size());
  get(legal + "&unit=nobody", 400, referee);
}

TEST_F(ServiceTest, AFollowerHearsTheVersionAtOnceAndEveryCommitAfter) {
  json game = new_duel();
  Request request = make_request(Method::kGet, branch_path(game) + "/stream");
  Response answer = router_->respond(request);
  ASSERT_TRUE(answer.is_stream());
  auto stream = std::get<std::shared_ptr<Stream>>(answer.body);
  OrderRequest scribe;
  scribe.branch = *fixed_from_hex<16>(game["mainline"].get<std::string>());
  const json fact = {{"type", "UnitChanged"}, {"unit", "R1"}, {"attribute", "steps"}, {"to", 2}};
  auto recorded = service_->referee.record(scribe, {&fact, 1});
  ASSERT_TRUE(recorded) << recorded.error().text;
  std::vector<SharedBytes> chunks;
  stream->take(chunks, 1'000'000);
  std::string text;
  for (const SharedBytes& chunk : chunks) text += *chunk;
  const auto version = game["version"].get<std::uint64_t>();
  EXPECT_NE(text.find("{\"version\":" + std::to_string(version) + "}"), std::string::npos) << text;
  EXPECT_NE(text.find("{\"version\":" + std::to_string(version + 1) + "}"), std::string::npos)
      << text;
}

// The description and the routes name the same operations with the same parameters.
TEST_F(ServiceTest, EveryRouteIsDescribedAndEveryDescriptionHasARoute) {
  const json document = json::parse(openapi_text());
  auto parameters_of = [&](const json& operation) {
    std::set<std::string> names;
    for (json parameter : operation.value("parameters", json::array())) {
      if (parameter.contains("$ref")) {
        const auto ref = parameter["$ref"].get<std::string>();
        parameter = document.at(json::json_pointer(ref.substr(1)));
      }
      if (parameter["in"] == "query") names.insert(parameter["name"]);
    }
    return names;
  };
  std::map<std::string, std::set<std::string>> described, routed;
  for (const auto& [path, item] : document["paths"].items()) {
    for (const auto& [method, operation] : item.items()) {
      described[method + " " + path] = parameters_of(operation);
    }
  }
  const std::regex typed(":[a-z]+\\}");
  for (const auto& route : router_->routes()) {
    std::string method(name_of(route->method));
    std::transform(method.begin(), method.end(), method.begin(), ::tolower);
    const std::string path = std::regex_replace(route->pattern, typed, "}");
    if (path == "/" || path.starts_with("/assets/")) continue;  // the page, not the API
    routed[method + " " + path] = {route->query.begin(), route->query.end()};
  }
  for (const auto& [name, query] : routed) {
    ASSERT_TRUE(described.contains(name)) << name << " is not described";
    EXPECT_EQ(described[name], query) << name;
  }
  for (const auto& [name, query] : described) {
    EXPECT_TRUE(routed.contains(name)) << name << " has no route";
  }
}

TEST_F(ServiceTest, ARedactedAnswerIsNotKeptPastTheEndOfTheGame) {
  json game = new_duel();
  const std::string target = branch_path(game) + "/position?at=3";
  Response before = ask(Method::kGet, target);
  EXPECT_EQ(before.headers.get("Cache-Control"), "private, no-cache");
  OrderRequest scribe;
  scribe.branch = *fixed_from_hex<16>(game["mainline"].get<std::string>());
  const json fact = {{"type", "GameEnded"}, {"winner", "red"}, {"level", ""}, {"text", ""}};
  auto recorded = service_->referee.record(scribe, {&fact, 1});
  ASSERT_TRUE(recorded) << recorded.error().text;
  Response after = ask(Method::kGet, target);
  EXPECT_NE(after.headers.get("Cache-Control")->find("immutable"), std::string_view::npos);
}

TEST(GuessLimit, CountsByNetworkAndForgets) {
  GuessLimit limit;
  const GuessLimit::Time start{};
  for (unsigned i = 0; i < GuessLimit::kFailuresMax; ++i) {
    EXPECT_TRUE(limit.may_try("2001:db8::1", start));
    limit.failed("2001:db8::" + std::to_string(i), start);
  }
  EXPECT_FALSE(limit.may_try("2001:db8::ffff", start));
  EXPECT_TRUE(limit.may_try("2001:db8:0:1::1", start));
  EXPECT_TRUE(limit.may_try("192.0.2.1", start));
  EXPECT_TRUE(limit.may_try("2001:db8::1", start + GuessLimit::kWindow));
}

}  // namespace
}  // namespace wardiary::http

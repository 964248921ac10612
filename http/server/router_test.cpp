#include "http/server/router.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <nlohmann/json.hpp>
#include <thread>

#include "http/server/target.h"

namespace wardiary::http {
namespace {

Handler say(std::string text) {
  return [text](const Request&) { return text_response(200, text, "text/plain"); };
}

Response ask(const Router& router, Method method, std::string_view target) {
  Request request = make_request(method, target);
  return router.respond(request);
}

std::string code_of(const Response& response) {
  return nlohmann::json::parse(response.text())["code"];
}

TEST(Router, LeadsEachPathToItsHandler) {
  Router router;
  router.get("/", say("root"));
  router.get("/games", say("games"));
  router.get("/games/{game:id}", say("game"));
  router.get("/games/{game:id}/events/{version:uint}", say("event"));
  ASSERT_TRUE(router.check().ok());
  EXPECT_EQ(ask(router, Method::kGet, "/").text(), "root");
  EXPECT_EQ(ask(router, Method::kGet, "/games").text(), "games");
  EXPECT_EQ(ask(router, Method::kGet, "/games/00112233445566778899aabbccddeeff").text(), "game");
  EXPECT_EQ(ask(router, Method::kGet, "/games/00112233445566778899aabbccddeeff/events/0").text(),
            "event");
  for (const char* wrong : {"/game", "/games/", "/games/1", "//games", "/games//", "/GAMES",
                            "/games/00112233445566778899aabbccddeeff/events/-1"}) {
    EXPECT_EQ(ask(router, Method::kGet, wrong).status, 404) << wrong;
  }
}

TEST(Router, GivesTypedValuesToTheHandler) {
  Router router;
  router.get("/g/{game:id}/{n:uint}/{word:word}/{text:text}", [](const Request& request) {
    EXPECT_EQ(request.path_id("game").data[1], 0x11);
    EXPECT_EQ(request.path_uint("n"), 42u);
    EXPECT_EQ(request.path_text("word"), "a-b_c.d");
    EXPECT_EQ(request.path_text("text"), "ä ö");
    EXPECT_EQ(request.path_text("nobody"), "");
    EXPECT_EQ(request.path_uint("nobody"), 0u);
    return empty_response(204);
  });
  EXPECT_EQ(
      ask(router, Method::kGet, "/g/00112233445566778899aabbccddeeff/42/a-b_c.d/%C3%A4%20%c3%b6")
          .status,
      204);
}

TEST(Router, PrefersLiteralsAndTriesFurtherAtADeadEnd) {
  Router router;
  router.get("/a/b/c", say("literal"));
  router.get("/a/{x:text}/d", say("parameter"));
  router.get("/a/{n:uint}", say("number"));
  router.get("/a/{x:text}", say("text"));
  EXPECT_EQ(ask(router, Method::kGet, "/a/b/c").text(), "literal");
  EXPECT_EQ(ask(router, Method::kGet, "/a/b/d").text(), "parameter");
  EXPECT_EQ(ask(router, Method::kGet, "/a/7").text(), "number");
  EXPECT_EQ(ask(router, Method::kGet, "/a/7x").text(), "text");
}

TEST(Router, TakesTheRestOfAPathButNoWayOutOfIt) {
  Router router;
  router.get("/files/{file:path}", [](const Request& request) {
    return text_response(200, std::string(request.path_text("file")), "text/plain");
  });
  EXPECT_EQ(ask(router, Method::kGet, "/files/a/b%20c.js").text(), "a/b c.js");
  EXPECT_EQ(ask(router, Method::kGet, "/files").text(), "");
  for (const char* way_out : {"/files/..", "/files/../x", "/files/a/%2e%2e/x", "/files/..%2fx",
                              "/files/a//b", "/files/%00", "/files/.", "/files/a%5c..%5cb"}) {
    EXPECT_EQ(ask(router, Method::kGet, way_out).status, 404) << way_out;
  }
}

TEST(Router, AnswersOtherMethodsItself) {
  Router router;
  router.get("/x", say("x"));
  router.post("/x", say("posted"));
  const Response wrong = ask(router, Method::kDelete, "/x");
  EXPECT_EQ(wrong.status, 405);
  EXPECT_EQ(*wrong.headers.get("allow"), "OPTIONS, GET, HEAD, POST");
  EXPECT_EQ(ask(router, Method::kHead, "/x").status, 200);
  EXPECT_EQ(ask(router, Method::kOptions, "/x").status, 204);
  EXPECT_EQ(ask(router, Method::kOptions, "*").status, 204);
  EXPECT_EQ(ask(router, Method::kOther, "/x").status, 501);
}

TEST(Router, RefusesQueryParametersNobodyKnows) {
  Router router;
  router.get("/x", say("x"), Run::kPool, {"after", "limit"});
  EXPECT_EQ(ask(router, Method::kGet, "/x?after=1&limit=2").status, 200);
  EXPECT_EQ(ask(router, Method::kGet, "/x?").status, 200);
  const Response unknown = ask(router, Method::kGet, "/x?afterr=1");
  EXPECT_EQ(unknown.status, 400);
  EXPECT_EQ(code_of(unknown), "unknown_parameter");
  EXPECT_EQ(nlohmann::json::parse(unknown.text())["field"], "afterr");
  EXPECT_EQ(code_of(ask(router, Method::kGet, "/x?after=1&after=2")), "bad_target");
  EXPECT_EQ(code_of(ask(router, Method::kGet, "/x?after=%ff")), "bad_target");
}

TEST(Router, ReportsWrongRoutesBeforeTheServerStarts) {
  for (const char* pattern : {"x", "/a//b", "/{x}", "/{x:what}", "/{:id}", "/{a:path}/b", "/a{b"}) {
    Router router;
    router.get(pattern, say("x"));
    EXPECT_FALSE(router.check().ok()) << pattern;
  }
  Router twice;
  twice.get("/x", say("x"));
  twice.get("/x", say("y"));
  EXPECT_FALSE(twice.check().ok());
  Router empty;
  empty.add({});
  EXPECT_FALSE(empty.check().ok());
  Router none;
  none.add({Method::kGet, "/x", {}, {}, Run::kPool, {}, 0});
  EXPECT_FALSE(none.check().ok());
}

TEST(Router, TurnsExceptionsAndLostRepliesInto500) {
  Router router;
  router.get("/throw", [](const Request&) -> Response { throw std::runtime_error("secret"); });
  router.add({Method::kGet, "/lost", {}, [](const Request&, Reply) {}, Run::kPool, {}, 0});
  router.add({Method::kGet,
              "/late-throw",
              {},
              [](const Request&, Reply) { throw std::runtime_error("secret"); },
              Run::kPool,
              {},
              0});
  for (const char* path : {"/throw", "/lost", "/late-throw"}) {
    const Response response = ask(router, Method::kGet, path);
    EXPECT_EQ(response.status, 500) << path;
    EXPECT_EQ(response.text().find("secret"), std::string_view::npos);
  }
}

TEST(Router, WaitsForALaterAnswer) {
  Router router;
  std::thread other;
  router.add({Method::kGet,
              "/later",
              {},
              [&other](const Request&, Reply reply) {
                other = std::thread([reply = std::move(reply)]() mutable {
                  reply(text_response(200, "later", "text/plain"));
                });
              },
              Run::kInline,
              {},
              0});
  EXPECT_EQ(ask(router, Method::kGet, "/later").text(), "later");
  other.join();
}

TEST(Target, UnderstandsEveryFormARequestMayHave) {
  Request request = make_request(Method::kGet, "http://host:80/a/b?x=1");
  ASSERT_TRUE(parse_target(request).ok());
  EXPECT_EQ(request.path, "/a/b");
  EXPECT_EQ(*request.query.get("x"), "1");
  request.target = "https://host";
  ASSERT_TRUE(parse_target(request).ok());
  EXPECT_EQ(request.path, "/");
  for (const char* wrong : {"", "a", "a/b", "/a b", "/a#b", "/\xc3\xb6", "?x=1", "/a?b=%"}) {
    request.target = wrong;
    EXPECT_FALSE(parse_target(request).ok()) << wrong;
  }
}

TEST(Query, NamesTheParameterThatIsWrong) {
  Query query;
  query.add("limit", "12x");
  query.add("big", "1000");
  query.add("id", "12");
  query.add("flag", "yes");
  EXPECT_EQ(query.get_uint("limit", 100).error().text,
            "limit: must be a whole number");
  EXPECT_EQ(query.get_uint("big", 100).error().text, "big: must be at most 100");
  EXPECT_EQ(**query.get_uint("big", 1000), 1000u);
  EXPECT_FALSE((*query.get_uint("absent", 1)).has_value());
  EXPECT_FALSE(query.get_id("id").ok());
  EXPECT_FALSE(query.get_bool("flag", true).ok());
  EXPECT_TRUE(*query.get_bool("absent", true));
}

RC_GTEST_PROP(Target, DecodingUndoesEncoding, (const std::string& text)) {
  std::string encoded;
  for (unsigned char c : text) {
    char escape[4];
    std::snprintf(escape, sizeof(escape), "%%%02X", c);
    encoded += escape;
  }
  const auto decoded = decode_segment(encoded);
  const bool clean = !text.empty() && text != "." && text != ".." && is_clean_utf8(text) &&
                     text.find_first_of("/\\\t\n") == std::string::npos;
  RC_ASSERT(decoded.has_value() == clean);
  if (clean) RC_ASSERT(*decoded == text);
}

RC_GTEST_PROP(Router, NeverLetsATargetThroughThatNamesAParent, (const std::string& text)) {
  Router router;
  router.get("/files/{file:path}", [](const Request& request) {
    return text_response(200, std::string(request.path_text("file")), "text/plain");
  });
  const Response response = ask(router, Method::kGet, "/files/" + text);
  if (response.status == 200) {
    RC_ASSERT(("/" + std::string(response.text()) + "/").find("/../") == std::string::npos);
  }
}

}  // namespace
}  // namespace wardiary::http

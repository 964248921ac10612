#include "http/server/http.h"

#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <condition_variable>
#include <mutex>
#include <nlohmann/json.hpp>

#include "http/server/builtin/response_writer.h"
#include "http/server/server.h"
#include "http/server/stream.h"

namespace wardiary::http {
namespace {

TEST(Headers, CompareNamesWithoutRegardToCase) {
  Headers headers{{"Content-Type", "text/plain"}, {"X-A", "1"}, {"x-a", "2"}};
  EXPECT_EQ(*headers.get("content-TYPE"), "text/plain");
  EXPECT_EQ(*headers.get("X-A"), "1");
  EXPECT_FALSE(headers.has("Content"));
  headers.set("X-A", *headers.get("X-A"));
  EXPECT_EQ(headers.size(), 2u);
  EXPECT_EQ(*headers.get("x-a"), "1");
  headers.remove("x-a");
  EXPECT_FALSE(headers.has("X-A"));
}

TEST(Problem, SaysWhatIsWrongInAStableForm) {
  const Response response =
      problem(409, "conflict", "Version conflict", "somebody was first", {{"version", 7}});
  const auto json = nlohmann::json::parse(response.text());
  EXPECT_EQ(*response.headers.get("Content-Type"), "application/problem+json");
  EXPECT_EQ(json["type"], "urn:wardiary:problem:conflict");
  EXPECT_EQ(json["status"], 409);
  EXPECT_EQ(json["version"], 7);
  EXPECT_EQ(json["detail"], "somebody was first");
}

TEST(Problem, TellsNothingInternal) {
  const Response response = problem(Error{ErrorCode::kIo, "/var/lib/secret: no such file"});
  EXPECT_EQ(response.status, 500);
  EXPECT_EQ(response.text().find("secret"), std::string_view::npos);
  EXPECT_EQ(problem(not_found("no such game")).status, 404);
}

TEST(Etag, IsFoundInAListWhateverItsStrength) {
  EXPECT_TRUE(etag_listed("\"a\", W/\"b\"", "\"b\""));
  EXPECT_TRUE(etag_listed("\"a\"", "W/\"a\""));
  EXPECT_TRUE(etag_listed("*", "\"a\""));
  EXPECT_FALSE(etag_listed("\"ab\", \"c\"", "\"a\""));
  EXPECT_FALSE(etag_listed("", "\"a\""));
}

TEST(ResponseHead, NeverLetsALineBreakThrough) {
  Response response = text_response(200, "x", "text/plain");
  response.headers.add("X-Bad", "a\r\nSet-Cookie: b");
  std::string out;
  EXPECT_FALSE(append_head(out, response, {}));
  EXPECT_TRUE(out.empty());
}

TEST(ResponseHead, FramesTheMessageItself) {
  Response response = text_response(200, "hello", "text/plain");
  response.headers.add("Content-Length", "999");
  response.headers.add("transfer-encoding", "chunked");
  response.headers.add("Connection", "upgrade");
  std::string out;
  ASSERT_TRUE(append_head(out, response, {}));
  EXPECT_NE(out.find("Content-Length: 5\r\n"), std::string::npos);
  EXPECT_EQ(out.find("999"), std::string::npos);
  EXPECT_EQ(out.find("chunked"), std::string::npos);
  EXPECT_EQ(out.find("upgrade"), std::string::npos);
}

TEST(ResponseHead, WritesDatesAsHttpWantsThem) {
  EXPECT_EQ(http_date(784111777), "Sun, 06 Nov 1994 08:49:37 GMT");
}

TEST(Gzip, IsUsedOnlyWhereAccepted) {
  const auto accepts = [](std::string_view field) {
    return accepts_gzip(make_request(Method::kGet, "/", {}, {{"Accept-Encoding", field}}));
  };
  EXPECT_TRUE(accepts("gzip"));
  EXPECT_TRUE(accepts("br, GZIP;q=0.1"));
  EXPECT_FALSE(accepts("gzip;q=0"));
  EXPECT_FALSE(accepts("gzip; q=0.000"));
  EXPECT_FALSE(accepts("br"));
  EXPECT_FALSE(accepts("xgzip"));
}

TEST(Stream, RefusesWhatDoesNotFitAndWakesTheProducer) {
  Stream stream(10);
  int woken = 0;
  stream.on_ready([&] { ++woken; });
  EXPECT_EQ(stream.send("0123456789abc"), Stream::Sent::kOk);  // alone, it may be larger
  EXPECT_EQ(stream.send("x"), Stream::Sent::kFull);
  EXPECT_EQ(woken, 0);
  std::vector<SharedBytes> out;
  EXPECT_FALSE(stream.take(out, 100));
  EXPECT_EQ(out.size(), 1u);
  EXPECT_EQ(woken, 1);
  EXPECT_EQ(stream.send("x"), Stream::Sent::kOk);
  stream.take(out, 100);
  EXPECT_EQ(woken, 1);  // nobody was refused
}

TEST(Stream, EndsAfterWhatIsBuffered) {
  Stream stream;
  EXPECT_EQ(stream.send("a"), Stream::Sent::kOk);
  stream.close();
  EXPECT_EQ(stream.send("b"), Stream::Sent::kClosed);
  std::vector<SharedBytes> out;
  EXPECT_TRUE(stream.take(out, 100));
  EXPECT_EQ(*out.at(0), "a");
}

TEST(Stream, TellsTheServerOnceAndTheProducerThatItsReaderHasGone) {
  Stream stream;
  int told = 0, woken = 0;
  stream.on_ready([&] { ++woken; });
  stream.send("a");
  stream.attach([&] { ++told; });
  EXPECT_EQ(told, 1);
  stream.send("b");
  EXPECT_EQ(told, 1);
  std::vector<SharedBytes> out;
  stream.take(out, 100);
  stream.send("c");
  EXPECT_EQ(told, 2);
  stream.abandon();
  EXPECT_EQ(woken, 1);
  EXPECT_TRUE(stream.closed());
  EXPECT_EQ(stream.send("d"), Stream::Sent::kClosed);
}

TEST(ServerSentEvent, SplitsItsDataIntoLines) {
  EXPECT_EQ(sse_event("7", "order", "a\nb\r\nc"),
            "id: 7\nevent: order\ndata: a\ndata: b\ndata: c\n\n");
  EXPECT_EQ(sse_event("7\nevil: x", "", "a"), "id: 7\ndata: a\n\n");
}

// A connection on which `text` was sent; the caller closes it.
int send_request(std::uint16_t port, std::string_view text) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  address.sin_port = htons(port);
  const int fd = ::socket(AF_INET, SOCK_STREAM, 0);
  EXPECT_EQ(::connect(fd, reinterpret_cast<sockaddr*>(&address), sizeof(address)), 0);
  EXPECT_EQ(::send(fd, text.data(), text.size(), 0), static_cast<ssize_t>(text.size()));
  return fd;
}

TEST(Server, SaysWhyItCannotStart) {
  for (const std::string& backend : backends()) {
    ServerOptions options;
    options.address = "not an address";
    EXPECT_FALSE(start_server(backend, options, Router()).ok()) << backend;
    Router wrong;
    wrong.get("no slash", [](const Request&) { return empty_response(204); });
    EXPECT_FALSE(start_server(backend, {}, std::move(wrong)).ok()) << backend;
    options = {};
    options.tls_certificate_file = "/nonexistent";
    EXPECT_FALSE(start_server(backend, options, Router()).ok()) << backend;
  }
  EXPECT_FALSE(start_server("apache", {}, Router()).ok());
}

TEST(Server, RefusesAPortInUse) {
  auto first = start_builtin({}, Router());
  ASSERT_TRUE(first.ok());
  ServerOptions options;
  options.port = (*first)->port();
  const auto second = start_builtin(options, Router());
  ASSERT_FALSE(second.ok());
  EXPECT_EQ(second.error().code, ErrorCode::kIo);
}

TEST(Server, MayEndBeforeAReplyIsGiven) {
  // The Reply of a handler that never got to answer outlives the server.
  std::mutex mutex;
  std::vector<Reply> kept;
  std::condition_variable arrived;
  Router router;
  router.add({Method::kGet,
              "/never",
              {},
              [&](const Request&, Reply reply) {
                std::lock_guard lock(mutex);
                kept.push_back(std::move(reply));
                arrived.notify_all();
              },
              Run::kInline,
              {},
              0});
  auto server = start_builtin({}, std::move(router));
  ASSERT_TRUE(server.ok());
  const int client = send_request((*server)->port(), "GET /never HTTP/1.1\r\nHost: t\r\n\r\n");
  {
    std::unique_lock lock(mutex);
    ASSERT_TRUE(arrived.wait_for(lock, std::chrono::seconds(10), [&] { return !kept.empty(); }));
  }
  (*server)->drain(std::chrono::milliseconds(50));
  *server = nullptr;
  ::close(client);
  kept.front()(text_response(200, "too late", "text/plain"));
}

}  // namespace
}  // namespace wardiary::http

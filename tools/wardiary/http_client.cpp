#include "tools/wardiary/http_client.h"

#include <netdb.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <nlohmann/json.hpp>

#include "domain/json_reader.h"

namespace wardiary::cli {

using nlohmann::json;

namespace {

constexpr std::size_t kAnswerMax = 64u << 20;
constexpr int kSecondsMax = 30;

Error trouble(const std::string& text) {
  return {ErrorCode::kIo, text};
}

class Socket {
 public:
  Socket() = default;
  Socket(const Socket&) = delete;
  Socket& operator=(const Socket&) = delete;
  ~Socket() {
    if (fd_ >= 0) ::close(fd_);
  }

  Status open(const std::string& host, const std::string& port) {
    addrinfo hints{};
    hints.ai_socktype = SOCK_STREAM;
    addrinfo* found = nullptr;
    if (const int bad = ::getaddrinfo(host.c_str(), port.c_str(), &hints, &found); bad != 0) {
      return trouble(host + ": " + ::gai_strerror(bad));
    }
    std::string why = "no address";
    for (const addrinfo* each = found; each && fd_ < 0; each = each->ai_next) {
      const int fd = ::socket(each->ai_family, each->ai_socktype | SOCK_CLOEXEC, each->ai_protocol);
      if (fd < 0) continue;
      const timeval limit{kSecondsMax, 0};
      ::setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
      ::setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof limit);
      if (::connect(fd, each->ai_addr, each->ai_addrlen) == 0) {
        fd_ = fd;
      } else {
        why = std::strerror(errno);
        ::close(fd);
      }
    }
    ::freeaddrinfo(found);
    if (fd_ < 0) return trouble("cannot connect to " + host + ":" + port + ": " + why);
    return Done{};
  }
  Status send(std::string_view text) {
    while (!text.empty()) {
      const ssize_t n = ::send(fd_, text.data(), text.size(), MSG_NOSIGNAL);
      if (n < 0 && errno == EINTR) continue;
      if (n <= 0) return trouble(std::string("cannot send: ") + std::strerror(errno));
      text.remove_prefix(static_cast<std::size_t>(n));
    }
    return Done{};
  }
  // Until the other side closes.
  Result<std::string> receive() {
    std::string out;
    char buffer[16384];
    while (true) {
      const ssize_t n = ::recv(fd_, buffer, sizeof buffer, 0);
      if (n < 0 && errno == EINTR) continue;
      if (n < 0) return trouble(std::string("no answer: ") + std::strerror(errno));
      if (n == 0) return out;
      out.append(buffer, static_cast<std::size_t>(n));
      if (out.size() > kAnswerMax) return trouble("the answer is too long");
    }
  }

 private:
  int fd_ = -1;
};

std::string lower(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

}  // namespace

Result<HttpClient> HttpClient::at(const std::string& url, std::string token) {
  constexpr std::string_view kScheme = "http://";
  if (!url.starts_with(kScheme)) return invalid("--url: must begin with http://");
  HttpClient out;
  const auto bad = [](char c) { return static_cast<unsigned char>(c) <= ' ' || c == '\x7f'; };
  if (std::any_of(url.begin(), url.end(), bad) || std::any_of(token.begin(), token.end(), bad)) {
    return invalid("--url or --token: holds a character that cannot be sent");
  }
  const std::string rest = url.substr(kScheme.size());
  const auto slash = std::min(rest.find('/'), rest.size());
  const std::string place = rest.substr(0, slash);
  out.base_ = rest.substr(slash);
  while (out.base_.ends_with('/')) out.base_.pop_back();
  const auto colon = place.rfind(':');
  const bool has_port = colon != std::string::npos && place.find(']', colon) == std::string::npos;
  out.host_ = has_port ? place.substr(0, colon) : place;
  out.port_ = has_port ? place.substr(colon + 1) : "80";
  if (out.host_.starts_with('[') && out.host_.ends_with(']')) {
    out.host_ = out.host_.substr(1, out.host_.size() - 2);
  }
  if (out.host_.empty() || out.port_.empty()) return invalid("--url: names no host");
  out.token_ = std::move(token);
  return out;
}

// One request per connection: the answer ends where the service closes it.
Result<HttpClient::Answer> HttpClient::exchange(const std::string& request) const {
  Socket socket;
  if (auto opened = socket.open(host_, port_); !opened) return std::move(opened).error();
  if (auto sent = socket.send(request); !sent) return std::move(sent).error();
  auto text = socket.receive();
  if (!text) return std::move(text).error();
  const auto end = text->find("\r\n\r\n");
  if (end == std::string::npos || !text->starts_with("HTTP/1.1 ") || text->size() < 12) {
    return trouble("not an answer in HTTP/1.1");
  }
  Answer out;
  out.status = std::atoi(text->c_str() + 9);
  out.body = text->substr(end + 4);
  const std::string head = lower(text->substr(0, end + 2));
  if (head.find("\r\ntransfer-encoding:") != std::string::npos) {
    return trouble("an answer in pieces, which this command does not read");
  }
  const auto length = head.find("\r\ncontent-length:");
  if (length != std::string::npos &&
      std::strtoull(head.c_str() + length + 17, nullptr, 10) != out.body.size()) {
    return trouble("the answer was cut off");
  }
  return out;
}

Result<json> HttpClient::ask(const std::string& method, const std::string& path,
                             const std::string& body) const {
  std::string request = method + " " + base_ + path + " HTTP/1.1\r\nHost: " + host_ + ":" + port_ +
                        "\r\nConnection: close\r\nAccept: application/json\r\n";
  if (!token_.empty()) request += "Authorization: Bearer " + token_ + "\r\n";
  if (method == "POST") {
    request +=
        "Content-Type: application/json\r\nContent-Length: " + std::to_string(body.size()) + "\r\n";
  }
  auto answer = exchange(request + "\r\n" + body);
  if (!answer) return std::move(answer).error();
  auto value = parse_json(answer->body);
  if (answer->status < 300 && value) return value;
  const bool told =
      value && value->is_object() && value->contains("detail") && (*value)["detail"].is_string();
  const std::string words = told ? (*value)["detail"].get<std::string>() : "no reason given";
  const ErrorCode code = answer->status == 409                            ? ErrorCode::kConflict
                         : answer->status == 404                          ? ErrorCode::kNotFound
                         : answer->status == 403 || answer->status == 401 ? ErrorCode::kDenied
                         : answer->status < 500                           ? ErrorCode::kInvalid
                                                                          : ErrorCode::kIo;
  return Error{code, "the service answers " + std::to_string(answer->status) + ": " + words};
}

Result<json> HttpClient::get(const std::string& path) const {
  return ask("GET", path, "");
}

Result<json> HttpClient::post(const std::string& path, const json& body) const {
  return ask("POST", path, body.dump());
}

}  // namespace wardiary::cli

#include "http/server/router.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <future>
#include <nlohmann/json.hpp>

#include "http/server/target.h"

namespace wardiary::http {
namespace {

enum class Type : std::uint8_t { kId, kUint, kWord, kText, kPath };
constexpr std::array<std::string_view, 5> kTypeNames = {"id", "uint", "word", "text", "path"};

bool is_word(std::string_view text) {
  return text.size() <= 64 && std::all_of(text.begin(), text.end(), [](char c) {
           return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                  c == '_' || c == '-' || c == '.';
         });
}

// Decodes one segment into `value`; false when it is not of that type.
bool read_value(Type type, std::string_view segment, PathValue& value) {
  auto decoded = decode_segment(segment);
  if (!decoded) return false;
  value.text = std::move(*decoded);
  const std::string& text = value.text;
  switch (type) {
    case Type::kId: {
      const auto id = fixed_from_hex<Id::kSize>(text);
      if (id) value.id = *id;
      return id.has_value();
    }
    case Type::kUint: {
      const auto [end, error] =
          std::from_chars(text.data(), text.data() + text.size(), value.number);
      return error == std::errc() && end == text.data() + text.size() &&
             (text.size() == 1 || text.front() != '0');
    }
    case Type::kWord:
      return is_word(text);
    case Type::kText:
    case Type::kPath:
      return true;
  }
  return false;
}

// All of `segments` decoded and joined; false when one of them is bad.
bool read_rest(const std::string_view* segment, const std::string_view* end, PathValue& value) {
  value.text.clear();
  for (; segment != end; ++segment) {
    const auto decoded = decode_segment(*segment);
    if (!decoded) return false;
    if (!value.text.empty()) value.text += '/';
    value.text += *decoded;
  }
  return true;
}

}  // namespace

// A tree of segments. Literal children are few (the widest node has some twenty), so they are
// searched in order.
struct Router::Node {
  struct Literal {
    std::string text;
    std::unique_ptr<Node> node;
  };
  struct Parameter {
    Type type;
    std::string name;
    std::unique_ptr<Node> node;
  };
  std::vector<Literal> literals;
  std::vector<Parameter> parameters;
  std::array<const Route*, 8> routes{};  // by Method

  bool has_routes() const {
    return std::any_of(routes.begin(), routes.end(), [](auto* route) { return route; });
  }

  // Depth first, literals before parameters, so that a dead end below one is tried under the next.
  const Node* find(const std::string_view* segment, const std::string_view* end,
                   std::vector<PathValue>& values) const {
    if (segment == end && has_routes()) return this;
    if (segment != end) {
      for (const Literal& literal : literals) {
        if (literal.text != *segment) continue;
        if (const Node* found = literal.node->find(segment + 1, end, values)) return found;
      }
    }
    for (const Parameter& parameter : parameters) {
      const bool rest = parameter.type == Type::kPath;
      if (segment == end && !rest) continue;
      PathValue value;
      value.name = parameter.name;
      const bool fits =
          rest ? read_rest(segment, end, value) : read_value(parameter.type, *segment, value);
      if (!fits) continue;
      values.push_back(std::move(value));
      if (const Node* found = parameter.node->find(rest ? end : segment + 1, end, values)) {
        return found;
      }
      values.pop_back();
    }
    return nullptr;
  }
};

Router::Router() : root_(std::make_unique<Node>()) {}
Router::~Router() = default;
Router::Router(Router&&) noexcept = default;
Router& Router::operator=(Router&&) noexcept = default;

// The child that a segment of a pattern leads to, made where missing; null for a wrong segment.
Router::Node* Router::child_for(Node& node, std::string_view segment, bool last,
                                const std::string& pattern) {
  const auto wrong = [&](const char* why) -> Node* {
    if (first_error_.empty()) first_error_ = "route " + pattern + ": " + why;
    return nullptr;
  };
  if (segment.empty()) return wrong("empty segment");
  if (!segment.starts_with('{')) {
    if (segment.find_first_of("{}%") != std::string_view::npos) return wrong("wrong literal");
    for (auto& literal : node.literals) {
      if (literal.text == segment) return literal.node.get();
    }
    node.literals.push_back({std::string(segment), std::make_unique<Node>()});
    return node.literals.back().node.get();
  }
  const std::size_t colon = segment.find(':');
  if (!segment.ends_with('}') || colon == std::string_view::npos || colon < 2) {
    return wrong("a parameter is {name:type}");
  }
  const std::string_view name = segment.substr(1, colon - 1);
  const std::string_view type_name = segment.substr(colon + 1, segment.size() - colon - 2);
  const auto type = std::find(kTypeNames.begin(), kTypeNames.end(), type_name);
  if (type == kTypeNames.end()) return wrong("unknown parameter type");
  const auto kind = static_cast<Type>(type - kTypeNames.begin());
  if (kind == Type::kPath && !last) return wrong("a path parameter must be last");
  for (auto& parameter : node.parameters) {
    if (parameter.type == kind && parameter.name == name) return parameter.node.get();
  }
  node.parameters.push_back({kind, std::string(name), std::make_unique<Node>()});
  Node* made = node.parameters.back().node.get();
  std::stable_sort(node.parameters.begin(), node.parameters.end(),
                   [](const auto& a, const auto& b) { return a.type < b.type; });
  return made;
}

void Router::add(Route route) {
  const std::string pattern = route.pattern;
  const auto wrong = [&](const std::string& why) {
    if (first_error_.empty()) first_error_ = "route " + pattern + ": " + why;
  };
  if (!pattern.starts_with('/')) return wrong("a pattern starts with /");
  if (static_cast<bool>(route.handler) == static_cast<bool>(route.later)) {
    return wrong("exactly one of handler and later is needed");
  }
  if (route.method == Method::kHead || route.method == Method::kOptions ||
      route.method == Method::kOther) {
    return wrong("HEAD and OPTIONS are answered from the other routes");
  }
  std::vector<std::string_view> segments;
  split_path(pattern, segments);
  Node* node = root_.get();
  for (std::size_t i = 0; i < segments.size() && node; ++i) {
    node = child_for(*node, segments[i], i + 1 == segments.size(), pattern);
  }
  if (!node) return;
  const Route*& slot = node->routes[static_cast<std::size_t>(route.method)];
  if (slot) return wrong("is there already for " + std::string(name_of(route.method)));
  routes_.push_back(std::make_unique<Route>(std::move(route)));
  slot = routes_.back().get();
}

void Router::get(std::string pattern, Handler handler, Run run, std::vector<std::string> query) {
  add({Method::kGet, std::move(pattern), std::move(handler), {}, run, std::move(query), 0});
}

void Router::post(std::string pattern, Handler handler, Run run, std::vector<std::string> query) {
  add({Method::kPost, std::move(pattern), std::move(handler), {}, run, std::move(query), 0});
}

Status Router::check() const {
  if (!first_error_.empty()) return invalid(first_error_);
  return Done{};
}

const std::vector<std::unique_ptr<Route>>& Router::routes() const {
  return routes_;
}

std::string Router::allowed(const Node& node) const {
  std::string list = "OPTIONS";
  for (const Route* route : node.routes) {
    if (!route) continue;
    list.append(", ").append(name_of(route->method));
    if (route->method == Method::kGet) list.append(", HEAD");
  }
  return list;
}

const Route* Router::find(Request& request, Response& answer) const {
  // Kept between calls so that the usual request allocates nothing here.
  thread_local std::vector<std::string_view> segments;
  request.values.clear();
  if (const Status parsed = parse_target(request); !parsed) {
    answer = problem(400, "bad_target", "The request target is wrong", parsed.error().text);
    return nullptr;
  }
  if (request.method == Method::kOther) {
    answer = problem(501, "unknown_method", "Unknown method");
    return nullptr;
  }
  if (request.path == "*") {
    answer = request.method == Method::kOptions
                 ? empty_response(204)
                 : problem(400, "bad_target", "The request target is wrong");
    return nullptr;
  }
  split_path(request.path, segments);
  const Node* node =
      root_->find(segments.data(), segments.data() + segments.size(), request.values);
  if (!node) {
    answer = problem(404, "not_found", "Not found", "no such resource");
    return nullptr;
  }
  const Method method = request.method == Method::kHead ? Method::kGet : request.method;
  const Route* route = node->routes[static_cast<std::size_t>(method)];
  if (!route) {
    answer = method == Method::kOptions ? empty_response(204)
                                        : problem(405, "method_not_allowed", "Method not allowed");
    answer.headers.add("Allow", allowed(*node));
    return nullptr;
  }
  for (std::size_t i = 0; i < request.query.size(); ++i) {
    const std::string& name = request.query[i].first;
    if (std::find(route->query.begin(), route->query.end(), name) != route->query.end()) continue;
    answer = problem(400, "unknown_parameter", "Unknown query parameter",
                     "there is no query parameter '" + name + "' here", {{"field", name}});
    return nullptr;
  }
  return route;
}

Response run_handler(const Route& route, const Request& request) {
  try {
    return route.handler(request);
  } catch (...) {
    // What went wrong is internal; the handler's own code is where it can be logged.
    return problem(500, "internal", "Internal error");
  }
}

void run_later(const Route& route, const Request& request, Reply reply) {
  try {
    route.later(request, std::move(reply));
  } catch (...) {
    // The Reply was destroyed on the way here and has answered 500.
  }
}

Response run_and_wait(const Route& route, const Request& request) {
  if (route.handler) return run_handler(route, request);
  struct Waiting : Reply::Target {
    std::promise<Response> promise;
    void answer(Response response) override { promise.set_value(std::move(response)); }
  };
  auto waiting = std::make_shared<Waiting>();
  auto future = waiting->promise.get_future();
  run_later(route, request, Reply(waiting));
  return future.get();
}

Response Router::respond(Request& request) const {
  Response answer;
  const Route* route = find(request, answer);
  return route ? run_and_wait(*route, request) : answer;
}

Request make_request(Method method, std::string_view target, std::string body, Headers headers) {
  Request request;
  request.method = method;
  request.target = target;
  request.body = std::move(body);
  request.headers = std::move(headers);
  return request;
}

}  // namespace wardiary::http

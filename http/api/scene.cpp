#include "http/api/scene.h"

#include <nlohmann/json.hpp>

#include "domain/base/sha256.h"
#include "domain/json_reader.h"
#include "http/api/service.h"

namespace wardiary::http {

using nlohmann::json;

namespace {

constexpr std::string_view kGame = "/games/{game:id}";
constexpr std::string_view kBranch = "/games/{game:id}/branches/{branch:id}";

Response not_known(const Error& error) {
  if (error.code == ErrorCode::kLimit) {
    Response answer = problem(429, "too_many_guesses", "Too many unknown tokens", error.text);
    answer.headers.set("Retry-After", std::to_string(GuessLimit::kWindow.count()));
    return answer;
  }
  if (error.code != ErrorCode::kDenied) return problem(error);
  Response answer = problem(401, "unknown_token", "Not known", error.text);
  answer.headers.set("WWW-Authenticate", "Bearer");
  return answer;
}

// Every answer to a GET has a tag, and is not sent again to who has it. What it shows depends on
// who asks, so only the asker's own cache may keep it.
void tag(const Request& request, Response& answer) {
  if (!answer.headers.has("Cache-Control")) {
    answer.headers.set("Cache-Control", "private, no-cache");
  }
  if (!answer.headers.has("Vary")) answer.headers.set("Vary", "Authorization");
  if (!answer.headers.has("ETag")) {
    const std::string hash = to_hex(sha256(bytes_of(answer.text())));
    answer.headers.set("ETag", "\"" + hash.substr(0, 32) + "\"");
  }
  auto known = request.headers.get("If-None-Match");
  if (!known || !etag_listed(*known, *answer.headers.get("ETag"))) return;
  answer.status = 304;
  answer.body = std::string();
  answer.headers.remove("Content-Type");
}

Response finish(const Request& request, Answer answer) {
  Response out = answer ? std::move(*answer) : problem(answer.error());
  const bool reading = request.method == Method::kGet || request.method == Method::kHead;
  if (reading && out.status == 200 && !out.is_stream()) {
    tag(request, out);
  } else if (!out.headers.has("Cache-Control")) {
    out.headers.set("Cache-Control", "no-store");
  }
  return out;
}

// A service that is not open to everybody shows a game only to its own seats, referee and guests.
bool may_look(const Service& service, const Grant& grant, const GameId& game) {
  return service.options.anyone_may_look || grant.role == Grant::Role::kAdmin || grant.game == game;
}

Result<GameScene> open_game(const Asker& asker) {
  const GameId id = asker.request.path_id("game");
  if (!may_look(asker.service, asker.grant, id)) return not_found("there is no such game");
  auto game = asker.service.library.game(id);
  if (!game) return std::move(game).error();
  auto head = asker.service.time.head((*game)->mainline);
  if (!head) return std::move(head).error();
  const bool over = head->position.over;
  const Viewer viewer = Access::viewer(asker.grant, **game, over);
  return GameScene{asker, std::move(*game), over, viewer};
}

Result<Scene> open_branch(const Asker& asker) {
  auto game = open_game(asker);
  if (!game) return std::move(game).error();
  auto branch = branch_of(*game, asker.request.path_id("branch"));
  if (!branch) return std::move(branch).error();
  return Scene{std::move(*game), std::move(*branch)};
}

}  // namespace

bool may_order(const Scene& scene, SideId side) {
  if (!scene.branch.parent) return Access::may_order(scene.grant, *scene.game, side);
  return scene.sees_everything();
}

Result<BranchInfo> branch_of(const GameScene& scene, const BranchId& id) {
  auto branch = scene.service.store.branch(id);
  if (branch && branch->game == scene.game->id) return branch;
  if (!branch && branch.error().code != ErrorCode::kNotFound) return branch;
  return not_found("the game has no such branch");
}

void Routes::add_route(Method method, std::string pattern, Handler handler, Extra extra) {
  router_.add({method, std::move(pattern), std::move(handler), nullptr, Run::kPool,
               std::move(extra.query), extra.body_bytes_max});
}

void Routes::add(Method method, const std::string& pattern, Answer (*handler)(const Asker&),
                 Extra extra) {
  add_route(
      method, pattern,
      [&service = service_, handler](const Request& request) {
        auto grant = service.access.who(request);
        if (!grant) return not_known(grant.error());
        return finish(request, handler(Asker{service, request, std::move(*grant)}));
      },
      std::move(extra));
}

void Routes::add(Method method, const std::string& below, Answer (*handler)(const GameScene&),
                 Extra extra) {
  add_route(
      method, std::string(kGame) + below,
      [&service = service_, handler](const Request& request) {
        auto grant = service.access.who(request);
        if (!grant) return not_known(grant.error());
        auto scene = open_game(Asker{service, request, std::move(*grant)});
        return finish(request, scene ? handler(*scene) : std::move(scene).error());
      },
      std::move(extra));
}

void Routes::add(Method method, const std::string& below, Answer (*handler)(const Scene&),
                 Extra extra) {
  add_route(
      method, std::string(kBranch) + below,
      [&service = service_, handler](const Request& request) {
        auto grant = service.access.who(request);
        if (!grant) return not_known(grant.error());
        auto scene = open_branch(Asker{service, request, std::move(*grant)});
        return finish(request, scene ? handler(*scene) : std::move(scene).error());
      },
      std::move(extra));
}

void Routes::inline_get(const std::string& pattern, Handler handler) {
  router_.get(pattern, std::move(handler), Run::kInline);
}

Result<json> read_body(const Request& request) {
  auto document = parse_json(request.body);
  if (!document) return std::move(document).error().within("the body");
  if (!document->is_object()) return invalid("the body must be a JSON object");
  return document;
}

Result<std::size_t> limit_of(const Request& request, std::size_t usual, std::size_t max) {
  auto limit = request.query.get_uint("limit", max);
  if (!limit) return std::move(limit).error();
  if (*limit && **limit == 0) return invalid("limit: must be at least 1");
  return static_cast<std::size_t>(limit->value_or(usual));
}

Result<Version> version_after(const Request& request) {
  auto after = request.query.get_uint("after", INT64_MAX - 1);
  if (!after) return std::move(after).error();
  return after->value_or(0);
}

std::optional<std::string> cursor_of(const Request& request) {
  auto cursor = request.query.get("after");
  return cursor ? std::optional<std::string>(*cursor) : std::nullopt;
}

Result<std::uint64_t> required_uint(const Request& request, std::string_view name) {
  auto value = request.query.get_uint(name, INT64_MAX);
  if (!value) return std::move(value).error();
  if (!*value) return invalid(std::string(name) + ": is missing");
  return **value;
}

Result<Format> format_of(const Request& request) {
  const std::string_view word = request.query.get("format").value_or("json");
  if (word == "json") return Format::kJson;
  if (word == "markdown") return Format::kMarkdown;
  if (word == "html") return Format::kHtml;
  return invalid("format: must be json, markdown or html");
}

Response markdown_response(std::string text) {
  return text_response(200, std::move(text), "text/markdown; charset=utf-8");
}

Response page_response(std::string html) {
  Response answer = text_response(200, std::move(html), "text/html; charset=utf-8");
  // Its style is inside; nothing else is.
  answer.headers.set("Content-Security-Policy",
                     "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; "
                     "base-uri 'none'; form-action 'none'");
  answer.headers.set("X-Content-Type-Options", "nosniff");
  return answer;
}

Response json_text(int status, std::string body) {
  return text_response(status, std::move(body), "application/json");
}

Response by_version(const GameScene& scene, std::string body) {
  Response answer = json_text(200, std::move(body));
  if (scene.sees_everything()) {
    answer.headers.set("Cache-Control", "private, max-age=31536000, immutable");
  }
  return answer;
}

Response denied(std::string_view detail) {
  return problem(403, "denied", "Not allowed", detail);
}

Response is_hidden(std::string_view detail) {
  return problem(403, "hidden", "Hidden", detail);
}

std::optional<CommandId> command_of(const Asker& asker) {
  auto key = asker.request.headers.get("Idempotency-Key");
  if (!key) return std::nullopt;
  const std::string owner = std::string(role_word(asker.grant.role)) + "\n" + asker.grant.seat;
  const Hash hash = sha256(bytes_of(std::string(*key) + "\n" + owner));
  return *Id::from(hash.view().first(16));
}

std::string author_of(const Grant& grant) {
  return grant.role == Grant::Role::kSeat ? grant.seat : std::string(role_word(grant.role));
}

}  // namespace wardiary::http

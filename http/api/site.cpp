// The page itself, health, and evidence that needs no view: checkpoint and key of a game's log.
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>

#include "domain/base/sha256.h"
#include "http/api/service.h"

namespace wardiary::http {

namespace {

namespace fs = std::filesystem;

struct File {
  SharedBytes bytes;
  std::string type;
  std::string etag;
  bool hashed = false;  // its name changes with its content
};

std::string type_of(const fs::path& path) {
  static const std::map<std::string, std::string> types = {
      {".html", "text/html; charset=utf-8"},        {".js", "text/javascript; charset=utf-8"},
      {".css", "text/css; charset=utf-8"},          {".svg", "image/svg+xml"},
      {".png", "image/png"},                        {".json", "application/json"},
      {".woff2", "font/woff2"},                     {".ico", "image/x-icon"},
      {".map", "application/json"},                 {".txt", "text/plain; charset=utf-8"}};
  auto found = types.find(path.extension().string());
  return found == types.end() ? "application/octet-stream" : found->second;
}

// The page is read once, at start: what is served is what was there then, and no request ever
// becomes a file name.
std::map<std::string, File> load_site(const fs::path& directory) {
  std::map<std::string, File> files;
  std::error_code error;
  if (directory.empty() || !fs::is_directory(directory, error)) return files;
  for (const auto& entry : fs::recursive_directory_iterator(directory, error)) {
    if (!entry.is_regular_file()) continue;
    std::ifstream in(entry.path(), std::ios::binary);
    std::ostringstream content;
    content << in.rdbuf();
    File file;
    file.bytes = share(std::move(content).str());
    file.type = type_of(entry.path());
    file.etag = "\"" + to_hex(sha256(bytes_of(*file.bytes))).substr(0, 32) + "\"";
    const std::string name = fs::relative(entry.path(), directory, error).generic_string();
    file.hashed = name.starts_with("assets/");
    files.emplace(name, std::move(file));
  }
  return files;
}

Response serve(const Request& request, const File& file) {
  auto known = request.headers.get("If-None-Match");
  Response answer;
  if (known && etag_listed(*known, file.etag)) {
    answer = empty_response(304);
  } else {
    answer.body = file.bytes;
    answer.headers.set("Content-Type", file.type);
  }
  answer.headers.set("ETag", file.etag);
  answer.headers.set("Cache-Control",
                     file.hashed ? "public, max-age=31536000, immutable" : "no-cache");
  answer.headers.set("Content-Security-Policy",
                     "default-src 'self'; img-src 'self' data:; style-src 'self'; "
                     "object-src 'none'; base-uri 'none'; frame-ancestors 'none'; form-action 'self'");
  answer.headers.set("X-Content-Type-Options", "nosniff");
  answer.headers.set("Referrer-Policy", "no-referrer");
  return answer;
}

Response get_checkpoint(Service& service, const Request& request) {
  GameOrAnswer opened = open_game(service, request);
  if (!opened.game) return std::move(opened.answer);
  auto checkpoint = service.store.checkpoint(opened.game->id);
  if (!checkpoint) return problem(checkpoint.error());
  Response answer = text_response(200, *checkpoint, "text/plain; charset=utf-8");
  answer.headers.set("Cache-Control", "no-store");
  return answer;
}

Response get_log_key(Service& service, const Request& request) {
  GameOrAnswer opened = open_game(service, request);
  if (!opened.game) return std::move(opened.answer);
  auto key = service.store.log_key(opened.game->id);
  if (!key) return problem(key.error());
  return text_response(200, *key + "\n", "text/plain; charset=utf-8");
}

}  // namespace

void add_site_routes(Service& service, Router& router) {
  router.get("/healthz", [](const Request&) { return text_response(200, "ok\n", "text/plain"); },
             Run::kInline);
  router.get("/games/{game:id}/checkpoint",
             [&service](const Request& r) { return get_checkpoint(service, r); });
  router.get("/games/{game:id}/logkey",
             [&service](const Request& r) { return get_log_key(service, r); });

  auto files = std::make_shared<const std::map<std::string, File>>(
      load_site(service.options.web_directory));
  auto named = [files](const std::string& name, const Request& request) {
    auto found = files->find(name);
    if (found != files->end()) return serve(request, found->second);
    return problem(404, "not_found", "Not found", "there is no such page");
  };
  router.get("/", [named](const Request& r) { return named("index.html", r); }, Run::kInline);
  for (const auto& [name, file] : *files) {
    if (name.find('/') != std::string::npos) continue;
    router.get("/" + name, [named, name = name](const Request& r) { return named(name, r); },
               Run::kInline);
  }
  router.get("/assets/{file:path}",
             [named](const Request& r) { return named("assets/" + std::string(r.path_text("file")), r); },
             Run::kInline);
}

}  // namespace wardiary::http

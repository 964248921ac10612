// The page itself.
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
      {".html", "text/html; charset=utf-8"},
      {".js", "text/javascript; charset=utf-8"},
      {".css", "text/css; charset=utf-8"},
      {".svg", "image/svg+xml"},
      {".png", "image/png"},
      {".json", "application/json"},
      {".woff2", "font/woff2"},
      {".ico", "image/x-icon"},
      {".map", "application/json"},
      {".txt", "text/plain; charset=utf-8"}};
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
  answer.headers.set(
      "Content-Security-Policy",
      "default-src 'self'; img-src 'self' data:; style-src 'self'; "
      "object-src 'none'; base-uri 'none'; frame-ancestors 'none'; form-action 'self'");
  answer.headers.set("X-Content-Type-Options", "nosniff");
  answer.headers.set("Referrer-Policy", "no-referrer");
  return answer;
}

}  // namespace

void add_site_routes(Routes& routes, const fs::path& web_directory) {
  auto files = std::make_shared<const std::map<std::string, File>>(load_site(web_directory));
  auto named = [files](const std::string& name, const Request& request) {
    auto found = files->find(name);
    if (found != files->end()) return serve(request, found->second);
    return problem(404, "not_found", "Not found", "there is no such page");
  };
  routes.inline_get("/", [named](const Request& r) { return named("index.html", r); });
  for (const auto& [name, file] : *files) {
    if (name.find('/') != std::string::npos) continue;
    routes.inline_get("/" + name,
                      [named, name = name](const Request& r) { return named(name, r); });
  }
  routes.inline_get("/assets/{file:path}", [named](const Request& r) {
    return named("assets/" + std::string(r.path_text("file")), r);
  });
}

}  // namespace wardiary::http

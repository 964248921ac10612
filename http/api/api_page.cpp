#include "http/api/api_page.h"

#include <map>
#include <nlohmann/json.hpp>

#include "openapi_data.h"

namespace wardiary::http {

using Json = nlohmann::ordered_json;  // as the document was written

namespace {

constexpr std::string_view kStyle =
    "body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;"
    "color:#222;background:#fff}h2{margin-top:2.5rem;border-bottom:1px solid #ccc}"
    "details{border:1px solid #ccc;border-radius:6px;margin:.5rem 0;padding:.4rem .8rem}"
    "summary{cursor:pointer}code,pre{font:14px/1.4 ui-monospace,monospace}"
    "pre{background:#f4f4f4;padding:.6rem;overflow:auto}b{display:inline-block;min-width:4.5rem}"
    "td,th{padding:.15rem .8rem .15rem 0;text-align:left;vertical-align:top}"
    "@media(prefers-color-scheme:dark){body{color:#ddd;background:#181818}pre{background:#242424}"
    "a{color:#8ab4f8}}";

std::string escaped(std::string_view text) {
  std::string out;
  for (char c : text) {
    switch (c) {
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '&':
        out += "&amp;";
        break;
      case '"':
        out += "&quot;";
        break;
      default:
        out += c;
    }
  }
  return out;
}

std::string text_at(const Json& object, const char* key) {
  auto found = object.find(key);
  return found != object.end() && found->is_string() ? escaped(found->get<std::string>()) : "";
}

// "#/components/schemas/Game" as a link to that part of the page; anything else written out.
std::string schema_html(const Json& schema) {
  if (schema.size() == 1 && schema.contains("$ref")) {
    const std::string ref = schema["$ref"].get<std::string>();
    const std::string name = escaped(ref.substr(ref.rfind('/') + 1));
    return "<a href=\"#" + name + "\">" + name + "</a>";
  }
  return "<pre>" + escaped(schema.dump(1)) + "</pre>";
}

// A parameter or response that stands elsewhere in the document.
const Json& followed(const Json& document, const Json& value) {
  if (!value.contains("$ref")) return value;
  const std::string ref = value["$ref"].get<std::string>();
  return document.at(Json::json_pointer(ref.substr(1)));
}

std::string content_html(const Json& holder) {
  std::string out;
  if (!holder.contains("content")) return out;
  for (const auto& [type, what] : holder["content"].items()) {
    out += "<div><code>" + escaped(type) + "</code> ";
    if (what.contains("schema")) out += schema_html(what["schema"]);
    out += "</div>";
  }
  return out;
}

std::string operation_html(const Json& document, const std::string& path, const std::string& method,
                           const Json& operation) {
  std::string upper = method;
  for (char& c : upper) c = static_cast<char>(c >= 'a' && c <= 'z' ? c - 32 : c);
  std::string out = "<details id=\"" + text_at(operation, "operationId") + "\"><summary><b>" +
                    upper + "</b> <code>" + escaped(path) + "</code> " +
                    text_at(operation, "summary") + "</summary>";
  if (operation.contains("description")) {
    out += "<p>" + text_at(operation, "description") + "</p>";
  }
  std::string rows;
  for (const Json& listed : operation.value("parameters", Json::array())) {
    const Json& parameter = followed(document, listed);
    rows += "<tr><td><code>" + text_at(parameter, "name") + "</code><td>" +
            text_at(parameter, "in") + (parameter.value("required", false) ? ", required" : "") +
            "<td>" + text_at(parameter, "description");
  }
  if (!rows.empty()) out += "<table>" + rows + "</table>";
  if (operation.contains("requestBody")) {
    out += "<p>Body</p>" + content_html(operation["requestBody"]);
  }
  out += "<table>";
  for (const auto& [status, listed] : operation["responses"].items()) {
    const Json& response = followed(document, listed);
    out += "<tr><td>" + escaped(status) + "<td>" + text_at(response, "description") +
           content_html(response);
  }
  return out + "</table></details>";
}

}  // namespace

std::string_view openapi_text() {
  return openapi_data_files().front().text;
}

std::string api_page(std::string_view openapi) {
  const Json document = Json::parse(openapi);
  std::string out =
      "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><meta name=\"viewport\" "
      "content=\"width=device-width\"><title>War Diary: API</title><style>" +
      std::string(kStyle) + "</style><h1>" + text_at(document["info"], "title") + "</h1><p>" +
      text_at(document["info"], "description") +
      "</p><p><a href=\"/openapi.json\">openapi.json</a>";
  std::map<std::string, std::string> by_tag;
  for (const auto& [path, item] : document["paths"].items()) {
    for (const auto& [method, operation] : item.items()) {
      if (!operation.is_object() || !operation.contains("tags")) continue;
      const std::string tag = operation["tags"][0].get<std::string>();
      by_tag[tag] += operation_html(document, path, method, operation);
    }
  }
  for (const Json& tag : document["tags"]) {
    const std::string name = tag["name"].get<std::string>();
    out +=
        "<h2>" + escaped(name) + "</h2><p>" + text_at(tag, "description") + "</p>" + by_tag[name];
  }
  out += "<h2>Schemas</h2>";
  for (const auto& [name, schema] : document["components"]["schemas"].items()) {
    out += "<h3 id=\"" + escaped(name) + "\">" + escaped(name) + "</h3>" + schema_html(schema);
  }
  return out + "</html>\n";
}

}  // namespace wardiary::http

#include "http/server/http.h"

#include <algorithm>
#include <charconv>
#include <nlohmann/json.hpp>

#include "http/server/stream.h"

namespace wardiary::http {

std::string_view name_of(Method method) {
  switch (method) {
    case Method::kGet:
      return "GET";
    case Method::kHead:
      return "HEAD";
    case Method::kPost:
      return "POST";
    case Method::kPut:
      return "PUT";
    case Method::kPatch:
      return "PATCH";
    case Method::kDelete:
      return "DELETE";
    case Method::kOptions:
      return "OPTIONS";
    case Method::kOther:
      return "OTHER";
  }
  return "OTHER";
}

Method method_from(std::string_view name) {
  for (auto method : {Method::kGet, Method::kPost, Method::kHead, Method::kPut, Method::kPatch,
                      Method::kDelete, Method::kOptions}) {
    if (name_of(method) == name) return method;
  }
  return Method::kOther;
}

bool same_token(std::string_view a, std::string_view b) {
  if (a.size() != b.size()) return false;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; };
    if (lower(a[i]) != lower(b[i])) return false;
  }
  return true;
}

Headers::Headers(std::initializer_list<std::pair<std::string_view, std::string_view>> fields) {
  for (const auto& [name, value] : fields) add(name, value);
}

void Headers::add(std::string_view name, std::string_view value) {
  const auto at = static_cast<std::uint32_t>(text_.size());
  const auto name_size = static_cast<std::uint32_t>(name.size());
  text_.append(name);
  text_.append(value);
  fields_.push_back({at, name_size, at + name_size, static_cast<std::uint32_t>(value.size())});
}

void Headers::set(std::string_view name, std::string_view value) {
  // Copied first: the value may be a view of the very field that goes.
  const std::string kept_name(name), kept_value(value);
  remove(kept_name);
  add(kept_name, kept_value);
}

void Headers::remove(std::string_view name) {
  // The text stays behind: answers are short-lived and rarely change a field twice.
  std::erase_if(fields_, [&](const Field& field) {
    return same_token(std::string_view(text_).substr(field.name, field.name_size), name);
  });
}

void Headers::clear() {
  text_.clear();
  fields_.clear();
}

std::optional<std::string_view> Headers::get(std::string_view name) const {
  const std::string_view text = text_;
  for (const Field& field : fields_) {
    if (field.name_size == name.size() &&
        same_token(text.substr(field.name, field.name_size), name)) {
      return text.substr(field.value, field.value_size);
    }
  }
  return std::nullopt;
}

std::pair<std::string_view, std::string_view> Headers::operator[](std::size_t index) const {
  const Field& field = fields_[index];
  const std::string_view text = text_;
  return {text.substr(field.name, field.name_size), text.substr(field.value, field.value_size)};
}

std::optional<std::string_view> Query::get(std::string_view name) const {
  for (const auto& [key, value] : fields_) {
    if (key == name) return value;
  }
  return std::nullopt;
}

Result<std::optional<std::uint64_t>> Query::get_uint(std::string_view name,
                                                     std::uint64_t max) const {
  const auto text = get(name);
  if (!text) return std::optional<std::uint64_t>();
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text->data(), text->data() + text->size(), number);
  const bool whole = error == std::errc() && end == text->data() + text->size();
  if (!whole || (text->size() > 1 && text->front() == '0')) {
    return invalid(std::string(name) + ": must be a whole number");
  }
  if (number > max) {
    return invalid(std::string(name) + ": must be at most " + std::to_string(max));
  }
  return std::optional(number);
}

Result<std::optional<Id>> Query::get_id(std::string_view name) const {
  const auto text = get(name);
  if (!text) return std::optional<Id>();
  const auto id = fixed_from_hex<Id::kSize>(*text);
  if (!id) {
    return invalid(std::string(name) + ": must be 32 hexadecimal digits");
  }
  return std::optional(*id);
}

Result<bool> Query::get_bool(std::string_view name, bool otherwise) const {
  const auto text = get(name);
  if (!text) return otherwise;
  if (*text == "true") return true;
  if (*text == "false") return false;
  return invalid(std::string(name) + ": must be true or false");
}

void Query::add(std::string name, std::string value) {
  fields_.emplace_back(std::move(name), std::move(value));
}

namespace {
const PathValue* value_named(const Request& request, std::string_view name) {
  for (const PathValue& value : request.values) {
    if (value.name == name) return &value;
  }
  return nullptr;
}
}  // namespace

std::string_view Request::path_text(std::string_view name) const {
  const PathValue* value = value_named(*this, name);
  return value ? std::string_view(value->text) : std::string_view();
}

std::uint64_t Request::path_uint(std::string_view name) const {
  const PathValue* value = value_named(*this, name);
  return value ? value->number : 0;
}

Id Request::path_id(std::string_view name) const {
  const PathValue* value = value_named(*this, name);
  return value ? value->id : Id{};
}

std::string_view Response::text() const {
  if (const auto* own = std::get_if<std::string>(&body)) return *own;
  const auto* shared = std::get_if<SharedBytes>(&body);
  return shared && *shared ? std::string_view(**shared) : std::string_view();
}

Response text_response(int status, std::string text, std::string_view content_type) {
  Response response{status, {}, std::move(text)};
  response.headers.add("Content-Type", content_type);
  return response;
}

Response json_response(int status, const nlohmann::json& value) {
  // Replacing bad UTF-8 instead of throwing: a broken name in the data must not hide the rest.
  using Json = nlohmann::json;
  return text_response(status, value.dump(-1, ' ', false, Json::error_handler_t::replace),
                       "application/json");
}

Response stream_response(std::shared_ptr<Stream> stream, std::string_view content_type) {
  Response response{200, {}, std::move(stream)};
  response.headers.add("Content-Type", content_type);
  response.headers.add("Cache-Control", "no-store");
  // Asks nginx and its kin not to hold events back.
  response.headers.add("X-Accel-Buffering", "no");
  return response;
}

Response empty_response(int status) {
  return Response{status, {}, std::string()};
}

Response problem(int status, std::string_view code, std::string_view title, std::string_view detail,
                 const nlohmann::json& extra) {
  nlohmann::json value = extra.is_object() ? extra : nlohmann::json::object();
  value["type"] = "urn:wardiary:problem:" + std::string(code);
  value["title"] = title;
  value["status"] = status;
  value["code"] = code;
  if (!detail.empty()) value["detail"] = detail;
  Response response = json_response(status, value);
  response.headers.set("Content-Type", "application/problem+json");
  response.headers.set("Cache-Control", "no-store");
  return response;
}

Response problem(int status, std::string_view code, std::string_view title,
                 std::string_view detail) {
  return problem(status, code, title, detail, nlohmann::json::object());
}

std::string_view field_of(std::string_view text) {
  const std::size_t end = text.find(": ");
  if (end == std::string_view::npos || end == 0) return {};
  const std::string_view field = text.substr(0, end);
  const auto belongs = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '-' || c == '.' || c == '[' || c == ']';
  };
  return std::all_of(field.begin(), field.end(), belongs) ? field : std::string_view();
}

Response problem(const Error& error) {
  const std::string_view code = name_of(error.code);
  switch (error.code) {
    case ErrorCode::kInvalid: {
      nlohmann::json extra = nlohmann::json::object();
      if (const std::string_view field = field_of(error.text); !field.empty()) {
        extra["field"] = field;
      }
      return problem(400, code, "The request is wrong", error.text, extra);
    }
    case ErrorCode::kNotFound:
      return problem(404, code, "Not found", error.text);
    case ErrorCode::kConflict:
      return problem(409, code, "Conflict", error.text);
    case ErrorCode::kDenied:
      return problem(403, code, "Not allowed", error.text);
    case ErrorCode::kLimit:
      return problem(413, code, "Limit exceeded", error.text);
    case ErrorCode::kFull:
      return problem(507, code, "No space left");
    case ErrorCode::kClosed:
      return problem(503, code, "Shutting down");
    case ErrorCode::kUnknown:
      return problem(500, code, "Outcome unknown", "ask again with the same Idempotency-Key");
    case ErrorCode::kCorrupt:
    case ErrorCode::kIo:
      return problem(500, code, "Internal error");
  }
  return problem(500, "internal", "Internal error");
}

bool etag_listed(std::string_view field, std::string_view etag) {
  const auto strong = [](std::string_view tag) {
    return tag.starts_with("W/") ? tag.substr(2) : tag;
  };
  while (!field.empty()) {
    const std::size_t comma = field.find(',');
    std::string_view tag = field.substr(0, comma);
    field = comma == std::string_view::npos ? std::string_view() : field.substr(comma + 1);
    while (!tag.empty() && (tag.front() == ' ' || tag.front() == '\t')) tag.remove_prefix(1);
    while (!tag.empty() && (tag.back() == ' ' || tag.back() == '\t')) tag.remove_suffix(1);
    if (tag == "*" || (!tag.empty() && strong(tag) == strong(etag))) return true;
  }
  return false;
}

std::string_view reason_of(int status) {
  static constexpr std::pair<int, std::string_view> kReasons[] = {
      {100, "Continue"},
      {200, "OK"},
      {201, "Created"},
      {202, "Accepted"},
      {204, "No Content"},
      {206, "Partial Content"},
      {301, "Moved Permanently"},
      {302, "Found"},
      {303, "See Other"},
      {304, "Not Modified"},
      {307, "Temporary Redirect"},
      {308, "Permanent Redirect"},
      {400, "Bad Request"},
      {401, "Unauthorized"},
      {403, "Forbidden"},
      {404, "Not Found"},
      {405, "Method Not Allowed"},
      {406, "Not Acceptable"},
      {408, "Request Timeout"},
      {409, "Conflict"},
      {410, "Gone"},
      {411, "Length Required"},
      {412, "Precondition Failed"},
      {413, "Content Too Large"},
      {415, "Unsupported Media Type"},
      {417, "Expectation Failed"},
      {422, "Unprocessable Content"},
      {428, "Precondition Required"},
      {429, "Too Many Requests"},
      {431, "Request Header Fields Too Large"},
      {500, "Internal Server Error"},
      {501, "Not Implemented"},
      {503, "Service Unavailable"},
      {504, "Gateway Timeout"},
      {507, "Insufficient Storage"},
  };
  for (const auto& [code, reason] : kReasons) {
    if (code == status) return reason;
  }
  return "Status";
}

Reply::~Reply() {
  if (target_) target_->answer(problem(500, "internal", "Internal error"));
}

void Reply::operator()(Response response) {
  // Taken out first: the answer may come back to us through the target's own doing.
  if (auto target = std::move(target_)) target->answer(std::move(response));
}

}  // namespace wardiary::http

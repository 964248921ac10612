// Reading hand-written JSON with errors that name the field. The first complaint is kept and later
// reads return harmless values, so a loader can read straight through and ask ok() at the end.
// Include in .cpp files only.
#pragma once

#include <functional>
#include <nlohmann/json.hpp>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "domain/base/result.h"

namespace wardiary {

// Limits on any JSON document we accept.
struct JsonLimits {
  static constexpr std::size_t kBytesMax = 16u << 20;
  static constexpr int kDepthMax = 32;
};

// Parses a document: size and depth limited, UTF-8 checked, duplicate keys refused. The error says
// at which byte it went wrong.
Result<nlohmann::json> parse_json(std::string_view text);

class JsonReader {
 public:
  JsonReader(const nlohmann::json& value, std::string path);

  bool ok() const { return !*error_; }
  Error error() && { return std::move(**error_); }
  // Notes an error at `field` ("" for this value itself); only the first is kept.
  void complain(std::string_view field, std::string text);
  const std::string& path() const { return path_; }
  const nlohmann::json& value() const { return value_; }

  bool has(std::string_view field) const;
  const nlohmann::json* get(std::string_view field) const;  // null if absent
  std::string text(std::string_view field);
  std::string text_or(std::string_view field, std::string otherwise);
  std::int64_t number(std::string_view field, std::int64_t min, std::int64_t max);
  std::int64_t number_or(std::string_view field, std::int64_t otherwise, std::int64_t min,
                         std::int64_t max);
  bool flag_or(std::string_view field, bool otherwise);
  // The object at `field` as a reader that shares this one's error.
  JsonReader at(std::string_view field);
  // Each element of the array at `field`.
  void each(std::string_view field, std::size_t most, const std::function<void(JsonReader&)>& see);
  void each_text(std::string_view field, std::size_t most,
                 const std::function<void(JsonReader&, const std::string&)>& see);
  // Each key and value of the object at `field`.
  void each_member(std::string_view field,
                   const std::function<void(const std::string&, JsonReader&)>& see);
  // Complains about any field of this object that is not named.
  void only(std::initializer_list<std::string_view> fields);

 private:
  JsonReader(const nlohmann::json& value, std::string path,
             std::shared_ptr<std::optional<Error>> error)
      : value_(value), path_(std::move(path)), error_(std::move(error)) {}
  std::string path_of(std::string_view field) const;
  const nlohmann::json* array(std::string_view field, std::size_t most);

  const nlohmann::json& value_;
  std::string path_;
  std::shared_ptr<std::optional<Error>> error_;
};

}  // namespace wardiary

#include "domain/json_reader.h"

#include <set>
#include <vector>

#include "domain/base/bytes.h"

namespace wardiary {

using nlohmann::json;

namespace {

// Builds the document while watching depth and duplicate keys, which nlohmann's own parser accepts.
class GuardedBuilder : public nlohmann::detail::json_sax_dom_parser<json> {
 public:
  using Base = nlohmann::detail::json_sax_dom_parser<json>;
  explicit GuardedBuilder(json& out) : Base(out, false) {}

  bool start_object(std::size_t n) {
    keys_.emplace_back();
    return deeper() && Base::start_object(n);
  }
  bool key(std::string& name) {
    if (!keys_.back().insert(name).second) return fail("the key \"" + name + "\" stands twice");
    return Base::key(name);
  }
  bool end_object() {
    keys_.pop_back();
    --depth_;
    return Base::end_object();
  }
  bool start_array(std::size_t n) { return deeper() && Base::start_array(n); }
  bool end_array() {
    --depth_;
    return Base::end_array();
  }
  bool parse_error(std::size_t position, const std::string&, const nlohmann::detail::exception&) {
    return fail("not well-formed JSON at byte " + std::to_string(position));
  }
  const std::string& complaint() const { return complaint_; }

 private:
  bool deeper() {
    if (++depth_ <= JsonLimits::kDepthMax) return true;
    return fail("nested deeper than " + std::to_string(JsonLimits::kDepthMax) + " levels");
  }
  bool fail(std::string text) {
    if (complaint_.empty()) complaint_ = std::move(text);
    return false;
  }
  int depth_ = 0;
  std::vector<std::set<std::string>> keys_;
  std::string complaint_;
};

}  // namespace

Result<json> parse_json(std::string_view text) {
  if (text.size() > JsonLimits::kBytesMax) {
    return Error{ErrorCode::kLimit, "JSON text of " + std::to_string(text.size()) +
                                        " bytes, at most " + std::to_string(JsonLimits::kBytesMax)};
  }
  json out;
  GuardedBuilder builder(out);
  if (!json::sax_parse(text.begin(), text.end(), &builder)) {
    return invalid(builder.complaint().empty() ? "not well-formed JSON" : builder.complaint());
  }
  return out;
}

JsonReader::JsonReader(const json& value, std::string path)
    : value_(value), path_(std::move(path)), error_(std::make_shared<std::optional<Error>>()) {
  if (!value.is_object()) complain("", "must be an object");
}

std::string JsonReader::path_of(std::string_view field) const {
  if (field.empty()) return path_.empty() ? "document" : path_;
  return path_.empty() ? std::string(field) : path_ + "." + std::string(field);
}

void JsonReader::complain(std::string_view field, std::string text) {
  if (ok()) *error_ = invalid(path_of(field) + ": " + std::move(text));
}

const json* JsonReader::get(std::string_view field) const {
  if (!value_.is_object()) return nullptr;
  auto found = value_.find(field);
  return found == value_.end() ? nullptr : &*found;
}

bool JsonReader::has(std::string_view field) const {
  return get(field) != nullptr;
}

std::string JsonReader::text(std::string_view field) {
  const json* found = get(field);
  if (!found) {
    complain(field, "is missing");
  } else if (!found->is_string()) {
    complain(field, "must be a text");
  } else if (!is_clean_utf8(found->get_ref<const std::string&>())) {
    complain(field, "must not contain control characters");
  } else {
    return found->get<std::string>();
  }
  return {};
}

std::string JsonReader::text_or(std::string_view field, std::string otherwise) {
  const json* found = get(field);
  return found && !found->is_null() ? text(field) : std::move(otherwise);
}

std::int64_t JsonReader::number(std::string_view field, std::int64_t min, std::int64_t max) {
  const json* found = get(field);
  auto range = [&] { return std::to_string(min) + " to " + std::to_string(max); };
  if (!found) {
    complain(field, "is missing");
  } else if (!found->is_number_integer()) {
    complain(field, "must be a whole number from " + range());
  } else if (found->is_number_unsigned() &&
             found->get<std::uint64_t>() > static_cast<std::uint64_t>(INT64_MAX)) {
    complain(field, "must be from " + range());
  } else if (auto v = found->get<std::int64_t>(); v < min || v > max) {
    complain(field, "is " + std::to_string(v) + ", must be from " + range());
  } else {
    return v;
  }
  return min;
}

std::int64_t JsonReader::number_or(std::string_view field, std::int64_t otherwise, std::int64_t min,
                                   std::int64_t max) {
  const json* found = get(field);
  return found && !found->is_null() ? number(field, min, max) : otherwise;
}

bool JsonReader::flag_or(std::string_view field, bool otherwise) {
  const json* found = get(field);
  if (!found || found->is_null()) return otherwise;
  if (!found->is_boolean()) {
    complain(field, "must be true or false");
    return otherwise;
  }
  return found->get<bool>();
}

JsonReader JsonReader::at(std::string_view field) {
  static const json kEmpty = json::object();
  const json* found = get(field);
  if (!found) {
    complain(field, "is missing");
  } else if (!found->is_object()) {
    complain(field, "must be an object");
  }
  return JsonReader(found ? *found : kEmpty, path_of(field), error_);
}

const json* JsonReader::array(std::string_view field, std::size_t most) {
  const json* found = field.empty() ? &value_ : get(field);
  if (!found) {
    complain(field, "is missing");
    return nullptr;
  }
  if (!found->is_array()) {
    complain(field, "must be a list");
    return nullptr;
  }
  if (found->size() > most) {
    complain(field,
             "has " + std::to_string(found->size()) + " entries, at most " + std::to_string(most));
    return nullptr;
  }
  return found;
}

void JsonReader::each(std::string_view field, std::size_t most,
                      const std::function<void(JsonReader&)>& see) {
  const json* list = array(field, most);
  if (!list) return;
  for (std::size_t i = 0; i < list->size() && ok(); ++i) {
    JsonReader item((*list)[i], path_of(field) + "[" + std::to_string(i) + "]", error_);
    if (!item.value_.is_object()) return item.complain("", "must be an object");
    see(item);
  }
}

void JsonReader::each_text(std::string_view field, std::size_t most,
                           const std::function<void(JsonReader&, const std::string&)>& see) {
  const json* list = array(field, most);
  if (!list) return;
  for (std::size_t i = 0; i < list->size() && ok(); ++i) {
    JsonReader item((*list)[i], path_of(field) + "[" + std::to_string(i) + "]", error_);
    if (!item.value_.is_string()) return item.complain("", "must be a text");
    const auto& text = item.value_.get_ref<const std::string&>();
    if (!is_clean_utf8(text)) return item.complain("", "must not contain control characters");
    see(item, text);
  }
}

void JsonReader::each_member(std::string_view field,
                             const std::function<void(const std::string&, JsonReader&)>& see) {
  const json* object = field.empty() ? &value_ : get(field);
  if (!object) return complain(field, "is missing");
  if (!object->is_object()) return complain(field, "must be an object");
  for (auto item = object->begin(); item != object->end() && ok(); ++item) {
    JsonReader member(item.value(), path_of(field) + "." + item.key(), error_);
    see(item.key(), member);
  }
}

void JsonReader::only(std::initializer_list<std::string_view> fields) {
  if (!value_.is_object()) return;
  for (auto item = value_.begin(); item != value_.end(); ++item) {
    bool known = false;
    for (std::string_view field : fields) known = known || field == item.key();
    if (!known) complain(item.key(), "is not a known field");
  }
}

}  // namespace wardiary

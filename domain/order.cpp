#include "domain/order.h"

#include <algorithm>
#include <cassert>
#include <nlohmann/json.hpp>

#include "domain/base/bytes.h"
#include "domain/json_reader.h"

namespace wardiary {

using nlohmann::json;

std::size_t Order::field_index(std::string_view field) const {
  for (std::size_t i = 0; i < type_->fields.size(); ++i) {
    if (type_->fields[i].name == field) return i;
  }
  assert(!"an order field its type does not declare");
  return 0;
}

const std::optional<Order::Value>& Order::value(std::string_view field) const {
  return values_[field_index(field)];
}

int Order::number(std::string_view field, int otherwise) const {
  const auto& found = value(field);
  return found && !found->numbers.empty() ? found->numbers.front() : otherwise;
}

std::string Order::choice(std::string_view field) const {
  const std::size_t i = field_index(field);
  const auto& choices = type_->fields[i].choices;
  if (!values_[i] || values_[i]->numbers.empty()) return {};
  const auto n = static_cast<std::size_t>(values_[i]->numbers.front());
  return n < choices.size() ? choices[n] : std::string();
}

std::string Order::text(std::string_view field) const {
  const auto& found = value(field);
  return found ? found->text : std::string();
}

std::vector<std::int32_t> Order::numbers(std::string_view field) const {
  const auto& found = value(field);
  return found ? found->numbers : std::vector<std::int32_t>();
}

std::vector<SpaceId> Order::spaces(std::string_view field) const {
  std::vector<SpaceId> out;
  for (std::int32_t n : numbers(field)) out.push_back(SpaceId{n});
  return out;
}

std::vector<UnitId> Order::units(std::string_view field) const {
  std::vector<UnitId> out;
  for (std::int32_t n : numbers(field)) out.push_back(UnitId{n});
  return out;
}

Order& Order::with(std::string_view field, int number) {
  values_[field_index(field)] = Value{{number}, {}};
  return *this;
}

Order& Order::with(std::string_view field, std::vector<std::int32_t> numbers) {
  values_[field_index(field)] = Value{std::move(numbers), {}};
  return *this;
}

Order& Order::with(std::string_view field, std::span<const SpaceId> path) {
  std::vector<std::int32_t> numbers;
  for (SpaceId space : path) numbers.push_back(space.value);
  return with(field, std::move(numbers));
}

Order& Order::with(std::string_view field, std::span<const UnitId> units) {
  std::vector<std::int32_t> numbers;
  for (UnitId unit : units) numbers.push_back(unit.value);
  return with(field, std::move(numbers));
}

Order& Order::with_choice(std::string_view field, std::string_view choice) {
  const std::size_t i = field_index(field);
  const auto& choices = type_->fields[i].choices;
  for (std::size_t n = 0; n < choices.size(); ++n) {
    if (choices[n] != choice) continue;
    const int number = static_cast<int>(n);
    values_[i] = Value{{type_->fields[i].kind == FieldKind::kStep ? -2 - number : number}, {}};
    return *this;
  }
  assert(!"a choice its field does not declare");
  return *this;
}

Order& Order::with_text(std::string_view field, std::string_view text) {
  values_[field_index(field)] = Value{{}, std::string(text)};
  return *this;
}

namespace {

constexpr std::size_t kListMax = 1'000;
constexpr std::size_t kTextMax = 2'000;

// A word without what people spell differently: capitals (of the Latin alphabet), blanks, dashes.
std::string plain(std::string_view word) {
  std::string out;
  for (char c : word) {
    if (c == ' ' || c == '_' || c == '-') continue;
    out += c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
  }
  return out;
}
bool same_word(std::string_view a, std::string_view b) {
  return plain(a) == plain(b);
}

// Reads one field. Problems are complained about at `at`, which is the order's own object.
class FieldReader {
 public:
  FieldReader(JsonReader& at, const OrderField& field, const Roster& roster,
              const FindSpace& find_space)
      : at_(at), field_(field), roster_(roster), find_space_(find_space) {}

  Order::Value read(const json& value) {
    Order::Value out;
    switch (field_.kind) {
      case FieldKind::kUnit:
        out.numbers = {unit(value)};
        break;
      case FieldKind::kSpace:
        out.numbers = {space(value)};
        break;
      case FieldKind::kSide:
        out.numbers = {side(value)};
        break;
      case FieldKind::kNumber:
        out.numbers = {number(value)};
        break;
      case FieldKind::kFlag:
        out.numbers = {flag(value)};
        break;
      case FieldKind::kChoice:
        out.numbers = {choice(value)};
        break;
      case FieldKind::kStep:
        out.numbers = {step(value)};
        break;
      case FieldKind::kText:
        out.text = value.is_array() ? joined(value) : string(value);
        if (out.text.size() > kTextMax) complain("is too long");
        if (!is_clean_utf8(out.text)) complain("must not contain control characters");
        break;
      case FieldKind::kUnits:
        list(value, [&](const json& v) { out.numbers.push_back(unit(v)); });
        break;
      case FieldKind::kSpaces:
        list(value, [&](const json& v) { out.numbers.push_back(space(v)); });
        break;
      case FieldKind::kNumbers:
        list(value, [&](const json& v) { out.numbers.push_back(number(v)); });
        break;
      case FieldKind::kUnitNumbers:
      case FieldKind::kUnitSpaces:
        list(value, [&](const json& v) { pair(v, out.numbers); });
        break;
    }
    return out;
  }

 private:
  void complain(std::string text) { at_.complain(field_.name, std::move(text)); }

  std::string string(const json& value) {
    if (!value.is_string()) complain("must be a text");
    return value.is_string() ? value.get<std::string>() : std::string();
  }
  // A text may also be given as a list of texts.
  std::string joined(const json& value) {
    std::string out;
    list(value, [&](const json& v) { out += (out.empty() ? "" : ", ") + string(v); });
    return out;
  }
  int unit(const json& value) {
    const std::string name = string(value);
    UnitId id = roster_.unit(name);
    if (!id) complain("no unit \"" + name + "\"");
    return id.value;
  }
  int space(const json& value) {
    const std::string name = string(value);
    SpaceId id = roster_.space(name);
    if (!id && find_space_) id = find_space_(name);
    if (!id) complain("no space \"" + name + "\"");
    return id.value;
  }
  int side(const json& value) {
    const std::string name = string(value);
    SideId id = roster_.side(name);
    if (!id) complain("no side \"" + name + "\"");
    return id.value;
  }
  int number(const json& value) {
    constexpr std::int64_t kMost = 1'000'000;
    const bool huge = value.is_number_unsigned() && value.get<std::uint64_t>() > kMost;
    if (!value.is_number_integer() || huge || value.get<std::int64_t>() < -kMost ||
        value.get<std::int64_t>() > kMost) {
      complain("must be a whole number from -1000000 to 1000000");
      return 0;
    }
    return value.get<int>();
  }
  int flag(const json& value) {
    if (value.is_boolean()) return value.get<bool>() ? 1 : 0;
    const std::string word = value.is_string() ? value.get<std::string>() : std::string();
    if (!same_word(word, "yes") && !same_word(word, "no")) complain("must be true or false");
    return same_word(word, "yes") ? 1 : 0;
  }
  int index_of_choice(const std::string& word) const {
    for (std::size_t n = 0; n < field_.choices.size(); ++n) {
      if (same_word(field_.choices[n], word)) return static_cast<int>(n);
    }
    return -1;
  }
  int choice(const json& value) {
    int n = index_of_choice(string(value));
    if (n >= 0) return n;
    std::string all;
    for (const std::string& c : field_.choices) all += (all.empty() ? "" : ", ") + c;
    complain("must be one of " + all);
    return 0;
  }
  int step(const json& value) {
    int n = index_of_choice(string(value));
    return n >= 0 ? -2 - n : unit(value);
  }
  void pair(const json& value, std::vector<std::int32_t>& out) {
    const std::string& second = field_.choices.front();
    if (!value.is_object() || value.size() != 2 || !value.contains("unit") ||
        !value.contains(second)) {
      return complain("each entry must be {\"unit\": ..., \"" + second + "\": ...}");
    }
    out.push_back(unit(value["unit"]));
    out.push_back(field_.kind == FieldKind::kUnitSpaces ? space(value[second])
                                                        : number(value[second]));
  }
  template <class See>
  void list(const json& value, See see) {
    if (!value.is_array()) return complain("must be a list");
    if (value.size() > kListMax) return complain("has too many entries");
    for (const json& item : value) see(item);
  }

  JsonReader& at_;
  const OrderField& field_;
  const Roster& roster_;
  const FindSpace& find_space_;
};

json value_to_json(const Order::Value& value, const OrderField& field, const Roster& roster) {
  auto unit = [&](int n) { return json(roster.units[static_cast<std::size_t>(n)].name); };
  auto space = [&](int n) { return json(roster.spaces[static_cast<std::size_t>(n)]); };
  auto choice = [&](int n) { return json(field.choices[static_cast<std::size_t>(n)]); };
  auto each = [&](auto as) {
    json out = json::array();
    for (std::int32_t n : value.numbers) out.push_back(as(n));
    return out;
  };
  if (field.kind == FieldKind::kText) return value.text;
  const int first = value.numbers.empty() ? 0 : value.numbers.front();
  switch (field.kind) {
    case FieldKind::kUnit:
      return unit(first);
    case FieldKind::kSpace:
      return space(first);
    case FieldKind::kSide:
      return roster.sides[static_cast<std::size_t>(first)];
    case FieldKind::kNumber:
      return first;
    case FieldKind::kFlag:
      return first != 0;
    case FieldKind::kChoice:
      return choice(first);
    case FieldKind::kStep:
      return first <= -2 ? choice(-2 - first) : unit(first);
    case FieldKind::kUnits:
      return each(unit);
    case FieldKind::kSpaces:
      return each(space);
    case FieldKind::kNumbers:
      return value.numbers;
    case FieldKind::kUnitNumbers:
    case FieldKind::kUnitSpaces: {
      json out = json::array();
      for (std::size_t i = 0; i + 1 < value.numbers.size(); i += 2) {
        const int second = value.numbers[i + 1];
        out.push_back({{"unit", unit(value.numbers[i])},
                       {field.choices.front(),
                        field.kind == FieldKind::kUnitSpaces ? space(second) : json(second)}});
      }
      return out;
    }
    case FieldKind::kText:
      break;
  }
  return nullptr;
}

}  // namespace

Result<Order> order_from_json(const json& value, std::span<const OrderType> types,
                              const Roster& roster, const FindSpace& find_space) {
  JsonReader at(value, "order");
  const std::string name = at.text("type");
  const char* side_field = !at.has("side") && at.has("player") ? "player" : "side";
  const std::string side = at.text(side_field);
  if (!at.ok()) return std::move(at).error();
  const OrderType* type = nullptr;
  for (const OrderType& t : types) {
    if (t.name == name) type = &t;
  }
  if (!type) return invalid("order.type: no order \"" + name + "\" in this game");
  SideId side_id = roster.side(side);
  for (std::size_t i = 0; i < roster.sides.size() && !side_id; ++i) {
    if (same_word(roster.sides[i], side)) side_id = SideId{static_cast<int>(i)};
  }
  if (!side_id) {
    return invalid("order." + std::string(side_field) + ": no side \"" + side + "\"");
  }

  Order order(*type, side_id);
  const bool own_phase = std::any_of(type->fields.begin(), type->fields.end(),
                                     [](const OrderField& f) { return f.name == "phase"; });
  if (!own_phase && at.has("phase")) {
    const std::string phase = at.text("phase");
    for (std::size_t i = 0; i < roster.phases.size(); ++i) {
      if (same_word(roster.phases[i], phase)) order.phase = static_cast<int>(i);
    }
    if (order.phase < 0) at.complain("phase", "no phase \"" + phase + "\"");
  }
  for (const OrderField& field : type->fields) {
    const json* found = at.get(field.name);
    if (!found && !field.alias.empty()) found = at.get(field.alias);
    if (!found || found->is_null()) {
      if (field.required) at.complain(field.name, "is missing");
      continue;
    }
    Order::Value read = FieldReader(at, field, roster, find_space).read(*found);
    if (!at.ok()) break;
    if (field.kind == FieldKind::kText) {
      order.with_text(field.name, read.text);
    } else {
      order.with(field.name, std::move(read.numbers));
    }
  }
  for (auto item = value.begin(); item != value.end(); ++item) {
    bool known = item.key() == "type" || item.key() == side_field || item.key() == "phase";
    for (const OrderField& field : type->fields) {
      known = known || field.name == item.key() ||
              (field.alias == item.key() && !value.contains(field.name));
    }
    if (!known) at.complain(item.key(), "is not a field of " + name);
  }
  if (!at.ok()) return std::move(at).error();
  return order;
}

Status check_order(const Order& order, const Roster& roster) {
  if (!order.side.ok() || order.side.index() >= roster.sides.size()) {
    return corrupt("order " + order.type().name + ": no such side");
  }
  for (std::size_t i = 0; i < order.type().fields.size(); ++i) {
    const OrderField& field = order.type().fields[i];
    const auto& value = order.values()[i];
    if (!value) {
      if (field.required) return corrupt("order " + order.type().name + ": no " + field.name);
      continue;
    }
    const int units = static_cast<int>(roster.units.size());
    const int spaces = static_cast<int>(roster.spaces.size());
    const int choices = static_cast<int>(field.choices.size());
    auto good = [&](std::size_t k, int n) {
      const bool second = k % 2 == 1;
      switch (field.kind) {
        case FieldKind::kUnit:
        case FieldKind::kUnits:
          return n >= 0 && n < units;
        case FieldKind::kSpace:
        case FieldKind::kSpaces:
          return n >= 0 && n < spaces;
        case FieldKind::kSide:
          return n >= 0 && n < static_cast<int>(roster.sides.size());
        case FieldKind::kChoice:
          return n >= 0 && n < choices;
        case FieldKind::kStep:
          return n != -1 && n < units && -2 - n < choices;
        case FieldKind::kUnitNumbers:
          return second || (n >= 0 && n < units);
        case FieldKind::kUnitSpaces:
          return n >= 0 && n < (second ? spaces : units);
        case FieldKind::kNumber:
        case FieldKind::kNumbers:
        case FieldKind::kFlag:
        case FieldKind::kText:
          return true;
      }
      return false;
    };
    bool fits = true;
    for (std::size_t k = 0; k < value->numbers.size(); ++k)
      fits = fits && good(k, value->numbers[k]);
    const bool single = field.kind == FieldKind::kUnit || field.kind == FieldKind::kSpace ||
                        field.kind == FieldKind::kSide || field.kind == FieldKind::kChoice ||
                        field.kind == FieldKind::kStep || field.kind == FieldKind::kNumber ||
                        field.kind == FieldKind::kFlag;
    const bool pairs =
        field.kind == FieldKind::kUnitNumbers || field.kind == FieldKind::kUnitSpaces;
    if (!fits || (single && value->numbers.size() != 1) || (pairs && value->numbers.size() % 2)) {
      return corrupt("order " + order.type().name + ": bad value in " + field.name);
    }
  }
  return Done{};
}

json order_to_json(const Order& order, const Roster& roster) {
  json out = {{"type", order.type().name}, {"side", roster.sides[order.side.index()]}};
  for (std::size_t i = 0; i < order.type().fields.size(); ++i) {
    const auto& value = order.values()[i];
    if (value)
      out[order.type().fields[i].name] = value_to_json(*value, order.type().fields[i], roster);
  }
  return out;
}

}  // namespace wardiary

// Orders: what a player asks for. A rule system declares its order types once (names and fields of
// its rules digest); reading orders from JSON, checking fields, storing and showing them then needs
// no code per game.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "domain/base/result.h"
#include "domain/ids.h"
#include "domain/roster.h"

namespace wardiary {

enum class FieldKind {
  kUnit,
  kUnits,
  kSpace,
  kSpaces,       // a list, e.g. a path
  kSide,
  kNumber,
  kNumbers,
  kFlag,
  kChoice,       // one of `choices`
  kText,
  kUnitNumbers,  // a list of {"unit": ..., "<choices[0]>": n}; stored as unit, number, unit, ...
  kUnitSpaces,   // a list of {"unit": ..., "<choices[0]>": space}
  kStep,         // one of `choices` or a unit: "all" or "39Pz"; choices are stored as -2, -3, ...
};

struct OrderField {
  std::string name;
  FieldKind kind = FieldKind::kNumber;
  bool required = true;
  std::vector<std::string> choices;
  std::string alias = {};  // another name it may be given by; empty: none
};

struct OrderType {
  std::string name;
  std::string rule;  // rule number
  std::vector<OrderField> fields;
  std::string help;  // one sentence
  // May be given while it is not this side's decision; then the rules say whether it fits.
  bool any_time = false;
};

// One order. Values stand in the order of the type's fields; an absent optional one is nullopt.
class Order {
 public:
  struct Value {
    std::vector<std::int32_t> numbers;
    std::string text;
    bool operator==(const Value&) const = default;
  };

  Order() = default;
  Order(const OrderType& type, SideId by)
      : side(by), type_(&type), values_(type.fields.size()) {}

  bool operator==(const Order&) const = default;
  const OrderType& type() const { return *type_; }
  bool is(std::string_view name) const { return type_->name == name; }
  SideId side;
  // The phase its author took it to be, -1: not said. An order for another phase is refused.
  int phase = -1;

  // Reading. Asking for a field the type does not have is a programming error (asserted).
  bool has(std::string_view field) const { return value(field).has_value(); }
  UnitId unit(std::string_view field) const { return UnitId{number(field, -1)}; }
  SpaceId space(std::string_view field) const { return SpaceId{number(field, -1)}; }
  int number(std::string_view field, int otherwise = 0) const;
  bool flag(std::string_view field) const { return number(field, 0) != 0; }
  std::string choice(std::string_view field) const;  // "" if absent
  std::string text(std::string_view field) const;
  std::vector<SpaceId> spaces(std::string_view field) const;
  std::vector<UnitId> units(std::string_view field) const;
  std::vector<std::int32_t> numbers(std::string_view field) const;
  const std::optional<Value>& value(std::string_view field) const;
  std::span<const std::optional<Value>> values() const { return values_; }

  // Writing; returns itself so that orders can be built in one line.
  Order& with(std::string_view field, int number);
  Order& with(std::string_view field, UnitId unit) { return with(field, unit.value); }
  Order& with(std::string_view field, SpaceId space) { return with(field, space.value); }
  Order& with(std::string_view field, std::vector<std::int32_t> numbers);
  Order& with(std::string_view field, std::span<const SpaceId> path);
  Order& with(std::string_view field, std::span<const UnitId> units);
  Order& with_choice(std::string_view field, std::string_view choice);
  Order& with_text(std::string_view field, std::string_view text);

 private:
  std::size_t field_index(std::string_view field) const;
  const OrderType* type_ = nullptr;
  std::vector<std::optional<Value>> values_;
};

// {"type":"MoveUnit","side":"axis","unit":"X","path":["1515","1615"]} and back. Names are looked up
// in the roster (spaces also by `find_space`, e.g. a board's town names). "player" will do for
// "side", and "phase" may say for which phase the order is meant. The error names the field.
using FindSpace = std::function<SpaceId(std::string_view)>;
Result<Order> order_from_json(const nlohmann::json& json, std::span<const OrderType> types,
                              const Roster& roster, const FindSpace& find_space);
// Whether every id in the order is one of the roster's; for orders read from stored bytes.
Status check_order(const Order& order, const Roster& roster);
nlohmann::json order_to_json(const Order& order, const Roster& roster);

}  // namespace wardiary

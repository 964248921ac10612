#include "domain/order.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <nlohmann/json.hpp>

#include "domain/game_testing.h"

namespace wardiary {
namespace {

using namespace testing;
using nlohmann::json;
using ::testing::HasSubstr;

// An order with a field of every kind.
const OrderType kTypes[] = {
    {"Everything",
     "1.1",
     {{"unit", FieldKind::kUnit, true, {}},
      {"units", FieldKind::kUnits, false, {}},
      {"space", FieldKind::kSpace, false, {}},
      {"path", FieldKind::kSpaces, false, {}},
      {"enemy", FieldKind::kSide, false, {}},
      {"count", FieldKind::kNumber, false, {}},
      {"counts", FieldKind::kNumbers, false, {}},
      {"night", FieldKind::kFlag, false, {}},
      {"pace", FieldKind::kChoice, false, {"slow", "fast"}},
      {"note", FieldKind::kText, false, {}},
      {"losses", FieldKind::kUnitNumbers, false, {"steps"}},
      {"retreats", FieldKind::kUnitSpaces, false, {"to"}},
      {"first", FieldKind::kStep, false, {"all", "none"}}},
     "Does everything."},
    {"Pass", "1.2", {}, "Does nothing."},
};

const Roster& roster() {
  static const Roster r = small_roster();
  return r;
}

SpaceId find_town(std::string_view name) {
  return name == "Centre" ? SpaceId{4} : SpaceId{};
}

Result<Order> read(const json& value) {
  return order_from_json(value, kTypes, roster(), find_town);
}

json full() {
  return {{"type", "Everything"},
          {"side", "red"},
          {"unit", "R1"},
          {"units", {"R2", "B1"}},
          {"space", "C3"},
          {"path", {"A1", "B1", "B2"}},
          {"enemy", "blue"},
          {"count", -7},
          {"counts", {1, 2, 3}},
          {"night", true},
          {"pace", "fast"},
          {"note", "by the river"},
          {"losses", {{{"unit", "R1"}, {"steps", 2}}}},
          {"retreats", {{{"unit", "B1"}, {"to", "A3"}}}},
          {"first", "all"}};
}

std::string error_with(const char* field, const json& value) {
  json order = full();
  order[field] = value;
  auto result = read(order);
  return result ? "fine" : result.error().text;
}

TEST(Order, IsReadFieldByField) {
  auto order = read(full());
  ASSERT_TRUE(order) << order.error().text;
  EXPECT_TRUE(order->is("Everything"));
  EXPECT_EQ(order->side, kRed);
  EXPECT_EQ(order->unit("unit"), UnitId{0});
  EXPECT_EQ(order->units("units"), (std::vector{UnitId{1}, UnitId{3}}));
  EXPECT_EQ(order->space("space"), SpaceId{8});
  EXPECT_EQ(order->spaces("path"), (std::vector{SpaceId{0}, SpaceId{1}, SpaceId{4}}));
  EXPECT_EQ(order->number("enemy"), 1);
  EXPECT_EQ(order->number("count"), -7);
  EXPECT_EQ(order->numbers("counts"), (std::vector{1, 2, 3}));
  EXPECT_TRUE(order->flag("night"));
  EXPECT_EQ(order->choice("pace"), "fast");
  EXPECT_EQ(order->text("note"), "by the river");
  EXPECT_EQ(order->numbers("losses"), (std::vector{0, 2}));
  EXPECT_EQ(order->numbers("retreats"), (std::vector{3, 6}));
  EXPECT_EQ(order->number("first"), -2);
  EXPECT_TRUE(check_order(*order, roster()));
}

TEST(Order, GoesToJsonAndBack) {
  auto order = read(full());
  ASSERT_TRUE(order);
  EXPECT_EQ(order_to_json(*order, roster()), full());
  json step = full();
  step["first"] = "B2";
  EXPECT_EQ(order_to_json(*read(step), roster()), step);
}

TEST(Order, LeavesOutWhatIsOptional) {
  auto order = read({{"type", "Everything"}, {"side", "blue"}, {"unit", "B1"}, {"space", nullptr}});
  ASSERT_TRUE(order) << order.error().text;
  EXPECT_FALSE(order->has("space"));
  EXPECT_FALSE(order->space("space"));
  EXPECT_EQ(order->number("count", 5), 5);
  EXPECT_EQ(order->choice("pace"), "");
  EXPECT_EQ(order->text("note"), "");
  EXPECT_TRUE(order->spaces("path").empty());
}

TEST(Order, TakesTheBoardsOwnNamesOfSpaces) {
  json order = full();
  order["space"] = "Centre";
  EXPECT_EQ(read(order)->space("space"), SpaceId{4});
}

TEST(Order, NamesTheFieldThatIsWrong) {
  json huge_list = json::array();
  for (int i = 0; i < 1'001; ++i) huge_list.push_back(1);
  struct {
    const char* field;
    json value;
    const char* expected;
  } const cases[] = {
      {"type", "Nothing", "order.type: no order \"Nothing\" in this game"},
      {"type", 1, "order.type: must be a text"},
      {"side", "green", "order.side: no side \"green\""},
      {"side", nullptr, "order.side: must be a text"},
      {"unit", "R9", "order.unit: no unit \"R9\""},
      {"unit", 1, "order.unit: must be a text"},
      {"unit", nullptr, "order.unit: is missing"},
      {"units", "R1", "order.units: must be a list"},
      {"units", {"R1", "X"}, "order.units: no unit \"X\""},
      {"space", "Z9", "order.space: no space \"Z9\""},
      {"path", {"A1", 2}, "order.path: must be a text"},
      {"enemy", "green", "order.enemy: no side \"green\""},
      {"count", 1.5, "order.count: must be a whole number from -1000000 to 1000000"},
      {"count", 1'000'001, "order.count: must be a whole number"},
      {"count", -1'000'001, "order.count: must be a whole number"},
      {"count", 18446744073709551615u, "order.count: must be a whole number"},
      {"count", "3", "order.count: must be a whole number"},
      {"counts", {1, "2"}, "order.counts: must be a whole number"},
      {"counts", huge_list, "order.counts: has too many entries"},
      {"night", 1, "order.night: must be true or false"},
      {"pace", "medium", "order.pace: must be one of slow, fast"},
      {"pace", 0, "order.pace: must be a text"},
      {"note", std::string(2'001, 'x'), "order.note: is too long"},
      {"note", "\x1b[2J", "order.note: must not contain control characters"},
      {"losses",
       {{{"unit", "R1"}}},
       "order.losses: each entry must be {\"unit\": ..., \"steps\": ...}"},
      {"losses", {{{"unit", "R1"}, {"cv", 1}}}, "order.losses: each entry must be"},
      {"losses", {{{"unit", "R9"}, {"steps", 1}}}, "order.losses: no unit \"R9\""},
      {"losses", {1}, "order.losses: each entry must be"},
      {"retreats", {{{"unit", "R1"}, {"to", "Z9"}}}, "order.retreats: no space \"Z9\""},
      {"first", "most", "order.first: no unit \"most\""},
      {"haste", true, "order.haste: is not a field of Everything"},
  };
  for (const auto& c : cases) {
    EXPECT_THAT(error_with(c.field, c.value), HasSubstr(c.expected)) << c.value;
  }
  EXPECT_EQ(read(json::array()).error().text, "order: must be an object");
  EXPECT_EQ(read(json::object()).error().text, "order.type: is missing");
}

TEST(Order, IsBuiltInOneLine) {
  const std::vector<SpaceId> path = {SpaceId{0}, SpaceId{1}};
  const Order order = Order(kTypes[0], kRed)
                          .with("unit", UnitId{2})
                          .with("path", path)
                          .with_choice("pace", "slow")
                          .with_choice("first", "none");
  EXPECT_EQ(order.number("first"), -3);
  EXPECT_EQ(order_to_json(order, roster())["first"], "none");
  EXPECT_EQ(order_to_json(order, roster())["pace"], "slow");
}

TEST(CheckOrder, RefusesEveryIdThatIsNotThere) {
  const Order good = *read(full());
  auto refused = [&](const Order& order) { return !check_order(order, roster()).ok(); };
  EXPECT_TRUE(refused(Order(good).with("unit", 6)));
  EXPECT_TRUE(refused(Order(good).with("unit", -1)));
  EXPECT_TRUE(refused(Order(good).with("unit", std::vector{0, 1})));
  EXPECT_TRUE(refused(Order(good).with("units", std::vector{0, 6})));
  EXPECT_TRUE(refused(Order(good).with("space", 9)));
  EXPECT_TRUE(refused(Order(good).with("path", std::vector{0, -1})));
  EXPECT_TRUE(refused(Order(good).with("enemy", 2)));
  EXPECT_TRUE(refused(Order(good).with("pace", 2)));
  EXPECT_TRUE(refused(Order(good).with("first", -1)));
  EXPECT_TRUE(refused(Order(good).with("first", -4)));
  EXPECT_TRUE(refused(Order(good).with("first", INT32_MIN)));
  EXPECT_TRUE(refused(Order(good).with("losses", std::vector{0})));
  EXPECT_TRUE(refused(Order(good).with("retreats", std::vector{0, 9})));
  EXPECT_TRUE(refused(Order(good).with("count", std::vector<std::int32_t>{})));
  EXPECT_FALSE(refused(Order(good).with("first", -3)));
  EXPECT_FALSE(refused(Order(good).with("units", std::vector<std::int32_t>{})));
}

// Random orders of ids that exist go through JSON unchanged.
RC_GTEST_PROP(Order, OfAnyValuesGoesToJsonAndBack, ()) {
  auto some = [](int n) { return *rc::gen::inRange(0, n); };
  auto list = [](int n) {
    return *rc::gen::container<std::vector<std::int32_t>>(rc::gen::inRange(0, n));
  };
  Order order(kTypes[0], SideId{some(2)});
  order.with("unit", some(6)).with("units", list(6)).with("space", some(9)).with("path", list(9));
  order.with("count", some(2'000'001) - 1'000'000).with("night", some(2)).with("pace", some(2));
  order.with("first", some(2) ? -2 - some(2) : some(6));
  RC_ASSERT(check_order(order, roster()).ok());
  auto back = read(order_to_json(order, roster()));
  RC_ASSERT(back.ok());
  RC_ASSERT(*back == order);
}

}  // namespace
}  // namespace wardiary

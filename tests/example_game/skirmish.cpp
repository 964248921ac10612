#include "tests/example_game/skirmish.h"

#include <nlohmann/json.hpp>

#include "domain/json_reader.h"
#include "skirmish_data.h"

namespace wardiary {
namespace {

const SideId kRed{0};
const SideId kBlue{1};
enum Decision : std::uint8_t { kNone, kRow };
enum Track { kWind };
constexpr int kLastTurn = 3;

SideId enemy_of(SideId side) {
  return side == kRed ? kBlue : kRed;
}

class Skirmish : public RuleSystem {
 public:
  // --- what it is
  std::string_view name() const override { return "skirmish"; }
  std::string_view title() const override { return "River skirmish"; }
  std::string_view rules_version() const override { return "1"; }
  std::span<const DataFile> data_files() const override { return skirmish_data_files(); }
  std::span<const ScenarioInfo> scenarios() const override {
    static const ScenarioInfo list[] = {{"race", "The race to the bridge", "river"}};
    return list;
  }
  std::span<const OrderType> order_types() const override {
    static const OrderType list[] = {
        {"Row",
         "1.1",
         {{"boat", FieldKind::kUnit, true, {}}, {"to", FieldKind::kSpace, true, {}}},
         "Rows a boat to the next town; the wind may hold it back."},
        {"Wait", "1.2", {}, "Stays where it is."}};
    return list;
  }
  std::span<const OptionSpec> options() const override {
    static const OptionSpec list[] = {
        {"wind", {"on", "off"}, "on", 0, 0, "1.3", "A wind on the river."}};
    return list;
  }

  // --- creating a game
  Result<Roster> roster(const Game& game) const override {
    auto document = parse_json(game.scenario_text);
    if (!document) return std::move(document).error().within("scenario");
    JsonReader in(*document, "scenario");
    Roster r;
    r.sides = {"red", "blue"};
    r.phases = {"rowing"};
    r.decisions = {"none", "row"};
    r.tracks = {{"wind", ValueKind::kNumber, 0, {}}};
    in.each("units", 10, [&](JsonReader& at) {
      const SideId side = r.side(at.text("side"));
      if (!side) at.complain("side", "must be red or blue");
      r.units.push_back({at.text("id"), "", "boat", side});
    });
    if (!in.ok()) return std::move(in).error();
    return r;
  }
  Result<std::shared_ptr<const SystemData>> prepare(const Game&) const override {
    return std::shared_ptr<const SystemData>();
  }
  Status set_up(Draft& draft) const override {
    auto document = parse_json(draft.game().scenario_text);
    if (!document) return std::move(document).error().within("scenario");
    JsonReader in(*document, "scenario");
    draft.begin_phase({1, 0, static_cast<std::int8_t>(kRed.value)});
    in.each("units", 10, [&](JsonReader& at) {
      const SpaceId start = draft.game().board->find(at.text("start"));
      if (!start) return at.complain("start", "there is no such space");
      draft.place(draft.game().roster().unit(at.text("id")), start);
    });
    if (!in.ok()) return std::move(in).error();
    draft.ask(kRed, {kRow, -1, -1, 0});
    return Done{};
  }

  // --- playing
  Refused decide(Draft& draft, const Order& order) const override {
    if (order.is("Row")) {
      if (auto refused = row(draft, order)) return refused;
    }
    next(draft, order.side);
    return std::nullopt;
  }
  void legal_orders(const Game& game, const Position& position, SideId side,
                    const SeeOrder& see) const override {
    if (position.over || position.pending(side).kind != kRow) return;
    for (std::size_t u = 0; u < position.unit_count(); ++u) {
      const UnitId boat{static_cast<int>(u)};
      if (position.side(boat) != side) continue;
      for (const Neighbour& step : game.board->neighbours(position.at(boat))) {
        if (!see(Order(order_types()[0], side).with("boat", boat).with("to", step.space))) return;
      }
    }
    see(Order(order_types()[1], side));
  }
  std::size_t prefer(const Game&, const Position&, std::span<const Order>,
                     const std::function<std::uint32_t(std::uint32_t)>&) const override {
    return 0;
  }

  // --- reading a position
  std::vector<UnitSupply> supply(const Game&, const Position&) const override { return {}; }
  std::vector<ScoreTerm> score(const Game& game, const Position& position) const override {
    std::vector<ScoreTerm> out;
    for (SideId side : {kRed, kBlue}) {
      const bool there = position.any_unit_in(game.board->find("bridge"), side);
      out.push_back({side, "at the bridge", there ? 1 : 0, "1.4"});
    }
    return out;
  }
  int strength(const Game&, const Position& position, UnitId unit) const override {
    return position.on_board(unit) ? 1 : 0;
  }

  // --- sight: nothing is hidden on a river
  UnitSight sees_unit(const Game&, const Position&, const Viewer&, UnitId) const override {
    return UnitSight::kFull;
  }
  bool sees_unit_value(const Game&, const Position&, const Viewer&, UnitId, int) const override {
    return true;
  }
  bool sees_track(const Game&, const Position&, const Viewer&, TrackId) const override {
    return true;
  }
  bool sees_score(const Game&, const Position&, const Viewer&) const override { return true; }
  bool sees_order(const Game&, const Position&, const Viewer&, const Order&) const override {
    return true;
  }

 private:
  // [1.1] To a town next to it; [1.3] with the wind on, a 1 leaves the boat where it is.
  Refused row(Draft& draft, const Order& order) const {
    const UnitId boat = order.unit("boat");
    const SpaceId to = order.space("to");
    if (draft->side(boat) != order.side)
      return Rejection{"NOT_YOURS", "1.1", "that is not your boat"};
    if (!draft.game().board->link_between(draft->at(boat), to)) {
      return Rejection{"TOO_FAR", "1.1", "a boat rows to the next town only"};
    }
    bool held = false;
    if (draft.game().option_on("wind")) {
      RollRequest request;
      request.roller = order.side;
      request.purpose = "wind";
      request.unit = boat;
      request.groups = {{RollGroup::kDice, 1, 6, 0}};
      const auto face = draft.roll(request, [](std::span<const std::uint32_t> values) {
        return RollOutcome{"", values[0] == 1 ? "held back" : "fair", -1};
      });
      auto because = draft.because_of_last();
      held = face[0] == 1;
      draft.set(TrackId{kWind}, static_cast<std::int32_t>(face[0]));
    }
    if (!held) draft.move(boat, std::vector{draft->at(boat), to}, "rowed");
    return std::nullopt;
  }

  // The other side's turn to row; after blue's, the next turn; after the last, the end [1.4].
  void next(Draft& draft, SideId side) const {
    draft.settle(side);
    const int turn = draft->clock.turn + (side == kBlue ? 1 : 0);
    if (turn > kLastTurn) {
      SideId winner = kNoSide;
      for (const ScoreTerm& term : score(draft.game(), draft.position())) {
        if (term.value) winner = winner ? kNoSide : term.side;
      }
      return draft.end_game(winner, winner ? "victory" : "draw");
    }
    const SideId other = enemy_of(side);
    draft.begin_phase({static_cast<std::int16_t>(turn), 0, static_cast<std::int8_t>(other.value)});
    draft.ask(other, {kRow, -1, -1, 0});
  }
};

}  // namespace

const RuleSystem& skirmish_system() {
  static const Skirmish system;
  return system;
}

}  // namespace wardiary

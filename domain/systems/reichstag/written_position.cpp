// A position written by hand, for a case or a what-if, states what matters to its author. What
// follows from that by the rules is worked out here: where the pieces that are not mentioned are,
// who is to decide, and who must attack whom.
#include <nlohmann/json.hpp>
#include <set>
#include <string>

#include "domain/systems/reichstag/chapters.h"

namespace wardiary::reichstag {

using nlohmann::json;

namespace {

class Completion {
 public:
  Completion(Draft& draft, const json& stated) : draft_(draft), now_(draft), stated_(stated) {
    if (!stated_.contains("units") || !stated_["units"].is_array()) return;
    for (const json& entry : stated_["units"]) {
      const UnitId unit = draft.game().roster().unit(entry.value("id", std::string()));
      if (!unit) continue;
      for (auto item = entry.begin(); item != entry.end(); ++item) {
        said_.emplace(unit.value, item.key());
      }
    }
  }

  void run() {
    place_pieces();
    set_control();
    count_pieces();
    if (!stated_.contains("clock") || !stated_["clock"].contains("phase")) return;
    set_time();
    if (stated_.contains("pending")) return;
    if (now_.combat_open()) return continue_combat(draft_);
    if (now_.stage() == Stage::kNone) return ask_setup_step();
    if (now_.combat_stage()) begin_combat_unless_said();
    ask_stage(draft_);
  }

 private:
  bool says(UnitId unit, const char* value) const { return said_.contains({unit.value, value}); }
  bool says_any(const char* value) const {
    for (const auto& [unit, name] : said_) {
      if (name == value) return true;
    }
    return false;
  }
  bool says_track(const std::string& name) const {
    return stated_.contains("tracks") && stated_["tracks"].contains(name);
  }

  // On the map is on the map; what is nowhere is not on it.
  void place_pieces() {
    for (UnitId unit : now_.all_units()) {
      const Group group = now_.facts(unit).group;
      const bool comes =
          group == Group::kDated || group == Group::kSteiner || group == Group::k20Corps;
      if (comes && stated_.contains("units") && !says(unit, "id")) {
        draft_.set(unit, u::kDue, kNotBound);
      }
      if (says(unit, "pile")) continue;
      const bool on_map = now_.on_map(unit);
      if (on_map) {
        draft_.set(unit, u::kPile, static_cast<int>(Pile::kMap));
      } else if (now_.pile(unit) == Pile::kMap) {
        draft_.set(unit, u::kPile, static_cast<int>(Pile::kAside));
      }
      if (!now_.facts(unit).is_marker() || !on_map || says(unit, "used")) continue;
      draft_.set(unit, u::kUsed, 1);
    }
  }

  // Objectives are held by whoever stands in them, unless the position says otherwise.
  void set_control() {
    std::set<SpaceId> said;
    if (stated_.contains("spaces") && stated_["spaces"].is_array()) {
      for (const json& entry : stated_["spaces"]) {
        if (entry.contains("control")) {
          said.insert(now_.board().find(entry.value("id", std::string())));
        }
      }
    }
    for (SpaceId hex : now_.data.objectives) {
      if (said.contains(hex)) continue;
      for (UnitId unit : now_.units_in(hex)) {
        draft_.set(hex, h::kControl, now_.facts(unit).front.value);
      }
    }
  }

  void count_pieces() {
    int held[2] = {0, 0};
    for (UnitId unit : now_.all_units()) {
      held[0] += now_.pile(unit) == Pile::kHeld1BF;
      held[1] += now_.pile(unit) == Pile::kHeld1UF;
    }
    if (!says_track("static_pool")) {
      draft_.set(track(t::kPool), static_cast<int>(static_pool(now_).size()));
    }
    if (!says_track("snipers_1BF")) draft_.set(track(t::kHeld1BF), held[0]);
    if (!says_track("snipers_1UF")) draft_.set(track(t::kHeld1UF), held[1]);
  }

  void set_time() {
    const json& clock = stated_["clock"];
    Clock to = draft_->clock;
    if (!clock.contains("side") && now_.stage() != Stage::kNone) {
      to.side = static_cast<std::int8_t>(now_.player().value);
    }
    if (!clock.contains("side") && now_.stage() == Stage::kNone) to.side = setup_side();
    if (to.turn == 0) to.turn = 1;
    if (to != draft_->clock) draft_.begin_phase(to);
    const bool max = now_.stage() == Stage::kCombat1 || now_.stage() == Stage::kCombat2;
    if (max && !says_track("max_effort")) draft_.set(track(t::kMaxNow), 1);
  }

  std::int8_t setup_side() const {
    switch (now_.phase()) {
      case Phase::kS5:
      case Phase::kS9:
      case Phase::kS9c:
      case Phase::kS11:
        return static_cast<std::int8_t>(k1UF.value);
      case Phase::kS0:
      case Phase::kInterphase:
        return -1;
      default:
        return static_cast<std::int8_t>(k1BF.value);
    }
  }
  void ask_setup_step() {
    for (SideId front : kFronts) draft_.settle(front);
    if (now_.phase() == Phase::kS0) {
      for (SideId front : kFronts) {
        draft_.ask(front, {static_cast<std::uint8_t>(Ask::kCommands), -1, -1, 0});
      }
    } else if (now_.pos.clock.active()) {
      ask_setup(draft_, now_.pos.clock.active());
    }
  }

  // A combat phase that has not begun otherwise begins here: pieces turn up, obligations are noted.
  void begin_combat_unless_said() {
    if (!says_any("obliged")) begin_combat(draft_);
  }

  Draft& draft_;
  const Situation now_;
  const json& stated_;
  std::set<std::pair<int, std::string>> said_;
};

}  // namespace

void complete_written_position(Draft& draft, const json& stated) {
  if (stated.is_object()) Completion(draft, stated).run();
}

}  // namespace wardiary::reichstag

// Facts written by hand (see event_json.h): each type has one reader that checks its fields against
// the position and drafts the event.
#include <nlohmann/json.hpp>

#include "domain/event_json.h"
#include "domain/json_reader.h"

namespace wardiary {

using nlohmann::json;

namespace {

class FactReader {
 public:
  FactReader(Draft& draft, const json& fact)
      : draft_(draft), roster_(draft.game().roster()), in_(fact, "fact") {}

  Status read() {
    static const std::map<std::string, void (FactReader::*)(), std::less<>> readers = {
        {"UnitPlaced", &FactReader::placed},
        {"UnitMoved", &FactReader::moved},
        {"UnitRemoved", &FactReader::removed},
        {"UnitChanged", &FactReader::unit_changed},
        {"SpaceChanged", &FactReader::space_changed},
        {"LinkChanged", &FactReader::link_changed},
        {"TrackChanged", &FactReader::track_changed},
        {"PoolChanged", &FactReader::pool_changed},
        {"PhaseBegan", &FactReader::phase_began},
        {"DiceRolled", &FactReader::dice_rolled},
        {"Ruling", &FactReader::ruling},
        {"GameEnded", &FactReader::game_ended},
        {"Revealed", &FactReader::revealed}};
    const std::string type = in_.text("type");
    if (!in_.ok()) return std::move(in_).error();
    auto reader = readers.find(type);
    if (reader == readers.end()) {
      std::string all;
      for (const auto& [name, unused] : readers) all += (all.empty() ? "" : ", ") + name;
      return invalid("fact.type: \"" + type + "\" is not one of " + all);
    }
    (this->*reader->second)();
    if (!in_.ok()) return std::move(in_).error();
    return Done{};
  }

 private:
  UnitId unit() {
    const std::string name = in_.text("unit");
    const UnitId id = roster_.unit(name);
    if (!id) in_.complain("unit", "no unit \"" + name + "\"");
    return id;
  }
  SpaceId space_named(std::string_view field, const std::string& name) {
    SpaceId id = roster_.space(name);
    if (!id && draft_.game().board) id = draft_.game().board->find(name);
    if (!id) in_.complain(field, "no space \"" + name + "\"");
    return id;
  }
  SideId side(std::string_view field) {
    const std::string name = in_.text(field);
    const SideId id = roster_.side(name);
    if (!id) in_.complain(field, "no side \"" + name + "\"");
    return id;
  }
  int attribute(const std::vector<Attribute>& attributes) {
    const std::string name = in_.text("attribute");
    for (std::size_t i = 0; i < attributes.size(); ++i) {
      if (attributes[i].name == name) return static_cast<int>(i);
    }
    in_.complain("attribute", "no attribute \"" + name + "\"");
    return -1;
  }
  int value(std::string_view field, const Attribute& attribute, int bits) {
    const json* found = in_.get(field);
    if (!found) {
      in_.complain(field, "is missing");
      return 0;
    }
    auto read = read_value(*found, attribute, roster_, bits);
    if (!read) in_.complain(field, read.error().text);
    return read ? *read : 0;
  }
  // The new value, after checking that a `from` that was given is what the position holds.
  int changed_to(const Attribute& attribute, int now, int bits = 16) {
    if (in_.has("from") && value("from", attribute, bits) != now) {
      in_.complain("from", "is not what the position holds (" + std::to_string(now) + ")");
    }
    return value("to", attribute, bits);
  }

  void placed() {
    in_.only({"type", "unit", "at", "values"});
    const UnitId u = unit();
    const SpaceId at = space_named("at", in_.text("at"));
    if (!in_.ok()) return;
    if (draft_->on_board(u)) return in_.complain("unit", "is on the board already");
    std::vector<std::pair<int, int>> values;
    if (in_.has("values")) {
      in_.each_member("values", [&](const std::string& name, JsonReader& member) {
        const int a = roster_.unit_attribute(name);
        if (a < 0) return member.complain("", "there is no such attribute");
        auto read = read_value(member.value(), roster_.unit_attributes[static_cast<std::size_t>(a)],
                               roster_);
        if (!read) return member.complain("", read.error().text);
        values.emplace_back(a, *read);
      });
    }
    if (!in_.ok()) return;
    draft_.place(u, at);
    for (auto [a, v] : values) draft_.set(u, a, v);
  }
  void moved() {
    in_.only({"type", "unit", "path", "how"});
    const UnitId u = unit();
    std::vector<SpaceId> path;
    in_.each_text("path", GameLimits::kPathMax, [&](JsonReader&, const std::string& name) {
      path.push_back(space_named("path", name));
    });
    const std::string how = in_.text_or("how", "");
    if (!in_.ok()) return;
    if (path.size() < 2) return in_.complain("path", "needs at least two spaces");
    if (draft_->at(u) != path.front())
      return in_.complain("path", "does not begin where the unit is");
    draft_.move(u, path, how);
  }
  void removed() {
    in_.only({"type", "unit", "from", "why"});
    const UnitId u = unit();
    const std::string why = in_.text_or("why", "");
    if (!in_.ok()) return;
    if (!draft_->on_board(u)) return in_.complain("unit", "is not on the board");
    if (in_.has("from") && space_named("from", in_.text("from")) != draft_->at(u)) {
      return in_.complain("from", "is not where the unit is");
    }
    draft_.remove(u, why);
  }
  void unit_changed() {
    in_.only({"type", "unit", "attribute", "from", "to"});
    const UnitId u = unit();
    const int a = attribute(roster_.unit_attributes);
    if (!in_.ok()) return;
    const int to =
        changed_to(roster_.unit_attributes[static_cast<std::size_t>(a)], draft_->get(u, a));
    if (in_.ok()) draft_.set(u, a, to);
  }
  void space_changed() {
    in_.only({"type", "space", "attribute", "from", "to"});
    const SpaceId s = space_named("space", in_.text("space"));
    const int a = attribute(roster_.space_attributes);
    if (!in_.ok()) return;
    const int to =
        changed_to(roster_.space_attributes[static_cast<std::size_t>(a)], draft_->get(s, a));
    if (in_.ok()) draft_.set(s, a, to);
  }
  void link_changed() {
    in_.only({"type", "link", "attribute", "from", "to"});
    std::vector<SpaceId> ends;
    in_.each_text("link", 2, [&](JsonReader&, const std::string& name) {
      ends.push_back(space_named("link", name));
    });
    const int a = attribute(roster_.link_attributes);
    if (!in_.ok()) return;
    if (ends.size() != 2) return in_.complain("link", "must name two spaces");
    const LinkId link = draft_.game().board->link_between(ends[0], ends[1]);
    if (!link) return in_.complain("link", "these spaces are not linked");
    const int to =
        changed_to(roster_.link_attributes[static_cast<std::size_t>(a)], draft_->get(link, a));
    if (in_.ok()) draft_.set(link, a, to);
  }
  void track_changed() {
    in_.only({"type", "track", "from", "to"});
    const std::string name = in_.text("track");
    const TrackId track = roster_.track(name);
    if (!track) return in_.complain("track", "no track \"" + name + "\"");
    const int to = changed_to(roster_.tracks[track.index()], draft_->get(track), 32);
    if (in_.ok()) draft_.set(track, to);
  }
  void pool_changed() {
    in_.only({"type", "pool", "item", "from", "to"});
    const std::string name = in_.text("pool");
    const std::string item = in_.text("item");
    const PoolId pool = roster_.pool(name);
    if (!in_.ok()) return;
    if (!pool) return in_.complain("pool", "no pool \"" + name + "\"");
    const auto& items = roster_.pools[pool.index()].items;
    auto found = std::find(items.begin(), items.end(), item);
    if (found == items.end()) return in_.complain("item", "no item \"" + item + "\"");
    const int index = static_cast<int>(found - items.begin());
    const int to =
        changed_to(Attribute{item, ValueKind::kNumber, 0, {}}, draft_.pool_count(pool, index));
    if (to < 0) in_.complain("to", "a pool holds no fewer than none");
    if (in_.ok()) draft_.set_pool(pool, index, to);
  }
  void phase_began() {
    in_.only({"type", "turn", "phase", "side"});
    const auto turn = in_.number("turn", 0, INT16_MAX);
    const std::string name = in_.text("phase");
    const int phase = roster_.phase(name);
    if (phase < 0) return in_.complain("phase", "no phase \"" + name + "\"");
    const SideId active = in_.has("side") && !in_.get("side")->is_null() ? side("side") : kNoSide;
    if (!in_.ok()) return;
    draft_.begin_phase({static_cast<std::int16_t>(turn), static_cast<std::uint8_t>(phase),
                        static_cast<std::int8_t>(active.value)});
  }
  void dice_rolled() {
    in_.only({"type", "roller", "purpose", "sides", "values", "result", "space", "unit"});
    RollRequest request;
    request.roller = side("roller");
    request.purpose = in_.text("purpose");
    const auto sides = in_.number_or("sides", 6, 2, 1'000'000);
    if (in_.has("space")) request.space = space_named("space", in_.text("space"));
    if (in_.has("unit")) request.unit = unit();
    const std::string result = in_.text_or("result", "");
    std::vector<std::uint32_t> values;
    const json* list = in_.get("values");
    if (!list || !list->is_array() || list->empty() || list->size() > 1'000) {
      return in_.complain("values", "must be a list of 1 to 1000 faces");
    }
    for (const json& v : *list) {
      if (!v.is_number_integer() || v.get<std::int64_t>() < 1 || v.get<std::int64_t>() > sides) {
        return in_.complain("values", "each must be from 1 to " + std::to_string(sides));
      }
      values.push_back(v.get<std::uint32_t>());
    }
    if (!in_.ok()) return;
    request.groups = {{RollGroup::kDice, static_cast<std::uint16_t>(values.size()),
                       static_cast<std::uint32_t>(sides), 0}};
    Rolled rolled;
    rolled.values = std::move(values);
    rolled.grade = Grade::kImported;
    request.number = draft_->rolls(request.roller);
    draft_.write([&](EventWriter& w, EventList& out) {
      w.dice_rolled(out, request, rolled, {"", result, -1});
    });
  }
  void ruling() {
    in_.only({"type", "by", "rule", "text"});
    const std::string by = in_.text_or("by", "");
    const std::string rule = in_.text_or("rule", "");
    const std::string text = in_.text("text");
    if (!in_.ok()) return;
    draft_.write([&](EventWriter& w, EventList& out) { w.ruling(out, by, rule, text); });
  }
  void game_ended() {
    in_.only({"type", "winner", "level", "text"});
    const SideId winner =
        in_.has("winner") && !in_.get("winner")->is_null() ? side("winner") : kNoSide;
    const std::string level = in_.text_or("level", "");
    const std::string text = in_.text_or("text", "");
    if (draft_->over) in_.complain("type", "the game is over already");
    if (in_.ok()) draft_.end_game(winner, level, text);
  }
  void revealed() {
    in_.only({"type", "unit", "to"});
    const UnitId u = unit();
    std::uint32_t to = 0;
    in_.each_text("to", GameLimits::kSidesMax, [&](JsonReader& at, const std::string& name) {
      const SideId s = roster_.side(name);
      if (!s) return at.complain("", "no side \"" + name + "\"");
      to |= 1u << s.value;
    });
    if (in_.ok()) draft_.reveal(u, to);
  }

  Draft& draft_;
  const Roster& roster_;
  JsonReader in_;
};

}  // namespace

Status draft_fact(Draft& draft, const json& fact) {
  return FactReader(draft, fact).read();
}

}  // namespace wardiary

#include "domain/roster.h"

#include <algorithm>
#include <initializer_list>
#include <set>

#include "domain/base/bytes.h"

namespace wardiary {
namespace {

Status check_names(const std::vector<std::string>& names, const char* what, std::size_t most) {
  if (names.size() > most) {
    return Error{ErrorCode::kLimit, std::string(what) + ": " + std::to_string(names.size()) +
                                        ", at most " + std::to_string(most)};
  }
  std::set<std::string_view> seen;
  for (const std::string& name : names) {
    if (name.empty()) return invalid(std::string(what) + ": an empty name");
    if (name.size() > GameLimits::kNameBytesMax || !is_clean_utf8(name)) {
      return invalid(std::string(what) + ": a name is too long or not clean UTF-8");
    }
    if (!seen.insert(name).second) {
      return invalid(std::string(what) + ": the name \"" + name + "\" stands twice");
    }
  }
  return Done{};
}

template <class Item>
std::vector<std::string> names_of(const std::vector<Item>& items) {
  std::vector<std::string> out;
  out.reserve(items.size());
  for (const Item& item : items) out.push_back(item.name);
  return out;
}

// Names of the JSON forms' own fields, which no attribute may take.
Status check_attributes(const std::vector<Attribute>& attributes, const char* what,
                        std::initializer_list<std::string_view> taken) {
  for (const Attribute& a : attributes) {
    const std::string where = std::string(what) + ": " + a.name;
    for (std::string_view name : taken) {
      if (a.name == name) return invalid(where + " is a name of the position's own");
    }
    if (a.kind > ValueKind::kWord) return invalid(where + " is of no known kind");
  }
  return Done{};
}

Status check_words(const std::vector<std::string>& words, const std::string& what) {
  for (const std::string& word : words) {
    if (word.size() > GameLimits::kNameBytesMax || !is_clean_utf8(word)) {
      return invalid(what + ": a word is too long or not clean UTF-8");
    }
  }
  return Done{};
}

int index_of(const std::vector<std::string>& names, std::string_view name) {
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (names[i] == name) return static_cast<int>(i);
  }
  return -1;
}

template <class Item>
int index_of_item(const std::vector<Item>& items, std::string_view name) {
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (items[i].name == name) return static_cast<int>(i);
  }
  return -1;
}

}  // namespace

Status Roster::finish() {
  if (unit_attributes.empty() || unit_attributes.front().name != "side") {
    unit_attributes.insert(unit_attributes.begin(), Attribute{"side", ValueKind::kSide, -1, {}});
  }
  if (decisions.empty()) decisions.push_back("none");
  if (phases.empty()) return invalid("phases: a game needs at least one");
  if (sides.empty()) return invalid("sides: a game needs at least one");

  struct {
    const char* what;
    std::vector<std::string> names;
    std::size_t most;
  } const lists[] = {
      {"sides", sides, GameLimits::kSidesMax},
      {"phases", phases, 255},
      {"decisions", decisions, 255},
      {"spaces", spaces, GameLimits::kSpacesMax},
      {"units", names_of(units), GameLimits::kUnitsMax},
      {"unit attributes", names_of(unit_attributes), GameLimits::kAttributesMax},
      {"space attributes", names_of(space_attributes), GameLimits::kAttributesMax},
      {"link attributes", names_of(link_attributes), GameLimits::kAttributesMax},
      {"tracks", names_of(tracks), GameLimits::kTracksMax},
      {"pools", names_of(pools), GameLimits::kPoolsMax},
  };
  for (const auto& list : lists) {
    if (auto status = check_names(list.names, list.what, list.most); !status) return status;
  }
  if (links.size() > GameLimits::kLinksMax) {
    return Error{ErrorCode::kLimit, "links: at most " + std::to_string(GameLimits::kLinksMax)};
  }
  for (const RosterLink& link : links) {
    auto known = [&](SpaceId s) { return s.ok() && s.index() < spaces.size(); };
    if (!known(link.a) || !known(link.b))
      return invalid("links: one joins a space that is not there");
  }
  for (const RosterUnit& unit : units) {
    if (unit.side < kNoSide || (unit.side.ok() && unit.side.index() >= sides.size())) {
      return invalid("units: " + unit.name + " has a side that is not there");
    }
    if (auto status = check_words({unit.title, unit.type}, "units: " + unit.name); !status) {
      return status;
    }
  }
  if (auto status = check_words(turns, "turns"); !status) return status;
  for (const auto* list : {&unit_attributes, &space_attributes, &link_attributes, &tracks}) {
    for (const Attribute& a : *list) {
      if (auto status = check_words(a.words, a.name); !status) return status;
    }
  }
  for (auto status :
       {check_attributes(unit_attributes, "unit attributes", {"id", "at", "type", "name", "title"}),
        check_attributes(space_attributes, "space attributes", {"id"}),
        check_attributes(link_attributes, "link attributes", {"a", "b"})}) {
    if (!status) return status;
  }

  for (const auto* list : {&unit_attributes, &space_attributes, &link_attributes, &tracks}) {
    for (const Attribute& a : *list) {
      const ValueRange allowed = range(a, 16);
      if (allowed.contains(a.initial)) continue;
      return invalid(a.name + ": the initial value must be from " + std::to_string(allowed.min) +
                     " to " + std::to_string(allowed.max));
    }
  }

  unit_index_.clear();
  space_index_.clear();
  for (std::size_t i = 0; i < units.size(); ++i) {
    unit_index_.emplace(units[i].name, static_cast<std::int16_t>(i));
  }
  for (std::size_t i = 0; i < spaces.size(); ++i) {
    space_index_.emplace(spaces[i], static_cast<std::int16_t>(i));
  }
  pool_offsets_.assign(1, 0);
  for (const RosterPool& pool : pools) {
    if (auto status = check_names(pool.items, pool.name.c_str(), GameLimits::kPoolItemsMax);
        !status) {
      return status;
    }
    pool_offsets_.push_back(pool_offsets_.back() + pool.items.size());
  }
  if (pool_cells() > GameLimits::kPoolItemsMax) {
    return Error{ErrorCode::kLimit, "pools: " + std::to_string(pool_cells()) + " items, at most " +
                                        std::to_string(GameLimits::kPoolItemsMax)};
  }
  return Done{};
}

SideId Roster::side(std::string_view name) const {
  return SideId{index_of(sides, name)};
}
TrackId Roster::track(std::string_view name) const {
  return TrackId{index_of_item(tracks, name)};
}
PoolId Roster::pool(std::string_view name) const {
  return PoolId{index_of_item(pools, name)};
}
int Roster::phase(std::string_view name) const {
  return index_of(phases, name);
}
int Roster::decision(std::string_view name) const {
  return index_of(decisions, name);
}
int Roster::unit_attribute(std::string_view name) const {
  return index_of_item(unit_attributes, name);
}
int Roster::space_attribute(std::string_view name) const {
  return index_of_item(space_attributes, name);
}
int Roster::link_attribute(std::string_view name) const {
  return index_of_item(link_attributes, name);
}

ValueRange Roster::range(const Attribute& attribute, int bits) const {
  auto one_or_none = [](std::size_t count) {
    return ValueRange{-1, static_cast<std::int32_t>(count) - 1};
  };
  switch (attribute.kind) {
    case ValueKind::kFlag:
      return {0, 1};
    case ValueKind::kSide:
      return one_or_none(sides.size());
    case ValueKind::kSpace:
      return one_or_none(spaces.size());
    case ValueKind::kUnit:
      return one_or_none(units.size());
    case ValueKind::kWord:
      return one_or_none(attribute.words.size());
    case ValueKind::kNumber:
      break;
  }
  if (bits == 16) return {INT16_MIN, INT16_MAX};
  return {INT32_MIN, INT32_MAX};
}

std::string Roster::difference(const Roster& other) const {
  if (sides != other.sides) return "sides";
  if (phases != other.phases) return "phases";
  if (turns != other.turns) return "turns";
  if (decisions != other.decisions) return "decisions";
  if (spaces != other.spaces) return "spaces";
  if (links != other.links) return "links";
  const auto same_unit = [](const RosterUnit& a, const RosterUnit& b) {
    return a.name == b.name && a.type == b.type && a.side == b.side;
  };
  if (!std::equal(units.begin(), units.end(), other.units.begin(), other.units.end(), same_unit)) {
    return "units";
  }
  if (unit_attributes != other.unit_attributes) return "unit attributes";
  if (space_attributes != other.space_attributes) return "space attributes";
  if (link_attributes != other.link_attributes) return "link attributes";
  if (tracks != other.tracks) return "tracks";
  return pools == other.pools ? "" : "pools";
}

std::string Roster::turn_name(int turn) const {
  if (turn >= 1 && static_cast<std::size_t>(turn) <= turns.size()) {
    return turns[static_cast<std::size_t>(turn) - 1];
  }
  return "turn " + std::to_string(turn);
}

}  // namespace wardiary

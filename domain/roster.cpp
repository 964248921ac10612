#include "domain/roster.h"

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
    if (!known(link.a) || !known(link.b)) return invalid("links: one joins a space that is not there");
  }
  for (const RosterUnit& unit : units) {
    if (unit.side.ok() && unit.side.index() >= sides.size()) {
      return invalid("units: " + unit.name + " has a side that is not there");
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
    if (auto status = check_names(pool.items, pool.name.c_str(), 30'000); !status) return status;
    pool_offsets_.push_back(pool_offsets_.back() + pool.items.size());
  }
  return Done{};
}

SideId Roster::side(std::string_view name) const { return SideId{index_of(sides, name)}; }
TrackId Roster::track(std::string_view name) const { return TrackId{index_of_item(tracks, name)}; }
PoolId Roster::pool(std::string_view name) const { return PoolId{index_of_item(pools, name)}; }
int Roster::phase(std::string_view name) const { return index_of(phases, name); }
int Roster::decision(std::string_view name) const { return index_of(decisions, name); }
int Roster::unit_attribute(std::string_view name) const {
  return index_of_item(unit_attributes, name);
}
int Roster::space_attribute(std::string_view name) const {
  return index_of_item(space_attributes, name);
}
int Roster::link_attribute(std::string_view name) const {
  return index_of_item(link_attributes, name);
}

std::string Roster::turn_name(int turn) const {
  if (turn >= 1 && static_cast<std::size_t>(turn) <= turns.size()) {
    return turns[static_cast<std::size_t>(turn) - 1];
  }
  return "turn " + std::to_string(turn);
}

}  // namespace wardiary

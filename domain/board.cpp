#include "domain/board.h"

#include <algorithm>
#include <cstdlib>
#include <nlohmann/json.hpp>

#include "domain/base/sha256.h"
#include "domain/json_reader.h"

namespace wardiary {

using nlohmann::json;

Result<Board> Board::parse(std::string_view text) {
  auto document = parse_json(text);
  if (!document) return std::move(document).error();
  Board board;
  board.document_ = std::make_shared<const json>(std::move(*document));
  board.hash_ = sha256(bytes_of(text));

  JsonReader root(*board.document_, "");
  if (root.text("format") != "wardiary-board/1") {
    root.complain("format", "must be \"wardiary-board/1\"");
  }
  board.id_ = root.text("id");
  board.title_ = root.text_or("title", board.id_);
  const std::string kind = root.text("kind");
  if (kind != "hex" && kind != "area") root.complain("kind", "must be \"hex\" or \"area\"");
  board.hex_ = kind == "hex";
  if (!root.ok()) return std::move(root).error();

  auto add_name = [&](const std::string& name, SpaceId id, JsonReader& at, const char* field) {
    if (name.empty()) return;
    auto [place, fresh] = board.by_name_.emplace(name, id);
    if (!fresh && place->second != id) at.complain(field, "\"" + name + "\" stands twice");
  };

  bool all_axial = board.hex_;
  root.each("spaces", GameLimits::kSpacesMax, [&](JsonReader& at) {
    BoardSpace space;
    space.id = at.text("id");
    space.name = at.text_or("name", "");
    space.terrain = at.text_or("terrain", "");
    space.playable = at.flag_or("playable", true);
    SpaceId id{static_cast<int>(board.spaces_.size())};
    if (space.id.empty()) at.complain("id", "must not be empty");
    add_name(space.id, id, at, "id");
    if (at.has("q") && at.has("r")) {
      board.axial_.push_back({static_cast<std::int16_t>(at.number("q", -10'000, 10'000)),
                              static_cast<std::int16_t>(at.number("r", -10'000, 10'000))});
    } else {
      all_axial = false;
    }
    board.spaces_.push_back(std::move(space));
  });
  if (!root.ok()) return std::move(root).error();
  if (!all_axial) board.axial_.clear();

  // Names and aliases come after all ids, so that an id always wins.
  for (std::size_t i = 0; i < board.spaces_.size(); ++i) {
    SpaceId id{static_cast<int>(i)};
    board.by_name_.emplace(board.spaces_[i].name, id);
    const json& facts = board.facts(id);
    auto aliases = facts.find("aliases");
    if (aliases == facts.end() || !aliases->is_array()) continue;
    for (const json& alias : *aliases) {
      if (alias.is_string()) board.by_name_.emplace(alias.get<std::string>(), id);
    }
  }
  board.by_name_.erase("");

  std::map<std::pair<SpaceId, SpaceId>, std::size_t> joined;
  root.each("links", GameLimits::kLinksMax, [&](JsonReader& at) {
    BoardLink link;
    auto end = [&](const char* field) {
      const std::string name = at.text(field);
      auto found = board.by_name_.find(name);
      if (found == board.by_name_.end()) {
        at.complain(field, "no space \"" + name + "\"");
        return SpaceId{};
      }
      return found->second;
    };
    link.a = end("a");
    link.b = end("b");
    if (at.ok() && link.a == link.b) at.complain("b", "a link must join two different spaces");
    link.side = at.text_or("side", "clear");
    auto [first, fresh] = joined.emplace(std::minmax(link.a, link.b), board.links_.size());
    if (!fresh)
      at.complain("", "joins the same spaces as links[" + std::to_string(first->second) + "]");
    board.links_.push_back(std::move(link));
  });
  if (root.has("regions")) {
    root.each("regions", 10'000, [&](JsonReader& at) {
      std::vector<SpaceId>& spaces = board.regions_[at.text("id")];
      at.each_text("spaces", GameLimits::kSpacesMax,
                   [&](JsonReader& item, const std::string& name) {
                     auto found = board.by_name_.find(name);
                     if (found == board.by_name_.end())
                       return item.complain("", "no space \"" + name + "\"");
                     spaces.push_back(found->second);
                   });
    });
  }
  if (!root.ok()) return std::move(root).error();

  std::vector<std::vector<Neighbour>> around(board.spaces_.size());
  for (std::size_t i = 0; i < board.links_.size(); ++i) {
    LinkId id{static_cast<int>(i)};
    around[board.links_[i].a.index()].push_back({board.links_[i].b, id});
    around[board.links_[i].b.index()].push_back({board.links_[i].a, id});
  }
  for (const auto& list : around) {
    board.first_neighbour_.push_back(board.neighbours_.size());
    board.neighbours_.insert(board.neighbours_.end(), list.begin(), list.end());
  }
  board.first_neighbour_.push_back(board.neighbours_.size());
  return board;
}

SpaceId Board::find(std::string_view name) const {
  auto found = by_name_.find(std::string(name));
  return found == by_name_.end() ? SpaceId{} : found->second;
}

LinkId Board::link_between(SpaceId a, SpaceId b) const {
  for (const Neighbour& n : neighbours(a)) {
    if (n.space == b) return n.link;
  }
  return {};
}

std::span<const SpaceId> Board::region(std::string_view id) const {
  auto found = regions_.find(id);
  if (found == regions_.end()) return {};
  return found->second;
}

std::vector<std::int16_t> Board::distances(SpaceId from, int limit,
                                           const MayCross& may_cross) const {
  std::vector<std::int16_t> steps(spaces_.size(), -1);
  std::vector<SpaceId> queue{from};
  steps[from.index()] = 0;
  for (std::size_t head = 0; head < queue.size(); ++head) {
    SpaceId here = queue[head];
    if (steps[here.index()] >= limit) break;
    for (const Neighbour& next : neighbours(here)) {
      if (steps[next.space.index()] >= 0) continue;
      if (may_cross && !may_cross(here, next)) continue;
      steps[next.space.index()] = static_cast<std::int16_t>(steps[here.index()] + 1);
      queue.push_back(next.space);
    }
  }
  return steps;
}

int Board::distance(SpaceId a, SpaceId b) const {
  if (!axial_.empty()) {
    int dq = axial_[a.index()][0] - axial_[b.index()][0];
    int dr = axial_[a.index()][1] - axial_[b.index()][1];
    return (std::abs(dq) + std::abs(dr) + std::abs(dq + dr)) / 2;
  }
  return distances(a, 32'000, nullptr)[b.index()];
}

std::vector<SpaceId> Board::path(SpaceId from, SpaceId to, const MayCross& may_cross) const {
  std::vector<SpaceId> came_from(spaces_.size());
  std::vector<bool> seen(spaces_.size());
  std::vector<SpaceId> queue{from};
  seen[from.index()] = true;
  for (std::size_t head = 0; head < queue.size() && !seen[to.index()]; ++head) {
    for (const Neighbour& next : neighbours(queue[head])) {
      if (seen[next.space.index()] || (may_cross && !may_cross(queue[head], next))) continue;
      seen[next.space.index()] = true;
      came_from[next.space.index()] = queue[head];
      queue.push_back(next.space);
    }
  }
  if (!seen[to.index()]) return {};
  std::vector<SpaceId> out{to};
  while (out.back() != from) out.push_back(came_from[out.back().index()]);
  return {out.rbegin(), out.rend()};
}

const json& Board::facts(SpaceId space) const {
  return (*document_)["spaces"][space.index()];
}
const json& Board::facts(LinkId link) const {
  return (*document_)["links"][link.index()];
}

}  // namespace wardiary

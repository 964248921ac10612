// A board (`wardiary-board/1`): spaces, the links between them and named regions, hex or area alike.
// Games read terrain and other printed facts from `facts`; distances and paths run over the links.
#pragma once

#include <array>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "domain/base/bytes.h"
#include "domain/base/result.h"
#include "domain/ids.h"

namespace wardiary {

struct BoardSpace {
  std::string id;
  std::string name;  // the town or label; may be empty
  std::string terrain;
  bool playable = true;
};

struct BoardLink {
  SpaceId a;
  SpaceId b;
  std::string side;  // the kind of border: "clear", "river", ...
};

struct Neighbour {
  SpaceId space;
  LinkId link;
};

class Board {
 public:
  // Reads and checks a board; the error names the field that is wrong: "spaces[12].terrain: ...".
  static Result<Board> parse(std::string_view json_text);

  const std::string& id() const { return id_; }
  const std::string& title() const { return title_; }
  bool is_hex() const { return hex_; }
  const Hash& hash() const { return hash_; }  // SHA-256 of the text it was read from

  std::span<const BoardSpace> spaces() const { return spaces_; }
  std::span<const BoardLink> links() const { return links_; }
  const BoardSpace& space(SpaceId id) const { return spaces_[id.index()]; }
  const BoardLink& link(LinkId id) const { return links_[id.index()]; }

  // By id, name or alias; none if there is no such space.
  SpaceId find(std::string_view id_or_name) const;
  // In the order of the board's links.
  std::span<const Neighbour> neighbours(SpaceId space) const {
    return {neighbours_.data() + first_neighbour_[space.index()],
            neighbours_.data() + first_neighbour_[space.index() + 1]};
  }
  LinkId link_between(SpaceId a, SpaceId b) const;
  // The spaces of a region; empty if there is no such region.
  std::span<const SpaceId> region(std::string_view id) const;

  // Steps over links to every space from `from`, at most `limit`; -1 where it cannot be reached.
  // `may_cross` says whether a step may be taken (default: always).
  using MayCross = std::function<bool(SpaceId from, const Neighbour& step)>;
  std::vector<std::int16_t> distances(SpaceId from, int limit, const MayCross& may_cross) const;
  // Fewest links between two spaces ignoring everything, -1 if unconnected. Hex boards: exact grid
  // distance where coordinates are given.
  int distance(SpaceId a, SpaceId b) const;
  // A shortest path including both ends; empty if there is none.
  std::vector<SpaceId> path(SpaceId from, SpaceId to, const MayCross& may_cross) const;

  // The whole document, for what a game knows and the core does not (values, seas, start lines).
  const nlohmann::json& document() const { return *document_; }
  const nlohmann::json& facts(SpaceId space) const;
  const nlohmann::json& facts(LinkId link) const;

 private:
  std::string id_, title_;
  bool hex_ = false;
  Hash hash_;
  std::vector<BoardSpace> spaces_;
  std::vector<BoardLink> links_;
  std::vector<Neighbour> neighbours_;
  std::vector<std::size_t> first_neighbour_;
  std::vector<std::array<std::int16_t, 2>> axial_;  // hex coordinates, empty if not all given
  std::unordered_map<std::string, SpaceId> by_name_;
  std::map<std::string, std::vector<SpaceId>, std::less<>> regions_;
  std::shared_ptr<const nlohmann::json> document_;
};

}  // namespace wardiary

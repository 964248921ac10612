// The names behind the small integers of a game: sides, phases, spaces, units, attributes, tracks,
// pools. A roster is written once into GameCreated and never changes, so that a log can be read and
// replayed without the rules that wrote it.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "domain/base/result.h"
#include "domain/ids.h"

namespace wardiary {

enum class ValueKind : std::uint8_t { kNumber, kFlag, kSide, kSpace, kUnit, kWord };

// A value that units, spaces or links carry, or a track. What a number of `kind` stands for is used
// by the JSON forms and the log texts; the fold only keeps it to what there is (Roster::range).
struct Attribute {
  std::string name;
  ValueKind kind = ValueKind::kNumber;
  std::int32_t initial = 0;
  std::vector<std::string> words;  // for kWord
  bool operator==(const Attribute&) const = default;
};

struct ValueRange {
  std::int32_t min = 0, max = 0;
  bool contains(std::int64_t value) const { return value >= min && value <= max; }
};

struct RosterUnit {
  std::string name;   // unique: "39Pz"
  std::string title;  // for people: "39th Panzer Corps"
  std::string type;   // the system's word: "armor"
  SideId side;
  bool operator==(const RosterUnit&) const = default;
};

struct RosterPool {
  std::string name;
  std::vector<std::string> items;
  bool operator==(const RosterPool&) const = default;
};

struct RosterLink {
  SpaceId a;
  SpaceId b;
  bool operator==(const RosterLink&) const = default;
};

struct Roster {
  // The first unit attribute of every roster: whose unit it is (units may change sides).
  static constexpr int kSideAttribute = 0;

  std::vector<std::string> sides;
  std::vector<std::string> phases;
  std::vector<std::string> turns;      // turn 1 is turns[0]; may be empty
  std::vector<std::string> decisions;  // kind 0 is always "none"
  std::vector<std::string> spaces;
  std::vector<RosterLink> links;
  std::vector<RosterUnit> units;
  std::vector<Attribute> unit_attributes;
  std::vector<Attribute> space_attributes;
  std::vector<Attribute> link_attributes;
  std::vector<Attribute> tracks;
  std::vector<RosterPool> pools;

  // Checks sizes, uniqueness of names and that references exist, puts the side attribute first if it
  // is missing, and builds the look-up tables below. Call once after filling the vectors.
  Status finish();

  UnitId unit(std::string_view name) const { return find<UnitId>(unit_index_, name); }
  SpaceId space(std::string_view name) const { return find<SpaceId>(space_index_, name); }
  SideId side(std::string_view name) const;
  TrackId track(std::string_view name) const;
  PoolId pool(std::string_view name) const;
  int phase(std::string_view name) const;     // -1 if there is none
  int decision(std::string_view name) const;  // -1 if there is none
  int unit_attribute(std::string_view name) const;
  int space_attribute(std::string_view name) const;
  int link_attribute(std::string_view name) const;
  std::string turn_name(int turn) const;

  // What a value of this attribute may be: 0 or 1 for a flag, an index or -1 (none) for whatever
  // names something, and any number of `bits` bits otherwise. A unit, space or link carries values
  // of 16 bits, a track of 32.
  ValueRange range(const Attribute& attribute, int bits) const;

  // Where rules could not take this roster for `other` ("units", ...); titles may differ. Or empty.
  std::string difference(const Roster& other) const;

  // Where pool p's counts begin in a position's pool array.
  std::size_t pool_offset(PoolId pool) const { return pool_offsets_[pool.index()]; }
  std::size_t pool_cells() const { return pool_offsets_.back(); }

 private:
  using Names = std::unordered_map<std::string, std::int16_t>;
  template <class IdType>
  static IdType find(const Names& names, std::string_view name) {
    auto at = names.find(std::string(name));
    return at == names.end() ? IdType{} : IdType{at->second};
  }
  Names unit_index_;
  Names space_index_;
  std::vector<std::size_t> pool_offsets_{0};
};

}  // namespace wardiary

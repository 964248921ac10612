// Small strong ids. All are indexes into the arrays of a position or a roster; -1 means none.
#pragma once

#include <compare>
#include <cstdint>
#include <functional>

namespace wardiary {

template <class Tag>
struct SmallId {
  std::int16_t value = -1;

  constexpr SmallId() = default;
  constexpr explicit SmallId(int v) : value(static_cast<std::int16_t>(v)) {}
  constexpr bool ok() const { return value >= 0; }
  constexpr explicit operator bool() const { return ok(); }
  constexpr std::size_t index() const { return static_cast<std::size_t>(value); }
  constexpr auto operator<=>(const SmallId&) const = default;
};

using UnitId = SmallId<struct UnitTag>;
using SpaceId = SmallId<struct SpaceTag>;
using LinkId = SmallId<struct LinkTag>;
using SideId = SmallId<struct SideTag>;
using TrackId = SmallId<struct TrackTag>;
using PoolId = SmallId<struct PoolTag>;

inline constexpr SpaceId kNowhere{};  // a unit that is not on the board
inline constexpr SideId kNoSide{};

// Every limit of a game's size, in one place.
struct GameLimits {
  static constexpr int kSidesMax = 16;
  static constexpr int kUnitsMax = 8'000;
  static constexpr int kSpacesMax = 16'000;
  static constexpr int kLinksMax = 30'000;
  static constexpr int kAttributesMax = 64;
  static constexpr int kTracksMax = 4'000;
  static constexpr int kPoolsMax = 250;
  static constexpr int kPoolItemsMax = 60'000;  // of all pools together
  static constexpr int kNameBytesMax = 120;
  static constexpr int kPathMax = 256;
};

}  // namespace wardiary

template <class Tag>
struct std::hash<wardiary::SmallId<Tag>> {
  std::size_t operator()(wardiary::SmallId<Tag> id) const noexcept {
    return static_cast<std::size_t>(static_cast<std::uint16_t>(id.value));
  }
};

#include "domain/position.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "domain/base/sha256.h"

namespace wardiary {
namespace {

// The canonical form: everything little-endian, in the order of the members.
constexpr std::uint8_t kForm = 1;

void put_le16(Bytes& out, std::uint16_t v) {
  out.push_back(static_cast<std::uint8_t>(v));
  out.push_back(static_cast<std::uint8_t>(v >> 8));
}
void put_le32(Bytes& out, std::uint32_t v) {
  put_le16(out, static_cast<std::uint16_t>(v));
  put_le16(out, static_cast<std::uint16_t>(v >> 16));
}

// Arrays go over in one piece where the machine's numbers lie in memory as the form wants them.
template <class T>
void put_array(Bytes& out, const std::vector<T>& values) {
  const std::size_t at = out.size();
  out.resize(at + values.size() * sizeof(T));
  if constexpr (std::endian::native == std::endian::little) {
    if (!values.empty()) std::memcpy(&out[at], values.data(), values.size() * sizeof(T));
  } else {
    for (std::size_t i = 0; i < values.size() * sizeof(T); ++i) {
      out[at + i] = static_cast<std::uint8_t>(values[i / sizeof(T)] >> (8 * (i % sizeof(T))));
    }
  }
}

class Reader {
 public:
  explicit Reader(ByteView bytes) : bytes_(bytes) {}
  bool has(std::size_t n) const { return bytes_.size() - at_ >= n; }
  std::uint8_t u8() { return bytes_[at_++]; }
  std::uint16_t le16() {
    auto low = u8();
    return static_cast<std::uint16_t>(low | u8() << 8);
  }
  std::uint32_t le32() {
    std::uint32_t low = le16();
    return low | static_cast<std::uint32_t>(le16()) << 16;
  }
  template <class T>
  void array(std::vector<T>& values) {
    if constexpr (std::endian::native == std::endian::little) {
      if (!values.empty()) std::memcpy(values.data(), &bytes_[at_], values.size() * sizeof(T));
      at_ += values.size() * sizeof(T);
    } else {
      for (T& value : values) value = static_cast<T>(sizeof(T) == 2 ? le16() : le32());
    }
  }

 private:
  ByteView bytes_;
  std::size_t at_ = 0;
};

Shape shape_of(const Roster& roster) {
  auto n = [](std::size_t size) { return static_cast<std::uint32_t>(size); };
  Shape shape;
  shape.units = n(roster.units.size());
  shape.unit_attributes = n(roster.unit_attributes.size());
  shape.spaces = n(roster.spaces.size());
  shape.space_attributes = n(roster.space_attributes.size());
  shape.link_attributes = n(roster.link_attributes.size());
  shape.links = shape.link_attributes ? n(roster.links.size()) : 0;
  shape.pool_cells = n(roster.pool_cells());
  shape.tracks = n(roster.tracks.size());
  shape.sides = n(roster.sides.size());
  shape.phases = n(roster.phases.size());
  shape.decisions = n(roster.decisions.size());
  return shape;
}

std::shared_ptr<const ValueRanges> ranges_of(const Roster& roster) {
  auto out = std::make_shared<ValueRanges>();
  auto fill = [&](std::vector<ValueRange>& to, const std::vector<Attribute>& from, int bits) {
    to.reserve(from.size());
    for (const Attribute& attribute : from) to.push_back(roster.range(attribute, bits));
  };
  fill(out->units, roster.unit_attributes, 16);
  fill(out->spaces, roster.space_attributes, 16);
  fill(out->links, roster.link_attributes, 16);
  fill(out->tracks, roster.tracks, 32);
  return out;
}

// Whether `index` is one of `count` things, or -1 for none.
bool is_one_or_none(int index, std::uint32_t count) {
  return index >= -1 && index < static_cast<int>(count);
}

}  // namespace

Position::Position(const Roster& roster) : shape_(shape_of(roster)), ranges_(ranges_of(roster)) {
  cells_.assign(shape_.cells(), 0);
  std::fill_n(cells_.begin(), shape_.units, std::int16_t{-1});
  auto fill = [&](std::size_t offset, std::size_t count, const std::vector<Attribute>& attributes) {
    for (std::size_t i = 0; i < count; ++i) {
      for (std::size_t a = 0; a < attributes.size(); ++a) {
        cells_[offset + i * attributes.size() + a] =
            static_cast<std::int16_t>(attributes[a].initial);
      }
    }
  };
  fill(shape_.unit_values(), shape_.units, roster.unit_attributes);
  fill(shape_.space_values(), shape_.spaces, roster.space_attributes);
  fill(shape_.link_values(), shape_.links, roster.link_attributes);
  for (std::size_t u = 0; u < roster.units.size(); ++u) {
    set(UnitId{static_cast<int>(u)}, Roster::kSideAttribute, roster.units[u].side.value);
  }
  for (const Attribute& track : roster.tracks) tracks_.push_back(track.initial);
  pending_.resize(shape_.sides);
  rolls_.resize(shape_.sides + 1);
}

bool Position::operator==(const Position& other) const {
  return shape_ == other.shape_ && clock == other.clock && over == other.over &&
         winner == other.winner && cells_ == other.cells_ && tracks_ == other.tracks_ &&
         pending_ == other.pending_ && rolls_ == other.rolls_;
}

bool Position::anyone_must_decide() const {
  return std::any_of(pending_.begin(), pending_.end(),
                     [](const Question& q) { return q.kind != 0; });
}

std::vector<UnitId> Position::units_in(SpaceId space) const {
  std::vector<UnitId> out;
  for (std::size_t u = 0; u < shape_.units; ++u) {
    if (cells_[u] == space.value) out.push_back(UnitId{static_cast<int>(u)});
  }
  return out;
}

bool Position::any_unit_in(SpaceId space, SideId of) const {
  for (std::size_t u = 0; u < shape_.units; ++u) {
    if (cells_[u] == space.value && side(UnitId{static_cast<int>(u)}) == of) return true;
  }
  return false;
}

Bytes Position::to_bytes() const {
  Bytes out;
  out.reserve(64 + pending_.size() * 9 + rolls_.size() * 4 + cells_.size() * 2 +
              tracks_.size() * 4);
  out.push_back(kForm);
  for (std::uint32_t n :
       {shape_.units, shape_.unit_attributes, shape_.spaces, shape_.space_attributes, shape_.links,
        shape_.link_attributes, shape_.pool_cells, shape_.tracks, shape_.sides}) {
    put_le32(out, n);
  }
  put_le16(out, static_cast<std::uint16_t>(clock.turn));
  out.push_back(clock.phase);
  out.push_back(static_cast<std::uint8_t>(clock.side));
  out.push_back(over ? 1 : 0);
  out.push_back(static_cast<std::uint8_t>(winner));
  for (const Question& q : pending_) {
    out.push_back(q.kind);
    put_le16(out, static_cast<std::uint16_t>(q.space));
    put_le16(out, static_cast<std::uint16_t>(q.unit));
    put_le32(out, static_cast<std::uint32_t>(q.number));
  }
  put_array(out, rolls_);
  put_array(out, cells_);
  put_array(out, tracks_);
  return out;
}

Result<Position> Position::from_bytes(const Roster& roster, ByteView bytes) {
  Position out(roster);
  const Shape& s = out.shape_;
  const std::size_t size = 1 + 9 * 4 + 6 + s.sides * std::size_t{9} + out.rolls_.size() * 4 +
                           out.cells_.size() * 2 + out.tracks_.size() * 4;
  Reader in(bytes);
  if (bytes.size() != size || in.u8() != kForm) {
    return corrupt("snapshot: wrong size or form for this game");
  }
  for (std::uint32_t n : {s.units, s.unit_attributes, s.spaces, s.space_attributes, s.links,
                          s.link_attributes, s.pool_cells, s.tracks, s.sides}) {
    if (in.le32() != n) return corrupt("snapshot: made for another roster");
  }
  out.clock.turn = static_cast<std::int16_t>(in.le16());
  out.clock.phase = in.u8();
  out.clock.side = static_cast<std::int8_t>(in.u8());
  const std::uint8_t over = in.u8();
  out.over = over == 1;
  out.winner = static_cast<std::int8_t>(in.u8());
  for (Question& q : out.pending_) {
    q.kind = in.u8();
    q.space = static_cast<std::int16_t>(in.le16());
    q.unit = static_cast<std::int16_t>(in.le16());
    q.number = static_cast<std::int32_t>(in.le32());
  }
  in.array(out.rolls_);
  in.array(out.cells_);
  in.array(out.tracks_);
  if (over > 1 || !out.names_only_what_exists()) {
    return corrupt("snapshot: names a side, phase, space or unit that is not there");
  }
  out.begun = true;  // a snapshot is of something
  return out;
}

bool Position::names_only_what_exists() const {
  if (clock.phase >= shape_.phases || !is_one_or_none(clock.side, shape_.sides)) return false;
  if (!is_one_or_none(winner, shape_.sides)) return false;
  for (const Question& q : pending_) {
    if (q.kind >= shape_.decisions || !is_one_or_none(q.space, shape_.spaces) ||
        !is_one_or_none(q.unit, shape_.units)) {
      return false;
    }
  }
  for (std::size_t u = 0; u < shape_.units; ++u) {
    const UnitId unit{static_cast<int>(u)};
    if (!is_one_or_none(at(unit).value, shape_.spaces)) return false;
  }
  // Values from `from` to `to`, of which every one in as many as there are ranges is of one kind.
  const auto fit = [&](std::size_t from, std::size_t to, const std::vector<ValueRange>& ranges) {
    unsigned outside = 0;
    for (std::size_t a = 0; a < ranges.size(); ++a) {
      if (ranges[a].min == INT16_MIN) continue;  // any number
      const auto width = static_cast<unsigned>(ranges[a].max - ranges[a].min);
      for (std::size_t i = from + a; i < to; i += ranges.size()) {
        outside |= static_cast<unsigned>(cells_[i] - ranges[a].min) > width;
      }
    }
    return outside == 0;
  };
  for (std::size_t t = 0; t < tracks_.size(); ++t) {
    if (!ranges_->tracks[t].contains(tracks_[t])) return false;
  }
  for (std::size_t c = 0; c < shape_.pool_cells; ++c) {
    if (pool_cell(c) < 0) return false;
  }
  return fit(shape_.unit_values(), shape_.space_values(), ranges_->units) &&
         fit(shape_.space_values(), shape_.link_values(), ranges_->spaces) &&
         fit(shape_.link_values(), shape_.pool_values(), ranges_->links);
}

Hash Position::digest() const {
  return sha256(to_bytes());
}

std::size_t Position::memory_bytes() const {
  return sizeof(*this) + cells_.capacity() * 2 + tracks_.capacity() * 4 +
         pending_.capacity() * sizeof(Question);
}

}  // namespace wardiary

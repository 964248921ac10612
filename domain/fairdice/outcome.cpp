#include "domain/fairdice/outcome.h"

#include <numeric>
#include <utility>

#include "domain/base/sha256.h"
#include "domain/fairdice/fairdice.h"

namespace wardiary::fairdice {
namespace {

void roll_dice(ByteStream& bytes, const RollGroup& group, std::vector<std::uint32_t>& values) {
  for (std::uint32_t i = 0; i < group.count; ++i) values.push_back(1 + bytes.uniform(group.sides));
}

std::vector<std::uint32_t> whole_pool(std::uint32_t size) {
  std::vector<std::uint32_t> pool(size);
  std::iota(pool.begin(), pool.end(), 0u);
  return pool;
}

void shuffle(ByteStream& bytes, const RollGroup& group, std::vector<std::uint32_t>& values) {
  auto pool = whole_pool(group.sides);
  for (std::uint32_t i = group.sides - 1; i >= 1; --i)
    std::swap(pool[i], pool[bytes.uniform(i + 1)]);
  values.insert(values.end(), pool.begin(), pool.end());
}

void draw(ByteStream& bytes, const RollGroup& group, std::vector<std::uint32_t>& values) {
  auto pool = whole_pool(group.sides);
  for (std::uint32_t i = 0; i < group.count; ++i) {
    const auto taken = pool.begin() + bytes.uniform(static_cast<std::uint32_t>(pool.size()));
    values.push_back(*taken);
    pool.erase(taken);
  }
}

Status check_group(const RollGroup& group) {
  if (group.count == 0) return invalid("count: is zero");
  if (group.sides == 0) return invalid("sides: is zero");
  switch (group.kind) {
    case RollGroup::kDice:
      return Done{};
    case RollGroup::kShuffle:
      if (group.sides > kPoolMax) return invalid("sides: more than a pool may hold");
      if (group.count != group.sides) return invalid("count: a shuffle yields its whole pool");
      return Done{};
    case RollGroup::kDraw:
      if (group.sides > kPoolMax) return invalid("sides: more than a pool may hold");
      if (group.count > group.sides) return invalid("count: more than the pool holds");
      return Done{};
  }
  return invalid("kind: unknown");
}

}  // namespace

std::size_t RollSpec::value_count() const {
  std::size_t n = 0;
  for (const RollGroup& group : groups) n += group.count;
  return n;
}

Status check_spec(const RollSpec& spec) {
  if (spec.groups.empty()) return invalid("spec: empty");
  if (spec.groups.size() > kGroupsMax) return invalid("spec: too many groups");
  for (std::size_t i = 0; i < spec.groups.size(); ++i) {
    if (auto checked = check_group(spec.groups[i]); !checked) {
      return std::move(checked).error().within("spec[" + std::to_string(i) + "]");
    }
  }
  if (spec.value_count() > kValuesMax) return invalid("spec: too many values");
  return Done{};
}

Bytes encode_spec(const RollSpec& spec) {
  Bytes out;
  out.reserve(2 + 7 * spec.groups.size());
  put_u16(out, static_cast<std::uint16_t>(spec.groups.size()));
  for (const RollGroup& group : spec.groups) {
    out.push_back(static_cast<std::uint8_t>(group.kind));
    put_u16(out, group.count);
    put_u32(out, group.sides);
  }
  return out;
}

Outcome derive_outcome(const VrfOutput& beta, const RollSpec& spec) {
  ByteStream bytes(beta);
  Outcome out;
  out.values.reserve(spec.value_count());
  for (const RollGroup& group : spec.groups) {
    switch (group.kind) {
      case RollGroup::kDice:
        roll_dice(bytes, group, out.values);
        break;
      case RollGroup::kShuffle:
        shuffle(bytes, group, out.values);
        break;
      case RollGroup::kDraw:
        draw(bytes, group, out.values);
        break;
    }
  }
  out.bytes_used = bytes.used();
  return out;
}

std::uint8_t ByteStream::next() {
  const std::uint32_t within = used_ % Hash::kSize;
  if (within == 0) {
    Bytes message = domain_prefix("expand");
    put_u32(message, static_cast<std::uint32_t>(used_ / Hash::kSize));
    block_ = hmac_sha256(beta_, message);
  }
  ++used_;
  return block_.data[within];
}

std::uint32_t ByteStream::uniform(std::uint32_t n) {
  if (n == 1) return 0;
  const int width = n <= 256 ? 1 : n <= 65536 ? 2 : 4;
  const std::uint64_t range = std::uint64_t{1} << (8 * width);
  const std::uint64_t limit = range - range % n;
  for (;;) {
    std::uint64_t v = 0;
    for (int i = 0; i < width; ++i) v = v << 8 | next();
    if (v < limit) return static_cast<std::uint32_t>(v % n);
  }
}

}  // namespace wardiary::fairdice

// From the random bytes of a roll to dice, shuffles and draws, by one fixed algorithm without bias.
//
// Bytes: block_t = HMAC-SHA-256(key = beta, DS("expand") | u32 t), t = 0, 1, 2 ...
// A uniform integer below n: none for n = 1; else 1, 2 or 4 bytes, big-endian, for n up to 256,
// 65536, or more; values at or above the largest multiple of n are discarded. Single bytes are
// deliberate: a d6 discards 1.6 % and a d100 22 %, so the discarding is exercised in every game.
#pragma once

#include "domain/base/result.h"
#include "domain/chance.h"
#include "domain/fairdice/ecvrf.h"

namespace wardiary::fairdice {

inline constexpr std::size_t kGroupsMax = 64;
inline constexpr std::uint32_t kPoolMax = 10'000;    // cards in a shuffle, chits in a cup
inline constexpr std::uint32_t kValuesMax = 10'000;  // over all groups of a roll

// A roll's groups are those of domain/chance.h: `count` dice of 1..sides; a shuffle of the numbers
// 0..sides-1, whose count equals sides; or `count` of them drawn in order without replacement. What
// counts as a hit is the rules' business and takes no part here.
using wardiary::RollGroup;

// What is rolled, in order. 2d6 and d66 are two d6 each; sums and digits belong to the rules.
struct RollSpec {
  std::vector<RollGroup> groups;
  bool operator==(const RollSpec&) const = default;

  std::size_t value_count() const;
};

// An error names the group. Everything below expects a spec that passed this.
Status check_spec(const RollSpec& spec);

// u16 groups, then per group u8 kind, u16 count, u32 sides.
Bytes encode_spec(const RollSpec& spec);

struct Outcome {
  std::vector<std::uint32_t> values;  // group after group, `count` values each
  std::uint32_t bytes_used = 0;       // discarded ones included
  bool operator==(const Outcome&) const = default;
};

Outcome derive_outcome(const VrfOutput& beta, const RollSpec& spec);

// The byte stream itself, for tests and for whoever wants to draw step by step.
class ByteStream {
 public:
  explicit ByteStream(const VrfOutput& beta) : beta_(beta) {}

  std::uint8_t next();
  // Uniform on 0..n-1; n must not be 0.
  std::uint32_t uniform(std::uint32_t n);
  std::uint32_t used() const { return used_; }

 private:
  VrfOutput beta_;
  Hash block_;
  std::uint32_t used_ = 0;
};

}  // namespace wardiary::fairdice

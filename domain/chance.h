// Chance is asked for, never taken. Rules describe a roll; whoever runs them (referee, branch, test,
// audit) provides a Chance that answers it: with provable dice, with dice typed in, or from a script.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "domain/base/bytes.h"
#include "domain/ids.h"

namespace wardiary {

enum class Grade : std::uint8_t { kLive, kAsync, kSolo, kImported, kBeacon, kBranch };

struct RollGroup {
  enum Kind : std::uint8_t { kDice = 1, kShuffle = 2, kDraw = 3 };
  Kind kind = kDice;
  std::uint16_t count = 1;
  std::uint32_t sides = 6;       // of a die; size of the pool for a draw
  std::uint16_t hits_from = 0;   // a die showing this or more is a hit; 0 = hits are not counted
  bool operator==(const RollGroup&) const = default;
};

// An itemised reason for the number of dice or a modifier: {"39Pz CV", 4}, {"river", -1}.
struct RollTerm {
  std::string label;
  std::int32_t value = 0;
  bool operator==(const RollTerm&) const = default;
};

// A roll as the rules ask for it, before anyone knows the faces.
struct RollRequest {
  SideId roller;
  std::uint64_t number = 0;  // the roller's how-manieth roll; filled in by the Draft
  std::string purpose;  // "defensive fire", "weather"
  SpaceId space;        // what it is about, if anything
  UnitId unit;
  std::vector<RollGroup> groups;
  std::vector<RollTerm> terms;
  std::string table;
};

// The faces (dice: 1..sides; draws and shuffles: 0-based indexes) and where they came from.
struct Rolled {
  std::vector<std::uint32_t> values;
  Grade grade = Grade::kSolo;
  std::uint64_t request = 0;  // version of the event that asked for it, 0 none
  std::uint8_t suite = 0;
  Bytes proof;
  // What the contributors put in, where no request event says so: slot and element.
  struct Element {
    std::uint8_t slot = 0;
    Hash value;
  };
  std::vector<Element> elements;
};

class Chance {
 public:
  virtual ~Chance() = default;
  // Nothing if the answer is not known yet: the order is suspended and decided again later.
  virtual std::optional<Rolled> roll(const RollRequest& request) = 0;
};

// Faces given beforehand, one after the other, for tests, cases and scribes. `left()` and `missing()`
// let the caller check that exactly the given dice were used.
class ScriptedChance : public Chance {
 public:
  explicit ScriptedChance(std::vector<std::uint32_t> values, Grade grade = Grade::kImported)
      : values_(std::move(values)), grade_(grade) {}
  std::optional<Rolled> roll(const RollRequest& request) override;
  std::size_t left() const { return values_.size() - next_; }
  // Why the last roll could not be answered: too few values, or one out of range. Empty if none.
  const std::string& complaint() const { return complaint_; }

 private:
  std::vector<std::uint32_t> values_;
  std::size_t next_ = 0;
  Grade grade_;
  std::string complaint_;
};

// How many values a request is answered with.
std::size_t values_wanted(const RollRequest& request);

}  // namespace wardiary

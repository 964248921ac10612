// The small language of "when": a condition on a position, such as
//
//   unit:39Pz.cv < 2                         space:Kiev.control == soviet
//   unit:6A.supply == unsupplied             score.axis - score.soviet > 10
//   not (unit:"1st Red".at == nowhere) and (turn >= 3 or track:weather == mud)
//
// Things: unit:NAME.ATTRIBUTE (also .at, .side, .supply, .strength or .steps), space:NAME.ATTRIBUTE
// (also .units), track:NAME, score.SIDE, turn, phase, active, winner, over. Names with other
// characters than letters, digits, - and _ are put in double quotes. Words on the other side of a
// comparison are read as values of the thing they are compared with. + and - work on numbers.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "domain/rule_system.h"

namespace wardiary {

class Condition {
 public:
  static constexpr std::size_t kLengthMax = 1'000;
  static constexpr int kDepthMax = 32;

  // The error says at which character, and what was expected there.
  static Result<Condition> parse(std::string_view text, const Game& game);

  Condition(Condition&&) noexcept;
  Condition& operator=(Condition&&) noexcept;
  ~Condition();

  bool holds(const Position& position) const;
  // Whether it speaks of hidden things only some may ask about; each is shown to `see`.
  struct Subject {
    enum class Kind { kUnit, kSpace, kTrack, kScore, kClock } kind;
    int index = -1;
    int attribute = -1;
  };
  const std::vector<Subject>& subjects() const { return subjects_; }
  // Whether its truth can change only with an event that touches one of its subjects: not where it
  // asks the rules (supply, strength, score) or counts the units of a space.
  bool follows_from_subjects() const { return plain_; }

 private:
  struct Node;
  friend class ConditionParser;
  Condition(const Game& game, std::unique_ptr<Node> root, std::vector<Subject> subjects,
            bool plain);

  const Game* game_;
  std::unique_ptr<Node> root_;
  std::vector<Subject> subjects_;
  bool plain_ = false;
};

}  // namespace wardiary

// Who holds a space: what its attribute "control" says, whether a game keeps it as a side or as a
// word that may also be none ("disputed").
#pragma once

#include <vector>

#include "domain/position.h"
#include "domain/roster.h"

namespace wardiary {

class Control {
 public:
  explicit Control(const Roster& roster) : attribute_(roster.space_attribute("control")) {
    if (attribute_ < 0) return;
    const Attribute& control = roster.space_attributes[static_cast<std::size_t>(attribute_)];
    if (control.kind == ValueKind::kSide) {
      for (std::size_t s = 0; s < roster.sides.size(); ++s) {
        holders_.push_back(SideId{static_cast<int>(s)});
      }
    } else if (control.kind == ValueKind::kWord) {
      for (const std::string& word : control.words) holders_.push_back(roster.side(word));
    } else {
      attribute_ = -1;
    }
  }

  int attribute() const { return attribute_; }  // -1: the game keeps none
  // The side that this value of the attribute names; none for the others.
  SideId holder(std::int16_t value) const {
    const bool known = value >= 0 && static_cast<std::size_t>(value) < holders_.size();
    return known ? holders_[static_cast<std::size_t>(value)] : kNoSide;
  }

 private:
  int attribute_;
  std::vector<SideId> holders_;  // by value
};

}  // namespace wardiary

// What the parts of the referee share (referee*.cpp).
#pragma once

#include <string_view>
#include <vector>

#include "domain/draft.h"
#include "replay/referee.h"

namespace wardiary {

std::vector<NewEvent> to_store(const EventList& events);
CommandId or_random(const CommandId& command);
void draft_ruling(Draft& draft, const std::string& by, const RulingText& ruling);
// Texts that people give with a ruling, a take-back or a branch.
Status check_text(std::string_view text);

}  // namespace wardiary

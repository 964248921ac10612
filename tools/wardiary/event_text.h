// Events and positions in words, for a terminal.
#pragma once

#include <string>

#include "domain/rule_system.h"

namespace wardiary::cli {

// "   12  UnitMoved  unit R1, path A1 B1": one event on one line.
std::string event_line(const Game& game, const fb::Event& event, std::uint64_t version,
                       const Position& before, const Position& after);
// The event's JSON form, orders in the system's own words.
std::string event_text_json(const Game& game, const fb::Event& event, std::uint64_t version,
                            const Position& before, const Position& after);

// Prints the board: the clock, decisions, units by space, control, supply, score.
void print_position(const Game& game, const Position& position);

}  // namespace wardiary::cli

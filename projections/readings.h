// Questions about one position, answered as rows of JSON objects, as far as a viewer may know: what
// the command line and the service say about supply, score, control, battles and the rest.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "projections/view.h"

namespace wardiary {

struct Reading {
  std::string_view name;                  // "supply"
  std::string_view help;                  // one line
  std::vector<std::string_view> columns;  // the members of a row that a table shows, in this order
  // An array of objects; spaces and units by their ids, sides by their names. Empty if the game has
  // no rules here or knows no such thing.
  nlohmann::json (*rows)(const Game& game, const Position& position, const View& view);
};
std::span<const Reading> readings();

}  // namespace wardiary

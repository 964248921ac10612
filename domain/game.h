// A game as it was created: the rule system, the board, the options and the names. It never changes;
// what changes is the position.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "domain/base/bytes.h"
#include "domain/board.h"
#include "domain/event.h"
#include "domain/roster.h"

namespace wardiary {

class RuleSystem;

// What a rule system works out once per game from board, scenario and options (terrain tables,
// attribute numbers). Each system derives its own.
struct SystemData {
  virtual ~SystemData() = default;
};

struct Content {
  std::string role;  // "board", "scenario", "tables"
  std::string name;
  std::string text;
};

struct Game {
  // Null: replay only, for the reason in `no_rules`.
  const RuleSystem* system = nullptr;
  std::string no_rules;
  GameCreatedFacts created;            // the roster is created.roster
  std::shared_ptr<const Board> board;
  std::string scenario_text;           // wardiary-scenario/1, as stored
  std::map<std::string, std::string, std::less<>> options;
  std::shared_ptr<const SystemData> data;

  const Roster& roster() const { return created.roster; }
  // The value of an option; the system's default if it was not chosen.
  std::string_view option(std::string_view name) const;
  bool option_on(std::string_view name) const { return option(name) == "on"; }
};

}  // namespace wardiary

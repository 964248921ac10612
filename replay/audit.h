// The audit: runs a whole game again and says whether the log proves itself. Every check tells how
// much it examined and the first thing it found; a clean game has no finding.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "eventstore/event_store.h"
#include "replay/library.h"

namespace wardiary {

struct AuditFinding {
  BranchId branch;
  Version version = 0;   // 0: about the branch or the game as a whole
  std::string field;     // "values", "order", "from"
  std::string recorded;  // what the log says
  std::string expected;  // what it should say
};

struct AuditCheck {
  std::string name;  // "continuity"
  std::string what;  // what is examined, for people
  std::uint64_t examined = 0;
  std::uint64_t failed = 0;
  std::optional<AuditFinding> first;
  std::string remark;  // why something could not be examined, or what was listed
};

struct AuditReport {
  GameId game;
  std::string name;
  std::string system;
  std::string rules_version;
  std::uint64_t branches = 0;
  std::uint64_t events = 0;
  std::vector<AuditCheck> checks;

  bool clean() const;
};

// The checks, in this order in every report:
//   store        chain, tree and checkpoints, as the store itself verifies them
//   contents     board, scenario and tables are those the game was created with
//   structure    every event can be read
//   types        every event is stored under its own type
//   continuity   every event's before is what the events before it left
//   digests      every phase begins with the position whose digest it states
//   commits      everything follows from an order, a creation, a fork or a ruling
//   creation     the set-up is what the rules draft for this scenario
//   decisions    every order, decided again with the recorded dice, gives the recorded events
//   rolls        every side's rolls are numbered without gap or repetition
//   epochs       keys, anchors and signatures of the dice
//   dice         every roll is possible, its grade is the game's, and its proof yields its values
//   requests     every request, reveal, unlock and seal is signed by who owes it, in its order
//   obligations  (listed, never failing) what somebody still owes for a roll
//   rulings      (listed, never failing) deviations from the rules that were agreed
// Proofs are checked by as many threads as there are cores, beside everything else. A game that is
// there but cannot be opened (an edited board) is a report with that finding; an error is one that
// is not there, or a store that fails. To serve an audit: audit_game (a job: it takes 0.6 ms per
// proven roll and core, and little else), then audit_json or audit_html.
Result<AuditReport> audit_game(EventStore& store, Library& library, const GameId& game,
                               const std::function<void(std::uint64_t events)>& progress = {});

nlohmann::json audit_json(const AuditReport& report);
// Some lines of text, as the command prints it.
std::string audit_text(const AuditReport& report);
// A page: one self-contained file, fit to print.
std::string audit_html(const AuditReport& report);

}  // namespace wardiary

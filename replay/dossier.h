// The dossier of a disputed roll or turn: everything about it in one document. What was ordered,
// the position's digest before and after, every modifier and table cell, the proof and who would
// have had to work together to foresee it, the exact distribution and where the result lies, and
// the pre-declared statistics of that player's dice so far, corrected for the roll having been
// picked.
//
// Whoever serves it calls make_dossier with the viewer who asks: everything goes through that
// viewer's View, and a roll he may not see is not found, as one that does not exist.
#pragma once

#include <optional>
#include <string>

#include <nlohmann/json_fwd.hpp>

#include "domain/rule_system.h"
#include "eventstore/event_store.h"
#include "replay/library.h"
#include "replay/time_machine.h"

namespace wardiary {

struct DossierRequest {
  BranchId branch;
  Viewer viewer;  // the referee sees everything; so may anybody once a game is over
  // Either the n-th roll of a side (from 0; a side of none: nobody's rolls) ...
  std::optional<std::uint64_t> roll;
  SideId side;
  // ... or a whole turn.
  std::optional<std::int16_t> turn;
};

struct DossierLimits {
  static constexpr std::size_t kCommitsMax = 5'000;  // of one turn
};

// `wardiary-dossier/1`. kNotFound: no such roll or turn that this viewer may see.
Result<nlohmann::json> make_dossier(EventStore& store, Library& library, TimeMachine& time,
                                    const DossierRequest& request);
std::string dossier_markdown(const nlohmann::json& dossier);
// One self-contained file, fit to print.
std::string dossier_html(const nlohmann::json& dossier);

// The luck ledger (`wardiary-luck/1`, projections/luck_ledger.h) of a line up to `last`, as far as
// the viewer may see its rolls.
Result<nlohmann::json> luck_of_line(Library& library, TimeMachine& time, const BranchId& branch,
                                    Version last, const Viewer& viewer);
std::string luck_markdown(const nlohmann::json& luck);

}  // namespace wardiary

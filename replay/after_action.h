// The after-action report: a game told turn by turn in plain words, with charts of score, strength
// and supply, the moments that counted, what the dice gave and the audit's verdict. One
// self-contained HTML file without script, or Markdown; in English or Spanish; of any rule system.
#pragma once

#include <string>

#include "replay/audit.h"
#include "replay/notes.h"
#include "replay/report.h"
#include "replay/timelines.h"
#include "replay/words.h"

namespace wardiary {

struct AfterActionRequest {
  BranchId branch;
  Language language = Language::kEnglish;
  Viewer viewer = Viewer::referee();
  NoteReader reader = {"referee", true};  // whose notes are shown
  bool audit = true;                      // run it; 0.6 ms per proven roll and core
};

struct AfterAction {
  Report report;
  std::string game;  // its name
};

// kLimit for a line of more than kEventsMax events.
struct AfterActionLimits {
  static constexpr Version kEventsMax = 2'000'000;
  static constexpr std::size_t kMoments = 5;  // of each kind
  static constexpr std::size_t kSweeps = 12;  // rolls that are played through every outcome
};
Result<AfterAction> after_action(EventStore& store, Library& library, TimeMachine& time,
                                 Timelines& timelines, const AfterActionRequest& request);

}  // namespace wardiary

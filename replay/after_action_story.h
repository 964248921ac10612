// The narrative part of the after-action report: what each phase came to, in sentences.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "projections/control.h"
#include "projections/luck_ledger.h"
#include "projections/timeline.h"
#include "replay/notes.h"
#include "replay/report.h"
#include "replay/time_machine.h"
#include "replay/words.h"

namespace wardiary {

// A roll that stands out, and what it was about in words.
struct ToldRoll {
  Version version = 0;
  SideId roller;
  std::string what;  // "Axis rolls for offensive fire (Rostov): 6 6 6: 3 hits"
  RollUnit unit = RollUnit::kNone;
  double expected = 0, deviation = 0;
  std::int64_t actual = 0;
  double tail = 1;  // how often a result this far out comes up
};

// Follows a line event by event and writes what happened. Rolls, the ledger and the sentences hold
// only what the view may see.
class Story {
 public:
  Story(const Game& game, const View& view, const Words& words, const Names& names);

  void step(Version version, const fb::Event& event, const Position& before, const Position& after);
  // Writes the last phase; after it the story is complete.
  void finish();
  // Turn by turn; `phases` are the line's.
  void write(Report& report, const std::vector<TimelinePhase>& phases,
             const std::vector<Note>& notes) const;

  const LuckLedger& ledger() const { return ledger_; }
  std::vector<ToldRoll> most_surprising(std::size_t most) const;

 private:
  // What is gathered of the phase that is being told.
  struct Gathered {
    std::map<std::string, int> orders;                                      // by type
    std::vector<std::pair<std::string, std::vector<std::string>>> battles;  // where, rolls
    std::vector<std::string> off, on, sentences;
    std::map<std::int16_t, std::vector<std::string>> control;  // by side
  };
  void order(const fb::Event& event);
  void roll(Version version, const fb::Event& event, const Position& before, const Position& after);
  void taken(SpaceId space, std::int16_t to);
  std::string joined(const std::vector<std::string>& items) const;
  std::vector<std::string> lines_of(const Gathered& gathered) const;
  void add_timeline_lines(std::vector<std::string>& lines, const TimelinePhase& phase,
                          const TimelinePhase* before) const;
  nlohmann::json event_json(Version version, const fb::Event& event, const Position& before,
                            const Position& after) const;

  const Game& game_;
  const View& view_;
  const Words& words_;
  const Names& names_;
  const Control control_;
  LuckLedger ledger_;
  std::vector<ToldRoll> rolls_;
  Gathered now_;
  std::int16_t turn_ = 0;
  bool begun_ = false;
  std::vector<std::vector<std::string>> phases_;  // sentences of each phase
};

}  // namespace wardiary

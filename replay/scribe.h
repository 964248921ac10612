// Scribe mode: a game played on a table or elsewhere, written down by hand as JSON lines, one order
// or fact a line (docs/cli.md, "Recording a game played elsewhere"):
//
//   {"type":"MoveUnit","side":"axis","unit":"39Pz","path":["0714","0715"]}    an order of the rules
//   {"type":"Fire","side":"axis","unit":"39Pz","dice":[6,2,1]}                 with the dice that
//   fell
//   {"type":"Ruling","text":"agreed at the table","rule":"7.3"}               a deviation; facts
//   follow
//   {"type":"UnitChanged","unit":"6A","attribute":"cv","to":2}                 a fact
//   {"type":"TakeBack","commits":1,"text":"misread"}                           a correction
//
// An order is a commit of its own. Facts that follow one another are one commit; an empty line, a
// ruling or an order begins another.
#pragma once

#include <functional>
#include <iosfwd>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "domain/rule_system.h"
#include "eventstore/event_store.h"
#include "replay/library.h"
#include "replay/order_answer.h"

namespace wardiary {

struct ScribeLimits {
  static constexpr std::size_t kLineBytesMax = 1u << 20;
  static constexpr std::size_t kProblemsMax = 1'000;
};

struct ScribeProblem {
  std::uint64_t line = 0;
  std::string text;
};

struct Scribed {
  std::uint64_t lines = 0, orders = 0, facts = 0, take_backs = 0, commits = 0, events = 0;
  // Every line that could not be taken, and why. Later lines were tried as if it were not there.
  std::vector<ScribeProblem> problems;
  bool all_problems = true;           // not cut at kProblemsMax
  std::optional<OrderAnswer> answer;  // of the store, if something was written
};

// Reads lines onto a position, in memory only.
class Scribe {
 public:
  using EnvelopeAt = std::function<Envelope(const BranchInfo& at)>;
  // Without a store, take-backs reach no further back than the lines themselves.
  Scribe(EventStore* store, const Game& game, const BranchInfo& branch, Position position,
         EnvelopeAt envelope);
  ~Scribe();

  Scribed read(std::istream& lines);
  const EventList& events() const { return events_; }
  const Position& position() const { return position_; }

 private:
  Status take(std::string_view line);
  Status take_order(const nlohmann::json& order, const nlohmann::json* dice);
  Status take_fact(const nlohmann::json& fact);
  Status take_back(const nlohmann::json& wanted);
  // Ends the facts that are being gathered.
  Status end_commit();
  Status add_commit(const EventList& events, Position after);
  Error too_much();
  BranchInfo here() const;

  EventStore* store_;
  const Game& game_;
  const BranchInfo branch_;
  Position position_;
  EnvelopeAt envelope_;
  EventList events_;
  std::size_t bytes_ = 0;
  std::vector<std::size_t> begins_;  // where each commit begins in events_
  bool full_ = false;
  std::unique_ptr<Chance> no_dice_;
  std::unique_ptr<Draft> draft_;  // facts being gathered
  Scribed out_;
};

// The other way: a branch in lines that a scribe could have written. Reading them onto a new
// scribed game of the same scenario gives the same position. kInvalid for events that cannot be
// written so.
Status export_scribe(EventStore& store, const OpenGame& game, const BranchId& branch,
                     std::ostream& out);

}  // namespace wardiary

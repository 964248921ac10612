#include "replay/dossier.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <set>

#include "domain/fairdice/fairdice.h"
#include "domain/json_writer.h"
#include "domain/schema/event_generated.h"
#include "eventstore/receipts.h"
#include "projections/luck_ledger.h"
#include "projections/statistics/multiple.h"
#include "projections/statistics/wording.h"
#include "projections/view.h"
#include "replay/live_dice.h"
#include "replay/dice_box.h"

namespace wardiary {

using nlohmann::json;

namespace {

bool begins_commit(const fb::Event& event) {
  return event.payload_type() == fb::Payload::OrderIssued || event.recorded_at_ms() != 0;
}

// Who could have foreseen or chosen such a roll, by its grade.
json trust_of(Grade grade, bool proven, bool custodial) {
  const char* foresee = "";
  const char* choose = "the service and every contributor together, before the epoch was opened";
  switch (grade) {
    case Grade::kLive:
      foresee = "the service together with every contributor who had not yet revealed";
      break;
    case Grade::kAsync:
      foresee = "the service together with the player who rolled";
      break;
    case Grade::kSolo:
      foresee = "the service together with that one player";
      break;
    case Grade::kBeacon:
      foresee = "nobody before the beacon's round was out";
      break;
    case Grade::kBranch:
      foresee = "in a what-if nothing is at stake: whoever keeps the service";
      break;
    case Grade::kImported:
      foresee = "anyone: it was rolled elsewhere and typed in";
      break;
  }
  if (!proven) {
    return {{"foresee", foresee}, {"choose", "whoever wrote it down: nothing is proven about it"}};
  }
  if (custodial) {
    return {{"foresee", "the service alone: it keeps the contributors' keys itself"},
            {"choose", "the service alone, and only before the epoch was opened"}};
  }
  return {{"foresee", foresee}, {"choose", choose}};
}

class DossierMaker {
 public:
  DossierMaker(EventStore& store, TimeMachine& time, const OpenGame& game, const BranchInfo& branch,
               const DossierRequest& request)
      : store_(store),
        time_(time),
        open_(game),
        game_(game.game),
        branch_(branch),
        request_(request),
        view_(game_, request.viewer),
        ledger_(game_.roster()) {}

  Result<json> make() {
    auto walked = time_.walk(
        branch_.branch, 1, branch_.version,
        [&](Version version, const fb::Event& event, ByteView, const Position& before,
            const Position& after) { return step(version, event, before, after); });
    if (!walked) return std::move(walked).error();
    if (!problem_) return std::move(problem_).error();
    finish_commit();
    if (commits_.empty()) return not_found(nothing());
    json out = {{"format", "wardiary-dossier/1"},
                {"game", to_hex(open_.id)},
                {"name", open_.name},
                {"system", game_.created.system},
                {"rulesVersion", game_.created.rules_version},
                {"branch", to_hex(branch_.branch)},
                {"viewer", viewer_words()},
                {"commits", std::move(commits_)}};
    if (request_.roll) {
      out["about"] = {{"roll", *request_.roll},
                      {"side", roller_name(game_.roster(), request_.side)}};
    } else {
      out["about"] = {{"turn", *request_.turn}};
    }
    out["statistics"] = statistics_so_far();
    return out;
  }

 private:
  struct Wanted {
    RollRecord roll;
    json words;
    Grade grade = Grade::kSolo;
  };

  std::string nothing() const {
    if (request_.turn)
      return "there is no turn " + std::to_string(*request_.turn) + " on this line";
    return roller_name(game_.roster(), request_.side) + " has no roll " +
           std::to_string(*request_.roll) + " on this line that may be seen";
  }
  std::string viewer_words() const {
    switch (request_.viewer.kind) {
      case Viewer::Kind::kSide:
        return roller_name(game_.roster(), request_.viewer.side);
      case Viewer::Kind::kSpectator:
        return "spectator";
      case Viewer::Kind::kReferee:
        break;
    }
    return "referee";
  }

  // One event on the way; false when there is nothing more to see.
  bool step(Version version, const fb::Event& event, const Position& before,
            const Position& after) {
    if (begins_commit(event)) {
      if (!finish_commit()) return false;
      commit_ = json{{"first", version}};
      first_ = version;
      before_ = before;
      wanted_.clear();
      // A turn is over when the clock says so, and everything up to there counts for its
      // statistics.
      if (request_.turn && before.clock.turn > *request_.turn && !commits_.empty()) return false;
      in_turn_ = request_.turn && before.clock.turn == *request_.turn;
    }
    if (request_.turn && after.clock.turn == *request_.turn) in_turn_ = true;
    last_ = version;
    after_ = after;
    if (!view_.sees_event(event, before, after)) return true;
    std::string text;
    JsonWriter writer(text);
    view_.write_event(writer, event, version, before, after);
    json words = json::parse(text);
    if (event.payload_type() == fb::Payload::DiceRolled) {
      RollRecord roll = read_roll(event, version, after.clock.turn);
      ledger_.add(roll);
      turns_seen_.insert(roll.turn);
      const Grade grade = static_cast<Grade>(event.payload_as_DiceRolled()->grade());
      const bool asked =
          request_.roll && roll.roller == request_.side && roll.number == *request_.roll;
      if (asked) found_ = true;
      if (asked || request_.turn) {
        wanted_.push_back({std::move(roll), std::move(words), grade});
      } else {
        effects_.push_back(std::move(words));
      }
    } else if (event.payload_type() == fb::Payload::OrderIssued) {
      commit_["order"] = std::move(words);
    } else {
      effects_.push_back(std::move(words));
    }
    return true;
  }

  // False when the dossier is complete.
  bool finish_commit() {
    const bool wanted = request_.roll ? found_ : in_turn_;
    if (wanted && first_ > 0) {
      commit_["last"] = last_;
      commit_["turn"] = after_.clock.turn;
      if (view_.sees_everything()) {
        commit_["digestBefore"] = to_hex(before_.digest());
        commit_["digestAfter"] = to_hex(after_.digest());
      } else {
        commit_["digests"] = "withheld: they cover what this viewer may not see";
      }
      json rolls = json::array();
      for (std::size_t i = 0; i < wanted_.size(); ++i) rolls.push_back(describe(i));
      commit_["rolls"] = std::move(rolls);
      commit_["effects"] = std::move(effects_);
      commits_.push_back(std::move(commit_));
    }
    first_ = 0;
    commit_ = json::object();
    effects_ = json::array();
    wanted_.clear();
    return problem_.ok() && !(request_.roll && found_) &&
           commits_.size() < DossierLimits::kCommitsMax;
  }

  json describe(std::size_t i) {
    const Wanted& wanted = wanted_[i];
    const RollOdds odds = odds_of(wanted.roll.groups);
    json out = {
        {"event", wanted.words},
        {"odds", odds_json(odds, outcome_of(odds.unit, wanted.roll.groups, wanted.roll.values))},
        {"proof", proof_of(wanted)}};
    if (!odds.distribution.p.empty()) {
      const double p = two_sided(odds, wanted.roll);
      smallest_p_ = std::min(smallest_p_, p);
      out["twoSidedP"] = p;
    }
    return out;
  }
  static double two_sided(const RollOdds& odds, const RollRecord& roll) {
    const auto luck =
        statistics::luck_of(odds.distribution, outcome_of(odds.unit, roll.groups, roll.values));
    return std::min(1.0, 2 * std::min(luck.at_most, luck.at_least));
  }

  json proof_of(const Wanted& wanted) {
    json out = {{"grade", fairdice::grade_word(wanted.grade)}, {"proven", wanted.roll.proven}};
    bool custodial = false;
    auto range = owner(wanted.roll.version);
    if (range) {
      auto checked = check(wanted, *range, custodial);
      out.update(checked);
    }
    out["trust"] = trust_of(wanted.grade, wanted.roll.proven, custodial);
    auto receipt = make_receipt(store_, branch_.branch, wanted.roll.version);
    if (receipt) out["receipt"] = receipt->text();
    if (auto hash = store_.event_hash(branch_.branch, wanted.roll.version)) {
      out["eventHash"] = to_hex(*hash);
    }
    return out;
  }
  // The branch whose own event it is: its dice are that branch's, also on a fork.
  Result<BranchInfo> owner(Version version) {
    BranchInfo at = branch_;
    while (at.parent && version <= at.forked_at) {
      auto parent = store_.branch(*at.parent);
      if (!parent) return std::move(parent).error();
      at = std::move(*parent);
    }
    return at;
  }
  json check(const Wanted& wanted, const BranchInfo& owner, bool& custodial) {
    if (!wanted.roll.proven) return {{"verdict", "there is no proof to check"}};
    DiceRecord dice(dice_context(store_, game_, owner));
    std::optional<Wrong> wrong;
    const Version first = owner.parent ? owner.forked_at + 1 : 1;
    auto read = store_.read(owner.branch, first, wanted.roll.version, [&](const StoredEvent& s) {
      auto event = open_event(s.payload);
      if (!event) return false;
      // What came before is the audit's business; this roll is checked here and now.
      if (s.version < wanted.roll.version) {
        dice.add(s.version, **event, [](ProofJob) {});
      } else {
        wrong = dice.add(s.version, **event);
      }
      return true;
    });
    if (!read || !dice.epoch()) return {{"verdict", "the epoch of this roll cannot be found"}};
    const EpochFacts& facts = dice.epoch()->facts;
    json out = {{"epoch",
                 {{"version", dice.epoch()->version},
                  {"hash", to_hex(dice.epoch()->hash)},
                  {"vrfKey", to_hex(facts.vrf_key)},
                  {"contributors", facts.contributors.size()}}}};
    custodial = std::all_of(facts.contributors.begin(), facts.contributors.end(),
                            [](const auto& c) { return c.custodial; });
    out["verdict"] = wrong ? "WRONG: " + wrong->field + ": recorded " + wrong->recorded +
                                 ", expected " + wrong->expected
                           : "the proof holds and yields these values";
    out["holds"] = !wrong;
    return out;
  }

  // What may be said about the dice of this line so far.
  json statistics_so_far() const {
    json out = ledger_.write();
    out.erase("format");
    const std::uint64_t choices = request_.roll ? std::max<std::uint64_t>(ledger_.rolls(), 1)
                                                : std::max<std::size_t>(turns_seen_.size(), 1);
    double p = smallest_p_;
    if (request_.turn) p = turn_p();
    out["picked"] = {{"from", choices},
                     {"of", request_.roll ? "rolls so far on this line" : "turns so far"},
                     {"p", p},
                     {"corrected", statistics::selected(p, static_cast<unsigned>(choices))},
                     {"says",
                      "A roll or turn that is looked at because it stood out must be judged by the "
                      "corrected value: among so many, one like it was to be expected with that "
                      "probability."}};
    return out;
  }
  // How far the turn's sums are from what was to be expected, both ways; the smallest of the
  // accounts, corrected for their number. By the normal law, as the number of dice was not fixed.
  double turn_p() const {
    double smallest = 1;
    unsigned accounts = 0;
    const std::string turn = std::to_string(*request_.turn);
    for (const auto& account : ledger_.accounts()) {
      for (const LuckLedger::Row& row : account->turns) {
        if (row.of != turn || row.sum.variance() <= 0) continue;
        ++accounts;
        smallest = std::min(smallest, std::erfc(std::abs(row.sum.z()) / std::sqrt(2.0)));
      }
    }
    return accounts ? statistics::selected(smallest, accounts) : 1;
  }

  EventStore& store_;
  TimeMachine& time_;
  const OpenGame& open_;
  const Game& game_;
  const BranchInfo branch_;
  const DossierRequest& request_;
  const View view_;
  LuckLedger ledger_;
  std::set<std::int16_t> turns_seen_;
  Status problem_ = Done{};
  bool found_ = false, in_turn_ = false;
  double smallest_p_ = 1;
  // The commit under way.
  Version first_ = 0, last_ = 0;
  Position before_, after_;
  json commit_ = json::object(), effects_ = json::array();
  std::vector<Wanted> wanted_;
  json commits_ = json::array();
};

}  // namespace

Result<json> make_dossier(EventStore& store, Library& library, TimeMachine& time,
                          const DossierRequest& request) {
  if (request.roll.has_value() == request.turn.has_value()) {
    return invalid("a dossier is of one roll, or of one turn");
  }
  auto branch = store.branch(request.branch);
  if (!branch) return std::move(branch).error();
  auto game = library.game(branch->game);
  if (!game) return std::move(game).error();
  return DossierMaker(store, time, **game, *branch, request).make();
}

Result<json> luck_of_line(Library& library, TimeMachine& time, const BranchId& branch, Version last,
                          const Viewer& viewer) {
  auto game = library.game_of(branch);
  if (!game) return std::move(game).error();
  const View view((*game)->game, viewer);
  LuckLedger ledger((*game)->roster());
  auto walked = time.walk(branch, 1, last,
                          [&](Version version, const fb::Event& event, ByteView,
                              const Position& before, const Position& after) {
                            if (event.payload_type() == fb::Payload::DiceRolled &&
                                view.sees_event(event, before, after)) {
                              ledger.add(read_roll(event, version, after.clock.turn));
                            }
                            return true;
                          });
  if (!walked) return std::move(walked).error();
  return ledger.write();
}

}  // namespace wardiary

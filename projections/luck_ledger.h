// The rolls of a line, told honestly: each with its exact distribution and where the result lies in
// it, and per side, turn, battle and purpose the sum of what came minus what was to be expected
// (docs/dice.md, "Statistics"). Proven dice and dice without proof are kept apart throughout, and
// so are hits and pips.
//
// A fold: give it every roll a viewer may see, in order; write() may be asked for at any time.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "domain/event.h"
#include "projections/statistics/luck.h"
#include "projections/statistics/statistics.h"

namespace wardiary {

// What a roll is counted in: dice that hit, or the sum of the faces; draws and shuffles in nothing.
enum class RollUnit : std::uint8_t { kNone, kHits, kPips };
std::string_view name_of(RollUnit unit);

struct RollRecord {
  std::uint64_t version = 0;
  SideId roller;
  std::uint64_t number = 0;
  std::string purpose;
  std::int16_t turn = 0;
  SpaceId space;
  bool proven = false;  // a proof stands with it
  std::vector<RollGroup> groups;
  std::vector<std::uint32_t> values;
};
// The event must be a DiceRolled; `turn` is the clock's.
RollRecord read_roll(const fb::Event& event, std::uint64_t version, std::int16_t turn);

// What the groups can come to. `distribution` is empty where there is nothing to count, or more
// than can be worked out exactly (StatisticsLimits).
struct RollOdds {
  RollUnit unit = RollUnit::kNone;
  statistics::Distribution distribution;
  double mean = 0, variance = 0;  // of the distribution
};
RollOdds odds_of(const std::vector<RollGroup>& groups);
// What these faces came to in that unit.
std::int64_t outcome_of(RollUnit unit, const std::vector<RollGroup>& groups,
                        const std::vector<std::uint32_t>& values);

struct LedgerLimits {
  static constexpr std::uint64_t kDiceMax = 2'000;        // of one roll
  static constexpr std::uint64_t kPipsMax = 20'000;       // the largest sum worked out exactly
  static constexpr std::uint32_t kWatchedSidesMax = 100;  // of a die whose faces are watched
};

class LuckLedger {
 public:
  // One row of the ledger: rolls that belong together.
  struct Row {
    std::string of;  // turn, battle ("3 at 0714") or purpose
    std::uint64_t rolls = 0;
    statistics::LuckSum sum;
  };
  // Whose dice, of which kind, counted in what.
  struct Account {
    SideId side;
    bool proven = false;
    RollUnit unit = RollUnit::kNone;
    Row all;
    std::vector<Row> turns, battles, purposes;  // in the order they came up
  };
  // The pre-declared statistics of one kind of die of one side.
  struct Watch {
    SideId side;
    bool proven = false;
    statistics::DiceWatch dice;
  };

  explicit LuckLedger(const Roster& roster) : roster_(roster) {}
  void add(const RollRecord& roll);

  const std::vector<std::unique_ptr<Account>>& accounts() const { return accounts_; }
  const std::vector<std::unique_ptr<Watch>>& watches() const { return watches_; }
  std::uint64_t rolls() const { return rolls_; }
  // `wardiary-luck/1`.
  nlohmann::json write() const;

 private:
  const RollOdds& odds(const std::vector<RollGroup>& groups);
  Account& account(SideId side, bool proven, RollUnit unit);
  Watch& watch(SideId side, bool proven, unsigned sides);

  struct Index {  // places in an account's rows
    std::map<std::int16_t, std::size_t> turns;
    std::map<std::pair<std::int16_t, SpaceId>, std::size_t> battles;  // turn and space
    std::map<std::string, std::size_t> purposes;
  };
  const Roster& roster_;
  std::uint64_t rolls_ = 0;
  std::vector<std::unique_ptr<Account>> accounts_;
  std::map<const Account*, Index> index_;
  std::vector<std::unique_ptr<Watch>> watches_;
  std::vector<std::pair<std::vector<RollGroup>, RollOdds>> known_;  // of the groups seen so far
};

// A side's name; "nobody" for rolls of none.
std::string roller_name(const Roster& roster, SideId side);

nlohmann::json luck_json(const statistics::LuckSum& sum);
// Counts, tests and evidence with the sentence that may be said about it.
nlohmann::json summary_json(const statistics::DiceSummary& summary);
// The distribution, and where `actual` lies in it.
nlohmann::json odds_json(const RollOdds& odds, std::int64_t actual);

}  // namespace wardiary

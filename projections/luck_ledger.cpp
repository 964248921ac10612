#include "projections/luck_ledger.h"

#include <cmath>
#include <nlohmann/json.hpp>

#include "domain/schema/event_generated.h"
#include "projections/statistics/wording.h"

namespace wardiary {

using nlohmann::json;
using statistics::Distribution;

std::string_view name_of(RollUnit unit) {
  switch (unit) {
    case RollUnit::kHits:
      return "hits";
    case RollUnit::kPips:
      return "pips";
    case RollUnit::kNone:
      break;
  }
  return "none";
}

RollRecord read_roll(const fb::Event& event, std::uint64_t version, std::int16_t turn) {
  const fb::DiceRolled& e = *event.payload_as_DiceRolled();
  RollRecord out;
  out.version = version;
  out.roller = SideId{e.roller()};
  out.number = e.number();
  out.purpose = e.purpose()->str();
  out.turn = turn;
  out.space = SpaceId{e.space()};
  out.proven = e.proof() && e.proof()->size() > 0;
  for (const fb::RollGroup* g : *e.groups()) {
    out.groups.push_back(
        {static_cast<RollGroup::Kind>(g->kind()), g->count(), g->sides(), g->hits_from()});
  }
  out.values.assign(e.values()->begin(), e.values()->end());
  return out;
}

namespace {

bool is_dice(const RollGroup& group) {
  return group.kind == RollGroup::kDice && group.sides >= 1 && group.count >= 1;
}
bool counts_hits(const RollGroup& group) {
  return is_dice(group) && group.hits_from > 0;
}
double hit_chance(const RollGroup& group) {
  if (group.hits_from > group.sides) return 0;
  return static_cast<double>(group.sides - group.hits_from + 1) / group.sides;
}

}  // namespace

namespace {

RollOdds distribution_of(const std::vector<RollGroup>& groups) {
  RollOdds out;
  std::uint64_t dice = 0, pips = 0;
  bool hits = false, any = false;
  for (const RollGroup& group : groups) {
    if (!is_dice(group)) continue;
    any = true;
    hits = hits || counts_hits(group);
    dice += group.count;
    pips += std::uint64_t{group.count} * group.sides;
  }
  if (!any) return out;
  out.unit = hits ? RollUnit::kHits : RollUnit::kPips;
  if (dice > LedgerLimits::kDiceMax) return out;
  if (hits) {
    std::vector<double> chances;
    for (const RollGroup& group : groups) {
      if (counts_hits(group)) chances.insert(chances.end(), group.count, hit_chance(group));
    }
    out.distribution = statistics::hits(chances);
    return out;
  }
  if (pips > LedgerLimits::kPipsMax) return out;
  for (const RollGroup& group : groups) {
    if (!is_dice(group)) continue;
    const Distribution one = statistics::sum_of_dice(group.count, group.sides);
    out.distribution = out.distribution.p.empty() ? one : convolve(out.distribution, one);
  }
  return out;
}

}  // namespace

RollOdds odds_of(const std::vector<RollGroup>& groups) {
  RollOdds out = distribution_of(groups);
  if (out.distribution.p.empty()) return out;
  out.mean = out.distribution.mean();
  out.variance = out.distribution.variance();
  return out;
}

std::int64_t outcome_of(RollUnit unit, const std::vector<RollGroup>& groups,
                        const std::vector<std::uint32_t>& values) {
  std::int64_t out = 0;
  std::size_t next = 0;
  for (const RollGroup& group : groups) {
    for (unsigned i = 0; i < group.count && next < values.size(); ++i, ++next) {
      if (unit == RollUnit::kHits && counts_hits(group)) out += values[next] >= group.hits_from;
      if (unit == RollUnit::kPips && is_dice(group)) out += values[next];
    }
  }
  return out;
}

const RollOdds& LuckLedger::odds(const std::vector<RollGroup>& groups) {
  constexpr std::size_t kKnownMax = 256;
  for (auto& [known, odds] : known_) {
    if (known == groups) return odds;
  }
  if (known_.size() >= kKnownMax) known_.clear();
  known_.emplace_back(groups, odds_of(groups));
  return known_.back().second;
}

LuckLedger::Account& LuckLedger::account(SideId side, bool proven, RollUnit unit) {
  for (auto& account : accounts_) {
    if (account->side == side && account->proven == proven && account->unit == unit) {
      return *account;
    }
  }
  accounts_.push_back(std::make_unique<Account>());
  Account& out = *accounts_.back();
  out.side = side;
  out.proven = proven;
  out.unit = unit;
  return out;
}

LuckLedger::Watch& LuckLedger::watch(SideId side, bool proven, unsigned sides) {
  for (auto& watch : watches_) {
    const bool same = watch->side == side && watch->proven == proven;
    if (same && watch->dice.sides() == sides) return *watch;
  }
  watches_.push_back(std::make_unique<Watch>(Watch{side, proven, statistics::DiceWatch(sides)}));
  return *watches_.back();
}

namespace {

// The row under a key, made with its name when it is new.
template <class Key, class Name>
LuckLedger::Row& row(std::vector<LuckLedger::Row>& rows, std::map<Key, std::size_t>& index,
                     const Key& key, const Name& name) {
  auto [found, fresh] = index.emplace(key, rows.size());
  if (fresh) rows.push_back({name(), 0, {}});
  return rows[found->second];
}

}  // namespace

void LuckLedger::add(const RollRecord& roll) {
  ++rolls_;
  std::size_t next = 0;
  for (const RollGroup& group : roll.groups) {
    const bool watched =
        is_dice(group) && group.sides > 1 && group.sides <= LedgerLimits::kWatchedSidesMax;
    Watch* dice = watched ? &watch(roll.roller, roll.proven, group.sides) : nullptr;
    for (unsigned i = 0; i < group.count && next < roll.values.size(); ++i, ++next) {
      if (dice) dice->dice.add(roll.values[next]);
    }
  }
  const RollOdds& odds = this->odds(roll.groups);
  if (odds.distribution.p.empty()) return;
  const auto came = static_cast<double>(outcome_of(odds.unit, roll.groups, roll.values));
  Account& to = account(roll.roller, roll.proven, odds.unit);
  Index& index = index_[&to];
  auto enter = [&](Row& row) {
    ++row.rolls;
    row.sum.add(came, odds.mean, odds.variance);
  };
  auto turn = [&] { return std::to_string(roll.turn); };
  enter(to.all);
  enter(row(to.turns, index.turns, roll.turn, turn));
  enter(row(to.purposes, index.purposes, roll.purpose, [&] { return roll.purpose; }));
  if (roll.space.ok() && roll.space.index() < roster_.spaces.size()) {
    auto battle = [&] { return turn() + " at " + roster_.spaces[roll.space.index()]; };
    enter(row(to.battles, index.battles, std::pair(roll.turn, roll.space), battle));
  }
}

// ------------------------------------------------------------------------------------ in JSON

std::string roller_name(const Roster& roster, SideId side) {
  return side.ok() && side.index() < roster.sides.size() ? roster.sides[side.index()] : "nobody";
}

json luck_json(const statistics::LuckSum& sum) {
  return {{"actual", sum.actual()},
          {"expected", sum.expected()},
          {"excess", sum.excess()},
          {"deviation", std::sqrt(sum.variance())},
          {"z", sum.z()}};
}

json summary_json(const statistics::DiceSummary& summary) {
  const auto level = statistics::evidence_level(summary.log_e);
  json out = {{"sides", summary.sides},
              {"dice", summary.dice},
              {"counts", summary.counts},
              {"faces", {{"statistic", summary.faces.statistic}, {"p", summary.faces.p}}},
              {"adjusted", summary.adjusted},
              {"logE", summary.log_e},
              {"anytimeP", summary.anytime_p},
              {"level", statistics::name_of(level)},
              {"says", statistics::sentence_for(level)}};
  if (summary.pairs.degrees) {
    out["pairs"] = {{"statistic", summary.pairs.difference},
                    {"degrees", summary.pairs.degrees},
                    {"p", summary.pairs.p}};
  }
  return out;
}

json odds_json(const RollOdds& odds, std::int64_t actual) {
  json out = {{"unit", name_of(odds.unit)}};
  if (odds.distribution.p.empty()) return out;
  const statistics::RollLuck luck = statistics::luck_of(odds.distribution, actual);
  json table = json::array();
  for (std::size_t i = 0; i < odds.distribution.p.size(); ++i) {
    table.push_back({{"value", odds.distribution.lowest + static_cast<std::int64_t>(i)},
                     {"p", odds.distribution.p[i]}});
  }
  out["distribution"] = std::move(table);
  out["expected"] = luck.expected;
  out["actual"] = luck.actual;
  out["atMost"] = luck.at_most;
  out["atLeast"] = luck.at_least;
  out["percentile"] = luck.percentile;
  return out;
}

json LuckLedger::write() const {
  auto rows = [](const std::vector<Row>& from) {
    json out = json::array();
    for (const Row& row : from) {
      json entry = luck_json(row.sum);
      entry["of"] = row.of;
      entry["rolls"] = row.rolls;
      out.push_back(std::move(entry));
    }
    return out;
  };
  json accounts = json::array(), watches = json::array();
  bool proven = false;
  for (const auto& account : accounts_) {
    proven = proven || account->proven;
    json entry = luck_json(account->all.sum);
    entry["side"] = roller_name(roster_, account->side);
    entry["dice"] = account->proven ? "proven" : "unproven";
    entry["unit"] = name_of(account->unit);
    entry["rolls"] = account->all.rolls;
    entry["turns"] = rows(account->turns);
    entry["battles"] = rows(account->battles);
    entry["purposes"] = rows(account->purposes);
    accounts.push_back(std::move(entry));
  }
  for (const auto& watch : watches_) {
    json entry = summary_json(watch->dice.summary());
    entry["side"] = roller_name(roster_, watch->side);
    entry["kind"] = watch->proven ? "proven" : "unproven";
    watches.push_back(std::move(entry));
  }
  json out = {{"format", "wardiary-luck/1"},
              {"rolls", rolls_},
              {"luck", std::move(accounts)},
              {"dice", std::move(watches)}};
  if (proven) out["first"] = statistics::kProvenFirst;
  return out;
}

}  // namespace wardiary

// One roll through every outcome it could have had, with exact weights.
#include <algorithm>
#include <numeric>

#include "domain/schema/event_generated.h"
#include "replay/branch_chance.h"
#include "replay/sweep_script.h"

namespace wardiary {
namespace {

using Method = Sweep::Method;
using Faces = std::vector<std::uint32_t>;

// Products that do not overflow: nothing beyond `most`.
constexpr std::uint64_t kWaysMax = std::uint64_t{1} << 62;
std::optional<std::uint64_t> times(std::uint64_t a, std::uint64_t b) {
  if (a != 0 && b > kWaysMax / a) return std::nullopt;
  return a * b;
}
std::optional<std::uint64_t> power(std::uint64_t base, std::uint64_t exponent) {
  std::optional<std::uint64_t> out = 1;
  while (out && exponent-- > 0) out = times(*out, base);
  return out;
}
// n choose k; exact at every step.
std::optional<std::uint64_t> choose(std::uint64_t n, std::uint64_t k) {
  std::uint64_t out = 1;
  for (std::uint64_t i = 1; i <= k; ++i) {
    auto next = times(out, n - k + i);
    if (!next) return std::nullopt;
    out = *next / i;
  }
  return out;
}

// One group of dice through its outcomes: each is some faces and in how many ways they come.
struct GroupOutcomes {
  std::vector<std::pair<Faces, std::uint64_t>> all;
};

class Enumerator {
 public:
  explicit Enumerator(Method method) : method_(method) {}

  // How many outcomes a group has and in how many ways; nothing if beyond all limits.
  struct Size {
    std::uint64_t outcomes = 1, ways = 1;
  };
  std::optional<Size> size(const RollGroup& group) const {
    if (group.kind != RollGroup::kDice) {
      Size size;
      for (std::uint32_t i = 0; i < group.count && i < group.sides; ++i) {
        auto ways = times(size.ways, group.sides - i);
        if (!ways) return std::nullopt;
        size.outcomes = size.ways = *ways;
      }
      return size;
    }
    const auto ways = power(group.sides, group.count);
    if (!ways) return std::nullopt;
    if (method_ == Method::kEveryRoll) return Size{*ways, *ways};
    if (by_hits(group)) return Size{group.count + std::uint64_t{1}, *ways};
    const auto multisets = choose(group.count + std::uint64_t{group.sides} - 1, group.count);
    if (!multisets) return std::nullopt;
    return Size{*multisets, *ways};
  }

  GroupOutcomes outcomes(const RollGroup& group) const {
    GroupOutcomes out;
    Faces faces;
    if (group.kind != RollGroup::kDice) {
      draws(group, faces, out);
    } else if (method_ == Method::kEveryRoll) {
      rolls(group, faces, out);
    } else if (by_hits(group)) {
      hits(group, out);
    } else {
      combinations(group, 1, faces, 1, out);
    }
    return out;
  }

 private:
  bool by_hits(const RollGroup& group) const {
    return method_ == Method::kEveryNumberOfHits && group.hits_from > 0;
  }
  void rolls(const RollGroup& group, Faces& faces, GroupOutcomes& out) const {
    if (faces.size() == group.count) return out.all.emplace_back(faces, 1), void();
    for (std::uint32_t face = 1; face <= group.sides; ++face) {
      faces.push_back(face);
      rolls(group, faces, out);
      faces.pop_back();
    }
  }
  void draws(const RollGroup& group, Faces& faces, GroupOutcomes& out) const {
    if (faces.size() == std::min<std::size_t>(group.count, group.sides)) {
      return out.all.emplace_back(faces, 1), void();
    }
    for (std::uint32_t item = 0; item < group.sides; ++item) {
      if (std::find(faces.begin(), faces.end(), item) != faces.end()) continue;
      faces.push_back(item);
      draws(group, faces, out);
      faces.pop_back();
    }
  }
  // Faces in ascending order; of `left` dice k show `face` in (left choose k) ways.
  void combinations(const RollGroup& group, std::uint32_t face, Faces& faces, std::uint64_t ways,
                    GroupOutcomes& out) const {
    const std::size_t left = group.count - faces.size();
    if (face == group.sides) {
      Faces whole = faces;
      whole.resize(group.count, face);
      out.all.emplace_back(std::move(whole), ways);
      return;
    }
    const std::size_t size = faces.size();
    for (std::size_t k = 0; k <= left; ++k) {
      combinations(group, face + 1, faces, ways * *choose(left, k), out);
      faces.push_back(face);
    }
    faces.resize(size);
  }
  void hits(const RollGroup& group, GroupOutcomes& out) const {
    const std::uint64_t hitting =
        group.hits_from > group.sides ? 0 : group.sides - group.hits_from + 1;
    for (std::uint32_t k = 0; k <= group.count; ++k) {
      const std::uint64_t ways = *choose(group.count, k) * *power(hitting, k) *
                                 *power(group.sides - hitting, group.count - k);
      if (ways == 0) continue;
      Faces faces(k, group.sides);
      faces.resize(group.count, 1);
      out.all.emplace_back(std::move(faces), ways);
    }
  }

  const Method method_;
};

struct Plan {
  Method method = Method::kEveryRoll;
  std::uint64_t ways = 0;
};
Result<Plan> plan_for(const std::vector<RollGroup>& groups) {
  for (Method method :
       {Method::kEveryRoll, Method::kEveryCombination, Method::kEveryNumberOfHits}) {
    const Enumerator enumerator(method);
    std::optional<std::uint64_t> outcomes = 1, ways = 1;
    for (const RollGroup& group : groups) {
      const auto size = enumerator.size(group);
      outcomes = size && outcomes ? times(*outcomes, size->outcomes) : std::nullopt;
      ways = size && ways ? times(*ways, size->ways) : std::nullopt;
    }
    if (ways && *ways == 0) return invalid("the roll has dice without faces");
    if (outcomes && ways && *outcomes <= SweepLimits::kOutcomesMax) {
      return Plan{method, *ways};
    }
  }
  return Error{ErrorCode::kLimit, "the roll has more than " +
                                      std::to_string(SweepLimits::kOutcomesMax) +
                                      " outcomes, or more ways than can be counted"};
}

SameChance::Recorded recorded_roll(const fb::DiceRolled& rolled) {
  SameChance::Recorded out;
  for (const fb::RollGroup* g : *rolled.groups()) {
    out.groups.push_back(
        {static_cast<RollGroup::Kind>(g->kind()), g->count(), g->sides(), g->hits_from()});
  }
  out.values.assign(rolled.values()->begin(), rolled.values()->end());
  return out;
}

class RollSweep {
 public:
  RollSweep(const Script& script, Version roll)
      : script_(script),
        game_(script.game->game),
        gauge_(game_, script.before),
        index_(roll - script.first) {
    out_.kind = Sweep::Kind::kRoll;
    out_.first = script.first;
    out_.last = script.last;
    out_.orders = 1;
    out_.roll = roll;
    out_.measures = gauge_.measures(script.after);
  }

  Result<Sweep> run(const SweepProgress& progress, const std::atomic<bool>* cancel) {
    const auto* rolled = trusted_event(script_.events[index_])->payload_as_DiceRolled();
    key_ = {SideId{rolled->roller()}, rolled->number()};
    for (std::size_t i = 0; i < script_.events.size(); ++i) {
      const auto* each = trusted_event(script_.events[i])->payload_as_DiceRolled();
      if (!each) continue;
      rolls_[{SideId{each->roller()}, each->number()}] = recorded_roll(*each);
      out_.later_rolls += i > index_;
    }
    real_faces_ = rolls_[key_].values;
    const std::vector<RollGroup> groups = rolls_[key_].groups;
    auto plan = plan_for(groups);
    if (!plan) return std::move(plan).error();
    out_.method = plan->method;
    out_.total = plan->ways;
    const Enumerator enumerator(plan->method);
    std::vector<GroupOutcomes> each;
    for (const RollGroup& group : groups) each.push_back(enumerator.outcomes(group));
    std::uint64_t outcomes = 1;
    for (const GroupOutcomes& group : each) outcomes *= group.all.size();
    std::vector<std::size_t> at(each.size(), 0);
    for (std::uint64_t done = 0; done < outcomes; ++done) {
      if (cancel && cancel->load(std::memory_order_relaxed)) {
        out_.complete = false;
        break;
      }
      Faces faces;
      std::uint64_t ways = 1;
      for (std::size_t g = 0; g < each.size(); ++g) {
        const auto& [part, count] = each[g].all[at[g]];
        faces.insert(faces.end(), part.begin(), part.end());
        ways *= count;
      }
      play(std::move(faces), ways);
      for (std::size_t g = 0; g < at.size() && ++at[g] == each[g].all.size(); ++g) at[g] = 0;
      if (progress && done % 64 == 0) progress(done, outcomes);
    }
    finish();
    return std::move(out_);
  }

 private:
  void play(Faces faces, std::uint64_t ways) {
    rolls_[key_].values = faces;
    // A later roll that is asked for in another way than on record has no luck in it.
    SameChance chance(rolls_, std::make_shared<ExpectedChance>());
    Verdict verdict = decide(game_, script_.before, script_.orders.front().order, chance);
    auto* accepted = std::get_if<Accepted>(&verdict);
    if (!accepted) {
      out_.refused += ways;
      return;
    }
    std::vector<std::int64_t> values;
    gauge_.read(accepted->position, values);
    for (std::size_t i = 0; i < values.size(); ++i) out_.measures[i].spread.add(values[i], ways);
    SweepOutcome outcome = outcome_of(*accepted);
    auto key = std::tuple(outcome.result, outcome.hits, values);
    auto [row, fresh] = rows_.try_emplace(std::move(key), std::move(outcome));
    if (fresh) {
      row->second.faces = std::move(faces);
      row->second.values = std::move(values);
    }
    row->second.ways += ways;
  }
  // What the rules made of the roll.
  SweepOutcome outcome_of(const Accepted& accepted) const {
    SweepOutcome out;
    for (std::size_t i = 0; i < accepted.events.size(); ++i) {
      const auto* rolled = trusted_event(accepted.events[i])->payload_as_DiceRolled();
      if (!rolled || SideId{rolled->roller()} != key_.first || rolled->number() != key_.second) {
        continue;
      }
      out.hits = rolled->hits();
      if (rolled->result()) out.result = rolled->result()->str();
    }
    return out;
  }
  void finish() {
    // The row of the real faces, which need not be among those that stand for their kind.
    const Sweep so_far = out_;
    const auto before = rows_;
    rows_.clear();
    play(real_faces_, 1);
    const auto real_key = rows_.empty() ? std::nullopt : std::optional(rows_.begin()->first);
    out_ = so_far;
    rows_ = before;
    for (auto& [key, row] : rows_) {
      row.real = real_key && key == *real_key;
      out_.outcomes.push_back(std::move(row));
    }
    std::stable_sort(out_.outcomes.begin(), out_.outcomes.end(),
                     [](const SweepOutcome& a, const SweepOutcome& b) { return a.ways > b.ways; });
    out_.all_outcomes = out_.outcomes.size() <= SweepLimits::kRowsMax;
    if (!out_.all_outcomes) out_.outcomes.resize(SweepLimits::kRowsMax);
  }

  using Key = std::tuple<std::string, std::int32_t, std::vector<std::int64_t>>;
  const Script& script_;
  const Game& game_;
  const Gauge gauge_;
  const std::size_t index_;
  SameChance::Rolls rolls_;
  std::pair<SideId, std::uint64_t> key_;
  Faces real_faces_;
  std::map<Key, SweepOutcome> rows_;
  Sweep out_;
};

}  // namespace

Result<Sweep> sweep_roll(EventStore& store, Library& library, TimeMachine& time,
                         const BranchId& branch, Version roll, const SweepProgress& progress,
                         const std::atomic<bool>* cancel) {
  auto script = read_script(store, library, time, branch, roll, Through::kOrder);
  if (!script) return std::move(script).error();
  const bool inside = roll >= script->first && roll <= script->last;
  if (!inside || !trusted_event(script->events[roll - script->first])->payload_as_DiceRolled()) {
    return invalid("event " + std::to_string(roll) + " is not the roll of an order");
  }
  return RollSweep(*script, roll).run(progress, cancel);
}

}  // namespace wardiary

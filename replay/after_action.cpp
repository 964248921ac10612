#include "replay/after_action.h"

#include <algorithm>
#include <cmath>
#include <ctime>

#include "replay/after_action_story.h"
#include "replay/compare_lines.h"
#include "replay/sweep.h"

namespace wardiary {
namespace {

std::string date_text(std::uint64_t ms) {
  const auto seconds = static_cast<std::time_t>(ms / 1'000);
  std::tm parts{};
  gmtime_r(&seconds, &parts);
  char buffer[32];
  std::strftime(buffer, sizeof buffer, "%Y-%m-%d", &parts);
  return buffer;
}

class Writer {
 public:
  Writer(EventStore& store, Library& library, TimeMachine& time, const AfterActionRequest& request,
         const OpenGame& open, const BranchInfo& branch, const std::vector<TimelinePhase>& phases)
      : store_(store),
        library_(library),
        time_(time),
        request_(request),
        open_(open),
        game_(open.game),
        branch_(branch),
        phases_(phases),
        words_(request.language, open.game.created.system),
        names_(game_, words_),
        view_(game_, request.viewer),
        story_(game_, view_, words_, names_),
        report_(words_.say("report.title", {{"name", open.name}}),
                std::string(code_of(request.language))) {}

  Result<AfterAction> write() {
    auto walked = time_.walk(branch_.branch, 1, branch_.version,
                             [&](Version version, const fb::Event& event, ByteView,
                                 const Position& before, const Position& after) {
                               story_.step(version, event, before, after);
                               return true;
                             });
    if (!walked) return std::move(walked).error();
    story_.finish();
    auto end = time_.at(branch_.branch, branch_.version);
    if (!end) return std::move(end).error();
    auto notes = Notes(store_).list(open_.id, request_.reader, branch_.branch);
    if (!notes) return std::move(notes).error();
    opening(*end);
    standing(*end);
    charts();
    moments();
    luck();
    if (auto status = audit(); !status) return std::move(status).error();
    story_.write(report_, phases_, *notes);
    return AfterAction{std::move(report_), open_.name};
  }

 private:
  SideId side(std::size_t s) const { return SideId{static_cast<int>(s)}; }
  std::size_t sides() const { return game_.roster().sides.size(); }

  void opening(const Position& end) {
    const std::string line = branch_.parent
                                 ? words_.say("report.line.branch", {{"name", branch_.name}})
                                 : words_.say("report.line.main");
    const std::string system =
        game_.system ? std::string(game_.system->title()) : game_.created.system;
    report_.text(words_.say("report.about",
                            {{"system", system},
                             {"scenario", game_.created.scenario},
                             {"events", words_.number(static_cast<std::int64_t>(branch_.version))},
                             {"line", line}}));
    auto info = store_.game(open_.id);
    static constexpr const char* kGrades[] = {"live",     "async",  "solo",
                                              "imported", "beacon", "branch"};
    if (info) {
      report_.text(words_.say(
          "report.played",
          {{"date", date_text(info->created_at_ms)},
           {"dice", words_.word("grade", kGrades[static_cast<std::size_t>(game_.created.dice)])}}));
    }
    if (request_.viewer.kind != Viewer::Kind::kReferee) {
      const bool spectator = request_.viewer.kind == Viewer::Kind::kSpectator;
      report_.text(
          words_.say("report.viewer", {{"viewer", spectator ? words_.say("report.viewer.spectator")
                                                            : names_.side(request_.viewer.side)}}));
    }
    if (!end.over) {
      report_.text(words_.say("report.running", {{"turn", std::to_string(end.clock.turn)}}));
    } else {
      report_.good(end.winner >= 0
                       ? words_.say("report.won", {{"side", names_.side(SideId{end.winner})}})
                       : words_.say("report.drawn"));
    }
  }

  void standing(const Position& end) {
    const Standing now = standing_of(game_, view_, end, branch_.version);
    const auto known = [&](const std::optional<std::int64_t>& value) {
      return value ? words_.number(*value) : std::string("–");
    };
    std::vector<Report::Row> rows;
    for (std::size_t s = 0; s < sides(); ++s) {
      std::int64_t lost = 0;
      for (const TimelinePhase& phase : phases_) lost += phase.loss(side(s));
      std::string supply;
      for (const auto& [status, count] : now.supply[s]) {
        supply += (supply.empty() ? "" : ", ") + words_.number(count) + " " +
                  words_.word("supply", status);
      }
      rows.push_back({names_.side(side(s)), known(now.score[s]), known(now.strength[s]),
                      words_.number(lost), words_.number(now.control[s]), supply});
    }
    report_.heading(words_.say("report.standing"));
    report_.table(
        {words_.say("report.side"), words_.say("report.score"), words_.say("report.strength"),
         words_.say("report.lost"), words_.say("report.spaces"), words_.say("report.supply")},
        std::move(rows));
  }

  // The last phase of each turn: charts show how turns ended.
  std::vector<const TimelinePhase*> turn_ends() const {
    std::vector<const TimelinePhase*> ends;
    for (const TimelinePhase& phase : phases_) {
      if (!ends.empty() && ends.back()->clock.turn == phase.clock.turn) ends.pop_back();
      ends.push_back(&phase);
    }
    return ends;
  }

  using ValueOf = std::function<std::optional<double>(const TimelinePhase&, std::size_t side)>;
  void chart(const std::string& title, const ValueOf& value_of, int places = 0) {
    Chart chart;
    chart.title = title;
    chart.places = places;
    const auto ends = turn_ends();
    for (const TimelinePhase* end : ends) chart.labels.push_back(std::to_string(end->clock.turn));
    for (std::size_t s = 0; s < sides(); ++s) {
      Chart::Series series{names_.side(side(s)), {}};
      for (const TimelinePhase* end : ends) series.values.push_back(value_of(*end, s));
      const bool any = std::any_of(series.values.begin(), series.values.end(),
                                   [](const auto& value) { return value.has_value(); });
      if (any) chart.series.push_back(std::move(series));
    }
    if (!chart.series.empty()) report_.chart(std::move(chart));
  }

  void charts() {
    chart(words_.say("report.chart.score"), [&](const TimelinePhase& phase, std::size_t s) {
      return phase.score.empty()
                 ? std::optional<double>()
                 : std::optional<double>(static_cast<double>(phase.score_of(side(s))));
    });
    chart(words_.say("report.chart.strength"), [](const TimelinePhase& phase, std::size_t s) {
      const bool known = s < phase.strength.size() && phase.strength[s] >= 0;
      return known ? std::optional<double>(phase.strength[s]) : std::nullopt;
    });
    // The status that most units have is the good one; the others are the story.
    std::map<std::string, std::uint64_t> counts;
    for (const TimelinePhase& phase : phases_) {
      for (const auto& of_side : phase.supply) {
        for (const auto& [status, count] : of_side) counts[status] += count;
      }
    }
    if (!counts.empty()) {
      const std::string usual =
          std::max_element(counts.begin(), counts.end(), [](const auto& a, const auto& b) {
            return a.second < b.second;
          })->first;
      chart(words_.say("report.chart.supply", {{"status", words_.word("supply", usual)}}),
            [&](const TimelinePhase& phase, std::size_t s) {
              std::optional<double> sum;
              if (s >= phase.supply.size()) return sum;
              for (const auto& [status, count] : phase.supply[s]) {
                sum = sum.value_or(0) + (status == usual ? 0 : count);
              }
              return sum;
            });
    }
    luck_chart();
  }

  void luck_chart() {
    std::map<const TimelinePhase*, std::vector<std::optional<double>>> so_far;
    std::vector<std::optional<double>> sums(sides());
    for (const TimelinePhase& phase : phases_) {
      for (const TimelinePhase::Luck& luck : phase.luck) {
        if (!luck.side.ok() || luck.unit != RollUnit::kHits) continue;
        auto& sum = sums[luck.side.index()];
        sum = sum.value_or(0) + luck.actual - luck.expected;
      }
      so_far[&phase] = sums;
    }
    chart(
        words_.say("report.chart.luck"),
        [&](const TimelinePhase& phase, std::size_t s) { return so_far[&phase][s]; }, 1);
  }

  // The phases after which the lead had changed most.
  void score_moments(std::vector<std::string>& out) {
    if (sides() < 2) return;
    struct Swing {
      std::int64_t by = 0;  // for side 0 against side 1
      const TimelinePhase* phase = nullptr;
    };
    std::vector<Swing> swings;
    const auto lead = [&](const TimelinePhase& p) {
      return p.score_of(side(0)) - p.score_of(side(1));
    };
    for (std::size_t i = 1; i < phases_.size(); ++i) {
      if (phases_[i].score.empty() || phases_[i - 1].score.empty() || phases_[i].clock.turn == 0)
        continue;
      const std::int64_t by = lead(phases_[i]) - lead(phases_[i - 1]);
      if (by != 0) swings.push_back({by, &phases_[i]});
    }
    std::stable_sort(swings.begin(), swings.end(), [](const Swing& a, const Swing& b) {
      return std::abs(a.by) > std::abs(b.by);
    });
    for (std::size_t i = 0; i < swings.size() && i < AfterActionLimits::kMoments; ++i) {
      const TimelinePhase& phase = *swings[i].phase;
      const std::string when = names_.turn(phase.clock.turn) + ", " +
                               words_.word("phase", game_.roster().phases[phase.clock.phase]);
      out.push_back(words_.say(i == 0 ? "report.moment.score" : "report.moment.score.also",
                               {{"swing", words_.number(std::abs(swings[i].by))},
                                {"side", names_.side(side(swings[i].by > 0 ? 0 : 1))},
                                {"when", when}}));
    }
  }

  // The rolls whose outcomes, played through one by one, would on average have led elsewhere.
  void expected_moments(std::vector<std::string>& out) {
    // A sweep tells of hidden pieces.
    if (request_.viewer.kind != Viewer::Kind::kReferee || !game_.system) return;
    struct Moment {
      double by = 0;
      std::string text;
    };
    std::vector<Moment> found;
    for (const ToldRoll& roll : story_.most_surprising(AfterActionLimits::kSweeps)) {
      auto sweep = sweep_roll(store_, library_, time_, branch_.branch, roll.version);
      if (!sweep || !sweep->complete) continue;  // no roll of an order, or too many outcomes
      const Moment* best = nullptr;
      Moment each;
      for (const SweepMeasure& measure : sweep->measures) {
        if (measure.kind == SweepMeasure::Kind::kControl || !measure.side.ok()) continue;
        const double expected = measure.spread.mean();
        const double by = std::abs(static_cast<double>(measure.real) - expected);
        if (by < 0.5 || (best && by <= best->by)) continue;
        const bool losses = measure.kind == SweepMeasure::Kind::kLosses;
        each = {by, words_.say(losses ? "report.moment.expected.losses" : "report.moment.expected",
                               {{"event", std::to_string(roll.version)},
                                {"what", roll.what},
                                {"side", names_.side(measure.side)},
                                {"expected", words_.decimal(expected, 1)},
                                {"actual", words_.number(measure.real)}})};
        best = &each;
      }
      if (best) found.push_back(each);
    }
    std::stable_sort(found.begin(), found.end(),
                     [](const Moment& a, const Moment& b) { return a.by > b.by; });
    for (std::size_t i = 0; i < found.size() && i < AfterActionLimits::kMoments; ++i) {
      out.push_back(found[i].text);
    }
  }

  void luck_moments(std::vector<std::string>& out) {
    for (const ToldRoll& roll : story_.most_surprising(AfterActionLimits::kMoments)) {
      const bool high = static_cast<double>(roll.actual) > roll.expected;
      out.push_back(
          words_.say("report.moment.luck",
                     {{"event", std::to_string(roll.version)},
                      {"what", roll.what},
                      {"expected", words_.decimal(roll.expected, 1)},
                      {"unit", words_.say("report.unit." + std::string(name_of(roll.unit)))},
                      {"far", words_.say(high ? "report.far.high" : "report.far.low")},
                      {"percent", words_.decimal(100 * roll.tail, roll.tail < 0.01 ? 2 : 0)}}));
    }
  }

  void moments() {
    std::vector<std::string> items;
    score_moments(items);
    expected_moments(items);
    luck_moments(items);
    report_.heading(words_.say("report.moments"));
    if (items.empty()) return report_.text(words_.say("report.moments.none"));
    report_.list(std::move(items));
  }

  void luck() {
    report_.heading(words_.say("report.luck"));
    if (story_.ledger().rolls() == 0) return report_.text(words_.say("report.luck.none"));
    report_.text(words_.say("report.luck.what"));
    std::vector<Report::Row> rows;
    for (const auto& account : story_.ledger().accounts()) {
      const statistics::LuckSum& sum = account->all.sum;
      const std::string unit = words_.say("report.unit." + std::string(name_of(account->unit)));
      rows.push_back({names_.side(account->side),
                      words_.say(account->proven ? "report.dice.proven" : "report.dice.unproven"),
                      words_.number(static_cast<std::int64_t>(account->all.rolls)),
                      words_.decimal(sum.actual(), 0) + " " + unit,
                      words_.decimal(sum.expected(), 1), words_.decimal(sum.excess(), 1, true),
                      words_.decimal(std::sqrt(sum.variance()), 1)});
    }
    report_.table({words_.say("report.luck.side"), words_.say("report.luck.dice"),
                   words_.say("report.luck.rolls"), words_.say("report.luck.actual"),
                   words_.say("report.luck.expected"), words_.say("report.luck.difference"),
                   words_.say("report.luck.deviation")},
                  std::move(rows));
  }

  Status audit() {
    if (!request_.audit) return Done{};
    auto audited = audit_game(store_, library_, open_.id);
    if (!audited) return std::move(audited).error();
    report_.heading(words_.say("report.audit"));
    std::uint64_t failed = 0;
    std::string first;
    std::vector<Report::Row> rows;
    for (const AuditCheck& check : audited->checks) {
      failed += check.failed;
      if (check.first && first.empty()) {
        first = check.name + ", " + std::to_string(check.first->version) + ", " +
                check.first->field + ": " + check.first->recorded;
      }
      rows.push_back(
          {words_.has("check." + check.name) ? words_.say("check." + check.name) : check.name,
           words_.number(static_cast<std::int64_t>(check.examined)),
           words_.number(static_cast<std::int64_t>(check.failed))});
    }
    if (failed == 0) {
      report_.good(
          words_.say("report.audit.clean",
                     {{"events", words_.number(static_cast<std::int64_t>(audited->events))},
                      {"branches", words_.number(static_cast<std::int64_t>(audited->branches))}}));
    } else {
      report_.bad(words_.say(
          "report.audit.found",
          {{"count", words_.number(static_cast<std::int64_t>(failed))}, {"what", first}}));
    }
    report_.table({words_.say("report.audit.check"), words_.say("report.audit.examined"),
                   words_.say("report.audit.failed")},
                  std::move(rows));
    return Done{};
  }

  EventStore& store_;
  Library& library_;
  TimeMachine& time_;
  const AfterActionRequest& request_;
  const OpenGame& open_;
  const Game& game_;
  const BranchInfo& branch_;
  const std::vector<TimelinePhase>& phases_;
  const Words words_;
  const Names names_;
  const View view_;
  Story story_;
  Report report_;
};

}  // namespace

Result<AfterAction> after_action(EventStore& store, Library& library, TimeMachine& time,
                                 Timelines& timelines, const AfterActionRequest& request) {
  auto branch = store.branch(request.branch);
  if (!branch) return std::move(branch).error();
  if (branch->version > AfterActionLimits::kEventsMax) {
    return Error{ErrorCode::kLimit, "the line has more than " +
                                        std::to_string(AfterActionLimits::kEventsMax) + " events"};
  }
  auto game = library.game(branch->game);
  if (!game) return std::move(game).error();
  auto phases = timelines.of(request.branch, request.viewer);
  if (!phases) return std::move(phases).error();
  return Writer(store, library, time, request, **game, *branch, *phases).write();
}

}  // namespace wardiary

#include "replay/after_action_story.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "domain/json_writer.h"
#include "domain/schema/event_generated.h"

namespace wardiary {

using nlohmann::json;

namespace {

constexpr std::size_t kListMax = 12;     // named before "and so many more"
constexpr std::size_t kBattlesMax = 25;  // of one phase

}  // namespace

Story::Story(const Game& game, const View& view, const Words& words, const Names& names)
    : game_(game),
      view_(view),
      words_(words),
      names_(names),
      control_(game.roster()),
      ledger_(game.roster()) {}

json Story::event_json(Version version, const fb::Event& event, const Position& before,
                       const Position& after) const {
  std::string text;
  JsonWriter out(text);
  view_.write_event(out, event, version, before, after);
  return json::parse(text, nullptr, false);
}

void Story::order(const fb::Event& event) {
  const auto& issued = *event.payload_as_OrderIssued();
  const int side = issued.side();
  const bool known = side >= 0 && static_cast<std::size_t>(side) < game_.roster().sides.size();
  const std::string who = known ? names_.side(SideId{side}) : "";
  ++now_.orders[who + (who.empty() ? "" : ": ") + words_.word("order", issued.type()->str())];
}

void Story::roll(Version version, const fb::Event& event, const Position& before,
                 const Position& after) {
  const RollRecord record = read_roll(event, version, turn_);
  ledger_.add(record);
  const json told = event_json(version, event, before, after);
  const auto& rolled = *event.payload_as_DiceRolled();
  std::string values;
  for (std::uint32_t value : record.values) values += " " + std::to_string(value);
  std::string result;
  if (rolled.hits() >= 0) {
    result = " (" +
             words_.say(rolled.hits() == 1 ? "dice.hit" : "dice.hits",
                        {{"count", std::to_string(rolled.hits())}}) +
             ")";
  } else if (rolled.result() && rolled.result()->size() > 0) {
    result = " (" + words_.word("result", rolled.result()->str()) + ")";
  }
  const std::string line =
      words_.say("report.roll", {{"side", names_.side(record.roller)},
                                 {"values", values.empty() ? "" : values.substr(1)},
                                 {"result", result}});
  const std::string where = record.space.ok() && record.space.index() < game_.roster().spaces.size()
                                ? names_.space(game_.roster().spaces[record.space.index()])
                                : words_.word("purpose", record.purpose);
  auto battle = std::find_if(now_.battles.begin(), now_.battles.end(),
                             [&](const auto& each) { return each.first == where; });
  if (battle == now_.battles.end()) battle = now_.battles.insert(battle, {where, {}});
  battle->second.push_back(line);

  const RollOdds odds = odds_of(record.groups);
  if (odds.distribution.p.empty() || odds.variance <= 0) return;
  const std::int64_t actual = outcome_of(odds.unit, record.groups, record.values);
  const statistics::RollLuck luck = statistics::luck_of(odds.distribution, actual);
  rolls_.push_back({version, record.roller, event_words(told, words_, names_), odds.unit, odds.mean,
                    std::sqrt(odds.variance), actual, std::min(luck.at_most, luck.at_least)});
}

void Story::taken(SpaceId space, std::int16_t to) {
  if (!space.ok() || space.index() >= game_.roster().spaces.size()) return;
  now_.control[control_.holder(to).value].push_back(
      names_.space(game_.roster().spaces[space.index()]));
}

void Story::step(Version version, const fb::Event& event, const Position& before,
                 const Position& after) {
  if (begun_ && event.payload_type() == fb::Payload::PhaseBegan) finish();
  begun_ = true;
  turn_ = after.clock.turn;
  if (!view_.sees_event(event, before, after)) return;
  const auto sentence = [&] {
    return event_words(event_json(version, event, before, after), words_, names_);
  };
  const auto unit_at = [&](const char* place) {
    const json told = event_json(version, event, before, after);
    return names_.unit(told.value("unit", "")) + " (" + names_.space(told.value(place, "")) + ")";
  };
  switch (event.payload_type()) {
    case fb::Payload::OrderIssued:
      return order(event);
    case fb::Payload::DiceRolled:
      return roll(version, event, before, after);
    case fb::Payload::UnitRemoved:
      now_.off.push_back(unit_at("from"));
      return;
    case fb::Payload::UnitPlaced:
      if (before.clock.turn > 0) now_.on.push_back(unit_at("at"));
      return;
    case fb::Payload::SpaceChanged: {
      const auto& e = *event.payload_as_SpaceChanged();
      if (e.attribute() == control_.attribute()) taken(SpaceId{e.space()}, e.to());
      return;
    }
    case fb::Payload::SpacesChanged: {
      const auto& e = *event.payload_as_SpacesChanged();
      if (e.attribute() != control_.attribute() || before.clock.turn == 0) return;
      for (unsigned i = 0; i < e.spaces()->size(); ++i) {
        taken(SpaceId{e.spaces()->Get(i)}, e.to()->Get(i));
      }
      return;
    }
    case fb::Payload::Ruling:
    case fb::Payload::TakeBack:
    case fb::Payload::TakeBackProposed:
    case fb::Payload::TakeBackAnswered:
    case fb::Payload::BranchForked:
    case fb::Payload::GameEnded:
      now_.sentences.push_back(sentence() + ".");
      return;
    default:
      return;
  }
}

std::string Story::joined(const std::vector<std::string>& items) const {
  std::string out;
  for (std::size_t i = 0; i < items.size() && i < kListMax; ++i) out += (i ? ", " : "") + items[i];
  if (items.size() <= kListMax) return out;
  return words_.say("report.more",
                    {{"list", out},
                     {"count", words_.number(static_cast<std::int64_t>(items.size() - kListMax))}});
}

std::vector<std::string> Story::lines_of(const Gathered& gathered) const {
  std::vector<std::string> lines;
  std::vector<std::string> orders;
  for (const auto& [type, count] : gathered.orders) {
    orders.push_back(type + (count > 1 ? " ×" + std::to_string(count) : ""));
  }
  if (!orders.empty()) lines.push_back(words_.say("report.orders", {{"list", joined(orders)}}));
  for (std::size_t i = 0; i < gathered.battles.size() && i < kBattlesMax; ++i) {
    const auto& [where, rolls] = gathered.battles[i];
    lines.push_back(words_.say("report.battle", {{"space", where}, {"rolls", joined(rolls)}}));
  }
  if (!gathered.on.empty())
    lines.push_back(words_.say("report.placed", {{"list", joined(gathered.on)}}));
  if (!gathered.off.empty()) {
    lines.push_back(words_.say("report.eliminated", {{"list", joined(gathered.off)}}));
  }
  for (const auto& [side, spaces] : gathered.control) {
    lines.push_back(side < 0 ? words_.say("report.control.none", {{"list", joined(spaces)}})
                             : words_.say("report.control", {{"side", names_.side(SideId{side})},
                                                             {"list", joined(spaces)}}));
  }
  lines.insert(lines.end(), gathered.sentences.begin(), gathered.sentences.end());
  return lines;
}

void Story::finish() {
  phases_.push_back(lines_of(now_));
  now_ = {};
}

// What the timeline knows of a phase: losses, supply, score.
void Story::add_timeline_lines(std::vector<std::string>& lines, const TimelinePhase& phase,
                               const TimelinePhase* before) const {
  const Roster& roster = game_.roster();
  std::vector<std::string> losses;
  for (std::size_t s = 0; s < phase.losses.size(); ++s) {
    std::vector<std::string> types;
    for (const auto& [type, steps] : phase.losses[s]) {
      types.push_back(words_.word("type", type) + " " + words_.number(steps));
    }
    if (types.empty()) continue;
    const SideId side{static_cast<int>(s)};
    losses.push_back(words_.say("report.losses.side", {{"side", names_.side(side)},
                                                       {"steps", words_.number(phase.loss(side))},
                                                       {"types", joined(types)}}));
  }
  if (!losses.empty()) lines.push_back(words_.say("report.losses", {{"list", joined(losses)}}));
  std::map<std::string, std::vector<std::string>> supply;
  for (const auto& change : phase.supply_changes) {
    if (change.from.empty() || change.to.empty()) continue;  // came or went
    supply[change.to].push_back(names_.unit(roster.units[change.unit.index()].name));
  }
  for (const auto& [status, units] : supply) {
    lines.push_back(words_.say(
        "report.cut", {{"status", words_.word("supply", status)}, {"list", joined(units)}}));
  }
  if (phase.score.empty() || !before || phase.score == before->score) return;
  std::vector<std::string> scores;
  for (std::size_t s = 0; s < roster.sides.size(); ++s) {
    const SideId side{static_cast<int>(s)};
    const std::int64_t delta = phase.score_of(side) - before->score_of(side);
    scores.push_back(
        names_.side(side) + " " + words_.number(phase.score_of(side)) +
        (delta ? " (" + words_.decimal(static_cast<double>(delta), 0, true) + ")" : ""));
  }
  lines.push_back(words_.say("report.score.now", {{"list", joined(scores)}}));
}

void Story::write(Report& report, const std::vector<TimelinePhase>& phases,
                  const std::vector<Note>& notes) const {
  const Roster& roster = game_.roster();
  report.heading(words_.say("report.story"));
  int turn = -1;
  for (std::size_t i = 0; i < phases.size() && i < phases_.size(); ++i) {
    const TimelinePhase& phase = phases[i];
    std::vector<std::string> lines = phases_[i];
    add_timeline_lines(lines, phase, i ? &phases[i - 1] : nullptr);
    for (const Note& note : notes) {
      if (note.version < phase.first || note.version > phase.last || note.text.empty()) continue;
      lines.push_back(words_.say(
          "report.note",
          {{"author", note.author}, {"event", std::to_string(note.version)}, {"text", note.text}}));
    }
    if (phase.clock.turn != turn) {
      turn = phase.clock.turn;
      report.subheading(names_.turn(turn));
    }
    if (lines.empty()) continue;
    std::string title = words_.word("phase", roster.phases[phase.clock.phase]);
    if (phase.clock.side >= 0) title += " · " + names_.side(phase.clock.active());
    report.text(title + " (" + std::to_string(phase.first) + "–" + std::to_string(phase.last) +
                ")");
    report.list(std::move(lines));
  }
}

std::vector<ToldRoll> Story::most_surprising(std::size_t most) const {
  std::vector<ToldRoll> out = rolls_;
  std::stable_sort(out.begin(), out.end(),
                   [](const ToldRoll& a, const ToldRoll& b) { return a.tail < b.tail; });
  if (out.size() > most) out.resize(most);
  return out;
}

}  // namespace wardiary

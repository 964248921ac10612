#include "replay/casebook.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "domain/event_json.h"
#include "domain/json_reader.h"
#include "domain/json_writer.h"
#include "eventstore/data_dir.h"
#include "projections/view.h"
#include "replay/case_match.h"
#include "replay/case_start.h"

namespace wardiary {

using nlohmann::json;

struct Casebook::Scenarios {
  std::map<const RuleSystem*, SystemScenarios> by_system;
};

Casebook::Casebook() : scenarios_(std::make_unique<Scenarios>()) {}
Casebook::~Casebook() = default;

namespace {

constexpr std::size_t kStepsMax = 10'000;
constexpr std::size_t kDiceMax = 10'000;

// The members of a step's `expect` that are about what happened, not about the position after it.
constexpr const char* kOutcome[] = {"reject", "events", "absent"};

// Plays the steps of one case.
class Player {
 public:
  explicit Player(CaseStart start)
      : game_(std::move(start.game)), position_(std::move(start.position)) {}

  // An error is a mistake in the case; a difference ends it.
  Result<Found> step(JsonReader& at) {
    at.only({"note", "order", "facts", "dice", "expect"});
    if (at.has("order") == at.has("facts")) at.complain("", "needs an order, or facts");
    const std::vector<std::uint32_t> dice = read_dice(at);
    const json expect = at.has("expect") ? *at.get("expect") : json::object();
    if (!expect.is_object()) at.complain("expect", "must be an object");
    if (!at.ok()) return std::move(at).error();
    auto found = at.has("order") ? order(at, dice, expect) : facts(at, expect);
    if (!found || *found) return found;
    json rest = expect;
    for (const char* member : kOutcome) rest.erase(member);
    return check_position(rest, at.path() + ".expect", game_, position_);
  }

  Result<Found> expect(const json& expected) const {
    return check_position(expected, "expect", game_, position_);
  }

 private:
  static std::vector<std::uint32_t> read_dice(JsonReader& at) {
    std::vector<std::uint32_t> dice;
    const json* list = at.get("dice");
    if (!list) return dice;
    if (!list->is_array() || list->size() > kDiceMax) {
      at.complain("dice", "must be a list of at most " + std::to_string(kDiceMax) + " values");
      return dice;
    }
    for (std::size_t i = 0; i < list->size(); ++i) {
      const json& value = (*list)[i];
      if (!value.is_number_unsigned() || value.get<std::uint64_t>() > UINT32_MAX) {
        at.complain("dice[" + std::to_string(i) + "]", "must be a whole number");
        break;
      }
      dice.push_back(value.get<std::uint32_t>());
    }
    return dice;
  }

  Result<Found> order(JsonReader& at, const std::vector<std::uint32_t>& dice, const json& expect) {
    const Board& board = *game_.board;
    auto order = order_from_json(*at.get("order"), game_.system->order_types(), game_.roster(),
                                 [&](std::string_view name) { return board.find(name); });
    if (!order) return std::move(order).error().within(at.path());
    ScriptedChance chance(dice);
    Verdict verdict = decide(game_, position_, *order, chance);
    const std::string where = at.path() + ".expect";
    if (const auto* refused = std::get_if<Rejection>(&verdict)) {
      return check_rejection(*refused, expect, where);
    }
    if (std::holds_alternative<NeedsRoll>(verdict)) {
      return Found(Mismatch{at.path() + ".dice", "enough for the order", chance.complaint()});
    }
    if (expect.contains("reject")) {
      return Found(Mismatch{where + ".reject", expect["reject"].dump(), "the order was accepted"});
    }
    if (chance.left()) {
      return Found(
          Mismatch{at.path() + ".dice", "all used", std::to_string(chance.left()) + " left over"});
    }
    auto& accepted = std::get<Accepted>(verdict);
    if (auto found = decides_the_same(*order, dice, accepted, at.path())) return Found(found);
    return check_events(accepted.events, std::move(accepted.position), expect, where);
  }

  // Deciding must be pure: whatever a case shows once it must show twice, byte for byte.
  Found decides_the_same(const Order& order, const std::vector<std::uint32_t>& dice,
                         const Accepted& first, const std::string& where) const {
    ScriptedChance chance(dice);
    Verdict again = decide(game_, position_, order, chance);
    const auto* second = std::get_if<Accepted>(&again);
    bool same = second && second->events.size() == first.events.size();
    for (std::size_t i = 0; same && i < first.events.size(); ++i) {
      same = equal(first.events[i], second->events[i]);
    }
    if (same) return std::nullopt;
    return Mismatch{where + ".order", "the same events when decided again", "other events"};
  }

  static Result<Found> check_rejection(const Rejection& refused, const json& expect,
                                       const std::string& where) {
    const json actual = {{"code", refused.code}, {"rule", refused.rule}, {"text", refused.text}};
    if (!expect.contains("reject")) {
      return Found(Mismatch{where, "the order is accepted",
                            "refused: " + refused.code +
                                (refused.rule.empty() ? "" : " [" + refused.rule + "]") + " " +
                                refused.text});
    }
    const json& wanted = expect["reject"];
    if (wanted.is_string()) return differs(wanted, &actual["code"], where + ".reject");
    if (!wanted.is_object()) return invalid(where + ".reject: must be a code or an object");
    return differs(wanted, &actual, where + ".reject");
  }

  Result<Found> facts(JsonReader& at, const json& expect) {
    ScriptedChance none({});
    Draft draft(game_, position_, none);
    const json& list = *at.get("facts");
    if (!list.is_array()) return invalid(at.path() + ".facts: must be a list");
    for (std::size_t i = 0; i < list.size(); ++i) {
      auto status = draft_fact(draft, list[i]);
      if (status) continue;
      const std::string where = at.path() + ".facts[" + std::to_string(i) + "]";
      if (!expect.contains("reject")) return std::move(status).error().within(where);
      return Found();  // facts are refused without a code
    }
    if (expect.contains("reject")) {
      return Found(Mismatch{at.path() + ".expect.reject", expect["reject"].dump(),
                            "the facts were accepted"});
    }
    const EventList events = draft.take_events();
    return check_events(events, draft.take_position(), expect, at.path() + ".expect");
  }

  Result<Found> check_events(const EventList& events, Position after, const json& expect,
                             const std::string& where) {
    std::vector<json> happened;
    const View view(game_, Viewer::referee());
    for (std::size_t i = 0; i < events.size(); ++i) {
      std::string text;
      JsonWriter out(text);
      view.write_event(out, *trusted_event(events[i]), i + 1, position_, after);
      happened.push_back(json::parse(text));
    }
    position_ = std::move(after);
    if (expect.contains("events")) {
      auto found = in_order(expect["events"], happened, where + ".events");
      if (!found || *found) return found;
    }
    if (!expect.contains("absent")) return Found();
    if (!expect["absent"].is_array()) return invalid(where + ".absent: must be a list");
    for (std::size_t i = 0; i < expect["absent"].size(); ++i) {
      const json& unwanted = expect["absent"][i];
      for (const json& event : happened) {
        if (differs(unwanted, &event, "")) continue;
        return Found(Mismatch{where + ".absent[" + std::to_string(i) + "]",
                              "no event like " + unwanted.dump(), event.dump()});
      }
    }
    return Found();
  }

  // Every expected event, in this order, possibly with others between them.
  static Result<Found> in_order(const json& expected, const std::vector<json>& happened,
                                const std::string& where) {
    if (!expected.is_array()) return invalid(where + ": must be a list");
    std::size_t next = 0;
    for (std::size_t i = 0; i < expected.size(); ++i) {
      const std::size_t from = next;
      while (next < happened.size() && differs(expected[i], &happened[next], "")) ++next;
      if (next == happened.size()) {
        return Found(Mismatch{where + "[" + std::to_string(i) + "]", expected[i].dump(),
                              "none like it among " + summary(happened, from)});
      }
      ++next;
    }
    return Found();
  }

  // The events from `from` on; of the type that is expected most likely is among the first few.
  static std::string summary(const std::vector<json>& happened, std::size_t from) {
    constexpr std::size_t kShownMax = 30;
    std::string out = "the " + std::to_string(happened.size() - from) + " left:";
    for (std::size_t i = from; i < happened.size() && i < from + kShownMax; ++i) {
      json event = happened[i];
      for (const char* noise : {"version", "digest", "proof", "elements"}) event.erase(noise);
      out += "\n    " + event.dump();
    }
    return out;
  }

  Game game_;
  Position position_;
};

void note(CaseReport& report, Mismatch difference) {
  report.where = std::move(difference.where);
  report.expected = std::move(difference.expected);
  report.actual = std::move(difference.actual);
}

// Everything that names the case; what it does comes after.
const RuleSystem* read_heading(JsonReader& in, CaseReport& report) {
  in.only({"format", "id", "system", "refs", "title", "note", "board", "options", "position",
           "steps", "expect"});
  if (in.text("format") != "wardiary-case/1") in.complain("format", "must be \"wardiary-case/1\"");
  report.id = in.text("id");
  report.system = in.text("system");
  report.title = in.text_or("title", "");
  if (in.has("refs")) {
    in.each_text("refs", 100, [&](JsonReader&, const std::string& r) { report.refs.push_back(r); });
  }
  const RuleSystem* system = rule_system(report.system);
  if (!system) in.complain("system", "there is no \"" + report.system + "\"");
  return system;
}

}  // namespace

Result<CaseReport> Casebook::run(std::string_view text) {
  auto document = parse_json(text);
  if (!document) return std::move(document).error();
  JsonReader in(*document, "");
  CaseReport report;
  const RuleSystem* system = read_heading(in, report);
  if (!in.ok()) return std::move(in).error();

  auto known = scenarios_->by_system.find(system);
  if (known == scenarios_->by_system.end()) {
    auto loaded = load_scenarios(*system);
    if (!loaded) return std::move(loaded).error();
    known = scenarios_->by_system.emplace(system, std::move(*loaded)).first;
  }
  auto start = start_case(*system, known->second, in);
  if (!start) return std::move(start).error();

  Player player(std::move(*start));
  std::optional<Error> mistake;
  Found found;
  if (in.has("steps")) {
    in.each("steps", kStepsMax, [&](JsonReader& at) {
      if (mistake || found) return;
      auto result = player.step(at);
      if (!result) {
        mistake = std::move(result).error();
      } else if (*result) {
        found = std::move(*result);
      } else {
        ++report.steps;
      }
    });
    if (!in.ok() && !mistake) mistake = std::move(in).error();
  }
  if (mistake) return *std::move(mistake);
  if (!found && in.has("expect")) {
    auto result = player.expect(*in.get("expect"));
    if (!result) return std::move(result).error();
    found = std::move(*result);
  }
  report.ok = !found;
  if (found) note(report, *std::move(found));
  return report;
}

Result<CaseReport> Casebook::run_file(const std::filesystem::path& file) {
  auto text = read_file(file);
  if (!text) return std::move(text).error();
  auto report = run(*text);
  if (!report) return std::move(report).error().within(file.string());
  return report;
}

Result<std::vector<std::filesystem::path>> case_files(const std::filesystem::path& path) {
  std::vector<std::filesystem::path> out;
  std::error_code error;
  if (!std::filesystem::is_directory(path, error)) {
    if (!std::filesystem::exists(path, error)) return not_found(path.string() + ": is not there");
    out.push_back(path);
    return out;
  }
  for (std::filesystem::recursive_directory_iterator at(path, error), end; !error && at != end;
       at.increment(error)) {
    if (at->path().extension() == ".json" && at->is_regular_file(error)) out.push_back(at->path());
  }
  if (error) return Error{ErrorCode::kIo, path.string() + ": " + error.message()};
  if (out.empty()) return not_found(path.string() + ": holds no case (*.json)");
  std::sort(out.begin(), out.end());
  return out;
}

}  // namespace wardiary

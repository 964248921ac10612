// order, legal, append: playing a game, and recording one played elsewhere.
#include <CLI/CLI.hpp>
#include <fstream>
#include <iostream>
#include <nlohmann/json.hpp>

#include "domain/json_reader.h"
#include "tools/wardiary/command.h"
#include "tools/wardiary/event_text.h"
#include "tools/wardiary/play.h"

namespace wardiary::cli {

using nlohmann::json;

Result<OrderRequest> request_for(const PlayOptions& options, const BranchId& branch,
                                 const std::string& author) {
  OrderRequest request;
  request.branch = branch;
  request.expected = options.expected;
  request.author = options.author.empty() ? author : options.author;
  if (options.has_dice) request.dice = options.dice;
  if (!options.command.empty()) {
    auto id = fixed_from_hex<16>(options.command);
    if (!id || id->is_zero()) return invalid("--command: must be 32 hexadecimal digits, not all 0");
    request.command = *id;
  }
  return request;
}

namespace {

int accepted(const Common& common, Line& line, const OrderAccepted& answer) {
  if (common.json) {
    print_json({{"accepted", true},
                {"first", answer.first},
                {"last", answer.last},
                {"duplicate", answer.duplicate}});
    return kOk;
  }
  say(answer.duplicate ? "This command was answered before:" : "Accepted:");
  auto status = line.session->time().walk(
      line.branch.branch, answer.first, answer.last,
      [&](Version version, const fb::Event& event, ByteView, const Position& before,
          const Position& after) {
        say("  " + event_line(line.game->game, event, version, before, after));
        return true;
      });
  return status ? kOk : fail(status.error());
}

}  // namespace

int tell(const Common& common, Line& line, const Result<OrderAnswer>& result) {
  if (!result) return fail(result.error());
  if (const auto* yes = std::get_if<OrderAccepted>(&*result)) return accepted(common, line, *yes);
  json out = {{"accepted", false}};
  std::string text;
  if (const auto* refused = std::get_if<Rejection>(&*result)) {
    out["rejection"] = {{"code", refused->code}, {"rule", refused->rule}, {"text", refused->text}};
    text = "Refused: " + refused->code + (refused->rule.empty() ? "" : " [" + refused->rule + "]") +
           (refused->text.empty() ? "" : ": " + refused->text);
  } else if (const auto* conflict = std::get_if<VersionConflict>(&*result)) {
    out["conflict"] = {{"version", conflict->current}};
    text = "The game has moved on: it is at version " + std::to_string(conflict->current) + ".";
  } else {
    const RollRequest& roll = std::get<OrderSuspended>(*result).waiting_for;
    out["waitingFor"] = {{"purpose", roll.purpose}, {"values", values_wanted(roll)}};
    text = "The order waits for dice: " + roll.purpose + ", " +
           std::to_string(values_wanted(roll)) + " values.";
  }
  if (common.json) {
    print_json(out);
  } else {
    say(tinted(Tint::kWarn, text));
  }
  return kFindings;
}

Result<std::vector<json>> read_facts(const std::string& text) {
  std::vector<json> facts;
  std::size_t begin = 0;
  for (std::size_t number = 1; begin < text.size(); ++number) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    std::string_view line(text.data() + begin, end - begin);
    if (line.ends_with('\r')) line.remove_suffix(1);
    begin = end + 1;
    auto fact = parse_json(line);
    if (!fact) return std::move(fact).error().within("line " + std::to_string(number));
    facts.push_back(std::move(*fact));
  }
  return facts;
}

void add_request_options(CLI::App& command, const std::shared_ptr<PlayOptions>& o) {
  command.add_option("--branch", o->branch, "name or id (default: the mainline)");
  command.add_option("--expected", o->expected, "refuse unless the branch is at this version");
  command.add_option("--command", o->command, "32 hex digits; the same again is done once only");
  command.add_option("--author", o->author, "who orders (default: the side, or the scribe)");
}

namespace {

int order(const Common& common, const PlayOptions& options) {
  std::string text = options.input;
  if (text == "-") {
    auto read = read_input("-", JsonLimits::kBytesMax);
    if (!read) return fail(read.error());
    text = std::move(*read);
  }
  auto document = parse_json(text);
  if (!document) return fail(std::move(document).error().within("order"));
  auto line = open_line(common.data, options.game, options.branch);
  if (!line) return fail(line.error());
  const std::string side = document->is_object() ? document->value("side", json("")).dump() : "";
  const bool named = side.size() > 2 && side.front() == '"';
  auto request = request_for(options, line->branch.branch,
                             named ? side.substr(1, side.size() - 2) : "referee");
  if (!request) return fail(request.error());
  return tell(common, *line, line->session->referee().order(*request, *document));
}

int append(const Common& common, const PlayOptions& options) {
  const std::string name = options.input == "-" ? "standard input" : options.input;
  auto text = read_input(options.input, StoreLimits::kCommitBytesMax);
  if (!text) return fail(text.error());
  auto facts = read_facts(*text);
  if (!facts) return fail(std::move(facts).error().within(name));
  auto line = open_line(common.data, options.game, options.branch);
  if (!line) return fail(line.error());
  auto request = request_for(options, line->branch.branch, "scribe");
  if (!request) return fail(request.error());
  auto answer = line->session->referee().record(*request, *facts);
  if (!answer) return fail(std::move(answer).error().within(name));
  return tell(common, *line, answer);
}

int scribe(const Common& common, const PlayOptions& options, bool check_only) {
  std::ifstream file;
  if (options.input != "-") {
    file.open(options.input, std::ios::binary);
    if (!file) return fail(not_found(options.input + ": cannot be opened"));
  }
  auto line = open_line(common.data, options.game, options.branch);
  if (!line) return fail(line.error());
  auto request = request_for(options, line->branch.branch, "scribe");
  if (!request) return fail(request.error());
  auto scribed =
      line->session->referee().scribe(*request, options.input == "-" ? std::cin : file, check_only);
  if (!scribed) return fail(scribed.error());
  const auto* accepted = scribed->answer ? std::get_if<OrderAccepted>(&*scribed->answer) : nullptr;
  json problems = json::array();
  for (const ScribeProblem& problem : scribed->problems) {
    problems.push_back({{"line", problem.line}, {"text", problem.text}});
    if (!common.json) complain("line " + std::to_string(problem.line) + ": " + problem.text);
  }
  if (common.json) {
    json out = {{"written", accepted != nullptr},      {"lines", scribed->lines},
                {"orders", scribed->orders},           {"facts", scribed->facts},
                {"takeBacks", scribed->take_backs},    {"commits", scribed->commits},
                {"events", scribed->events},           {"problems", problems},
                {"allProblems", scribed->all_problems}};
    if (accepted) out["first"] = accepted->first, out["last"] = accepted->last;
    print_json(out);
  } else {
    const std::string what = std::to_string(scribed->orders) + " orders and " +
                             std::to_string(scribed->facts) + " facts in " +
                             std::to_string(scribed->lines) + " lines";
    if (accepted) {
      say((accepted->duplicate ? "Was written before: events " : "Wrote " + what + ": events ") +
          std::to_string(accepted->first) + " to " + std::to_string(accepted->last) + ".");
    } else if (problems.empty()) {
      say(check_only ? what + " could be taken. Nothing was written." : "The game has moved on.");
    } else {
      say(std::to_string(problems.size()) + (scribed->all_problems ? "" : " or more") +
          " lines could not be taken, so nothing was written. Lines after one of them were tried "
          "as if it were not there.");
    }
  }
  if (!problems.empty()) return kBadInput;
  return accepted || check_only ? kOk : kFindings;
}

int legal(const Common& common, const PlayOptions& options) {
  auto line = open_line(common.data, options.game, options.branch);
  if (!line) return fail(line.error());
  const Roster& roster = line->game->roster();
  json sides = json::object();
  for (std::size_t s = 0; s < roster.sides.size(); ++s) {
    if (!options.side.empty() && roster.sides[s] != options.side) continue;
    auto orders = line->session->referee().legal_orders(line->branch.branch,
                                                        SideId{static_cast<int>(s)}, options.limit);
    if (!orders) return fail(orders.error());
    json list = json::array();
    for (const Order& each : *orders) list.push_back(order_to_json(each, roster));
    sides[roster.sides[s]] = std::move(list);
  }
  if (sides.empty()) return fail(invalid("--side: no side \"" + options.side + "\""));
  if (common.json) {
    print_json({{"legal", sides}});
    return kOk;
  }
  for (auto side = sides.begin(); side != sides.end(); ++side) {
    say(tinted(Tint::kBold, side.key()) +
        (side->empty() ? "  has nothing to decide"
                       : "  " + std::to_string(side->size()) + " orders" +
                             (side->size() == options.limit ? " (and maybe more)" : "")));
    for (const json& each : *side) say("  " + each.dump());
  }
  return kOk;
}

}  // namespace

void add_play_commands(CLI::App& app, Chosen& chosen) {
  {
    CLI::App* command = app.add_subcommand("order", "give an order; exit 1 if it is refused");
    auto common = add_common(*command);
    auto o = std::make_shared<PlayOptions>();
    command->add_option("game", o->game, "name or id")->required();
    command->add_option("order", o->input, "the order in JSON, or - for standard input")
        ->required();
    CLI::Option* dice =
        command->add_option("--dice", o->dice, "dice rolled elsewhere, for scribed games: 6,2,1")
            ->delimiter(',');
    add_request_options(*command, o);
    command->footer("Example:\n  wardiary order S41 '{\"type\":\"EndPhase\",\"side\":\"axis\"}'");
    command->callback([=, &chosen] {
      o->has_dice = dice->count() > 0;
      chosen = [=] { return order(*common, *o); };
    });
  }
  {
    CLI::App* command = app.add_subcommand("legal", "the orders that may be given now");
    auto common = add_common(*command);
    auto o = std::make_shared<PlayOptions>();
    command->add_option("game", o->game, "name or id")->required();
    command->add_option("--side", o->side, "only of this side");
    command->add_option("--branch", o->branch, "name or id (default: the mainline)");
    command->add_option("--limit", o->limit, "at most so many of a side")
        ->check(CLI::Range(1, 1'000'000));
    command->footer("Example:\n  wardiary legal S41 --side axis --limit 20");
    command->callback([=, &chosen] { chosen = [=] { return legal(*common, *o); }; });
  }
  {
    CLI::App* command = app.add_subcommand(
        "append", "record facts of a scribed game: JSON lines, all of them or none");
    auto common = add_common(*command);
    auto o = std::make_shared<PlayOptions>();
    o->input = "-";
    command->add_option("game", o->game, "name or id")->required();
    command->add_option("file", o->input, "file of facts (default: standard input)");
    add_request_options(*command, o);
    command->footer(
        "Example:\n  echo '{\"type\":\"UnitMoved\",\"unit\":\"R1\",\"path\":[\"A1\","
        "\"B1\"]}' | wardiary append duel");
    command->callback([=, &chosen] { chosen = [=] { return append(*common, *o); }; });
  }
  {
    CLI::App* command = app.add_subcommand(
        "scribe",
        "record a game played elsewhere: orders with their dice, facts, rulings, "
        "corrections as JSON lines; all of them or none");
    auto common = add_common(*command);
    auto o = std::make_shared<PlayOptions>();
    auto check_only = std::make_shared<bool>(false);
    o->input = "-";
    command->add_option("game", o->game, "name or id")->required();
    command->add_option("file", o->input, "the file (default: standard input)");
    command->add_flag("--check", *check_only, "only say what could not be taken; write nothing");
    add_request_options(*command, o);
    command->footer(
        "Every line that cannot be taken is told with its reason (exit 2).\n"
        "Example:\n  wardiary scribe evening turn3.jsonl --check");
    command->callback([=, &chosen] { chosen = [=] { return scribe(*common, *o, *check_only); }; });
  }
}

}  // namespace wardiary::cli

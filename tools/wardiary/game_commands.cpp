// systems, games, new, branch: what there is, and making more of it.
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "replay/branch_tree.h"
#include "tools/wardiary/command.h"
#include "tools/wardiary/session.h"

namespace wardiary::cli {
namespace {

using nlohmann::json;

json option_json(const OptionSpec& option) {
  json out = {{"name", option.name},
              {"default", option.otherwise},
              {"rule", option.rule},
              {"help", option.help}};
  if (option.choices.empty()) {
    out["min"] = option.min;
    out["max"] = option.max;
  } else {
    out["choices"] = option.choices;
  }
  return out;
}

int systems(bool as_json) {
  json all = json::array();
  for (const RuleSystem* system : rule_systems()) {
    json scenarios = json::array(), orders = json::array(), options = json::array();
    for (const ScenarioInfo& s : system->scenarios()) {
      scenarios.push_back({{"id", s.id}, {"title", s.title}});
    }
    for (const OrderType& o : system->order_types()) {
      orders.push_back({{"type", o.name}, {"rule", o.rule}, {"help", o.help}});
    }
    for (const OptionSpec& o : system->options()) options.push_back(option_json(o));
    all.push_back({{"name", system->name()},
                   {"title", system->title()},
                   {"rulesVersion", system->rules_version()},
                   {"scenarios", scenarios},
                   {"orders", orders},
                   {"options", options}});
  }
  if (as_json) {
    print_json({{"systems", all}});
    return kOk;
  }
  for (const json& system : all) {
    say(tinted(Tint::kBold, system["name"].get<std::string>()) + "  " +
        system["title"].get<std::string>() + " (rules version " +
        system["rulesVersion"].get<std::string>() + ")");
    for (const json& s : system["scenarios"]) {
      say("  scenario " + s["id"].get<std::string>() + "  " + s["title"].get<std::string>());
    }
    for (const json& o : system["options"]) {
      say("  option   " + o["name"].get<std::string>() + "=" + o["default"].get<std::string>() +
          "  " + o["help"].get<std::string>());
    }
  }
  return kOk;
}

int games(const Common& common) {
  auto session = Session::open(common.data);
  if (!session) return fail(session.error());
  json all = json::array();
  Table table({"id", "name", "system", "scenario", "created (UTC)", "events"});
  std::optional<Error> trouble;
  auto status = (*session)->each_game([&](const GameInfo& info) {
    auto game = (*session)->library().game(info.game);
    auto line = (*session)->store().branch(info.mainline);
    // A game that cannot be opened is still listed: it must not vanish from sight.
    const std::string system = game ? (*game)->game.created.system : "?";
    const std::string scenario = game ? (*game)->game.created.scenario : "?";
    const Version version = line ? line->version : 0;
    if (!game && !trouble) trouble = game.error();
    all.push_back({{"id", to_hex(info.game)},
                   {"name", info.name},
                   {"system", system},
                   {"scenario", scenario},
                   {"createdAt", info.created_at_ms},
                   {"version", version}});
    table.add({short_id(info.game), info.name, system, scenario, time_text(info.created_at_ms),
               std::to_string(version)});
  });
  if (!status) return fail(status.error());
  if (common.json) {
    print_json({{"games", all}});
  } else if (table.empty()) {
    say("No games yet. Load the demo games with: wardiary demo");
  } else {
    table.print();
  }
  return trouble ? fail(*trouble) : kOk;
}

struct NewOptions {
  std::string system, scenario, name, author = "referee";
  std::vector<std::string> options;
  bool scribed = false;
  std::string dice = "solo";
  std::uint32_t chain_length = fairdice::kChainLengthDefault;
  std::uint32_t answer_within_h = 0;
};

int new_game(const Common& common, const NewOptions& wanted) {
  GameRequest request;
  request.system = wanted.system;
  request.name = wanted.name;
  request.author = wanted.author;
  request.keeping = wanted.scribed ? Keeping::kScribed : Keeping::kRefereed;
  request.spec.scenario = wanted.scenario;
  request.dice = fairdice::grade_named(wanted.dice).value_or(Grade::kSolo);
  request.chain_length = wanted.chain_length;
  request.answer_within_s = wanted.answer_within_h * 3'600;
  for (const std::string& option : wanted.options) {
    const auto equals = option.find('=');
    if (equals == std::string::npos || equals == 0) {
      return fail(invalid("--option " + option + ": must be name=value"));
    }
    request.spec.options[option.substr(0, equals)] = option.substr(equals + 1);
  }
  auto session = Session::open(common.data);
  if (!session) return fail(session.error());
  auto game = (*session)->referee().create(request);
  if (!game) return fail(game.error());
  if (common.json) {
    print_json({{"id", to_hex((*game)->id)},
                {"branch", to_hex((*game)->mainline)},
                {"name", (*game)->name}});
  } else {
    say("Made the game \"" + (*game)->name + "\", id " + to_hex((*game)->id) + ".");
  }
  return kOk;
}

struct ForkOptions {
  std::string game, parent, name, reason, dice = "fresh", as;
  Version at = 0;
};

int fork(const Common& common, const ForkOptions& wanted) {
  auto line = open_line(common.data, wanted.game, wanted.parent);
  if (!line) return fail(line.error());
  static const std::map<std::string, DicePolicy> policies = {{"same", DicePolicy::kSame},
                                                             {"fresh", DicePolicy::kFresh},
                                                             {"fixed", DicePolicy::kFixed},
                                                             {"expected", DicePolicy::kExpected}};
  ForkRequest request;
  request.game = line->info.game;
  request.parent = line->branch.branch;
  request.at = wanted.at ? wanted.at : line->branch.version;
  request.name = wanted.name;
  request.reason = wanted.reason;
  request.policy = policies.at(wanted.dice);
  request.author = "referee";
  auto forked = line->session->referee().fork(request);
  if (!forked) return fail(forked.error());
  if (common.json) {
    print_json({{"branch", to_hex(forked->branch)}, {"at", request.at}, {"name", forked->name}});
  } else {
    say("Branched off at event " + std::to_string(request.at) + ": " + to_hex(forked->branch));
  }
  return kOk;
}

std::string score_text(const BranchNode& node, const Roster& roster) {
  std::string out;
  for (std::size_t s = 0; s < roster.sides.size(); ++s) {
    if (!node.standing.score[s]) continue;
    out +=
        (out.empty() ? "" : ", ") + roster.sides[s] + " " + std::to_string(*node.standing.score[s]);
  }
  return out;
}

int branches(const Common& common, const std::string& game, bool all) {
  auto line = open_line(common.data, game, "");
  if (!line) return fail(line.error());
  Session& session = *line->session;
  auto tree = branch_tree(session.store(), session.library(), session.time(), line->info.game,
                          Viewer::referee(), all || common.json);
  if (!tree) return fail(tree.error());
  const Roster& roster = line->game->roster();
  if (common.json) {
    print_json({{"branches", branch_tree_json(*tree, roster)}});
    return kOk;
  }
  Table table({"line", "branch", "forked at", "events", "turn", "score", "reason"});
  for (const BranchNode& node : *tree) {
    const BranchInfo& b = node.info;
    const std::string name = b.parent ? b.name.empty() ? "(unnamed)" : b.name : "main";
    const std::string won =
        node.over
            ? node.winner.ok() ? " (" + roster.sides[node.winner.index()] + " won)" : " (over)"
            : "";
    table.add({std::string(2 * node.depth, ' ') + name, short_id(b.branch),
               b.parent ? std::to_string(b.forked_at) : "", std::to_string(b.version),
               std::to_string(node.clock.turn) + won, score_text(node, roster),
               b.deleted ? "(put away) " + b.reason : b.reason});
  }
  table.print();
  return kOk;
}

int delete_branch(const Common& common, const ForkOptions& wanted) {
  auto line = open_line(common.data, wanted.game, wanted.parent);
  if (!line) return fail(line.error());
  auto status =
      line->session->referee().delete_branch(line->branch.branch, "referee", wanted.reason);
  if (!status) return fail(status.error());
  if (common.json) {
    print_json({{"deleted", to_hex(line->branch.branch)}});
  } else {
    say("Put away " + to_hex(line->branch.branch) + "; its events stay in the evidence.");
  }
  return kOk;
}

int study(const Common& common, const ForkOptions& wanted) {
  auto line = open_line(common.data, wanted.game, wanted.parent);
  if (!line) return fail(line.error());
  const SideId side = line->game->roster().side(wanted.as);
  if (!side && wanted.as != "spectator")
    return fail(invalid("--as: no side \"" + wanted.as + "\""));
  StudyRequest request;
  request.branch = line->branch.branch;
  request.at = wanted.at ? wanted.at : line->branch.version;
  request.viewer = side ? Viewer::of(side) : Viewer::spectator();
  request.name = wanted.name;
  request.author = wanted.as;
  auto made = line->session->referee().study(request);
  if (!made) return fail(made.error());
  if (common.json) {
    print_json({{"id", to_hex(made->game->id)},
                {"name", made->game->name},
                {"unknownBlocks", made->unknown_blocks}});
  } else {
    say("Made the game \"" + made->game->name + "\", id " + to_hex(made->game->id) + ". " +
        std::to_string(made->unknown_blocks) + " blocks that " + wanted.as +
        " does not know are not in it.");
  }
  return kOk;
}

void add_branch_commands(CLI::App& app, Chosen& chosen) {
  CLI::App* group = app.add_subcommand("branch", "what-if lines of a game");
  group->require_subcommand(1);
  {
    CLI::App* command =
        group->add_subcommand("list", "the tree of a game's lines, with how each stands");
    auto common = add_common(*command);
    auto game = std::make_shared<std::string>();
    auto all = std::make_shared<bool>(false);
    command->add_option("game", *game, "name or id")->required();
    command->add_flag("--all", *all, "also those that were put away");
    command->callback([=, &chosen] { chosen = [=] { return branches(*common, *game, *all); }; });
  }
  {
    CLI::App* command = group->add_subcommand("delete", "put a what-if away; recorded in a note");
    auto common = add_common(*command);
    auto o = std::make_shared<ForkOptions>();
    command->add_option("game", o->game, "name or id")->required();
    command->add_option("branch", o->parent, "name or id")->required();
    command->add_option("--reason", o->reason, "why");
    command->callback([=, &chosen] { chosen = [=] { return delete_branch(*common, *o); }; });
  }
  {
    CLI::App* command = group->add_subcommand(
        "study", "a game of its own that begins with what one side may see of a running game");
    auto common = add_common(*command);
    auto o = std::make_shared<ForkOptions>();
    command->add_option("game", o->game, "name or id")->required();
    command->add_option("--as", o->as, "the side, or spectator")->required();
    command->add_option("--at", o->at, "the event (default: the newest)")
        ->check(CLI::PositiveNumber);
    command->add_option("--branch", o->parent, "branch to look at (default: the mainline)");
    command->add_option("--name", o->name, "what to call it");
    command->footer(
        "What the side may not see is not in the study. Put guesses in with: wardiary rule");
    command->callback([=, &chosen] { chosen = [=] { return study(*common, *o); }; });
  }
  {
    CLI::App* command = group->add_subcommand("fork", "branch off at an event");
    auto common = add_common(*command);
    auto o = std::make_shared<ForkOptions>();
    command->add_option("game", o->game, "name or id")->required();
    command->add_option("--at", o->at, "the last event both lines share (default: the newest)")
        ->check(CLI::PositiveNumber);
    command->add_option("--branch", o->parent, "branch to leave (default: the mainline)");
    command->add_option("--name", o->name, "what to call it");
    command->add_option("--reason", o->reason, "why");
    command->add_option("--dice", o->dice, "where its dice come from")
        ->check(CLI::IsMember({"same", "fresh", "fixed", "expected"}));
    command->footer("Example:\n  wardiary branch fork S41 --at 120 --name north --dice same");
    command->callback([=, &chosen] { chosen = [=] { return fork(*common, *o); }; });
  }
}

}  // namespace

void add_game_commands(CLI::App& app, Chosen& chosen) {
  {
    CLI::App* command = app.add_subcommand("systems", "the games this program has rules for");
    auto as_json = std::make_shared<bool>(false);
    command->add_flag("--json", *as_json, "answer in JSON, for programs");
    command->callback([=, &chosen] { chosen = [=] { return systems(*as_json); }; });
  }
  {
    CLI::App* command = app.add_subcommand("games", "list the games of a data directory");
    auto common = add_common(*command);
    command->footer("Example:\n  wardiary games --data diary --json");
    command->callback([=, &chosen] { chosen = [=] { return games(*common); }; });
  }
  {
    CLI::App* command = app.add_subcommand("new", "begin a game");
    auto common = add_common(*command);
    auto o = std::make_shared<NewOptions>();
    command->add_option("--system", o->system, "the rules, see: wardiary systems")->required();
    command->add_option("--scenario", o->scenario, "the scenario's id")->required();
    command->add_option("--option", o->options, "name=value, as often as needed")->take_all();
    command->add_option("--name", o->name, "what to call it (default: the scenario)");
    command->add_option("--author", o->author, "who makes it");
    command->add_flag("--scribed", o->scribed,
                      "record a game played elsewhere: facts and dice are written in by hand");
    command
        ->add_option("--dice", o->dice,
                     "solo: the service's own; live: every side brings a key and reveals each "
                     "roll; async: live, or in advance (see: wardiary player)")
        ->check(CLI::IsMember({"solo", "live", "async"}));
    command
        ->add_option("--answer-within", o->answer_within_h,
                     "hours a player has for what he owes for a live roll (default: for ever)")
        ->check(CLI::Range(0, 24 * 365));
    command
        ->add_option("--chain-length", o->chain_length,
                     "rolls of each side that one commitment reaches for (default 16384)")
        ->check(CLI::Range(2, 1 << 20));
    command->footer(
        "Examples:\n  wardiary new --system freeform --scenario duel --scribed\n"
        "  wardiary new --system eastfront --scenario Edelweiss --dice live");
    command->callback([=, &chosen] { chosen = [=] { return new_game(*common, *o); }; });
  }
  add_branch_commands(app, chosen);
}

}  // namespace wardiary::cli

// wardiary bot: plays whole games by itself, to find positions the rules cannot handle.
#include <CLI/CLI.hpp>
#include <fstream>
#include <nlohmann/json.hpp>

#include "replay/bot_keeper.h"
#include "replay/jsonl.h"
#include "tools/wardiary/command.h"
#include "tools/wardiary/session.h"

namespace wardiary::cli {
namespace {

using nlohmann::json;

struct Options {
  std::string system, scenario, policy = "random", save = ".";
  std::vector<std::string> options;
  std::uint64_t seed = 1;
  std::size_t games = 1, orders_max = 50'000;
  bool keep = false, once = false;
};

Result<BotOptions> bot_options(const Options& wanted, std::uint64_t seed) {
  BotOptions out;
  out.system = wanted.system;
  out.spec.scenario = wanted.scenario;
  out.seed = seed;
  out.policy = wanted.policy == "greedy" ? Policy::kGreedy : Policy::kRandom;
  out.orders_max = wanted.orders_max;
  out.redecide = !wanted.once;
  for (const std::string& option : wanted.options) {
    const auto equals = option.find('=');
    if (equals == std::string::npos) {
      return invalid("--option " + option + ": must be name=value");
    }
    out.spec.options[option.substr(0, equals)] = option.substr(equals + 1);
  }
  return out;
}

std::string end_of(const BotGame& game) {
  if (!game.failure.empty()) return "stuck";
  const std::int8_t winner = game.position.winner;
  return winner < 0 ? "nobody won"
                    : game.game.roster().sides[static_cast<std::size_t>(winner)] + " won";
}

// A game that failed becomes a file that can be imported and looked at.
Result<std::string> save_failure(const Options& wanted, std::uint64_t seed, const BotGame& game) {
  const std::string file = wanted.save + "/bot-" + wanted.system + "-" + wanted.scenario + "-" +
                           wanted.policy + "-" + std::to_string(seed) + ".jsonl";
  std::ofstream out(file, std::ios::binary);
  auto status = write_bot_game(out, game, "bot " + wanted.scenario + " " + std::to_string(seed));
  out.close();
  if (!status) return std::move(status).error();
  if (!out) return Error{ErrorCode::kIo, file + ": cannot be written"};
  return file;
}

int play_in_memory(const Common& common, const Options& wanted) {
  json all = json::array();
  Table table({"seed", "orders", "events", "rolls", "turn", "end"});
  std::size_t failed = 0;
  for (std::uint64_t seed = wanted.seed; seed < wanted.seed + wanted.games; ++seed) {
    auto options = bot_options(wanted, seed);
    if (!options) return fail(options.error());
    Progress progress("seed " + std::to_string(seed) + ", orders", 0);
    auto game = play_bot_game(*options, [&](std::size_t n) { progress.at(n); });
    if (!game) return fail(game.error());
    json entry = {{"seed", seed},
                  {"orders", game->orders},
                  {"events", game->events},
                  {"rolls", game->rolls},
                  {"turn", game->position.clock.turn},
                  {"end", end_of(*game)}};
    if (!game->failure.empty()) {
      ++failed;
      auto file = save_failure(wanted, seed, *game);
      if (!file) return fail(file.error());
      entry["failure"] = game->failure;
      entry["saved"] = *file;
      complain("seed " + std::to_string(seed) + ": " + game->failure + " (saved as " + *file + ")");
    }
    table.add({std::to_string(seed), std::to_string(game->orders), std::to_string(game->events),
               std::to_string(game->rolls), std::to_string(game->position.clock.turn),
               end_of(*game)});
    all.push_back(std::move(entry));
  }
  if (common.json) {
    print_json({{"games", all}, {"failed", failed}});
  } else {
    table.print();
  }
  return failed ? kFindings : kOk;
}

int play_in_store(const Common& common, const Options& wanted) {
  auto session = Session::open(common.data);
  if (!session) return fail(session.error());
  json all = json::array();
  bool stuck = false;
  for (std::uint64_t seed = wanted.seed; seed < wanted.seed + wanted.games; ++seed) {
    auto options = bot_options(wanted, seed);
    if (!options) return fail(options.error());
    Progress progress("seed " + std::to_string(seed) + ", orders", 0);
    auto kept = keep_bot_game((*session)->referee(), (*session)->store(), (*session)->time(),
                              *options, {}, [&](std::size_t n) { progress.at(n); });
    if (!kept) return fail(kept.error());
    stuck = stuck || !kept->failure.empty();
    if (common.json) {
      all.push_back({{"seed", seed},
                     {"id", to_hex(kept->game)},
                     {"orders", kept->orders},
                     {"failure", kept->failure}});
    } else {
      say("Seed " + std::to_string(seed) + ": game " + to_hex(kept->game) + ", " +
          std::to_string(kept->orders) + " orders" +
          (kept->failure.empty() ? "" : ", stuck: " + kept->failure));
    }
  }
  if (common.json) print_json({{"games", all}});
  return stuck ? kFindings : kOk;
}

}  // namespace

void add_bot_commands(CLI::App& app, Chosen& chosen) {
  CLI::App* command = app.add_subcommand(
      "bot", "play whole games by itself; exit 1 if one gets stuck or contradicts itself");
  auto common = add_common(*command);
  auto o = std::make_shared<Options>();
  command->add_option("--system", o->system, "the rules")->required();
  command->add_option("--scenario", o->scenario, "the scenario's id")->required();
  command->add_option("--option", o->options, "name=value, as often as needed")->take_all();
  command->add_option("--seed", o->seed, "of the first game; the next ones follow");
  command->add_option("--games", o->games, "how many")->check(CLI::Range(1, 1'000'000));
  command->add_option("--policy", o->policy, "random, or greedy: moves that look like play")
      ->check(CLI::IsMember({"random", "greedy"}));
  command->add_option("--orders", o->orders_max, "give up after so many orders");
  command->add_option("--save", o->save, "directory for games that failed (JSON lines)");
  command->add_flag("--keep", o->keep, "write the games into the store, with its provable dice");
  command->add_flag("--once", o->once, "do not decide every order a second time");
  command->footer("Example:\n  wardiary bot --system eastfront --scenario S41 --seed 1 --games 20");
  command->callback([=, &chosen] {
    chosen = [=] { return o->keep ? play_in_store(*common, *o) : play_in_memory(*common, *o); };
  });
}

}  // namespace wardiary::cli

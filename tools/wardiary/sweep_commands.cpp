// sweep: how likely was that?
#include <CLI/CLI.hpp>
#include <atomic>
#include <csignal>
#include <nlohmann/json.hpp>

#include "replay/sweep.h"
#include "tools/wardiary/command.h"
#include "tools/wardiary/session.h"

namespace wardiary::cli {
namespace {

std::atomic<bool> interrupted{false};

struct SweepOptions {
  std::string game, branch, through;
  Version at = 0;
  std::uint64_t trials = 10'000, seed = 1;
  unsigned threads = 0;
};

Result<Sweep> run(Line& line, const SweepOptions& options) {
  Session& session = *line.session;
  Progress bar("playing", options.through == "roll" ? 0 : options.trials);
  auto tell = [&](std::uint64_t done, std::uint64_t) { bar.at(done); };
  if (options.through == "roll") {
    return sweep_roll(session.store(), session.library(), session.time(), line.branch.branch,
                      options.at, tell, &interrupted);
  }
  static const std::map<std::string, Through> stretches = {
      {"order", Through::kOrder}, {"phase", Through::kPhase}, {"turn", Through::kTurn}};
  SweepRequest request;
  request.branch = line.branch.branch;
  request.at = options.at;
  request.through = stretches.at(options.through);
  request.trials = options.trials;
  request.seed = options.seed;
  request.threads = options.threads;
  return sweep_replay(session.store(), session.library(), session.time(), request, tell,
                      &interrupted);
}

int sweep(const Common& common, const SweepOptions& options) {
  auto line = open_line(common.data, options.game, options.branch);
  if (!line) return fail(line.error());
  // The first Ctrl-C ends the work and shows what there is, the second ends the program.
  std::signal(SIGINT, [](int) {
    interrupted.store(true);
    std::signal(SIGINT, SIG_DFL);
  });
  auto swept = run(*line, options);
  if (!swept) return fail(swept.error());
  if (common.json) {
    print_json(sweep_json(*swept, line->game->roster()));
  } else {
    std::string text = sweep_text(*swept, line->game->roster());
    text.pop_back();  // say() ends the line
    say(text);
  }
  return swept->complete ? kOk : kFindings;
}

}  // namespace

void add_sweep_commands(CLI::App& app, Chosen& chosen) {
  CLI::App* command = app.add_subcommand(
      "sweep", "how likely was that: a roll through every outcome, or a stretch played again");
  auto common = add_common(*command);
  auto o = std::make_shared<SweepOptions>();
  command->add_option("game", o->game, "name or id")->required();
  command->add_option("--at", o->at, "an event: the roll, or one of the order, phase or turn")
      ->required();
  command->add_option("--play", o->through, "what to play")
      ->required()
      ->check(CLI::IsMember({"roll", "order", "phase", "turn"}));
  command->add_option("--trials", o->trials, "how often an order, phase or turn is played");
  command->add_option("--seed", o->seed, "of the fresh dice; the same seed gives the same answer");
  command->add_option("--threads", o->threads, "default: one per core");
  command->add_option("--branch", o->branch, "name or id (default: the mainline)");
  command->footer(
      "Nothing is written. Examples:\n"
      "  wardiary sweep S41 --at 417 --play roll              exact odds of one roll\n"
      "  wardiary sweep S41 --at 410 --play order             one battle round, 10,000 times\n"
      "  wardiary sweep S41 --at 410 --play turn --trials 500 --seed 7 --json");
  command->callback([=, &chosen] { chosen = [=] { return sweep(*common, *o); }; });
}

}  // namespace wardiary::cli

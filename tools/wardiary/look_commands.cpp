// events, position: what happened, and how things stand at any event.
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "domain/position_json.h"
#include "tools/wardiary/command.h"
#include "tools/wardiary/event_text.h"
#include "tools/wardiary/session.h"

namespace wardiary::cli {
namespace {

struct LookOptions {
  std::string game, branch;
  Version from = 1, to = 0, at = 0;
};

int events(const Common& common, const LookOptions& options) {
  auto line = open_line(common.data, options.game, options.branch);
  if (!line) return fail(line.error());
  const Version last =
      options.to ? std::min(options.to, line->branch.version) : line->branch.version;
  if (options.from < 1 || options.from > line->branch.version) {
    return fail(not_found("--from " + std::to_string(options.from) +
                          ": the branch has events 1 to " + std::to_string(line->branch.version)));
  }
  if (last < options.from) return fail(invalid("--to: is before --from"));
  const Game& game = line->game->game;
  auto status = line->session->time().walk(
      line->branch.branch, options.from, last,
      [&](Version version, const fb::Event& event, ByteView, const Position& before,
          const Position& after) {
        say(common.json ? event_text_json(game, event, version, before, after)
                        : event_line(game, event, version, before, after));
        return true;
      });
  return status ? kOk : fail(status.error());
}

int position(const Common& common, const LookOptions& options) {
  auto line = open_line(common.data, options.game, options.branch);
  if (!line) return fail(line.error());
  const Version version = options.at ? options.at : line->branch.version;
  auto at = line->session->time().at(line->branch.branch, version);
  if (!at) return fail(at.error());
  if (common.json) {
    say(position_json(*at, line->game->roster()));
    return kOk;
  }
  say(tinted(Tint::kBold, line->info.name) + " after event " + std::to_string(version) + " of " +
      std::to_string(line->branch.version));
  print_position(line->game->game, *at);
  return kOk;
}

}  // namespace

void add_look_commands(CLI::App& app, Chosen& chosen) {
  {
    CLI::App* command = app.add_subcommand("events", "the events of a game; --json: one a line");
    auto common = add_common(*command);
    auto o = std::make_shared<LookOptions>();
    command->add_option("game", o->game, "name or id")->required();
    command->add_option("--from", o->from, "first event (default: 1)");
    command->add_option("--to", o->to, "last event (default: the newest)");
    command->add_option("--branch", o->branch, "name or id (default: the mainline)");
    command->footer("Example:\n  wardiary events S41 --from 100 --to 120");
    command->callback([=, &chosen] { chosen = [=] { return events(*common, *o); }; });
  }
  {
    CLI::App* command = app.add_subcommand(
        "position", "the board, supply and score at an event; --json: wardiary-position/1");
    auto common = add_common(*command);
    auto o = std::make_shared<LookOptions>();
    command->add_option("game", o->game, "name or id")->required();
    command->add_option("--at", o->at, "the event (default: the newest)")
        ->check(CLI::PositiveNumber);
    command->add_option("--branch", o->branch, "name or id (default: the mainline)");
    command->footer("Example:\n  wardiary position S41 --at 120");
    command->callback([=, &chosen] { chosen = [=] { return position(*common, *o); }; });
  }
}

}  // namespace wardiary::cli

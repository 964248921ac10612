// wardiary demo: something to look at.
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "replay/demo.h"
#include "tools/wardiary/command.h"
#include "tools/wardiary/session.h"

namespace wardiary::cli {
namespace {

int demo(const Common& common) {
  auto session = Session::open(common.data, true);
  if (!session) return fail(session.error());
  std::unique_ptr<Progress> progress;
  std::string current;
  auto games = load_demos((*session)->referee(), (*session)->store(), (*session)->time(),
                          [&](const std::string& name, std::size_t n) {
                            if (name != current) progress.reset();
                            if (!progress)
                              progress = std::make_unique<Progress>(name + ", commits", 0);
                            current = name;
                            progress->at(n);
                          });
  progress.reset();
  if (!games) return fail(games.error());
  nlohmann::json all = nlohmann::json::array();
  for (const DemoGame& game : *games) {
    if (common.json) {
      all.push_back({{"id", to_hex(game.game)}, {"name", game.name}, {"wasThere", game.was_there}});
    } else {
      say((game.was_there ? "there already: " : "loaded: ") + game.name + "  (" +
          short_id(game.game) + ")");
    }
  }
  if (common.json) print_json({{"games", all}});
  return kOk;
}

}  // namespace

void add_demo_commands(CLI::App& app, Chosen& chosen) {
  CLI::App* command = app.add_subcommand("demo", "load the demo games (again: changes nothing)");
  auto common = add_common(*command);
  command->footer("Makes the data directory if there is none.\nExample:\n  wardiary demo");
  command->callback([common, &chosen] { chosen = [common] { return demo(*common); }; });
}

}  // namespace wardiary::cli

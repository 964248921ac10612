// supply, score, sources, control, battles, reach: questions about the position at any event, as
// the referee knows it or as one side may know it.
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "projections/readings.h"
#include "tools/wardiary/command.h"
#include "tools/wardiary/session.h"

namespace wardiary::cli {
namespace {

using nlohmann::json;

struct ReadingOptions {
  std::string game, branch, viewer;
  Version at = 0;
};

Result<Viewer> viewer_named(const Roster& roster, const std::string& name) {
  if (name.empty() || name == "referee") return Viewer::referee();
  if (name == "spectator") return Viewer::spectator();
  if (const SideId side = roster.side(name)) return Viewer::of(side);
  return invalid("--as " + name + ": must be referee, spectator or a side of the game");
}

std::string cell(const json& value) {
  if (value.is_null()) return "";
  if (value.is_string()) return value.get<std::string>();
  if (!value.is_structured()) return value.dump();
  std::string out;
  for (auto item = value.begin(); item != value.end(); ++item) {
    out += out.empty() ? "" : " ";
    if (value.is_object()) out += item.key() + " ";
    out += cell(item.value());
  }
  return out;
}

int read(const Common& common, const ReadingOptions& options, const Reading& reading) {
  auto line = open_line(common.data, options.game, options.branch);
  if (!line) return fail(line.error());
  const Game& game = line->game->game;
  auto viewer = viewer_named(game.roster(), options.viewer);
  if (!viewer) return fail(viewer.error());
  const Version version = options.at ? options.at : line->branch.version;
  auto position = line->session->time().at(line->branch.branch, version);
  if (!position) return fail(position.error());
  const json rows = reading.rows(game, *position, View(game, *viewer));
  if (common.json) {
    print_json({{"version", version}, {"rows", rows}});
    return kOk;
  }
  say(tinted(Tint::kBold, line->info.name) + " after event " + std::to_string(version));
  if (rows.empty()) {
    say("Nothing to tell, or nothing that may be known.");
    return kOk;
  }
  Table table(std::vector<std::string>(reading.columns.begin(), reading.columns.end()));
  for (const json& row : rows) {
    std::vector<std::string> cells;
    for (std::string_view column : reading.columns) {
      const auto found = row.find(column);
      cells.push_back(found == row.end() ? "" : cell(*found));
    }
    table.add(std::move(cells));
  }
  table.print();
  return kOk;
}

}  // namespace

void add_reading_commands(CLI::App& app, Chosen& chosen) {
  for (const Reading& reading : readings()) {
    CLI::App* command = app.add_subcommand(std::string(reading.name), std::string(reading.help));
    auto common = add_common(*command);
    auto o = std::make_shared<ReadingOptions>();
    command->add_option("game", o->game, "name or id")->required();
    command->add_option("--at", o->at, "the event (default: the newest)")
        ->check(CLI::PositiveNumber);
    command->add_option("--as", o->viewer, "what this side, a spectator or the referee may know");
    command->add_option("--branch", o->branch, "name or id (default: the mainline)");
    command->footer("Example:\n  wardiary " + std::string(reading.name) +
                    " S41 --at 120 --as axis");
    command->callback(
        [=, &chosen, &reading] { chosen = [=, &reading] { return read(*common, *o, reading); }; });
  }
}

}  // namespace wardiary::cli

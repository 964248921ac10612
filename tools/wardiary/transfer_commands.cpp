// export, import: a game as a file.
#include <CLI/CLI.hpp>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <nlohmann/json.hpp>

#include "replay/jsonl.h"
#include "tools/wardiary/command.h"
#include "tools/wardiary/session.h"

namespace wardiary::cli {
namespace {

int export_game(const Common& common, const std::string& name, const std::string& file) {
  auto session = Session::open(common.data);
  if (!session) return fail(session.error());
  auto info = (*session)->find_game(name);
  if (!info) return fail(info.error());
  Progress progress("exporting events", info->tree_size);
  auto tell = [&](std::uint64_t n) { progress.at(n); };
  Library& library = (*session)->library();
  if (file == "-") {
    auto status = export_jsonl((*session)->store(), library, info->game, std::cout, tell);
    return status ? kOk : fail(status.error());
  }
  // Under another name until it is whole, so that a file under this name always is.
  const std::string part = file + ".part";
  std::ofstream out(part, std::ios::binary | std::ios::trunc);
  if (!out) return fail(Error{ErrorCode::kIo, part + ": cannot be written"});
  auto status = export_jsonl((*session)->store(), library, info->game, out, tell);
  out.close();
  if (status && !out) status = Error{ErrorCode::kIo, part + ": cannot be written"};
  std::error_code error;
  if (status) std::filesystem::rename(part, file, error);
  if (status && error) status = Error{ErrorCode::kIo, file + ": " + error.message()};
  if (!status) {
    std::filesystem::remove(part, error);
    return fail(status.error());
  }
  if (common.json) {
    print_json({{"file", file}, {"id", to_hex(info->game)}, {"events", info->tree_size}});
  } else {
    say("Wrote " + std::to_string(info->tree_size) + " events of \"" + info->name + "\" to " +
        file);
  }
  return kOk;
}

int import_game(const Common& common, const std::string& file) {
  auto session = Session::open(common.data);
  if (!session) return fail(session.error());
  Progress progress("importing events", 0);
  auto game = import_jsonl((*session)->store(), file, [&](std::uint64_t n) { progress.at(n); });
  if (!game) return fail(game.error());
  if (common.json) {
    print_json({{"id", to_hex(game->game)},
                {"name", game->name},
                {"events", game->events},
                {"branches", game->branches},
                {"wasThere", game->already_there}});
  } else {
    say((game->already_there ? "There already: \"" : "Imported \"") + game->name + "\", " +
        std::to_string(game->events) + " events, id " + to_hex(game->game));
  }
  return kOk;
}

}  // namespace

void add_transfer_commands(CLI::App& app, Chosen& chosen) {
  {
    CLI::App* command =
        app.add_subcommand("export", "write a game as JSON lines, with the exact stored bytes");
    auto common = add_common(*command);
    auto game = std::make_shared<std::string>();
    auto file = std::make_shared<std::string>();
    command->add_option("game", *game, "name or id")->required();
    command->add_option("-o,--output", *file, "the file, or - for standard output")->required();
    command->footer("Example:\n  wardiary export \"Duel at the ford\" -o duel.jsonl");
    command->callback(
        [=, &chosen] { chosen = [=] { return export_game(*common, *game, *file); }; });
  }
  {
    CLI::App* command = app.add_subcommand(
        "import", "read a game written by export; checked first, written whole or not at all");
    auto common = add_common(*command);
    auto file = std::make_shared<std::string>();
    command->add_option("file", *file, "the file")->required();
    command->footer("Example:\n  wardiary import duel.jsonl --data other-diary");
    command->callback([=, &chosen] { chosen = [=] { return import_game(*common, *file); }; });
  }
}

}  // namespace wardiary::cli

// export, import: a game as a file.
#include <CLI/CLI.hpp>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <nlohmann/json.hpp>

#include "replay/bundle.h"
#include "replay/jsonl.h"
#include "replay/scribe.h"
#include "tools/wardiary/command.h"
#include "tools/wardiary/session.h"

namespace wardiary::cli {
namespace {

// One form for files called so, JSON lines for all others.
constexpr std::string_view kBundleEnding = ".wardiary";

int export_game(const Common& common, const std::string& name, const std::string& file,
                bool as_scribe) {
  auto session = Session::open(common.data);
  if (!session) return fail(session.error());
  auto info = (*session)->find_game(name);
  if (!info) return fail(info.error());
  Progress progress("exporting events", info->tree_size);
  auto tell = [&](std::uint64_t n) { progress.at(n); };
  auto write = [&](std::ostream& out) {
    EventStore& store = (*session)->store();
    Library& library = (*session)->library();
    if (as_scribe) {
      auto game = library.game(info->game);
      if (!game) return Status(std::move(game).error());
      return export_scribe(store, **game, info->mainline, out);
    }
    return file.ends_with(kBundleEnding) ? export_bundle(store, library, info->game, out, tell)
                                         : export_jsonl(store, library, info->game, out, tell);
  };
  if (file == "-") {
    auto status = write(std::cout);
    return status ? kOk : fail(status.error());
  }
  // Under another name until it is whole, so that a file under this name always is.
  const std::string part = file + ".part";
  std::ofstream out(part, std::ios::binary | std::ios::trunc);
  if (!out) return fail(Error{ErrorCode::kIo, part + ": cannot be written"});
  auto status = write(out);
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
  auto tell = [&](std::uint64_t n) { progress.at(n); };
  EventStore& store = (*session)->store();
  auto game = is_bundle(file) ? import_bundle(store, file, tell) : import_jsonl(store, file, tell);
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
    CLI::App* command = app.add_subcommand(
        "export", "write a game, with the exact stored bytes, as a bundle or text");
    auto common = add_common(*command);
    auto game = std::make_shared<std::string>();
    auto file = std::make_shared<std::string>();
    command->add_option("game", *game, "name or id")->required();
    command
        ->add_option(
            "-o,--output", *file,
            "the file: a bundle if it ends with .wardiary, else JSON lines; - for standard output")
        ->required();
    auto as_scribe = std::make_shared<bool>(false);
    command->add_flag("--scribe", *as_scribe,
                      "the mainline's orders with their dice and facts, for wardiary scribe");
    command->footer(
        "A bundle holds everything, also what is hidden from a player while the game runs.\n"
        "Examples:\n  wardiary export \"Duel at the ford\" -o duel.wardiary\n"
        "  wardiary export \"Duel at the ford\" -o duel.jsonl");
    command->callback(
        [=, &chosen] { chosen = [=] { return export_game(*common, *game, *file, *as_scribe); }; });
  }
  {
    CLI::App* command = app.add_subcommand(
        "import", "read a game written by export; checked first, written whole or not at all");
    auto common = add_common(*command);
    auto file = std::make_shared<std::string>();
    command->add_option("file", *file, "the file")->required();
    command->footer("Example:\n  wardiary import duel.wardiary --data other-diary");
    command->callback([=, &chosen] { chosen = [=] { return import_game(*common, *file); }; });
  }
}

}  // namespace wardiary::cli

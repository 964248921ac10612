// checkpoint, receipt: what a player takes home; and holding it against a data directory later.
#include <CLI/CLI.hpp>
#include <fstream>
#include <nlohmann/json.hpp>

#include "eventstore/receipts.h"
#include "tools/wardiary/evidence.h"
#include "tools/wardiary/session.h"

namespace wardiary::cli {
namespace {

// A text for keeping: to a new file, or to standard output for "-".
int hand_out(const std::string& file, const std::string& text) {
  if (file == "-") {
    say(std::string_view(text).substr(0, text.size() - text.ends_with('\n')));
    return kOk;
  }
  if (std::ifstream(file)) return fail(invalid(file + ": exists already; choose another name"));
  std::ofstream out(file, std::ios::binary);
  out << text;
  out.close();
  return out ? kOk : fail(Error{ErrorCode::kIo, file + ": cannot be written"});
}

int checkpoint(const Common& common, const std::string& name, const std::string& file) {
  auto session = Session::open(common.data);
  if (!session) return fail(session.error());
  auto game = (*session)->find_game(name);
  if (!game) return fail(game.error());
  auto note = (*session)->store().checkpoint(game->game);
  if (!note) return fail(note.error());
  auto key = (*session)->store().log_key(game->game);
  if (!key) return fail(key.error());
  if (common.json) {
    print_json({{"game", to_hex(game->game)}, {"key", *key}, {"checkpoint", *note}});
    return kOk;
  }
  if (file == "-") return hand_out(file, *note);
  if (const int status = hand_out(file, *note); status != kOk) return status;
  say("Signed the first " + std::to_string(game->tree_size) + " events of \"" + game->name +
      "\": " + file);
  say("The key to check it with: " + *key);
  return kOk;
}

int receipt(const Common& common, const std::string& name, const std::string& branch,
            std::uint64_t at, const std::string& file) {
  auto line = open_line(common.data, name, branch);
  if (!line) return fail(line.error());
  EventStore& store = line->session->store();
  const Version version = at == 0 ? line->branch.version : at;
  auto made = make_receipt(store, line->branch.branch, version);
  if (!made) return fail(made.error());
  auto key = store.log_key(line->info.game);
  if (!key) return fail(key.error());
  if (common.json) {
    print_json({{"game", to_hex(line->info.game)},
                {"branch", to_hex(line->branch.branch)},
                {"version", version},
                {"key", *key},
                {"receipt", made->text()}});
    return kOk;
  }
  if (file == "-") return hand_out(file, made->text());
  if (const int status = hand_out(file, made->text()); status != kOk) return status;
  say("A receipt for event " + std::to_string(version) + " of \"" + line->info.name +
      "\": " + file);
  say("The key to check it with: " + *key);
  return kOk;
}

using Hold = Status (*)(EventStore&, const GameId&, const VerifierKey&, std::string_view);

// Nothing if the store bears out what is in the file.
std::optional<Error> contradiction(EventStore& store, const std::string& known_key,
                                   const std::string& text, Hold hold) {
  auto game = game_named_by(text);
  if (!game) return game.error();
  auto own = store.log_key(*game);
  if (!own) return own.error();
  auto key = VerifierKey::parse(known_key.empty() ? *own : known_key);
  if (!key) return key.error();
  const Status held = hold(store, *game, *key, text);
  return held ? std::nullopt : std::optional(held.error());
}

}  // namespace

Status hold_against(const Place& place, const HeldAgainst& held, EventStore::Verified& verified) {
  constexpr std::size_t kEvidenceBytesMax = 1u << 20;
  if (held.receipts.empty() && held.checkpoints.empty() && held.key.empty()) return Done{};
  if (held.receipts.empty() && held.checkpoints.empty()) {
    return invalid("verify: --key says whose signature a --receipt or --checkpoint must have");
  }
  auto session = Session::open(place);
  const auto hold = [&](const std::vector<std::string>& files, Hold check) -> Status {
    for (const std::string& file : files) {
      auto text = read_input(file, kEvidenceBytesMax);
      if (!text) return std::move(text).error();
      const auto why = session ? contradiction((*session)->store(), held.key, *text, check)
                               : std::optional(session.error());
      if (why) verified.findings.push_back({"witness", file, why->text});
    }
    return Done{};
  };
  if (Status s = hold(held.receipts, hold_receipt); !s) return s;
  return hold(held.checkpoints, hold_checkpoint);
}

void add_evidence_commands(CLI::App& app, Chosen& chosen) {
  {
    CLI::App* command =
        app.add_subcommand("checkpoint", "sign how many events a game has, and their root");
    auto common = add_common(*command);
    auto game = std::make_shared<std::string>();
    auto file = std::make_shared<std::string>("-");
    command->add_option("game", *game, "its name or id")->required();
    command->add_option("-o,--output", *file, "a new file instead of standard output");
    command->footer(
        "Whoever keeps it can show later that the log was cut or edited.\n"
        "Example:\n  wardiary checkpoint evening -o turn5.checkpoint\n"
        "  wardiary verify diary --checkpoint turn5.checkpoint");
    command->callback([=, &chosen] { chosen = [=] { return checkpoint(*common, *game, *file); }; });
  }
  {
    CLI::App* command =
        app.add_subcommand("receipt", "prove that an event is in a game's log (.tlog-proof)");
    auto common = add_common(*command);
    auto game = std::make_shared<std::string>();
    auto branch = std::make_shared<std::string>();
    auto at = std::make_shared<std::uint64_t>(0);
    auto file = std::make_shared<std::string>("-");
    command->add_option("game", *game, "its name or id")->required();
    command->add_option("--at", *at, "the event's number (default: the last)")
        ->check(CLI::PositiveNumber);
    command->add_option("--branch", *branch, "a what-if instead of the game itself");
    command->add_option("-o,--output", *file, "a new file instead of standard output");
    command->footer(
        "Example:\n  wardiary receipt evening --at 17 -o order17.tlog-proof\n"
        "  wardiary verify diary --receipt order17.tlog-proof\n"
        "  wardiary verify game.wardiary --receipt order17.tlog-proof");
    command->callback(
        [=, &chosen] { chosen = [=] { return receipt(*common, *game, *branch, *at, *file); }; });
  }
}

}  // namespace wardiary::cli

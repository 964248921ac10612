// What all commands share: options, exit codes, and the way errors are told.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "domain/base/result.h"
#include "tools/wardiary/place.h"
#include "tools/wardiary/terminal.h"

namespace CLI {
class App;
}

namespace wardiary::cli {

enum Exit : int {
  kOk = 0,
  kFindings = 1,  // something was found, or an order was refused
  kBadInput = 2,  // wrong usage, or input that cannot be taken; nothing was changed
  kTrouble = 3,   // the store or the system failed
};

// Tells the error and gives its exit code.
int fail(const Error& error);
// JSON on standard output, one line.
void print_json(const nlohmann::json& value);
// A file's text, or standard input for "-"; at most `most` bytes.
Result<std::string> read_input(const std::string& file, std::size_t most);

// Options of every command that opens a store; filled by the parser before the command runs.
struct Common {
  Place data;
  bool json = false;
};
std::shared_ptr<Common> add_common(CLI::App& command);
std::string default_data();
std::vector<std::string> default_stores();

// What somebody holds against a bundle: a key line, and files.
struct HeldAgainst {
  std::string key;
  std::vector<std::string> receipts;
  std::vector<std::string> checkpoints;
};
// `wardiary verify FILE` (audit_commands.cpp); the file is `common.data`.
int verify_bundle_file(const Common& common, const HeldAgainst& held);

// What to run once the command line is parsed.
using Chosen = std::function<int()>;

// Each file of commands adds its own to the program.
void add_store_commands(CLI::App& app, Chosen& chosen);
void add_game_commands(CLI::App& app, Chosen& chosen);
void add_play_commands(CLI::App& app, Chosen& chosen);
void add_table_commands(CLI::App& app, Chosen& chosen);
void add_look_commands(CLI::App& app, Chosen& chosen);
void add_reading_commands(CLI::App& app, Chosen& chosen);
void add_review_commands(CLI::App& app, Chosen& chosen);
void add_case_commands(CLI::App& app, Chosen& chosen);
void add_bot_commands(CLI::App& app, Chosen& chosen);
void add_sweep_commands(CLI::App& app, Chosen& chosen);
void add_audit_commands(CLI::App& app, Chosen& chosen);
void add_transfer_commands(CLI::App& app, Chosen& chosen);
void add_demo_commands(CLI::App& app, Chosen& chosen);
void add_copy_commands(CLI::App& app, Chosen& chosen);
void add_serve_commands(CLI::App& app, Chosen& chosen);
void add_player_commands(CLI::App& app, Chosen& chosen);

}  // namespace wardiary::cli

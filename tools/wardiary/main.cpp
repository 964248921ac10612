// wardiary: the diary on the command line. Every group of commands has a file of its own.
#include <sodium.h>

#include <CLI/CLI.hpp>

#include "tools/wardiary/command.h"
#include "tools/wardiary/evidence.h"

int main(int argc, char** argv) {
  using namespace wardiary::cli;
  if (sodium_init() < 0) {
    complain("libsodium cannot be initialised");
    return kTrouble;
  }
  CLI::App app{"War Diary: every order, die roll and phase of a board wargame, kept for ever."};
  app.require_subcommand(1);
  app.footer(
      "Exit codes: 0 fine; 1 something was found, or an order was refused; 2 wrong usage or input\n"
      "that cannot be taken (nothing was changed); 3 the store or the system failed.\n\n"
      "Examples:\n"
      "  wardiary demo                          load the demo games\n"
      "  wardiary games                         list them\n"
      "  wardiary position \"Duel at the ford\"   the board, supply and score at the end\n"
      "  wardiary case run my-house-rule.json   try a case\n"
      "  wardiary COMMAND --help                more about one command");
  Chosen chosen;
  add_store_commands(app, chosen);
  add_demo_commands(app, chosen);
  add_game_commands(app, chosen);
  add_play_commands(app, chosen);
  add_table_commands(app, chosen);
  add_look_commands(app, chosen);
  add_reading_commands(app, chosen);
  add_review_commands(app, chosen);
  add_sweep_commands(app, chosen);
  add_audit_commands(app, chosen);
  add_evidence_commands(app, chosen);
  add_case_commands(app, chosen);
  add_bot_commands(app, chosen);
  add_transfer_commands(app, chosen);
  add_player_commands(app, chosen);
  add_copy_commands(app, chosen);
  add_serve_commands(app, chosen);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? kOk : kBadInput;
  }
  try {
    return chosen ? chosen() : kBadInput;
  } catch (const std::exception& error) {  // of a library below us, e.g. out of memory
    complain(error.what());
    return kTrouble;
  }
}

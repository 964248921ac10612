// What the commands that write into a game share (play_commands.cpp).
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "tools/wardiary/command.h"
#include "tools/wardiary/session.h"

namespace wardiary::cli {

struct PlayOptions {
  std::string game, branch, input, side, command, author;
  std::vector<std::uint32_t> dice;
  bool has_dice = false;
  std::optional<Version> expected;
  std::size_t limit = 100;
};

void add_request_options(CLI::App& command, const std::shared_ptr<PlayOptions>& options);
// `author` unless the options name one.
Result<OrderRequest> request_for(const PlayOptions& options, const BranchId& branch,
                                 const std::string& author);
// One JSON value per line; the error names the line.
Result<std::vector<nlohmann::json>> read_facts(const std::string& text);
// Tells the answer and gives its exit code.
int tell(const Common& common, Line& line, const Result<OrderAnswer>& result);

}  // namespace wardiary::cli

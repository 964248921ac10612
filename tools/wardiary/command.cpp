#include "tools/wardiary/command.h"

#include <CLI/CLI.hpp>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <nlohmann/json.hpp>
#include <sstream>

namespace wardiary::cli {

int fail(const Error& error) {
  complain(error.text);
  switch (error.code) {
    case ErrorCode::kInvalid:
    case ErrorCode::kNotFound:
    case ErrorCode::kLimit:
      return kBadInput;
    case ErrorCode::kConflict:
    case ErrorCode::kDenied:
      return kFindings;
    case ErrorCode::kCorrupt:
    case ErrorCode::kFull:
    case ErrorCode::kClosed:
    case ErrorCode::kUnknown:
    case ErrorCode::kIo:
      return kTrouble;
  }
  return kTrouble;
}

void print_json(const nlohmann::json& value) {
  say(value.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
}

Result<std::string> read_input(const std::string& file, std::size_t most) {
  std::ifstream opened;
  if (file != "-") {
    opened.open(file, std::ios::binary);
    if (!opened) return Error{ErrorCode::kNotFound, file + ": cannot be opened"};
  }
  std::istream& in = file == "-" ? std::cin : opened;
  std::string out;
  char buffer[1 << 16];
  while (in.read(buffer, sizeof buffer), in.gcount() > 0) {
    out.append(buffer, static_cast<std::size_t>(in.gcount()));
    if (out.size() > most) {
      return Error{ErrorCode::kLimit,
                   (file == "-" ? "standard input" : file) + ": longer than " + bytes_text(most)};
    }
  }
  if (in.bad()) return Error{ErrorCode::kIo, file + ": cannot be read"};
  return out;
}

std::string default_data() {
  auto value = [](const char* name) {
    const char* found = std::getenv(name);
    return std::string(found ? found : "");
  };
  if (const std::string data = value("WARDIARY_DATA"); !data.empty()) return data;
  if (const std::string xdg = value("XDG_DATA_HOME"); !xdg.empty()) return xdg + "/wardiary";
  return value("HOME") + "/.local/share/wardiary";
}

std::vector<std::string> default_stores() {
  std::vector<std::string> out;
  const char* found = std::getenv("WARDIARY_STORE");
  std::istringstream words(found ? found : "");
  for (std::string word; words >> word;) out.push_back(word);
  return out;
}

std::shared_ptr<Common> add_common(CLI::App& command) {
  auto common = std::make_shared<Common>();
  common->data = Place(default_data(), default_stores());
  command.add_option("--data", common->data.directory,
                     "the data directory (default: $WARDIARY_DATA or ~/.local/share/wardiary)");
  command
      .add_option("--store", common->data.stores,
                  "postgres://host,host/database instead of the store in --data, which then holds "
                  "the keys only; more than once for several clusters (default: $WARDIARY_STORE)")
      ->allow_extra_args(false);
  command.add_flag("--json", common->json, "answer in JSON, for programs");
  return common;
}

}  // namespace wardiary::cli

// How a service is set up: one table of settings, each of which can stand in a file, in the
// environment and on the command line; the later of these wins. docs/http-server.md lists them.
//
//   # a file: one setting a line
//   listen = 0.0.0.0:443
//   tls-certificate = /etc/wardiary/chain.pem
#pragma once

#include <chrono>
#include <filesystem>
#include <map>
#include <span>
#include <string>
#include <string_view>

#include "domain/base/result.h"
#include "http/server/server.h"

namespace wardiary::http {

enum class LogForm : std::uint8_t { kText, kJson, kOff };

struct Config {
  std::string data;
  std::string store;    // postgres://..., several separated by spaces; empty: in `data`
  std::string web;      // the built page; empty: found beside the program
  std::string backend;  // empty: the default one
  bool admin_only = false;
  bool private_games = false;
  bool open_metrics = false;
  LogForm log = LogForm::kText;
  std::chrono::seconds drain{10};
  ServerOptions server;
};

struct Setting {
  std::string_view name;       // "admin-only"; WARDIARY_ADMIN_ONLY in the environment
  std::string_view otherwise;  // the default
  std::string_view help;
  bool is_flag = false;  // "true" or "false"; on the command line the name alone will do
};
std::span<const Setting> settings();

// A value and where it was said: "line 3 of wardiary.conf", "WARDIARY_LISTEN", "--listen".
struct Said {
  std::string value;
  std::string where;
};
using SaidByName = std::map<std::string, Said, std::less<>>;

// The settings of a file. kInvalid with the line for anything that is not one.
Result<SaidByName> read_config_text(std::string_view text, const std::string& file);
// Those in the environment. `get` is std::getenv, or a test's.
SaidByName read_environment(const std::function<const char*(const char*)>& get);
// Defaults under everything that was said; `into` is changed by `over`.
void say_over(SaidByName& into, const SaidByName& over);
// Checks every value; the error says which setting, where it was said, and what it must be.
Result<Config> make_config(const SaidByName& said);
// What can only be found out on this machine: files that are named must be there and readable.
Status check_files(const Config& config);

}  // namespace wardiary::http

#include "http/api/config.h"

#include <algorithm>
#include <charconv>
#include <fstream>
#include <thread>

namespace wardiary::http {

namespace {

// Sets one field from text; empty, or what the value must be.
using Apply = std::string (*)(Config& config, const std::string& value);
struct Row {
  Setting setting;
  Apply apply;
};

template <class Number>
std::string take_number(const std::string& value, Number& into, std::uint64_t min,
                        std::uint64_t max) {
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), number);
  if (error != std::errc() || end != value.data() + value.size() || number < min || number > max) {
    return "must be a number from " + std::to_string(min) + " to " + std::to_string(max);
  }
  into = static_cast<Number>(number);
  return {};
}

std::string take_flag(const std::string& value, bool& into) {
  if (value != "true" && value != "false") return "must be true or false";
  into = value == "true";
  return {};
}

std::string take_seconds(const std::string& value, std::chrono::seconds& into) {
  std::uint64_t number = 0;
  std::string wrong = take_number(value, number, 1, 3'600);
  if (wrong.empty()) into = std::chrono::seconds(number);
  return wrong;
}

std::string take_listen(Config& config, const std::string& value) {
  const std::size_t colon = value.rfind(':');
  if (colon == std::string::npos || colon == 0) return "must be HOST:PORT";
  std::string host = value.substr(0, colon);
  if (host.size() > 2 && host.front() == '[' && host.back() == ']') {
    host = host.substr(1, host.size() - 2);
  }
  const std::string wrong = take_number(value.substr(colon + 1), config.server.port, 0, 65'535);
  if (!wrong.empty()) return "must be HOST:PORT with a port from 0 to 65535";
  config.server.address = host;
  return {};
}

std::string take_log(Config& config, const std::string& value) {
  if (value == "text") return config.log = LogForm::kText, "";
  if (value == "json") return config.log = LogForm::kJson, "";
  if (value == "off") return config.log = LogForm::kOff, "";
  return "must be text, json or off";
}

std::string take_backend(Config& config, const std::string& value) {
  const std::vector<std::string> known = backends();
  if (!value.empty() && std::find(known.begin(), known.end(), value) == known.end()) {
    std::string all;
    for (const std::string& name : known) all += (all.empty() ? "" : " or ") + name;
    return "must be " + all;
  }
  config.backend = value;
  return {};
}

using C = Config;
using V = const std::string&;
const Row kRows[] = {
    {{"data", "", "the data directory"},
     [](C& c, V v) { return c.data = v, std::string(v.empty() ? "must be a directory" : ""); }},
    {{"store", "",
      "postgres://host,host/database; the data directory then holds the keys only; several "
      "clusters are separated by spaces"},
     [](C& c, V v) { return c.store = v, std::string(); }},
    {{"listen", "127.0.0.1:8080", "HOST:PORT; port 0 takes any free one"}, take_listen},
    {{"web", "", "the built page (default: found beside the program)"},
     [](C& c, V v) { return c.web = v, std::string(); }},
    {{"http", "", "the HTTP back end"}, take_backend},
    {{"tls-certificate", "", "PEM file with the certificate chain; with tls-key, serve HTTPS"},
     [](C& c, V v) { return c.server.tls_certificate_file = v, std::string(); }},
    {{"tls-key", "", "PEM file with the private key"},
     [](C& c, V v) { return c.server.tls_key_file = v, std::string(); }},
    {{"admin-only", "false", "only the administrator creates and imports games", true},
     [](C& c, V v) { return take_flag(v, c.admin_only); }},
    {{"private", "false", "a game is shown only to who has one of its tokens", true},
     [](C& c, V v) { return take_flag(v, c.private_games); }},
    {{"behind-proxy", "false", "believe X-Forwarded-For and X-Request-Id", true},
     [](C& c, V v) { return take_flag(v, c.server.behind_proxy); }},
    {{"open-metrics", "false", "/metrics for everybody, not only loopback and administrators",
      true},
     [](C& c, V v) { return take_flag(v, c.open_metrics); }},
    {{"log", "text", "a line per request on standard error: text, json or off"}, take_log},
    {{"workers", "0", "threads that answer; 0: one per core, at least 2"},
     [](C& c, V v) { return take_number(v, c.server.worker_threads, 0, 256); }},
    {{"io-threads", "1", "threads that read and write"},
     [](C& c, V v) { return take_number(v, c.server.io_threads, 1, 64); }},
    {{"connections-max", "20000", "open connections; more get 503"},
     [](C& c, V v) { return take_number(v, c.server.limits.connections_max, 1, 1'000'000); }},
    {{"streams-max", "5000", "live streams; more get 503"},
     [](C& c, V v) { return take_number(v, c.server.limits.streams_max, 0, 1'000'000); }},
    {{"header-deadline", "10", "seconds for a request's header to arrive"},
     [](C& c, V v) { return take_seconds(v, c.server.limits.header_deadline); }},
    {{"body-deadline", "10", "seconds for a body, and more as it moves"},
     [](C& c, V v) { return take_seconds(v, c.server.limits.body_deadline); }},
    {{"write-deadline", "10", "seconds for an answer to be taken, and more as it moves"},
     [](C& c, V v) { return take_seconds(v, c.server.limits.write_deadline); }},
    {{"idle-deadline", "60", "seconds between requests of a connection"},
     [](C& c, V v) { return take_seconds(v, c.server.limits.idle_deadline); }},
    {{"heartbeat", "15", "seconds between signs of life on a quiet live stream"},
     [](C& c, V v) { return take_seconds(v, c.server.limits.stream_heartbeat); }},
    {{"drain", "10", "seconds that requests under way are given at the end"},
     [](C& c, V v) { return take_seconds(v, c.drain); }},
};

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kBlank = " \t\r";
  const std::size_t first = text.find_first_not_of(kBlank);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kBlank) - first + 1);
}

std::string environment_name(std::string_view setting) {
  std::string out = "WARDIARY_";
  for (char c : setting) {
    out += c == '-' ? '_' : static_cast<char>(c >= 'a' && c <= 'z' ? c - 32 : c);
  }
  return out;
}

bool is_setting(std::string_view name) {
  return std::any_of(std::begin(kRows), std::end(kRows),
                     [&](const Row& row) { return row.setting.name == name; });
}

}  // namespace

std::span<const Setting> settings() {
  static const auto all = [] {
    std::vector<Setting> out;
    for (const Row& row : kRows) out.push_back(row.setting);
    return out;
  }();
  return all;
}

Result<SaidByName> read_config_text(std::string_view text, const std::string& file) {
  SaidByName out;
  for (int line_number = 1; !text.empty(); ++line_number) {
    const std::size_t end = text.find('\n');
    const std::string_view line = trimmed(text.substr(0, end));
    text = end == std::string_view::npos ? std::string_view() : text.substr(end + 1);
    if (line.empty() || line.front() == '#') continue;
    const std::string where = "line " + std::to_string(line_number) + " of " + file;
    const std::size_t equals = line.find('=');
    if (equals == std::string_view::npos) return invalid(where + ": must be NAME = VALUE");
    const std::string name(trimmed(line.substr(0, equals)));
    if (!is_setting(name)) return invalid(where + ": there is no setting \"" + name + "\"");
    const std::string value(trimmed(line.substr(equals + 1)));
    if (!out.emplace(name, Said{value, where}).second) {
      return invalid(where + ": \"" + name + "\" stands here a second time");
    }
  }
  return out;
}

SaidByName read_environment(const std::function<const char*(const char*)>& get) {
  SaidByName out;
  for (const Row& row : kRows) {
    const std::string name = environment_name(row.setting.name);
    if (const char* value = get(name.c_str())) {
      out[std::string(row.setting.name)] = {value, name};
    }
  }
  return out;
}

void say_over(SaidByName& into, const SaidByName& over) {
  for (const auto& [name, said] : over) into.insert_or_assign(name, said);
}

Result<Config> make_config(const SaidByName& said) {
  Config config;
  for (const Row& row : kRows) {
    auto found = said.find(row.setting.name);
    const bool named = found != said.end();
    const std::string wrong =
        row.apply(config, named ? found->second.value : std::string(row.setting.otherwise));
    if (wrong.empty()) continue;
    return invalid(std::string(row.setting.name) + ": " + wrong +
                   (named ? " (" + found->second.where + ")" : ""));
  }
  if (config.server.worker_threads == 0) {
    config.server.worker_threads = std::max(2u, std::thread::hardware_concurrency());
  }
  if (config.server.tls_certificate_file.empty() != config.server.tls_key_file.empty()) {
    return invalid("tls-key: goes together with tls-certificate");
  }
  return config;
}

Status check_files(const Config& config) {
  const auto readable = [](std::string_view name, const std::string& file) -> Status {
    if (file.empty() || std::ifstream(file)) return Done{};
    return invalid(std::string(name) + ": " + file + " cannot be read");
  };
  if (auto status = readable("tls-certificate", config.server.tls_certificate_file); !status) {
    return status;
  }
  if (auto status = readable("tls-key", config.server.tls_key_file); !status) return status;
  std::error_code error;
  if (!config.web.empty() &&
      !std::filesystem::exists(std::filesystem::path(config.web) / "index.html", error)) {
    return invalid("web: " + config.web + " holds no page (index.html)");
  }
  return Done{};
}

}  // namespace wardiary::http

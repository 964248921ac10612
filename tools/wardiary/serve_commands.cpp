// wardiary serve: the REST service and the page on one data directory. wardiary config check: the
// same settings, looked at before they are used. wardiary token: the first administrator.
#include <spdlog/sinks/stdout_color_sinks.h>
#include <spdlog/spdlog.h>

#include <CLI/CLI.hpp>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "http/api/config.h"
#include "http/api/service.h"
#include "http/server/server.h"
#include "tools/wardiary/command.h"

namespace wardiary::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kConfigBytesMax = 64 * 1024;

// What the command line says, filled by the parser.
struct ServeWish {
  std::string config;  // the file
  http::SaidByName flags;
  bool json = false;
};

// The page as built beside this program: build/release/wardiary -> http/web/dist.
std::string default_web() {
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error);
  for (const char* relative : {"../../http/web/dist", "../share/wardiary/web"}) {
    const fs::path found = fs::weakly_canonical(program.parent_path() / relative, error);
    if (fs::exists(found / "index.html", error)) return found.string();
  }
  return {};
}

// Defaults, then the file, the environment and the command line.
Result<http::SaidByName> everything_said(const ServeWish& wish) {
  http::SaidByName said;
  said["data"] = {default_data(), "default"};
  std::string file = wish.config;
  if (const char* named = std::getenv("WARDIARY_CONFIG"); named && file.empty()) file = named;
  if (!file.empty()) {
    auto text = read_input(file, kConfigBytesMax);
    if (!text) return std::move(text).error();
    auto read = http::read_config_text(*text, file);
    if (!read) return std::move(read).error();
    http::say_over(said, *read);
  }
  http::say_over(said, http::read_environment([](const char* name) { return std::getenv(name); }));
  http::say_over(said, wish.flags);
  return said;
}

// One line per request; no query and no token ever gets into it.
void log_access(spdlog::logger& log, http::LogForm form, const http::AccessRecord& record) {
  if (form == http::LogForm::kJson) {
    const nlohmann::json line = {
        {"event", "request"},      {"id", record.id},
        {"peer", record.peer},     {"method", http::name_of(record.method)},
        {"path", record.path},     {"route", record.route},
        {"status", record.status}, {"us", record.micros},
        {"in", record.bytes_in},   {"out", record.bytes_out}};
    const std::string text = line.dump(-1, ' ', true, nlohmann::json::error_handler_t::replace);
    return log.info(std::string_view(text).substr(1, text.size() - 2));
  }
  log.info("request id={} peer={} method={} path={} status={} us={} in={} out={}", record.id,
           record.peer, http::name_of(record.method), record.path, record.status, record.micros,
           record.bytes_in, record.bytes_out);
}

std::shared_ptr<spdlog::logger> make_log(http::LogForm form) {
  auto log = spdlog::stderr_color_mt("wardiary");
  if (form == http::LogForm::kJson) {
    log->set_pattern(R"({"time":"%Y-%m-%dT%H:%M:%S.%e%z","level":"%l",%v})");
  }
  return log;
}

void say_in_log(spdlog::logger& log, http::LogForm form, const std::string& event) {
  form == http::LogForm::kJson ? log.info("\"event\":\"{}\"", event) : log.info("{}", event);
}

// Blocked before any thread starts, so that only sigwait gets them.
sigset_t block_stop_signals() {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGINT);
  sigaddset(&signals, SIGTERM);
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  std::signal(SIGPIPE, SIG_IGN);
  return signals;
}

Place place_of(const http::Config& config) {
  Place place(config.data);
  std::istringstream words(config.store);
  for (std::string word; words >> word;) place.stores.push_back(word);
  return place;
}

int serve(const ServeWish& wish) {
  auto said = everything_said(wish);
  if (!said) return fail(said.error());
  auto config = http::make_config(*said);
  if (!config) return fail(config.error());
  if (auto files = http::check_files(*config); !files) return fail(files.error());
  sigset_t signals = block_stop_signals();
  const Place place = place_of(*config);
  auto opened = open_store(place, {true, false});
  if (!opened) return fail(opened.error());
  EventStore& store = *opened->store;
  http::ServiceOptions service_options;
  service_options.web_directory = config->web.empty() ? default_web() : config->web;
  service_options.anyone_may_create = !config->admin_only;
  service_options.anyone_may_look = !config->private_games;
  service_options.open_metrics = config->open_metrics;
  http::Service service(store, fairdice::Seed(opened->master.data), service_options);

  auto log = make_log(config->log);
  config->server.on_access = [&service, log, form = config->log](const http::AccessRecord& record) {
    service.metrics.seen(record);
    if (form != http::LogForm::kOff) log_access(*log, form, record);
  };
  const std::string backend = config->backend.empty() ? http::backends().front() : config->backend;
  // The server is there before its counts can be asked for, and gone before the service is.
  std::atomic<http::Server*> running{nullptr};
  service.server_counts = [&running] {
    http::Server* server = running;
    return server ? server->counts() : http::Server::Counts();
  };
  auto server = http::start_server(backend, config->server, service.routes());
  if (!server) return fail(server.error());
  running = server->get();
  const std::string scheme = config->server.tls_certificate_file.empty() ? "http" : "https";
  std::cout << "War Diary serves " << place.shown() << " on " << scheme << "://"
            << config->server.address << ":" << (*server)->port() << "/" << std::endl;
  if (service_options.web_directory.empty()) {
    std::cout << "The page is not built (http/web/dist); only the API answers." << std::endl;
  }

  int caught = 0;
  sigwait(&signals, &caught);
  say_in_log(*log, config->log, "stopping on signal " + std::to_string(caught));
  service.stopping = true;
  (*server)->drain(config->drain);
  running = nullptr;
  server->reset();
  if (auto status = store.close(); !status) return fail(status.error());
  return kOk;
}

int check_config(const ServeWish& wish) {
  auto said = everything_said(wish);
  if (!said) return fail(said.error());
  auto config = http::make_config(*said);
  if (!config) return fail(config.error());
  if (auto files = http::check_files(*config); !files) return fail(files.error());
  nlohmann::json all = nlohmann::json::array();
  std::vector<std::vector<std::string>> rows;
  for (const http::Setting& setting : http::settings()) {
    auto found = said->find(setting.name);
    std::string value = found == said->end() ? std::string(setting.otherwise) : found->second.value;
    if (setting.name == "store" && !value.empty()) value = place_of(*config).shown();
    const std::string where = found == said->end() ? "default" : found->second.where;
    all.push_back({{"name", setting.name}, {"value", value}, {"from", where}});
    rows.push_back({std::string(setting.name), value, where});
  }
  if (wish.json) {
    print_json({{"settings", std::move(all)}});
    return kOk;
  }
  std::cout << "The settings are fine:\n";
  for (const auto& row : rows) {
    std::cout << "  " << row[0] << std::string(18 - std::min<std::size_t>(17, row[0].size()), ' ')
              << (row[1].empty() ? "-" : row[1]) << "  (" << row[2] << ")\n";
  }
  return kOk;
}

// The first administrator cannot ask the service: it would have to know him already.
int make_admin_token(const Common& common, const std::string& label) {
  auto opened = open_store(common.data);
  if (!opened) return fail(opened.error());
  http::Access access(*opened->store);
  auto issued = access.issue({http::Grant::Role::kAdmin, {}, "", {}}, label, http::now_ms());
  if (!issued) return fail(issued.error());
  if (auto status = opened->store->close(); !status) return fail(status.error());
  if (common.json) {
    print_json({{"id", issued->id}, {"role", "admin"}, {"token", issued->secret}});
  } else {
    std::cout << issued->secret << "\n";
    std::cerr << "Shown this once. Send it as: Authorization: Bearer ...\n";
  }
  return kOk;
}

void add_settings(CLI::App& command, const std::shared_ptr<ServeWish>& wish) {
  command.add_option("--config", wish->config, "a file of settings: NAME = VALUE, one a line");
  for (const http::Setting& setting : http::settings()) {
    const std::string name(setting.name);
    const std::string flag = "--" + name;
    std::string help(setting.help);
    if (!setting.otherwise.empty()) help += " [" + std::string(setting.otherwise) + "]";
    auto take = [wish, name, flag](const std::string& value) { wish->flags[name] = {value, flag}; };
    if (name == "store") {  // several are one setting
      command
          .add_option_function<std::vector<std::string>>(
              flag,
              [take](const std::vector<std::string>& uris) {
                std::string all;
                for (const std::string& uri : uris) all += (all.empty() ? "" : " ") + uri;
                take(all);
              },
              help)
          ->allow_extra_args(false);
    } else if (setting.is_flag) {
      command.add_flag_callback(
          flag, [take] { take("true"); }, help);
    } else {
      command.add_option_function<std::string>(flag, take, help);
    }
  }
  command.add_flag_callback(
      "--quiet",
      [wish] {
        wish->flags["log"] = {"off", "--quiet"};
      },
      "no line per request; the same as --log off");
}

}  // namespace

void add_serve_commands(CLI::App& app, Chosen& chosen) {
  {
    CLI::App* command = app.add_subcommand("serve", "serve the API and the page");
    auto wish = std::make_shared<ServeWish>();
    add_settings(*command, wish);
    command->footer(
        "Every setting can also stand in a file (--config) or in the environment: WARDIARY_LISTEN\n"
        "for --listen. Stops on Ctrl-C or SIGTERM, after finishing what is under way.\n"
        "Example:\n  wardiary serve --data diary --listen 127.0.0.1:8080");
    command->callback([=, &chosen] { chosen = [=] { return serve(*wish); }; });
  }
  {
    CLI::App* group = app.add_subcommand("config", "the settings of the service");
    group->require_subcommand(1);
    CLI::App* command = group->add_subcommand(
        "check", "say what serve would use and where it was said, or what is wrong");
    auto wish = std::make_shared<ServeWish>();
    add_settings(*command, wish);
    command->add_flag("--json", wish->json, "answer in JSON, for programs");
    command->footer("Example:\n  wardiary config check --config /etc/wardiary.conf");
    command->callback([=, &chosen] { chosen = [=] { return check_config(*wish); }; });
  }
  {
    CLI::App* group = app.add_subcommand("token", "who may come in");
    group->require_subcommand(1);
    CLI::App* command = group->add_subcommand(
        "admin", "make an administrator's token, while no service runs on the data");
    auto common = add_common(*command);
    auto label = std::make_shared<std::string>();
    command->add_option("--label", *label, "whose it is");
    command->footer("Example:\n  wardiary token admin --data diary --label Ann");
    command->callback([=, &chosen] { chosen = [=] { return make_admin_token(*common, *label); }; });
  }
}

}  // namespace wardiary::cli

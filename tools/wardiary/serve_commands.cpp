// wardiary serve: the REST service and the page on one data directory.
#include <spdlog/sinks/stdout_color_sinks.h>
#include <spdlog/spdlog.h>

#include <CLI/CLI.hpp>
#include <csignal>
#include <filesystem>
#include <iostream>
#include <thread>
#include <thread>

#include "eventstore/data_dir.h"
#include "eventstore/rocksdb_store.h"
#include "http/api/service.h"
#include "http/server/server.h"
#include "tools/wardiary/command.h"

namespace wardiary::cli {
namespace {

namespace fs = std::filesystem;

struct ServeOptions {
  std::string listen = "127.0.0.1:8080";
  std::string web;
  std::string backend;
  std::string tls_certificate;
  std::string tls_key;
  bool admin_only = false;
  bool behind_proxy = false;
  bool quiet = false;
};

constexpr auto kDrainGrace = std::chrono::seconds(10);

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

struct Address {
  std::string host;
  std::uint16_t port = 0;
};

Result<Address> parse_listen(const std::string& text) {
  const std::size_t colon = text.rfind(':');
  if (colon == std::string::npos) return invalid("--listen: must be HOST:PORT");
  std::string host = text.substr(0, colon);
  if (host.size() > 2 && host.front() == '[' && host.back() == ']') {
    host = host.substr(1, host.size() - 2);
  }
  const std::string number = text.substr(colon + 1);
  if (number.empty() || number.size() > 5 ||
      number.find_first_not_of("0123456789") != std::string::npos || std::stoi(number) > 65535) {
    return invalid("--listen: the port must be a number from 0 to 65535");
  }
  return Address{host, static_cast<std::uint16_t>(std::stoi(number))};
}

// One line per request; no query and no token ever gets into it.
void log_access(spdlog::logger& log, const http::AccessRecord& record) {
  log.info("request id={} peer={} method={} path={} status={} us={} in={} out={}", record.id,
           record.peer, http::name_of(record.method), record.path, record.status, record.micros,
           record.bytes_in, record.bytes_out);
}

http::ServerOptions server_options(const ServeOptions& options, const Address& address,
                                   std::shared_ptr<spdlog::logger> log) {
  http::ServerOptions out;
  out.address = address.host;
  out.port = address.port;
  out.worker_threads = std::max(2u, std::thread::hardware_concurrency());
  out.tls_certificate_file = options.tls_certificate;
  out.tls_key_file = options.tls_key;
  out.behind_proxy = options.behind_proxy;
  if (!options.quiet) {
    out.on_access = [log = std::move(log)](const http::AccessRecord& r) { log_access(*log, r); };
  }
  return out;
}

int serve(const Common& common, const ServeOptions& options) {
  auto address = parse_listen(options.listen);
  if (!address) return fail(address.error());
  // Block the signals before any thread starts, so that only sigwait below gets them.
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGINT);
  sigaddset(&signals, SIGTERM);
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  std::signal(SIGPIPE, SIG_IGN);

  StoreOptions store_options;
  store_options.directory = common.data;
  store_options.create_if_missing = true;
  auto store = open_rocksdb_store(store_options);
  if (!store) return fail(store.error());
  auto master = read_master_key(common.data);
  if (!master) return fail(master.error());
  http::ServiceOptions service_options;
  service_options.web_directory = options.web.empty() ? default_web() : options.web;
  service_options.anyone_may_create = !options.admin_only;
  http::Service service(**store, fairdice::Seed(master->data), service_options);

  auto log = spdlog::stderr_color_mt("wardiary");
  const std::string backend = options.backend.empty() ? http::backends().front() : options.backend;
  auto server = http::start_server(backend, server_options(options, *address, log), service.routes());
  if (!server) return fail(server.error());
  const std::string scheme = options.tls_certificate.empty() ? "http" : "https";
  std::cout << "War Diary serves " << common.data << " on " << scheme << "://" << address->host << ":"
            << (*server)->port() << "/" << std::endl;
  if (service_options.web_directory.empty()) {
    std::cout << "The page is not built (http/web/dist); only the API answers." << std::endl;
  }

  int caught = 0;
  sigwait(&signals, &caught);
  log->info("stopping on signal {}", caught);
  (*server)->drain(kDrainGrace);
  server->reset();
  if (auto status = (*store)->close(); !status) return fail(status.error());
  return kOk;
}

}  // namespace

void add_serve_commands(CLI::App& app, Chosen& chosen) {
  CLI::App* command = app.add_subcommand("serve", "serve the API and the page");
  auto common = add_common(*command);
  auto options = std::make_shared<ServeOptions>();
  command->add_option("--listen", options->listen, "HOST:PORT; port 0 takes any free one")
      ->capture_default_str();
  command->add_option("--web", options->web, "the built page (default: found beside the program)");
  command->add_option("--http", options->backend, "the HTTP back end")
      ->check(CLI::IsMember(http::backends()));
  command->add_option("--tls-certificate", options->tls_certificate, "PEM file with the chain");
  command->add_option("--tls-key", options->tls_key, "PEM file with the key");
  command->add_flag("--admin-only", options->admin_only, "only the administrator creates games");
  command->add_flag("--behind-proxy", options->behind_proxy, "believe X-Forwarded-For");
  command->add_flag("--quiet", options->quiet, "no line per request");
  command->footer("Stops on Ctrl-C or SIGTERM, after finishing what is under way.\n"
                  "Example:\n  wardiary serve --data diary --listen 127.0.0.1:8080");
  command->callback([=, &chosen] { chosen = [=] { return serve(*common, *options); }; });
}

}  // namespace wardiary::cli

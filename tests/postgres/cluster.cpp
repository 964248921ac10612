#include "tests/postgres/cluster.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <grp.h>
#include <libpq-fe.h>
#include <pwd.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <stdexcept>
#include <thread>

namespace wardiary::testing {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void give_up(const std::string& text) {
  throw std::runtime_error("test cluster: " + text);
}

int free_port() {
  const int fd = ::socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t length = sizeof address;
  const bool ok = ::bind(fd, reinterpret_cast<sockaddr*>(&address), length) == 0 &&
                  ::getsockname(fd, reinterpret_cast<sockaddr*>(&address), &length) == 0;
  ::close(fd);
  if (!ok) give_up("no free port");
  return ntohs(address.sin_port);
}

void pause_briefly() {
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
}

// Waiting is for what must happen; how long it takes on a busy machine is nobody's business.
template <class Done>
void await(const std::string& what, Done&& done) {
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(120);
  while (!done()) {
    if (std::chrono::steady_clock::now() > deadline) give_up(what + " does not happen");
    pause_briefly();
  }
}

pid_t parent_of(pid_t pid) {
  std::ifstream stat("/proc/" + std::to_string(pid) + "/stat");
  std::string text((std::istreambuf_iterator<char>(stat)), std::istreambuf_iterator<char>());
  const std::size_t end = text.rfind(')');
  if (end == std::string::npos) return -1;
  char state = 0;
  int parent = -1;
  return std::sscanf(text.c_str() + end + 1, " %c %d", &state, &parent) == 2 ? parent : -1;
}

}  // namespace

std::string Cluster::programs() {
  std::error_code error;
  std::vector<fs::path> found;
  for (const auto& entry : fs::directory_iterator("/usr/lib/postgresql", error)) {
    if (fs::exists(entry.path() / "bin" / "initdb")) found.push_back(entry.path() / "bin");
  }
  std::sort(found.begin(), found.end());
  return found.empty() ? "" : found.back().string();
}

Cluster::Cluster(int nodes) : programs_(programs()) {
  if (programs_.empty()) give_up("PostgreSQL is not installed");
  const bool in_memory = !std::getenv("TMPDIR") && ::access("/dev/shm", W_OK) == 0;
  std::string name =
      ((in_memory ? fs::path("/dev/shm") : fs::temp_directory_path()) / "wardiary-pg-XXXXXX")
          .string();
  if (!::mkdtemp(name.data())) give_up("no temporary directory");
  root_ = name;
  if (::geteuid() == 0) {
    const passwd* user = ::getpwnam("postgres");
    if (!user) user = ::getpwnam("nobody");
    if (!user) give_up("no user to run PostgreSQL as");
    user_ = user->pw_uid;
    group_ = user->pw_gid;
    if (::chown(root_.c_str(), user_, group_) != 0) give_up("cannot give away " + name);
  }
  nodes_.resize(static_cast<std::size_t>(nodes));
  for (int n = 0; n < nodes; ++n) {
    node(n).directory = root_ / ("n" + std::to_string(n + 1));
    node(n).port = free_port();
  }
  const std::string data = node(0).directory.string();
  if (run({programs_ + "/initdb", "-D", data, "-U", "wardiary", "-A", "trust", "-E", "UTF8",
           "--locale=C", "--no-sync", "--data-checksums"},
          "initdb") != 0) {
    give_up("initdb failed; see " + (root_ / "initdb.log").string());
  }
  {
    std::ofstream config(node(0).directory / "postgresql.conf", std::ios::app);
    config << "listen_addresses = '127.0.0.1'\nunix_socket_directories = ''\n"
              "max_connections = 80\nshared_buffers = 32MB\nmax_wal_senders = 12\n"
              "wal_keep_size = 512MB\nhot_standby = on\nsynchronous_commit = on\n"
              "wal_receiver_status_interval = 1s\nwal_retrieve_retry_interval = 200ms\n"
              "max_wal_size = 512MB\nautovacuum_naptime = 10s\nlogging_collector = off\n";
    if (nodes > 1) {
      config << "synchronous_standby_names = 'ANY 1 (n1, n2, n3)'\n";
    }
  }
  start(0);
  for (int n = 1; n < nodes; ++n) rejoin(n);
  if (nodes > 1) await_standbys(nodes - 1);
}

Cluster::~Cluster() {
  for (int n = 0; n < size(); ++n) {
    if (node(n).pid > 0) kill(n);
  }
  if (std::getenv("WARDIARY_KEEP")) return;
  std::error_code ignored;
  fs::remove_all(root_, ignored);
}

std::string Cluster::uri(const std::string& database) const {
  std::string hosts;
  for (const Node& n : nodes_) {
    hosts += (hosts.empty() ? "" : ",") + std::string("127.0.0.1:") + std::to_string(n.port);
  }
  return "postgres://wardiary@" + hosts + "/" + database;
}

std::string Cluster::uri_through(int port, const std::string& database) const {
  return "postgres://wardiary@127.0.0.1:" + std::to_string(port) + "/" + database;
}

// Runs a program as the servers' user and waits for it.
int Cluster::run(const std::vector<std::string>& command, const std::string& log) {
  const pid_t pid = ::fork();
  if (pid == 0) {
    const int out = ::open((root_ / (log + ".log")).c_str(), O_WRONLY | O_CREAT | O_APPEND, 0644);
    if (out >= 0) {
      ::dup2(out, 1);
      ::dup2(out, 2);
    }
    if (user_ != 0 &&
        (::setgroups(0, nullptr) != 0 || ::setgid(group_) != 0 || ::setuid(user_) != 0)) {
      std::_Exit(98);
    }
    std::vector<char*> words;
    for (const std::string& word : command) words.push_back(const_cast<char*>(word.c_str()));
    words.push_back(nullptr);
    ::execv(words[0], words.data());
    std::_Exit(99);
  }
  int status = -1;
  while (::waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

void Cluster::start(int n) {
  Node& it = node(n);
  if (it.pid > 0) give_up("node " + std::to_string(n + 1) + " runs already");
  std::error_code ignored;
  fs::remove(it.directory / "postmaster.pid", ignored);  // left by a kill
  const std::string log = (root_ / ("n" + std::to_string(n + 1) + ".log")).string();
  const std::string program = programs_ + "/postgres", data = it.directory.string(),
                    port = std::to_string(it.port);
  const pid_t pid = ::fork();
  if (pid == 0) {
    const int out = ::open(log.c_str(), O_WRONLY | O_CREAT | O_APPEND, 0666);
    const int in = ::open("/dev/null", O_RDONLY);
    ::dup2(in, 0);
    ::dup2(out, 1);
    ::dup2(out, 2);
    for (int fd = 3; fd < 1024; ++fd) ::close(fd);
    if (user_ != 0 &&
        (::setgroups(0, nullptr) != 0 || ::setgid(group_) != 0 || ::setuid(user_) != 0)) {
      std::_Exit(98);
    }
    ::execl(program.c_str(), program.c_str(), "-D", data.c_str(), "-p", port.c_str(), nullptr);
    std::_Exit(99);
  }
  it.pid = pid;
  it.stopped = false;
  await_ready(n);
}

void Cluster::await_ready(int n) {
  await("node " + std::to_string(n + 1) + " being ready", [&] {
    int status = 0;
    if (::waitpid(node(n).pid, &status, WNOHANG) != 0) {
      node(n).pid = -1;
      give_up("node " + std::to_string(n + 1) + " ended at once; see " + root_.string());
    }
    return ask(n, "select 1") == "1";
  });
}

std::string Cluster::ask(int n, const std::string& sql, const std::string& database) {
  const std::string where = "host=127.0.0.1 port=" + std::to_string(node(n).port) +
                            " user=wardiary connect_timeout=2 dbname=" + database;
  PGconn* connection = PQconnectdb(where.c_str());
  std::string out;
  if (PQstatus(connection) == CONNECTION_OK) {
    PGresult* result = PQexec(connection, sql.c_str());
    if (PQresultStatus(result) == PGRES_TUPLES_OK && PQntuples(result) > 0) {
      out = PQgetvalue(result, 0, 0);
    }
    PQclear(result);
  }
  PQfinish(connection);
  return out;
}

void Cluster::create_database(const std::string& name) {
  ask(primary_, "create database " + name);
  if (ask(primary_, "select 1", name) != "1") give_up("cannot make the database " + name);
}

bool Cluster::running(int n) const {
  const Node& it = nodes_[static_cast<std::size_t>(n)];
  return it.pid > 0 && !it.stopped;
}

// The server and its children, which are process groups of their own.
std::vector<pid_t> Cluster::processes(const Node& it) const {
  std::vector<pid_t> out{it.pid};
  std::error_code error;
  for (const auto& entry : fs::directory_iterator("/proc", error)) {
    const pid_t pid = std::atoi(entry.path().filename().c_str());
    if (pid > 0 && parent_of(pid) == it.pid) out.push_back(pid);
  }
  return out;
}

void Cluster::await_gone(Node& it) {
  int status = 0;
  while (::waitpid(it.pid, &status, 0) < 0 && errno == EINTR) {
  }
  it.pid = -1;
  it.stopped = false;
}

void Cluster::kill(int n) {
  Node& it = node(n);
  if (it.pid <= 0) return;
  const auto all = processes(it);
  for (const pid_t pid : all) ::kill(pid, SIGKILL);
  await_gone(it);
  // A server must not start again while children of the old one still use its memory.
  await("the end of a killed server's children", [&] {
    return std::none_of(all.begin(), all.end(), [](pid_t pid) { return ::kill(pid, 0) == 0; });
  });
}

void Cluster::stop(int n) {
  for (const pid_t pid : processes(node(n))) ::kill(pid, SIGSTOP);
  node(n).stopped = true;
}

void Cluster::go_on(int n) {
  for (const pid_t pid : processes(node(n))) ::kill(pid, SIGCONT);
  node(n).stopped = false;
}

void Cluster::follow(int n, int primary) {
  std::ofstream config(node(n).directory / "postgresql.auto.conf", std::ios::app);
  config << "primary_conninfo = 'host=127.0.0.1 port=" << node(primary).port
         << " user=wardiary application_name=n" << n + 1 << "'\n";
}

void Cluster::rejoin(int n) {
  Node& it = node(n);
  if (it.pid > 0) kill(n);
  std::error_code ignored;
  fs::remove_all(it.directory, ignored);
  const std::string from = "host=127.0.0.1 port=" + std::to_string(node(primary_).port) +
                           " user=wardiary application_name=n" + std::to_string(n + 1);
  if (run({programs_ + "/pg_basebackup", "-d", from, "-D", it.directory.string(), "-R",
           "--checkpoint=fast", "--no-sync", "-X", "stream"},
          "basebackup") != 0) {
    give_up("pg_basebackup failed; see " + (root_ / "basebackup.log").string());
  }
  start(n);
}

void Cluster::promote() {
  int best = -1;
  std::string most;
  for (int n = 0; n < size(); ++n) {
    if (n == primary_ || !running(n)) continue;
    // As a number of sixteen digits, so that text compares like positions.
    const std::string received =
        ask(n, "select lpad((pg_last_wal_receive_lsn() - '0/0')::text, 24, '0')");
    if (best < 0 || received > most) {
      best = n;
      most = received;
    }
  }
  if (best < 0) give_up("no standby to promote");
  if (ask(best, "select pg_promote(true, 60)") != "t") give_up("the promotion failed");
  primary_ = best;
  for (int n = 0; n < size(); ++n) {
    if (n == best || !running(n)) continue;
    follow(n, best);
    ::kill(node(n).pid, SIGHUP);
  }
}

void Cluster::await_standbys(int count) {
  await(std::to_string(count) + " standbys being connected", [&] {
    return std::atoi(ask(primary_,
                         "select count(*) from pg_stat_replication "
                         "where state = 'streaming'")
                         .c_str()) >= count;
  });
}

void Cluster::terminate_backends(const std::string& database, double share) {
  ask(primary_, "select count(pg_terminate_backend(pid)) from pg_stat_activity where datname = '" +
                    database + "' and pid <> pg_backend_pid() and random() < " +
                    std::to_string(share));
}

}  // namespace wardiary::testing

// Real PostgreSQL servers for tests: a primary and its standbys on loopback, in a temporary
// directory, with quorum commit. Nodes can be killed, stopped, promoted and brought back. As root
// the servers run as the user postgres (or nobody), because PostgreSQL refuses to run as root.
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <string>
#include <vector>

namespace wardiary::testing {

class Cluster {
 public:
  // Where the programs of PostgreSQL are; empty if it is not installed.
  static std::string programs();

  explicit Cluster(int nodes);
  ~Cluster();
  Cluster(const Cluster&) = delete;
  Cluster& operator=(const Cluster&) = delete;

  int size() const { return static_cast<int>(nodes_.size()); }
  int primary() const { return primary_; }
  // postgres://... with all nodes; the client looks for the one that takes writes.
  std::string uri(const std::string& database) const;
  // The same, but by way of another port on this machine.
  std::string uri_through(int port, const std::string& database) const;
  int port(int node) const { return nodes_[static_cast<std::size_t>(node)].port; }

  // Makes an empty database.
  void create_database(const std::string& name);
  // Runs SQL on a node and gives the first column of the first row ("" if none).
  std::string ask(int node, const std::string& sql, const std::string& database = "postgres");

  bool running(int node) const;
  void kill(int node);   // SIGKILL to all of its processes at once
  void stop(int node);   // SIGSTOP, likewise: it is there but does not answer
  void go_on(int node);  // SIGCONT
  void start(int node);  // after kill: it recovers and goes on as what it was
  // Fails over: the old primary must be dead; the standby that has received most is promoted and
  // the others follow it.
  void promote();
  // Makes a dead node a standby of the current primary, from a fresh copy.
  void rejoin(int node);
  // Waits until so many standbys are connected to the primary.
  void await_standbys(int count);
  // Ends a random part of what is connected to the primary, as an administrator or a failing
  // network would.
  void terminate_backends(const std::string& database, double share);

 private:
  struct Node {
    std::filesystem::path directory;
    int port = 0;
    pid_t pid = -1;
    bool stopped = false;
  };
  Node& node(int n) { return nodes_[static_cast<std::size_t>(n)]; }
  int run(const std::vector<std::string>& command, const std::string& log);
  void await_ready(int node);
  void await_gone(Node& node);
  void follow(int node, int primary);
  std::vector<pid_t> processes(const Node& node) const;

  std::filesystem::path root_;
  std::string programs_;
  uid_t user_ = 0;
  gid_t group_ = 0;
  std::vector<Node> nodes_;
  int primary_ = 0;
};

}  // namespace wardiary::testing

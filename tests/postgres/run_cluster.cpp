// run_cluster NODES COMMAND...: starts a PostgreSQL cluster on loopback, runs the command with its
// address in WARDIARY_STORE, and takes the cluster away again. For trials and benchmarks.
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <exception>

#include "tests/postgres/cluster.h"

int main(int argc, char** argv) {
  if (argc < 3) {
    std::fprintf(stderr, "usage: run_cluster NODES COMMAND...\n");
    return 2;
  }
  try {
    wardiary::testing::Cluster cluster(std::atoi(argv[1]));
    cluster.create_database("wardiary");
    const pid_t pid = ::fork();
    if (pid == 0) {
      ::setenv("WARDIARY_STORE", cluster.uri("wardiary").c_str(), 1);
      ::execvp(argv[2], argv + 2);
      std::_Exit(127);
    }
    int status = 0;
    ::waitpid(pid, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
  } catch (const std::exception& problem) {
    std::fprintf(stderr, "%s\n", problem.what());
    return 1;
  }
}

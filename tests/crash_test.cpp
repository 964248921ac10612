// A process that appends from eight threads is killed at a random moment, 200 times. After each
// death, everything it had been acknowledged is there, once, whole, in order, and the evidence
// holds.
//
//   crash_test [--rounds N] [--seed S] [--only R]
//
// prints the seed of each failing round; --seed S --only R repeats one round's kill time and work.
#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "eventstore/rocksdb_store.h"

namespace wardiary {
namespace {

constexpr std::uint64_t kGames = 3;
constexpr int kThreads = 8;
constexpr std::uint64_t kRoundsPerStore = 25;

Id make_id(char kind, std::uint64_t number) {
  Id out;
  out.data[0] = static_cast<std::uint8_t>(kind);
  for (int i = 0; i < 8; ++i) out.data[8 + i] = static_cast<std::uint8_t>(number >> (56 - 8 * i));
  return out;
}

// What the child tells its parent after each acknowledgement; written whole or not at all.
struct Ack {
  std::uint64_t game, command, first, last;
};

StoreOptions options_for(const std::string& directory) {
  StoreOptions options;
  options.directory = directory;
  options.create_if_missing = true;
  options.seal_keep_events = 16;
  return options;
}

std::vector<std::string> payloads(std::uint64_t command, std::uint64_t count) {
  std::vector<std::string> out;
  for (std::uint64_t i = 0; i < count; ++i) {
    out.push_back(std::to_string(command) + " " + std::to_string(i) + " " + std::to_string(count));
  }
  return out;
}

void work(EventStore& store, int pipe, std::uint64_t round, int thread, unsigned seed) {
  std::mt19937 random(seed + static_cast<unsigned>(thread));
  for (std::uint64_t n = 0;; ++n) {
    const std::uint64_t game = random() % kGames;
    const std::uint64_t command =
        (round * kThreads + static_cast<std::uint64_t>(thread)) * 1'000'000 + n;
    const auto texts = payloads(command, random() % 12 + 1);
    std::vector<NewEvent> events;
    for (const auto& text : texts) events.push_back({1, bytes_of(text)});
    for (;;) {
      const auto head = store.branch(make_id('B', game));
      if (!head) std::_Exit(3);
      const auto done =
          store.append({make_id('B', game), head->version, make_id('C', command), events,
                        random() % 4 ? Durability::kSynced : Durability::kBuffered});
      if (!done) std::_Exit(4);
      if (done->kind == Appended::Kind::kConflict) continue;
      if (done->kind != Appended::Kind::kOk) std::_Exit(5);
      const Ack ack{game, command, done->first, done->last};
      if (::write(pipe, &ack, sizeof ack) != sizeof ack) std::_Exit(6);
      break;
    }
    if (n % 20 == 5) {  // a what-if with its first commit
      NewBranch branch{make_id('G', game), make_id('F', command), make_id('B', game), 1, "", ""};
      branch.events = events;
      branch.command = make_id('C', command);
      if (!store.fork(branch)) std::_Exit(8);
    }
    if (n % 50 == 10 && !store.checkpoint(make_id('G', game))) std::_Exit(7);
  }
}

int child(const std::string& directory, int pipe, std::uint64_t round, unsigned seed) {
  auto store = open_rocksdb_store(options_for(directory));
  if (!store) {
    std::fprintf(stderr, "child: %s\n", store.error().text.c_str());
    return 2;
  }
  const std::string text = "begin";
  const std::vector<NewEvent> first{{1, bytes_of(text)}};
  for (std::uint64_t g = 0; g < kGames; ++g) {
    if (!(*store)->create_game(
            {make_id('G', g), make_id('B', g), "", 0, make_id('C', ~g), first, {}})) {
      return 2;
    }
  }
  const Ack ready{~0ull, 0, 0, 0};
  if (::write(pipe, &ready, sizeof ready) != sizeof ready) return 6;
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t) {
    threads.emplace_back([&, t] { work(**store, pipe, round, t, seed); });
  }
  for (auto& thread : threads) thread.join();
  return 0;
}

// Starts the child, kills it `delay_us` after its store is open, and gives what it was
// acknowledged.
bool run_and_kill(const std::string& self, const std::string& directory, std::uint64_t round,
                  unsigned seed, std::uint64_t delay_us, std::vector<Ack>& acks) {
  int pipe[2];
  if (::pipe(pipe) != 0) return false;
  const pid_t pid = ::fork();
  if (pid == 0) {
    ::close(pipe[0]);
    const std::string fd = std::to_string(pipe[1]), r = std::to_string(round),
                      s = std::to_string(seed);
    ::execl(self.c_str(), self.c_str(), "--child", directory.c_str(), fd.c_str(), r.c_str(),
            s.c_str(), nullptr);
    std::_Exit(9);
  }
  ::close(pipe[1]);
  std::thread killer;
  Ack ack{};
  while (::read(pipe[0], &ack, sizeof ack) == sizeof ack) {
    if (ack.game != ~0ull) {
      acks.push_back(ack);
    } else {
      killer = std::thread([pid, delay_us] {
        std::this_thread::sleep_for(std::chrono::microseconds(delay_us));
        ::kill(pid, SIGKILL);
      });
    }
  }
  ::close(pipe[0]);
  if (killer.joinable()) killer.join();
  int status = 0;
  ::waitpid(pid, &status, 0);
  if (WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL) return true;
  std::fprintf(stderr, "the child ended by itself with status %d\n", status);
  return false;
}

// Every commit on the branch: command -> (first, last). False if one is torn or there twice.
bool read_commits(EventStore& store, std::uint64_t game, std::map<std::uint64_t, Ack>& out) {
  std::uint64_t command = 0, expected_index = 0, count = 1;
  bool good = true;
  const Status s = store.read(make_id('B', game), 2, ~Version{0}, [&](const StoredEvent& e) {
    std::uint64_t c = 0, i = 0, n = 0;
    const std::string text(text_of(e.payload));
    good = good && std::sscanf(text.c_str(), "%lu %lu %lu", &c, &i, &n) == 3;
    if (expected_index == 0) {
      command = c;
      count = n;
      good = good && out.emplace(c, Ack{game, c, e.version, e.version + n - 1}).second;
    }
    good = good && c == command && i == expected_index && n == count;
    expected_index = (i + 1) % count;
    return good;
  });
  if (!s) std::fprintf(stderr, "read: %s\n", s.error().text.c_str());
  return good && s.ok() && expected_index == 0;
}

// No branch without its first commit.
bool check_forks(EventStore& store, std::uint64_t game) {
  std::optional<std::string> after;
  do {
    auto page = store.branches(make_id('G', game), after, 1'000);
    if (!page) return false;
    for (const BranchInfo& branch : page->items) {
      if (branch.parent && branch.version == branch.forked_at) return false;
    }
    after = page->next;
  } while (after);
  return true;
}

bool check(const std::string& directory, const std::map<std::uint64_t, Ack>& acknowledged) {
  auto store = open_rocksdb_store(options_for(directory));
  if (!store) {
    std::fprintf(stderr, "cannot reopen: %s\n", store.error().text.c_str());
    return false;
  }
  std::map<std::uint64_t, Ack> found;
  for (std::uint64_t g = 0; g < kGames; ++g) {
    if (!read_commits(**store, g, found)) {
      std::fprintf(stderr, "game %lu has a torn or repeated commit\n", g);
      return false;
    }
    if (!check_forks(**store, g)) {
      std::fprintf(stderr, "game %lu has a branch without its first commit\n", g);
      return false;
    }
  }
  for (const auto& [command, ack] : acknowledged) {
    const auto commit = found.find(command);
    if (commit == found.end() || commit->second.game != ack.game ||
        commit->second.first != ack.first || commit->second.last != ack.last) {
      std::fprintf(stderr, "command %lu was acknowledged but is not there as it was\n", command);
      return false;
    }
  }
  if (!acknowledged.empty()) {  // asking again gives the first answer
    const Ack& ack = acknowledged.rbegin()->second;
    const std::string text = "again";
    const std::vector<NewEvent> events{{1, bytes_of(text)}};
    const auto again = (*store)->append(
        {make_id('B', ack.game), 0, make_id('C', ack.command), events, Durability::kSynced});
    if (!again || again->kind != Appended::Kind::kDuplicate || again->last != ack.last) {
      std::fprintf(stderr, "command %lu is not known any more\n", ack.command);
      return false;
    }
  }
  const auto verified = (*store)->verify(std::nullopt, nullptr);
  if (!verified) return false;
  for (const auto& f : verified->findings) {
    std::fprintf(stderr, "%s: %s: %s\n", f.check.c_str(), f.where.c_str(), f.text.c_str());
  }
  return verified->findings.empty();
}

int run(const std::string& self, std::uint64_t rounds, unsigned seed, std::int64_t only) {
  namespace fs = std::filesystem;
  // A killed process loses nothing that the kernel has, so memory serves as well as a disk and
  // more commits are under way at each death. (Lost power: eventstore/fault_injection_test.cpp.)
  const bool in_memory = !std::getenv("TMPDIR") && ::access("/dev/shm", W_OK) == 0;
  const fs::path parent = in_memory ? "/dev/shm" : fs::temp_directory_path();
  std::string place = (parent / "wardiary-crash-XXXXXX").string();
  if (!::mkdtemp(place.data())) return 2;
  std::printf("crash_test: %lu rounds, seed %u\n", rounds, seed);
  std::map<std::uint64_t, Ack> acknowledged;
  std::uint64_t acks = 0;
  int result = 0;
  for (std::uint64_t round = 0; round < rounds && result == 0; ++round) {
    if (only >= 0 && round != static_cast<std::uint64_t>(only)) continue;
    const std::string directory = place + "/" + std::to_string(round / kRoundsPerStore);
    if (round % kRoundsPerStore == 0) {
      acknowledged.clear();
      std::error_code ignored;
      if (round > 0)
        fs::remove_all(place + "/" + std::to_string(round / kRoundsPerStore - 1), ignored);
    }
    std::mt19937 random(seed + static_cast<unsigned>(round) * 1000);
    std::vector<Ack> fresh;
    const bool killed =
        run_and_kill(self, directory, round, seed + static_cast<unsigned>(round) * 1000,
                     random() % 60'000, fresh);
    for (const Ack& ack : fresh) acknowledged[ack.command] = ack;
    acks += fresh.size();
    if (!killed || !check(directory, acknowledged)) {
      std::printf("FAILED in round %lu: repeat with --seed %u --only %lu\n", round, seed, round);
      result = 1;
    }
  }
  std::printf("%lu acknowledged commits checked\n", acks);
  std::error_code ignored;
  fs::remove_all(place, ignored);
  return result;
}

}  // namespace
}  // namespace wardiary

int main(int argc, char** argv) {
  const auto number = [](const char* text) { return std::strtoull(text, nullptr, 10); };
  if (argc == 6 && std::string(argv[1]) == "--child") {
    return wardiary::child(argv[2], static_cast<int>(number(argv[3])), number(argv[4]),
                           static_cast<unsigned>(number(argv[5])));
  }
  std::uint64_t rounds = 200;
  unsigned seed = std::random_device()();
  std::int64_t only = -1;
  for (int i = 1; i + 1 < argc; i += 2) {
    const std::string option = argv[i];
    if (option == "--rounds") rounds = number(argv[i + 1]);
    if (option == "--seed") seed = static_cast<unsigned>(number(argv[i + 1]));
    if (option == "--only") only = static_cast<std::int64_t>(number(argv[i + 1]));
  }
  return wardiary::run("/proc/self/exe", rounds, seed, only);
}

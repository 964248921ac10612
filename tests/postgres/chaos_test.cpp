// Two processes with four writers each work on one three-node cluster while its servers, its
// connections and they themselves are killed, stopped and replaced. Afterwards a checker replays
// every history: what was acknowledged is there, once, whole, in order; what was refused is not.
//
//   postgres_chaos_test [--seed S] [--steps N]
//
// prints its seed; --seed repeats the schedule of faults and the writers' choices. No step depends
// on how fast the machine is: a fault lasts until so many commits were acknowledged in spite of it.
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstring>
#include <functional>
#include <map>
#include <random>
#include <set>
#include <thread>

#include "eventstore/postgres_store.h"
#include "eventstore/store_conformance.h"
#include "tests/postgres/cluster.h"

namespace wardiary::testing {
namespace {

constexpr std::uint64_t kGames = 3;
constexpr int kThreads = 4;
constexpr int kProcesses = 2;
constexpr std::size_t kAcksPerStep = 25;
constexpr const char* kDatabase = "chaos";

// What a writer tells of one command: that it was acknowledged, or that it certainly was not done.
struct Word {
  enum Kind : std::uint64_t { kDone, kNotDone } kind;
  std::uint64_t branch, command, first, last;
};

PostgresOptions options_for(const std::string& uri, const std::string& directory) {
  PostgresOptions options;
  options.uri = uri;
  options.directory = directory;
  options.answer_timeout_ms = 2'000;
  options.patience_ms = 4'000;
  options.connect_seconds = 2;
  options.connections_max = 6;
  return options;
}

Events events_of(std::uint64_t command, std::uint64_t count) {
  Events out;
  for (std::uint64_t i = 0; i < count; ++i) {
    out.add(std::to_string(command) + " " + std::to_string(i) + " " + std::to_string(count));
  }
  return out;
}

// ---------------------------------------------------------------------------------- a writer

class Writer {
 public:
  Writer(EventStore& store, int pipe, std::uint64_t number, unsigned seed)
      : store_(store), pipe_(pipe), number_(number), random_(seed) {}

  void work() {
    for (std::uint64_t n = 0;; ++n) {
      const std::uint64_t command = number_ * 1'000'000 + n;
      std::uint64_t branch = random_() % kGames + 1;
      if (n % 15 == 7) branch = fork(branch, command);
      const bool large = random_() % 400 == 0;
      commit(branch, command, large ? 10'000 : random_() % 8 + 1);
    }
  }

 private:
  void tell(Word::Kind kind, std::uint64_t branch, std::uint64_t command, const Appended& a) {
    const Word word{kind, branch, command, a.first, a.last};
    if (::write(pipe_, &word, sizeof word) != sizeof word) std::_Exit(6);
  }
  void rest() { std::this_thread::sleep_for(std::chrono::milliseconds(20)); }

  // A branch of the mainline, or of the branch made before: a branch of a branch.
  std::uint64_t fork(std::uint64_t game, std::uint64_t command) {
    const std::uint64_t made = 1'000 + command;
    const bool nested = last_fork_.first == game && depth_ < 5;
    const BranchId parent = branch_id(nested ? last_fork_.second : game);
    for (;;) {
      const auto head = store_.branch(parent);
      if (head) {
        const Version at = std::min<Version>(head->version, forked_at_ ? forked_at_ : 1);
        const auto done =
            store_.fork({game_id(game), branch_id(made), parent, at, "chaos", "to see"});
        if (done) {
          depth_ = nested ? depth_ + 1 : 1;
          forked_at_ = at + 1;
          last_fork_ = {game, made};
          return made;
        }
        if (done.error().code == ErrorCode::kConflict) std::_Exit(8);
      }
      rest();
    }
  }

  // Until it is settled: an unknown outcome is asked again with the same command.
  void commit(std::uint64_t branch, std::uint64_t command, std::uint64_t count) {
    const Events events = events_of(command, count);
    for (;;) {
      const auto head = store_.branch(branch_id(branch));
      if (!head) {
        rest();
        continue;
      }
      for (;;) {
        const auto done = append(store_, branch_id(branch), head->version, command, events);
        if (!done || done->kind == Appended::Kind::kUnknown) {
          rest();
          continue;
        }
        if (done->kind == Appended::Kind::kConflict) break;
        return tell(Word::kDone, branch, command, *done);
      }
      if (random_() % 8 == 0) return tell(Word::kNotDone, branch, command, {});
    }
  }

  EventStore& store_;
  const int pipe_;
  const std::uint64_t number_;
  std::mt19937 random_;
  std::pair<std::uint64_t, std::uint64_t> last_fork_{};
  Version forked_at_ = 0;
  int depth_ = 0;
};

int child(const std::string& uri, const std::string& directory, int pipe, std::uint64_t number,
          unsigned seed) {
  Result<std::unique_ptr<EventStore>> store = Error{};
  do {  // the cluster may be in the middle of something
    store = open_postgres_store(options_for(uri, directory));
  } while (!store);
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t) {
    threads.emplace_back([&, t] {
      Writer(**store, pipe, number * kThreads + static_cast<std::uint64_t>(t),
             seed + static_cast<unsigned>(t))
          .work();
    });
  }
  for (auto& thread : threads) thread.join();
  return 0;
}

// ---------------------------------------------------------------------------------- the story

class Chaos {
 public:
  Chaos(std::string self, unsigned seed) : self_(std::move(self)), seed_(seed), random_(seed) {
    cluster_.create_database(kDatabase);
    if (::pipe(pipe_) != 0) fail("no pipe");
    ::fcntl(pipe_[0], F_SETFL, O_NONBLOCK);
    PostgresOptions first = options_for(cluster_.uri(kDatabase), dir_ / "keys");
    first.create_if_missing = true;
    auto opened = open_postgres_store(first);
    if (!opened) fail(opened.error().text);
    for (std::uint64_t n = 1; n <= kGames; ++n) {
      if (!create(**opened, n, {"begin"})) fail("a game cannot be made");
    }
  }
  ~Chaos() {
    for (pid_t& pid : children_) kill_child(pid);
  }

  int run(int steps) {
    for (int p = 0; p < kProcesses; ++p) children_.push_back(start_child());
    await_acks(kAcksPerStep, "the beginning");
    using Step = std::pair<const char*, void (Chaos::*)()>;
    std::vector<Step> all{{"a standby is killed", &Chaos::kill_standby},
                          {"a standby stands still", &Chaos::stop_standby},
                          {"both standbys are gone", &Chaos::lose_both_standbys},
                          {"the primary is killed and recovers", &Chaos::kill_primary},
                          {"the primary is killed, a standby promoted", &Chaos::fail_over},
                          {"a writing process is killed", &Chaos::kill_writer},
                          {"connections are cut", &Chaos::cut_connections}};
    std::shuffle(all.begin(), all.end(), random_);
    for (int i = 0; i < steps; ++i) {
      const Step& step = all[static_cast<std::size_t>(i) % all.size()];
      std::printf("  step %d: %s\n", i + 1, step.first);
      std::fflush(stdout);
      (this->*step.second)();
      await_acks(kAcksPerStep, step.first);
      sign();
    }
    for (pid_t& pid : children_) kill_child(pid);
    listen_for(std::chrono::milliseconds(0));
    return check();
  }

 private:
  [[noreturn]] void fail(const std::string& text) {
    std::printf("postgres_chaos_test: FAILED: %s (--seed %u)\n", text.c_str(), seed_);
    std::fflush(stdout);
    for (pid_t& pid : children_) kill_child(pid);
    failed_ = true;
    throw std::runtime_error(text);
  }

  pid_t start_child() {
    const std::uint64_t number = ++started_;
    const std::string uri = cluster_.uri(kDatabase), keys = dir_ / "keys",
                      fd = std::to_string(pipe_[1]), n = std::to_string(number),
                      s = std::to_string(seed_ + 1000 * number);
    const pid_t pid = ::fork();
    if (pid != 0) return pid;
    ::execl(self_.c_str(), self_.c_str(), "--child", uri.c_str(), keys.c_str(), fd.c_str(),
            n.c_str(), s.c_str(), nullptr);
    std::_Exit(9);
  }
  void kill_child(pid_t& pid) {
    if (pid <= 0) return;
    ::kill(pid, SIGKILL);
    int status = 0;
    ::waitpid(pid, &status, 0);
    if (!WIFSIGNALED(status)) ended_by_themselves_.push_back(status);
    pid = -1;
  }

  // Takes what the writers have told; waits for at most so long for the first word.
  std::size_t listen_for(std::chrono::milliseconds time) {
    pollfd fd{pipe_[0], POLLIN, 0};
    (void)::poll(&fd, 1, static_cast<int>(time.count()));
    std::size_t done = 0;
    Word word{};
    while (::read(pipe_[0], &word, sizeof word) == sizeof word) {
      words_.push_back(word);
      done += word.kind == Word::kDone;
    }
    return done;
  }
  void await_acks(std::size_t count, const char* when) {
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(180);
    for (std::size_t done = 0; done < count;) {
      done += listen_for(std::chrono::milliseconds(200));
      if (std::chrono::steady_clock::now() > deadline) {
        fail(std::string("no progress: ") + when);
      }
    }
  }
  int a_standby() {
    std::vector<int> standbys;
    for (int n = 0; n < cluster_.size(); ++n) {
      if (n != cluster_.primary()) standbys.push_back(n);
    }
    return standbys[random_() % standbys.size()];
  }

  void kill_standby() {
    const int n = a_standby();
    cluster_.kill(n);
    await_acks(kAcksPerStep, "with one standby killed");
    cluster_.start(n);
    cluster_.await_standbys(2);
  }
  void stop_standby() {
    const int n = a_standby();
    cluster_.stop(n);
    await_acks(kAcksPerStep, "with one standby standing still");
    cluster_.go_on(n);
    cluster_.await_standbys(2);
  }
  // Without a standby nothing may be acknowledged. A probe that gets no answer shows that the
  // primary has noticed; from then on there must be silence.
  void lose_both_standbys() {
    std::vector<int> gone;
    for (int n = 0; n < cluster_.size(); ++n) {
      if (n == cluster_.primary()) continue;
      cluster_.kill(n);
      gone.push_back(n);
    }
    PostgresOptions probing = options_for(cluster_.uri(kDatabase), dir_ / "keys");
    auto probe = open_postgres_store(probing);
    if (!probe) fail("the primary does not answer: " + probe.error().text);
    const std::uint64_t command = 999'000'000 + ++probes_;
    for (;;) {
      const auto head = (*probe)->branch(branch_id(1));
      if (!head) continue;
      const auto done =
          append(**probe, branch_id(1), head->version, command, events_of(command, 1));
      if (!done) continue;
      if (done->kind == Appended::Kind::kUnknown) break;
      if (done->kind != Appended::Kind::kConflict) fail("acknowledged without any standby");
    }
    // What is visible now had its quorum; words of it may still be on their way to us.
    Version seen[kGames + 1] = {};
    for (std::uint64_t n = 1; n <= kGames; ++n) {
      const auto head = (*probe)->branch(branch_id(n));
      if (!head) fail("the primary does not answer: " + head.error().text);
      seen[n] = head->version;
    }
    const std::size_t before = words_.size();
    (void)listen_for(std::chrono::milliseconds(1500));
    for (std::size_t i = before; i < words_.size(); ++i) {
      const Word& word = words_[i];
      const bool later = word.branch <= kGames && word.last > seen[word.branch];
      if (word.kind == Word::kDone && later) fail("acknowledged without a quorum");
    }
    for (const int n : gone) cluster_.start(n);
    cluster_.await_standbys(2);
  }
  void kill_primary() {
    cluster_.kill(cluster_.primary());
    cluster_.start(cluster_.primary());
    cluster_.await_standbys(2);
  }
  void fail_over() {
    const int old = cluster_.primary();
    cluster_.kill(old);
    cluster_.promote();
    await_acks(kAcksPerStep, "after the promotion");
    cluster_.rejoin(old);
    cluster_.await_standbys(2);
  }
  void kill_writer() {
    pid_t& pid = children_[random_() % children_.size()];
    kill_child(pid);
    pid = start_child();
  }
  void cut_connections() {
    for (int i = 0; i < 3; ++i) {
      cluster_.terminate_backends(kDatabase, 0.5);
      await_acks(kAcksPerStep / 3, "after connections were cut");
    }
  }
  // Checkpoints are promises too: opening the store at the end checks them.
  void sign() {
    auto store = open_postgres_store(options_for(cluster_.uri(kDatabase), dir_ / "keys"));
    if (!store) fail("the store does not open: " + store.error().text);
    for (std::uint64_t n = 1; n <= kGames; ++n) {
      if (auto note = (*store)->checkpoint(game_id(n)); !note) fail(note.error().text);
    }
  }

  // -------------------------------------------------------------------------------- the checker

  struct Place {
    std::uint64_t branch;
    Version first, last;
  };
  int check();
  // The commits of one branch, from its payloads; complains about what is not whole or not in
  // order.
  void read_branch(EventStore& store, const BranchInfo& branch,
                   std::map<std::uint64_t, std::vector<Place>>& found);
  void complain(const std::string& text) {
    std::printf("  WRONG: %s\n", text.c_str());
    ++wrong_;
  }

  const std::string self_;
  const unsigned seed_;
  std::mt19937 random_;
  Cluster cluster_{3};
  TempDir dir_;
  int pipe_[2] = {-1, -1};
  std::vector<pid_t> children_;
  std::vector<int> ended_by_themselves_;
  std::uint64_t started_ = 0, probes_ = 0;
  std::vector<Word> words_;
  int wrong_ = 0;
  bool failed_ = false;
};

void Chaos::read_branch(EventStore& store, const BranchInfo& branch,
                        std::map<std::uint64_t, std::vector<Place>>& found) {
  const std::uint64_t number = get_u64(branch.branch.data.data() + 8);
  std::uint64_t command = 0, next = 0, count = 0;
  Version expected = branch.forked_at + 1;
  const Status s = store.read(branch.branch, expected, branch.version, [&](const StoredEvent& e) {
    if (e.version != expected++) complain("a gap before version " + std::to_string(e.version));
    const std::string text(text_of(e.payload));
    if (text == "begin") return true;
    std::uint64_t c = 0, i = 0, n = 0;
    if (std::sscanf(text.c_str(), "%lu %lu %lu", &c, &i, &n) != 3) complain("odd: " + text);
    const bool goes_on = next < count && c == command && i == next && n == count;
    if (!goes_on && (next < count || i != 0)) complain("torn or reordered at " + text);
    if (i == 0) found[c].push_back({number, e.version, e.version + n - 1});
    command = c;
    next = i + 1;
    count = n;
    return true;
  });
  if (!s) complain(s.error().text);
  if (next < count) complain("the last commit of branch " + std::to_string(number) + " is cut off");
}

int Chaos::check() {
  if (!ended_by_themselves_.empty()) complain("a writer ended by itself");
  auto store = open_postgres_store(options_for(cluster_.uri(kDatabase), dir_ / "keys"));
  if (!store) fail("the store does not open: " + store.error().text);
  std::map<std::uint64_t, std::vector<Place>> found;
  std::size_t branches = 0;
  for (std::uint64_t game = 1; game <= kGames; ++game) {
    std::optional<std::string> after;
    do {
      auto page = (*store)->branches(game_id(game), after, 100);
      if (!page) fail(page.error().text);
      for (const BranchInfo& branch : page->items) {
        ++branches;
        read_branch(**store, branch, found);
      }
      after = page->next;
    } while (after);
  }
  for (const auto& [command, places] : found) {
    if (places.size() > 1) complain("command " + std::to_string(command) + " was done twice");
  }
  std::size_t acknowledged = 0;
  std::map<std::pair<std::uint64_t, std::uint64_t>, Version> last_of;  // by writer and branch
  for (const Word& word : words_) {
    const auto it = found.find(word.command);
    const std::string name = "command " + std::to_string(word.command);
    if (word.kind == Word::kNotDone) {
      if (it != found.end()) complain(name + " was refused, and is there");
      continue;
    }
    ++acknowledged;
    if (it == found.end()) {
      complain(name + " was acknowledged, and is lost");
      continue;
    }
    const Place& place = it->second.front();
    if (place.branch != word.branch || place.first != word.first || place.last != word.last) {
      complain(name + " is not where it was acknowledged");
    }
    Version& before = last_of[{word.command / 1'000'000, word.branch}];
    if (word.first <= before) complain(name + " stands before what its writer did earlier");
    before = word.last;
  }
  for (const std::string& finding : findings(**store)) complain(finding);
  std::printf(
      "postgres_chaos_test: %zu acknowledged commits on %zu branches checked, %d wrong "
      "(--seed %u)\n",
      acknowledged, branches, wrong_, seed_);
  return wrong_ == 0 ? 0 : 1;
}

}  // namespace
}  // namespace wardiary::testing

int main(int argc, char** argv) {
  using namespace wardiary::testing;
  if (argc == 7 && std::strcmp(argv[1], "--child") == 0) {
    return child(argv[2], argv[3], std::atoi(argv[4]), std::strtoull(argv[5], nullptr, 10),
                 static_cast<unsigned>(std::strtoul(argv[6], nullptr, 10)));
  }
  unsigned seed = std::random_device()();
  int steps = 7;
  for (int i = 1; i + 1 < argc; i += 2) {
    const std::string option = argv[i];
    if (option == "--seed") seed = static_cast<unsigned>(std::strtoul(argv[i + 1], nullptr, 10));
    if (option == "--steps") steps = std::atoi(argv[i + 1]);
  }
  std::printf("postgres_chaos_test: --seed %u\n", seed);
  std::fflush(stdout);
  try {
    return Chaos(argv[0], seed).run(steps);
  } catch (const std::exception& problem) {
    std::printf("postgres_chaos_test: %s (--seed %u)\n", problem.what(), seed);
    return 1;
  }
}

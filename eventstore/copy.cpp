#include "eventstore/copy.h"

#include <algorithm>
#include <filesystem>
#include <map>

#include "eventstore/data_dir.h"
#include "eventstore/log_keeper.h"
#include "eventstore/rocksdb_store.h"

namespace wardiary {
namespace {

constexpr std::size_t kPage = 1'000;
constexpr std::size_t kRecordsAtOnce = 200;

template <class T, class Next>
Status each(const Next& next, const std::function<Status(const T&)>& see) {
  std::optional<std::string> after;
  do {
    Result<Page<T>> page = next(after);
    if (!page) return std::move(page).error();
    for (const T& item : page->items) {
      if (Status s = see(item); !s) return s;
    }
    after = page->next;
  } while (after);
  return Done{};
}

// The events of one commit, with their bytes.
struct Held {
  std::vector<Bytes> payloads;
  std::vector<NewEvent> events;

  Status read(EventStore& store, const BranchId& branch, Version first, Version last) {
    payloads.clear();
    events.clear();
    Status s = store.read(branch, first, last, [&](const StoredEvent& e) {
      payloads.emplace_back(e.payload.begin(), e.payload.end());
      events.push_back({e.type, payloads.back()});
      return true;
    });
    if (!s) return s;
    if (events.size() != last - first + 1) return corrupt("events are missing");
    return Done{};
  }
};

class GameCopy {
 public:
  GameCopy(EventStore& from, EventStore& to, const GameInfo& game, Copied& out,
           const std::function<void(std::uint64_t)>& progress)
      : from_(from),
        keeper_(*LogKeeper::of(from)),
        to_(to),
        game_(game),
        out_(out),
        progress_(progress) {}

  Status run() {
    Status s = steps();
    if (!s) return Error(s.error()).within("game " + to_hex(game_.game));
    ++out_.games;
    return s;
  }

 private:
  Status steps() {
    if (Status s = read_branches(); !s) return s;
    if (Status s = copy_events(); !s) return s;
    if (Status s = copy_empty_branches(); !s) return s;
    if (Status s = compare_branches(); !s) return s;
    if (Status s = compare_trees(); !s) return s;
    if (Status s = copy_notes(); !s) return s;
    return delete_branches();
  }

  Status read_branches() {
    Status s = each<BranchInfo>(
        [&](const auto& after) { return from_.branches(game_.game, after, kPage); },
        [&](const BranchInfo& branch) -> Status {
          auto commits = keeper_.commits(branch.branch);
          if (!commits) return std::move(commits).error();
          branches_[branch.branch] = {branch, std::move(*commits), 0};
          return Done{};
        });
    if (!s) return s;
    return each<BranchInfo>(
        [&](const auto& after) -> Result<Page<BranchInfo>> {
          auto page = to_.branches(game_.game, after, kPage);
          const bool none = !page && page.error().code == ErrorCode::kNotFound;
          return none ? Result<Page<BranchInfo>>(Page<BranchInfo>()) : std::move(page);
        },
        [&](const BranchInfo& branch) -> Status {
          const auto it = branches_.find(branch.branch);
          if (it == branches_.end()) return differs("has a branch more, " + to_hex(branch.branch));
          it->second.there = true;
          it->second.copied = branch.version;
          return Done{};
        });
  }

  // In the order of the tree, so that every event gets the leaf it has.
  Status copy_events() {
    for (std::uint64_t leaf = 0; leaf < game_.tree_size;) {
      auto run = from_.leaf_range(game_.game, leaf);
      if (!run) return std::move(run).error();
      const auto it = branches_.find(run->branch);
      if (it == branches_.end()) return corrupt("a leaf belongs to no branch");
      const Version end = run->first + run->count;
      for (Version next = run->first; next < end;) {
        const auto& commits = it->second.commits;
        const auto commit =
            std::lower_bound(commits.begin(), commits.end(), next,
                             [](const CommitInfo& c, Version v) { return c.first < v; });
        if (commit == commits.end() || commit->first != next || commit->last >= end) {
          return corrupt("branch " + to_hex(run->branch) + " version " + std::to_string(next) +
                         " begins no commit");
        }
        if (Status s = copy_commit(it->second, *commit); !s) return s;
        next = commit->last + 1;
      }
      leaf = run->first_leaf + run->count;
    }
    return Done{};
  }

  struct Line {
    BranchInfo info;
    std::vector<CommitInfo> commits;
    Version copied = 0;  // the branch's version in the copy
    bool there = false;
  };

  Status copy_commit(Line& line, const CommitInfo& commit) {
    ++out_.commits;
    out_.events += commit.last - commit.first + 1;
    if (progress_) progress_(out_.events);
    if (line.there && line.copied >= commit.last) return compare_commit(line, commit);
    Held held;
    if (Status s = held.read(from_, line.info.branch, commit.first, commit.last); !s) return s;
    if (!line.info.parent && !line.there) return create(line, commit, held);
    if (!line.there) {
      if (Status s = fork(line); !s) return s;
    }
    auto done = to_.append({line.info.branch, commit.first - 1, commit.command, held.events});
    if (!done) return std::move(done).error();
    return landed(line, commit, *done);
  }

  // What is there already must have come by the same command; its bytes are compared with the rest.
  Status compare_commit(const Line& line, const CommitInfo& commit) {
    auto found = to_.find_command(line.info.branch, commit.command);
    if (!found) return std::move(found).error();
    if (!*found || (*found)->first != commit.first || (*found)->last != commit.last) {
      return differs("branch " + to_hex(line.info.branch) + " version " +
                     std::to_string(commit.first) + " was made by another command");
    }
    return Done{};
  }

  Status landed(Line& line, const CommitInfo& commit, const Appended& done) {
    const bool right =
        (done.kind == Appended::Kind::kOk || done.kind == Appended::Kind::kDuplicate) &&
        done.first == commit.first && done.last == commit.last;
    if (done.kind == Appended::Kind::kUnknown) {
      return Error{ErrorCode::kUnknown, "the store does not answer; copy again to go on"};
    }
    if (!right) {
      return differs("branch " + to_hex(line.info.branch) + " has gone its own way at version " +
                     std::to_string(commit.first));
    }
    line.there = true;
    line.copied = commit.last;
    out_.new_events += commit.last - commit.first + 1;
    return Done{};
  }

  Status create(Line& line, const CommitInfo& commit, const Held& held) {
    auto hashes = keeper_.contents_of(game_.game);
    if (!hashes) return std::move(hashes).error();
    std::vector<Bytes> contents;
    for (const Hash& hash : *hashes) {
      auto content = from_.content(hash);
      if (!content) return std::move(content).error();
      contents.push_back(std::move(*content));
    }
    const std::vector<ByteView> views(contents.begin(), contents.end());
    auto done = to_.create_game({game_.game, game_.mainline, game_.name, game_.created_at_ms,
                                 commit.command, held.events, views});
    if (!done) return std::move(done).error();
    return landed(line, commit, *done);
  }

  Status fork(Line& line) {
    const BranchInfo& info = line.info;
    auto made =
        to_.fork({game_.game, info.branch, *info.parent, info.forked_at, info.name, info.reason});
    if (!made) return std::move(made).error();
    line.there = true;
    line.copied = made->version;
    return Done{};
  }

  // Parents before children: a branch without events may be the parent of one without.
  Status copy_empty_branches() {
    std::vector<Line*> missing;
    for (auto& [id, line] : branches_) {
      if (!line.there) missing.push_back(&line);
    }
    std::sort(missing.begin(), missing.end(),
              [](const Line* a, const Line* b) { return a->info.depth < b->info.depth; });
    for (Line* line : missing) {
      if (Status s = fork(*line); !s) return s;
    }
    return Done{};
  }

  Status compare_branches() {
    for (const auto& [id, line] : branches_) {
      ++out_.branches;
      const BranchInfo& a = line.info;
      auto b = to_.branch(id);
      if (!b) return std::move(b).error();
      const bool same = a.game == b->game && a.parent == b->parent && a.forked_at == b->forked_at &&
                        a.version == b->version && a.event_hash == b->event_hash &&
                        a.name == b->name && a.reason == b->reason && a.depth == b->depth;
      if (!same) return differs("branch " + to_hex(id) + " is not the same");
      if (Status s = compare_bytes(a); !s) return s;
    }
    return Done{};
  }

  // The chain of hashes already says it; this does not take its word.
  Status compare_bytes(const BranchInfo& branch) {
    Held a, b;
    constexpr Version kAtOnce = 500;
    for (Version first = branch.forked_at + 1; first <= branch.version; first += kAtOnce) {
      const Version last = std::min(branch.version, first + kAtOnce - 1);
      if (Status s = a.read(from_, branch.branch, first, last); !s) return s;
      if (Status s = b.read(to_, branch.branch, first, last); !s) return s;
      for (std::size_t i = 0; i < a.events.size(); ++i) {
        const bool same = a.events[i].type == b.events[i].type && a.payloads[i] == b.payloads[i];
        if (!same) {
          return differs("branch " + to_hex(branch.branch) + " version " +
                         std::to_string(first + i) + " has other bytes");
        }
      }
    }
    return Done{};
  }

  // The whole tree, and the newest of which was signed; the copy then signs its own.
  Status compare_trees() {
    auto size = to_.tree_size(game_.game);
    if (!size) return std::move(size).error();
    if (*size != game_.tree_size) return differs("the trees are not of one size");
    if (Status s = compare_roots(game_.tree_size, nullptr); !s) return s;
    auto promised = keeper_.promised(game_.game);
    if (!promised) return std::move(promised).error();
    if (!*promised) return Done{};
    ++out_.checkpoints;
    if (Status s = compare_roots((*promised)->size, &(*promised)->root); !s) return s;
    auto signed_again = to_.checkpoint(game_.game);
    return signed_again ? Status(Done{}) : Status(std::move(signed_again).error());
  }

  Status compare_roots(std::uint64_t size, const Hash* promised) {
    auto a = from_.tree_root(game_.game, size);
    if (!a) return std::move(a).error();
    auto b = to_.tree_root(game_.game, size);
    if (!b) return std::move(b).error();
    if (*a == *b && (!promised || *promised == *a)) return Done{};
    return differs("the tree of " + std::to_string(size) + " leaves has another root");
  }

  Status copy_notes() {
    std::vector<Bytes> notes;
    const auto read = [&](EventStore& store, std::vector<Bytes>& out) {
      return store.read_notes(game_.game, 0, [&](std::uint64_t, ByteView note) {
        out.emplace_back(note.begin(), note.end());
        return true;
      });
    };
    if (Status s = read(from_, notes); !s) return s;
    std::vector<Bytes> there;
    if (Status s = read(to_, there); !s) return s;
    if (there.size() > notes.size() || !std::equal(there.begin(), there.end(), notes.begin())) {
      return differs("it has other notes");
    }
    for (std::size_t i = there.size(); i < notes.size(); ++i) {
      if (auto done = to_.add_note(game_.game, notes[i]); !done) return std::move(done).error();
    }
    out_.notes += notes.size();
    return Done{};
  }

  Status delete_branches() {
    std::vector<const Line*> deleted;
    for (const auto& [id, line] : branches_) {
      if (line.info.deleted) deleted.push_back(&line);
    }
    std::sort(deleted.begin(), deleted.end(),
              [](const Line* a, const Line* b) { return a->info.depth > b->info.depth; });
    for (const Line* line : deleted) {
      if (Status s = to_.delete_branch(line->info.branch); !s) return s;
    }
    return Done{};
  }

  Error differs(const std::string& text) const {
    return {ErrorCode::kConflict, "the copy is not of this game: " + text};
  }

  EventStore& from_;
  LogKeeper& keeper_;
  EventStore& to_;
  const GameInfo game_;
  Copied& out_;
  const std::function<void(std::uint64_t)>& progress_;
  std::map<BranchId, Line> branches_;
};

Status copy_records(EventStore& from, EventStore& to, Copied& out) {
  std::vector<EventStore::RecordChange> changes;
  const auto flush = [&]() -> Status {
    if (changes.empty()) return Done{};
    Status s = to.change_records(changes);
    changes.clear();
    return s;
  };
  Status failed = Done{};
  Status s = from.scan_records("", [&](std::string_view key, ByteView value) {
    changes.push_back({std::string(key), Bytes(value.begin(), value.end())});
    ++out.records;
    if (changes.size() >= kRecordsAtOnce) failed = flush();
    return failed.ok();
  });
  if (!s) return s;
  if (!failed) return failed;
  return flush();
}

Status must_verify(EventStore& store, const char* which) {
  auto verified = store.verify(std::nullopt, nullptr);
  if (!verified) return std::move(verified).error();
  if (verified->findings.empty()) return Done{};
  const auto& first = verified->findings.front();
  return corrupt(std::string(which) + " does not verify: " + first.where + ": " + first.text);
}

}  // namespace

Result<Copied> copy_store(EventStore& from, EventStore& to,
                          const std::function<void(std::uint64_t events)>& progress) {
  Copied out;
  if (!LogKeeper::of(from)) return invalid("this cannot be copied; import it instead");
  if (Status s = must_verify(from, "the original"); !s) return s.error();
  Status s = each<GameInfo>(
      [&](const auto& after) { return from.games(after, kPage); },
      [&](const GameInfo& game) { return GameCopy(from, to, game, out, progress).run(); });
  if (!s) return s.error();
  if (Status r = copy_records(from, to, out); !r) return r.error();
  if (Status v = must_verify(to, "the copy"); !v) return v.error();
  return out;
}

Status copy_to_directory(EventStore& from, const std::string& key_directory,
                         const std::string& directory, EventStore::BackupKeys keys) {
  namespace fs = std::filesystem;
  const fs::path target = fs::absolute(directory).lexically_normal();
  if (fs::exists(target)) return Error{ErrorCode::kConflict, target.string() + " exists already"};
  const fs::path partial = target.string() + ".partial";
  std::error_code error;
  fs::remove_all(partial, error);
  fs::create_directories(partial, error);
  if (error) return Error{ErrorCode::kIo, partial.string() + ": " + error.message()};
  const DataDir source{key_directory}, copy{partial};
  const auto all = [&]() -> Status {
    for (const auto& [a, b] : {std::pair(source.log_key(), copy.log_key()),
                               std::pair(source.master_key(), copy.master_key())}) {
      auto key = read_key(a);
      if (!key) return std::move(key).error();
      if (Status s = write_file(b, to_hex(*key) + "\n", 0600); !s) return s;
    }
    StoreOptions options;
    options.directory = partial.string();
    options.create_if_missing = true;
    auto to = open_rocksdb_store(options);
    if (!to) return std::move(to).error();
    if (auto done = copy_store(from, **to); !done) return std::move(done).error();
    return (*to)->close();
  };
  Status made = all();
  if (made && keys == EventStore::BackupKeys::kLeaveOut) {
    fs::remove(copy.log_key(), error);
    fs::remove(copy.master_key(), error);
  }
  if (made) fs::rename(partial, target, error);
  if (made && error) made = Error{ErrorCode::kIo, target.string() + ": " + error.message()};
  if (made) return sync_directory(target.parent_path());
  fs::remove_all(partial, error);
  return made;
}

}  // namespace wardiary

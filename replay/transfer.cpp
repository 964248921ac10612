#include "replay/transfer.h"

#include "domain/apply.h"
#include "domain/schema/event_generated.h"
#include "eventstore/evidence.h"

namespace wardiary {
namespace {

// First pass: everything must fit together.
class GameChecker : public GameSink {
 public:
  TransferHead head;
  std::vector<Content> contents;
  std::map<BranchId, BranchInfo> branches;

  Status header(const TransferHead& header) override {
    head = header;
    return Done{};
  }
  Status content(Content content) override {
    if (game_) return invalid("contents stand before events");
    if (contents.size() >= StoreLimits::kContentsMax) {
      return Error{ErrorCode::kLimit, "more contents than a game may have"};
    }
    contents.push_back(std::move(content));
    return Done{};
  }
  Status branch(BranchInfo branch) override {
    if (game_) return invalid("branches stand before events");
    if (branches.size() >= kBranchesMax) {
      return Error{ErrorCode::kLimit, "more than " + std::to_string(kBranchesMax) + " branches"};
    }
    if ((branch.branch == head.mainline) != !branch.parent) {
      return invalid("parent: every branch but the mainline has one");
    }
    const BranchId id = branch.branch;
    if (!branches.emplace(id, std::move(branch)).second) {
      return invalid("branch: stands twice");
    }
    return Done{};
  }
  Status event(TransferEvent line) override {
    auto opened = open_event(line.bytes);
    if (!opened) return invalid("bytes: " + opened.error().text);
    const fb::Event& event = **opened;
    if (static_cast<std::uint16_t>(event.payload_type()) != line.type) {
      return invalid("type: the bytes hold another type of event");
    }
    if (!game_) {
      if (auto status = begin(line, event); !status) return status;
    } else if (event.payload_type() == fb::Payload::GameCreated) {
      return invalid("type: a game is created once");
    }
    auto state = state_of(line);
    if (!state) return std::move(state).error();
    return step(**state, line, event);
  }
  Status finish() override {
    if (!game_) return invalid("there is no event");
    if (tree_.size() != head.events) {
      return invalid("the file ends after " + std::to_string(tree_.size()) + " events of " +
                     std::to_string(head.events));
    }
    if (head.root && tree_.root() != *head.root) {
      return invalid("treeRoot: the events do not have the tree that line 1 states");
    }
    for (const auto& [id, branch] : branches) {
      const bool own_events = !branch.parent || branch.version > branch.forked_at;
      if (own_events && !done_.contains(id)) {
        return invalid("branch " + to_hex(id) + ": its events up to version " +
                       std::to_string(branch.version) + " are not all there");
      }
    }
    return Done{};
  }

 private:
  struct State {
    Position position;
    Version version = 0;
    Hash hash;
  };
  using Place = std::pair<BranchId, Version>;

  Status begin(const TransferEvent& line, const fb::Event& event) {
    if (line.branch != head.mainline || line.version != 1) {
      return invalid("version: the first event must be the mainline's version 1");
    }
    if (event.payload_type() != fb::Payload::GameCreated) {
      return invalid("type: the first event must be GameCreated");
    }
    if (!branches.contains(head.mainline)) return invalid("branch: the mainline's line is missing");
    auto game = open_game(event, contents);
    if (!game) return std::move(game).error();
    game_ = std::move(*game);
    states_[head.mainline] = State{Position(game_->roster()), 0, {}};
    for (const auto& [id, branch] : branches) {
      if (!branch.parent) continue;
      auto place = fork_place(branch);
      if (!place) return std::move(place).error();
      ++forks_[*place].children;
    }
    return Done{};
  }
  // Where the event that a branch was forked at is really stored: the parent or one of its own.
  Result<Place> fork_place(const BranchInfo& branch) const {
    BranchId at = *branch.parent;
    for (std::size_t depth = 0; depth <= StoreLimits::kBranchDepthMax; ++depth) {
      auto parent = branches.find(at);
      if (parent == branches.end()) break;
      if (!parent->second.parent || parent->second.forked_at < branch.forked_at) {
        return Place{at, branch.forked_at};
      }
      at = *parent->second.parent;
    }
    return invalid("branch " + to_hex(branch.branch) + ": its parent is not in the file");
  }
  Result<State*> state_of(const TransferEvent& line) {
    auto found = states_.find(line.branch);
    if (found != states_.end()) return &found->second;
    auto branch = branches.find(line.branch);
    if (branch == branches.end()) return invalid("branch: has no line of its own");
    if (done_.contains(line.branch)) return invalid("version: is beyond the branch's end");
    auto place = fork_place(branch->second);
    if (!place) return std::move(place).error();
    auto fork = forks_.find(*place);
    if (fork == forks_.end() || !fork->second.state) {
      return invalid("branch: begins before the event it was forked at");
    }
    State* state = &(states_[line.branch] = *fork->second.state);
    if (--fork->second.children == 0) forks_.erase(fork);
    return state;
  }
  Status step(State& state, const TransferEvent& line, const fb::Event& event) {
    if (line.version != state.version + 1) {
      return invalid("version: is " + std::to_string(line.version) + ", must be " +
                     std::to_string(state.version + 1));
    }
    const Fault fault = apply(state.position, event, {.check_digests = true});
    if (fault != Fault::kNone) {
      return invalid(describe(fault, state.position, event, game_->roster()));
    }
    state.hash =
        event_hash_of(hasher_, line.branch, line.version, state.hash, line.type, line.bytes);
    tree_.append(event_leaf_hash(hasher_, line.branch, line.version, state.hash));
    ++state.version;
    if (auto fork = forks_.find({line.branch, line.version}); fork != forks_.end()) {
      fork->second.state = state;
    }
    const BranchInfo& branch = branches.at(line.branch);
    if (state.version < branch.version) return Done{};
    if (state.hash != branch.event_hash) {
      return invalid("hash: the events of branch " + to_hex(line.branch) +
                     " are not those its line states");
    }
    done_.insert(line.branch);
    states_.erase(line.branch);
    return Done{};
  }

  struct Fork {
    std::size_t children = 0;
    std::optional<State> state;  // once its event was seen
  };
  std::optional<Game> game_;
  std::map<BranchId, State> states_;
  std::map<Place, Fork> forks_;
  std::set<BranchId> done_;
  Sha256 hasher_;
  merkle::Frontier tree_;
};

// Second pass: the same lines into the store, in as few commits as its limits allow.
class GameWriter : public GameSink {
 public:
  GameWriter(EventStore& store, const GameChecker& checked, const TransferProgress& progress)
      : store_(store), checked_(checked), progress_(progress) {}

  Status header(const TransferHead&) override { return Done{}; }
  Status content(Content) override { return Done{}; }
  Status branch(BranchInfo) override { return Done{}; }
  Status event(TransferEvent line) override {
    const bool full = batch_.size() >= StoreLimits::kCommitEventsMax ||
                      bytes_ + line.bytes.size() > StoreLimits::kCommitBytesMax;
    if (!batch_.empty() && (full || batch_.front().branch != line.branch)) {
      if (auto status = flush(); !status) return status;
    }
    bytes_ += line.bytes.size();
    batch_.push_back(std::move(line));
    ++seen_;
    if (progress_) progress_(seen_);
    return Done{};
  }
  Status finish() override {
    if (auto status = flush(); !status) return status;
    for (const auto& [id, branch] : checked_.branches) {
      if (auto status = fork(id); !status) return status;
    }
    for (const auto& [id, branch] : checked_.branches) {
      if (!branch.deleted) continue;
      if (auto status = store_.delete_branch(id); !status) return status;
    }
    return Done{};
  }

 private:
  // The same for the same place of the same game, so that doing it again writes nothing twice.
  static CommandId command_for(const TransferEvent& first) {
    Sha256 hasher;
    const Hash hash =
        hasher.add("wardiary-jsonl/1").add(first.branch).add_u64(first.version).finish();
    return *Id::from(hash.view().first(16));
  }
  Status fork(const BranchId& id) {
    const BranchInfo& branch = checked_.branches.at(id);
    if (!branch.parent || !forked_.insert(id).second) return Done{};
    NewBranch wanted;
    wanted.game = checked_.head.game;
    wanted.branch = id;
    wanted.parent = *branch.parent;
    wanted.at = branch.forked_at;
    wanted.name = branch.name;
    wanted.reason = branch.reason;
    if (auto status = fork(wanted.parent); !status) return status;
    auto forked = store_.fork(wanted);
    if (!forked) return std::move(forked).error();
    return Done{};
  }
  Status flush() {
    if (batch_.empty()) return Done{};
    std::vector<NewEvent> events;
    for (const TransferEvent& line : batch_) events.push_back({line.type, line.bytes});
    const TransferEvent& first = batch_.front();
    auto appended = first.branch == checked_.head.mainline && first.version == 1
                        ? create(first, events)
                        : append(first, events);
    if (!appended) return std::move(appended).error();
    if (appended->kind == Appended::Kind::kConflict) {
      return Error{ErrorCode::kConflict,
                   "the store has another game under the id " + to_hex(checked_.head.game)};
    }
    if (appended->kind == Appended::Kind::kUnknown) {
      return Error{ErrorCode::kUnknown, "it is not known whether it was written; import again"};
    }
    batch_.clear();
    bytes_ = 0;
    return Done{};
  }
  Result<Appended> create(const TransferEvent& first, const std::vector<NewEvent>& events) {
    std::vector<ByteView> contents;
    for (const Content& content : checked_.contents) contents.push_back(bytes_of(content.text));
    NewGame game;
    game.game = checked_.head.game;
    game.mainline = checked_.head.mainline;
    game.name = checked_.head.name;
    game.created_at_ms = checked_.head.created_at_ms;
    game.command = command_for(first);
    game.events = events;
    game.contents = contents;
    return store_.create_game(game);
  }
  Result<Appended> append(const TransferEvent& first, const std::vector<NewEvent>& events) {
    if (auto status = fork(first.branch); !status) return std::move(status).error();
    return store_.append({first.branch, first.version - 1, command_for(first), events});
  }

  EventStore& store_;
  const GameChecker& checked_;
  const TransferProgress& progress_;
  std::vector<TransferEvent> batch_;
  std::size_t bytes_ = 0;
  std::set<BranchId> forked_;
  std::uint64_t seen_ = 0;
};

// Whether the store holds every branch of the file as it is in the file.
bool is_there(EventStore& store, const GameChecker& checked) {
  for (const auto& [id, branch] : checked.branches) {
    auto hash = store.event_hash(id, branch.version);
    if (!hash || *hash != branch.event_hash) return false;
  }
  return true;
}

}  // namespace

Result<Imported> import_game(EventStore& store, const GameSource& source,
                             const TransferProgress& progress) {
  GameChecker checker;
  if (auto status = source(checker); !status) return std::move(status).error();
  Imported out{checker.head.game, checker.head.name, checker.head.events, checker.branches.size()};
  if (is_there(store, checker)) {
    out.already_there = true;
    return out;
  }
  GameWriter writer(store, checker, progress);
  if (auto status = source(writer); !status) return std::move(status).error();
  if (!is_there(store, checker)) {
    return corrupt("the imported game does not have the hashes its file states");
  }
  return out;
}

}  // namespace wardiary

#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "domain/apply.h"
#include "domain/json_reader.h"
#include "domain/schema/event_generated.h"
#include "eventstore/evidence.h"
#include "eventstore/merkle.h"
#include "replay/jsonl.h"

namespace wardiary {

using nlohmann::json;

namespace {

// One line at a time, however long a hostile one is. False at the end of the file.
class LineReader {
 public:
  explicit LineReader(const std::filesystem::path& file) : in_(file, std::ios::binary) {}
  bool opened() const { return in_.is_open(); }
  std::uint64_t number() const { return number_; }

  Result<bool> next(std::string& line) {
    line.clear();
    std::streambuf& buffer = *in_.rdbuf();
    int c = buffer.sbumpc();
    if (c == std::char_traits<char>::eof()) return false;
    ++number_;
    for (; c != std::char_traits<char>::eof() && c != '\n'; c = buffer.sbumpc()) {
      line += static_cast<char>(c);
      if (line.size() > JsonlLimits::kLineBytesMax) {
        return Error{ErrorCode::kLimit,
                     "longer than " + std::to_string(JsonlLimits::kLineBytesMax) + " bytes"};
      }
    }
    return true;
  }

 private:
  std::ifstream in_;
  std::uint64_t number_ = 0;
};

struct Header {
  GameId game;
  BranchId mainline;
  std::string name;
  std::uint64_t created_at_ms = 0;
  std::uint64_t events = 0;
  std::optional<Hash> root;
};

struct EventLine {
  BranchId branch;
  Version version = 0;
  std::uint16_t type = 0;
  Bytes bytes;
};

template <std::size_t N>
FixedBytes<N> hex_field(JsonReader& in, std::string_view field) {
  auto bytes = fixed_from_hex<N>(in.text(field));
  if (!bytes) in.complain(field, "must be " + std::to_string(2 * N) + " hexadecimal digits");
  return bytes ? *bytes : FixedBytes<N>{};
}

// What is done with the lines of a file, twice: first checking, then writing.
class LineSink {
 public:
  virtual ~LineSink() = default;
  virtual Status header(const Header& header) = 0;
  virtual Status content(Content content) = 0;
  virtual Status branch(BranchInfo branch) = 0;
  virtual Status event(EventLine event) = 0;
  virtual Status finish() = 0;
};

class FileReader {
 public:
  explicit FileReader(LineSink& sink) : sink_(sink) {}

  Status read(const std::filesystem::path& file) {
    LineReader lines(file);
    if (!lines.opened()) return not_found(file.string() + ": cannot be opened");
    auto at = [&](Error error) {
      return std::move(error).within(file.string() + ", line " + std::to_string(lines.number()));
    };
    std::string text;
    while (true) {
      auto more = lines.next(text);
      if (!more) return at(std::move(more).error());
      if (!*more) break;
      if (auto status = line(text, lines.number()); !status) return at(std::move(status).error());
    }
    if (lines.number() == 0) return invalid(file.string() + ": is empty");
    if (auto status = sink_.finish(); !status) return at(std::move(status).error());
    return Done{};
  }

 private:
  Status line(const std::string& text, std::uint64_t number) {
    auto document = parse_json(text);
    if (!document) return std::move(document).error();
    JsonReader in(*document, "");
    Status status = Done{};
    if (number == 1) {
      status = header(in);
    } else if (in.has("bytes")) {
      status = event(in);
    } else if (in.has("content")) {
      Content content{in.text("content"), in.text("name"), ""};
      // Not text(): a board may hold any character that JSON can.
      const json* body = in.get("text");
      if (!body || !body->is_string()) return invalid("text: must be a text");
      content.text = body->get<std::string>();
      if (in.ok()) status = sink_.content(std::move(content));
    } else if (in.has("branch")) {
      status = branch(in);
    } else {
      in.complain("", "is no content, branch or event (\"bytes\" is missing)");
    }
    if (!in.ok()) return std::move(in).error();
    return status;
  }

  Status header(JsonReader& in) {
    if (in.text("format") != "wardiary-jsonl/1") {
      in.complain("format", "must be \"wardiary-jsonl/1\"");
    }
    Header out;
    out.game = hex_field<16>(in, "game");
    out.mainline = mainline_ = hex_field<16>(in, "mainline");
    out.name = in.text("name");
    out.created_at_ms = static_cast<std::uint64_t>(in.number("createdAt", 0, INT64_MAX));
    out.events = static_cast<std::uint64_t>(in.number("events", 1, INT64_MAX));
    if (in.has("treeRoot")) out.root = hex_field<32>(in, "treeRoot");
    return in.ok() ? sink_.header(out) : Done{};
  }
  Status branch(JsonReader& in) {
    BranchInfo out;
    out.branch = hex_field<16>(in, "branch");
    if (in.has("parent")) {
      out.parent = hex_field<16>(in, "parent");
      out.forked_at = static_cast<Version>(in.number("at", 1, INT64_MAX));
    }
    out.version = static_cast<Version>(in.number("version", 1, INT64_MAX));
    out.event_hash = hex_field<32>(in, "hash");
    out.name = in.text_or("name", "");
    out.reason = in.text_or("reason", "");
    out.deleted = in.flag_or("deleted", false);
    return in.ok() ? sink_.branch(std::move(out)) : Done{};
  }
  Status event(JsonReader& in) {
    EventLine out;
    out.branch = in.has("branch") ? hex_field<16>(in, "branch") : mainline_;
    out.version = static_cast<Version>(in.number("version", 1, INT64_MAX));
    const std::string type = in.text("type");
    out.type = event_type_number(type);
    if (out.type == 0) in.complain("type", "no event \"" + type + "\"");
    auto bytes = from_base64(in.text("bytes"));
    if (!bytes) in.complain("bytes", "must be base64");
    if (!in.ok()) return Done{};
    out.bytes = std::move(*bytes);
    return sink_.event(std::move(out));
  }

  LineSink& sink_;
  BranchId mainline_;
};

// First pass: everything must fit together.
class Checker : public LineSink {
 public:
  Header head;
  std::vector<Content> contents;
  std::map<BranchId, BranchInfo> branches;

  Status header(const Header& header) override {
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
    if (branches.size() >= JsonlLimits::kBranchesMax) {
      return Error{ErrorCode::kLimit,
                   "more than " + std::to_string(JsonlLimits::kBranchesMax) + " branches"};
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
  Status event(EventLine line) override {
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

  Status begin(const EventLine& line, const fb::Event& event) {
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
  Result<State*> state_of(const EventLine& line) {
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
  Status step(State& state, const EventLine& line, const fb::Event& event) {
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
class Writer : public LineSink {
 public:
  Writer(EventStore& store, const Checker& checked, const TransferProgress& progress)
      : store_(store), checked_(checked), progress_(progress) {}

  Status header(const Header&) override { return Done{}; }
  Status content(Content) override { return Done{}; }
  Status branch(BranchInfo) override { return Done{}; }
  Status event(EventLine line) override {
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
  static CommandId command_for(const EventLine& first) {
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
    for (const EventLine& line : batch_) events.push_back({line.type, line.bytes});
    const EventLine& first = batch_.front();
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
  Result<Appended> create(const EventLine& first, const std::vector<NewEvent>& events) {
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
  Result<Appended> append(const EventLine& first, const std::vector<NewEvent>& events) {
    if (auto status = fork(first.branch); !status) return std::move(status).error();
    return store_.append({first.branch, first.version - 1, command_for(first), events});
  }

  EventStore& store_;
  const Checker& checked_;
  const TransferProgress& progress_;
  std::vector<EventLine> batch_;
  std::size_t bytes_ = 0;
  std::set<BranchId> forked_;
  std::uint64_t seen_ = 0;
};

// Whether the store holds every branch of the file as it is in the file.
bool is_there(EventStore& store, const Checker& checked) {
  for (const auto& [id, branch] : checked.branches) {
    auto hash = store.event_hash(id, branch.version);
    if (!hash || *hash != branch.event_hash) return false;
  }
  return true;
}

}  // namespace

Result<Imported> import_jsonl(EventStore& store, const std::filesystem::path& file,
                              const TransferProgress& progress) {
  Checker checker;
  if (auto status = FileReader(checker).read(file); !status) return std::move(status).error();
  Imported out{checker.head.game, checker.head.name, checker.head.events, checker.branches.size()};
  if (is_there(store, checker)) {
    out.already_there = true;
    return out;
  }
  Writer writer(store, checker, progress);
  if (auto status = FileReader(writer).read(file); !status) return std::move(status).error();
  if (!is_there(store, checker)) {
    return corrupt("the imported game does not have the hashes its file states");
  }
  return out;
}

}  // namespace wardiary

#include <ostream>

#include "domain/json_writer.h"
#include "eventstore/evidence.h"
#include "projections/view.h"
#include "replay/jsonl.h"

namespace wardiary {
namespace {

class LineWriter {
 public:
  explicit LineWriter(std::ostream& out) : out_(out) {}

  void header(const GameInfo& info, const std::optional<Hash>& root) {
    JsonWriter line = begin();
    line.begin_object().member("format", "wardiary-jsonl/1");
    line.member("game", to_hex(info.game)).member("mainline", to_hex(info.mainline));
    line.member("name", info.name);
    line.member("createdAt", static_cast<std::int64_t>(info.created_at_ms));
    line.member("events", static_cast<std::int64_t>(info.tree_size));
    if (root) line.member("treeRoot", to_hex(*root));
    line.end_object();
    end();
  }
  void content(const ContentRef& ref, std::string_view text) {
    JsonWriter line = begin();
    line.begin_object().member("content", ref.role).member("name", ref.name);
    line.member("sha256", to_hex(ref.sha256)).member("text", text).end_object();
    end();
  }
  void branch(const BranchInfo& info) {
    JsonWriter line = begin();
    line.begin_object().member("branch", to_hex(info.branch));
    if (info.parent) {
      line.member("parent", to_hex(*info.parent));
      line.member("at", static_cast<std::int64_t>(info.forked_at));
    }
    line.member("version", static_cast<std::int64_t>(info.version));
    line.member("hash", to_hex(info.event_hash)).member("name", info.name);
    line.member("reason", info.reason);
    if (info.deleted) line.key("deleted").flag(true);
    line.end_object();
    end();
  }
  // `view` must be the referee's; the positions around the event are then not looked at.
  Status event(const View& view, const Position& any, Version version, ByteView bytes,
               const BranchId* branch) {
    auto event = open_event(bytes);
    if (!event) return std::move(event).error();
    JsonWriter line = begin();
    view.write_event(line, **event, version, any, any);
    text_.pop_back();  // the closing brace: two members more
    if (branch) text_ += ",\"branch\":\"" + to_hex(*branch) + "\"";
    text_ += ",\"bytes\":\"" + to_base64(bytes) + "\"}";
    end();
    return Done{};
  }
  Status done() {
    out_.flush();
    if (!out_) return Error{ErrorCode::kIo, "the file cannot be written"};
    return Done{};
  }

 private:
  JsonWriter begin() {
    text_.clear();
    return JsonWriter(text_);
  }
  void end() {
    text_ += '\n';
    out_.write(text_.data(), static_cast<std::streamsize>(text_.size()));
  }
  std::ostream& out_;
  std::string text_;
};

Status write_branches(EventStore& store, const GameId& game, LineWriter& lines) {
  std::optional<std::string> after;
  do {
    auto page = store.branches(game, after, 1'000);
    if (!page) return std::move(page).error();
    for (const BranchInfo& branch : page->items) lines.branch(branch);
    after = page->next;
  } while (after);
  return Done{};
}

}  // namespace

Status export_jsonl(EventStore& store, Library& library, const GameId& id, std::ostream& out,
                    const TransferProgress& progress) {
  auto info = store.game(id);
  if (!info) return std::move(info).error();
  auto game = library.game(id);
  if (!game) return std::move(game).error();
  auto root = store.tree_root(id, info->tree_size);
  if (!root) return std::move(root).error();
  LineWriter lines(out);
  lines.header(*info, *root);
  for (const ContentRef& ref : (*game)->game.created.contents) {
    auto bytes = store.content(ref.sha256);
    if (!bytes) return std::move(bytes).error();
    lines.content(ref, text_of(*bytes));
  }
  if (auto status = write_branches(store, id, lines); !status) return status;

  const View view((*game)->game, Viewer::referee());
  const Position any((*game)->roster());
  for (std::uint64_t leaf = 0; leaf < info->tree_size;) {
    auto range = store.leaf_range(id, leaf);
    if (!range) return std::move(range).error();
    // Events that came after we began are left for the next export.
    const std::uint64_t count =
        std::min(range->first_leaf + range->count, info->tree_size) - range->first_leaf;
    const bool what_if = range->branch != info->mainline;
    Status problem = Done{};
    auto read = store.read(range->branch, range->first, range->first + count - 1,
                           [&](const StoredEvent& stored) {
                             problem = lines.event(view, any, stored.version, stored.payload,
                                                   what_if ? &range->branch : nullptr);
                             ++leaf;
                             if (progress) progress(leaf);
                             return problem.ok();
                           });
    if (!read) return read;
    if (!problem) return problem;
    leaf = range->first_leaf + count;
  }
  return lines.done();
}

Status write_bot_game(std::ostream& out, const BotGame& game, const std::string& name) {
  GameInfo info;
  info.game = *Id::from(sha256(bytes_of(name)).view().first(16));
  info.mainline = *Id::from(sha256(bytes_of(name)).view().last(16));
  info.name = name;
  info.created_at_ms = 1;
  BranchInfo line;
  line.game = info.game;
  line.branch = info.mainline;
  Sha256 hasher;
  for (const EventList& commit : game.commits) {
    for (std::size_t i = 0; i < commit.size(); ++i) {
      line.event_hash = event_hash_of(hasher, line.branch, ++line.version, line.event_hash,
                                      commit.type(i), commit[i]);
    }
  }
  info.tree_size = line.version;
  LineWriter lines(out);
  lines.header(info, std::nullopt);
  for (const ContentRef& ref : game.game.created.contents) {
    for (const Content& content : game.contents) {
      if (content.role == ref.role && content.name == ref.name) lines.content(ref, content.text);
    }
  }
  lines.branch(line);
  const View view(game.game, Viewer::referee());
  Version version = 0;
  for (const EventList& commit : game.commits) {
    for (std::size_t i = 0; i < commit.size(); ++i) {
      auto status = lines.event(view, game.position, ++version, commit[i], nullptr);
      if (!status) return status;
    }
  }
  return lines.done();
}

}  // namespace wardiary

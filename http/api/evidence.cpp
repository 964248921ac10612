// Evidence that others can check: signed checkpoints, proofs, receipts, and a whole game as a file.
// Checkpoints and proofs show hashes only; a file shows everything, so it is given to who may see
// everything.
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "eventstore/receipts.h"
#include "http/api/service.h"
#include "replay/bundle.h"
#include "replay/jsonl.h"

namespace wardiary::http {

using nlohmann::json;

namespace {

constexpr std::size_t kImportBytesMax = 64u << 20;
// What is kept in memory while it is sent; larger games are exported by the command.
constexpr std::uint64_t kExportEventsMax = 200'000;

constexpr std::string_view kPlainText = "text/plain; charset=utf-8";

Answer get_checkpoint(const GameScene& scene) {
  auto checkpoint = scene.service.store.checkpoint(scene.game->id);
  if (!checkpoint) return std::move(checkpoint).error();
  return text_response(200, std::move(*checkpoint), kPlainText);
}

Answer get_log_key(const GameScene& scene) {
  auto key = scene.service.store.log_key(scene.game->id);
  if (!key) return std::move(key).error();
  return text_response(200, *key + "\n", kPlainText);
}

json hashes_json(const std::vector<Hash>& hashes) {
  json out = json::array();
  for (const Hash& hash : hashes) out.push_back(to_base64(hash));
  return out;
}

// That one event is under the tree of a size (RFC 6962). Who does not see everything gets receipts
// instead: a leaf's hash beside its neighbours' could be used to guess at what they hold.
Answer get_inclusion(const GameScene& scene) {
  if (!scene.sees_everything())
    return is_hidden("proofs of single events are open when the game is over");
  auto branch = scene.request.query.get_id("branch");
  if (!branch) return std::move(branch).error();
  auto version = required_uint(scene.request, "version");
  if (!version) return std::move(version).error();
  auto line = branch_of(scene, branch->value_or(scene.game->mainline));
  if (!line) return std::move(line).error();
  if (*version == 0 || *version > line->version) return not_found("there is no such event");
  EventStore& store = scene.service.store;
  auto now = store.tree_size(scene.game->id);
  if (!now) return std::move(now).error();
  auto size = scene.request.query.get_uint("size", *now);
  if (!size) return std::move(size).error();
  const std::uint64_t of = size->value_or(*now);
  auto leaf = store.leaf_of(line->branch, *version);
  if (!leaf) return std::move(leaf).error();
  if (*leaf >= of) return invalid("size: the event came after a tree of this size");
  auto root = store.tree_root(scene.game->id, of);
  if (!root) return std::move(root).error();
  auto path = store.inclusion_proof(scene.game->id, *leaf, of);
  if (!path) return std::move(path).error();
  auto data = leaf_data_of(store, line->branch, *version);
  if (!data) return std::move(data).error();
  return json_response(200, {{"leaf", *leaf},
                             {"size", of},
                             {"root", to_base64(*root)},
                             {"leafData", to_base64(*data)},
                             {"path", hashes_json(*path)}});
}

// That a tree only grew between two sizes.
Answer get_consistency(const GameScene& scene) {
  auto from = required_uint(scene.request, "from");
  if (!from) return std::move(from).error();
  auto to = required_uint(scene.request, "to");
  if (!to) return std::move(to).error();
  EventStore& store = scene.service.store;
  auto now = store.tree_size(scene.game->id);
  if (!now) return std::move(now).error();
  if (*to > *now) return invalid("to: the tree has only " + std::to_string(*now) + " leaves");
  if (*from == 0 || *from > *to) return invalid("from: must be from 1 to the other size");
  auto path = store.consistency_proof(scene.game->id, *from, *to);
  if (!path) return std::move(path).error();
  auto old_root = store.tree_root(scene.game->id, *from);
  if (!old_root) return std::move(old_root).error();
  auto new_root = store.tree_root(scene.game->id, *to);
  if (!new_root) return std::move(new_root).error();
  return json_response(200, {{"from", *from},
                             {"to", *to},
                             {"fromRoot", to_base64(*old_root)},
                             {"toRoot", to_base64(*new_root)},
                             {"path", hashes_json(*path)}});
}

// Something to hold on to: that this event is in the log, signed.
Answer get_receipt(const Scene& scene) {
  const Version version = scene.request.path_uint("version");
  if (version == 0 || version > scene.branch.version) return not_found("there is no such event");
  if (!scene.sees_everything() && scene.viewer.kind != Viewer::Kind::kSide) {
    return denied("receipts are for the players while the game runs");
  }
  auto receipt = make_receipt(scene.service.store, scene.branch.branch, version);
  if (!receipt) return std::move(receipt).error();
  Response answer = text_response(200, receipt->text(), kPlainText);
  answer.headers.set("Content-Disposition", "attachment; filename=\"" +
                                                to_hex(scene.game->id).substr(0, 8) + "-" +
                                                std::to_string(version) + ".tlog-proof\"");
  return answer;
}

// --- a whole game as a file

using Export = Status (*)(EventStore&, Library&, const GameId&, std::ostream&,
                          const TransferProgress&);

Answer export_as(const GameScene& scene, Export write, std::string_view type,
                 std::string_view ending) {
  if (!scene.sees_everything()) return is_hidden("a game's file is open when the game is over");
  auto size = scene.service.store.tree_size(scene.game->id);
  if (!size) return std::move(size).error();
  if (*size > kExportEventsMax) {
    return Error{ErrorCode::kLimit, "a game of more than " + std::to_string(kExportEventsMax) +
                                        " events is exported by the command wardiary export"};
  }
  std::ostringstream out;
  auto written = write(scene.service.store, scene.service.library, scene.game->id, out, {});
  if (!written) return std::move(written).error();
  Response answer = text_response(200, std::move(out).str(), type);
  answer.headers.set(
      "Content-Disposition",
      "attachment; filename=\"" + to_hex(scene.game->id).substr(0, 8) + std::string(ending) + "\"");
  return answer;
}
Answer get_bundle(const GameScene& scene) {
  return export_as(scene, export_bundle, "application/vnd.wardiary.bundle", ".wardiary");
}
Answer get_export(const GameScene& scene) {
  return export_as(scene, export_jsonl, "application/jsonl", ".jsonl");
}

// A file of its own for what was sent, gone when this is.
class Upload {
 public:
  explicit Upload(std::string_view bytes) {
    path_ = std::filesystem::temp_directory_path() / ("wardiary-import-" + to_hex(random_id()));
    std::ofstream out(path_, std::ios::binary);
    std::filesystem::permissions(
        path_, std::filesystem::perms::owner_read | std::filesystem::perms::owner_write, error_);
    out.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    out.close();
    written_ = out.good();
  }
  ~Upload() { std::filesystem::remove(path_, error_); }
  Upload(const Upload&) = delete;
  Upload& operator=(const Upload&) = delete;

  bool written() const { return written_; }
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
  std::error_code error_;
  bool written_ = false;
};

// A bundle or JSON lines. Whoever brings a game in holds all of it, and becomes its referee.
Answer post_import(const Asker& asker) {
  Service& service = asker.service;
  if (!service.options.anyone_may_create && asker.grant.role != Grant::Role::kAdmin) {
    return denied("only the administrator may import games here");
  }
  if (asker.request.body.empty()) return invalid("the body must be a game's file");
  const Upload upload(asker.request.body);
  if (!upload.written()) return Error{ErrorCode::kFull, "the upload cannot be kept"};
  auto imported = is_bundle(upload.path()) ? import_bundle(service.store, upload.path())
                                           : import_jsonl(service.store, upload.path());
  if (!imported) return std::move(imported).error();
  json out = {{"id", to_hex(imported->game)},
              {"name", imported->name},
              {"events", imported->events},
              {"branches", imported->branches},
              {"wasThere", imported->already_there}};
  if (imported->already_there) return json_response(200, out);
  auto token = service.access.issue({Grant::Role::kReferee, imported->game, "", {}}, "", now_ms());
  if (!token) return std::move(token).error();
  out["tokens"] = {{"referee", token->secret}};
  Response answer = json_response(201, out);
  answer.headers.set("Location", "/games/" + to_hex(imported->game));
  return answer;
}

}  // namespace

void add_evidence_routes(Routes& routes) {
  routes.add(Method::kGet, "/checkpoint", get_checkpoint);
  routes.add(Method::kGet, "/logkey", get_log_key);
  routes.add(Method::kGet, "/proof/inclusion", get_inclusion, {{"branch", "version", "size"}});
  routes.add(Method::kGet, "/proof/consistency", get_consistency, {{"from", "to"}});
  routes.add(Method::kGet, "/events/{version:uint}/receipt", get_receipt);
  routes.add(Method::kGet, "/bundle", get_bundle);
  routes.add(Method::kGet, "/export", get_export);
  routes.add(Method::kPost, "/imports", post_import, {{}, kImportBytesMax});
}

}  // namespace wardiary::http

// Notes and bookmarks: what people write beside a game (replay/notes.h).
#include <nlohmann/json.hpp>

#include "domain/json_reader.h"
#include "http/api/service.h"
#include "replay/notes.h"

namespace wardiary::http {

using nlohmann::json;

namespace {

constexpr std::size_t kNotesMax = 1'000;

NoteReader reader_of(const GameScene& scene) {
  const bool of_game = scene.grant.game == scene.game->id || scene.is_referee();
  return {of_game ? author_of(scene.grant) : "spectator", scene.is_referee()};
}

// Only who was let in may write; a spectator's token is enough.
bool may_write(const GameScene& scene) {
  return scene.is_referee() || scene.grant.game == scene.game->id;
}

json shown(const Note& note, const GameScene& scene) {
  return {{"number", note.number},
          {"kind", name_of(note.kind)},
          {"branch", to_hex(note.branch)},
          {"version", note.version},
          {"text", note.text},
          {"author", note.author},
          {"seen", name_of(note.seen)},
          {"at", note.at_ms},
          {"mine", may_write(scene) && note.author == reader_of(scene).author}};
}

Answer get_notes(const GameScene& scene) {
  auto after = version_after(scene.request);
  if (!after) return std::move(after).error();
  auto limit = limit_of(scene.request, kNotesMax, kNotesMax);
  if (!limit) return std::move(limit).error();
  std::optional<Note::Kind> kind;
  if (auto word = scene.request.query.get("kind")) {
    kind = note_kind(*word);
    if (!kind) return invalid("kind: must be note or bookmark");
  }
  auto branch = scene.request.query.get_id("branch");
  if (!branch) return std::move(branch).error();
  auto all = Notes(scene.service.store).list(scene.game->id, reader_of(scene), *branch);
  if (!all) return std::move(all).error();
  json notes = json::array();
  json next;
  for (const Note& note : *all) {
    if (note.number <= *after || (kind && note.kind != *kind)) continue;
    if (notes.size() == *limit) {
      next = notes.back()["number"];
      break;
    }
    notes.push_back(shown(note, scene));
  }
  return json_response(200, {{"notes", std::move(notes)}, {"next", std::move(next)}});
}

Answer post_note(const GameScene& scene) {
  if (!may_write(scene)) return denied("notes are written by who has a token of this game");
  auto body = read_body(scene.request);
  if (!body) return std::move(body).error();
  JsonReader in(*body, "");
  in.only({"kind", "branch", "version", "text", "seen"});
  Note note;
  const auto kind = note_kind(in.text_or("kind", "note"));
  if (!kind || *kind == Note::Kind::kBranchDeleted) in.complain("kind", "must be note or bookmark");
  const auto seen = note_seen(in.text_or("seen", "everyone"));
  if (!seen) in.complain("seen", "must be everyone, seat or referee");
  const auto branch = in.has("branch") ? fixed_from_hex<16>(in.text("branch"))
                                       : std::optional(scene.game->mainline);
  if (!branch) in.complain("branch", "must be a branch id");
  note.text = in.text_or("text", "");
  note.version = static_cast<Version>(in.number_or("version", 0, 0, INT64_MAX));
  if (!in.ok()) return std::move(in).error();
  auto line = branch_of(scene, *branch);
  if (!line) return std::move(line).error();
  note.kind = *kind;
  note.seen = *seen;
  note.branch = *branch;
  if (note.version == 0) note.version = line->version;
  note.author = author_of(scene.grant);
  note.at_ms = now_ms();
  auto added = Notes(scene.service.store).add(scene.game->id, std::move(note));
  if (!added) return std::move(added).error();
  return json_response(201, shown(*added, scene));
}

Answer delete_note(const GameScene& scene) {
  if (!may_write(scene)) return denied("this note is not yours");
  auto removed = Notes(scene.service.store)
                     .remove(scene.game->id, scene.request.path_uint("note"), reader_of(scene));
  if (!removed) return std::move(removed).error();
  return empty_response(204);
}

}  // namespace

void add_note_routes(Routes& routes) {
  routes.add(Method::kGet, "/notes", get_notes, {{"after", "limit", "kind", "branch"}});
  routes.add(Method::kPost, "/notes", post_note);
  routes.add(Method::kDelete, "/notes/{note:uint}", delete_note);
}

}  // namespace wardiary::http

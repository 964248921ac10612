#include "replay/notes.h"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <set>

#include "domain/json_reader.h"

namespace wardiary {

using nlohmann::json;

namespace {

constexpr std::array<std::string_view, 3> kKinds = {"note", "bookmark", "branch_deleted"};
constexpr std::array<std::string_view, 3> kSeen = {"everyone", "seat", "referee"};

template <class Enum, std::size_t N>
std::optional<Enum> from_name(const std::array<std::string_view, N>& names, std::string_view name) {
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end()) return std::nullopt;
  return static_cast<Enum>(found - names.begin());
}

bool may_see(const Note& note, const NoteReader& reader) {
  switch (note.seen) {
    case Note::Seen::kEveryone:
      return true;
    case Note::Seen::kSeat:
      return note.author == reader.author;
    case Note::Seen::kReferee:
      return reader.referee || note.author == reader.author;
  }
  return false;
}

// What add() wrote; nothing for bytes that are none of ours.
std::optional<Note> read_note(const json& stored) {
  JsonReader in(stored, "");
  Note note;
  const auto kind = note_kind(in.text("kind"));
  const auto seen = note_seen(in.text("seen"));
  const auto branch = fixed_from_hex<16>(in.text("branch"));
  note.version = static_cast<Version>(in.number("version", 0, INT64_MAX));
  note.at_ms = static_cast<std::uint64_t>(in.number("at", 0, INT64_MAX));
  note.author = in.text_or("author", "");
  note.text = in.text_or("text", "");
  if (!in.ok() || !kind || !seen || !branch) return std::nullopt;
  note.kind = *kind;
  note.seen = *seen;
  note.branch = *branch;
  return note;
}

}  // namespace

std::string_view name_of(Note::Kind kind) {
  return kKinds[static_cast<std::size_t>(kind)];
}
std::string_view name_of(Note::Seen seen) {
  return kSeen[static_cast<std::size_t>(seen)];
}
std::optional<Note::Kind> note_kind(std::string_view name) {
  return from_name<Note::Kind>(kKinds, name);
}
std::optional<Note::Seen> note_seen(std::string_view name) {
  return from_name<Note::Seen>(kSeen, name);
}

json note_json(const Note& note) {
  return {{"number", note.number},         {"kind", name_of(note.kind)},
          {"branch", to_hex(note.branch)}, {"version", note.version},
          {"author", note.author},         {"text", note.text},
          {"seen", name_of(note.seen)},    {"at", note.at_ms}};
}

Result<Notes::All> Notes::read(const GameId& game) {
  All all;
  std::set<std::uint64_t> removed;
  auto status = store_.read_notes(game, 0, [&](std::uint64_t number, ByteView bytes) {
    ++all.count;
    auto stored = parse_json(text_of(bytes));
    if (!stored || !stored->is_object()) return true;  // not written by us: not for us to show
    if (stored->contains("removes")) {
      const json& which = (*stored)["removes"];
      if (which.is_number_unsigned()) removed.insert(which.get<std::uint64_t>());
      return true;
    }
    if (auto note = read_note(*stored)) {
      note->number = number;
      all.notes.push_back(std::move(*note));
    }
    return true;
  });
  if (!status) return std::move(status).error();
  std::erase_if(all.notes, [&](const Note& note) { return removed.contains(note.number); });
  return all;
}

Result<Note> Notes::add(const GameId& game, Note note) {
  auto branch = store_.branch(note.branch);
  if (!branch) return std::move(branch).error();
  if (branch->game != game) return not_found("the game has no such branch");
  if (note.version < 1 || note.version > branch->version) {
    return not_found("the branch has events 1 to " + std::to_string(branch->version));
  }
  if (note.text.empty() && note.kind == Note::Kind::kNote) return invalid("text: is empty");
  if (note.text.size() > kTextBytesMax) {
    return Error{ErrorCode::kLimit,
                 "text: longer than " + std::to_string(kTextBytesMax) + " bytes"};
  }
  auto all = read(game);
  if (!all) return std::move(all).error();
  if (all->count >= kNotesPerGameMax) {
    return Error{ErrorCode::kLimit,
                 "a game has at most " + std::to_string(kNotesPerGameMax) + " notes"};
  }
  json stored = note_json(note);
  stored.erase("number");
  std::string text;
  try {
    text = stored.dump();
  } catch (const json::exception&) {  // thrown for what is no UTF-8
    return invalid("text: is not valid UTF-8");
  }
  auto number = store_.add_note(game, bytes_of(text));
  if (!number) return std::move(number).error();
  note.number = *number;
  return note;
}

Status Notes::remove(const GameId& game, std::uint64_t number, const NoteReader& by) {
  auto all = read(game);
  if (!all) return std::move(all).error();
  const auto found = std::find_if(all->notes.begin(), all->notes.end(),
                                  [&](const Note& note) { return note.number == number; });
  if (found == all->notes.end() || !may_see(*found, by)) {
    return number >= 1 && number <= all->count && found == all->notes.end()
               ? Status(Done{})
               : Status(not_found("there is no note " + std::to_string(number)));
  }
  if (found->kind == Note::Kind::kBranchDeleted || (!by.referee && found->author != by.author)) {
    return Error{ErrorCode::kDenied, "only its author or the referee may remove a note"};
  }
  const std::string text = json{{"removes", number}, {"author", by.author}}.dump(
      -1, ' ', false, json::error_handler_t::replace);
  auto written = store_.add_note(game, bytes_of(text));
  if (!written) return std::move(written).error();
  return Done{};
}

Result<std::vector<Note>> Notes::list(const GameId& game, const NoteReader& reader,
                                      const std::optional<BranchId>& branch) {
  auto all = read(game);
  if (!all) return std::move(all).error();
  std::vector<Note> out;
  for (Note& note : all->notes) {
    if (branch && note.branch != *branch) continue;
    if (may_see(note, reader)) out.push_back(std::move(note));
  }
  return out;
}

}  // namespace wardiary

// The referee and the other lines of a game: what-ifs and studies.
#include <nlohmann/json.hpp>

#include "domain/base/sha256.h"
#include "domain/dice_events.h"
#include "domain/event_json.h"
#include "domain/json_writer.h"
#include "domain/position_json.h"
#include "projections/view.h"
#include "replay/notes.h"
#include "replay/referee_parts.h"

namespace wardiary {

using nlohmann::json;

Result<BranchInfo> Referee::fork(const ForkRequest& request) {
  auto game = library_.game(request.game);
  if (!game) return std::move(game).error();
  if (request.viewer.kind != Viewer::Kind::kReferee) {
    auto now = time_.head((*game)->mainline);
    if (!now) return std::move(now).error();
    if (!now->position.over) {
      return Error{ErrorCode::kDenied,
                   "while a game runs, only its referee may branch from it with "
                   "everything open; a study holds what you may see"};
    }
  }
  NewBranch branch;
  branch.game = request.game;
  // The id follows from the command, so that a retry finds the branch it made.
  branch.command = or_random(request.command);
  Bytes seed(branch.command.data.begin(), branch.command.data.end());
  put(seed, request.game);
  branch.branch = *Id::from(sha256(seed).view().first(16));
  branch.parent = request.parent;
  branch.at = request.at;
  branch.name = request.name;
  branch.reason = request.reason;
  auto epoch = custodial_epoch(dice_.master(), branch.branch, (*game)->roster().sides.size(),
                               rules_hash((*game)->game.created), Grade::kBranch);
  if (!epoch) return std::move(epoch).error();
  EventList events;
  EventWriter writer;
  writer.meta.recorded_at_ms = now_();
  writer.meta.author = request.author;
  writer.branch_forked(events, request.parent, request.at, request.name, request.reason,
                       request.policy);
  DiceEventWriter().epoch_opened(events, *epoch);
  // The branch and the events that say what it is are one write: no crash leaves one without the
  // other.
  const std::vector<NewEvent> list = to_store(events);
  branch.events = list;
  return store_.fork(branch);
}

Status Referee::delete_branch(const BranchId& branch, const std::string& author,
                              const std::string& reason) {
  if (auto status = check_text(reason); !status) return status;
  auto info = store_.branch(branch);
  if (!info) return std::move(info).error();
  if (!info->parent) return Error{ErrorCode::kDenied, "the game itself cannot be put away"};
  if (info->deleted) return Done{};
  if (auto status = store_.delete_branch(branch); !status) return status;
  Note note;
  note.kind = Note::Kind::kBranchDeleted;
  note.branch = branch;
  note.version = info->version;
  note.author = author;
  note.text = reason;
  note.at_ms = now_();
  auto noted = Notes(store_).add(info->game, note);
  if (!noted) return std::move(noted).error();
  return Done{};
}

namespace {

// Everything that the game was made of, to make it once more.
Result<GameRequest> same_again(EventStore& store, const Game& game) {
  GameRequest out;
  out.system = game.created.system;
  out.spec.scenario = game.created.scenario;
  out.spec.scenario_text = game.scenario_text;
  for (const GameOption& option : game.created.options) {
    out.spec.options[option.name] = option.value;
  }
  for (const ContentRef& content : game.created.contents) {
    if (content.role != "board" || content.name != "given") continue;
    auto text = store.content(content.sha256);
    if (!text) return std::move(text).error();
    out.spec.board_text = text_of(*text);
  }
  return out;
}

}  // namespace

Result<Study> Referee::study(const StudyRequest& request) {
  auto open = library_.game_of(request.branch);
  if (!open) return std::move(open).error();
  const Game& game = (*open)->game;
  if (!game.system) return invalid(game.no_rules);
  auto position = time_.at(request.branch, request.at);
  if (!position) return std::move(position).error();
  // Only what goes through the view gets into the study.
  std::string text;
  JsonWriter out(text);
  View(game, request.viewer).write_position(out, *position);
  json seen = json::parse(text);
  Study study;
  json known = json::array();
  for (json& unit : seen["units"]) {
    if (unit["id"].get_ref<const std::string&>().starts_with('?')) {
      ++study.unknown_blocks;
    } else {
      known.push_back(std::move(unit));
    }
  }
  seen["units"] = std::move(known);

  auto again = same_again(store_, game);
  if (!again) return std::move(again).error();
  again->name = request.name.empty() ? (*open)->name + " (study)" : request.name;
  again->author = request.author;
  auto made = create(*again);
  if (!made) return std::move(made).error();
  study.game = *made;
  OrderRequest first;
  first.branch = (*made)->mainline;
  first.author = request.author;
  auto begun = draft(first, [&](Draft& draft, const OpenGame& into, const BranchInfo&) -> Status {
    draft_ruling(draft, request.author,
                 {"", "begins as event " + std::to_string(request.at) + " of game " +
                          to_hex((*open)->id) + " looks to this player"});
    if (auto status = draft_position(draft, seen); !status) return status;
    into.game.system->complete_position(draft, seen);
    return Done{};
  });
  if (!begun) return std::move(begun).error();
  return study;
}

}  // namespace wardiary

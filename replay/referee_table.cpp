// The referee at the table: what is recorded, ruled, proposed and taken back.
#include <algorithm>
#include <istream>
#include <nlohmann/json.hpp>

#include "domain/event_json.h"
#include "replay/referee_parts.h"

namespace wardiary {

using nlohmann::json;

void draft_ruling(Draft& draft, const std::string& by, const RulingText& ruling) {
  draft.write([&](EventWriter& w, EventList& out) { w.ruling(out, by, ruling.rule, ruling.text); });
}

Status check_text(std::string_view text) {
  if (text.size() <= StoreLimits::kReasonBytesMax) return Done{};
  return Error{ErrorCode::kLimit,
               "text: longer than " + std::to_string(StoreLimits::kReasonBytesMax) + " bytes"};
}

namespace {

Status draft_facts(Draft& draft, std::span<const json> facts) {
  for (std::size_t i = 0; i < facts.size(); ++i) {
    if (auto status = draft_fact(draft, facts[i]); !status) {
      return std::move(status).error().within("line " + std::to_string(i + 1));
    }
  }
  return Done{};
}

}  // namespace

Result<OrderAnswer> Referee::record(const OrderRequest& request, std::span<const json> facts) {
  return draft(request, [&](Draft& draft, const OpenGame& game, const BranchInfo&) -> Status {
    if (game.game.created.keeping != Keeping::kScribed) {
      return Error{ErrorCode::kDenied, "facts can be written only into a scribed game"};
    }
    if (facts.empty()) return invalid("there is nothing to record");
    return draft_facts(draft, facts);
  });
}

Result<Scribed> Referee::scribe(const OrderRequest& request, std::istream& lines, bool check_only) {
  std::lock_guard lock(lock_for(request.branch));
  auto game = library_.game_of(request.branch);
  if (!game) return std::move(game).error();
  auto found = find_branch(request);
  if (!found) return std::move(found).error();
  if (auto* answer = std::get_if<OrderAnswer>(&*found)) {
    Scribed done;
    done.answer = std::move(*answer);
    return done;
  }
  const BranchInfo& branch = std::get<BranchInfo>(*found);
  if ((*game)->game.created.keeping != Keeping::kScribed) {
    return Error{ErrorCode::kDenied, "only a scribed game takes orders and facts from a file"};
  }
  auto position = time_.at(request.branch, branch.version);
  if (!position) return std::move(position).error();
  Scribe scribe(&store_, (*game)->game, branch, std::move(*position),
                [&](const BranchInfo& at) { return envelope(request, at); });
  Scribed out = scribe.read(lines);
  if (!out.problems.empty() || check_only) return out;
  if (scribe.events().empty()) return invalid("there is nothing to record");
  auto answer = append(request, branch, scribe.events(), scribe.position());
  if (!answer) return std::move(answer).error();
  out.answer = std::move(*answer);
  return out;
}

Result<OrderAnswer> Referee::rule(const OrderRequest& request, const RulingText& ruling,
                                  std::span<const json> facts) {
  if (ruling.text.empty()) return invalid("text: a ruling says why");
  if (auto status = check_text(ruling.text); !status) return std::move(status).error();
  return draft(request, [&](Draft& draft, const OpenGame&, const BranchInfo&) {
    draft_ruling(draft, request.author, ruling);
    return draft_facts(draft, facts);
  });
}

Result<OrderAnswer> Referee::propose_take_back(const OrderRequest& request, Version to,
                                               std::string_view text) {
  if (auto status = check_text(text); !status) return std::move(status).error();
  return draft(
      request, [&](Draft& draft, const OpenGame& game, const BranchInfo& branch) -> Status {
        const auto& seats = game.game.created.seats;
        const auto is_author = [&](const SeatSpec& seat) { return seat.name == request.author; };
        if (std::none_of(seats.begin(), seats.end(), is_author)) {
          return invalid("\"" + request.author + "\" is not a seat of this game");
        }
        auto open = open_proposal(store_, game, branch, branch.version);
        if (!open) return std::move(open).error();
        if (*open) {
          return Error{ErrorCode::kConflict,
                       "a take-back proposed by " + (*open)->by + " stands open"};
        }
        auto events = events_to_take_back(store_, branch, to, branch.version);
        if (!events) return std::move(events).error();
        draft.write([&](EventWriter& w, EventList& out) { write_proposal(w.meta, out, to, text); });
        if (seats.size() == 1) draft_take_back(draft, to, text, *events);
        return Done{};
      });
}

Result<OrderAnswer> Referee::answer_take_back(const OrderRequest& request, Version proposal,
                                              bool agreed, std::string_view text) {
  if (auto status = check_text(text); !status) return std::move(status).error();
  return draft(
      request, [&](Draft& draft, const OpenGame& game, const BranchInfo& branch) -> Status {
        auto open = open_proposal(store_, game, branch, branch.version);
        if (!open) return std::move(open).error();
        if (!*open || (*open)->version != proposal) {
          return Error{ErrorCode::kConflict, "no take-back proposed at event " +
                                                 std::to_string(proposal) + " stands open"};
        }
        const auto& waiting = (*open)->waiting_for;
        if (std::find(waiting.begin(), waiting.end(), request.author) == waiting.end()) {
          return invalid("\"" + request.author + "\" is not a seat that has to answer");
        }
        draft.write([&](EventWriter& w, EventList& out) {
          write_answer(w.meta, out, proposal, agreed, text);
        });
        if (!agreed || waiting.size() > 1) return Done{};
        auto events = events_to_take_back(store_, branch, (*open)->to, branch.version);
        if (!events) return std::move(events).error();
        draft_take_back(draft, (*open)->to, (*open)->text, *events);
        return Done{};
      });
}

Result<OrderAnswer> Referee::take_back(const OrderRequest& request, Version to,
                                       std::string_view text,
                                       const std::optional<RulingText>& ruling) {
  if (auto status = check_text(text); !status) return std::move(status).error();
  return draft(request,
               [&](Draft& draft, const OpenGame& game, const BranchInfo& branch) -> Status {
                 const bool scribed = game.game.created.keeping == Keeping::kScribed;
                 if (!ruling && !scribed && !branch.parent) {
                   return Error{ErrorCode::kDenied,
                                "a take-back needs the agreement of all seats or a ruling"};
                 }
                 auto events = events_to_take_back(store_, branch, to, branch.version);
                 if (!events) return std::move(events).error();
                 if (ruling) draft_ruling(draft, request.author, *ruling);
                 draft_take_back(draft, to, text, *events);
                 return Done{};
               });
}

Result<std::optional<OpenProposal>> Referee::open_take_back(const BranchId& branch) {
  auto info = store_.branch(branch);
  if (!info) return std::move(info).error();
  auto game = library_.game(info->game);
  if (!game) return std::move(game).error();
  return open_proposal(store_, **game, *info, info->version);
}

}  // namespace wardiary

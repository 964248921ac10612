// Take-backs: nothing is ever removed from a log. A seat proposes to go back to the end of an
// earlier commit; when every other seat has agreed, the inverse facts are appended, so that the
// position is again what it was there. Rolls stay rolled: a roll number has one outcome for ever.
//
// A proposal stands open until it is carried out, a seat declines it, or any other commit follows.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "domain/draft.h"
#include "eventstore/event_store.h"
#include "replay/audit_commit.h"
#include "replay/library.h"

namespace wardiary {

struct OpenProposal {
  Version version = 0;  // of the proposal itself
  Version to = 0;
  std::string by;
  std::string text;
  std::vector<std::string> agreed;       // the seats that have, beginning with who proposed it
  std::vector<std::string> waiting_for;  // the seats that have not answered
};

// The proposal that stands open after event `at` of the branch, if there is one.
Result<std::optional<OpenProposal>> open_proposal(EventStore& store, const OpenGame& game,
                                                  const BranchInfo& branch, Version at);

// The version before the newest order, ruling or recorded fact: what "undo" goes back to.
Result<Version> undo_target(EventStore& store, const BranchInfo& branch);

// The events after `to` up to `last`, which a take-back would undo. kInvalid if `to` is not the end
// of a commit, lies in the set-up or is not before the end; kDenied if the game has ended since.
Result<EventList> events_to_take_back(EventStore& store, const BranchInfo& branch, Version to,
                                      Version last);
// The two events that lead to one (encoders, as in domain/event.h).
void write_proposal(const EventMeta& meta, EventList& out, Version to, std::string_view text);
void write_answer(const EventMeta& meta, EventList& out, Version proposal, bool agreed,
                  std::string_view text);

// Drafts the TakeBack and the inverse of `events`, last first.
void draft_take_back(Draft& draft, Version to, std::string_view text, const EventList& events);

// For the audit: a commit that begins with a proposal, an answer, a ruling or a take-back. What is
// wrong with its agreement or with its inverse facts, if anything.
Result<std::optional<WrongEvent>> recheck_take_back(EventStore& store, const OpenGame& game,
                                                    const BranchInfo& branch,
                                                    const RecordedCommit& commit);

}  // namespace wardiary

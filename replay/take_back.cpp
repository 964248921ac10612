#include "replay/take_back.h"

#include <algorithm>

#include "domain/schema/event_generated.h"
#include "projections/history.h"

namespace wardiary {
namespace {

constexpr std::string_view kHow = "taken back";

bool is_about_take_back(fb::Payload type) {
  return type == fb::Payload::TakeBackProposed || type == fb::Payload::TakeBackAnswered;
}

std::string text_of_field(const flatbuffers::String* text) {
  return text ? text->str() : std::string();
}

// Calls `see` with the events of the branch from `last` down to 1 until it returns false.
using SeeEvent = std::function<bool(Version, const fb::Event&)>;
Status each_backwards(EventStore& store, const BranchInfo& branch, Version last,
                      const SeeEvent& see) {
  Status problem = Done{};
  auto read = store.read_backwards(branch.branch, last, 1, [&](const StoredEvent& stored) {
    auto event = open_event(stored.payload);
    if (!event) {
      problem = std::move(event).error().within(where(branch.game, branch.branch, stored.version));
      return false;
    }
    return see(stored.version, **event);
  });
  return read ? problem : read;
}

// What undoes one event. Rolls, orders and what was revealed cannot be undone, only outlived.
void draft_inverse(Draft& draft, const fb::Event& event) {
  const Draft::Scope scope(draft, event.visible_to(), 0);
  switch (event.payload_type()) {
    case fb::Payload::UnitPlaced: {
      const auto& e = *event.payload_as_UnitPlaced();
      draft.remove(UnitId{e.unit()}, kHow);
      for (unsigned i = 0; e.changes() && i < e.changes()->size(); ++i) {
        const fb::Change* c = e.changes()->Get(i);
        draft.set(UnitId{e.unit()}, c->attribute(), c->from());
      }
      return;
    }
    case fb::Payload::UnitMoved: {
      const auto& e = *event.payload_as_UnitMoved();
      std::vector<SpaceId> path;
      for (std::int16_t space : *e.path()) path.push_back(SpaceId{space});
      std::reverse(path.begin(), path.end());
      return draft.move(UnitId{e.unit()}, path, kHow);
    }
    case fb::Payload::UnitChanged: {
      const auto& e = *event.payload_as_UnitChanged();
      return draft.set(UnitId{e.unit()}, e.attribute(), e.from());
    }
    case fb::Payload::UnitRemoved: {
      const auto& e = *event.payload_as_UnitRemoved();
      return draft.place(UnitId{e.unit()}, SpaceId{e.from()});
    }
    case fb::Payload::SpaceChanged: {
      const auto& e = *event.payload_as_SpaceChanged();
      return draft.set(SpaceId{e.space()}, e.attribute(), e.from());
    }
    case fb::Payload::SpacesChanged: {
      const auto& e = *event.payload_as_SpacesChanged();
      std::vector<SpaceId> spaces;
      for (std::uint16_t space : *e.spaces()) spaces.push_back(SpaceId{space});
      const std::vector<std::int16_t> from(e.to()->begin(), e.to()->end());
      const std::vector<std::int16_t> to(e.from()->begin(), e.from()->end());
      return draft.write([&](EventWriter& w, EventList& out) {
        w.spaces_changed(out, e.attribute(), spaces, from, to);
      });
    }
    case fb::Payload::LinkChanged: {
      const auto& e = *event.payload_as_LinkChanged();
      return draft.set(LinkId{e.link()}, e.attribute(), e.from());
    }
    case fb::Payload::TrackChanged: {
      const auto& e = *event.payload_as_TrackChanged();
      return draft.set(TrackId{e.track()}, e.from());
    }
    case fb::Payload::PoolChanged: {
      const auto& e = *event.payload_as_PoolChanged();
      return draft.write([&](EventWriter& w, EventList& out) {
        w.pool_changed(out, PoolId{e.pool()}, e.item(), e.to(), e.from());
      });
    }
    case fb::Payload::PhaseBegan: {
      const fb::Clock& from = *event.payload_as_PhaseBegan()->from();
      return draft.begin_phase({from.turn(), from.phase(), from.side()});
    }
    case fb::Payload::DecisionAsked: {
      const auto& e = *event.payload_as_DecisionAsked();
      const fb::Question& from = *e.from();
      return draft.ask(SideId{e.side()}, {from.kind(), from.space(), from.unit(), from.number()});
    }
    default:
      return;
  }
}

// The head of a commit again, as it was written.
void draft_head(Draft& draft, const fb::Event& head) {
  draft.write([&](EventWriter& w, EventList& out) {
    if (const auto* proposed = head.payload_as_TakeBackProposed()) {
      write_proposal(w.meta, out, proposed->to(), text_of_field(proposed->text()));
    } else if (const auto* answered = head.payload_as_TakeBackAnswered()) {
      write_answer(w.meta, out, answered->proposal(), answered->agreed(),
                   text_of_field(answered->text()));
    } else if (const auto* ruling = head.payload_as_Ruling()) {
      w.ruling(out, text_of_field(ruling->by()), text_of_field(ruling->rule()),
               text_of_field(ruling->text()));
    }
  });
}

std::string joined(const std::vector<std::string>& names) {
  std::string out;
  for (const std::string& name : names) out += (out.empty() ? "" : ", ") + name;
  return out.empty() ? "nobody" : out;
}

bool has_seat(const OpenGame& game, const std::string& name) {
  return std::any_of(game.game.created.seats.begin(), game.game.created.seats.end(),
                     [&](const SeatSpec& seat) { return seat.name == name; });
}

// Whether the seats allow the take-back that follows the commit's head.
Result<std::optional<Wrong>> wrong_agreement(EventStore& store, const OpenGame& game,
                                             const BranchInfo& branch, const RecordedCommit& commit,
                                             const fb::TakeBack& back) {
  const fb::Event& head = *trusted_event(commit.events[0]);
  const std::string author = text_of_field(head.author());
  const bool own_authority =
      branch.parent.has_value() || game.game.created.keeping == Keeping::kScribed;
  using Answer = std::optional<Wrong>;
  if (head.payload_type() == fb::Payload::Ruling) return Answer();
  if (head.payload_type() == fb::Payload::TakeBack) {
    if (own_authority) return Answer();
    return Answer(Wrong{"author", author + " alone", "the agreement of all seats, or a ruling"});
  }
  auto open = open_proposal(store, game, branch, commit.first);
  if (!open) return std::move(open).error();
  if (!*open) return Answer(Wrong{"proposal", "none that stands open", "an open proposal"});
  if (!(*open)->waiting_for.empty()) {
    return Answer(
        Wrong{"agreement", joined((*open)->agreed), "also " + joined((*open)->waiting_for)});
  }
  if ((*open)->to != back.to()) {
    return Answer(Wrong{"to", std::to_string(back.to()), std::to_string((*open)->to)});
  }
  return Answer();
}

template <class Payload>
void finish(flatbuffers::FlatBufferBuilder& fbb, const EventMeta& meta, EventList& out,
            flatbuffers::Offset<Payload> payload) {
  const fb::Payload type = fb::PayloadTraits<Payload>::enum_value;
  const auto author = meta.author.empty() ? 0 : fbb.CreateString(meta.author);
  fb::FinishEventBuffer(fbb, fb::CreateEvent(fbb, type, payload.Union(), meta.visible_to, 0,
                                             meta.because, meta.recorded_at_ms, author));
  out.add(static_cast<std::uint16_t>(type), {fbb.GetBufferPointer(), fbb.GetSize()});
}
flatbuffers::Offset<flatbuffers::String> put_text(flatbuffers::FlatBufferBuilder& fbb,
                                                  std::string_view text) {
  return text.empty() ? 0 : fbb.CreateString(text.data(), text.size());
}

}  // namespace

void write_proposal(const EventMeta& meta, EventList& out, Version to, std::string_view text) {
  flatbuffers::FlatBufferBuilder fbb;
  const auto why = put_text(fbb, text);
  finish(fbb, meta, out, fb::CreateTakeBackProposed(fbb, to, why));
}

void write_answer(const EventMeta& meta, EventList& out, Version proposal, bool agreed,
                  std::string_view text) {
  flatbuffers::FlatBufferBuilder fbb;
  const auto why = put_text(fbb, text);
  finish(fbb, meta, out, fb::CreateTakeBackAnswered(fbb, proposal, agreed, why));
}

Result<std::optional<OpenProposal>> open_proposal(EventStore& store, const OpenGame& game,
                                                  const BranchInfo& branch, Version at) {
  std::vector<std::string> agreed;
  bool closed = false;
  std::optional<OpenProposal> found;
  auto status = each_backwards(store, branch, at, [&](Version version, const fb::Event& event) {
    if (!is_about_take_back(event.payload_type())) return false;
    const std::string author = text_of_field(event.author());
    if (const auto* answer = event.payload_as_TakeBackAnswered()) {
      closed = closed || !answer->agreed();
      agreed.push_back(author);
      return true;
    }
    const auto& proposed = *event.payload_as_TakeBackProposed();
    agreed.push_back(author);
    std::reverse(agreed.begin(), agreed.end());
    found =
        OpenProposal{version, proposed.to(), author, text_of_field(proposed.text()), agreed, {}};
    return false;
  });
  if (!status) return std::move(status).error();
  if (closed || !found) return std::optional<OpenProposal>();
  for (const SeatSpec& seat : game.game.created.seats) {
    if (std::find(agreed.begin(), agreed.end(), seat.name) == agreed.end()) {
      found->waiting_for.push_back(seat.name);
    }
  }
  return found;
}

Result<Version> undo_target(EventStore& store, const BranchInfo& branch) {
  Version target = 0;
  auto status =
      each_backwards(store, branch, branch.version, [&](Version version, const fb::Event& event) {
        if (!begins_commit(event) || is_about_take_back(event.payload_type())) return true;
        target = version - 1;
        return false;
      });
  if (!status) return std::move(status).error();
  return target;
}

Result<EventList> events_to_take_back(EventStore& store, const BranchInfo& branch, Version to,
                                      Version last) {
  if (to == 0 || to >= last) {
    return invalid("to: must be an event before the last one, " + std::to_string(last));
  }
  if (branch.parent && to <= branch.forked_at) {
    return invalid("to: the branch begins at event " + std::to_string(branch.forked_at + 1) +
                   "; what its parent did cannot be taken back here");
  }
  EventList events;
  std::size_t bytes = 0;
  Status problem = Done{};
  auto read = store.read(branch.branch, to + 1, last, [&](const StoredEvent& stored) {
    auto opened = open_event(stored.payload);
    if (!opened) {
      problem = std::move(opened).error();
      return false;
    }
    const fb::Event& event = **opened;
    if (events.empty() && !begins_commit(event)) {
      problem = invalid("to: event " + std::to_string(to) + " is in the middle of a commit");
    } else if (event.payload_type() == fb::Payload::BranchForked) {
      problem = invalid("to: a branch's beginning cannot be taken back");
    } else if (event.payload_type() == fb::Payload::GameEnded) {
      problem = Error{ErrorCode::kDenied,
                      "the game has ended: nothing before its end can be taken "
                      "back; branch from it instead"};
    }
    bytes += stored.payload.size();
    // The inverse facts must fit into one commit; one event can need several.
    if (events.size() > StoreLimits::kCommitEventsMax / 2 ||
        bytes > StoreLimits::kCommitBytesMax / 2) {
      problem = Error{ErrorCode::kLimit, "more events than one take-back can undo"};
    }
    if (problem) events.add(stored.type, stored.payload);
    return problem.ok();
  });
  if (!read) return std::move(read).error();
  if (!problem) return std::move(problem).error();
  return events;
}

void draft_take_back(Draft& draft, Version to, std::string_view text, const EventList& events) {
  draft.write([&](EventWriter& w, EventList& out) { w.take_back(out, to, text); });
  for (std::size_t i = events.size(); i-- > 0;) draft_inverse(draft, *trusted_event(events[i]));
}

Result<std::optional<WrongEvent>> recheck_take_back(EventStore& store, const OpenGame& game,
                                                    const BranchInfo& branch,
                                                    const RecordedCommit& commit) {
  using Answer = std::optional<WrongEvent>;
  const EventList& events = commit.events;
  const fb::Event& head = *trusted_event(events[0]);
  const bool agreeing = is_about_take_back(head.payload_type());
  if (agreeing && !has_seat(game, text_of_field(head.author()))) {
    return Answer(
        WrongEvent{commit.first, {"author", text_of_field(head.author()), "a seat of the game"}});
  }
  const std::size_t at = head.payload_type() == fb::Payload::TakeBack ? 0 : 1;
  const auto* back =
      at < events.size() ? trusted_event(events[at])->payload_as_TakeBack() : nullptr;
  if (!back) {
    if (!agreeing || events.size() == 1) return Answer();
    return Answer(WrongEvent{commit.first + 1,
                             {"type", fb::EnumNamePayload(trusted_event(events[1])->payload_type()),
                              "nothing, or a take-back that was agreed"}});
  }
  auto wrong = wrong_agreement(store, game, branch, commit, *back);
  if (!wrong) return std::move(wrong).error();
  if (*wrong) return Answer(WrongEvent{commit.first, std::move(**wrong)});
  auto taken = events_to_take_back(store, branch, back->to(), commit.first - 1);
  if (!taken) {
    return Answer(
        WrongEvent{commit.first + at, {"to", std::to_string(back->to()), taken.error().text}});
  }
  ScriptedChance none({});
  Draft draft(game.game, commit.before, none, recorded_envelope(events));
  if (at == 1) draft_head(draft, head);
  draft_take_back(draft, back->to(), text_of_field(back->text()), *taken);
  return compare_commit(commit, draft.events(), events.size(), game.roster());
}

}  // namespace wardiary

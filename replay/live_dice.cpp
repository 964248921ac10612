#include "replay/live_dice.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "domain/fairdice/transcript_json.h"
#include "domain/schema/event_generated.h"
#include "replay/dice_box.h"
#include "replay/library.h"

namespace wardiary {

using nlohmann::json;

const char* word_of(Obligation::What what) {
  switch (what) {
    case Obligation::What::kJoin:
      return "join";
    case Obligation::What::kRequest:
      return "request";
    case Obligation::What::kReveal:
      return "reveal";
    case Obligation::What::kRoll:
      return "roll";
  }
  return "?";
}

std::string slot_name(std::uint8_t slot, const Roster& roster) {
  if (slot == kServiceSlot) return "the service";
  return slot < roster.sides.size() ? roster.sides[slot] : "slot " + std::to_string(slot);
}

std::vector<Obligation> obligations(const DiceRecord& record,
                                    std::optional<std::uint8_t> next_roller) {
  using What = Obligation::What;
  std::vector<Obligation> out;
  if (const auto& draft = record.draft()) {
    for (std::uint8_t slot : draft->missing()) {
      out.push_back({What::kJoin, slot, draft->version, draft->at_ms, 0});
    }
  }
  const DiceRecord::Pending* pending = record.pending();
  if (!pending) return out;
  const DiceRecord::Owed owed = record.owed(next_roller.value_or(kServiceSlot));
  const bool revealing = !pending->rolls.empty() && !record.missing(pending->rolls.back()).empty();
  const std::uint64_t about = revealing ? pending->rolls.back().version : pending->version;
  if (!revealing && !next_roller) {
    // Everything is there: the roll itself is owed, by the service.
    return {{What::kRoll, kServiceSlot, about, owed.since_ms, owed.deadline_ms}};
  }
  for (std::uint8_t slot : owed.slots) {
    out.push_back(
        {revealing ? What::kReveal : What::kRequest, slot, about, owed.since_ms, owed.deadline_ms});
  }
  return out;
}

std::string obligation_text(const Obligation& o, const Roster& roster) {
  const std::string about = " (version " + std::to_string(o.about) + ")";
  switch (o.what) {
    case Obligation::What::kJoin:
      return slot_name(o.slot, roster) + " has not joined the dice" + about;
    case Obligation::What::kRequest:
      return slot_name(o.slot, roster) + " owes the request for a roll" + about;
    case Obligation::What::kReveal:
      return slot_name(o.slot, roster) + " owes the reveal for a roll" + about;
    case Obligation::What::kRoll:
      return "an order waits for its next request or its roll" + about;
  }
  return {};
}

// ------------------------------------------------------------------------------------ the state

namespace {

const char* const kKinds[] = {"?", "dice", "shuffle", "draw"};

json spec_json(const std::vector<RollGroup>& groups) {
  json out = json::array();
  for (const RollGroup& g : groups) {
    out.push_back(
        {{"kind", kKinds[g.kind <= 3 ? g.kind : 0]}, {"count", g.count}, {"sides", g.sides}});
    if (g.hits_from) out.back()["hitsFrom"] = g.hits_from;
  }
  return out;
}

json terms_json(const DiceEpoch& facts) {
  return {{"stream", to_hex(facts.stream)},
          {"vrfKey", to_hex(facts.vrf_key)},
          {"suite", facts.suite},
          {"chainLength", facts.chain_length},
          {"policy", fairdice::grade_word(facts.policy)},
          {"rulesHash", to_hex(facts.rules_hash)},
          {"answerWithin", facts.answer_within_s}};
}

json contributor_json(const EpochFacts::Contributor& c, const Roster& roster) {
  json anchors = json::array();
  for (const auto& [roller, value] : c.anchors) {
    anchors.push_back({{"roller", roller}, {"value", to_hex(value)}});
  }
  return {{"slot", c.slot},
          {"side", slot_name(c.slot, roster)},
          {"name", c.name},
          {"key", to_hex(c.key)},
          {"custodial", c.custodial},
          {"anchors", std::move(anchors)},
          {"signature", to_hex(c.signature)}};
}

json draft_json(const DiceRecord::Draft& draft, const Roster& roster) {
  json out = terms_json(draft.facts);
  out["version"] = draft.version;
  out["hash"] = to_hex(draft.hash);
  out["slots"] = draft.facts.slots;
  out["joined"] = json::array();
  for (const auto& [slot, c] : draft.joined) out["joined"].push_back(contributor_json(c, roster));
  return out;
}

json epoch_json(const DiceRecord& record, const DiceRecord::Epoch& epoch, const Roster& roster) {
  json out = terms_json(epoch.facts);
  out["version"] = epoch.version;
  out["hash"] = to_hex(epoch.hash);
  out["draft"] = to_hex(epoch.draft);
  out["contributors"] = json::array();
  out["numbers"] = json::array();
  for (const EpochFacts::Contributor& c : epoch.facts.contributors) {
    out["contributors"].push_back(contributor_json(c, roster));
    out["numbers"].push_back({{"roller", c.slot},
                              {"first", epoch.first_of(c.slot)},
                              {"next", record.next_number(c.slot)}});
  }
  out["unlocked"] = json::array();
  for (const auto& [who, unlock] : epoch.unlocks) {
    out["unlocked"].push_back(
        {{"contributor", who.first}, {"roller", who.second}, {"upTo", unlock.up_to}});
  }
  return out;
}

// A request with everything its digest is made of.
json request_json(const fairdice::Request& request) {
  return {{"roller", request.roller},
          {"number", request.number},
          {"prevEvent", to_hex(request.prev_event)},
          {"orderEvent", to_hex(request.order_event)},
          {"spec", spec_json(request.spec.groups)},
          {"element", to_hex(request.v)},
          {"key", to_hex(request.idempotency_key)}};
}

json pending_json(const DiceRecord& record, const DiceRecord::Pending& pending) {
  json out = {{"version", pending.version},
              {"hash", to_hex(pending.hash)},
              {"author", pending.author},
              {"requests", json::array()}};
  for (const DiceRecord::Roll& roll : pending.rolls) {
    json request = request_json(record.request_of(roll.facts, roll.prev_event));
    request["version"] = roll.version;
    request["digest"] = to_hex(roll.digest);
    request["signature"] = to_hex(roll.facts.signature);
    request["missing"] = record.missing(roll);
    out["requests"].push_back(std::move(request));
  }
  return out;
}

json next_json(const NextRequest& next) {
  return {{"roller", next.roller},
          {"number", next.number},
          {"order", next.order},
          {"orderEvent", to_hex(next.order_event)},
          {"prevEvent", to_hex(next.prev_event)},
          {"purpose", next.roll.purpose},
          {"spec", spec_json(next.roll.groups)}};
}

}  // namespace

json dice_state_json(const DiceState& state, const Roster& roster, std::uint64_t now_ms) {
  const DiceRecord& record = state.record;
  json out = {{"format", "wardiary-dice-state/1"},
              {"game", to_hex(state.branch.game)},
              {"branch", to_hex(state.branch.branch)},
              {"version", state.branch.version},
              {"policy", fairdice::grade_word(state.policy)},
              {"sides", roster.sides},  // by slot
              {"draft", nullptr},
              {"epoch", nullptr},
              {"order", nullptr},
              {"next", nullptr},
              {"owed", json::array()},
              {"abandoned", record.abandoned()}};
  if (record.draft()) out["draft"] = draft_json(*record.draft(), roster);
  if (record.epoch() && record.epoch()->live()) {
    out["epoch"] = epoch_json(record, *record.epoch(), roster);
  }
  if (const auto* pending = record.pending()) out["order"] = pending_json(record, *pending);
  if (state.next) out["next"] = next_json(*state.next);
  for (const Obligation& o : state.owed) {
    json owed = {{"what", word_of(o.what)},
                 {"slot", o.slot},
                 {"side", slot_name(o.slot, roster)},
                 {"about", o.about},
                 {"since", o.since_ms},
                 {"lapsed", o.deadline_ms != 0 && now_ms >= o.deadline_ms}};
    if (o.deadline_ms) owed["deadline"] = o.deadline_ms;
    out["owed"].push_back(std::move(owed));
  }
  return out;
}

// ---------------------------------------------------------------------------------- transcripts

namespace {

fairdice::Signature signature_of(const Bytes& bytes) {
  return fairdice::Signature::from(bytes).value_or(fairdice::Signature{});
}

fairdice::DiceTranscript begin_transcript(const DiceRecord::Epoch& epoch) {
  const DiceEpoch& facts = epoch.facts;
  fairdice::DiceTranscript out;
  out.epoch.hash = epoch.hash;
  out.epoch.terms = {facts.stream,       facts.suite,  facts.vrf_key,
                     facts.chain_length, facts.policy, facts.rules_hash};
  for (const EpochFacts::Contributor& c : facts.contributors) {
    fairdice::Contributor contributor{c.slot, c.custodial, c.key, {}, signature_of(c.signature)};
    for (const auto& [roller, anchor] : c.anchors) contributor.anchors.push_back(anchor);
    out.epoch.contributors.push_back(std::move(contributor));
  }
  out.counters.assign(facts.contributors.size(), 0);
  return out;
}

fairdice::RollTranscript roll_transcript(const DiceRecord::Made& made) {
  fairdice::RollTranscript out;
  const RollRequestedFacts& facts = made.roll.facts;
  out.grade = made.grade;
  out.request = {facts.roller,     facts.number,   made.roll.prev_event,
                 made.order_event, {facts.groups}, facts.element,
                 facts.key};
  // What counts as a hit is the rules' business, and no part of what was signed.
  for (RollGroup& group : out.request.spec.groups) group.hits_from = 0;
  out.signature = signature_of(facts.signature);
  for (const auto& [slot, d] : made.roll.disclosed) {
    out.disclosures.push_back({slot, d.up_to, d.given, signature_of(d.signature)});
  }
  if (made.roll.sealed) out.seal = made.roll.sealed->seal;
  out.pi = fairdice::VrfProof::from(made.proof);
  out.values = made.values;
  return out;
}

}  // namespace

Result<std::vector<fairdice::DiceTranscript>> dice_transcripts(EventStore& store, const Game& game,
                                                               const BranchInfo& branch) {
  std::vector<fairdice::DiceTranscript> out;
  DiceRecord record(dice_context(store, game, branch));
  record.on_roll = [&](const DiceRecord::Made& made) {
    if (out.empty() || out.back().epoch.hash != made.epoch.hash) {
      out.push_back(begin_transcript(made.epoch));
    }
    fairdice::DiceTranscript& transcript = out.back();
    transcript.rolls.push_back(roll_transcript(made));
    const auto& contributors = transcript.epoch.contributors;
    for (std::size_t i = 0; i < contributors.size(); ++i) {
      transcript.counters[i] += contributors[i].slot == made.roll.facts.roller ? 1 : 0;
    }
  };
  if (auto status = read_dice(store, branch, 1, branch.version, record); !status) {
    return std::move(status).error();
  }
  if (record.abandoned()) return invalid("a roll was abandoned: see the log's own evidence");
  for (fairdice::DiceTranscript& transcript : out) {
    std::stable_sort(transcript.rolls.begin(), transcript.rolls.end(),
                     [](const auto& a, const auto& b) {
                       return std::pair(a.request.roller, a.request.number) <
                              std::pair(b.request.roller, b.request.number);
                     });
  }
  return out;
}

json transcripts_json(const std::vector<fairdice::DiceTranscript>& transcripts) {
  json out = {{"format", "wardiary-dice-set/1"}, {"dice", json::array()}};
  for (const fairdice::DiceTranscript& each : transcripts) {
    out["dice"].push_back(json::parse(fairdice::transcript_to_json(each)));
  }
  return out;
}

// ------------------------------------------------------------------------------- reading a log

DiceRecord::Context dice_context(EventStore& store, const Game& game, const BranchInfo& branch) {
  DiceRecord::Context out;
  out.stream = branch.branch;
  out.what_if = branch.parent.has_value();
  out.policy = out.what_if ? Grade::kBranch : game.created.dice;
  out.rules = rules_hash(game.created);
  out.hash_of = [&store, id = branch.branch](Version version) {
    auto hash = store.event_hash(id, version);
    return hash ? *hash : Hash{};  // then no digest will hold
  };
  return out;
}

Status read_dice(EventStore& store, const BranchInfo& branch, Version first, Version last,
                 DiceRecord& record) {
  Status problem = Done{};
  Status read = store.read(branch.branch, first, last, [&](const StoredEvent& stored) {
    auto event = open_event(stored.payload);
    std::optional<Wrong> wrong;
    if (!event) {
      problem = std::move(event).error();
      return false;
    }
    // It was checked when it was written, and the audit checks it again: no need to here.
    wrong = record.add(stored.version, **event, [](ProofJob) {});
    if (wrong) {
      problem = corrupt(where(branch.game, branch.branch, stored.version) + ": " + wrong->field +
                        " is " + wrong->recorded + ", expected " + wrong->expected);
    }
    return !wrong;
  });
  return read ? std::move(problem) : std::move(read);
}

std::optional<Rolled> LiveChance::roll(const RollRequest& request) {
  const DiceRecord::Pending* pending = record_.pending();
  if (!pending || next_ >= pending->rolls.size()) return std::nullopt;
  const DiceRecord::Roll& roll = pending->rolls[next_];
  const std::uint64_t number = record_.epoch()->first_of(roll.facts.roller) + roll.facts.number;
  if (roller_slot(request.roller) != roll.facts.roller || request.number != number ||
      request.groups != roll.facts.groups) {
    contradicted_ = true;
    return std::nullopt;
  }
  if (!record_.missing(roll).empty()) return std::nullopt;
  auto made = fairdice::make_roll(key_, record_.alpha(roll), {roll.facts.groups});
  if (!made) return std::nullopt;
  ++next_;
  Rolled rolled;
  rolled.values = std::move(made->outcome.values);
  rolled.grade = record_.grade_of(roll);
  rolled.request = roll.version;
  rolled.suite = fairdice::kVrfSuite;
  rolled.proof.assign(made->pi.data.begin(), made->pi.data.end());
  seals_.push_back(made->seal);
  return rolled;
}

}  // namespace wardiary

// The referee's part in live dice: orders that wait for a roll, what players hand in for it, and
// what the service owes. Every step is a commit of its own, and the next one follows from the log
// alone, so a crash between two of them changes nothing.
#include <algorithm>
#include <nlohmann/json.hpp>

#include "domain/schema/event_generated.h"
#include "replay/dice_json.h"
#include "replay/referee.h"

namespace wardiary {
namespace {

Error not_live() {
  return invalid("dice: this game's dice are not live; nobody signs for them");
}

EventMeta meta_of(std::uint64_t now, const std::string& author) {
  EventMeta meta;
  meta.recorded_at_ms = now;
  meta.author = author;
  return meta;
}

Bytes bytes_of_signature(const fairdice::Signature& signature) {
  return Bytes(signature.data.begin(), signature.data.end());
}

// The commit that decides a suspended order has a command id of its own, made from the order's
// event, so that it is written once whatever is retried.
CommandId finishing_command(const Hash& order_event) {
  Sha256 hasher;
  const Hash hash = hasher.add("wardiary/finish-order").add(order_event).finish();
  return *Id::from(hash.view().first(16));
}

// The idempotency key of a request that the service makes: the same whenever it is made.
Id request_key(const Hash& order_event, std::uint64_t number) {
  Sha256 hasher;
  const Hash hash = hasher.add("wardiary/request").add(order_event).add_u64(number).finish();
  return *Id::from(hash.view().first(16));
}

fairdice::Commitment commitment_of(const DiceRecord::Epoch& epoch, std::uint8_t slot) {
  return {epoch.facts.stream, epoch.draft, slot, epoch.facts.chain_length};
}

std::string list_names(const std::vector<std::uint8_t>& slots, const Roster& roster) {
  std::string out;
  for (std::uint8_t slot : slots) out += (out.empty() ? "" : ", ") + slot_name(slot, roster);
  return out;
}

}  // namespace

bool Referee::is_live(const OpenGame& game) {
  return game.game.created.dice == Grade::kLive || game.game.created.dice == Grade::kAsync;
}

// ------------------------------------------------------------------------------------ the record

Result<Referee::LiveBranch> Referee::open_live(const BranchId& branch, const std::string& author) {
  auto game = library_.game_of(branch);
  if (!game) return std::move(game).error();
  // A what-if has dice of its own, which the service keeps.
  if (!is_live(**game) || branch != (*game)->mainline) return not_live();
  auto info = store_.branch(branch);
  if (!info) return std::move(info).error();
  LiveBranch live{*info, *game, DiceRecord(dice_context(store_, (*game)->game, *info)), author};
  live.info.version = 0;
  {
    std::lock_guard lock(live_mutex_);
    auto found = live_.find(branch);
    if (found != live_.end()) {
      live.info.version = found->second.first;
      live.record = found->second.second;
    }
  }
  if (auto status = refresh(live); !status) return std::move(status).error();
  const auto& draft = live.record.draft();
  if (!draft && !live.record.epoch()) {
    return corrupt("branch " + to_hex(branch) + " has live dice and no epoch");
  }
  const Hash promised = draft ? draft->facts.vrf_key : live.record.epoch()->facts.vrf_key;
  if (dice_.vrf_key(branch).public_key() != promised) {
    return Error{ErrorCode::kDenied,
                 "the dice of branch " + to_hex(branch) +
                     " are made with another service's key; fork a branch to play on here"};
  }
  return live;
}

Status Referee::refresh(LiveBranch& live) {
  auto info = store_.branch(live.info.branch);
  if (!info) return std::move(info).error();
  if (info->version > live.info.version) {
    auto status = read_dice(store_, *info, live.info.version + 1, info->version, live.record);
    if (!status) return status;
  }
  live.info = std::move(*info);
  constexpr std::size_t kLiveKeptMax = 256;
  std::lock_guard lock(live_mutex_);
  if (live_.size() >= kLiveKeptMax) live_.clear();
  live_.insert_or_assign(live.info.branch, std::pair{live.info.version, live.record});
  return Done{};
}

Status Referee::write_dice(LiveBranch& live, const EventList& events, const CommandId& command) {
  std::vector<NewEvent> list;
  for (std::size_t i = 0; i < events.size(); ++i) list.push_back({events.type(i), events[i]});
  Commit commit;
  commit.branch = live.info.branch;
  commit.expected = live.info.version;
  commit.command = command.is_zero() ? random_id() : command;
  commit.events = list;
  auto appended = store_.append(commit);
  if (!appended) return std::move(appended).error();
  if (appended->kind == Appended::Kind::kConflict) {
    return Error{ErrorCode::kConflict, "the game has moved on; ask again"};
  }
  if (appended->kind == Appended::Kind::kUnknown) {
    return Error{ErrorCode::kUnknown, "it is not known whether this was written; ask again"};
  }
  return refresh(live);
}

Result<DiceAnswer> Referee::take_dice(LiveBranch& live, const EventList& events) {
  DiceRecord trial = live.record;
  for (std::size_t i = 0; i < events.size(); ++i) {
    auto wrong = trial.add(live.info.version + 1 + i, *trusted_event(events[i]));
    if (wrong) {
      return invalid(wrong->field + ": is " + wrong->recorded + ", expected " + wrong->expected);
    }
  }
  if (auto status = write_dice(live, events, {}); !status) return std::move(status).error();
  DiceAnswer answer;
  answer.version = live.info.version;
  auto advanced = advance(live);
  if (!advanced) return std::move(advanced).error();
  answer.order = advanced->accepted;
  return answer;
}

// ------------------------------------------------------------------------------------- joining

Status Referee::join_for(LiveBranch& live, std::uint8_t slot) {
  const DiceRecord::Draft& draft = *live.record.draft();
  fairdice::Player keeper = dice_.custodian(live.info.branch, slot);
  const DiceEpoch& facts = draft.facts;
  const fairdice::EpochTerms terms{facts.stream,       facts.suite,  facts.vrf_key,
                                   facts.chain_length, facts.policy, facts.rules_hash};
  auto joined = keeper.join(terms, draft.hash, slot, /*custodial=*/true, facts.slots);
  if (!joined) return std::move(joined).error();
  EpochFacts::Contributor contributor;
  contributor.slot = slot;
  contributor.name = "service";
  contributor.key = keeper.public_key();
  contributor.custodial = true;
  for (const auto& [roller, anchor] : joined->anchors)
    contributor.anchors.emplace_back(roller, anchor);
  contributor.signature = bytes_of_signature(joined->signature);
  EventList events;
  DiceEventWriter writer;
  writer.meta = meta_of(now_(), "service");
  writer.contributor_joined(events, draft.version, contributor);
  return write_dice(live, events, {});
}

// The service joins for the rolls of nobody, and opens the epoch once everybody is there.
Status Referee::advance_draft(LiveBranch& live) {
  if (!live.record.draft()) return Done{};
  const auto missing = live.record.draft()->missing();
  if (std::count(missing.begin(), missing.end(), kServiceSlot)) {
    if (auto status = join_for(live, kServiceSlot); !status) return status;
  }
  const DiceRecord::Draft& draft = *live.record.draft();
  if (!draft.missing().empty()) return Done{};
  DiceEpoch epoch = draft.facts;
  epoch.slots.clear();
  epoch.drafted = draft.version;
  for (std::uint8_t slot : draft.facts.slots) {
    if (live.record.rolls(slot)) epoch.first.emplace_back(slot, live.record.rolls(slot));
  }
  for (const auto& [slot, contributor] : draft.joined) epoch.contributors.push_back(contributor);
  EventList events;
  DiceEventWriter writer;
  writer.meta = meta_of(now_(), "service");
  writer.epoch_opened(events, epoch);
  return write_dice(live, events, {});
}

// The chains are used up: the same contributors commit to new ones. The service's keys join at
// once.
Status Referee::draft_next(LiveBranch& live) {
  const DiceRecord::Epoch& old = *live.record.epoch();
  DiceEpoch draft = old.facts;
  draft.contributors.clear();
  draft.first.clear();
  draft.drafted = 0;
  std::vector<std::uint8_t> custodial;
  for (const EpochFacts::Contributor& c : old.facts.contributors) {
    draft.slots.push_back(c.slot);
    if (c.custodial) custodial.push_back(c.slot);
  }
  EventList events;
  DiceEventWriter writer;
  writer.meta = meta_of(now_(), "service");
  writer.epoch_drafted(events, draft);
  if (auto status = write_dice(live, events, {}); !status) return status;
  for (std::uint8_t slot : custodial) {
    if (auto status = join_for(live, slot); !status) return status;
  }
  return advance_draft(live);
}

Result<DiceAnswer> Referee::join(const BranchId& branch, const EpochFacts::Contributor& contributor,
                                 const std::string& author) {
  std::lock_guard lock(lock_for(branch));
  auto live = open_live(branch, author);
  if (!live) return std::move(live).error();
  if (auto status = advance_draft(*live); !status) return std::move(status).error();
  const auto& draft = live->record.draft();
  const auto& epoch = live->record.epoch();
  const EpochFacts::Contributor* before = nullptr;
  if (draft) {
    auto found = draft->joined.find(contributor.slot);
    if (found != draft->joined.end()) before = &found->second;
  } else if (epoch) {
    before = epoch->contributor(contributor.slot);
  }
  if (before && same_contributor(*before, contributor)) {
    return DiceAnswer{draft ? draft->version : epoch->version, true, {}};
  }
  if (!draft || before) {
    return Error{ErrorCode::kConflict,
                 slot_name(contributor.slot, live->game->roster()) + " has joined already"};
  }
  EventList events;
  DiceEventWriter writer;
  writer.meta = meta_of(now_(), author);
  writer.contributor_joined(events, draft->version, contributor);
  return take_dice(*live, events);
}

Result<DiceAnswer> Referee::join_custodial(const BranchId& branch, SideId side,
                                           const std::string& author) {
  std::lock_guard lock(lock_for(branch));
  auto live = open_live(branch, author);
  if (!live) return std::move(live).error();
  if (auto status = advance_draft(*live); !status) return std::move(status).error();
  const std::uint8_t slot = roller_slot(side);
  const auto missing =
      live->record.draft() ? live->record.draft()->missing() : std::vector<std::uint8_t>();
  if (!std::count(missing.begin(), missing.end(), slot)) {
    return Error{ErrorCode::kConflict,
                 slot_name(slot, live->game->roster()) + " has joined already"};
  }
  if (auto status = join_for(*live, slot); !status) return std::move(status).error();
  const Version version = live->info.version;
  if (auto status = advance_draft(*live); !status) return std::move(status).error();
  return DiceAnswer{version, false, {}};
}

// -------------------------------------------------------------------------------------- orders

Result<OrderAnswer> Referee::live_order(const OrderRequest& request, const OpenGamePtr& game,
                                        const BranchInfo& branch, const Order& order) {
  if (request.dice) {
    return Error{ErrorCode::kDenied, "dice: only a scribed game takes dice rolled elsewhere"};
  }
  auto live = open_live(branch.branch, request.author);
  if (!live) return std::move(live).error();
  auto done = advance(*live);
  if (!done) return std::move(done).error();
  const Roster& roster = game->roster();
  if (const auto* pending = live->record.pending()) {
    const auto roller =
        done->waits_for ? std::optional(roller_slot(done->waits_for->roller)) : std::nullopt;
    std::string owed;
    for (const Obligation& o : obligations(live->record, roller)) {
      owed += (owed.empty() ? "" : "; ") + obligation_text(o, roster);
    }
    return Error{ErrorCode::kConflict, "the order of version " + std::to_string(pending->version) +
                                           " waits for its roll: " + owed};
  }
  auto position = time_.at(branch.branch, live->info.version);
  if (!position) return std::move(position).error();
  ScriptedChance nothing({});
  Verdict verdict = decide(game->game, *position, order, nothing, envelope(request, live->info));
  if (auto* refused = std::get_if<Rejection>(&verdict)) return OrderAnswer(std::move(*refused));
  if (auto* accepted = std::get_if<Accepted>(&verdict)) {
    return append(request, live->info, accepted->events, accepted->position);
  }
  if (const auto& draft = live->record.draft()) {
    return Error{ErrorCode::kConflict,
                 "dice: an order that rolls must wait until all have joined; "
                 "missing: " +
                     list_names(draft->missing(), roster)};
  }
  for (const EpochFacts::Contributor& c : live->record.epoch()->facts.contributors) {
    if (!live->record.nearly_used_up(c.slot)) continue;
    if (auto status = draft_next(*live); !status) return std::move(status).error();
    if (!live->record.draft()) break;
    return Error{ErrorCode::kConflict,
                 "dice: the contributions of this epoch are used up; everybody must join again, "
                 "missing: " +
                     list_names(live->record.draft()->missing(), roster)};
  }
  EventList events;
  DiceEventWriter writer;
  writer.meta = meta_of(now_(), request.author);
  writer.order_suspended(events, order);
  if (auto status = write_dice(*live, events, request.command); !status) {
    return std::move(status).error();
  }
  const Version version = live->info.version;
  auto advanced = advance(*live);
  if (!advanced) return std::move(advanced).error();
  if (advanced->accepted) return OrderAnswer(*advanced->accepted);
  return OrderAnswer(OrderSuspended{*advanced->waits_for, version, false});
}

// A command that was answered before: with an order that waited then.
Result<OrderAnswer> Referee::repeated_order(const OrderRequest& request,
                                            const OrderAccepted& before) {
  auto live = open_live(request.branch, request.author);
  if (!live) return std::move(live).error();
  auto hash = store_.event_hash(request.branch, before.first);
  if (!hash) return std::move(hash).error();
  auto advanced = advance(*live);
  if (!advanced) return std::move(advanced).error();
  auto finished = store_.find_command(request.branch, finishing_command(*hash));
  if (!finished) return std::move(finished).error();
  if (*finished) return OrderAnswer(OrderAccepted{(*finished)->first, (*finished)->last, true});
  const auto* pending = live->record.pending();
  if (pending && pending->version == before.first) {
    return OrderAnswer(OrderSuspended{*advanced->waits_for, before.first, true});
  }
  bool waited = false;
  auto read = store_.read(request.branch, before.first, before.first, [&](const StoredEvent& e) {
    waited = e.type == static_cast<std::uint16_t>(fb::Payload::OrderSuspended);
    return false;
  });
  if (!read) return std::move(read).error();
  if (waited) return Error{ErrorCode::kConflict, "this order was given up; its rolls are spent"};
  return OrderAnswer(before);
}

Result<Referee::Advanced> Referee::advance(LiveBranch& live) {
  if (auto status = advance_draft(live); !status) return std::move(status).error();
  Advanced out;
  const fairdice::VrfKey key = dice_.vrf_key(live.info.branch);
  while (const DiceRecord::Pending* pending = live.record.pending()) {
    auto order = pending_order(live);
    if (!order) return std::move(order).error();
    auto position = time_.at(live.info.branch, live.info.version);
    if (!position) return std::move(position).error();
    LiveChance chance(live.record, key);
    OrderRequest request;
    request.author = pending->author;
    Verdict verdict =
        decide(live.game->game, *position, *order, chance, envelope(request, live.info));
    if (chance.contradicted() || std::holds_alternative<Rejection>(verdict)) {
      return Error{ErrorCode::kConflict,
                   "the order of version " + std::to_string(pending->version) +
                       " cannot be decided as it was begun: the rules have changed since"};
    }
    if (auto* accepted = std::get_if<Accepted>(&verdict)) {
      auto finished = finish_order(live, *accepted, chance.seals());
      if (!finished) return std::move(finished).error();
      out.accepted = *finished;
      out.waits_for.reset();
      return out;
    }
    const RollRequest& roll = std::get<NeedsRoll>(verdict).request;
    const bool revealing =
        !pending->rolls.empty() && !live.record.missing(pending->rolls.back()).empty();
    auto moved = revealing ? reveal_for(live) : request_for(live, roll);
    if (!moved) return std::move(moved).error();
    if (*moved) continue;
    out.waits_for = roll;
    out.needs_request = !revealing;
    return out;
  }
  return out;
}

Result<Order> Referee::pending_order(const LiveBranch& live) {
  Result<Order> order = corrupt("the order that waits is not on record");
  const Version version = live.record.pending()->version;
  Status read = store_.read(live.info.branch, version, version, [&](const StoredEvent& stored) {
    auto event = open_event(stored.payload);
    if (event) {
      order = read_order(**event, live.game->game.system->order_types(), live.game->roster());
    }
    return false;
  });
  if (!read) return std::move(read).error();
  return order;
}

// True if the request was the service's to make.
Result<bool> Referee::request_for(LiveBranch& live, const RollRequest& roll) {
  const DiceRecord::Epoch& epoch = *live.record.epoch();
  const std::uint8_t slot = roller_slot(roll.roller);
  const EpochFacts::Contributor* roller = epoch.contributor(slot);
  if (!roller) return corrupt("a roll of " + std::to_string(slot) + ", who does not contribute");
  if (!roller->custodial) return false;
  fairdice::Player keeper = dice_.custodian(live.info.branch, slot);
  RollRequestedFacts facts;
  facts.roller = slot;
  facts.number = live.record.next_number(slot);
  facts.order = live.record.pending()->version;
  facts.groups = roll.groups;
  auto element = keeper.element(commitment_of(epoch, slot), slot, facts.number);
  if (!element) return std::move(element).error();
  facts.element = *element;
  facts.key = request_key(live.record.pending()->hash, facts.number);
  facts.signature = bytes_of_signature(keeper.sign(fairdice::request_digest(
      live.info.branch, live.record.request_of(facts, live.info.event_hash))));
  EventList events;
  DiceEventWriter writer;
  writer.meta = meta_of(now_(), "service");
  writer.roll_requested(events, facts);
  auto status = write_dice(live, events, {});
  if (!status) return std::move(status).error();
  return true;
}

// True if some of what is missing was the service's to give.
Result<bool> Referee::reveal_for(LiveBranch& live) {
  const DiceRecord::Epoch& epoch = *live.record.epoch();
  const DiceRecord::Roll& roll = live.record.pending()->rolls.back();
  EventList events;
  DiceEventWriter writer;
  writer.meta = meta_of(now_(), "service");
  for (std::uint8_t slot : live.record.missing(roll)) {
    if (!epoch.contributor(slot)->custodial) continue;
    fairdice::Player keeper = dice_.custodian(live.info.branch, slot);
    auto element = keeper.element(commitment_of(epoch, slot), roll.facts.roller, roll.facts.number);
    if (!element) return std::move(element).error();
    const Hash digest = fairdice::reveal_digest(live.info.branch, roll.digest, slot, *element);
    writer.roll_revealed(events,
                         {roll.version, slot, *element, bytes_of_signature(keeper.sign(digest))});
    writer.meta = {};
  }
  if (events.empty()) return false;
  auto status = write_dice(live, events, {});
  if (!status) return std::move(status).error();
  return true;
}

// Everything is known: seals for what stays hidden, then the order with its rolls in one commit.
Result<OrderAccepted> Referee::finish_order(LiveBranch& live, const Accepted& accepted,
                                            const std::vector<Hash>& seals) {
  const DiceRecord::Pending& pending = *live.record.pending();
  const CommandId command = finishing_command(pending.hash);
  EventList sealed;
  DiceEventWriter writer;
  writer.meta = meta_of(now_(), "service");
  std::size_t next = 0;
  for (std::size_t i = 0; i < accepted.events.size(); ++i) {
    const fb::Event& event = *trusted_event(accepted.events[i]);
    const auto* rolled = event.payload_as_DiceRolled();
    if (!rolled || next >= pending.rolls.size()) continue;
    const DiceRecord::Roll& roll = pending.rolls[next];
    const Hash& seal = seals[next++];
    if (event.visible_to() == 0 || roll.sealed) continue;
    RollSealedFacts facts{roll.version,
                          SideId{rolled->roller()},
                          rolled->number(),
                          rolled->purpose()->str(),
                          fairdice::kVrfSuite,
                          seal,
                          SideId{rolled->roller()}};
    writer.roll_sealed(sealed, facts);
    writer.meta = {};
  }
  if (!sealed.empty()) {
    // The seals are on record before the roll; then the order is decided on the version after them.
    if (auto status = write_dice(live, sealed, {}); !status) return std::move(status).error();
    auto again = advance(live);
    if (!again) return std::move(again).error();
    return *again->accepted;
  }
  OrderRequest request;
  request.branch = live.info.branch;
  request.command = command;
  auto answer = append(request, live.info, accepted.events, accepted.position);
  if (!answer) return std::move(answer).error();
  const auto* done = std::get_if<OrderAccepted>(&*answer);
  if (!done) return Error{ErrorCode::kConflict, "the game has moved on; ask again"};
  const OrderAccepted out = *done;
  if (auto status = refresh(live); !status) return std::move(status).error();
  if (accepted.position.over) {
    if (auto status = open_seals(live); !status) return std::move(status).error();
  }
  return out;
}

// The game is over and everything opens up, the sealed rolls too.
Status Referee::open_seals(LiveBranch& live) {
  EventList events;
  DiceEventWriter writer;
  writer.meta = meta_of(now_(), "service");
  for (const auto& [version, sealed] : live.record.sealed()) {
    writer.roll_opened(events, {version, sealed.proof, sealed.values});
    writer.meta = {};
  }
  return events.empty() ? Status(Done{}) : write_dice(live, events, {});
}

// --------------------------------------------------------------------------- what is handed in

Result<DiceState> Referee::dice_state(const BranchId& branch) {
  std::lock_guard lock(lock_for(branch));
  auto live = open_live(branch, "service");
  if (!live) return std::move(live).error();
  auto advanced = advance(*live);
  if (!advanced) return std::move(advanced).error();
  DiceState state{live->info, live->game->game.created.dice, live->record, {}, {}};
  const auto* pending = live->record.pending();
  std::optional<std::uint8_t> roller;
  if (pending && advanced->waits_for) roller = roller_slot(advanced->waits_for->roller);
  if (pending && advanced->needs_request) {
    state.next = NextRequest{*advanced->waits_for, *roller,       live->record.next_number(*roller),
                             pending->version,     pending->hash, live->info.event_hash};
  }
  state.owed = obligations(live->record, roller);
  return state;
}

Result<DiceAnswer> Referee::request_roll(const BranchId& branch, const RollRequestedFacts& request,
                                         const std::string& author) {
  std::lock_guard lock(lock_for(branch));
  auto live = open_live(branch, author);
  if (!live) return std::move(live).error();
  auto advanced = advance(*live);
  if (!advanced) return std::move(advanced).error();
  const auto* pending = live->record.pending();
  if (!pending) {
    return Error{ErrorCode::kConflict, "no order waits for a roll: this one was made, or given up"};
  }
  for (const DiceRecord::Roll& roll : pending->rolls) {
    if (roll.facts.roller != request.roller || roll.facts.number != request.number) continue;
    if (roll.facts.signature == request.signature && roll.facts.key == request.key) {
      return DiceAnswer{roll.version, true, {}};
    }
    return Error{ErrorCode::kConflict, "another request for this roll is on record: version " +
                                           std::to_string(roll.version)};
  }
  if (!advanced->needs_request) {
    return Error{ErrorCode::kConflict, "no request is owed now"};
  }
  const RollRequest& roll = *advanced->waits_for;
  if (roller_slot(roll.roller) != request.roller) {
    return invalid("roller: the rules ask for a roll of " +
                   slot_name(roller_slot(roll.roller), live->game->roster()));
  }
  RollRequestedFacts facts = request;
  if (facts.groups.size() != roll.groups.size()) return invalid("spec: not what the rules ask for");
  for (std::size_t i = 0; i < facts.groups.size(); ++i) {
    // What counts as a hit is no part of what is signed; the record has it from the rules.
    facts.groups[i].hits_from = roll.groups[i].hits_from;
  }
  if (facts.groups != roll.groups) return invalid("spec: not what the rules ask for");
  EventList events;
  DiceEventWriter writer;
  writer.meta = meta_of(now_(), author);
  writer.roll_requested(events, facts);
  return take_dice(*live, events);
}

Result<DiceAnswer> Referee::reveal_roll(const BranchId& branch, const RollRevealedFacts& reveal,
                                        const std::string& author) {
  std::lock_guard lock(lock_for(branch));
  auto live = open_live(branch, author);
  if (!live) return std::move(live).error();
  if (auto advanced = advance(*live); !advanced) return std::move(advanced).error();
  const auto* pending = live->record.pending();
  if (!pending) {
    return Error{ErrorCode::kConflict, "no order waits for a roll: this one was made, or given up"};
  }
  for (const DiceRecord::Roll& roll : pending->rolls) {
    if (roll.version != reveal.request) continue;
    const auto given = roll.disclosed.find(reveal.contributor);
    if (given == roll.disclosed.end()) break;
    if (given->second.given == reveal.element) return DiceAnswer{roll.version, true, {}};
    return Error{ErrorCode::kConflict, "another reveal of this contributor is on record"};
  }
  EventList events;
  DiceEventWriter writer;
  writer.meta = meta_of(now_(), author);
  writer.roll_revealed(events, reveal);
  return take_dice(*live, events);
}

Result<DiceAnswer> Referee::unlock_rolls(const BranchId& branch, const RollsUnlockedFacts& unlock,
                                         const std::string& author) {
  std::lock_guard lock(lock_for(branch));
  auto live = open_live(branch, author);
  if (!live) return std::move(live).error();
  if (auto advanced = advance(*live); !advanced) return std::move(advanced).error();
  if (const auto& epoch = live->record.epoch()) {
    const auto before = epoch->unlocks.find({unlock.contributor, unlock.roller});
    if (before != epoch->unlocks.end() && before->second.up_to == unlock.up_to &&
        before->second.element == unlock.element) {
      return DiceAnswer{before->second.version, true, {}};
    }
  }
  EventList events;
  DiceEventWriter writer;
  writer.meta = meta_of(now_(), author);
  writer.rolls_unlocked(events, unlock);
  return take_dice(*live, events);
}

Result<DiceAnswer> Referee::abandon_order(const BranchId& branch,
                                          std::vector<std::pair<std::uint8_t, Bytes>> agreed,
                                          const std::string& text, const std::string& author) {
  std::lock_guard lock(lock_for(branch));
  auto live = open_live(branch, author);
  if (!live) return std::move(live).error();
  auto advanced = advance(*live);
  if (!advanced) return std::move(advanced).error();
  const auto* pending = live->record.pending();
  if (!pending || !advanced->waits_for) {
    return Error{ErrorCode::kConflict, "no order waits for a roll"};
  }
  const SideId next_roller = advanced->waits_for->roller;
  const DiceRecord::Owed owed = live->record.owed(roller_slot(next_roller));
  std::sort(agreed.begin(), agreed.end());
  EventList events;
  DiceEventWriter writer;
  writer.meta = meta_of(now_(), author);
  std::map<std::uint8_t, std::uint64_t> spent;
  auto give_up = [&](std::uint8_t slot, Version request) {
    const SideId side = slot == kServiceSlot ? kNoSide : SideId{slot};
    writer.roll_abandoned(events, {side, live->record.rolls(slot) + spent[slot]++, pending->version,
                                   request, owed.slots, agreed, text});
    writer.meta = {};
  };
  for (const DiceRecord::Roll& roll : pending->rolls) give_up(roll.facts.roller, roll.version);
  if (advanced->needs_request) give_up(roller_slot(next_roller), 0);
  return take_dice(*live, events);
}

Result<DiceAnswer> hand_in_dice(Referee& referee, const BranchId& branch, std::string_view door,
                                const nlohmann::json& body, const std::string& author) {
  if (door == "join") {
    auto contributor = contributor_from_json(body);
    if (!contributor) return std::move(contributor).error();
    return referee.join(branch, *contributor, author);
  }
  if (door == "request") {
    auto request = roll_request_from_json(body);
    if (!request) return std::move(request).error();
    return referee.request_roll(branch, *request, author);
  }
  if (door == "reveal") {
    auto reveal = reveal_from_json(body);
    if (!reveal) return std::move(reveal).error();
    return referee.reveal_roll(branch, *reveal, author);
  }
  if (door == "unlock") {
    auto unlock = unlock_from_json(body);
    if (!unlock) return std::move(unlock).error();
    return referee.unlock_rolls(branch, *unlock, author);
  }
  if (door != "abandon") return not_found("no such door: " + std::string(door));
  auto agreement = abandon_from_json(body);
  if (!agreement) return std::move(agreement).error();
  return referee.abandon_order(branch, std::move(agreement->agreed), agreement->text, author);
}

nlohmann::json dice_answer_json(const DiceAnswer& answer) {
  nlohmann::json out = {{"version", answer.version}, {"duplicate", answer.duplicate}};
  if (answer.order) out["order"] = {{"first", answer.order->first}, {"last", answer.order->last}};
  return out;
}

}  // namespace wardiary

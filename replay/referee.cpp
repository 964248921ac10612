#include "replay/referee.h"

#include <sodium.h>

#include <algorithm>

#include <nlohmann/json.hpp>

#include "domain/base/sha256.h"
#include "domain/schema/event_generated.h"
#include "replay/branch_chance.h"
#include "replay/referee_parts.h"

namespace wardiary {

using nlohmann::json;

Id random_id() {
  Id id;
  randombytes_buf(id.data.data(), id.data.size());
  return id;
}

namespace {

Status check_dice(const GameRequest& request) {
  const bool live = request.dice == Grade::kLive || request.dice == Grade::kAsync;
  if (!live && request.dice != Grade::kSolo) {
    return invalid("dice: must be solo, live or async");
  }
  if (live && request.keeping == Keeping::kScribed) {
    return invalid("dice: those of a scribed game are rolled elsewhere");
  }
  if (!live && !request.custodial.empty()) {
    return invalid("custodial: only in a game with live or async dice");
  }
  if (request.chain_length < 2 || request.chain_length > fairdice::kChainLengthMax) {
    return invalid("chain length: must be 2 to " + std::to_string(fairdice::kChainLengthMax));
  }
  return Done{};
}

// The policy a branch was forked with, from its first own event.
Result<DicePolicy> policy_of(EventStore& store, const BranchInfo& branch) {
  Result<DicePolicy> policy =
      corrupt("branch " + to_hex(branch.branch) + " does not say how it rolls");
  Status read = store.read(
      branch.branch, branch.forked_at + 1, branch.forked_at + 1, [&](const StoredEvent& stored) {
        auto event = open_event(stored.payload);
        const auto* forked = event ? (*event)->payload_as_BranchForked() : nullptr;
        if (forked) policy = static_cast<DicePolicy>(forked->policy());
        return false;
      });
  if (!read) return std::move(read).error();
  return policy;
}

}  // namespace

std::vector<NewEvent> to_store(const EventList& events) {
  std::vector<NewEvent> out;
  out.reserve(events.size());
  for (std::size_t i = 0; i < events.size(); ++i) out.push_back({events.type(i), events[i]});
  return out;
}

CommandId or_random(const CommandId& command) {
  return command.is_zero() ? random_id() : command;
}

Result<OpenGamePtr> Referee::create(const GameRequest& request) {
  const RuleSystem* system = rule_system(request.system);
  if (!system) return invalid("system: there is no \"" + request.system + "\"");
  CreationDetails details;
  details.seats = request.seats;
  details.keeping = request.keeping;
  const bool live = request.dice == Grade::kLive || request.dice == Grade::kAsync;
  if (auto checked = check_dice(request); !checked) return std::move(checked).error();
  details.dice = request.keeping == Keeping::kScribed ? Grade::kImported : request.dice;
  details.recorded_at_ms = now_();
  details.author = request.author;
  details.salt = [](std::size_t) { return random_id(); };
  auto created = create_game(*system, request.spec, details);
  if (!created) return std::move(created).error();

  NewGame game;
  const CommandId command = or_random(request.command);
  // Ids follow from the command id, so that a retry after a crash finds the game it made.
  const Hash ids = sha256(command);
  game.game = *Id::from(ids.view().first(16));
  game.mainline = *Id::from(ids.view().last(16));
  game.name = request.name.empty() ? request.spec.scenario : request.name;
  game.created_at_ms = details.recorded_at_ms;
  game.command = command;

  const std::size_t sides = created->game.roster().sides.size();
  const Hash rules = rules_hash(created->game.created);
  DiceEventWriter writer;
  if (live) {
    DiceEpoch draft = draft_epoch(dice_.master(), game.mainline, sides, rules, details.dice);
    draft.chain_length = request.chain_length;
    draft.answer_within_s = request.answer_within_s;
    writer.epoch_drafted(created->events, draft);
  } else {
    auto epoch = custodial_epoch(dice_.master(), game.mainline, sides, rules, details.dice, {},
                                 request.chain_length);
    if (!epoch) return std::move(epoch).error();
    writer.epoch_opened(created->events, *epoch);
  }

  const std::vector<NewEvent> events = to_store(created->events);
  game.events = events;
  std::vector<ByteView> contents;
  for (const Content& content : created->contents) contents.push_back(bytes_of(content.text));
  game.contents = contents;
  auto appended = store_.create_game(game);
  if (!appended) return std::move(appended).error();
  if (appended->kind == Appended::Kind::kConflict) {
    return Error{ErrorCode::kConflict, "a game with this id exists already"};
  }
  if (appended->kind == Appended::Kind::kUnknown) {
    return Error{ErrorCode::kUnknown, "it is not known whether the game was written; ask again"};
  }
  std::vector<SideId> custodial = request.custodial;
  for (std::size_t s = 0; live && s < sides; ++s) {
    // A side that nobody sits at has nobody to keep its key either.
    const SideId side{static_cast<int>(s)};
    const bool listed = std::find(custodial.begin(), custodial.end(), side) != custodial.end();
    if (!system->is_played(side) && !listed) custodial.push_back(side);
  }
  for (SideId side : custodial) {
    auto joined = join_custodial(game.mainline, side, request.author);
    // On a retry it may have joined before.
    if (!joined && joined.error().code != ErrorCode::kConflict) return std::move(joined).error();
  }
  return library_.game(game.game);
}

Envelope Referee::envelope(const OrderRequest& request, const BranchInfo& branch) {
  Envelope out;
  out.recorded_at_ms = now_();
  out.author = request.author;
  // Salts are random, but the same for a retry of the same order at the same place.
  out.salt = [this, branch = branch.branch, version = branch.version](std::size_t index) {
    Bytes message(branch.data.begin(), branch.data.end());
    put_u64(message, version + 1 + index);
    put(message, bytes_of("salt"));
    const Hash hash = hmac_sha256(dice_.master().view(), message);
    return *Id::from(hash.view().first(16));
  };
  return out;
}

Result<std::shared_ptr<Chance>> Referee::chance_for(const OpenGame& game, const BranchInfo& branch,
                                                    const OrderRequest& request) {
  if (request.dice) {
    // On a what-if, chosen faces are the `fixed` policy; on a mainline they are a scribe's.
    const bool scribed = game.game.created.keeping == Keeping::kScribed;
    if (!scribed && !branch.parent) {
      return Error{ErrorCode::kDenied, "dice: only a scribed game takes dice rolled elsewhere"};
    }
    return std::shared_ptr<Chance>(std::make_shared<ScriptedChance>(
        *request.dice, branch.parent ? Grade::kBranch : Grade::kImported));
  }
  if (!branch.parent && game.game.created.keeping == Keeping::kScribed) {
    // The service must not roll for a scribe: such dice would pass for rolled at the table.
    return std::shared_ptr<Chance>(std::make_shared<ScriptedChance>(std::vector<std::uint32_t>()));
  }
  if (!branch.parent) return dice_.chance(branch, game.game.created.dice);
  auto policy = policy_of(store_, branch);
  if (!policy) return std::move(policy).error();
  if (*policy == DicePolicy::kExpected)
    return std::shared_ptr<Chance>(std::make_shared<ExpectedChance>());
  auto own = dice_.chance(branch, Grade::kBranch);
  if (!own || *policy != DicePolicy::kSame) return own;
  auto rolls = recorded_rolls(store_, *branch.parent, branch.forked_at);
  if (!rolls) return std::move(rolls).error();
  return std::shared_ptr<Chance>(std::make_shared<SameChance>(std::move(*rolls), std::move(*own)));
}

Result<OrderAnswer> Referee::append(const OrderRequest& request, const BranchInfo& branch,
                                    const EventList& events, const Position& after) {
  const std::vector<NewEvent> list = to_store(events);
  Commit commit;
  commit.branch = branch.branch;
  commit.expected = branch.version;
  commit.command = or_random(request.command);
  commit.events = list;
  commit.durability = request.durability;
  auto appended = store_.append(commit);
  if (!appended) return std::move(appended).error();
  switch (appended->kind) {
    case Appended::Kind::kOk:
      time_.remember(branch.branch, appended->last, after);
      return OrderAnswer(OrderAccepted{appended->first, appended->last, false});
    case Appended::Kind::kDuplicate:
      return OrderAnswer(OrderAccepted{appended->first, appended->last, true});
    case Appended::Kind::kConflict:
      return OrderAnswer(VersionConflict{appended->current});
    case Appended::Kind::kUnknown:
      break;
  }
  return Error{ErrorCode::kUnknown,
               "it is not known whether the order was written; ask again with the same command id"};
}

Result<OrderAnswer> Referee::order(const OrderRequest& request, const json& order_json) {
  auto game = library_.game_of(request.branch);
  if (!game) return std::move(game).error();
  if (!(*game)->game.system) return invalid((*game)->game.no_rules);
  const Board& board = *(*game)->game.board;
  auto parsed = order_from_json(order_json, (*game)->game.system->order_types(), (*game)->roster(),
                                [&](std::string_view name) { return board.find(name); });
  if (!parsed) return std::move(parsed).error();
  return order(request, *parsed);
}

Result<std::variant<BranchInfo, OrderAnswer>> Referee::find_branch(const OrderRequest& request) {
  using Found = std::variant<BranchInfo, OrderAnswer>;
  if (!request.command.is_zero()) {
    auto before = store_.find_command(request.branch, request.command);
    if (!before) return std::move(before).error();
    if (*before) {
      return Found(OrderAnswer(OrderAccepted{(*before)->first, (*before)->last, true}));
    }
  }
  auto branch = store_.branch(request.branch);
  if (!branch) return std::move(branch).error();
  if (request.expected && *request.expected != branch->version) {
    return Found(OrderAnswer(VersionConflict{branch->version}));
  }
  return Found(std::move(*branch));
}

Result<OrderAnswer> Referee::order(const OrderRequest& request, const Order& order) {
  std::lock_guard lock(lock_for(request.branch));
  auto game = library_.game_of(request.branch);
  if (!game) return std::move(game).error();
  auto found = find_branch(request);
  if (!found) return std::move(found).error();
  auto* answer = std::get_if<OrderAnswer>(&*found);
  const bool live = request.branch == (*game)->mainline && is_live(**game);
  if (!live)
    return answer ? std::move(*answer)
                  : decide_order(request, **game, std::get<BranchInfo>(*found), order);
  if (!answer) return live_order(request, *game, std::get<BranchInfo>(*found), order);
  const auto* before = std::get_if<OrderAccepted>(answer);
  return before ? repeated_order(request, *before) : std::move(*answer);
}

Result<OrderAnswer> Referee::decide_order(const OrderRequest& request, const OpenGame& game,
                                          const BranchInfo& branch, const Order& order,
                                          bool rolled_over) {
  auto position = time_.at(request.branch, branch.version);
  if (!position) return std::move(position).error();
  auto chance = chance_for(game, branch, request);
  if (!chance) return std::move(chance).error();
  Verdict verdict = decide(game.game, *position, order, **chance, envelope(request, branch));
  if (auto* refused = std::get_if<Rejection>(&verdict)) return OrderAnswer(std::move(*refused));
  auto* script = dynamic_cast<ScriptedChance*>(chance->get());
  if (auto* needs = std::get_if<NeedsRoll>(&verdict)) {
    if (script && request.dice) return invalid("dice: " + script->complaint());
    if (!script && rolled_over)
      return invalid("dice: the order needs more rolls than an epoch has");
    if (!script) return roll_over(request, game, branch, *position, order);
    return OrderAnswer(OrderSuspended{std::move(needs->request)});
  }
  if (request.dice && script->left()) {
    return invalid("dice: " + std::to_string(script->left()) + " more than the order uses");
  }
  auto& accepted = std::get<Accepted>(verdict);
  return append(request, branch, accepted.events, accepted.position);
}

// The service's own dice wait for nobody: a roll that has no answer is beyond the epoch's chains.
Result<OrderAnswer> Referee::roll_over(const OrderRequest& request, const OpenGame& game,
                                       const BranchInfo& branch, const Position& position,
                                       const Order& order) {
  FirstRolls first;
  const std::size_t sides = game.roster().sides.size();
  for (std::size_t s = 0; s <= sides; ++s) {
    const SideId side = s < sides ? SideId{static_cast<int>(s)} : kNoSide;
    if (position.rolls(side)) first.emplace_back(roller_slot(side), position.rolls(side));
  }
  auto old = dice_.find_epoch(branch);
  if (!old) return std::move(old).error();
  auto epoch = custodial_epoch(dice_.master(), branch.branch, sides, old->facts.rules_hash,
                               old->facts.policy, first, old->facts.chain_length);
  if (!epoch) return std::move(epoch).error();
  EventList events;
  DiceEventWriter writer;
  writer.meta.recorded_at_ms = now_();
  writer.meta.author = "service";
  writer.epoch_opened(events, *epoch);
  OrderRequest opening;
  opening.branch = branch.branch;
  auto opened = append(opening, branch, events, position);
  if (!opened) return std::move(opened).error();
  dice_.forget(branch.branch);
  auto now = store_.branch(branch.branch);
  if (!now) return std::move(now).error();
  return decide_order(request, game, *now, order, /*rolled_over=*/true);
}

Result<Verdict> Referee::try_order(const BranchId& branch, const Order& order) {
  auto game = library_.game_of(branch);
  if (!game) return std::move(game).error();
  auto head = time_.head(branch);
  if (!head) return std::move(head).error();
  ScriptedChance none({});
  return decide((*game)->game, head->position, order, none);
}

Result<OrderAnswer> Referee::draft(const OrderRequest& request, const DraftBy& by) {
  std::lock_guard lock(lock_for(request.branch));
  auto game = library_.game_of(request.branch);
  if (!game) return std::move(game).error();
  auto found = find_branch(request);
  if (!found) return std::move(found).error();
  if (auto* answer = std::get_if<OrderAnswer>(&*found)) return std::move(*answer);
  const BranchInfo& branch = std::get<BranchInfo>(*found);
  // An order that waits for its dice will be decided on the position as it is: nothing may change
  // it.
  if (is_live(**game) && !branch.parent) {
    auto live = open_live(request.branch, request.author);
    if (!live) return std::move(live).error();
    if (const auto* pending = live->record.pending()) {
      return Error{
          ErrorCode::kConflict,
          "the order of version " + std::to_string(pending->version) + " waits for its dice"};
    }
  }
  auto position = time_.at(request.branch, branch.version);
  if (!position) return std::move(position).error();
  ScriptedChance none({});
  Draft draft((*game)->game, std::move(*position), none, envelope(request, branch));
  if (auto status = by(draft, **game, branch); !status) return std::move(status).error();
  if (draft.events().empty()) return invalid("the facts change nothing");
  const EventList events = draft.take_events();
  return append(request, branch, events, draft.position());
}

Result<std::vector<Order>> Referee::legal_orders(const BranchId& branch, SideId side,
                                                 std::size_t most) {
  auto game = library_.game_of(branch);
  if (!game) return std::move(game).error();
  auto head = time_.head(branch);
  if (!head) return std::move(head).error();
  std::vector<Order> orders;
  if (!(*game)->game.system || head->position.over) return orders;
  if (!side.ok() || side.index() >= (*game)->roster().sides.size()) return invalid("no such side");
  if (head->position.pending(side).kind == 0) return orders;
  (*game)->game.system->legal_orders((*game)->game, head->position, side, [&](const Order& order) {
    orders.push_back(order);
    return orders.size() < most;
  });
  return orders;
}

}  // namespace wardiary

#include "domain/event.h"

#include <flatbuffers/flatbuffers.h>

#include "domain/dice_events.h"
#include "domain/schema/event_generated.h"

namespace wardiary {

using flatbuffers::Offset;
using flatbuffers::Vector;
using Texts = Vector<Offset<flatbuffers::String>>;

void EventList::add(std::uint16_t type, ByteView bytes) {
  const std::size_t offset = (memory_.size() + 7) & ~std::size_t{7};
  memory_.resize(offset + bytes.size());
  if (!bytes.empty()) std::memcpy(memory_.data() + offset, bytes.data(), bytes.size());
  spans_.push_back({offset, bytes.size(), type});
}

Result<const fb::Event*> open_event(ByteView bytes) {
  constexpr std::size_t kSmallest = 16;
  if (bytes.size() < kSmallest)
    return corrupt("event of " + std::to_string(bytes.size()) + " bytes");
  if (!fb::EventBufferHasIdentifier(bytes.data()))
    return corrupt("not an event: no WDEV identifier");
  flatbuffers::Verifier verifier(bytes.data(), bytes.size(), 16, 200'000);
  if (!fb::VerifyEventBuffer(verifier)) return corrupt("malformed event");
  const fb::Event* event = fb::GetEvent(bytes.data());
  if (event->payload_type() < fb::Payload::MIN || event->payload_type() > fb::Payload::MAX ||
      event->payload_type() == fb::Payload::NONE) {
    return corrupt("event of unknown type " +
                   std::to_string(static_cast<int>(event->payload_type())));
  }
  return event;
}

const fb::Event* trusted_event(ByteView bytes) {
  return fb::GetEvent(bytes.data());
}

std::string_view event_type_name(std::uint16_t type) {
  if (type > static_cast<std::uint16_t>(fb::Payload::MAX)) return "";
  return fb::EnumNamePayload(static_cast<fb::Payload>(type));
}

std::uint16_t event_type_number(std::string_view name) {
  for (int type = 1; type <= static_cast<int>(fb::Payload::MAX); ++type) {
    if (event_type_name(static_cast<std::uint16_t>(type)) == name) {
      return static_cast<std::uint16_t>(type);
    }
  }
  return 0;
}

// ------------------------------------------------------------------------------- the encoders

namespace {

struct PayloadBuilder {
  flatbuffers::FlatBufferBuilder fbb{1024};

  Offset<flatbuffers::String> text(std::string_view text) {
    return text.empty() ? 0 : fbb.CreateString(text.data(), text.size());
  }
  Offset<flatbuffers::String> needed(std::string_view text) {
    return fbb.CreateString(text.data(), text.size());
  }
  Offset<Vector<std::uint8_t>> bytes(ByteView bytes) {
    return bytes.empty() ? 0 : fbb.CreateVector(bytes.data(), bytes.size());
  }
  Offset<Texts> texts(const std::vector<std::string>& texts) {
    return fbb.CreateVectorOfStrings(texts);
  }
  Offset<Vector<Offset<fb::Attribute>>> attributes(const std::vector<Attribute>& list) {
    std::vector<Offset<fb::Attribute>> out;
    for (const Attribute& a : list) {
      auto name = needed(a.name);
      auto words = a.words.empty() ? 0 : texts(a.words);
      out.push_back(
          fb::CreateAttribute(fbb, name, static_cast<fb::ValueKind>(a.kind), a.initial, words));
    }
    return out.empty() ? 0 : fbb.CreateVector(out);
  }

  Offset<Vector<const fb::RollGroup*>> groups(const std::vector<RollGroup>& list) {
    std::vector<fb::RollGroup> out;
    for (const RollGroup& g : list) out.emplace_back(g.kind, g.count, g.sides, g.hits_from);
    return fbb.CreateVectorOfStructs(out);
  }
  Offset<fb::OrderIssued> order(const Order& order) {
    std::vector<Offset<fb::Argument>> arguments;
    for (std::size_t i = 0; i < order.type().fields.size(); ++i) {
      const auto& value = order.values()[i];
      if (!value) continue;
      auto field = needed(order.type().fields[i].name);
      auto numbers = value->numbers.empty() ? 0 : fbb.CreateVector(value->numbers);
      auto words = text(value->text);
      arguments.push_back(fb::CreateArgument(fbb, field, numbers, words));
    }
    auto type = needed(order.type().name);
    auto list = fbb.CreateVector(arguments);
    return fb::CreateOrderIssued(fbb, type, static_cast<std::int8_t>(order.side.value), list);
  }
  Offset<fb::Contributor> contributor(const EpochFacts::Contributor& c) {
    std::vector<Offset<fb::Anchor>> anchors;
    for (const auto& [roller, anchor] : c.anchors) {
      auto value = bytes(anchor);
      anchors.push_back(fb::CreateAnchor(fbb, roller, value));
    }
    auto name = text(c.name);
    auto key = bytes(c.key);
    auto anchor_list = fbb.CreateVector(anchors);
    auto signature = bytes(c.signature);
    return fb::CreateContributor(fbb, c.slot, name, key, anchor_list, signature, c.custodial);
  }

  // Wraps the payload into its envelope and appends the finished bytes.
  template <class T>
  void finish(EventList& out, const EventMeta& envelope, Offset<T> payload) {
    const fb::Payload type = fb::PayloadTraits<T>::enum_value;
    auto salt = bytes(envelope.salt);
    auto author = text(envelope.author);
    auto event = fb::CreateEvent(fbb, type, payload.Union(), envelope.visible_to, salt,
                                 envelope.because, envelope.recorded_at_ms, author);
    fb::FinishEventBuffer(fbb, event);
    out.add(static_cast<std::uint16_t>(type), {fbb.GetBufferPointer(), fbb.GetSize()});
    fbb.Clear();
  }
};

}  // namespace

struct EventWriter::Builder : PayloadBuilder {};
struct DiceEventWriter::Builder : PayloadBuilder {};

EventWriter::EventWriter() : builder_(std::make_unique<Builder>()) {}
EventWriter::~EventWriter() = default;
DiceEventWriter::DiceEventWriter() : builder_(std::make_unique<Builder>()) {}
DiceEventWriter::~DiceEventWriter() = default;

namespace {

fb::Clock to_fb(const Clock& c) {
  return {c.turn, c.phase, c.side};
}
fb::Question to_fb(const Question& q) {
  return {q.kind, q.space, q.unit, q.number};
}
std::uint16_t u16(int v) {
  return static_cast<std::uint16_t>(v);
}
std::uint8_t u8(int v) {
  return static_cast<std::uint8_t>(v);
}
std::int8_t i8(int v) {
  return static_cast<std::int8_t>(v);
}

}  // namespace

void EventWriter::game_created(EventList& out, const GameCreatedFacts& facts) {
  Builder& b = *builder_;
  const Roster& r = facts.roster;
  std::vector<fb::Link> links;
  for (const RosterLink& link : r.links) links.emplace_back(u16(link.a.value), u16(link.b.value));
  std::vector<Offset<fb::RosterUnit>> units;
  for (const RosterUnit& unit : r.units) {
    auto name = b.needed(unit.name);
    auto title = b.text(unit.title);
    auto type = b.text(unit.type);
    units.push_back(fb::CreateRosterUnit(b.fbb, name, title, type, i8(unit.side.value)));
  }
  std::vector<Offset<fb::RosterPool>> pools;
  for (const RosterPool& pool : r.pools) {
    auto name = b.needed(pool.name);
    auto items = b.texts(pool.items);
    pools.push_back(fb::CreateRosterPool(b.fbb, name, items));
  }
  auto sides = b.texts(r.sides);
  auto phases = b.texts(r.phases);
  auto turns = b.texts(r.turns);
  auto decisions = b.texts(r.decisions);
  auto spaces = b.texts(r.spaces);
  auto link_list = b.fbb.CreateVectorOfStructs(links);
  auto unit_list = b.fbb.CreateVector(units);
  auto unit_attributes = b.attributes(r.unit_attributes);
  auto space_attributes = b.attributes(r.space_attributes);
  auto link_attributes = b.attributes(r.link_attributes);
  auto tracks = b.attributes(r.tracks);
  auto pool_list = b.fbb.CreateVector(pools);
  auto roster =
      fb::CreateRoster(b.fbb, sides, phases, turns, decisions, spaces, link_list, unit_list,
                       unit_attributes, space_attributes, link_attributes, tracks, pool_list);
  std::vector<Offset<fb::Option>> options;
  for (const GameOption& option : facts.options) {
    auto name = b.needed(option.name);
    auto value = b.needed(option.value);
    options.push_back(fb::CreateOption(b.fbb, name, value));
  }
  std::vector<Offset<fb::Content>> contents;
  for (const ContentRef& content : facts.contents) {
    auto role = b.needed(content.role);
    auto name = b.needed(content.name);
    auto hash = b.bytes(content.sha256);
    contents.push_back(fb::CreateContent(b.fbb, role, name, hash));
  }
  std::vector<Offset<fb::Seat>> seats;
  for (const SeatSpec& seat : facts.seats) {
    std::vector<std::uint8_t> numbers;
    for (SideId side : seat.sides) numbers.push_back(u8(side.value));
    auto name = b.needed(seat.name);
    auto list = b.fbb.CreateVector(numbers);
    seats.push_back(fb::CreateSeat(b.fbb, name, list));
  }
  auto system = b.needed(facts.system);
  auto version = b.needed(facts.rules_version);
  auto scenario = b.text(facts.scenario);
  auto option_list = b.fbb.CreateVector(options);
  auto content_list = b.fbb.CreateVector(contents);
  auto seat_list = b.fbb.CreateVector(seats);
  b.finish(out, meta,
           fb::CreateGameCreated(b.fbb, system, version, scenario, option_list, content_list,
                                 seat_list, static_cast<fb::Keeping>(facts.keeping),
                                 static_cast<fb::Grade>(facts.dice), roster));
}

void EventWriter::branch_forked(EventList& out, const Id& parent, std::uint64_t at,
                                std::string_view name, std::string_view reason, DicePolicy policy) {
  Builder& b = *builder_;
  auto parent_bytes = b.bytes(parent);
  auto name_text = b.text(name);
  auto reason_text = b.text(reason);
  b.finish(out, meta,
           fb::CreateBranchForked(b.fbb, parent_bytes, at, name_text, reason_text,
                                  static_cast<fb::DicePolicy>(policy)));
}

void EventWriter::game_ended(EventList& out, SideId winner, std::string_view level,
                             std::string_view text) {
  Builder& b = *builder_;
  auto level_text = b.text(level);
  auto full_text = b.text(text);
  b.finish(out, meta, fb::CreateGameEnded(b.fbb, i8(winner.value), level_text, full_text));
}

void EventWriter::order_issued(EventList& out, const Order& order) {
  Builder& b = *builder_;
  b.finish(out, meta, b.order(order));
}

void EventWriter::ruling(EventList& out, std::string_view by, std::string_view rule,
                         std::string_view text) {
  Builder& b = *builder_;
  auto by_text = b.text(by);
  auto rule_text = b.text(rule);
  auto full_text = b.text(text);
  b.finish(out, meta, fb::CreateRuling(b.fbb, by_text, rule_text, full_text));
}

void EventWriter::take_back(EventList& out, std::uint64_t to, std::string_view text) {
  Builder& b = *builder_;
  auto full_text = b.text(text);
  b.finish(out, meta, fb::CreateTakeBack(b.fbb, to, full_text));
}

void EventWriter::phase_began(EventList& out, const Clock& from, const Clock& to,
                              const Hash& digest) {
  Builder& b = *builder_;
  auto hash = b.bytes(digest);
  const fb::Clock a = to_fb(from);
  const fb::Clock z = to_fb(to);
  b.finish(out, meta, fb::CreatePhaseBegan(b.fbb, &a, &z, hash));
}

void EventWriter::decision_asked(EventList& out, SideId side, const Question& from,
                                 const Question& to) {
  Builder& b = *builder_;
  const fb::Question a = to_fb(from);
  const fb::Question z = to_fb(to);
  b.finish(out, meta, fb::CreateDecisionAsked(b.fbb, i8(side.value), &a, &z));
}

void EventWriter::dice_rolled(EventList& out, const RollRequest& request, const Rolled& rolled,
                              const RollOutcome& outcome) {
  Builder& b = *builder_;
  std::vector<Offset<fb::Term>> terms;
  for (const RollTerm& term : request.terms) {
    auto label = b.needed(term.label);
    terms.push_back(fb::CreateTerm(b.fbb, label, term.value));
  }
  auto purpose = b.needed(request.purpose);
  auto group_list = b.groups(request.groups);
  auto values = b.fbb.CreateVector(rolled.values);
  auto term_list = terms.empty() ? 0 : b.fbb.CreateVector(terms);
  auto table = b.text(request.table);
  auto column = b.text(outcome.column);
  auto result = b.text(outcome.result);
  auto proof = b.bytes(rolled.proof);
  std::vector<Offset<fb::Element>> elements;
  for (const Rolled::Element& e : rolled.elements) {
    auto value = b.bytes(e.value);
    elements.push_back(fb::CreateElement(b.fbb, e.slot, value));
  }
  auto element_list = elements.empty() ? 0 : b.fbb.CreateVector(elements);
  b.finish(out, meta,
           fb::CreateDiceRolled(b.fbb, i8(request.roller.value), request.number, purpose,
                                request.space.value, request.unit.value, group_list, values,
                                term_list, table, column, result, outcome.hits,
                                static_cast<fb::Grade>(rolled.grade), rolled.request, rolled.suite,
                                proof, element_list));
}

void EventWriter::epoch_opened(EventList& out, const EpochFacts& epoch) {
  DiceEpoch with_terms;
  static_cast<EpochFacts&>(with_terms) = epoch;
  DiceEventWriter writer;
  writer.meta = meta;
  writer.epoch_opened(out, with_terms);
}

void DiceEventWriter::epoch_opened(EventList& out, const DiceEpoch& epoch) {
  Builder& b = *builder_;
  std::vector<Offset<fb::Contributor>> contributors;
  for (const EpochFacts::Contributor& c : epoch.contributors) {
    contributors.push_back(b.contributor(c));
  }
  std::vector<Offset<fb::First>> first;
  for (const auto& [roller, number] : epoch.first) {
    first.push_back(fb::CreateFirst(b.fbb, roller, number));
  }
  auto stream = b.bytes(epoch.stream);
  auto vrf_key = b.bytes(epoch.vrf_key);
  auto rules_hash = b.bytes(epoch.rules_hash);
  auto contributor_list = b.fbb.CreateVector(contributors);
  auto first_list = first.empty() ? 0 : b.fbb.CreateVector(first);
  b.finish(out, meta,
           fb::CreateEpochOpened(b.fbb, stream, vrf_key, epoch.suite, epoch.chain_length,
                                 rules_hash, contributor_list, static_cast<fb::Grade>(epoch.policy),
                                 first_list, epoch.answer_within_s, epoch.drafted));
}

void DiceEventWriter::epoch_drafted(EventList& out, const DiceEpoch& draft) {
  Builder& b = *builder_;
  auto stream = b.bytes(draft.stream);
  auto vrf_key = b.bytes(draft.vrf_key);
  auto rules_hash = b.bytes(draft.rules_hash);
  auto slots = b.fbb.CreateVector(draft.slots);
  b.finish(
      out, meta,
      fb::CreateEpochDrafted(b.fbb, stream, vrf_key, draft.suite, draft.chain_length, rules_hash,
                             static_cast<fb::Grade>(draft.policy), slots, draft.answer_within_s));
}

void DiceEventWriter::contributor_joined(EventList& out, std::uint64_t drafted,
                                         const EpochFacts::Contributor& contributor) {
  Builder& b = *builder_;
  auto joined = b.contributor(contributor);
  b.finish(out, meta, fb::CreateContributorJoined(b.fbb, drafted, joined));
}

void DiceEventWriter::order_suspended(EventList& out, const Order& order) {
  Builder& b = *builder_;
  auto issued = b.order(order);
  b.finish(out, meta, fb::CreateOrderSuspended(b.fbb, issued));
}

void DiceEventWriter::roll_requested(EventList& out, const RollRequestedFacts& facts) {
  Builder& b = *builder_;
  auto groups = b.groups(facts.groups);
  auto element = b.bytes(facts.element);
  auto key = b.bytes(facts.key);
  auto signature = b.bytes(facts.signature);
  b.finish(out, meta,
           fb::CreateRollRequested(b.fbb, facts.roller, facts.number, facts.order, groups, element,
                                   key, signature));
}

void DiceEventWriter::roll_revealed(EventList& out, const RollRevealedFacts& facts) {
  Builder& b = *builder_;
  auto element = b.bytes(facts.element);
  auto signature = b.bytes(facts.signature);
  b.finish(out, meta,
           fb::CreateRollRevealed(b.fbb, facts.request, facts.contributor, element, signature));
}

void DiceEventWriter::rolls_unlocked(EventList& out, const RollsUnlockedFacts& facts) {
  Builder& b = *builder_;
  auto element = b.bytes(facts.element);
  auto signature = b.bytes(facts.signature);
  b.finish(out, meta,
           fb::CreateRollsUnlocked(b.fbb, facts.contributor, facts.roller, facts.up_to, element,
                                   signature));
}

void DiceEventWriter::roll_sealed(EventList& out, const RollSealedFacts& facts) {
  Builder& b = *builder_;
  auto purpose = b.text(facts.purpose);
  auto seal = b.bytes(facts.seal);
  b.finish(out, meta,
           fb::CreateRollSealed(b.fbb, facts.request, i8(facts.roller.value), facts.number, purpose,
                                facts.suite, seal, i8(facts.owner.value)));
}

void DiceEventWriter::roll_opened(EventList& out, const RollOpenedFacts& facts) {
  Builder& b = *builder_;
  auto proof = b.bytes(facts.proof);
  auto values = b.fbb.CreateVector(facts.values);
  b.finish(out, meta, fb::CreateRollOpened(b.fbb, facts.sealed, proof, values));
}

void DiceEventWriter::roll_abandoned(EventList& out, const RollAbandonedFacts& facts) {
  Builder& b = *builder_;
  std::vector<Offset<fb::Agreement>> agreed;
  for (const auto& [slot, signature] : facts.agreed) {
    auto bytes = b.bytes(signature);
    agreed.push_back(fb::CreateAgreement(b.fbb, slot, bytes));
  }
  auto owed_by = b.fbb.CreateVector(facts.owed_by);
  auto agreed_list = agreed.empty() ? 0 : b.fbb.CreateVector(agreed);
  auto text = b.text(facts.text);
  b.finish(out, meta,
           fb::CreateRollAbandoned(b.fbb, i8(facts.roller.value), facts.number, facts.order,
                                   facts.request, owed_by, agreed_list, text));
}

void EventWriter::unit_placed(EventList& out, UnitId unit, SpaceId at,
                              std::span<const AttributeChange> changes) {
  Builder& b = *builder_;
  std::vector<fb::Change> list;
  for (const AttributeChange& c : changes) list.emplace_back(u8(c.attribute), c.from, c.to);
  auto change_list = list.empty() ? 0 : b.fbb.CreateVectorOfStructs(list);
  b.finish(out, meta, fb::CreateUnitPlaced(b.fbb, u16(unit.value), at.value, change_list));
}

void EventWriter::unit_moved(EventList& out, UnitId unit, std::span<const SpaceId> path,
                             std::string_view how) {
  Builder& b = *builder_;
  static_assert(sizeof(SpaceId) == sizeof(std::int16_t));
  auto list = b.fbb.CreateVector(reinterpret_cast<const std::int16_t*>(path.data()), path.size());
  auto how_text = b.text(how);
  b.finish(out, meta, fb::CreateUnitMoved(b.fbb, u16(unit.value), list, how_text));
}

void EventWriter::unit_changed(EventList& out, UnitId unit, const AttributeChange& c) {
  Builder& b = *builder_;
  b.finish(out, meta, fb::CreateUnitChanged(b.fbb, u16(unit.value), u8(c.attribute), c.from, c.to));
}

void EventWriter::unit_removed(EventList& out, UnitId unit, SpaceId from, std::string_view why) {
  Builder& b = *builder_;
  auto why_text = b.text(why);
  b.finish(out, meta, fb::CreateUnitRemoved(b.fbb, u16(unit.value), from.value, why_text));
}

void EventWriter::space_changed(EventList& out, SpaceId space, const AttributeChange& c) {
  Builder& b = *builder_;
  b.finish(out, meta,
           fb::CreateSpaceChanged(b.fbb, u16(space.value), u8(c.attribute), c.from, c.to));
}

void EventWriter::spaces_changed(EventList& out, int attribute, std::span<const SpaceId> spaces,
                                 std::span<const std::int16_t> from,
                                 std::span<const std::int16_t> to) {
  Builder& b = *builder_;
  std::vector<std::uint16_t> ids;
  for (SpaceId space : spaces) ids.push_back(u16(space.value));
  auto id_list = b.fbb.CreateVector(ids);
  auto from_list = b.fbb.CreateVector(from.data(), from.size());
  auto to_list = b.fbb.CreateVector(to.data(), to.size());
  b.finish(out, meta, fb::CreateSpacesChanged(b.fbb, u8(attribute), id_list, from_list, to_list));
}

void EventWriter::link_changed(EventList& out, LinkId link, const AttributeChange& c) {
  Builder& b = *builder_;
  b.finish(out, meta, fb::CreateLinkChanged(b.fbb, u16(link.value), u8(c.attribute), c.from, c.to));
}

void EventWriter::track_changed(EventList& out, TrackId track, std::int32_t from, std::int32_t to) {
  Builder& b = *builder_;
  b.finish(out, meta, fb::CreateTrackChanged(b.fbb, u16(track.value), from, to));
}

void EventWriter::pool_changed(EventList& out, PoolId pool, int item, std::int16_t from,
                               std::int16_t to) {
  Builder& b = *builder_;
  b.finish(out, meta, fb::CreatePoolChanged(b.fbb, u8(pool.value), u16(item), from, to));
}

void EventWriter::revealed(EventList& out, UnitId unit, std::uint32_t to_sides) {
  Builder& b = *builder_;
  b.finish(out, meta, fb::CreateRevealed(b.fbb, u16(unit.value), to_sides));
}

}  // namespace wardiary

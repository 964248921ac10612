// Reading events back into facts; event.cpp writes them.
#include <flatbuffers/flatbuffers.h>

#include "domain/dice_events.h"
#include "domain/schema/event_generated.h"

namespace wardiary {

using flatbuffers::Offset;
using flatbuffers::Vector;
using Texts = Vector<Offset<flatbuffers::String>>;

namespace {

std::string str(const flatbuffers::String* text) {
  return text ? text->str() : std::string();
}

std::vector<std::string> strs(const Texts* texts) {
  std::vector<std::string> out;
  if (texts) {
    for (const auto* text : *texts) out.push_back(text->str());
  }
  return out;
}

std::vector<Attribute> attributes(const Vector<Offset<fb::Attribute>>* list) {
  std::vector<Attribute> out;
  if (!list) return out;
  for (const fb::Attribute* a : *list) {
    out.push_back(
        {str(a->name()), static_cast<ValueKind>(a->kind()), a->initial(), strs(a->words())});
  }
  return out;
}

Result<Roster> read_roster(const fb::Roster& from) {
  Roster r;
  r.sides = strs(from.sides());
  r.phases = strs(from.phases());
  r.turns = strs(from.turns());
  r.decisions = strs(from.decisions());
  r.spaces = strs(from.spaces());
  if (from.links()) {
    for (const fb::Link* link : *from.links())
      r.links.push_back({SpaceId{link->a()}, SpaceId{link->b()}});
  }
  if (from.units()) {
    for (const fb::RosterUnit* u : *from.units()) {
      r.units.push_back({str(u->name()), str(u->title()), str(u->type()), SideId{u->side()}});
    }
  }
  r.unit_attributes = attributes(from.unit_attributes());
  r.space_attributes = attributes(from.space_attributes());
  r.link_attributes = attributes(from.link_attributes());
  r.tracks = attributes(from.tracks());
  if (from.pools()) {
    for (const fb::RosterPool* p : *from.pools())
      r.pools.push_back({str(p->name()), strs(p->items())});
  }
  if (auto status = r.finish(); !status) return std::move(status).error().within("roster");
  return r;
}

}  // namespace

Result<GameCreatedFacts> read_game_created(const fb::Event& event) {
  const fb::GameCreated* from = event.payload_as_GameCreated();
  if (!from) return corrupt("the first event of a game is not GameCreated");
  GameCreatedFacts facts;
  facts.system = str(from->system());
  facts.rules_version = str(from->rules_version());
  facts.scenario = str(from->scenario());
  if (from->options()) {
    for (const fb::Option* o : *from->options())
      facts.options.push_back({str(o->name()), str(o->value())});
  }
  if (from->contents()) {
    for (const fb::Content* c : *from->contents()) {
      auto hash = Hash::from({c->sha256()->data(), c->sha256()->size()});
      if (!hash) return corrupt("GameCreated: a content hash is not 32 bytes");
      facts.contents.push_back({str(c->role()), str(c->name()), *hash});
    }
  }
  if (from->seats()) {
    for (const fb::Seat* seat : *from->seats()) {
      SeatSpec spec{str(seat->name()), {}};
      if (seat->sides()) {
        for (std::uint8_t side : *seat->sides()) spec.sides.push_back(SideId{side});
      }
      facts.seats.push_back(std::move(spec));
    }
  }
  facts.keeping = static_cast<Keeping>(from->keeping());
  facts.dice = static_cast<Grade>(from->dice());
  if (facts.keeping > Keeping::kScribed || facts.dice > Grade::kBranch) {
    return corrupt("GameCreated: an unknown way of keeping or grade of dice");
  }
  auto roster = read_roster(*from->roster());
  if (!roster) return Error{ErrorCode::kCorrupt, roster.error().text};
  facts.roster = std::move(*roster);
  for (const SeatSpec& seat : facts.seats) {
    for (SideId side : seat.sides) {
      if (side.index() >= facts.roster.sides.size()) {
        return corrupt("GameCreated: seat " + seat.name + " has a side that is not there");
      }
    }
  }
  return facts;
}

namespace {

// Reads byte strings of fixed length; one of another length makes the whole event unreadable.
class DiceReader {
 public:
  explicit DiceReader(const char* what) : what_(what) {}

  template <class T>
  T fixed(const Vector<std::uint8_t>* bytes) {
    auto read = bytes ? T::from({bytes->data(), bytes->size()}) : std::optional<T>();
    good_ = good_ && read;
    return read ? *read : T{};
  }
  Hash hash(const Vector<std::uint8_t>* bytes) { return fixed<Hash>(bytes); }
  Bytes bytes(const Vector<std::uint8_t>* bytes) {
    return bytes ? Bytes(bytes->begin(), bytes->end()) : Bytes();
  }
  Grade grade(fb::Grade grade) {
    good_ = good_ && grade <= fb::Grade::MAX;
    return static_cast<Grade>(grade);
  }
  std::vector<RollGroup> groups(const Vector<const fb::RollGroup*>& list) {
    std::vector<RollGroup> out;
    for (const fb::RollGroup* g : list) {
      out.push_back(
          {static_cast<RollGroup::Kind>(g->kind()), g->count(), g->sides(), g->hits_from()});
    }
    return out;
  }
  EpochFacts::Contributor contributor(const fb::Contributor& c) {
    EpochFacts::Contributor out;
    out.slot = c.slot();
    out.name = str(c.name());
    out.custodial = c.custodial();
    out.key = hash(c.key());
    out.signature = bytes(c.signature());
    for (unsigned i = 0; c.anchors() && i < c.anchors()->size(); ++i) {
      const fb::Anchor* anchor = c.anchors()->Get(i);
      out.anchors.emplace_back(anchor->roller(), hash(anchor->value()));
    }
    return out;
  }
  template <class T>
  Result<T> done(T facts) {
    if (!good_) {
      return corrupt(std::string(what_) + ": a key, anchor or id has the wrong length");
    }
    return facts;
  }

 private:
  const char* what_;
  bool good_ = true;
};

}  // namespace

Result<EpochFacts> read_epoch(const fb::Event& event) {
  auto epoch = read_dice_epoch(event);
  if (!epoch) return std::move(epoch).error();
  return EpochFacts(std::move(*epoch));
}

bool same_contributor(const EpochFacts::Contributor& a, const EpochFacts::Contributor& b) {
  return a.slot == b.slot && a.name == b.name && a.key == b.key && a.anchors == b.anchors &&
         a.signature == b.signature && a.custodial == b.custodial;
}

Result<DiceEpoch> read_dice_epoch(const fb::Event& event) {
  const fb::EpochOpened* from = event.payload_as_EpochOpened();
  if (!from) return corrupt("not an EpochOpened");
  DiceReader read("EpochOpened");
  DiceEpoch facts;
  facts.stream = read.fixed<Id>(from->stream());
  facts.vrf_key = read.hash(from->vrf_key());
  if (from->rules_hash()) facts.rules_hash = read.hash(from->rules_hash());
  facts.suite = from->suite();
  facts.chain_length = from->chain_length();
  facts.policy = read.grade(from->policy());
  for (unsigned i = 0; from->first() && i < from->first()->size(); ++i) {
    const fb::First* first = from->first()->Get(i);
    facts.first.emplace_back(first->roller(), first->number());
  }
  facts.answer_within_s = from->answer_within_s();
  facts.drafted = from->drafted();
  for (unsigned i = 0; from->contributors() && i < from->contributors()->size(); ++i) {
    facts.contributors.push_back(read.contributor(*from->contributors()->Get(i)));
  }
  return read.done(std::move(facts));
}

Result<DiceEpoch> read_epoch_draft(const fb::Event& event) {
  const fb::EpochDrafted* from = event.payload_as_EpochDrafted();
  if (!from) return corrupt("not an EpochDrafted");
  DiceReader read("EpochDrafted");
  DiceEpoch facts;
  facts.stream = read.fixed<Id>(from->stream());
  facts.vrf_key = read.hash(from->vrf_key());
  facts.rules_hash = read.hash(from->rules_hash());
  facts.suite = from->suite();
  facts.chain_length = from->chain_length();
  facts.policy = read.grade(from->policy());
  facts.answer_within_s = from->answer_within_s();
  facts.slots = read.bytes(from->slots());
  return read.done(std::move(facts));
}

Result<EpochFacts::Contributor> read_joined(const fb::Event& event) {
  const fb::ContributorJoined* from = event.payload_as_ContributorJoined();
  if (!from) return corrupt("not a ContributorJoined");
  DiceReader read("ContributorJoined");
  return read.done(read.contributor(*from->contributor()));
}

Result<RollRequestedFacts> read_roll_requested(const fb::Event& event) {
  const fb::RollRequested* from = event.payload_as_RollRequested();
  if (!from) return corrupt("not a RollRequested");
  DiceReader read("RollRequested");
  return read.done(RollRequestedFacts{from->roller(), from->number(), from->order(),
                                      read.groups(*from->groups()), read.hash(from->element()),
                                      read.fixed<Id>(from->key()), read.bytes(from->signature())});
}

Result<RollRevealedFacts> read_roll_revealed(const fb::Event& event) {
  const fb::RollRevealed* from = event.payload_as_RollRevealed();
  if (!from) return corrupt("not a RollRevealed");
  DiceReader read("RollRevealed");
  return read.done(RollRevealedFacts{from->request(), from->contributor(),
                                     read.hash(from->element()), read.bytes(from->signature())});
}

Result<RollsUnlockedFacts> read_rolls_unlocked(const fb::Event& event) {
  const fb::RollsUnlocked* from = event.payload_as_RollsUnlocked();
  if (!from) return corrupt("not a RollsUnlocked");
  DiceReader read("RollsUnlocked");
  return read.done(RollsUnlockedFacts{from->contributor(), from->roller(), from->up_to(),
                                      read.hash(from->element()), read.bytes(from->signature())});
}

Result<RollSealedFacts> read_roll_sealed(const fb::Event& event) {
  const fb::RollSealed* from = event.payload_as_RollSealed();
  if (!from) return corrupt("not a RollSealed");
  DiceReader read("RollSealed");
  return read.done(RollSealedFacts{from->request(), SideId{from->roller()}, from->number(),
                                   str(from->purpose()), from->suite(), read.hash(from->seal()),
                                   SideId{from->owner()}});
}

Result<RollOpenedFacts> read_roll_opened(const fb::Event& event) {
  const fb::RollOpened* from = event.payload_as_RollOpened();
  if (!from) return corrupt("not a RollOpened");
  DiceReader read("RollOpened");
  RollOpenedFacts facts{from->sealed(), read.bytes(from->proof()), {}};
  if (from->values()) facts.values.assign(from->values()->begin(), from->values()->end());
  return read.done(std::move(facts));
}

Result<RollAbandonedFacts> read_roll_abandoned(const fb::Event& event) {
  const fb::RollAbandoned* from = event.payload_as_RollAbandoned();
  if (!from) return corrupt("not a RollAbandoned");
  DiceReader read("RollAbandoned");
  RollAbandonedFacts facts{SideId{from->roller()},
                           from->number(),
                           from->order(),
                           from->request(),
                           read.bytes(from->owed_by()),
                           {},
                           str(from->text())};
  for (unsigned i = 0; from->agreed() && i < from->agreed()->size(); ++i) {
    const fb::Agreement* agreed = from->agreed()->Get(i);
    facts.agreed.emplace_back(agreed->contributor(), read.bytes(agreed->signature()));
  }
  return read.done(std::move(facts));
}

Result<Order> read_order(const fb::Event& event, std::span<const OrderType> types,
                         const Roster& roster) {
  const fb::OrderSuspended* suspended = event.payload_as_OrderSuspended();
  const fb::OrderIssued* from = suspended ? suspended->order() : event.payload_as_OrderIssued();
  if (!from) return invalid("not an order");
  for (const OrderType& type : types) {
    if (type.name != from->type()->string_view()) continue;
    Order order(type, SideId{from->side()});
    const auto* arguments = from->arguments();
    for (std::size_t i = 0; arguments && i < arguments->size(); ++i) {
      const fb::Argument* argument = arguments->Get(static_cast<flatbuffers::uoffset_t>(i));
      const auto name = argument->field()->string_view();
      bool known = false;
      for (const OrderField& field : type.fields) known = known || field.name == name;
      if (!known) return corrupt("order " + type.name + " has no field " + std::string(name));
      if (argument->text()) {
        order.with_text(name, argument->text()->string_view());
      } else {
        std::vector<std::int32_t> numbers;
        if (argument->values())
          numbers.assign(argument->values()->begin(), argument->values()->end());
        order.with(name, std::move(numbers));
      }
    }
    if (auto status = check_order(order, roster); !status) return std::move(status).error();
    return order;
  }
  return corrupt("no order " + from->type()->str() + " in this game");
}

}  // namespace wardiary

#include "domain/apply.h"

#include <algorithm>

#include "domain/schema/event_generated.h"

namespace wardiary {
namespace {

// The same code walks both ways: forwards it expects `from` and leaves `to`, backwards the reverse.
template <bool kForward, class T>
const T& before(const T& from, const T& to) {
  return kForward ? from : to;
}
template <bool kForward, class T>
const T& after(const T& from, const T& to) {
  return kForward ? to : from;
}

bool has_unit(const Position& p, std::uint16_t unit) {
  return unit < p.shape().units;
}
bool has_space(const Position& p, std::int16_t space) {
  return space >= 0 && static_cast<std::uint32_t>(space) < p.shape().spaces;
}
bool has_side_or_none(const Position& p, int side) {
  return side >= -1 && side < static_cast<int>(p.shape().sides);
}

template <bool kForward>
Fault change_unit(Position& p, std::uint16_t unit, std::uint8_t attribute, std::int16_t from,
                  std::int16_t to) {
  if (!has_unit(p, unit)) return Fault::kNoSuchUnit;
  if (attribute >= p.shape().unit_attributes) return Fault::kNoSuchAttribute;
  const UnitId id{unit};
  if (p.get(id, attribute) != before<kForward>(from, to)) return Fault::kFromDiffers;
  if (!p.ranges().units[attribute].contains(after<kForward>(from, to))) return Fault::kBadValue;
  p.set(id, attribute, after<kForward>(from, to));
  return Fault::kNone;
}

template <bool kForward>
Fault place(Position& p, const fb::UnitPlaced& e) {
  if (!has_unit(p, e.unit())) return Fault::kNoSuchUnit;
  if (!has_space(p, e.at())) return Fault::kNoSuchSpace;
  const UnitId unit{e.unit()};
  if (kForward ? p.on_board(unit) : p.at(unit).value != e.at()) {
    return kForward ? Fault::kAlreadyOnBoard : Fault::kFromDiffers;
  }
  if (const auto* changes = e.changes()) {
    // Check all before changing any: a refused event must leave the position as it was.
    std::uint64_t seen = 0;
    for (const fb::Change* c : *changes) {
      if (c->attribute() >= p.shape().unit_attributes) return Fault::kNoSuchAttribute;
      if (seen >> c->attribute() & 1) return Fault::kBadVector;
      seen |= std::uint64_t{1} << c->attribute();
      if (p.get(unit, c->attribute()) != before<kForward>(c->from(), c->to())) {
        return Fault::kFromDiffers;
      }
      if (!p.ranges().units[c->attribute()].contains(after<kForward>(c->from(), c->to()))) {
        return Fault::kBadValue;
      }
    }
    for (const fb::Change* c : *changes) {
      p.set(unit, c->attribute(), after<kForward>(c->from(), c->to()));
    }
  }
  p.set_at(unit, kForward ? SpaceId{e.at()} : kNowhere);
  return Fault::kNone;
}

template <bool kForward>
Fault move(Position& p, const fb::UnitMoved& e) {
  if (!has_unit(p, e.unit())) return Fault::kNoSuchUnit;
  const auto& path = *e.path();
  if (path.size() < 2) return Fault::kBadPath;
  const std::int16_t first = path.Get(0);
  const std::int16_t last = path.Get(path.size() - 1);
  for (std::int16_t space : path) {
    if (!has_space(p, space)) return Fault::kNoSuchSpace;
  }
  const UnitId unit{e.unit()};
  if (!p.on_board(unit)) return Fault::kNotOnBoard;
  if (p.at(unit).value != before<kForward>(first, last)) return Fault::kFromDiffers;
  p.set_at(unit, SpaceId{after<kForward>(first, last)});
  return Fault::kNone;
}

template <bool kForward>
Fault remove(Position& p, const fb::UnitRemoved& e) {
  if (!has_unit(p, e.unit())) return Fault::kNoSuchUnit;
  if (!has_space(p, e.from())) return Fault::kNoSuchSpace;
  const UnitId unit{e.unit()};
  if (kForward && !p.on_board(unit)) return Fault::kNotOnBoard;
  if (p.at(unit) != (kForward ? SpaceId{e.from()} : kNowhere)) {
    return kForward ? Fault::kFromDiffers : Fault::kAlreadyOnBoard;
  }
  p.set_at(unit, kForward ? kNowhere : SpaceId{e.from()});
  return Fault::kNone;
}

template <bool kForward>
Fault change_space(Position& p, const fb::SpaceChanged& e) {
  if (e.space() >= p.shape().spaces) return Fault::kNoSuchSpace;
  if (e.attribute() >= p.shape().space_attributes) return Fault::kNoSuchAttribute;
  const SpaceId space{e.space()};
  if (p.get(space, e.attribute()) != before<kForward>(e.from(), e.to())) return Fault::kFromDiffers;
  if (!p.ranges().spaces[e.attribute()].contains(after<kForward>(e.from(), e.to()))) {
    return Fault::kBadValue;
  }
  p.set(space, e.attribute(), after<kForward>(e.from(), e.to()));
  return Fault::kNone;
}

template <bool kForward>
Fault change_spaces(Position& p, const fb::SpacesChanged& e) {
  const auto& spaces = *e.spaces();
  const auto& from = *before<kForward>(e.from(), e.to());
  const auto& to = *after<kForward>(e.from(), e.to());
  if (e.attribute() >= p.shape().space_attributes) return Fault::kNoSuchAttribute;
  if (from.size() != spaces.size() || to.size() != spaces.size()) return Fault::kBadVector;
  const ValueRange allowed = p.ranges().spaces[e.attribute()];
  for (flatbuffers::uoffset_t i = 0; i < spaces.size(); ++i) {
    if (spaces[i] >= p.shape().spaces) return Fault::kNoSuchSpace;
    if (i > 0 && spaces[i] <= spaces[i - 1]) return Fault::kBadVector;  // ascending, each once
    if (p.get(SpaceId{spaces[i]}, e.attribute()) != from[i]) return Fault::kFromDiffers;
    if (!allowed.contains(to[i])) return Fault::kBadValue;
  }
  for (flatbuffers::uoffset_t i = 0; i < spaces.size(); ++i) {
    p.set(SpaceId{spaces[i]}, e.attribute(), to[i]);
  }
  return Fault::kNone;
}

template <bool kForward>
Fault change_link(Position& p, const fb::LinkChanged& e) {
  if (e.link() >= p.shape().links) return Fault::kNoSuchLink;
  if (e.attribute() >= p.shape().link_attributes) return Fault::kNoSuchAttribute;
  const LinkId link{e.link()};
  if (p.get(link, e.attribute()) != before<kForward>(e.from(), e.to())) return Fault::kFromDiffers;
  if (!p.ranges().links[e.attribute()].contains(after<kForward>(e.from(), e.to()))) {
    return Fault::kBadValue;
  }
  p.set(link, e.attribute(), after<kForward>(e.from(), e.to()));
  return Fault::kNone;
}

template <bool kForward>
Fault change_track(Position& p, const fb::TrackChanged& e) {
  if (e.track() >= p.shape().tracks) return Fault::kNoSuchTrack;
  const TrackId track{e.track()};
  if (p.get(track) != before<kForward>(e.from(), e.to())) return Fault::kFromDiffers;
  if (!p.ranges().tracks[e.track()].contains(after<kForward>(e.from(), e.to()))) {
    return Fault::kBadValue;
  }
  p.set(track, after<kForward>(e.from(), e.to()));
  return Fault::kNone;
}

// `item` counts through all pools of the roster: the pool's first cell plus the item's number.
template <bool kForward>
Fault change_pool(Position& p, const fb::PoolChanged& e) {
  if (e.item() >= p.shape().pool_cells) return Fault::kNoSuchPool;
  if (p.pool_cell(e.item()) != before<kForward>(e.from(), e.to())) return Fault::kFromDiffers;
  if (after<kForward>(e.from(), e.to()) < 0) return Fault::kBadValue;
  p.set_pool_cell(e.item(), after<kForward>(e.from(), e.to()));
  return Fault::kNone;
}

Clock from_fb(const fb::Clock& c) {
  return {c.turn(), c.phase(), c.side()};
}
Question from_fb(const fb::Question& q) {
  return {q.kind(), q.space(), q.unit(), q.number()};
}

template <bool kForward>
Fault begin_phase(Position& p, const fb::PhaseBegan& e, bool check_digest) {
  const Clock from = from_fb(*e.from());
  const Clock to = from_fb(*e.to());
  for (const Clock& c : {from, to}) {
    if (!has_side_or_none(p, c.side)) return Fault::kNoSuchSide;
    if (c.phase >= p.shape().phases) return Fault::kNoSuchPhase;
  }
  if (p.clock != before<kForward>(from, to)) return Fault::kFromDiffers;
  p.clock = after<kForward>(from, to);
  if (kForward && check_digest && e.digest()) {
    const Hash digest = p.digest();
    if (!equal(digest, {e.digest()->data(), e.digest()->size()})) {
      p.clock = from;
      return Fault::kDigestDiffers;
    }
  }
  return Fault::kNone;
}

template <bool kForward>
Fault ask(Position& p, const fb::DecisionAsked& e) {
  if (e.side() < 0 || e.side() >= static_cast<int>(p.shape().sides)) return Fault::kNoSuchSide;
  Question& pending = p.pending(SideId{e.side()});
  const Question from = from_fb(*e.from());
  const Question to = from_fb(*e.to());
  for (const Question& q : {from, to}) {
    if (q.kind >= p.shape().decisions) return Fault::kNoSuchDecision;
    if (q.space != -1 && !has_space(p, q.space)) return Fault::kNoSuchSpace;
    if (q.unit < -1 || (q.unit >= 0 && !has_unit(p, static_cast<std::uint16_t>(q.unit)))) {
      return Fault::kNoSuchUnit;
    }
  }
  if (pending != before<kForward>(from, to)) return Fault::kFromDiffers;
  pending = after<kForward>(from, to);
  return Fault::kNone;
}

// A side's rolls are numbered without gaps, so one outcome per number is checked by the fold
// itself.
// A number whose roll was abandoned is spent as well.
template <bool kForward, class Roll>
Fault count_roll(Position& p, const Roll& e) {
  if (!has_side_or_none(p, e.roller())) return Fault::kNoSuchSide;
  const SideId roller{e.roller()};
  const std::uint32_t now = p.rolls(roller);
  if (now != e.number() + (kForward ? 0 : 1)) return Fault::kFromDiffers;
  p.set_rolls(roller, kForward ? now + 1 : now - 1);
  return Fault::kNone;
}

template <bool kForward>
Fault end_game(Position& p, const fb::GameEnded& e) {
  if (p.over == kForward) return Fault::kMisplaced;
  if (!has_side_or_none(p, e.winner())) return Fault::kNoSuchSide;
  if (!kForward && p.winner != e.winner()) return Fault::kFromDiffers;
  p.over = kForward;
  p.winner = kForward ? e.winner() : std::int8_t{-1};
  return Fault::kNone;
}

// The first event and no other.
template <bool kForward>
Fault create(Position& p) {
  if (p.begun == kForward) return Fault::kMisplaced;
  p.begun = kForward;
  return Fault::kNone;
}

template <bool kForward>
Fault walk(Position& p, const fb::Event& event, bool check_digest) {
  switch (event.payload_type()) {
    case fb::Payload::UnitMoved:
      return move<kForward>(p, *event.payload_as_UnitMoved());
    case fb::Payload::UnitChanged: {
      const auto* e = event.payload_as_UnitChanged();
      return change_unit<kForward>(p, e->unit(), e->attribute(), e->from(), e->to());
    }
    case fb::Payload::UnitPlaced:
      return place<kForward>(p, *event.payload_as_UnitPlaced());
    case fb::Payload::UnitRemoved:
      return remove<kForward>(p, *event.payload_as_UnitRemoved());
    case fb::Payload::SpaceChanged:
      return change_space<kForward>(p, *event.payload_as_SpaceChanged());
    case fb::Payload::SpacesChanged:
      return change_spaces<kForward>(p, *event.payload_as_SpacesChanged());
    case fb::Payload::LinkChanged:
      return change_link<kForward>(p, *event.payload_as_LinkChanged());
    case fb::Payload::TrackChanged:
      return change_track<kForward>(p, *event.payload_as_TrackChanged());
    case fb::Payload::PoolChanged:
      return change_pool<kForward>(p, *event.payload_as_PoolChanged());
    case fb::Payload::PhaseBegan:
      return begin_phase<kForward>(p, *event.payload_as_PhaseBegan(), check_digest);
    case fb::Payload::DecisionAsked:
      return ask<kForward>(p, *event.payload_as_DecisionAsked());
    case fb::Payload::DiceRolled:
      return count_roll<kForward>(p, *event.payload_as_DiceRolled());
    case fb::Payload::RollAbandoned:
      return count_roll<kForward>(p, *event.payload_as_RollAbandoned());
    case fb::Payload::GameEnded:
      return end_game<kForward>(p, *event.payload_as_GameEnded());
    case fb::Payload::GameCreated:
      return create<kForward>(p);
    // These say what was asked for, rolled or ruled; the facts that follow say what changed.
    case fb::Payload::BranchForked:
    case fb::Payload::OrderIssued:
    case fb::Payload::Ruling:
    case fb::Payload::TakeBack:
    case fb::Payload::EpochDrafted:
    case fb::Payload::ContributorJoined:
    case fb::Payload::TakeBackProposed:
    case fb::Payload::TakeBackAnswered:
    case fb::Payload::EpochOpened:
    case fb::Payload::OrderSuspended:
    case fb::Payload::RollRequested:
    case fb::Payload::RollRevealed:
    case fb::Payload::RollsUnlocked:
    case fb::Payload::RollSealed:
    case fb::Payload::RollOpened:
    case fb::Payload::Revealed:
      return Fault::kNone;
    case fb::Payload::NONE:
      break;
  }
  return Fault::kMisplaced;
}

std::string unit_name(const Roster& roster, std::uint16_t unit) {
  return unit < roster.units.size() ? roster.units[unit].name : "#" + std::to_string(unit);
}
std::string space_name(const Roster& roster, int space) {
  if (space < 0) return "nowhere";
  const auto index = static_cast<std::size_t>(space);
  return index < roster.spaces.size() ? roster.spaces[index] : "#" + std::to_string(space);
}

// "what is X, the event says it was Y" for the events whose `from` can differ.
std::string difference(const Position& p, const fb::Event& event, const Roster& roster) {
  auto say = [](const std::string& what, const std::string& is, const std::string& was) {
    return what + " is " + is + ", the event says it was " + was;
  };
  auto say_number = [&](const std::string& what, int is, int was) {
    return say(what, std::to_string(is), std::to_string(was));
  };
  switch (event.payload_type()) {
    case fb::Payload::UnitMoved: {
      const auto* e = event.payload_as_UnitMoved();
      return say("unit " + unit_name(roster, e->unit()) + ": its place",
                 space_name(roster, p.at(UnitId{e->unit()}).value),
                 space_name(roster, e->path()->Get(0)));
    }
    case fb::Payload::UnitRemoved: {
      const auto* e = event.payload_as_UnitRemoved();
      return say("unit " + unit_name(roster, e->unit()) + ": its place",
                 space_name(roster, p.at(UnitId{e->unit()}).value), space_name(roster, e->from()));
    }
    case fb::Payload::UnitChanged: {
      const auto* e = event.payload_as_UnitChanged();
      return say_number("unit " + unit_name(roster, e->unit()) + ": " +
                            roster.unit_attributes[e->attribute()].name,
                        p.get(UnitId{e->unit()}, e->attribute()), e->from());
    }
    case fb::Payload::SpaceChanged: {
      const auto* e = event.payload_as_SpaceChanged();
      return say_number("space " + space_name(roster, e->space()) + ": " +
                            roster.space_attributes[e->attribute()].name,
                        p.get(SpaceId{e->space()}, e->attribute()), e->from());
    }
    case fb::Payload::TrackChanged: {
      const auto* e = event.payload_as_TrackChanged();
      return say_number("track " + roster.tracks[e->track()].name, p.get(TrackId{e->track()}),
                        e->from());
    }
    case fb::Payload::PhaseBegan: {
      const auto* e = event.payload_as_PhaseBegan();
      return say_number("turn", p.clock.turn, e->from()->turn()) + "; " +
             say_number("phase", p.clock.phase, e->from()->phase());
    }
    case fb::Payload::DiceRolled: {
      const auto* e = event.payload_as_DiceRolled();
      return say_number("the number of this side's next roll",
                        static_cast<int>(p.rolls(SideId{e->roller()})),
                        static_cast<int>(e->number()));
    }
    default:
      return "the value before is not the one the event states";
  }
}

}  // namespace

Fault apply(Position& position, const fb::Event& event, ApplyOptions options) {
  return walk<true>(position, event, options.check_digests);
}

Fault revert(Position& position, const fb::Event& event) {
  return walk<false>(position, event, false);
}

std::string describe(Fault fault, const Position& position, const fb::Event& event,
                     const Roster& roster) {
  const std::string type = fb::EnumNamePayload(event.payload_type());
  switch (fault) {
    case Fault::kNone:
      return type + ": fine";
    case Fault::kNoSuchUnit:
      return type + ": there is no such unit";
    case Fault::kNoSuchSpace:
      return type + ": there is no such space";
    case Fault::kNoSuchLink:
      return type + ": there is no such link";
    case Fault::kNoSuchTrack:
      return type + ": there is no such track";
    case Fault::kNoSuchPool:
      return type + ": there is no such pool item";
    case Fault::kNoSuchAttribute:
      return type + ": there is no such attribute";
    case Fault::kNoSuchSide:
      return type + ": there is no such side";
    case Fault::kNoSuchPhase:
      return type + ": there is no such phase";
    case Fault::kFromDiffers:
      return type + ": " + difference(position, event, roster);
    case Fault::kAlreadyOnBoard:
      return type + ": the unit is on the board already";
    case Fault::kNotOnBoard:
      return type + ": the unit is not on the board";
    case Fault::kBadPath:
      return type + ": a path needs at least two spaces";
    case Fault::kDigestDiffers:
      return type + ": the position's digest is not the recorded one";
    case Fault::kMisplaced:
      return type + ": cannot stand here";
    case Fault::kBadVector:
      return type + ": a list is malformed";
    case Fault::kNoSuchDecision:
      return type + ": there is no such decision";
    case Fault::kBadValue:
      return type + ": the new value is not one it can have";
  }
  return type;
}

}  // namespace wardiary

#include "domain/draft.h"

#include <cstdlib>

#include "domain/apply.h"

namespace wardiary {

Draft::Draft(const Game& game, Position position, Chance& chance, const Envelope& envelope)
    : game_(game), position_(std::move(position)), chance_(chance), envelope_(envelope) {}

Draft::Scope::Scope(Draft& draft, std::uint32_t visible_to, std::size_t because)
    : draft_(draft), old_visible_to_(draft.visible_to_), old_because_(draft.because_) {
  draft.visible_to_ = visible_to;
  draft.because_ = because;
}

Draft::Scope::~Scope() {
  draft_.visible_to_ = old_visible_to_;
  draft_.because_ = old_because_;
}

void Draft::write(const std::function<void(EventWriter&, EventList&)>& write) {
  const bool first = events_.empty();
  writer_.meta.recorded_at_ms = first ? envelope_.recorded_at_ms : 0;
  writer_.meta.author = first ? envelope_.author : std::string();
  writer_.meta.visible_to = visible_to_;
  writer_.meta.salt.clear();
  if ((visible_to_ != 0 || salted_) && envelope_.salt) {
    const Id salt = envelope_.salt(events_.size());
    writer_.meta.salt.assign(salt.data.begin(), salt.data.end());
  }
  writer_.meta.because =
      because_ ? static_cast<std::uint16_t>(events_.size() + 1 - because_) : std::uint16_t{0};
  write(writer_, events_);
  const Fault fault = apply(position_, *trusted_event(events_[events_.size() - 1]));
  // Draft reads every `from` off the position itself, so a fault here is a rule naming a unit,
  // space or attribute that does not exist: a bug that must not reach the log.
  if (fault != Fault::kNone) std::abort();
}

namespace {

// A value that does not fit is a rule's bug, which must not reach the log either.
std::int16_t fitting(int value) {
  if (value < INT16_MIN || value > INT16_MAX) std::abort();
  return static_cast<std::int16_t>(value);
}

AttributeChange change(int attribute, std::int16_t from, int to) {
  return {attribute, from, fitting(to)};
}

}  // namespace

void Draft::place(UnitId unit, SpaceId space, std::initializer_list<To> values) {
  std::vector<AttributeChange> changes;
  for (const To& v : values) {
    const std::int16_t from = position_.get(unit, v.attribute);
    if (from != v.value) changes.push_back(change(v.attribute, from, v.value));
  }
  write([&](EventWriter& w, EventList& out) { w.unit_placed(out, unit, space, changes); });
}

void Draft::move(UnitId unit, std::span<const SpaceId> path, std::string_view how) {
  write([&](EventWriter& w, EventList& out) { w.unit_moved(out, unit, path, how); });
}

void Draft::remove(UnitId unit, std::string_view why) {
  const SpaceId from = position_.at(unit);
  write([&](EventWriter& w, EventList& out) { w.unit_removed(out, unit, from, why); });
}

void Draft::set(UnitId unit, int attribute, int value) {
  const std::int16_t from = position_.get(unit, attribute);
  if (from == value) return;
  const AttributeChange c = change(attribute, from, value);
  write([&](EventWriter& w, EventList& out) { w.unit_changed(out, unit, c); });
}

void Draft::set(SpaceId space, int attribute, int value) {
  const std::int16_t from = position_.get(space, attribute);
  if (from == value) return;
  const AttributeChange c = change(attribute, from, value);
  write([&](EventWriter& w, EventList& out) { w.space_changed(out, space, c); });
}

void Draft::set_all_spaces(int attribute, std::span<const std::int16_t> values) {
  std::vector<SpaceId> spaces;
  std::vector<std::int16_t> from;
  std::vector<std::int16_t> to;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const SpaceId space{static_cast<int>(i)};
    const std::int16_t old = position_.get(space, attribute);
    if (old == values[i]) continue;
    spaces.push_back(space);
    from.push_back(old);
    to.push_back(values[i]);
  }
  if (spaces.empty()) return;
  write(
      [&](EventWriter& w, EventList& out) { w.spaces_changed(out, attribute, spaces, from, to); });
}

void Draft::set(LinkId link, int attribute, int value) {
  const std::int16_t from = position_.get(link, attribute);
  if (from == value) return;
  const AttributeChange c = change(attribute, from, value);
  write([&](EventWriter& w, EventList& out) { w.link_changed(out, link, c); });
}

void Draft::set(TrackId track, std::int32_t value) {
  const std::int32_t from = position_.get(track);
  if (from == value) return;
  write([&](EventWriter& w, EventList& out) { w.track_changed(out, track, from, value); });
}

int Draft::pool_count(PoolId pool, int item) const {
  return position_.pool_cell(game_.roster().pool_offset(pool) + static_cast<std::size_t>(item));
}

void Draft::set_pool(PoolId pool, int item, int count) {
  const std::size_t cell = game_.roster().pool_offset(pool) + static_cast<std::size_t>(item);
  const std::int16_t from = position_.pool_cell(cell);
  if (from == count) return;
  write([&](EventWriter& w, EventList& out) {
    w.pool_changed(out, pool, static_cast<int>(cell), from, fitting(count));
  });
}

void Draft::begin_phase(Clock to) {
  const Clock from = position_.clock;
  // The event carries the digest of the position after it, which differs only in the clock.
  position_.clock = to;
  const Hash digest = position_.digest();
  position_.clock = from;
  // The digest covers hidden values too: without a salt its event's hash could be guessed at.
  salted_ = true;
  write([&](EventWriter& w, EventList& out) { w.phase_began(out, from, to, digest); });
  salted_ = false;
}

void Draft::ask(SideId side, Question question) {
  const Question from = position_.pending(side);
  if (from == question) return;
  write([&](EventWriter& w, EventList& out) { w.decision_asked(out, side, from, question); });
}

void Draft::reveal(UnitId unit, std::uint32_t to_sides) {
  write([&](EventWriter& w, EventList& out) { w.revealed(out, unit, to_sides); });
}

void Draft::end_game(SideId winner, std::string_view level, std::string_view text) {
  for (std::size_t s = 0; s < position_.shape().sides; ++s) settle(SideId{static_cast<int>(s)});
  write([&](EventWriter& w, EventList& out) { w.game_ended(out, winner, level, text); });
}

std::vector<std::uint32_t> Draft::roll(RollRequest request, const Judge& judge) {
  request.number = position_.rolls(request.roller);
  auto rolled = chance_.roll(request);
  if (!rolled) throw RollPending{request};
  const RollOutcome outcome = judge ? judge(rolled->values) : RollOutcome{};
  write([&](EventWriter& w, EventList& out) { w.dice_rolled(out, request, *rolled, outcome); });
  return std::move(rolled->values);
}

}  // namespace wardiary

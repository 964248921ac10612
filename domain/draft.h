// A commit being drafted: the position as it changes, and the events that say so. Rules change a game
// only through a Draft; every change becomes an event with its before and after and is applied at
// once, so what the rules see next is what the log will say.
#pragma once

#include <functional>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>

#include "domain/chance.h"
#include "domain/event.h"
#include "domain/game.h"
#include "domain/position.h"

namespace wardiary {

// Thrown by Draft::roll when the answer is not known yet; caught in decide(), never beyond domain/.
struct RollPending {
  RollRequest request;
};

class Draft {
 public:
  Draft(const Game& game, Position position, Chance& chance, const Envelope& envelope = {});

  const Game& game() const { return game_; }
  const Position& position() const { return position_; }
  const Position* operator->() const { return &position_; }
  const EventList& events() const { return events_; }
  EventList take_events() { return std::move(events_); }
  Position take_position() { return std::move(position_); }

  // --- units
  struct To {
    int attribute;
    int value;
  };
  // From off the board to `space`, setting attributes on the way.
  void place(UnitId unit, SpaceId space, std::initializer_list<To> values = {});
  // Along `path`, whose first space is where the unit stands.
  void move(UnitId unit, std::span<const SpaceId> path, std::string_view how = {});
  void remove(UnitId unit, std::string_view why);
  void set(UnitId unit, int attribute, int value);  // no event if it is so already

  // --- everything else; no event if it is so already
  void set(SpaceId space, int attribute, int value);
  // One event for many spaces: values[i] is the new value of space i (all spaces of the board).
  void set_all_spaces(int attribute, std::span<const std::int16_t> values);
  void set(LinkId link, int attribute, int value);
  void set(TrackId track, std::int32_t value);
  void add(TrackId track, std::int32_t delta) { set(track, position_.get(track) + delta); }
  void set_pool(PoolId pool, int item, int count);
  int pool_count(PoolId pool, int item) const;

  // --- time
  void begin_phase(Clock to);
  void ask(SideId side, Question question);
  void settle(SideId side) { ask(side, Question{}); }
  void reveal(UnitId unit, std::uint32_t to_sides);
  void end_game(SideId winner, std::string_view level, std::string_view text = {});

  // --- chance: records the roll with what the rules made of it
  using Judge = std::function<RollOutcome(std::span<const std::uint32_t> values)>;
  std::vector<std::uint32_t> roll(RollRequest request, const Judge& judge);

  // While a scope lives, events are visible only to these sides (a bit each) ...
  class Scope {
   public:
    Scope(Draft& draft, std::uint32_t visible_to, std::size_t because);
    ~Scope();
    Scope(const Scope&) = delete;
    Scope& operator=(const Scope&) = delete;

   private:
    Draft& draft_;
    std::uint32_t old_visible_to_;
    std::size_t old_because_;
  };
  [[nodiscard]] Scope only_for(SideId side) {
    return Scope(*this, 1u << side.value, because_);
  }
  // ... or are marked as caused by the event drafted last (a roll, a loss).
  [[nodiscard]] Scope because_of_last() { return Scope(*this, visible_to_, events_.size()); }

  // Raw: appends an event written by `write` and applies it. For the core.
  void write(const std::function<void(EventWriter&, EventList&)>& write);

 private:
  friend class Scope;
  const Game& game_;
  Position position_;
  Chance& chance_;
  Envelope envelope_;
  EventList events_;
  EventWriter writer_;
  std::uint32_t visible_to_ = 0;
  bool salted_ = false;      // the next event carries a salt though everybody may see it
  std::size_t because_ = 0;  // 1-based index of the causing event in this draft, 0 the order
};

}  // namespace wardiary

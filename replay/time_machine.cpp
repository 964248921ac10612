#include "replay/time_machine.h"

#include <algorithm>

#include "domain/schema/event_generated.h"

namespace wardiary {
namespace {

Version distance(Version a, Version b) {
  return a > b ? a - b : b - a;
}

ByteView digest_in(const fb::Event& event) {
  const auto* phase = event.payload_as_PhaseBegan();
  if (!phase || !phase->digest()) return {};
  return {phase->digest()->data(), phase->digest()->size()};
}

}  // namespace

class TimeMachine::Fold {
 public:
  Fold(const OpenGame& game, const BranchId& branch, Position& position)
      : game_(game), branch_(branch), position_(position) {}

  // The event, moved over; null when it does not fit, and `problem` says why.
  const fb::Event* step(const StoredEvent& stored, bool forwards) {
    auto event = open_event(stored.payload);
    if (!event) {
      problem = std::move(event).error().within(where(game_.id, branch_, stored.version));
      return nullptr;
    }
    const Fault fault = forwards ? apply(position_, **event) : revert(position_, **event);
    if (fault == Fault::kNone) return *event;
    problem = corrupt(where(game_.id, branch_, stored.version) + ": " +
                      describe(fault, position_, **event, game_.roster()));
    return nullptr;
  }
  Status problem = Done{};

 private:
  const OpenGame& game_;
  const BranchId& branch_;
  Position& position_;
};

// ------------------------------------------------------------------------------------ positions

Result<BranchId> TimeMachine::owner(const BranchId& branch, Version version) {
  BranchId id = branch;
  for (std::size_t depth = 0; depth <= StoreLimits::kBranchDepthMax; ++depth) {
    auto info = store_.branch(id);
    if (!info) return std::move(info).error();
    if (!info->parent || version > info->forked_at) return id;
    id = *info->parent;
  }
  return corrupt("branch " + to_hex(branch) + ": its parents never end");
}

std::optional<TimeMachine::Kept> TimeMachine::nearest_kept(const BranchId& owner, Version version) {
  std::lock_guard lock(mutex_);
  auto best = kept_.end();
  auto consider = [&](auto it) {
    if (it->first.branch != owner) return;
    if (best != kept_.end() &&
        distance(best->first.version, version) <= distance(it->first.version, version)) {
      return;
    }
    best = it;
  };
  auto after = kept_.upper_bound({owner, version});
  if (after != kept_.begin()) consider(std::prev(after));
  if (after != kept_.end()) consider(after);
  if (best == kept_.end()) return std::nullopt;
  recent_.splice(recent_.begin(), recent_, best->second);
  return *best->second;
}

void TimeMachine::keep(const BranchId& owner, Version version, PositionPtr position) {
  std::lock_guard lock(mutex_);
  const Key key{owner, version};
  if (kept_.contains(key)) return;
  kept_bytes_ += position->memory_bytes();
  recent_.push_front({key, std::move(position)});
  kept_[key] = recent_.begin();
  while (kept_bytes_ > options_.cache_bytes && recent_.size() > 1) {
    kept_bytes_ -= recent_.back().position->memory_bytes();
    kept_.erase(recent_.back().key);
    recent_.pop_back();
  }
}

void TimeMachine::remember(const BranchId& branch, Version version, const Position& position) {
  keep(branch, version, std::make_shared<const Position>(position));
  {
    std::lock_guard lock(snapshot_mutex_);
    Version& noticed = noticed_[branch];
    if (version < noticed + options_.snapshot_every) return;
    noticed = version;
  }
  snapshots_wanted(branch);
}

TimeMachine::Base TimeMachine::newest_snapshot(const BranchId& owner, Version version,
                                               const Roster& roster) {
  while (version > 0) {
    auto snapshot = store_.snapshot_at(owner, version);
    if (!snapshot || !*snapshot) break;
    if (auto read = Position::from_bytes(roster, (*snapshot)->bytes)) {
      return {(*snapshot)->version, std::move(*read), true};
    }
    // A snapshot is a cache: one that does not fit is passed over, and the events decide.
    version = (*snapshot)->version - 1;
  }
  return {0, Position(roster), false};
}

TimeMachine::Base TimeMachine::nearest(const BranchId& owner, Version version,
                                       const Roster& roster) {
  auto kept = nearest_kept(owner, version);
  const Version kept_distance = kept ? distance(kept->key.version, version) : version;
  if (kept && kept_distance <= options_.snapshot_every) {
    return {kept->key.version, *kept->position, false};
  }
  Base base = newest_snapshot(owner, version, roster);
  if (kept && kept_distance <= version - base.version) {
    return {kept->key.version, *kept->position, false};
  }
  return base;
}

Result<Position> TimeMachine::fold_to(const OpenGame& game, const BranchId& owner, Base base,
                                      Version version) {
  for (;;) {
    Fold fold(game, owner, base.position);
    bool wrong_snapshot = false;
    Status read = Done{};
    if (base.version > version) {
      read = store_.read_backwards(owner, base.version, version + 1, [&](const StoredEvent& s) {
        return fold.step(s, false) != nullptr;
      });
    } else {
      // The event that a snapshot stands at is read once more: it may state the digest.
      const Version first = base.version + (base.from_snapshot ? 0 : 1);
      read = store_.read(owner, first, version, [&](const StoredEvent& stored) {
        if (stored.version > base.version) return fold.step(stored, true) != nullptr;
        auto event = open_event(stored.payload);
        const ByteView digest = event ? digest_in(**event) : ByteView();
        wrong_snapshot = !event || (!digest.empty() && !equal(base.position.digest(), digest));
        return !wrong_snapshot;
      });
    }
    const bool failed = wrong_snapshot || !read || !fold.problem;
    if (!failed) return std::move(base.position);
    if (!base.from_snapshot || !read) {
      return read ? std::move(fold.problem).error() : std::move(read).error();
    }
    // The snapshot is wrong, or the events are: without it we shall see.
    snapshot_is_wrong(owner, base.version);
    base = newest_snapshot(owner, base.version - 1, game.roster());
  }
}

Result<Position> TimeMachine::at(const BranchId& branch, Version version) {
  if (version == 0) return invalid("versions begin at 1");
  auto info = store_.branch(branch);
  if (!info) return std::move(info).error();
  if (version > info->version) {
    return not_found("branch " + to_hex(branch) + " ends at version " +
                     std::to_string(info->version) + ", not " + std::to_string(version));
  }
  auto stored_in = owner(branch, version);
  if (!stored_in) return std::move(stored_in).error();
  auto game = library_.game(info->game);
  if (!game) return std::move(game).error();
  Base base = nearest(*stored_in, version, (*game)->roster());
  if (base.version == version && !base.from_snapshot) return std::move(base.position);
  // Further than snapshots should be apart: some are missing.
  if (version > base.version + 3 * options_.snapshot_every) snapshots_wanted(*stored_in);
  auto position = fold_to(**game, *stored_in, std::move(base), version);
  if (position) keep(*stored_in, version, std::make_shared<const Position>(*position));
  return position;
}

Result<TimeMachine::Head> TimeMachine::head(const BranchId& branch) {
  auto info = store_.branch(branch);
  if (!info) return std::move(info).error();
  auto position = at(branch, info->version);
  if (!position) return std::move(position).error();
  return Head{info->version, std::move(*position)};
}

Status TimeMachine::walk(const BranchId& branch, Version first, Version last, const SeeStep& see) {
  auto game = library_.game_of(branch);
  if (!game) return std::move(game).error();
  first = std::max<Version>(first, 1);
  Position after((*game)->roster());
  if (first > 1) {
    auto start = at(branch, first - 1);
    if (!start) return std::move(start).error();
    after = std::move(*start);
  }
  // `before` follows one event behind: moving it is far cheaper than copying a position per event.
  Position before = after;
  Fold fold(**game, branch, after);
  Fold behind(**game, branch, before);
  std::vector<std::uint64_t> last_bytes;  // aligned
  StoredEvent last_event;
  Status read = store_.read(branch, first, last, [&](const StoredEvent& stored) {
    if (last_event.version != 0 && !behind.step(last_event, true)) return false;
    const fb::Event* event = fold.step(stored, true);
    if (!event) return false;
    if (!see(stored.version, *event, stored.payload, before, after)) return false;
    last_bytes.resize((stored.payload.size() + 7) / 8);
    std::copy(stored.payload.begin(), stored.payload.end(),
              reinterpret_cast<std::uint8_t*>(last_bytes.data()));
    last_event = {
        stored.version,
        stored.type,
        {reinterpret_cast<const std::uint8_t*>(last_bytes.data()), stored.payload.size()}};
    return true;
  });
  if (!read) return read;
  return fold.problem ? std::move(behind.problem) : std::move(fold.problem);
}

// ------------------------------------------------------------------------------------ snapshots

void TimeMachine::begin_writing() {
  if (stopping_) return;
  if (!snapshot_thread_.joinable()) snapshot_thread_ = std::thread([this] { write_snapshots(); });
  snapshot_change_.notify_all();
}

void TimeMachine::snapshots_wanted(const BranchId& branch) {
  std::lock_guard lock(snapshot_mutex_);
  if (wanted_.insert(branch).second) begin_writing();
}

void TimeMachine::snapshot_is_wrong(const BranchId& branch, Version version) {
  std::lock_guard lock(snapshot_mutex_);
  if (wrong_.insert({branch, version}).second) begin_writing();
}

void TimeMachine::write_snapshots() {
  std::unique_lock lock(snapshot_mutex_);
  for (;;) {
    snapshot_change_.wait(lock, [&] { return stopping_ || !wanted_.empty() || !wrong_.empty(); });
    if (stopping_) return;
    std::function<void()> job;
    if (!wrong_.empty()) {
      job = [this, key = *wrong_.begin()] { replace_snapshot(key); };
      wrong_.erase(wrong_.begin());
    } else {
      job = [this, branch = *wanted_.begin()] { write_snapshots_of(branch); };
      wanted_.erase(wanted_.begin());
    }
    writing_ = true;
    lock.unlock();
    job();
    lock.lock();
    writing_ = false;
    snapshot_change_.notify_all();
  }
}

// Whatever fails in these two fails for good reason or will be tried again: nobody waits for it,
// and whoever asks for the position is told.
void TimeMachine::replace_snapshot(const Key& wrong) {
  auto info = store_.branch(wrong.branch);
  if (!info) return;
  auto game = library_.game(info->game);
  if (!game) return;
  Base before = newest_snapshot(wrong.branch, wrong.version - 1, (*game)->roster());
  auto right = fold_to(**game, wrong.branch, std::move(before), wrong.version);
  if (right) (void)store_.put_snapshot(wrong.branch, {wrong.version, right->to_bytes()});
}

// From the newest snapshot to the branch's end. A line's own snapshots stand among its own events;
// those before the fork are its parent's.
void TimeMachine::write_snapshots_of(const BranchId& branch) {
  auto info = store_.branch(branch);
  if (!info) return;
  auto game = library_.game(info->game);
  if (!game) return;
  Base base = newest_snapshot(branch, info->version, (*game)->roster());
  if (base.from_snapshot) {
    auto checked = fold_to(**game, branch, base, base.version);
    if (!checked) return;
    base.position = std::move(*checked);
  }
  Fold fold(**game, branch, base.position);
  Version last = base.version;
  (void)store_.read(branch, base.version + 1, info->version, [&](const StoredEvent& stored) {
    const fb::Event* event = fold.step(stored, true);
    if (!event || stopping_) return false;
    if (info->parent && stored.version <= info->forked_at) return true;
    const Version since = stored.version - last;
    const ByteView digest = digest_in(*event);
    const Version enough = options_.snapshot_every * (digest.empty() ? 2 : 1);
    if (since < enough) return true;
    if (!digest.empty() && !equal(base.position.digest(), digest)) return false;
    last = stored.version;
    return store_.put_snapshot(branch, {stored.version, base.position.to_bytes()}).ok();
  });
}

void TimeMachine::finish_snapshots() {
  std::unique_lock lock(snapshot_mutex_);
  snapshot_change_.wait(
      lock, [&] { return stopping_ || (wanted_.empty() && wrong_.empty() && !writing_); });
}

TimeMachine::~TimeMachine() {
  {
    std::lock_guard lock(snapshot_mutex_);
    stopping_ = true;
    snapshot_change_.notify_all();
  }
  if (snapshot_thread_.joinable()) snapshot_thread_.join();
}

}  // namespace wardiary

#include "replay/time_machine.h"

namespace wardiary {

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
  auto after = kept_.upper_bound({owner, version});
  std::optional<Kept> best;
  auto consider = [&](auto it) {
    if (it->first.branch != owner) return;
    const Version v = it->first.version;
    const Version distance = v > version ? v - version : version - v;
    const Version best_version = best ? best->key.version : 0;
    const Version best_distance =
        best_version > version ? best_version - version : version - best_version;
    if (best && best_distance <= distance) return;
    recent_.splice(recent_.begin(), recent_, it->second);
    best = *it->second;
  };
  if (after != kept_.begin()) consider(std::prev(after));
  if (after != kept_.end()) consider(after);
  return best;
}

void TimeMachine::keep(const BranchId& owner, Version version, const Position& position) {
  std::lock_guard lock(mutex_);
  const Key key{owner, version};
  if (kept_.contains(key)) return;
  recent_.push_front({key, position});
  kept_[key] = recent_.begin();
  kept_bytes_ += position.memory_bytes();
  while (kept_bytes_ > options_.cache_bytes && recent_.size() > 1) {
    kept_bytes_ -= recent_.back().position.memory_bytes();
    kept_.erase(recent_.back().key);
    recent_.pop_back();
  }
}

void TimeMachine::remember(const BranchId& branch, Version version, const Position& position) {
  keep(branch, version, position);
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
  const Roster& roster = (*game)->roster();

  Position position(roster);
  Version reached = 0;
  auto kept = nearest_kept(*stored_in, version);
  const Version kept_distance = !kept                         ? version
                                : kept->key.version > version ? kept->key.version - version
                                                              : version - kept->key.version;
  if (kept && kept_distance <= options_.snapshot_every) {
    if (kept_distance == 0) return std::move(kept->position);
    position = std::move(kept->position);
    reached = kept->key.version;
  } else if (auto snapshot = store_.snapshot_at(*stored_in, version); snapshot && *snapshot) {
    // A snapshot is a cache: one that does not fit is ignored, and the events decide.
    auto read = Position::from_bytes(roster, (*snapshot)->bytes);
    if (read) {
      position = std::move(*read);
      reached = (*snapshot)->version;
    }
  }

  Result<Done> fold = Done{};
  Version last_snapshot = reached;
  auto step = [&](const StoredEvent& stored, bool forwards) {
    auto event = open_event(stored.payload);
    if (!event) {
      fold = std::move(event).error().within(where(info->game, branch, stored.version));
      return false;
    }
    const Fault fault = forwards ? apply(position, **event) : revert(position, **event);
    if (fault != Fault::kNone) {
      fold = corrupt(where(info->game, branch, stored.version) + ": " +
                     describe(fault, position, **event, roster));
      return false;
    }
    if (forwards && stored.version >= last_snapshot + options_.snapshot_every &&
        stored.version % options_.snapshot_every == 0) {
      // Failing to write a cache is no reason to fail the question.
      (void)store_.put_snapshot(*stored_in, {stored.version, position.to_bytes()});
      last_snapshot = stored.version;
    }
    return true;
  };
  Status read = Done{};
  if (reached > version) {
    read = store_.read_backwards(*stored_in, reached, version + 1,
                                 [&](const StoredEvent& s) { return step(s, false); });
  } else if (reached < version) {
    read = store_.read(*stored_in, reached + 1, version,
                       [&](const StoredEvent& s) { return step(s, true); });
  }
  if (!read) return std::move(read).error();
  if (!fold) return std::move(fold).error();
  keep(*stored_in, version, position);
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
  const Roster& roster = (*game)->roster();
  Position position(roster);
  if (first > 1) {
    auto before = at(branch, first - 1);
    if (!before) return std::move(before).error();
    position = std::move(*before);
  }
  Status fold = Done{};
  Position before = position;
  Status read =
      store_.read(branch, std::max<Version>(first, 1), last, [&](const StoredEvent& stored) {
        auto event = open_event(stored.payload);
        if (!event) {
          fold = std::move(event).error().within(where((*game)->id, branch, stored.version));
          return false;
        }
        before = position;
        const Fault fault = apply(position, **event);
        if (fault != Fault::kNone) {
          fold = corrupt(where((*game)->id, branch, stored.version) + ": " +
                         describe(fault, position, **event, roster));
          return false;
        }
        return see(stored.version, **event, stored.payload, before, position);
      });
  if (!read) return read;
  return fold;
}

}  // namespace wardiary

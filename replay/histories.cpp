#include "replay/histories.h"

#include <algorithm>
#include <map>

#include "domain/schema/event_generated.h"

namespace wardiary {
namespace {

// Keys: prefix, branch, 'd' and a block's number: the block is done (value: hash of its last
// event); prefix, branch, kind, number of the thing, block: the places in the block that touch it.
constexpr std::string_view kPrefix = "history/1/";

void put_u16(std::string& out, std::uint16_t value) {
  out += static_cast<char>(value >> 8);
  out += static_cast<char>(value & 0xff);
}
void put_block(std::string& out, std::uint64_t value) {
  for (int shift = 56; shift >= 0; shift -= 8) out += static_cast<char>(value >> shift & 0xff);
}
std::uint64_t block_of(std::string_view key) {
  std::uint64_t value = 0;
  for (char c : key.substr(key.size() - 8)) value = value << 8 | static_cast<std::uint8_t>(c);
  return value;
}

std::string branch_prefix(const BranchId& branch) {
  std::string out(kPrefix);
  out.append(reinterpret_cast<const char*>(branch.data.data()), branch.data.size());
  return out;
}
std::string done_prefix(const BranchId& branch) {
  return branch_prefix(branch) + 'd';
}
std::string thing_prefix(const BranchId& branch, Thing thing) {
  constexpr char kKinds[] = {'u', 's', 't', 'c'};
  std::string out = branch_prefix(branch) + kKinds[static_cast<std::size_t>(thing.kind)];
  put_u16(out, static_cast<std::uint16_t>(thing.index));
  return out;
}

Version first_own(const BranchInfo& branch) {
  return branch.parent ? branch.forked_at + 1 : 1;
}

Status each_event(EventStore& store, const BranchInfo& owner, Version first, Version last,
                  const std::function<bool(Version, const fb::Event&)>& see) {
  Status problem = Done{};
  if (first > last) return problem;
  auto read = store.read(owner.branch, first, last, [&](const StoredEvent& stored) {
    auto event = open_event(stored.payload);
    if (!event) {
      problem = std::move(event).error().within(where(owner.game, owner.branch, stored.version));
      return false;
    }
    return see(stored.version, **event);
  });
  return read ? problem : read;
}

// Whether a position can be another one after it.
bool changes_something(const fb::Event& event) {
  switch (event.payload_type()) {
    case fb::Payload::OrderIssued:
    case fb::Payload::DiceRolled:
    case fb::Payload::Ruling:
    case fb::Payload::EpochOpened:
    case fb::Payload::TakeBack:
      return false;
    default:
      return true;
  }
}

bool changes(const fb::Event& event, Thing thing, int attribute) {
  switch (thing.kind) {
    case Thing::Kind::kUnit:
      return changes_unit(event, UnitId{thing.index}, attribute);
    case Thing::Kind::kSpace:
      return changes_space(event, SpaceId{thing.index}, attribute);
    case Thing::Kind::kTrack:
      return touches_track(event, TrackId{thing.index});
    case Thing::Kind::kClock:
      return touches(event, thing);
  }
  return false;
}

// Moves a position of which only some things are followed over an event that touches them.
void apply_to_followed(Position& position, const fb::Event& event) {
  if (const auto* many = event.payload_as_SpacesChanged()) {
    // Its other spaces are not followed, so their values before mean nothing.
    if (many->attribute() >= position.shape().space_attributes) return;
    const auto count = std::min(many->spaces()->size(), many->to()->size());
    for (unsigned i = 0; i < count; ++i) {
      const SpaceId space{many->spaces()->Get(i)};
      if (space.index() < position.space_count()) {
        position.set(space, many->attribute(), many->to()->Get(i));
      }
    }
    return;
  }
  if (event.payload_type() == fb::Payload::DiceRolled) return;  // its number means nothing either
  (void)apply(position, event);
}

}  // namespace

// ------------------------------------------------------------------------------------ the index

Status Histories::index_block(const BranchInfo& owner, Version first, std::uint64_t block) {
  std::map<Thing, std::string> places;
  auto read = each_event(
      store_, owner, first, first + kBlock - 1, [&](Version version, const fb::Event& event) {
        const auto place = static_cast<std::uint16_t>(version - first);
        each_thing(event, [&](Thing thing) {
          std::string& list = places[thing];
          const std::size_t size = list.size();
          const bool twice = size >= 2 && static_cast<std::uint8_t>(list[size - 2]) == place >> 8 &&
                             static_cast<std::uint8_t>(list[size - 1]) == (place & 0xff);
          if (!twice) put_u16(list, place);
        });
        return true;
      });
  if (!read) return read;
  auto hash = store_.event_hash(owner.branch, first + kBlock - 1);
  if (!hash) return std::move(hash).error();
  for (const auto& [thing, list] : places) {
    std::string key = thing_prefix(owner.branch, thing);
    put_block(key, block);
    if (auto put = store_.put_index(key, bytes_of(list)); !put) return put;
  }
  // Last: a block without this is made again.
  std::string done = done_prefix(owner.branch);
  put_block(done, block);
  return store_.put_index(done, hash->view());
}

Result<Version> Histories::indexed_to(const BranchInfo& owner) {
  std::lock_guard lock(locks_[owner.branch.data[15] % locks_.size()]);
  const Version begin = first_own(owner);
  std::uint64_t blocks = 0;
  Bytes hash;
  bool fits = true;
  auto scanned =
      store_.scan_index(done_prefix(owner.branch), "", [&](std::string_view key, ByteView value) {
        fits = block_of(key) == blocks++;
        hash.assign(value.begin(), value.end());
        return fits;
      });
  if (!scanned) return std::move(scanned).error();
  if (fits && blocks > 0) {
    const Version last = begin + blocks * kBlock - 1;
    auto stored = last <= owner.version ? store_.event_hash(owner.branch, last)
                                        : Result<Hash>(corrupt("beyond the end"));
    fits = stored && equal(stored->view(), hash);
  }
  if (!fits) {
    if (auto dropped = store_.drop_index(branch_prefix(owner.branch)); !dropped) {
      return std::move(dropped).error();
    }
    blocks = 0;
  }
  for (; begin + (blocks + 1) * kBlock - 1 <= owner.version; ++blocks) {
    auto made = index_block(owner, begin + blocks * kBlock, blocks);
    if (!made) return std::move(made).error();
  }
  return begin + blocks * kBlock - 1;
}

Status Histories::drop() {
  return store_.drop_index(kPrefix);
}

Result<std::vector<Histories::Piece>> Histories::pieces(const BranchId& branch, Version first,
                                                        Version last) {
  std::vector<Piece> out;
  BranchId id = branch;
  for (std::size_t depth = 0; depth <= StoreLimits::kBranchDepthMax; ++depth) {
    auto info = store_.branch(id);
    if (!info) return std::move(info).error();
    last = std::min(last, info->version);
    const Version begin = std::max(first, first_own(*info));
    if (begin <= last) out.push_back({*info, begin, last});
    if (!info->parent || info->forked_at < first) break;
    last = std::min(last, info->forked_at);
    id = *info->parent;
  }
  std::reverse(out.begin(), out.end());
  return out;
}

Result<std::vector<Version>> Histories::touching(const BranchId& branch, Thing thing, Version first,
                                                 Version last) {
  auto line = pieces(branch, std::max<Version>(first, 1), last);
  if (!line) return std::move(line).error();
  std::vector<Version> out;
  for (const Piece& piece : *line) {
    auto indexed = indexed_to(piece.owner);
    if (!indexed) return std::move(indexed).error();
    const Version begin = first_own(piece.owner);
    auto scanned = store_.scan_index(
        thing_prefix(piece.owner.branch, thing), "", [&](std::string_view key, ByteView value) {
          const Version block = begin + block_of(key) * kBlock;
          for (std::size_t i = 0; i + 1 < value.size(); i += 2) {
            const Version version = block + (Version{value[i]} << 8 | value[i + 1]);
            const bool known = version <= *indexed;  // not of a block that was left half made
            if (known && version >= piece.first && version <= piece.last) out.push_back(version);
          }
          return block <= piece.last;
        });
    if (!scanned) return std::move(scanned).error();
    auto read = each_event(store_, piece.owner, std::max(piece.first, *indexed + 1), piece.last,
                           [&](Version version, const fb::Event& event) {
                             if (touches(event, thing)) out.push_back(version);
                             return true;
                           });
    if (!read) return std::move(read).error();
  }
  return out;
}

// ------------------------------------------------------------------------------------ why

// What the event names as its cause, or the head of its commit; 0 for a head.
Result<Version> Histories::cause_of(const BranchId& branch, Version version) {
  Version cause = 0;
  bool is_first = true;
  Status problem = Done{};
  auto read = store_.read_backwards(branch, version, 1, [&](const StoredEvent& stored) {
    auto event = open_event(stored.payload);
    if (!event) {
      problem = std::move(event).error();
      return false;
    }
    if (is_first) {
      is_first = false;
      if (begins_commit(**event)) return false;
      if ((*event)->because() != 0 && (*event)->because() < version) {
        cause = version - (*event)->because();
        return false;
      }
      return true;
    }
    if (!begins_commit(**event)) return true;
    cause = stored.version;
    return false;
  });
  if (!read) return std::move(read).error();
  if (!problem) return std::move(problem).error();
  return cause;
}

Result<std::vector<Version>> Histories::why(const BranchId& branch, Thing thing, int attribute,
                                            Version at) {
  auto versions = touching(branch, thing, 1, at);
  if (!versions) return versions;
  std::vector<Version> chain;
  for (std::size_t i = versions->size(); i-- > 0 && chain.empty();) {
    auto info = store_.branch(branch);
    if (!info) return std::move(info).error();
    auto read = each_event(store_, *info, (*versions)[i], (*versions)[i],
                           [&](Version version, const fb::Event& event) {
                             if (changes(event, thing, attribute)) chain.push_back(version);
                             return true;
                           });
    if (!read) return std::move(read).error();
  }
  constexpr std::size_t kChainMax = 1'000;
  while (!chain.empty() && chain.size() < kChainMax) {
    auto cause = cause_of(branch, chain.back());
    if (!cause) return std::move(cause).error();
    if (*cause == 0) break;
    chain.push_back(*cause);
  }
  return chain;
}

// ------------------------------------------------------------------------------------ when

// Every version at which the truth of the condition can change.
Result<std::vector<Version>> Histories::turning_points(const BranchId& branch,
                                                       const Condition& condition, Version last) {
  std::vector<Version> out = {1};
  for (const Condition::Subject& subject : condition.subjects()) {
    using Kind = Condition::Subject::Kind;
    const Thing thing = subject.kind == Kind::kUnit    ? Thing::of(UnitId{subject.index})
                        : subject.kind == Kind::kSpace ? Thing::of(SpaceId{subject.index})
                        : subject.kind == Kind::kTrack ? Thing::of(TrackId{subject.index})
                                                       : Thing::clock();
    auto versions = touching(branch, thing, 1, last);
    if (!versions) return versions;
    out.insert(out.end(), versions->begin(), versions->end());
  }
  std::sort(out.begin(), out.end());
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

Status Histories::each_truth_by_index(const OpenGame& game, const BranchId& branch,
                                      const std::vector<Version>& versions,
                                      const Condition& condition,
                                      const std::function<bool(Version, bool)>& see) {
  auto info = store_.branch(branch);
  if (!info) return std::move(info).error();
  Position followed(game.roster());
  for (Version version : versions) {
    bool more = true;
    auto read = each_event(store_, *info, version, version, [&](Version, const fb::Event& event) {
      apply_to_followed(followed, event);
      more = see(version, condition.holds(followed));
      return false;
    });
    if (!read) return read;
    if (!more) break;
  }
  return Done{};
}

Result<Histories::When> Histories::when(const BranchId& branch, const Condition& condition,
                                        Version last, std::size_t most, Which which) {
  auto game = library_.game_of(branch);
  if (!game) return std::move(game).error();
  When out;
  Version began = 0;
  const auto add = [&](Stretch stretch) {
    if (which == Which::kLast) out.stretches.clear();
    out.stretches.push_back(stretch);
  };
  const std::size_t enough = which == Which::kFirst ? 1 : most;
  const auto see = [&](Version version, bool holds) {
    if (holds && began == 0) began = version;
    if (!holds && began != 0) {
      add({began, version - 1});
      began = 0;
    }
    return out.stretches.size() < enough || which == Which::kLast;
  };
  std::vector<Version> points;
  if (condition.follows_from_subjects()) {
    auto found = turning_points(branch, condition, last);
    if (!found) return std::move(found).error();
    points = std::move(*found);
    // Reading single events one by one pays only where they are few.
    constexpr Version kWorthIt = 16;
    out.by_index = points.size() <= last / kWorthIt;
  }
  Status told = Done{};
  if (out.by_index) {
    told = each_truth_by_index(**game, branch, points, condition, see);
  } else {
    told = time_.walk(branch, 1, last,
                      [&](Version version, const fb::Event& event, ByteView, const Position&,
                          const Position& after) {
                        return !changes_something(event) || see(version, condition.holds(after));
                      });
  }
  if (!told) return std::move(told).error();
  if (began != 0) add({began, last});
  out.complete = out.stretches.size() < enough || which != Which::kAll;
  return out;
}

}  // namespace wardiary

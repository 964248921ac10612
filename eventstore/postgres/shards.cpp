#include "eventstore/postgres/shards.h"

#include <algorithm>
#include <numeric>

#include "domain/base/sha256.h"
#include "eventstore/copy.h"
#include "eventstore/postgres/store.h"
#include "eventstore/stored/commit.h"

namespace wardiary::postgres {

std::vector<std::size_t> preference(const GameId& game, const std::vector<std::string>& clusters) {
  std::vector<Hash> weights;
  for (const std::string& cluster : clusters) {
    Sha256 hasher;
    weights.push_back(hasher.add("wardiary/home").add(cluster).add(game).finish());
  }
  std::vector<std::size_t> order(clusters.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(),
            [&](std::size_t a, std::size_t b) { return weights[a] > weights[b]; });
  return order;
}

Shards::Shards(std::vector<Shard> shards, std::string key_directory)
    : shards_(std::move(shards)), key_directory_(std::move(key_directory)) {
  for (const Shard& shard : shards_) clusters_.push_back(shard.cluster);
}

Shards::~Shards() {
  (void)close();
}

std::optional<std::size_t> Shards::known(const Id& id) {
  std::lock_guard lock(mutex_);
  const auto it = homes_.find(id);
  return it == homes_.end() ? std::nullopt : std::optional(it->second);
}

void Shards::remember(const Id& id, std::size_t shard) {
  std::lock_guard lock(mutex_);
  if (homes_.size() >= kHomesMax) homes_.clear();
  homes_[id] = shard;
}

Result<EventStore*> Shards::home_of_game(const GameId& game) {
  if (const auto shard = known(game)) return shards_[*shard].store.get();
  for (const std::size_t n : preference(game, clusters_)) {
    auto found = shards_[n].store->game(game);
    if (!found && found.error().code == ErrorCode::kNotFound) continue;
    if (!found && found.error().code != ErrorCode::kCorrupt) return std::move(found).error();
    remember(game, n);
    return shards_[n].store.get();
  }
  return not_found("no game " + to_hex(game));
}

Result<EventStore*> Shards::home_of_branch(const BranchId& branch) {
  if (const auto shard = known(branch)) return shards_[*shard].store.get();
  for (std::size_t n = 0; n < shards_.size(); ++n) {
    auto found = shards_[n].store->branch(branch);
    if (!found && found.error().code == ErrorCode::kNotFound) continue;
    if (!found && found.error().code != ErrorCode::kCorrupt) return std::move(found).error();
    remember(branch, n);
    return shards_[n].store.get();
  }
  return not_found("no branch " + to_hex(branch));
}

Status Shards::all(const std::function<Status(EventStore&)>& ask) {
  for (Shard& shard : shards_) {
    if (Status s = ask(*shard.store); !s) return s;
  }
  return Done{};
}

// ---------------------------------------------------------------------------------- writing

Result<Appended> Shards::create_game(const NewGame& game) {
  if (Status s = stored::check_new_game(game); !s) return s.error();
  auto home = home_of_game(game.game);
  if (home) return (*home)->create_game(game);
  if (home.error().code != ErrorCode::kNotFound) return std::move(home).error();
  if (auto taken = home_of_branch(game.mainline)) {
    auto info = (*taken)->branch(game.mainline);
    return Appended{Appended::Kind::kConflict, 0, 0, {}, info ? info->version : 0};
  }
  const std::size_t chosen = preference(game.game, clusters_).front();
  return shards_[chosen].store->create_game(game);
}

Result<Appended> Shards::append(const Commit& commit) {
  if (Status s = stored::check_events(commit.events); !s) return s.error();
  auto home = home_of_branch(commit.branch);
  if (!home) return std::move(home).error();
  return (*home)->append(commit);
}

Result<BranchInfo> Shards::fork(const NewBranch& branch) {
  auto home = home_of_game(branch.game);
  if (!home) return std::move(home).error();
  auto taken = home_of_branch(branch.branch);
  if (taken && *taken != *home) {
    return Error{ErrorCode::kConflict, "branch " + to_hex(branch.branch) + " exists already"};
  }
  return (*home)->fork(branch);
}

// ---------------------------------------------------------------------------------- all of them

Result<Page<GameInfo>> Shards::games(std::optional<std::string> after, std::size_t limit) {
  Page<GameInfo> out;
  bool more = false;
  for (Shard& shard : shards_) {
    auto page = shard.store->games(after, limit);
    if (!page) return page;
    more = more || page->next.has_value();
    for (GameInfo& game : page->items) out.items.push_back(std::move(game));
  }
  std::sort(out.items.begin(), out.items.end(),
            [](const GameInfo& a, const GameInfo& b) { return a.game < b.game; });
  more = more || out.items.size() > limit;
  if (out.items.size() > limit) out.items.resize(limit);
  if (more && !out.items.empty()) out.next = to_hex(out.items.back().game);
  return out;
}

Result<Bytes> Shards::content(const Hash& hash) {
  for (Shard& shard : shards_) {
    auto found = shard.store->content(hash);
    if (found || found.error().code != ErrorCode::kNotFound) return found;
  }
  return not_found("no content with hash " + to_hex(hash));
}

void Shards::set_listener(std::function<void(const BranchId&, Version)> listener) {
  for (Shard& shard : shards_) shard.store->set_listener(listener);
}

void Shards::watch(const BranchId& branch, bool on) {
  if (auto home = home_of_branch(branch)) LogKeeper::of(**home)->watch(branch, on);
}

Status Shards::drop_snapshots() {
  return all([](EventStore& store) { return store.drop_snapshots(); });
}
Status Shards::tidy() {
  return all([](EventStore& store) { return store.tidy(); });
}
Status Shards::close() {
  return all([](EventStore& store) { return store.close(); });
}

Result<EventStore::Verified> Shards::verify(
    std::optional<GameId> game, const std::function<void(std::uint64_t events)>& progress) {
  if (game) {
    auto home = home_of_game(*game);
    if (!home) return std::move(home).error();
    return (*home)->verify(game, progress);
  }
  Verified out;
  for (Shard& shard : shards_) {
    auto one = shard.store->verify(game, [&](std::uint64_t events) {
      if (progress) progress(out.events + events);
    });
    if (!one) return one;
    out.games += one->games;
    out.branches += one->branches;
    out.events += one->events;
    out.commits += one->commits;
    out.checkpoints += one->checkpoints;
    out.rollbacks += one->rollbacks;
    out.restores += one->restores;
    for (Finding& finding : one->findings) out.findings.push_back(std::move(finding));
  }
  return out;
}

Status Shards::backup(const std::string& directory, BackupKeys keys) {
  return copy_to_directory(*this, key_directory_, directory, keys);
}

Result<StoreStats> Shards::stats() {
  StoreStats out;
  for (Shard& shard : shards_) {
    auto one = shard.store->stats();
    if (!one) return one;
    out.games += one->games;
    out.branches += one->branches;
    out.events += one->events;
    out.commits += one->commits;
    out.syncs += one->syncs;
    out.conflicts += one->conflicts;
    out.duplicates += one->duplicates;
    out.disk_bytes += one->disk_bytes;
    out.payload_bytes += one->payload_bytes;
  }
  return out;
}

// ---------------------------------------------------------------------------------- of no game

Status Shards::put_index(std::string_view key, ByteView value) {
  return first().put_index(key, value);
}
Status Shards::scan_index(std::string_view prefix, std::string_view after,
                          const std::function<bool(std::string_view, ByteView)>& see) {
  return first().scan_index(prefix, after, see);
}
Status Shards::drop_index(std::string_view prefix) {
  return first().drop_index(prefix);
}
Status Shards::change_records(std::span<const RecordChange> changes) {
  return first().change_records(changes);
}
Result<std::optional<Bytes>> Shards::record(std::string_view key) {
  return first().record(key);
}
Status Shards::scan_records(std::string_view prefix,
                            const std::function<bool(std::string_view, ByteView)>& see) {
  return first().scan_records(prefix, see);
}

// ---------------------------------------------------------------------------------- opening

namespace {

std::vector<std::string> words_of(const std::string& text) {
  std::vector<std::string> out;
  std::size_t begin = 0;
  while (begin < text.size()) {
    const std::size_t end = std::min(text.find(' ', begin), text.size());
    if (end > begin) out.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return out;
}

// The recorded set first, in its order, then what is new.
std::vector<std::string> joined(const std::vector<std::string>& sets,
                                const std::vector<std::string>& given) {
  std::vector<std::string> out;
  const auto add = [&](const std::string& cluster) {
    if (std::find(out.begin(), out.end(), cluster) == out.end()) out.push_back(cluster);
  };
  // The longest is the one that knows most.
  std::vector<std::string> recorded;
  for (const std::string& set : sets) {
    if (words_of(set).size() > recorded.size()) recorded = words_of(set);
  }
  for (const std::string& cluster : recorded) add(cluster);
  for (const std::string& cluster : given) add(cluster);
  return out;
}

}  // namespace

Result<std::vector<std::string>> settle_set(const std::vector<Store*>& stores, bool create) {
  std::vector<std::string> sets, given;
  for (Store* store : stores) {
    auto set = store->recorded_set();
    if (!set) return std::move(set).error();
    sets.push_back(*set);
    given.push_back(store->cluster());
  }
  const std::vector<std::string> whole = joined(sets, given);
  if (whole.size() != given.size()) {
    return invalid("these clusters keep games together with others: the set has " +
                   std::to_string(whole.size()) + " clusters, " + std::to_string(given.size()) +
                   " were given; name all of them with --store");
  }
  std::string text;
  for (const std::string& cluster : whole) text += (text.empty() ? "" : " ") + cluster;
  for (std::size_t i = 0; i < stores.size(); ++i) {
    if (sets[i] == text) continue;
    if (!create) {
      return invalid(
          "these clusters do not know each other yet; make them one set with wardiary "
          "init and all of them");
    }
    if (Status s = stores[i]->record_set(text); !s) return s.error();
  }
  return whole;
}

}  // namespace wardiary::postgres

namespace wardiary {

Result<std::unique_ptr<EventStore>> open_postgres_stores(const PostgresOptions& options,
                                                         const std::vector<std::string>& uris) {
  if (uris.empty()) return invalid("no store given");
  std::map<std::string, std::unique_ptr<EventStore>> opened;
  std::vector<postgres::Store*> stores;
  for (const std::string& uri : uris) {
    PostgresOptions one = options;
    one.uri = uri;
    auto store = open_postgres_store(one);
    if (!store) return std::move(store).error();
    auto* cluster = static_cast<postgres::Store*>(store->get());
    if (opened.contains(cluster->cluster())) {
      return invalid(shown_uri(uri) + " is a cluster that was named before");
    }
    stores.push_back(cluster);
    opened[cluster->cluster()] = std::move(*store);
  }
  auto set = postgres::settle_set(stores, options.create_if_missing);
  if (!set) return std::move(set).error();
  if (uris.size() == 1) return std::move(opened.begin()->second);
  std::vector<postgres::Shards::Shard> shards;
  for (const std::string& cluster : *set) {
    shards.push_back({cluster, std::move(opened[cluster])});
  }
  return std::unique_ptr<EventStore>(
      std::make_unique<postgres::Shards>(std::move(shards), options.directory));
}

}  // namespace wardiary

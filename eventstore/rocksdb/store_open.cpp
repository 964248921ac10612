#include <algorithm>
#include <chrono>
#include <filesystem>

#include <rocksdb/env.h>
#include <sodium.h>

#include "eventstore/rocksdb/store.h"

namespace wardiary::embedded {
namespace {

namespace fs = std::filesystem;

Status make_store(const DataDir& dir) {
  std::error_code error;
  fs::create_directories(dir.root, error);
  if (error) {
    return Error{ErrorCode::kIo, "cannot make " + dir.root.string() + ": " + error.message()};
  }
  // A first start that was interrupted may have left some of these; the format file comes last.
  for (const fs::path& key : {dir.log_key(), dir.master_key()}) {
    if (!fs::exists(key)) {
      if (Status s = create_key(key); !s) return s;
    }
  }
  if (!fs::exists(dir.checkpoints())) {
    if (Status s = CheckpointFile::create(dir.checkpoints()); !s) return s;
  }
  return Done{};
}

Status make_missing_keys(const DataDir& dir) {
  for (const fs::path& key : {dir.log_key(), dir.master_key()}) {
    if (fs::exists(key)) continue;
    if (Status s = create_key(key); !s) return s;
  }
  return Done{};
}

// Opening writes a new log and manifest. On a full disk the Debian build of RocksDB does not give
// an error there: it stops the process.
Status check_room(const StoreOptions& options, const DataDir& dir) {
  constexpr std::uint64_t kOpenBytesMin = 8u << 20;
  rocksdb::Env* const env = options.env ? options.env : rocksdb::Env::Default();
  std::uint64_t free = 0;
  if (!env->GetFreeSpace(dir.root.string(), &free).ok() || free >= kOpenBytesMin) return Done{};
  return Error{ErrorCode::kFull, "only " + std::to_string(free >> 20) + " MiB are free in " +
                                     dir.root.string() + ", opening it takes " +
                                     std::to_string(kOpenBytesMin >> 20) + ": make room first"};
}

Id id_at(std::string_view key, std::size_t at) {
  return key.size() < at + 16 ? Id{} : *Id::from(bytes_of(key).subspan(at, 16));
}

}  // namespace

std::uint64_t now_ms() {
  using namespace std::chrono;
  return static_cast<std::uint64_t>(
      duration_cast<milliseconds>(system_clock::now().time_since_epoch()).count());
}

Result<std::unique_ptr<EventStore>> Store::open(const StoreOptions& options) {
  std::unique_ptr<Store> store(new Store(options));
  if (Status s = store->open_files(); !s) return s.error();
  if (Status s = store->load_heads(); !s) return s.error();
  if (Status s = store->check_checkpoints(); !s) return s.error();
  if (Status s = store->check_written(); !s) return s.error();
  store->sealer_ = std::make_unique<Sealer>(*store->engine_, store->heads_,
                                            options.seal_keep_events, options.seal_in_background);
  return std::unique_ptr<EventStore>(std::move(store));
}

Status Store::open_files() {
  if (sodium_init() < 0) return Error{ErrorCode::kIo, "libsodium cannot be initialised"};
  Status format = dir_.check_format();
  const bool fresh = !format && format.error().code == ErrorCode::kNotFound;
  if (!format && !(fresh && options_.create_if_missing)) return format;
  if (fresh && fs::exists(dir_.database())) {
    return corrupt(dir_.root.string() + " has a database but no file 'format'");
  }
  const bool new_log_key = !fs::exists(dir_.log_key());
  const bool new_master_key = !fs::exists(dir_.master_key());
  if (fresh) {
    if (Status s = make_store(dir_); !s) return s;
  } else if (options_.create_missing_keys) {
    if (Status s = make_missing_keys(dir_); !s) return s;
  }
  auto seed = read_key(dir_.log_key());
  if (!seed) return std::move(seed).error();
  key_ = SigningKey::from_seed(*seed);
  auto master = read_key(dir_.master_key());
  if (!master) return std::move(master).error();

  if (!fresh && options_.accept_rollback && !fs::exists(dir_.checkpoints())) {
    if (Status s = CheckpointFile::create(dir_.checkpoints()); !s) return s;
  }
  auto checkpoints = CheckpointFile::open(dir_.checkpoints());
  if (!checkpoints) return std::move(checkpoints).error();
  checkpoints_ = std::move(*checkpoints);
  if (Status s = checkpoints_->check_key("log.key", *seed, new_log_key); !s) return s;
  if (Status s = checkpoints_->check_key("master.key", *master, new_master_key); !s) return s;

  // RocksDB would make an empty database where one has vanished.
  if (!fresh && !fs::exists(dir_.database() / "CURRENT")) {
    return corrupt(dir_.database().string() + ": the database is missing");
  }
  if (Status s = check_room(options_, dir_); !s) return s;
  auto engine = Engine::open(options_, dir_.database().string());
  if (!engine) return std::move(engine).error();
  engine_ = std::move(*engine);
  return fresh ? dir_.write_format() : Status(Done{});
}

// A record that fails its check does not keep the store from opening: the games it does not concern
// are whole, and verify() must be able to name it. Its branch or game is marked and refuses use.
Status Store::load_heads() {
  const auto about = [&](Family family) {
    std::uint64_t keys = 0;
    engine_->db().GetIntProperty(engine_->family(family), rocksdb::DB::Properties::kEstimateNumKeys,
                                 &keys);
    return static_cast<std::size_t>(std::min<std::uint64_t>(keys, 1'000'000));  // an estimate only
  };
  return heads_.change([&](BranchMap& branches, GameMap& games) -> Status {
    games.reserve(about(Family::kGames));
    branches.reserve(about(Family::kBranches));
    if (Status s = load_games(games); !s) return s;
    if (Status s = load_branches(branches); !s) return s;
    return load_head_records(branches, games);
  });
}

Status Store::load_games(GameMap& games) {
  return engine_->scan(
      Family::kGames, "", "",
      [&](std::string_view key, std::string_view body) {
        const auto record = GameRecord::parse(body);
        GameHead& game = games[id_at(key, 0)];
        game.damaged = true;  // until its head record is found
        if (record) game.mainline = record->mainline;
        return true;
      },
      [&](std::string_view key) {
        if (key.size() == 16) games[id_at(key, 0)].damaged = true;
      });
}

Status Store::load_branches(BranchMap& branches) {
  Status s = engine_->scan(
      Family::kBranches, "", "",
      [&](std::string_view key, std::string_view body) {
        const auto record = BranchRecord::parse(body);
        BranchHead& head = branches[id_at(key, 16)];
        head.game = id_at(key, 0);
        if (!record) return head.damaged = true;
        head.parent = record->parent;
        head.mainline = record->parent.is_zero();
        head.forked_at = head.version = head.sealed = record->forked_at;
        head.hash = head.fork_hash = record->fork_hash;
        head.depth = record->depth;
        head.deleted = record->deleted;
        head.damaged = head.mainline;  // until its head record is found
        return true;
      },
      [&](std::string_view key) {
        if (key.size() != 32) return;
        BranchHead& head = branches[id_at(key, 16)];
        head.game = id_at(key, 0);
        head.damaged = true;
      });
  for (const auto& [id, head] : branches) {
    const auto parent = branches.find(head.parent);
    if (parent != branches.end() && !head.deleted) ++parent->second.live_children;
  }
  return s;
}

Status Store::load_head_records(BranchMap& branches, GameMap& games) {
  const auto load_game = [&](const GameId& id, std::string_view body) {
    const auto found = games.find(id);
    if (found == games.end()) return;
    GameHead& game = found->second;
    game.damaged = !parse_game_head(body, game) || game.mainline.is_zero();
  };
  const auto load_branch = [&](char kind, const BranchId& id, std::string_view body) {
    const auto found = branches.find(id);
    if (found == branches.end()) return;
    BranchHead& head = found->second;
    if (kind == 's') {
      head.sealed = RecordReader(body).number(8);
    } else if (kind == 'b') {
      const bool whole = parse_branch_head(body, head.version, head.hash);
      head.damaged = !whole || (head.damaged && !head.mainline);
    }
  };
  return engine_->scan(
      Family::kHeads, "", "",
      [&](std::string_view key, std::string_view body) {
        if (key.size() != 17) return true;
        if (key[0] == 'g') load_game(id_at(key, 1), body);
        if (key[0] != 'g') load_branch(key[0], id_at(key, 1), body);
        return true;
      },
      [&](std::string_view key) {
        if (key.size() != 17) return;
        const auto game = key[0] == 'g' ? games.find(id_at(key, 1)) : games.end();
        if (game != games.end()) game->second.damaged = true;
        const auto branch = key[0] != 'g' ? branches.find(id_at(key, 1)) : branches.end();
        if (branch != branches.end()) branch->second.damaged = true;
      });
}

// RocksDB drops what it cannot read at the end of its own files; it numbers its writes, though.
Status Store::check_written() {
  const std::uint64_t now = engine_->db().GetLatestSequenceNumber();
  const std::uint64_t before = checkpoints_->written();
  if (now >= before) return Done{};
  if (options_.accept_rollback) return checkpoints_->accept_rewind(now, now_ms());
  return corrupt(dir_.database().string() + ": writes are missing: there are " +
                 std::to_string(now) + ", when the store was closed there were " +
                 std::to_string(before) +
                 ". Was a file cut short, or an older database put back? Open with "
                 "accept_rollback (wardiary init --accept-rollback) to go on regardless");
}

Status Store::check_checkpoints() {
  for (const auto& [game, tree] : checkpoints_->all()) {
    const auto head = heads_.game(game);
    if (head && head->damaged) continue;  // verify() names it; nothing can be appended to it
    const std::uint64_t size = head ? head->frontier.size() : 0;
    const Hash root = head ? head->frontier.root() : merkle::empty_root();
    const bool behind = size < tree.size;
    if (!behind && !(size == tree.size && root != tree.root)) continue;
    if (options_.accept_rollback) {
      if (Status s = checkpoints_->accept_rollback(game, {size, root}, now_ms()); !s) return s;
      continue;
    }
    return corrupt("game " + to_hex(game) + (behind ? " is behind" : " differs from") +
                   " a checkpoint this store has signed: it has " + std::to_string(size) +
                   " events, the checkpoint " + std::to_string(tree.size) +
                   ". Was an older backup put back? Open with accept_rollback (wardiary init "
                   "--accept-rollback) to go on regardless");
  }
  return Done{};
}

Status Store::close() {
  const bool failed = state_.load() == State::kFailed;
  if (state_.exchange(State::kClosed) == State::kClosed) return Done{};
  for (Stripe& stripe : stripes_) {
    std::lock_guard lock(stripe.mutex);
    stripe.changed.notify_all();
  }
  if (sealer_) sealer_->stop();
  std::unique_lock alone(gate_);
  Status out = Done{};
  if (engine_ && !failed) {
    // An empty log makes the next start quick, and leaves nothing that is guarded by a log alone.
    std::vector<rocksdb::ColumnFamilyHandle*> families;
    for (std::size_t i = 0; i < kFamilyCount; ++i) {
      families.push_back(engine_->family(static_cast<Family>(i)));
    }
    const auto status = engine_->db().Flush(rocksdb::FlushOptions(), families);
    if (!status.ok()) out = error_of(status, "closing the store");
    if (status.ok()) out = checkpoints_->remember_written(engine_->db().GetLatestSequenceNumber());
  }
  sealer_.reset();
  engine_.reset();
  checkpoints_.reset();
  return out;
}

Store::~Store() {
  (void)close();
}

}  // namespace wardiary::embedded

namespace wardiary {

Result<std::unique_ptr<EventStore>> open_rocksdb_store(const StoreOptions& options) {
  return embedded::Store::open(options);
}

}  // namespace wardiary

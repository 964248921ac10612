#include <sodium.h>

#include <algorithm>
#include <chrono>
#include <filesystem>

#include "eventstore/postgres/schema.h"
#include "eventstore/postgres/store.h"

namespace wardiary::postgres {
namespace {

namespace fs = std::filesystem;
using stored::Family;

std::uint64_t now_ms() {
  using namespace std::chrono;
  return static_cast<std::uint64_t>(
      duration_cast<milliseconds>(system_clock::now().time_since_epoch()).count());
}

constexpr std::uint32_t kOpeningMs = 30'000;

const Statement kCheckpoints{"wd_checkpoints", "select k, v from wardiary_checkpoint order by k"};
const Statement kHeadsOf{"wd_heads_of",
                         "select k, version from wardiary_branch_head where k = any($1::bytea[])"};

}  // namespace

Id random_mark() {
  Id out;
  randombytes_buf(out.data.data(), out.data.size());
  return out;
}

std::string checkpoint_value(const GameId& game, const SignedTree& tree) {
  return stored::checked(Family::kDefault, stored::id_key(game),
                         stored::RecordWriter().number(tree.size, 8).fixed(tree.root).body());
}

Store::Store(const PostgresOptions& options)
    : options_(options),
      dir_{options.directory},
      pool_(options),
      followers_(options.poll_ms, [this](const std::vector<BranchId>& branches) {
        std::vector<std::string> keys;
        for (const BranchId& branch : branches) keys.push_back(stored::id_key(branch));
        Result<Followers::Heads> out = Followers::Heads{};
        auto lease = pool_.take(pool_.answer_deadline());
        if (!lease) return out;
        auto rows = (*lease)->run({&kHeadsOf, Params().byte_array(keys)}, pool_.answer_deadline());
        if (!rows) return out;
        for (std::size_t i = 0; i < rows->count(); ++i) {
          if (const auto id = Id::from(bytes_of(rows->bytes(i, 0)))) {
            out->emplace_back(*id, rows->number(i, 1));
          }
        }
        return out;
      }) {}

Result<std::unique_ptr<EventStore>> Store::open(const PostgresOptions& options) {
  if (sodium_init() < 0) return Error{ErrorCode::kIo, "libsodium cannot be initialised"};
  std::unique_ptr<Store> store(new Store(options));
  if (Status s = store->open_keys(); !s) return s.error();
  if (Status s = store->open_cluster(); !s) return s.error();
  if (Status s = store->check_promises(); !s) return s.error();
  return std::unique_ptr<EventStore>(std::move(store));
}

// The key directory: made if wanted, and not one that holds a store of its own.
Status Store::open_keys() {
  Status format = dir_.check_format(kKeysWord);
  const bool fresh = !format && format.error().code == ErrorCode::kNotFound;
  if (!format && !fresh) {
    return Error(format.error())
        .within("the keys of a PostgreSQL store need a directory of their own (--data)");
  }
  if (fresh && !options_.create_if_missing) {
    return not_found(dir_.root.string() +
                     " holds no keys; log.key and master.key of this cluster belong there");
  }
  if (fresh) {
    std::error_code error;
    fs::create_directories(dir_.root, error);
    if (error) {
      return Error{ErrorCode::kIo, "cannot make " + dir_.root.string() + ": " + error.message()};
    }
  }
  return Done{};
}

// What was promised about the games of this cluster, in the key directory.
Status Store::open_memory() {
  const fs::path file = dir_.root / ("checkpoints-" + cluster_ + ".log");
  const bool may_make = options_.create_if_missing || options_.accept_rollback;
  if (!fs::exists(file)) {
    if (!may_make) {
      return not_found(file.string() + " is missing: this directory does not know the cluster yet");
    }
    if (Status s = CheckpointFile::create(file); !s) return s;
  }
  memory_ = std::make_unique<SharedMemory>(file);
  return Done{};
}

Status Store::open_cluster() {
  // Opening asks a good many things; that is no reason to give up on a busy server.
  const auto patience = std::max({options_.patience_ms, options_.answer_timeout_ms, kOpeningMs});
  const Deadline deadline = Clock::now() + std::chrono::milliseconds(patience);
  auto lease = pool_.take(deadline);
  if (!lease) {
    return Error{ErrorCode::kIo, "PostgreSQL: " + lease.failure().text};
  }
  Connection& connection = *(*lease).operator->();
  if (options_.create_if_missing) {
    if (Status s = create_schema(connection, deadline); !s) return s;
  }
  if (Status s = check_schema(connection, deadline); !s) return s;
  const Settings settings = check_settings(connection, deadline);
  if (options_.warn) {
    for (const std::string& warning : settings.warnings) options_.warn(warning);
  }
  pool_.set_setup(settings.setup);
  if (auto set = connection.script(settings.setup, deadline); !set) return set.failure().error();
  auto cluster = settle_meta(connection, "cluster", to_hex(random_mark()), deadline);
  if (!cluster) return std::move(cluster).error();
  cluster_ = *cluster;
  if (Status s = open_memory(); !s) return s;
  return settle_keys(connection, deadline);
}

// The cluster knows its keys by their fingerprints: a process with others would sign and roll what
// nobody could verify.
Status Store::settle_keys(Connection& connection, Deadline deadline) {
  for (const fs::path& file : {dir_.log_key(), dir_.master_key()}) {
    const std::string name = file.filename().string();
    auto known = read_meta(connection, name, deadline);
    if (!known) return std::move(known).error();
    const bool missing = !fs::exists(file);
    const bool make =
        missing && ((!*known && options_.create_if_missing) || options_.create_missing_keys);
    if (missing && !make) {
      return not_found(file.string() +
                       " is missing: copy it from the machine that made this "
                       "cluster's store; every process needs the same keys");
    }
    if (make) {
      if (Status s = create_key(file); !s) return s;
    }
    auto key = read_key(file);
    if (!key) return std::move(key).error();
    const std::string print = key_fingerprint(name, *key);
    if (!(missing && options_.create_missing_keys)) {
      auto settled = settle_meta(connection, name, print, deadline);
      if (!settled) return std::move(settled).error();
      if (*settled != print) {
        return corrupt(file.string() +
                       " is not the key this cluster was made with; copy it from "
                       "the machine that made the store");
      }
    }
    if (file == dir_.log_key()) key_ = SigningKey::from_seed(*key);
    Status s = memory_->with(
        [&](CheckpointFile& memory) { return memory.check_key(name, *key, missing); });
    if (!s) return s;
  }
  return dir_.check_format(kKeysWord) ? Status(Done{}) : dir_.write_format(kKeysWord);
}

Result<std::vector<std::pair<GameId, SignedTree>>> Store::promised_in_tables(const Ask& ask) {
  auto rows = ask(kCheckpoints, Params());
  if (!rows) return std::move(rows).error();
  std::vector<std::pair<GameId, SignedTree>> out;
  for (std::size_t i = 0; i < rows->count(); ++i) {
    const auto game = Id::from(bytes_of(rows->bytes(i, 0)));
    const auto body = stored::unchecked(Family::kDefault, rows->bytes(i, 0), rows->bytes(i, 1));
    if (!game || !body) {
      return corrupt("the record of a signed checkpoint does not pass its check: " +
                     to_hex(bytes_of(rows->bytes(i, 0))));
    }
    stored::RecordReader record(*body);
    SignedTree tree;
    tree.size = record.number(8);
    tree.root = record.fixed<32>();
    out.emplace_back(*game, tree);
  }
  return out;
}

Status Store::check_promises() {
  std::map<Id, SignedTree> promised;
  Status s = memory_->with([&](CheckpointFile& memory) -> Status {
    promised = memory.all();
    return Done{};
  });
  if (!s) return s;
  for (const auto& [game, tree] : promised) {
    if (Status checked = check_promise(game, tree); !checked) return checked;
  }
  return Done{};
}

Status Store::check_promise(const GameId& game, const SignedTree& tree) {
  auto head = game_head(game);
  if (!head && head.error().code == ErrorCode::kCorrupt) return Done{};  // verify() names it
  if (!head && head.error().code != ErrorCode::kNotFound) return std::move(head).error();
  const std::uint64_t size = head ? head->frontier.size() : 0;
  const Hash root = head ? head->frontier.root() : merkle::empty_root();
  const bool behind = size < tree.size;
  if (!behind && !(size == tree.size && root != tree.root)) return Done{};
  if (options_.accept_rollback) {
    return memory_->with([&](CheckpointFile& memory) {
      return memory.accept_rollback(game, {size, root}, now_ms());
    });
  }
  return corrupt("game " + to_hex(game) + (behind ? " is behind" : " differs from") +
                 " a checkpoint that was signed with these keys: it has " + std::to_string(size) +
                 " events, the checkpoint " + std::to_string(tree.size) +
                 ". Was an older backup put back, or a standby promoted that had not received "
                 "everything? Open with accept_rollback (wardiary init --accept-rollback) to go on "
                 "regardless");
}

Result<std::string> Store::recorded_set() {
  auto lease = pool_.take(pool_.patience());
  if (!lease) return lease.failure().error();
  auto set = read_meta(*(*lease).operator->(), "clusters", pool_.answer_deadline());
  if (!set) return std::move(set).error();
  return set->value_or(cluster_);
}

Status Store::record_set(const std::string& set) {
  auto lease = pool_.take(pool_.patience());
  if (!lease) return lease.failure().error();
  return write_meta(*(*lease).operator->(), "clusters", set, pool_.answer_deadline());
}

Status Store::close() {
  if (state_.exchange(State::kClosed) == State::kClosed) return Done{};
  followers_.stop();
  std::unique_lock alone(gate_);
  pool_.drop_idle();
  return Done{};
}

Store::~Store() {
  (void)close();
}

}  // namespace wardiary::postgres

namespace wardiary {

bool is_postgres_uri(const std::string& text) {
  return text.starts_with("postgres://") || text.starts_with("postgresql://");
}

std::string shown_uri(const std::string& uri) {
  std::string out = uri;
  const std::size_t start = out.find("://");
  const std::size_t at = out.find('@');
  if (start != std::string::npos && at != std::string::npos && at < out.find('/', start + 3)) {
    const std::size_t colon = out.find(':', start + 3);
    if (colon != std::string::npos && colon < at) out.erase(colon, at - colon);
  }
  const std::size_t word = out.find("password=");
  if (word != std::string::npos) out.erase(word, out.find('&', word) - word);
  return out;
}

Result<std::unique_ptr<EventStore>> open_postgres_store(const PostgresOptions& options) {
  if (!is_postgres_uri(options.uri)) return invalid("not a postgres:// address");
  auto store = postgres::Store::open(options);
  if (!store) return std::move(store).error().within(shown_uri(options.uri));
  return store;
}

}  // namespace wardiary

#include "eventstore/rocksdb/sealer.h"

#include <chrono>

#include <rocksdb/write_batch.h>

#include "eventstore/evidence.h"

namespace wardiary::embedded {
namespace {

constexpr auto kTick = std::chrono::milliseconds(500);
constexpr std::uint64_t kBusyCommits = 100;  // per tick: somebody is playing or importing; wait
constexpr int kBusyTicksMax = 120;           // but not for ever
constexpr std::size_t kBlocksPerWrite = 32;

// The fresh blocks that will become one sealed block.
struct Gathered {
  std::vector<NewEvent> events;
  std::vector<Bytes> payloads;
  std::vector<std::string> keys;
  std::vector<LeafRun> runs;
  std::uint64_t ends = 0;
  std::size_t bytes = 0;
  Version first = 0;
  Hash last_hash;

  bool takes(const Block& block) const {
    std::size_t more = 0;
    for (const NewEvent& e : block.events()) more += e.payload.size();
    return events.empty() || (events.size() + block.events().size() <= kBlockEventsMax &&
                              bytes + more <= kBlockBytesMax);
  }
  void add(const Block& block) {
    if (events.empty()) first = block.first();
    keys.push_back(number_key(block.branch(), block.first()));
    ends |= block.ends() << events.size();
    for (const NewEvent& e : block.events()) {
      payloads.emplace_back(e.payload.begin(), e.payload.end());
      events.push_back({e.type, payloads.back()});
      bytes += e.payload.size();
    }
    for (const LeafRun& run : block.runs()) {
      if (!runs.empty() && runs.back().first_leaf + runs.back().count == run.first_leaf) {
        runs.back().count = static_cast<std::uint8_t>(runs.back().count + run.count);
      } else {
        runs.push_back(run);
      }
    }
    last_hash = block.last_hash();
  }
};

void write(Engine& engine, rocksdb::WriteBatch& batch, const BranchId& branch, Gathered& g) {
  BlockDraft draft(Family::kSegments, branch, g.first, g.events, g.ends, g.last_hash,
                   g.runs.size());
  const std::string key = draft.key();
  batch.Put(engine.family(Family::kSegments), key, draft.finish(g.runs));
  for (const std::string& old : g.keys) batch.Delete(engine.family(Family::kEvents), old);
  g = {};
}

}  // namespace

Sealer::Sealer(Engine& engine, Heads& heads, std::uint64_t keep, bool background)
    : engine_(engine), heads_(heads), keep_(keep) {
  if (!background) return;
  heads_.look([&](const auto& branches, const auto&) {
    for (const auto& [id, head] : branches) {
      if (worth_sealing(head)) waiting_.insert(id);
    }
  });
  thread_ = std::thread([this] { work(); });
}

Sealer::~Sealer() {
  stop();
}

void Sealer::stop() {
  {
    std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  wake_.notify_all();
  if (thread_.joinable()) thread_.join();
}

bool Sealer::worth_sealing(const BranchHead& head) const {
  return !head.damaged && head.version - head.sealed >= keep_ + kBlockEventsMax;
}

void Sealer::noticed(const BranchId& branch, const BranchHead& head) {
  if (!thread_.joinable()) return;
  std::lock_guard lock(mutex_);
  ++noticed_;
  if (worth_sealing(head)) waiting_.insert(branch);
}

void Sealer::work() {
  int busy_ticks = 0;
  std::unique_lock lock(mutex_);
  while (!stopping_) {
    wake_.wait_for(lock, kTick, [&] { return stopping_.load(); });
    const bool busy = noticed_ > kBusyCommits && ++busy_ticks < kBusyTicksMax;
    noticed_ = 0;
    if (busy) continue;
    busy_ticks = 0;
    while (!stopping_ && !waiting_.empty()) {
      const BranchId branch = *waiting_.begin();
      waiting_.erase(waiting_.begin());
      lock.unlock();
      // What cannot be sealed stays as it is; the next commit of the branch brings it back here.
      (void)seal_branch(branch);
      lock.lock();
    }
  }
}

Status Sealer::seal_all() {
  std::vector<BranchId> branches;
  heads_.look([&](const auto& all, const auto&) {
    for (const auto& [id, head] : all) {
      if (worth_sealing(head)) branches.push_back(id);
    }
  });
  for (const BranchId& branch : branches) {
    if (Status s = seal_branch(branch); !s) return s;
  }
  return Done{};
}

Status Sealer::seal_branch(const BranchId& branch) {
  std::lock_guard lock(sealing_);
  while (!stopping_) {
    const auto head = heads_.branch(branch);
    if (!head || !worth_sealing(*head)) return Done{};
    const Piece piece{head->game,   branch,         head->forked_at + 1, head->version - keep_,
                      head->sealed, head->fork_hash};
    Version sealed = head->sealed;
    auto more = seal_some(piece, sealed);
    if (!more) return std::move(more).error();
    if (sealed != head->sealed) {
      heads_.change([&](auto& branches, auto&) { branches[branch].sealed = sealed; });
    }
    if (!*more) return Done{};
  }
  return Done{};
}

Result<bool> Sealer::seal_some(const Piece& piece, Version& sealed) {
  EngineSource source(engine_);
  BlockReader reader(source, piece);
  rocksdb::WriteBatch batch;
  Gathered gathered;
  std::size_t written = 0;
  Version done = sealed;
  Version next = sealed + 1;
  while (written < kBlocksPerWrite && next <= piece.last) {
    if (auto hashes = reader.hashes_at(next); !hashes) return std::move(hashes).error();
    auto block = reader.at(next);
    if (!block) return std::move(block).error();
    if (reader.at_sealed()) {  // the record of what is sealed was lost; catch up with the blocks
      if (!gathered.events.empty()) break;
      done = (*block)->last();
      next = done + 1;
      continue;
    }
    if ((*block)->last() > piece.last) break;
    if (!gathered.takes(**block)) {
      done = next - 1;
      write(engine_, batch, piece.branch, gathered);
      ++written;
    }
    gathered.add(**block);
    next = (*block)->last() + 1;
  }
  if (done == sealed) return false;
  engine_.put(batch, Family::kHeads, sealed_key(piece.branch),
              RecordWriter().number(done, 8).body());
  const auto status = engine_.db().Write(rocksdb::WriteOptions(), &batch);
  if (!status.ok()) return error_of(status, "sealing branch " + to_hex(piece.branch));
  sealed = done;
  return written == kBlocksPerWrite;
}

}  // namespace wardiary::embedded

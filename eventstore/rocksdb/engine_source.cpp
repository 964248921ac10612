#include "eventstore/rocksdb/engine.h"

namespace wardiary::embedded {
namespace {

std::string name_of(Family f) {
  return kFamilyNames[static_cast<std::size_t>(f)];
}

class EngineCursor final : public Cursor {
 public:
  EngineCursor(Engine& engine, const rocksdb::Snapshot* moment, Family f, std::string_view prefix)
      : name_(name_of(f)), lower_(prefix), upper_(prefix_end(prefix)), from_(lower_), to_(upper_) {
    rocksdb::ReadOptions options;
    options.snapshot = moment;
    options.iterate_lower_bound = &from_;
    if (!upper_.empty()) options.iterate_upper_bound = &to_;
    it_.reset(engine.db().NewIterator(options, engine.family(f)));
  }
  void seek(std::string_view key) override { it_->Seek(slice(key)); }
  void seek_back(std::string_view key) override { it_->SeekForPrev(slice(key)); }
  void next() override { it_->Next(); }
  void prev() override { it_->Prev(); }
  bool valid() const override { return it_->Valid(); }
  std::string_view key() const override { return view(it_->key()); }
  std::string_view value() const override { return view(it_->value()); }
  Status status() const override {
    if (it_->status().ok()) return Done{};
    return error_of(it_->status(), "reading " + name_);
  }

 private:
  const std::string name_, lower_, upper_;
  const rocksdb::Slice from_, to_;
  std::unique_ptr<rocksdb::Iterator> it_;
};

}  // namespace

Result<std::optional<std::string>> EngineSource::get(Family f, std::string_view key) {
  return engine_.get(f, key, moment_);
}

Status EngineSource::scan(Family f, std::string_view prefix, std::string_view after, const See& see,
                          const Damaged& damaged) {
  return engine_.scan(f, prefix, after, see, damaged, moment_);
}

std::unique_ptr<Cursor> EngineSource::cursor(Family f, std::string_view prefix) {
  return std::make_unique<EngineCursor>(engine_, moment_, f, prefix);
}

Status EngineSource::beginnings(Family f, std::size_t bytes,
                                const std::function<void(std::string_view)>& see) {
  const auto it = cursor(f, "");
  it->seek("");
  while (it->valid()) {
    const std::string beginning(it->key().substr(0, bytes));
    see(beginning);
    const std::string next = prefix_end(beginning);
    if (next.empty()) break;
    it->seek(next);
  }
  return it->status();
}

// Every byte of every file RocksDB has finished, whether anything is stored in it or not.
Status EngineSource::check_files() {
  const auto status = engine_.db().VerifyFileChecksums(rocksdb::ReadOptions());
  return status.ok() ? Status(Done{}) : Status(Error{ErrorCode::kCorrupt, status.ToString()});
}

}  // namespace wardiary::embedded

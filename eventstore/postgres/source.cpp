#include "eventstore/postgres/source.h"

#include <algorithm>
#include <array>
#include <deque>

#include "eventstore/postgres/schema.h"

namespace wardiary::postgres {
namespace {

using stored::Cursor;
using stored::Family;
using stored::kFamilyCount;

constexpr std::size_t kFirstPageRows = 4;
constexpr std::size_t kPageRowsMax = 2'000;
constexpr std::size_t kPageBytesWanted = 4u << 20;

// Heads of branches and games are one family of records, and two tables.
const std::string kHeads =
    "(select '\\x62'::bytea || k as k, v from wardiary_branch_head union all "
    "select '\\x67'::bytea || k as k, v from wardiary_game_head) as heads";

// The statements for one family's table.
struct Statements {
  std::string names[5], sql[5];
  Statement get, forward, from, backward, beginnings;

  explicit Statements(std::size_t number) {
    const auto family = static_cast<Family>(number);
    const char* table = table_of(family);
    const std::string rows = family == Family::kHeads ? kHeads : table ? table : "wardiary_event";
    const std::string select = "select k, v from " + rows + " where ";
    sql[0] = select + "k = $1::bytea";
    sql[1] = select + "k > $1::bytea and k < $2::bytea order by k limit $3::bigint";
    sql[2] = select + "k >= $1::bytea and k < $2::bytea order by k limit $3::bigint";
    sql[3] = select + "k <= $1::bytea and k >= $2::bytea order by k desc limit $3::bigint";
    sql[4] = "select distinct substring(k from 1 for $1::int) as p from " + rows + " order by p";
    const char* const words[] = {"get", "after", "from", "back", "begin"};
    for (int i = 0; i < 5; ++i) names[i] = std::string("wd_") + words[i] + std::to_string(number);
    get = {names[0].c_str(), sql[0].c_str()};
    forward = {names[1].c_str(), sql[1].c_str()};
    from = {names[2].c_str(), sql[2].c_str()};
    backward = {names[3].c_str(), sql[3].c_str()};
    beginnings = {names[4].c_str(), sql[4].c_str()};
  }
};

const Statements& statements_of(Family f) {
  static const auto all = [] {
    std::vector<std::unique_ptr<Statements>> out;
    for (std::size_t i = 0; i < kFamilyCount; ++i) out.push_back(std::make_unique<Statements>(i));
    return out;
  }();
  return *all[static_cast<std::size_t>(f)];
}

bool kept_here(Family f) {
  return f == Family::kHeads || table_of(f) != nullptr;
}

// Pages grow as long as somebody goes on reading, up to some megabytes.
class PagedCursor final : public Cursor {
 public:
  PagedCursor(const Ask& ask, Family f, std::string_view prefix)
      : ask_(ask),
        statements_(statements_of(f)),
        here_(kept_here(f)),
        lower_(prefix),
        upper_(range_end(prefix)) {}

  void seek(std::string_view key) override {
    restart();
    load(statements_.from, std::max<std::string_view>(key, lower_), upper_, true);
  }
  void seek_back(std::string_view key) override {
    restart();
    const std::string_view end = upper_;
    load(statements_.backward, std::min<std::string_view>(key, end), lower_, false);
  }
  void next() override { step(true); }
  void prev() override { step(false); }
  bool valid() const override { return rows_ && row_ < rows_->count(); }
  std::string_view key() const override { return rows_->bytes(row_, 0); }
  std::string_view value() const override { return rows_->bytes(row_, 1); }
  Status status() const override { return status_; }

 private:
  void restart() {
    page_ = 1;
    status_ = Done{};
  }
  void step(bool forward) {
    if (!valid()) return;
    const std::string at(key());
    if (forward == forward_ && row_ + 1 < rows_->count()) {
      ++row_;
      return;
    }
    if (forward == forward_ && rows_->count() < page_) {  // there were no more
      rows_.reset();
      return;
    }
    grow();
    if (forward) {
      load(statements_.forward, at, upper_, true);
    } else {
      load(statements_.backward, at, lower_, false);
      if (valid() && key() == at) ++row_;
      if (rows_ && row_ >= rows_->count()) rows_.reset();
    }
  }
  void grow() {
    std::size_t bytes = 1;
    for (std::size_t i = 0; i < rows_->count(); ++i) bytes += rows_->bytes(i, 1).size();
    const std::size_t fitting = std::max<std::size_t>(2, kPageBytesWanted * rows_->count() / bytes);
    page_ = std::clamp(page_ * 4, kFirstPageRows, std::min(fitting, kPageRowsMax));
  }
  void load(const Statement& statement, std::string_view a, std::string_view b, bool forward) {
    forward_ = forward;
    row_ = 0;
    if (!here_) {
      rows_.reset();
      return;
    }
    auto rows = ask_(statement, Params().bytes(a).bytes(b).number(page_));
    if (rows) {
      rows_ = std::move(*rows);
    } else {
      rows_.reset();
      status_ = std::move(rows).error();
    }
  }

  const Ask ask_;
  const Statements& statements_;
  const bool here_;
  const std::string lower_, upper_;
  std::optional<Rows> rows_;
  std::size_t row_ = 0, page_ = 1;
  bool forward_ = true;
  Status status_ = Done{};
};

}  // namespace

std::string range_end(std::string_view prefix) {
  std::string end = stored::prefix_end(prefix);
  if (end.empty()) end.assign(StoreLimits::kKeyBytesMax + 1, '\xff');
  return end;
}

Result<std::optional<std::string>> TableSource::get(Family f, std::string_view key) {
  if (f == Family::kHeads) {
    static const Statement kBranch{"wd_head_b",
                                   "select v from wardiary_branch_head where k = $1::bytea"};
    static const Statement kGame{"wd_head_g",
                                 "select v from wardiary_game_head where k = $1::bytea"};
    if (key.empty() || (key[0] != 'b' && key[0] != 'g')) return std::optional<std::string>();
    auto rows = ask_(key[0] == 'b' ? kBranch : kGame, Params().bytes(key.substr(1)));
    if (!rows) return std::move(rows).error();
    if (rows->count() == 0) return std::optional<std::string>();
    const auto body = stored::unchecked(f, key, rows->bytes(0, 0));
    if (!body) return stored::fails_check(f, key);
    return std::optional(std::string(*body));
  }
  if (!kept_here(f)) return std::optional<std::string>();
  auto rows = ask_(statements_of(f).get, Params().bytes(key));
  if (!rows) return std::move(rows).error();
  if (rows->count() == 0) return std::optional<std::string>();
  const auto body = stored::unchecked(f, key, rows->bytes(0, 1));
  if (!body) return stored::fails_check(f, key);
  return std::optional(std::string(*body));
}

Status TableSource::scan(Family f, std::string_view prefix, std::string_view after, const See& see,
                         const Damaged& damaged) {
  const auto at = cursor(f, prefix);
  at->seek(std::max(prefix, after));
  if (at->valid() && !after.empty() && at->key() == after) at->next();
  for (; at->valid(); at->next()) {
    const auto body = stored::unchecked(f, at->key(), at->value());
    if (body) {
      if (!see(at->key(), *body)) return Done{};
    } else if (damaged) {
      damaged(at->key());
    } else {
      return stored::fails_check(f, at->key());
    }
  }
  return at->status();
}

std::unique_ptr<Cursor> TableSource::cursor(Family f, std::string_view prefix) {
  return std::make_unique<PagedCursor>(ask_, f, prefix);
}

Status TableSource::beginnings(Family f, std::size_t bytes,
                               const std::function<void(std::string_view)>& see) {
  if (!kept_here(f)) return Done{};
  std::string length(4, '\0');
  length[3] = static_cast<char>(bytes);
  auto rows = ask_(statements_of(f).beginnings, Params().bytes(length));
  if (!rows) return std::move(rows).error();
  for (std::size_t i = 0; i < rows->count(); ++i) see(rows->bytes(i, 0));
  return Done{};
}

}  // namespace wardiary::postgres

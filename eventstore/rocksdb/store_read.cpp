#include <chrono>

#include "eventstore/rocksdb/store.h"
#include "eventstore/stored/commit.h"

namespace wardiary::embedded {

Result<BranchHead> Store::head_of(const BranchId& branch) {
  auto head = heads_.branch(branch);
  if (!head) return not_found("no branch " + to_hex(branch));
  if (head->damaged) {
    return corrupt(place(head->game, branch, head->version) +
                   ": a record of the branch does not pass its check; run verify");
  }
  return std::move(*head);
}

Result<GameInfo> Store::game(const GameId& game) {
  auto pass = enter();
  if (!pass) return std::move(pass).error();
  auto head = game_head(game);
  if (!head) return std::move(head).error();
  auto body = engine_->get(Family::kGames, id_key(game));
  if (!body) return std::move(body).error().within("game " + to_hex(game));
  const auto record = *body ? GameRecord::parse(**body) : std::nullopt;
  if (!record) return corrupt("game " + to_hex(game) + ": its record is missing");
  return GameInfo{game, record->mainline, record->name, record->created_at_ms,
                  head->frontier.size()};
}

Result<Page<GameInfo>> Store::games(std::optional<std::string> after, std::size_t limit) {
  auto pass = enter();
  if (!pass) return std::move(pass).error();
  if (Status s = check_page(limit); !s) return s.error();
  auto cursor = check_cursor(after);
  if (!cursor) return std::move(cursor).error();
  Page<GameInfo> page;
  Status s = engine_->scan(
      Family::kGames, "", *cursor ? id_key(**cursor) : "",
      [&](std::string_view key, std::string_view body) {
        if (page.items.size() == limit) {
          page.next = to_hex(page.items.back().game);
          return false;
        }
        const auto record = GameRecord::parse(body);
        const auto id = Id::from(bytes_of(key));
        if (!record || !id) return true;
        const std::uint64_t size = heads_.look([&](const auto&, const auto& all) {
          const auto it = all.find(*id);
          return it == all.end() ? 0 : it->second.frontier.size();
        });
        page.items.push_back({*id, record->mainline, record->name, record->created_at_ms, size});
        return true;
      },
      [](std::string_view) {});  // a damaged record hides its game here; verify() names it
  if (!s) return s.error();
  return page;
}

Result<Page<BranchInfo>> Store::branches(const GameId& game, std::optional<std::string> after,
                                         std::size_t limit) {
  auto pass = enter();
  if (!pass) return std::move(pass).error();
  if (Status s = check_page(limit); !s) return s.error();
  if (auto head = game_head(game); !head) return std::move(head).error();
  auto cursor = check_cursor(after);
  if (!cursor) return std::move(cursor).error();
  Page<BranchInfo> page;
  Status s = engine_->scan(
      Family::kBranches, id_key(game), *cursor ? pair_key(game, **cursor) : "",
      [&](std::string_view key, std::string_view body) {
        if (page.items.size() == limit) {
          page.next = to_hex(page.items.back().branch);
          return false;
        }
        const auto record = BranchRecord::parse(body);
        const auto id = key.size() == 32 ? Id::from(bytes_of(key).subspan(16)) : std::nullopt;
        const auto head = id ? heads_.branch(*id) : std::nullopt;
        if (!record || !head) return true;
        page.items.push_back(info_from(*id, *head, *record));
        return true;
      },
      [](std::string_view) {});
  if (!s) return s.error();
  return page;
}

void Store::tell(const BranchId& branch, Version) {
  Stripe& stripe = stripe_of(branch);
  if (stripe.waiting.load() == 0) return;
  std::lock_guard lock(stripe.mutex);
  stripe.changed.notify_all();
}

Result<Version> Store::wait_beyond(const BranchId& branch, Version after,
                                   std::uint32_t timeout_ms) {
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::milliseconds(timeout_ms);
  Stripe& stripe = stripe_of(branch);
  std::unique_lock lock(stripe.mutex);
  ++stripe.waiting;  // before looking: a commit that lands after the look then sees us waiting
  Result<Version> out = Version{0};
  for (bool in_time = true;;) {
    if (state_.load() == State::kClosed) {
      out = Error{ErrorCode::kClosed, "the store is closed"};
      break;
    }
    auto head = head_of(branch);
    if (!head) {
      out = std::move(head).error();
      break;
    }
    out = head->version;
    if (head->version > after || !in_time) break;
    in_time = stripe.changed.wait_until(lock, deadline) == std::cv_status::no_timeout;
  }
  --stripe.waiting;
  return out;
}

void Store::set_listener(std::function<void(const BranchId&, Version)> listener) {
  std::unique_lock lock(listener_mutex_);
  listener_ = std::move(listener);
}

}  // namespace wardiary::embedded

#include <algorithm>
#include <chrono>

#include "eventstore/rocksdb/store.h"

namespace wardiary::embedded {

Result<BranchHead> Store::head_of(const BranchId& branch) const {
  auto head = heads_.branch(branch);
  if (!head) return not_found("no branch " + to_hex(branch));
  if (head->damaged) {
    return corrupt(place(head->game, branch, head->version) +
                   ": a record of the branch does not pass its check; run verify");
  }
  return std::move(*head);
}

Result<Piece> Store::piece_of(const BranchId& branch) const {
  auto head = head_of(branch);
  if (!head) return std::move(head).error();
  return Piece{head->game,    branch,       head->forked_at + 1,
               head->version, head->sealed, head->fork_hash};
}

Result<std::vector<Piece>> Store::line(const BranchId& branch, Version first, Version last) const {
  std::vector<Piece> out;
  auto head = head_of(branch);
  if (!head) return std::move(head).error();
  BranchId id = branch;
  Version stop = std::min(last, head->version);
  for (std::size_t depth = 0; depth <= StoreLimits::kBranchDepthMax; ++depth) {
    if (stop > head->forked_at) {
      out.push_back({head->game, id, head->forked_at + 1, stop, head->sealed, head->fork_hash});
    }
    stop = std::min(stop, head->forked_at);
    if (head->mainline || stop < first) break;
    id = head->parent;
    head = head_of(id);
    if (!head) return std::move(head).error();
  }
  std::reverse(out.begin(), out.end());
  return out;
}

Result<BranchInfo> Store::info_of(const BranchId& branch, const BranchHead& head) {
  auto body = engine_->get(Family::kBranches, pair_key(head.game, branch));
  if (!body) return std::move(body).error().within("branch " + to_hex(branch));
  const auto record = *body ? BranchRecord::parse(**body) : std::nullopt;
  if (!record) return corrupt("branch " + to_hex(branch) + ": its record is missing");
  BranchInfo info;
  info.game = head.game;
  info.branch = branch;
  if (!head.mainline) info.parent = head.parent;
  info.forked_at = head.forked_at;
  info.version = head.version;
  info.event_hash = head.hash;
  info.name = record->name;
  info.reason = record->reason;
  info.depth = head.depth;
  info.deleted = head.deleted;
  return info;
}

Result<BranchInfo> Store::branch(const BranchId& branch) {
  auto pass = enter();
  if (!pass) return std::move(pass).error();
  auto head = head_of(branch);
  if (!head) return std::move(head).error();
  return info_of(branch, *head);
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
  if (limit == 0 || limit > StoreLimits::kPageMax) {
    return embedded::limit("limit: a page has at least 1 item", StoreLimits::kPageMax);
  }
  const auto cursor = after ? fixed_from_hex<16>(*after) : std::nullopt;
  if (after && !cursor) return invalid("after: not a cursor of this list");
  Page<GameInfo> page;
  Status s = engine_->scan(
      Family::kGames, "", cursor ? id_key(*cursor) : "",
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
  if (limit == 0 || limit > StoreLimits::kPageMax) {
    return embedded::limit("limit: a page has at least 1 item", StoreLimits::kPageMax);
  }
  if (auto head = game_head(game); !head) return std::move(head).error();
  const auto cursor = after ? fixed_from_hex<16>(*after) : std::nullopt;
  if (after && !cursor) return invalid("after: not a cursor of this list");
  Page<BranchInfo> page;
  Status s = engine_->scan(
      Family::kBranches, id_key(game), cursor ? pair_key(game, *cursor) : "",
      [&](std::string_view key, std::string_view body) {
        if (page.items.size() == limit) {
          page.next = to_hex(page.items.back().branch);
          return false;
        }
        auto record = BranchRecord::parse(body);
        const auto id = key.size() == 32 ? Id::from(bytes_of(key).subspan(16)) : std::nullopt;
        const auto head = id ? heads_.branch(*id) : std::nullopt;
        if (!record || !head) return true;
        BranchInfo info;
        info.game = game;
        info.branch = *id;
        if (!head->mainline) info.parent = head->parent;
        info.forked_at = head->forked_at;
        info.version = head->version;
        info.event_hash = head->hash;
        info.name = std::move(record->name);
        info.reason = std::move(record->reason);
        info.depth = head->depth;
        info.deleted = head->deleted;
        page.items.push_back(std::move(info));
        return true;
      },
      [](std::string_view) {});
  if (!s) return s.error();
  return page;
}

Status Store::read(const BranchId& branch, Version first, Version last, const See& see) {
  auto pass = enter();
  if (!pass) return std::move(pass).error();
  first = std::max<Version>(first, 1);
  auto pieces = line(branch, first, last);
  if (!pieces) return std::move(pieces).error();
  const Moment moment(*engine_);
  Aligned aligned;
  for (const Piece& piece : *pieces) {
    BlockReader reader(*engine_, piece, moment);
    for (Version v = std::max(first, piece.first); v <= piece.last;) {
      auto block = reader.at(v);
      if (!block) return std::move(block).error();
      const Version stop = std::min((*block)->last(), piece.last);
      for (; v <= stop; ++v) {
        const NewEvent& event = (*block)->event(v);
        if (!see({v, event.type, aligned.view(event.payload)})) return Done{};
      }
    }
  }
  return Done{};
}

Status Store::read_backwards(const BranchId& branch, Version last, Version first, const See& see) {
  auto pass = enter();
  if (!pass) return std::move(pass).error();
  first = std::max<Version>(first, 1);
  auto pieces = line(branch, first, last);
  if (!pieces) return std::move(pieces).error();
  const Moment moment(*engine_);
  Aligned aligned;
  for (auto piece = pieces->rbegin(); piece != pieces->rend(); ++piece) {
    BlockReader reader(*engine_, *piece, moment);
    const Version from = std::max(first, piece->first);
    for (Version v = piece->last; v >= from;) {
      auto block = reader.at(v);
      if (!block) return std::move(block).error();
      const Version stop = std::max((*block)->first(), from);
      for (; v >= stop; --v) {
        const NewEvent& event = (*block)->event(v);
        if (!see({v, event.type, aligned.view(event.payload)})) return Done{};
      }
    }
  }
  return Done{};
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

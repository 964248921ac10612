#include "replay/library.h"

namespace wardiary {

std::string where(const GameId& game, const BranchId& branch, Version version) {
  return "game " + to_hex(game) + ", branch " + to_hex(branch) + ", version " +
         std::to_string(version);
}

Result<OpenGamePtr> Library::game(const GameId& id) {
  {
    std::lock_guard lock(mutex_);
    auto found = by_id_.find(id);
    if (found != by_id_.end()) {
      recent_.splice(recent_.begin(), recent_, found->second);
      return recent_.front();
    }
  }
  auto opened = open(id);
  if (!opened) return opened;
  std::lock_guard lock(mutex_);
  auto found = by_id_.find(id);
  if (found != by_id_.end()) return *found->second;  // another thread was quicker
  recent_.push_front(*opened);
  by_id_[id] = recent_.begin();
  if (recent_.size() > kOpenMax) {
    by_id_.erase(recent_.back()->id);
    recent_.pop_back();
  }
  return opened;
}

Result<OpenGamePtr> Library::game_of(const BranchId& branch) {
  auto info = store_.branch(branch);
  if (!info) return std::move(info).error();
  return game(info->game);
}

Result<OpenGamePtr> Library::open(const GameId& id) {
  auto info = store_.game(id);
  if (!info) return std::move(info).error();
  Result<Game> game = corrupt("the game has no first event");
  Status read = store_.read(info->mainline, 1, 1, [&](const StoredEvent& stored) {
    auto event = open_event(stored.payload);
    if (!event) {
      game = std::move(event).error();
      return false;
    }
    auto facts = read_game_created(**event);
    if (!facts) {
      game = std::move(facts).error();
      return false;
    }
    std::vector<Content> contents;
    for (const ContentRef& wanted : facts->contents) {
      auto bytes = store_.content(wanted.sha256);
      if (!bytes) {
        game = std::move(bytes).error().within(wanted.role + " " + wanted.name);
        return false;
      }
      contents.push_back({wanted.role, wanted.name, std::string(text_of(*bytes))});
    }
    game = open_game(**event, contents);
    return false;
  });
  if (!read) return std::move(read).error();
  if (!game) return std::move(game).error().within(where(id, info->mainline, 1));
  return std::make_shared<const OpenGame>(
      OpenGame{id, info->mainline, info->name, std::move(*game)});
}

}  // namespace wardiary

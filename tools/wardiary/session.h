// An opened diary with everything that runs on it.
#pragma once

#include <memory>
#include <string>

#include "eventstore/event_store.h"
#include "replay/dice_box.h"
#include "replay/library.h"
#include "replay/referee.h"
#include "replay/time_machine.h"
#include "tools/wardiary/place.h"

namespace wardiary::cli {

class Session {
 public:
  // kIo with what to do about it if there is no store and `create` is not set.
  static Result<std::unique_ptr<Session>> open(const Place& place, bool create = false);

  ~Session() { time_.finish_snapshots(); }  // so that the next command finds them

  EventStore& store() { return *store_; }
  Library& library() { return library_; }
  TimeMachine& time() { return time_; }
  Referee& referee() { return referee_; }

  // By name or by the beginning of its id, if only one fits.
  Result<GameInfo> find_game(const std::string& text);
  // Likewise; empty or "main" is the mainline.
  Result<BranchInfo> find_branch(const GameInfo& game, const std::string& text);
  // Calls `see` with every game, in order.
  Status each_game(const std::function<void(const GameInfo&)>& see);
  Status each_branch(const GameId& game, const std::function<void(const BranchInfo&)>& see);

 private:
  Session(std::unique_ptr<EventStore> store, const FixedBytes<32>& master);

  std::unique_ptr<EventStore> store_;
  Library library_;
  TimeMachine time_;
  DiceBox dice_;
  Referee referee_;
};

// A game and one of its branches, as most commands name them.
struct Line {
  std::unique_ptr<Session> session;
  GameInfo info;
  BranchInfo branch;
  OpenGamePtr game;
};
Result<Line> open_line(const Place& place, const std::string& game, const std::string& branch);

// The first characters of an id, as the tables show it.
std::string short_id(const Id& id);

}  // namespace wardiary::cli

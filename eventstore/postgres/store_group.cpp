// How a group of waiting commits reaches the server (see stored/commit_queue.h for who leads it):
// one transaction in one round trip, one wait for the disk and the standbys, however many callers.
// Each commit is one statement that does nothing if its game has moved on meanwhile, so one that
// comes too late does not disturb the others.
#include <algorithm>

#include "eventstore/postgres/store.h"

namespace wardiary::postgres {

void Store::run(Request& request) {
  queue_.run(request, [this](std::span<Request*> requests) { write_group(requests); });
}

Answer<std::vector<Rows>> Store::transact(std::span<const Call> calls) {
  auto lease = pool_.take(pool_.answer_deadline());
  if (!lease) return lease.failure();
  auto answers = (*lease)->transact(calls, pool_.answer_deadline());
  // The other connections went the same way, most likely; better to find out before they are used.
  if (!answers && !(*lease)->usable()) pool_.drop_idle();
  return answers;
}

void Store::write_group(std::span<Request*> requests) {
  const auto middle = std::stable_partition(requests.begin(), requests.end(),
                                            [](const Request* r) { return !r->alone; });
  if (middle != requests.begin()) write_together({requests.begin(), middle});
  for (auto it = middle; it != requests.end(); ++it) write_together({&*it, 1});
}

void Store::write_together(std::span<Request*> requests) {
  // Games are locked in one order by all processes, so that groups do not wait for each other in a
  // circle.
  std::vector<Request*> sorted(requests.begin(), requests.end());
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const Request* a, const Request* b) { return a->game < b->game; });
  std::unordered_map<GameId, GameState, IdHash> states;
  std::vector<Request*> planned;
  std::vector<Call> calls;
  for (Request* request : sorted) {
    request->outcome = Request::Outcome::kStale;
    auto state = states.find(request->game);
    if (state == states.end()) {
      auto known = known_.game(request->game);
      if (!known) continue;
      state = states.emplace(request->game, std::move(*known)).first;
    }
    auto call = request->plan(state->second);
    if (!call) continue;
    calls.push_back(std::move(*call));
    planned.push_back(request);
  }
  if (planned.empty()) return;

  auto answers = transact(calls);
  if (!answers) {
    for (const auto& [game, state] : states) known_.forget(game);
    // One of several could not be done, or had to wait too long: the others must not suffer for it.
    const bool apart = planned.size() > 1 && answers.failure().kind != Failure::Kind::kLost;
    for (Request* request : planned) {
      request->outcome = apart ? Request::Outcome::kStale : Request::Outcome::kFailed;
      request->alone = request->alone || apart;
      request->failure = answers.failure();
    }
    return;
  }
  ++syncs_;
  for (std::size_t i = 0; i < planned.size(); ++i) {
    const bool landed = (*answers)[i].count() == 1 && (*answers)[i].number(0, 0) == 1;
    if (landed) planned[i]->outcome = Request::Outcome::kLanded;
    if (!landed) states.erase(planned[i]->game);
    if (!landed) known_.forget(planned[i]->game);
  }
  for (auto& [game, state] : states) known_.changed(game, std::move(state));
  for (Request* request : planned) {
    if (request->outcome != Request::Outcome::kLanded) continue;
    followers_.tell(request->branch, request->version, true);
  }
}

}  // namespace wardiary::postgres

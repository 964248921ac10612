// The store against a model of a few lines: whatever is done to both, they say the same.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <map>

#include "eventstore/rocksdb_store.h"
#include "eventstore/store_conformance.h"

namespace wardiary::testing {
namespace {

using Kind = Appended::Kind;
using Texts = std::vector<std::string>;

struct ModelBranch {
  Texts events;  // with those of the parent up to the fork
  std::map<std::uint64_t, std::pair<Version, Version>> commands;
  Version forked_at = 0;
};

struct Step {
  int what = 0;
  std::uint64_t branch = 0, command = 0, amount = 0;
};
std::ostream& operator<<(std::ostream& out, const Step& s) {
  return out << '{' << s.what << ' ' << s.branch << ' ' << s.command << ' ' << s.amount << '}';
}

rc::Gen<Step> any_step() {
  return rc::gen::build<Step>(rc::gen::set(&Step::what, rc::gen::inRange(0, 100)),
                              rc::gen::set(&Step::branch, rc::gen::inRange<std::uint64_t>(0, 6)),
                              rc::gen::set(&Step::command, rc::gen::inRange<std::uint64_t>(0, 60)),
                              rc::gen::set(&Step::amount, rc::gen::inRange<std::uint64_t>(0, 90)));
}

// One store for all runs (opening one takes a tenth of a second); each run has a game of its own.
class Pair {
 public:
  Pair() { open(); }
  void open() {
    store_.reset();
    StoreOptions options;
    options.directory = dir_ / "data";
    options.create_if_missing = true;
    options.seal_in_background = false;
    options.seal_keep_events = 10;
    auto opened = open_rocksdb_store(options);
    RC_ASSERT(opened.ok());
    store_ = std::move(*opened);
  }
  void begin() {
    ++game_;
    branches_.assign(1, {});
    branches_[0].events = {"begin"};
    branches_[0].commands[game_] = {1, 1};
    RC_ASSERT(create(*store_, game_, {"begin"})->kind == Kind::kOk);
  }
  // Branch 0 is the mainline, which create() numbers like the game.
  BranchId id(std::size_t branch) const {
    return branch == 0 ? branch_id(game_) : branch_id(game_ * 1'000'000 + branch);
  }
  void take(const Step& step) {
    const std::size_t branch = step.branch % branches_.size();
    if (step.what < 60) {
      append_some(branch, step);
    } else if (step.what < 75) {
      fork_one(branch, step);
    } else if (step.what < 95) {
      compare(branch, step.amount);
    } else if (step.what < 99) {
      RC_ASSERT(store_->tidy().ok());
    } else {
      open();
    }
  }
  void compare_all() {
    for (std::size_t b = 0; b < branches_.size(); ++b) compare(b, 0);
    const auto verified = store_->verify(game_id(game_), nullptr);
    RC_ASSERT(verified.ok());
    RC_ASSERT(verified->findings.empty());
    std::uint64_t events = 0;
    for (const ModelBranch& b : branches_) events += b.events.size() - b.forked_at;
    RC_ASSERT(verified->events == events);
  }

 private:
  void append_some(std::size_t branch, const Step& step) {
    ModelBranch& model = branches_[branch];
    const std::uint64_t command = 1'000'000 + step.command;
    const bool right = step.amount % 5 != 0;
    const Version expected = right ? model.events.size() : step.amount;
    const auto result = append(*store_, id(branch), expected, command,
                               numbered(std::to_string(step.command) + "/", step.amount % 9 + 1),
                               Durability::kBuffered);
    RC_ASSERT(result.ok());
    const auto earlier = model.commands.find(command);
    if (earlier != model.commands.end()) {
      RC_ASSERT(result->kind == Kind::kDuplicate);
      RC_ASSERT(result->first == earlier->second.first);
      RC_ASSERT(result->last == earlier->second.second);
    } else if (expected != model.events.size()) {
      RC_ASSERT(result->kind == Kind::kConflict);
      RC_ASSERT(result->current == model.events.size());
    } else {
      RC_ASSERT(result->kind == Kind::kOk);
      RC_ASSERT(result->first == model.events.size() + 1);
      for (std::uint64_t i = 1; i <= step.amount % 9 + 1; ++i) {
        model.events.push_back(std::to_string(step.command) + "/" + std::to_string(i));
      }
      model.commands[command] = {result->first, result->last};
      RC_ASSERT(result->last == model.events.size());
    }
  }
  void fork_one(std::size_t parent, const Step& step) {
    const Version at = step.amount % branches_[parent].events.size() + 1;
    ModelBranch model;
    model.events.assign(branches_[parent].events.begin(),
                        branches_[parent].events.begin() + static_cast<std::ptrdiff_t>(at));
    model.forked_at = at;
    branches_.push_back(std::move(model));
    RC_ASSERT(fork(*store_, game_, id(branches_.size() - 1), id(parent), at).ok());
  }
  void compare(std::size_t branch, std::uint64_t from) {
    const Texts& model = branches_[branch].events;
    const std::size_t skip = std::min<std::size_t>(from, model.size());
    const Texts expected(model.begin() + static_cast<std::ptrdiff_t>(skip), model.end());
    RC_ASSERT(texts(*store_, id(branch), skip + 1) == expected);
    Texts backwards;
    RC_ASSERT(store_
                  ->read_backwards(id(branch), model.size(), skip + 1,
                                   [&](const StoredEvent& e) {
                                     backwards.emplace_back(text_of(e.payload));
                                     return true;
                                   })
                  .ok());
    RC_ASSERT(backwards == Texts(expected.rbegin(), expected.rend()));
  }

  TempDir dir_;
  std::unique_ptr<EventStore> store_;
  std::uint64_t game_ = 0;
  std::vector<ModelBranch> branches_;
};

RC_GTEST_PROP(StoreModel, TheStoreDoesWhatTheModelDoes, ()) {
  static Pair pair;
  const auto steps = *rc::gen::container<std::vector<Step>>(any_step());
  pair.begin();
  for (const Step& step : steps) pair.take(step);
  pair.compare_all();
}

}  // namespace
}  // namespace wardiary::testing

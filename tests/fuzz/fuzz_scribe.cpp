// Any text as a scribe's file: every line is taken or told of, what was taken folds, and the same
// text gives the same events.
#include <sstream>

#include "domain/apply.h"
#include "replay/scribe.h"
#include "tests/fuzz/fuzz.h"

using namespace wardiary;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const CreatedGame made = [] {
    NewGameSpec spec;
    spec.scenario = "duel";
    CreationDetails details;
    details.keeping = Keeping::kScribed;
    auto created = create_game(*rule_system("freeform"), spec, details);
    fuzz::must(created.ok());
    return std::move(*created);
  }();
  const std::string text(fuzz::text(data, size));
  BranchInfo branch;
  branch.version = made.events.size();
  const auto envelope = [](const BranchInfo& at) {
    Envelope out;
    out.recorded_at_ms = at.version;
    out.author = "scribe";
    return out;
  };
  EventList first;
  for (int round = 0; round < 2; ++round) {
    Scribe scribe(nullptr, made.game, branch, made.position, envelope);
    std::istringstream in(text);
    const Scribed scribed = scribe.read(in);
    for (const ScribeProblem& problem : scribed.problems) fuzz::must(!problem.text.empty());
    fuzz::must(scribed.events == scribe.events().size());
    Position position = made.position;
    for (std::size_t i = 0; i < scribe.events().size(); ++i) {
      auto event = open_event(scribe.events()[i]);
      fuzz::must(event.ok() && apply(position, **event) == Fault::kNone);
      if (round == 1) fuzz::must(equal(first[i], scribe.events()[i]));
    }
    fuzz::must(position == scribe.position());
    if (round == 0) first = scribe.events();
  }
  return 0;
}

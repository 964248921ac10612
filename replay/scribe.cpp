#include "replay/scribe.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "domain/event_json.h"
#include "domain/json_reader.h"
#include "domain/schema/event_generated.h"
#include "replay/line_reader.h"
#include "replay/take_back.h"

namespace wardiary {

using nlohmann::json;

namespace {

Result<std::vector<std::uint32_t>> read_dice(const json& list) {
  constexpr std::size_t kDiceMax = 10'000;
  if (!list.is_array() || list.size() > kDiceMax) return invalid("dice: must be a list of faces");
  std::vector<std::uint32_t> out;
  for (const json& value : list) {
    if (!value.is_number_unsigned() || value.get<std::uint64_t>() > 1'000'000) {
      return invalid("dice: must be a list of faces");
    }
    out.push_back(value.get<std::uint32_t>());
  }
  return out;
}

}  // namespace

Scribe::Scribe(EventStore* store, const Game& game, const BranchInfo& branch, Position position,
               EnvelopeAt envelope)
    : store_(store),
      game_(game),
      branch_(branch),
      position_(std::move(position)),
      envelope_(std::move(envelope)),
      no_dice_(std::make_unique<ScriptedChance>(std::vector<std::uint32_t>())) {}

Scribe::~Scribe() = default;

BranchInfo Scribe::here() const {
  BranchInfo out = branch_;
  out.version += events_.size();
  return out;
}

// All of a file is one write: there is a limit to what it can come to.
Error Scribe::too_much() {
  full_ = true;
  return {ErrorCode::kLimit,
          "the file comes to more than " + std::to_string(StoreLimits::kCommitEventsMax) +
              " events, which is more than can be written at once; make two files of it"};
}

Status Scribe::add_commit(const EventList& events, Position after) {
  std::size_t bytes = bytes_;
  for (std::size_t i = 0; i < events.size(); ++i) bytes += events[i].size();
  if (events_.size() + events.size() > StoreLimits::kCommitEventsMax ||
      bytes > StoreLimits::kCommitBytesMax) {
    return too_much();
  }
  begins_.push_back(events_.size());
  for (std::size_t i = 0; i < events.size(); ++i) events_.add(events.type(i), events[i]);
  bytes_ = bytes;
  position_ = std::move(after);
  ++out_.commits;
  return Done{};
}

Status Scribe::end_commit() {
  if (!draft_) return Done{};
  const std::unique_ptr<Draft> draft = std::move(draft_);
  if (draft->events().empty()) return Done{};
  return add_commit(draft->events(), draft->position());
}

Status Scribe::take_order(const json& order_json, const json* dice_json) {
  if (!game_.system) return invalid(game_.no_rules);
  if (auto status = end_commit(); !status) return status;
  auto order = order_from_json(order_json, game_.system->order_types(), game_.roster(),
                               [&](std::string_view name) { return game_.board->find(name); });
  if (!order) return std::move(order).error();
  std::vector<std::uint32_t> faces;
  if (dice_json) {
    auto read = read_dice(*dice_json);
    if (!read) return std::move(read).error();
    faces = std::move(*read);
  }
  const Grade grade = branch_.parent ? Grade::kBranch : Grade::kImported;
  ScriptedChance dice(std::move(faces), grade);
  Verdict verdict = decide(game_, position_, *order, dice, envelope_(here()));
  if (const auto* refused = std::get_if<Rejection>(&verdict)) {
    return invalid("the rules refuse it: " + refused->code +
                   (refused->rule.empty() ? "" : " [" + refused->rule + "]") +
                   (refused->text.empty() ? "" : ": " + refused->text));
  }
  if (const auto* needs = std::get_if<NeedsRoll>(&verdict)) {
    return invalid("dice: it rolls for " + needs->request.purpose + ", " +
                   std::to_string(values_wanted(needs->request)) + " values" +
                   (dice.complaint().empty() ? "" : "; " + dice.complaint()));
  }
  if (dice.left()) return invalid("dice: " + std::to_string(dice.left()) + " more than it uses");
  auto& accepted = std::get<Accepted>(verdict);
  auto status = add_commit(accepted.events, std::move(accepted.position));
  if (status) ++out_.orders;
  return status;
}

Status Scribe::take_fact(const json& fact) {
  const bool ruling = fact.value("type", "") == "Ruling";
  if (ruling) {
    if (auto status = end_commit(); !status) return status;
  }
  if (!draft_) draft_ = std::make_unique<Draft>(game_, position_, *no_dice_, envelope_(here()));
  if (events_.size() + draft_->events().size() >= StoreLimits::kCommitEventsMax) return too_much();
  auto status = draft_fact(*draft_, fact);
  if (status) ++out_.facts;
  return status;
}

// {"type":"TakeBack","commits":2}: of this file, and beyond it of the game as it was.
Status Scribe::take_back(const json& wanted) {
  if (auto status = end_commit(); !status) return status;
  JsonReader in(wanted, "");
  in.only({"type", "commits", "text"});
  const auto commits = static_cast<std::size_t>(in.number_or("commits", 1, 1, 1'000));
  const std::string text = in.text_or("text", "");
  if (!in.ok()) return std::move(in).error();
  const std::size_t here_commits = std::min(commits, begins_.size());
  const std::size_t keep = begins_.empty() || here_commits == 0
                               ? events_.size()
                               : begins_[begins_.size() - here_commits];
  EventList taken;
  Version to = branch_.version + keep;
  if (commits > here_commits && !store_) return invalid("commits: there are not so many");
  if (commits > here_commits) {
    BranchInfo before = branch_;
    for (std::size_t i = here_commits; i < commits; ++i) {
      auto target = undo_target(*store_, before);
      if (!target) return std::move(target).error();
      before.version = to = *target;
    }
    auto stored = events_to_take_back(*store_, branch_, to, branch_.version);
    if (!stored) return std::move(stored).error();
    taken = std::move(*stored);
  }
  for (std::size_t i = keep; i < events_.size(); ++i) {
    if (trusted_event(events_[i])->payload_type() == fb::Payload::GameEnded) {
      return invalid("the game has ended: nothing before its end can be taken back");
    }
    taken.add(events_.type(i), events_[i]);
  }
  Draft draft(game_, position_, *no_dice_, envelope_(here()));
  draft_take_back(draft, to, text, taken);
  auto status = add_commit(draft.events(), draft.position());
  if (status) ++out_.take_backs;
  return status;
}

Status Scribe::take(std::string_view line) {
  auto document = parse_json(line);
  if (!document) return std::move(document).error();
  if (!document->is_object()) return invalid("must be an object");
  if (document->contains("order")) {
    JsonReader in(*document, "");
    in.only({"order", "dice"});
    if (!in.ok()) return std::move(in).error();
    const auto dice = document->find("dice");
    return take_order((*document)["order"], dice == document->end() ? nullptr : &*dice);
  }
  const auto named = document->find("type");
  if (named == document->end() || !named->is_string()) return invalid("type: is missing");
  const std::string type = named->get<std::string>();
  if (type == "TakeBack") return take_back(*document);
  const auto is_order = [&](const OrderType& each) { return each.name == type; };
  const auto types = game_.system ? game_.system->order_types() : std::span<const OrderType>();
  if (std::none_of(types.begin(), types.end(), is_order)) return take_fact(*document);
  json order = *document;
  std::optional<json> dice;
  if (order.contains("dice")) dice = order["dice"];
  order.erase("dice");
  return take_order(order, dice ? &*dice : nullptr);
}

Scribed Scribe::read(std::istream& in) {
  LineReader lines(in, ScribeLimits::kLineBytesMax);
  const auto note = [&](Error error) {
    out_.all_problems = out_.problems.size() < ScribeLimits::kProblemsMax;
    if (out_.all_problems) out_.problems.push_back({lines.number(), std::move(error.text)});
  };
  std::string line;
  for (;;) {
    auto more = lines.next(line);
    if (more && !*more) break;
    ++out_.lines;
    if (!more) {
      note(std::move(more).error());
      continue;
    }
    if (line.ends_with('\r')) line.pop_back();
    const bool blank = line.find_first_not_of(" \t") == std::string::npos;
    auto status = blank ? end_commit() : take(line);
    if (!status) note(std::move(status).error());
    if (full_ || !out_.all_problems) break;  // the rest would only repeat it
  }
  if (auto status = end_commit(); !status) note(std::move(status).error());
  out_.events = events_.size();
  return std::move(out_);
}

}  // namespace wardiary

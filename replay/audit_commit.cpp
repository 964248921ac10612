#include "replay/audit_commit.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "domain/event_json.h"
#include "domain/schema/event_generated.h"

namespace wardiary {

using nlohmann::json;

namespace {

// Answers with the rolls a commit has on record, one after the other.
class RecordedChance : public Chance {
 public:
  explicit RecordedChance(const EventList& events) {
    for (std::size_t i = 0; i < events.size(); ++i) {
      const auto* rolled = trusted_event(events[i])->payload_as_DiceRolled();
      if (rolled) rolls_.push_back(rolled);
    }
  }

  std::optional<Rolled> roll(const RollRequest& request) override {
    if (next_ == rolls_.size()) {
      complaint_ = "a roll for " + request.purpose + " that is not on record";
      return std::nullopt;
    }
    const fb::DiceRolled& e = *rolls_[next_];
    Rolled out;
    out.values.assign(e.values()->begin(), e.values()->end());
    // Rules read as many values as they asked for; faces that cannot be are left to them to see.
    if (out.values.size() != values_wanted(request)) {
      complaint_ = std::to_string(values_wanted(request)) + " values for " + request.purpose;
      return std::nullopt;
    }
    out.grade = static_cast<Grade>(e.grade());
    out.request = e.request();
    out.suite = e.suite();
    if (e.proof()) out.proof.assign(e.proof()->begin(), e.proof()->end());
    for (unsigned i = 0; e.elements() && i < e.elements()->size(); ++i) {
      const fb::Element* element = e.elements()->Get(i);
      const auto value = Hash::from({element->value()->data(), element->value()->size()});
      out.elements.push_back({element->slot(), value ? *value : Hash{}});
    }
    ++next_;
    return out;
  }
  // Which roll could not be answered, and how the rules would have it.
  std::size_t answered() const { return next_; }
  const std::string& complaint() const { return complaint_; }

 private:
  std::vector<const fb::DiceRolled*> rolls_;
  std::size_t next_ = 0;
  std::string complaint_;
};

std::string shown(const json& value) {
  constexpr std::size_t kShownMax = 300;
  std::string text = value.is_string() ? value.get<std::string>() : value.dump();
  if (text.size() > kShownMax) text = text.substr(0, kShownMax) + " ...";
  return text;
}

// The first field in which two events differ.
Wrong difference(ByteView recorded, ByteView expected, const Roster& roster) {
  const json was = json::parse(event_json(*trusted_event(recorded), 0, roster));
  const json is = json::parse(event_json(*trusted_event(expected), 0, roster));
  if (was["type"] != is["type"]) return {"type", shown(was["type"]), shown(is["type"])};
  for (auto item = is.begin(); item != is.end(); ++item) {
    if (!was.contains(item.key())) return {item.key(), "nothing", shown(item.value())};
    if (was[item.key()] != item.value()) {
      return {item.key(), shown(was[item.key()]), shown(item.value())};
    }
  }
  for (auto item = was.begin(); item != was.end(); ++item) {
    if (!is.contains(item.key())) return {item.key(), shown(item.value()), "nothing"};
  }
  return {"bytes", to_hex(recorded.first(std::min<std::size_t>(recorded.size(), 40))) + "..",
          "the bytes that the encoder writes for this event"};
}

std::string type_of(ByteView event) {
  return fb::EnumNamePayload(trusted_event(event)->payload_type());
}

bool is_epoch(ByteView event) {
  const fb::Payload type = trusted_event(event)->payload_type();
  return type == fb::Payload::EpochOpened || type == fb::Payload::EpochDrafted ||
         type == fb::Payload::ContributorJoined;
}

// Where in the commit the n-th roll stands (the order itself if there is none).
std::uint64_t version_of_roll(const RecordedCommit& commit, std::size_t n) {
  for (std::size_t i = 0; i < commit.events.size(); ++i) {
    if (!trusted_event(commit.events[i])->payload_as_DiceRolled()) continue;
    if (n-- == 0) return commit.first + i;
  }
  return commit.first;
}

}  // namespace

Envelope recorded_envelope(const EventList& events) {
  Envelope out;
  const fb::Event* first = trusted_event(events[0]);
  out.recorded_at_ms = first->recorded_at_ms();
  if (first->author()) out.author = first->author()->str();
  out.salt = [&events](std::size_t index) {
    if (index >= events.size()) return Id{};
    const auto* salt = trusted_event(events[index])->salt();
    const auto id = salt ? Id::from({salt->data(), salt->size()}) : std::nullopt;
    return id ? *id : Id{};
  };
  return out;
}

std::optional<WrongEvent> compare_commit(const RecordedCommit& commit, const EventList& expected,
                                         std::size_t count, const Roster& roster) {
  for (std::size_t i = 0; i < std::max(count, expected.size()); ++i) {
    const std::uint64_t version = commit.first + i;
    if (i >= expected.size()) {
      return WrongEvent{version, {"type", type_of(commit.events[i]), "nothing more"}};
    }
    if (i >= count) {
      return WrongEvent{commit.first + count - 1,
                        {"type", "nothing more", type_of(expected[i]) + " after it"}};
    }
    if (equal(commit.events[i], expected[i])) continue;
    return WrongEvent{version, difference(commit.events[i], expected[i], roster)};
  }
  return std::nullopt;
}

std::optional<WrongEvent> redecide(const Game& game, const RecordedCommit& commit) {
  const fb::Event& first = *trusted_event(commit.events[0]);
  auto order = read_order(first, game.system->order_types(), game.roster());
  if (!order) {
    return WrongEvent{commit.first, {"order", order.error().text, "an order of this game"}};
  }
  RecordedChance chance(commit.events);
  Verdict verdict = decide(game, commit.before, *order, chance, recorded_envelope(commit.events));
  if (const auto* refused = std::get_if<Rejection>(&verdict)) {
    return WrongEvent{
        commit.first,
        {"order", "accepted: " + order_to_json(*order, game.roster()).dump(),
         "refused: " + refused->code + (refused->rule.empty() ? "" : " [" + refused->rule + "]") +
             " " + refused->text}};
  }
  if (std::holds_alternative<NeedsRoll>(verdict)) {
    return WrongEvent{version_of_roll(commit, chance.answered()),
                      {"values", "the recorded rolls", chance.complaint()}};
  }
  return compare_commit(commit, std::get<Accepted>(verdict).events, commit.events.size(),
                        game.roster());
}

std::optional<WrongEvent> recreate(const Game& game, const std::vector<Content>& contents,
                                   const RecordedCommit& commit, std::string& remark) {
  NewGameSpec spec;
  spec.scenario = game.created.scenario;
  for (const GameOption& option : game.created.options) spec.options[option.name] = option.value;
  for (const Content& content : contents) {
    if (content.role == "scenario") spec.scenario_text = content.text;
    // A board that came with the request is called "given"; others are the system's own.
    if (content.role == "board" && content.name == "given") spec.board_text = content.text;
  }
  const Envelope envelope = recorded_envelope(commit.events);
  CreationDetails details;
  details.seats = game.created.seats;
  details.keeping = game.created.keeping;
  details.dice = game.created.dice;
  details.recorded_at_ms = envelope.recorded_at_ms;
  details.author = envelope.author;
  details.salt = envelope.salt;
  auto created = create_game(*game.system, spec, details);
  if (!created) {
    return WrongEvent{
        commit.first,
        {"scenario", game.created.scenario, "one that can be set up: " + created.error().text}};
  }
  const auto same = [](const ContentRef& a, const ContentRef& b) {
    return a.role == b.role && a.name == b.name && a.sha256 == b.sha256;
  };
  if (!std::equal(created->game.created.contents.begin(), created->game.created.contents.end(),
                  game.created.contents.begin(), game.created.contents.end(), same)) {
    remark = "this program has other data for the scenario than the game was created with";
    return std::nullopt;
  }
  // The service adds the epoch of its dice after what the rules drafted.
  std::size_t count = commit.events.size();
  while (count > 1 && is_epoch(commit.events[count - 1])) --count;
  return compare_commit(commit, created->events, count, game.roster());
}

}  // namespace wardiary

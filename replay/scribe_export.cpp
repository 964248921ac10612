#include <nlohmann/json.hpp>
#include <ostream>

#include "domain/event_json.h"
#include "domain/json_writer.h"
#include "domain/schema/event_generated.h"
#include "projections/history.h"
#include "projections/view.h"
#include "replay/scribe.h"

namespace wardiary {

using nlohmann::json;

namespace {

// One fact as draft_fact reads it; several for an event about several spaces, none for what follows
// from the others or is no fact.
std::vector<json> facts_of(const fb::Event& event, const Roster& roster) {
  const json full = json::parse(event_json(event, 0, roster));
  const auto only = [&](std::initializer_list<const char*> fields) {
    json out = {{"type", full["type"]}};
    for (const char* field : fields) {
      if (full.contains(field) && !full[field].is_null()) out[field] = full[field];
    }
    return std::vector<json>{std::move(out)};
  };
  switch (event.payload_type()) {
    case fb::Payload::UnitPlaced: {
      std::vector<json> out = only({"unit", "at"});
      for (const json& change : full.value("changes", json::array())) {
        out[0]["values"][change["attribute"].get<std::string>()] = change["to"];
      }
      return out;
    }
    case fb::Payload::UnitMoved:
      return only({"unit", "path", "how"});
    case fb::Payload::UnitRemoved:
      return only({"unit", "why"});
    case fb::Payload::UnitChanged:
      return only({"unit", "attribute", "to"});
    case fb::Payload::SpaceChanged:
      return only({"space", "attribute", "to"});
    case fb::Payload::LinkChanged:
      return only({"link", "attribute", "to"});
    case fb::Payload::TrackChanged:
      return only({"track", "to"});
    case fb::Payload::PoolChanged:
      return only({"pool", "item", "to"});
    case fb::Payload::Ruling:
      return only({"by", "rule", "text"});
    case fb::Payload::GameEnded:
      return only({"winner", "level", "text"});
    case fb::Payload::Revealed:
      return only({"unit", "to"});
    case fb::Payload::SpacesChanged: {
      std::vector<json> out;
      for (const json& change : full["changes"]) {
        out.push_back({{"type", "SpaceChanged"},
                       {"space", change["space"]},
                       {"attribute", full["attribute"]},
                       {"to", change["to"]}});
      }
      return out;
    }
    case fb::Payload::PhaseBegan: {
      const json& to = full["to"];
      return {{{"type", "PhaseBegan"},
               {"turn", to["turn"]},
               {"phase", to["phase"]},
               {"side", to.value("side", json())}}};
    }
    case fb::Payload::DiceRolled: {
      std::vector<json> out = only({"roller", "purpose", "values", "result", "space", "unit"});
      out[0]["sides"] = event.payload_as_DiceRolled()->groups()->Get(0)->sides();
      return out;
    }
    default:
      return {};
  }
}

// Gathers commits and writes each in its lines.
class ScribeWriter {
 public:
  ScribeWriter(const OpenGame& game, std::ostream& out)
      : game_(game), view_(game.game, Viewer::referee()), any_(game.roster()), out_(out) {}

  Status event(Version version, const StoredEvent& stored, const fb::Event& event) {
    if (begins_commit(event)) {
      if (auto status = end_commit(); !status) return status;
      first_ = version;
    }
    commit_.add(stored.type, stored.payload);
    return Done{};
  }
  Status end_commit() {
    if (commit_.empty()) return Done{};
    Status status = write_commit();
    commit_.clear();
    return status;
  }

 private:
  void line(const json& value) { out_ << value.dump() << '\n'; }

  Status write_commit() {
    const fb::Event& head = *trusted_event(commit_[0]);
    const auto type = head.payload_type();
    if (type == fb::Payload::GameCreated || type == fb::Payload::BranchForked) return Done{};
    for (std::size_t i = 0; i < commit_.size() && i < 2; ++i) {
      if (const auto* back = trusted_event(commit_[i])->payload_as_TakeBack()) {
        return write_take_back(*back);
      }
    }
    if (type == fb::Payload::OrderIssued) return write_order(head);
    std::vector<json> facts;
    for (std::size_t i = 0; i < commit_.size(); ++i) {
      for (json& fact : facts_of(*trusted_event(commit_[i]), game_.roster())) {
        facts.push_back(std::move(fact));
      }
    }
    if (facts.empty()) return Done{};  // a proposal, an answer: talk, not play
    if (facts_before_) out_ << '\n';
    for (const json& fact : facts) line(fact);
    written(true);
    return Done{};
  }
  Status write_order(const fb::Event& head) {
    std::string text;
    JsonWriter writer(text);
    view_.write_event(writer, head, first_, any_, any_);
    const json event = json::parse(text);
    if (!event.contains("order") || !event["order"].is_object()) {
      return invalid("event " + std::to_string(first_) +
                     ": an order of rules this program has not");
    }
    json dice = json::array();
    for (std::size_t i = 0; i < commit_.size(); ++i) {
      const auto* rolled = trusted_event(commit_[i])->payload_as_DiceRolled();
      if (!rolled) continue;
      for (std::uint32_t value : *rolled->values()) dice.push_back(value);
    }
    json out = {{"order", event["order"]}};
    if (!dice.empty()) out["dice"] = std::move(dice);
    line(out);
    written(false);
    return Done{};
  }
  Status write_take_back(const fb::TakeBack& back) {
    const auto later = [&](Version version) { return version > back.to(); };
    const auto commits = std::count_if(commits_.begin(), commits_.end(), later);
    json out = {{"type", "TakeBack"}, {"commits", commits}};
    if (back.text()) out["text"] = back.text()->str();
    line(out);
    written(false);
    return Done{};
  }
  void written(bool facts) {
    commits_.push_back(first_);
    facts_before_ = facts;
  }

  const OpenGame& game_;
  const View view_;
  const Position any_;
  std::ostream& out_;
  EventList commit_;
  Version first_ = 0;
  std::vector<Version> commits_;  // first versions of those that were written
  bool facts_before_ = false;
};

}  // namespace

Status export_scribe(EventStore& store, const OpenGame& game, const BranchId& branch,
                     std::ostream& out) {
  auto info = store.branch(branch);
  if (!info) return std::move(info).error();
  ScribeWriter writer(game, out);
  Status problem = Done{};
  auto read = store.read(branch, 1, info->version, [&](const StoredEvent& stored) {
    auto event = open_event(stored.payload);
    problem =
        event ? writer.event(stored.version, stored, **event) : Status(std::move(event).error());
    return problem.ok();
  });
  if (!read) return read;
  if (!problem) return problem;
  if (auto status = writer.end_commit(); !status) return status;
  out.flush();
  return out ? Status(Done{}) : Status(Error{ErrorCode::kIo, "the file cannot be written"});
}

}  // namespace wardiary

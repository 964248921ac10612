#include "domain/event_json.h"

#include <nlohmann/json.hpp>

#include "domain/json_reader.h"
#include "domain/json_writer.h"
#include "domain/schema/event_generated.h"

namespace wardiary {

using nlohmann::json;

namespace {

constexpr std::string_view kGrades[] = {"live", "async", "solo", "imported", "beacon", "branch"};
constexpr std::string_view kPolicies[] = {"same", "fresh", "fixed", "expected"};

std::string_view text(const flatbuffers::String* s) {
  return s ? s->string_view() : std::string_view();
}

// Writes the members of each payload. Every id is looked up with a bound check: events that passed
// the verifier may still name things the roster does not have.
class PayloadWriter {
 public:
  PayloadWriter(JsonWriter& out, const Roster& roster) : out_(out), roster_(roster) {}

  void write(const fb::Event& event) {
    switch (event.payload_type()) {
      case fb::Payload::GameCreated:
        return game_created(*event.payload_as_GameCreated());
      case fb::Payload::BranchForked:
        return branch_forked(*event.payload_as_BranchForked());
      case fb::Payload::GameEnded:
        return game_ended(*event.payload_as_GameEnded());
      case fb::Payload::OrderIssued:
        return order(*event.payload_as_OrderIssued());
      case fb::Payload::Ruling:
        return ruling(*event.payload_as_Ruling());
      case fb::Payload::TakeBack:
        return take_back(*event.payload_as_TakeBack());
      case fb::Payload::TakeBackProposed:
        return take_back(*event.payload_as_TakeBackProposed());
      case fb::Payload::TakeBackAnswered: {
        const auto& e = *event.payload_as_TakeBackAnswered();
        number("proposal", e.proposal());
        out_.key("agreed").flag(e.agreed());
        return optional("text", e.text());
      }
      case fb::Payload::PhaseBegan:
        return phase_began(*event.payload_as_PhaseBegan());
      case fb::Payload::DecisionAsked:
        return decision(*event.payload_as_DecisionAsked());
      case fb::Payload::DiceRolled:
        return dice(*event.payload_as_DiceRolled());
      case fb::Payload::UnitPlaced:
        return placed(*event.payload_as_UnitPlaced());
      case fb::Payload::UnitMoved:
        return moved(*event.payload_as_UnitMoved());
      case fb::Payload::UnitRemoved:
        return removed(*event.payload_as_UnitRemoved());
      case fb::Payload::Revealed:
        return revealed(*event.payload_as_Revealed());
      case fb::Payload::UnitChanged: {
        const auto& e = *event.payload_as_UnitChanged();
        unit(e.unit());
        return change(roster_.unit_attributes, e.attribute(), e.from(), e.to());
      }
      case fb::Payload::SpaceChanged: {
        const auto& e = *event.payload_as_SpaceChanged();
        space("space", e.space());
        return change(roster_.space_attributes, e.attribute(), e.from(), e.to());
      }
      case fb::Payload::SpacesChanged:
        return spaces_changed(*event.payload_as_SpacesChanged());
      case fb::Payload::LinkChanged:
        return link_changed(*event.payload_as_LinkChanged());
      case fb::Payload::TrackChanged:
        return track_changed(*event.payload_as_TrackChanged());
      case fb::Payload::PoolChanged:
        return pool_changed(*event.payload_as_PoolChanged());
      case fb::Payload::EpochOpened:
        return epoch(*event.payload_as_EpochOpened());
      case fb::Payload::RollRequested:
        return requested(*event.payload_as_RollRequested());
      case fb::Payload::RollRevealed: {
        const auto& e = *event.payload_as_RollRevealed();
        number("request", e.request());
        out_.member("contributor", std::int64_t{e.contributor()});
        hex("element", e.element());
        return hex("signature", e.signature());
      }
      case fb::Payload::RollsUnlocked: {
        const auto& e = *event.payload_as_RollsUnlocked();
        out_.member("contributor", std::int64_t{e.contributor()});
        out_.member("roller", std::int64_t{e.roller()});
        number("upTo", e.up_to());
        hex("element", e.element());
        return hex("signature", e.signature());
      }
      case fb::Payload::RollSealed: {
        const auto& e = *event.payload_as_RollSealed();
        number("request", e.request());
        side("roller", e.roller());
        number("number", e.number());
        out_.member("purpose", text(e.purpose()));
        side("owner", e.owner());
        return hex("seal", e.seal());
      }
      case fb::Payload::RollOpened: {
        const auto& e = *event.payload_as_RollOpened();
        number("sealed", e.sealed());
        hex("proof", e.proof());
        return values(e.values());
      }
      case fb::Payload::EpochDrafted:
        return epoch_drafted(*event.payload_as_EpochDrafted());
      case fb::Payload::ContributorJoined: {
        const auto& e = *event.payload_as_ContributorJoined();
        number("drafted", e.drafted());
        return contributor(*e.contributor());
      }
      case fb::Payload::OrderSuspended:
        return order(*event.payload_as_OrderSuspended()->order());
      case fb::Payload::RollAbandoned:
        return abandoned(*event.payload_as_RollAbandoned());
      case fb::Payload::NONE:
        return;
    }
  }

 private:
  void name(std::string_view key, const std::vector<std::string>& names, int index) {
    out_.key(key);
    name_of(names, index);
  }
  void name_of(const std::vector<std::string>& names, int index) {
    if (index < 0) {
      out_.null();
    } else if (static_cast<std::size_t>(index) < names.size()) {
      out_.text(names[static_cast<std::size_t>(index)]);
    } else {
      out_.text("#" + std::to_string(index));
    }
  }
  void side(std::string_view key, int side) { name(key, roster_.sides, side); }
  void space(std::string_view key, int space) { name(key, roster_.spaces, space); }
  void unit(int unit, std::string_view key = "unit") {
    if (unit >= 0 && static_cast<std::size_t>(unit) < roster_.units.size()) {
      out_.member(key, roster_.units[static_cast<std::size_t>(unit)].name);
    } else if (unit < 0) {
      out_.key(key).null();
    } else {
      out_.member(key, "#" + std::to_string(unit));
    }
  }
  void number(std::string_view key, std::uint64_t n) {
    out_.member(key, static_cast<std::int64_t>(n));
  }
  void hex(std::string_view key, const flatbuffers::Vector<std::uint8_t>* bytes) {
    if (bytes) out_.member(key, to_hex({bytes->data(), bytes->size()}));
  }
  void optional(std::string_view key, const flatbuffers::String* s) {
    if (s) out_.member(key, s->string_view());
  }
  void value(const std::vector<Attribute>& attributes, std::uint8_t attribute, int v) {
    if (attribute < attributes.size()) {
      write_value(out_, attributes[attribute], v, roster_);
    } else {
      out_.number(v);
    }
  }
  void change(const std::vector<Attribute>& attributes, std::uint8_t attribute, int from, int to) {
    out_.key("attribute");
    if (attribute < attributes.size()) {
      out_.text(attributes[attribute].name);
    } else {
      out_.text("#" + std::to_string(attribute));
    }
    out_.key("from");
    value(attributes, attribute, from);
    out_.key("to");
    value(attributes, attribute, to);
  }
  void clock(std::string_view key, const fb::Clock& c) {
    out_.key(key).begin_object();
    out_.member("turn", std::int64_t{c.turn()});
    out_.member("turnName", roster_.turn_name(c.turn()));
    name("phase", roster_.phases, c.phase());
    side("side", c.side());
    out_.end_object();
  }
  void question(std::string_view key, const fb::Question& q) {
    out_.key(key).begin_object();
    name("kind", roster_.decisions, q.kind());
    if (q.space() >= 0) space("space", q.space());
    if (q.unit() >= 0) unit(q.unit());
    if (q.number() != 0) out_.member("number", std::int64_t{q.number()});
    out_.end_object();
  }
  void values(const flatbuffers::Vector<std::uint32_t>* list) {
    out_.key("values").begin_array();
    if (list) {
      for (std::uint32_t v : *list) out_.number(v);
    }
    out_.end_array();
  }
  void groups(const flatbuffers::Vector<const fb::RollGroup*>& list) {
    static constexpr std::string_view kKinds[] = {"?", "dice", "shuffle", "draw"};
    out_.key("groups").begin_array();
    for (const fb::RollGroup* g : list) {
      out_.begin_object();
      out_.member("kind", kKinds[g->kind() <= 3 ? g->kind() : 0]);
      out_.member("count", std::int64_t{g->count()});
      out_.member("sides", std::int64_t{g->sides()});
      if (g->hits_from()) out_.member("hitsFrom", std::int64_t{g->hits_from()});
      out_.end_object();
    }
    out_.end_array();
  }

  void game_created(const fb::GameCreated& e) {
    out_.member("system", text(e.system()));
    out_.member("rulesVersion", text(e.rules_version()));
    optional("scenario", e.scenario());
    out_.member("keeping", e.keeping() == fb::Keeping::Scribed ? "scribed" : "refereed");
    grade("dice", e.dice());
    out_.key("options").begin_object();
    if (e.options()) {
      for (const fb::Option* o : *e.options()) out_.member(text(o->name()), text(o->value()));
    }
    out_.end_object();
    out_.key("contents").begin_array();
    if (e.contents()) {
      for (const fb::Content* c : *e.contents()) {
        out_.begin_object();
        out_.member("role", text(c->role()));
        out_.member("name", text(c->name()));
        hex("sha256", c->sha256());
        out_.end_object();
      }
    }
    out_.end_array();
    out_.key("seats").begin_array();
    if (e.seats()) {
      for (const fb::Seat* s : *e.seats()) {
        out_.begin_object();
        out_.member("name", text(s->name()));
        out_.key("sides").begin_array();
        if (s->sides()) {
          for (std::uint8_t n : *s->sides()) name_of(roster_.sides, n);
        }
        out_.end_array();
        out_.end_object();
      }
    }
    out_.end_array();
  }
  void branch_forked(const fb::BranchForked& e) {
    hex("parent", e.parent());
    number("at", e.at());
    optional("name", e.name());
    optional("reason", e.reason());
    const auto policy = static_cast<std::size_t>(e.policy());
    out_.member("dice", kPolicies[policy < 4 ? policy : 0]);
  }
  void game_ended(const fb::GameEnded& e) {
    side("winner", e.winner());
    optional("level", e.level());
    optional("text", e.text());
  }
  void order(const fb::OrderIssued& e) {
    out_.member("order", text(e.type()));
    side("side", e.side());
    // Without the rule system the numbers stay numbers; with it, see order_to_json.
    out_.key("arguments").begin_object();
    if (e.arguments()) {
      for (const fb::Argument* a : *e.arguments()) {
        out_.key(text(a->field()));
        if (a->text()) {
          out_.text(text(a->text()));
          continue;
        }
        out_.begin_array();
        if (a->values()) {
          for (std::int32_t v : *a->values()) out_.number(v);
        }
        out_.end_array();
      }
    }
    out_.end_object();
  }
  void ruling(const fb::Ruling& e) {
    optional("by", e.by());
    optional("rule", e.rule());
    optional("text", e.text());
  }
  // TakeBack or TakeBackProposed.
  template <class To>
  void take_back(const To& e) {
    number("to", e.to());
    optional("text", e.text());
  }
  void phase_began(const fb::PhaseBegan& e) {
    clock("from", *e.from());
    clock("to", *e.to());
    hex("digest", e.digest());
  }
  void decision(const fb::DecisionAsked& e) {
    side("side", e.side());
    question("from", *e.from());
    question("to", *e.to());
  }
  void grade(std::string_view key, fb::Grade g) {
    const auto index = static_cast<std::size_t>(g);
    out_.member(key, index < std::size(kGrades) ? kGrades[index] : "?");
  }
  void dice(const fb::DiceRolled& e) {
    side("roller", e.roller());
    number("number", e.number());
    out_.member("purpose", text(e.purpose()));
    if (e.space() >= 0) space("space", e.space());
    if (e.unit() >= 0) unit(e.unit());
    groups(*e.groups());
    values(e.values());
    if (e.terms()) {
      out_.key("terms").begin_array();
      for (const fb::Term* t : *e.terms()) {
        out_.begin_object().member("label", text(t->label()));
        out_.member("value", std::int64_t{t->value()}).end_object();
      }
      out_.end_array();
    }
    optional("table", e.table());
    optional("column", e.column());
    optional("result", e.result());
    if (e.hits() >= 0) out_.member("hits", std::int64_t{e.hits()});
    grade("grade", e.grade());
    if (e.request()) number("request", e.request());
    if (e.suite()) out_.member("suite", std::int64_t{e.suite()});
    hex("proof", e.proof());
    if (e.beacon_round()) number("beaconRound", e.beacon_round());
    hex("beacon", e.beacon());
    if (!e.elements()) return;
    out_.key("elements").begin_array();
    for (const fb::Element* element : *e.elements()) {
      out_.begin_object().member("slot", std::int64_t{element->slot()});
      hex("value", element->value());
      out_.end_object();
    }
    out_.end_array();
  }
  void placed(const fb::UnitPlaced& e) {
    unit(e.unit());
    space("at", e.at());
    if (!e.changes()) return;
    out_.key("changes").begin_array();
    for (const fb::Change* c : *e.changes()) {
      out_.begin_object();
      change(roster_.unit_attributes, c->attribute(), c->from(), c->to());
      out_.end_object();
    }
    out_.end_array();
  }
  void moved(const fb::UnitMoved& e) {
    unit(e.unit());
    out_.key("path").begin_array();
    for (std::int16_t s : *e.path()) name_of(roster_.spaces, s);
    out_.end_array();
    optional("how", e.how());
  }
  void removed(const fb::UnitRemoved& e) {
    unit(e.unit());
    space("from", e.from());
    optional("why", e.why());
  }
  void revealed(const fb::Revealed& e) {
    unit(e.unit());
    out_.key("to").begin_array();
    for (std::size_t s = 0; s < roster_.sides.size(); ++s) {
      if (e.to() >> s & 1) out_.text(roster_.sides[s]);
    }
    out_.end_array();
  }
  void spaces_changed(const fb::SpacesChanged& e) {
    const std::vector<Attribute>& attributes = roster_.space_attributes;
    out_.key("attribute");
    out_.text(e.attribute() < attributes.size() ? attributes[e.attribute()].name : "#?");
    const auto n = std::min({e.spaces()->size(), e.from()->size(), e.to()->size()});
    out_.key("changes").begin_array();
    for (flatbuffers::uoffset_t i = 0; i < n; ++i) {
      out_.begin_object();
      space("space", e.spaces()->Get(i));
      out_.key("from");
      value(attributes, e.attribute(), e.from()->Get(i));
      out_.key("to");
      value(attributes, e.attribute(), e.to()->Get(i));
      out_.end_object();
    }
    out_.end_array();
  }
  void link_changed(const fb::LinkChanged& e) {
    out_.key("link").begin_array();
    if (e.link() < roster_.links.size()) {
      name_of(roster_.spaces, roster_.links[e.link()].a.value);
      name_of(roster_.spaces, roster_.links[e.link()].b.value);
    }
    out_.end_array();
    change(roster_.link_attributes, e.attribute(), e.from(), e.to());
  }
  void track_changed(const fb::TrackChanged& e) {
    const bool known = e.track() < roster_.tracks.size();
    out_.member("track", known ? roster_.tracks[e.track()].name : "#" + std::to_string(e.track()));
    for (auto [key, v] : {std::pair{"from", e.from()}, std::pair{"to", e.to()}}) {
      out_.key(key);
      if (known) {
        write_value(out_, roster_.tracks[e.track()], v, roster_);
      } else {
        out_.number(v);
      }
    }
  }
  void pool_changed(const fb::PoolChanged& e) {
    const bool known = e.pool() < roster_.pools.size();
    out_.member("pool", known ? roster_.pools[e.pool()].name : "#" + std::to_string(e.pool()));
    const std::size_t first = known ? roster_.pool_offset(PoolId{e.pool()}) : 0;
    const std::size_t item = e.item() - first;
    const bool has_item = known && e.item() >= first && item < roster_.pools[e.pool()].items.size();
    out_.member("item",
                has_item ? roster_.pools[e.pool()].items[item] : "#" + std::to_string(e.item()));
    out_.member("from", std::int64_t{e.from()});
    out_.member("to", std::int64_t{e.to()});
  }
  void epoch(const fb::EpochOpened& e) {
    hex("stream", e.stream());
    hex("vrfKey", e.vrf_key());
    out_.member("suite", std::int64_t{e.suite()});
    out_.member("chainLength", std::int64_t{e.chain_length()});
    hex("rulesHash", e.rules_hash());
    grade("policy", e.policy());
    if (e.first()) {
      out_.key("first").begin_array();
      for (const fb::First* f : *e.first()) {
        out_.begin_object().member("roller", std::int64_t{f->roller()});
        number("number", f->number());
        out_.end_object();
      }
      out_.end_array();
    }
    if (e.answer_within_s()) out_.member("answerWithin", std::int64_t{e.answer_within_s()});
    if (e.drafted()) number("drafted", e.drafted());
    out_.key("contributors").begin_array();
    if (e.contributors()) {
      for (const fb::Contributor* c : *e.contributors()) {
        out_.begin_object();
        contributor(*c);
        out_.end_object();
      }
    }
    out_.end_array();
  }
  void epoch_drafted(const fb::EpochDrafted& e) {
    hex("stream", e.stream());
    hex("vrfKey", e.vrf_key());
    out_.member("suite", std::int64_t{e.suite()});
    out_.member("chainLength", std::int64_t{e.chain_length()});
    hex("rulesHash", e.rules_hash());
    grade("policy", e.policy());
    slots("slots", *e.slots());
    if (e.answer_within_s()) out_.member("answerWithin", std::int64_t{e.answer_within_s()});
  }
  void contributor(const fb::Contributor& c) {
    out_.member("slot", std::int64_t{c.slot()});
    optional("name", c.name());
    hex("key", c.key());
    out_.key("custodial").flag(c.custodial());
    out_.key("anchors").begin_array();
    if (c.anchors()) {
      for (const fb::Anchor* a : *c.anchors()) {
        out_.begin_object().member("roller", std::int64_t{a->roller()});
        hex("value", a->value());
        out_.end_object();
      }
    }
    out_.end_array();
    hex("signature", c.signature());
  }
  void slots(std::string_view key, const flatbuffers::Vector<std::uint8_t>& list) {
    out_.key(key).begin_array();
    for (std::uint8_t slot : list) out_.number(slot);
    out_.end_array();
  }
  void abandoned(const fb::RollAbandoned& e) {
    side("roller", e.roller());
    number("number", e.number());
    number("order", e.order());
    if (e.request()) number("request", e.request());
    slots("owedBy", *e.owed_by());
    out_.key("agreed").begin_array();
    if (e.agreed()) {
      for (const fb::Agreement* a : *e.agreed()) {
        out_.begin_object().member("contributor", std::int64_t{a->contributor()});
        hex("signature", a->signature());
        out_.end_object();
      }
    }
    out_.end_array();
    optional("text", e.text());
  }
  void requested(const fb::RollRequested& e) {
    out_.member("roller", std::int64_t{e.roller()});
    number("number", e.number());
    number("order", e.order());
    groups(*e.groups());
    hex("element", e.element());
    hex("key", e.key());
    hex("signature", e.signature());
  }

  JsonWriter& out_;
  const Roster& roster_;
};

}  // namespace

void write_event_json(JsonWriter& out, const fb::Event& event, std::uint64_t version,
                      const Roster& roster) {
  out.begin_object();
  out.member("version", static_cast<std::int64_t>(version));
  out.member("type", fb::EnumNamePayload(event.payload_type()));
  PayloadWriter(out, roster).write(event);
  if (event.because()) {
    out.member("because", static_cast<std::int64_t>(version) - event.because());
  }
  if (event.visible_to()) {
    out.key("visibleTo").begin_array();
    for (std::size_t s = 0; s < roster.sides.size(); ++s) {
      if (event.visible_to() >> s & 1) out.text(roster.sides[s]);
    }
    out.end_array();
  }
  if (event.recorded_at_ms()) {
    out.member("recordedAt", static_cast<std::int64_t>(event.recorded_at_ms()));
  }
  if (event.author()) out.member("author", event.author()->string_view());
  out.end_object();
}

std::string event_json(const fb::Event& event, std::uint64_t version, const Roster& roster) {
  std::string out;
  JsonWriter writer(out);
  write_event_json(writer, event, version, roster);
  return out;
}

void write_value(JsonWriter& out, const Attribute& attribute, int value, const Roster& roster) {
  auto named = [&](std::size_t count, auto name) {
    if (value < 0) {
      out.null();
    } else if (static_cast<std::size_t>(value) < count) {
      out.text(name(static_cast<std::size_t>(value)));
    } else {
      out.number(value);
    }
  };
  switch (attribute.kind) {
    case ValueKind::kNumber:
      out.number(value);
      return;
    case ValueKind::kFlag:
      if (value == 0 || value == 1) {
        out.flag(value == 1);
      } else {
        out.number(value);
      }
      return;
    case ValueKind::kSide:
      return named(roster.sides.size(), [&](std::size_t i) { return roster.sides[i]; });
    case ValueKind::kSpace:
      return named(roster.spaces.size(), [&](std::size_t i) { return roster.spaces[i]; });
    case ValueKind::kUnit:
      return named(roster.units.size(), [&](std::size_t i) { return roster.units[i].name; });
    case ValueKind::kWord:
      return named(attribute.words.size(), [&](std::size_t i) { return attribute.words[i]; });
  }
}

namespace {

const char* not_there(ValueKind kind) {
  switch (kind) {
    case ValueKind::kSide:
      return "there is no such side";
    case ValueKind::kSpace:
      return "there is no such space";
    case ValueKind::kUnit:
      return "there is no such unit";
    case ValueKind::kWord:
      return "there is no such word";
    case ValueKind::kFlag:
    case ValueKind::kNumber:
      break;
  }
  return "must be true or false";
}

}  // namespace

Result<int> read_value(const json& value, const Attribute& attribute, const Roster& roster,
                       int bits) {
  if (value.is_number_integer()) {
    const std::int64_t most = (std::int64_t{1} << (bits - 1)) - 1;
    const bool huge =
        value.is_number_unsigned() && value.get<std::uint64_t>() > static_cast<std::uint64_t>(most);
    if (huge || value.get<std::int64_t>() < -most - 1 || value.get<std::int64_t>() > most) {
      return invalid("must be from " + std::to_string(-most - 1) + " to " + std::to_string(most));
    }
    const int n = value.get<int>();
    if (!roster.range(attribute, bits).contains(n)) return invalid(not_there(attribute.kind));
    return n;
  }
  const bool names_something =
      attribute.kind != ValueKind::kNumber && attribute.kind != ValueKind::kFlag;
  if (value.is_null() && names_something) return -1;
  if (value.is_boolean() && attribute.kind == ValueKind::kFlag) return value.get<bool>() ? 1 : 0;
  if (!value.is_string()) return invalid("is not a value of " + attribute.name);
  const std::string& name = value.get_ref<const std::string&>();
  int found = -1;
  switch (attribute.kind) {
    case ValueKind::kSide:
      found = roster.side(name).value;
      break;
    case ValueKind::kSpace:
      found = roster.space(name).value;
      break;
    case ValueKind::kUnit:
      found = roster.unit(name).value;
      break;
    case ValueKind::kWord:
      for (std::size_t i = 0; i < attribute.words.size(); ++i) {
        if (attribute.words[i] == name) found = static_cast<int>(i);
      }
      break;
    case ValueKind::kNumber:
    case ValueKind::kFlag:
      break;
  }
  if (found < 0) return invalid("\"" + name + "\" is not a value of " + attribute.name);
  return found;
}

}  // namespace wardiary

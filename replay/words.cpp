#include "replay/words.h"

#include <cmath>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "domain/json_reader.h"
#include "words_data.h"

namespace wardiary {

using nlohmann::json;

std::optional<Language> language_of(std::string_view code) {
  if (code == "en") return Language::kEnglish;
  if (code == "es") return Language::kSpanish;
  return std::nullopt;
}

std::string_view code_of(Language language) {
  return language == Language::kEnglish ? "en" : "es";
}

namespace {

std::string readable(std::string_view id) {
  std::string out;
  char before = 0;
  for (char c : id) {
    if (c >= 'A' && c <= 'Z' && before >= 'a' && before <= 'z') out += ' ';
    out += c == '_' ? ' ' : c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    before = c;
  }
  if (!out.empty() && out[0] >= 'a' && out[0] <= 'z')
    out[0] = static_cast<char>(out[0] - 'a' + 'A');
  return out;
}

// "domain/systems/eastfront/words/en.json": general catalogues, and those of one system.
bool is_for(std::string_view file, std::string_view system) {
  constexpr std::string_view kSystems = "domain/systems/";
  if (!file.starts_with(kSystems)) return true;
  file.remove_prefix(kSystems.size());
  return file.substr(0, file.find('/')) == system;
}

}  // namespace

Words::Words(Language language, std::string_view system) : language_(language) {
  // English first, so that a message that another language lacks is at least told.
  for (Language each : {Language::kEnglish, language}) {
    const std::string ending = "/" + std::string(code_of(each)) + ".json";
    for (const DataFile& file : words_data_files()) {
      if (!file.name.ends_with(ending) || !is_for(file.name, system)) continue;
      const auto document = parse_json(file.text);
      if (!document || !document->is_object()) continue;  // a test holds the catalogues to it
      for (auto item = document->begin(); item != document->end(); ++item) {
        if (item->is_string()) messages_[item.key()] = item->get<std::string>();
      }
    }
  }
}

const std::string* Words::find(std::string_view key) const {
  const auto found = messages_.find(key);
  return found == messages_.end() ? nullptr : &found->second;
}

std::string Words::say(std::string_view key, const Params& params) const {
  const std::string* message = find(key);
  if (!message) return std::string(key);
  std::string out;
  for (std::size_t at = 0; at < message->size();) {
    const std::size_t open = message->find('{', at);
    const std::size_t close = open == std::string::npos ? open : message->find('}', open);
    if (close == std::string::npos) return out + message->substr(at);
    out += message->substr(at, open - at);
    const std::string_view name = std::string_view(*message).substr(open + 1, close - open - 1);
    bool known = false;
    for (const auto& [param, value] : params) {
      if (param != name || known) continue;
      out += value;
      known = true;
    }
    if (!known) out += message->substr(open, close - open + 1);
    at = close + 1;
  }
  return out;
}

std::string Words::count(std::string_view key, std::int64_t count, Params params) const {
  params.emplace_back("count", number(count));
  const std::string one = std::string(key) + ".one";
  return say(count == 1 && has(one) ? one : std::string(key) + ".other", params);
}

std::string Words::word(std::string_view kind, std::string_view id) const {
  if (id.empty()) return "";
  const std::string key = std::string(kind) + "." + std::string(id);
  if (const std::string* found = find(key)) return *found;
  std::string lower = key;
  for (char& c : lower) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  const std::string* found = find(lower);
  return found ? *found : readable(id);
}

std::string Words::number(std::int64_t value) const {
  std::string text = std::to_string(value);
  const std::size_t begin = value < 0 ? 1 : 0;
  const std::string separator = language_ == Language::kEnglish ? "," : ".";
  // Spanish groups from five digits on.
  if (language_ == Language::kSpanish && text.size() - begin < 5) return text;
  for (std::size_t at = text.size(); at > begin + 3;) text.insert(at -= 3, separator);
  return text;
}

std::string Words::decimal(double value, int places, bool sign) const {
  char buffer[64];
  if (std::abs(value) > 1e15) value = std::copysign(1e15, value);
  std::snprintf(buffer, sizeof buffer, sign ? "%+.*f" : "%.*f", places, value);
  std::string text = buffer;
  if (language_ == Language::kSpanish) {
    for (char& c : text) c = c == '.' ? ',' : c;
  }
  return text;
}

// ------------------------------------------------------------------------------------ names

std::string Names::unit(std::string_view id) const {
  if (id.starts_with('?')) {
    return words_.say("unit.hidden", {{"side", side(id.substr(1, id.find('@') - 1))}});
  }
  const UnitId found = game_.roster().unit(id);
  if (!found) return std::string(id);
  const RosterUnit& unit = game_.roster().units[found.index()];
  return unit.title.empty() ? unit.name : unit.title;
}

std::string Names::space(std::string_view id) const {
  const SpaceId found = game_.roster().space(id);
  if (!found || !game_.board || found.index() >= game_.board->spaces().size()) {
    return std::string(id);
  }
  const std::string& name = game_.board->space(found).name;
  return name.empty() || name == id ? std::string(id) : name;
}

std::string Names::side(std::string_view id) const {
  return id.empty() ? words_.say("side.nobody") : words_.word("side", id);
}

std::string Names::side(SideId id) const {
  const bool known = id.ok() && id.index() < game_.roster().sides.size();
  return known ? side(game_.roster().sides[id.index()]) : words_.say("side.nobody");
}

std::string Names::turn(int turn) const {
  const std::string name = game_.roster().turn_name(turn);
  const std::string number = words_.say("report.turn", {{"turn", std::to_string(turn)}});
  if (turn == 0) return words_.say("report.setup");
  const bool plain = name.empty() || name == std::to_string(turn) || name.starts_with("turn ");
  return plain ? number : number + ": " + name;
}

// ------------------------------------------------------------------------------------ sentences

namespace {

class Sentence {
 public:
  Sentence(const json& event, const Words& words, const Names& names)
      : event_(event), words_(words), names_(names) {}

  std::string write() const {
    const std::string type = text("type");
    const std::string key = "event." + type;
    if (type == "GameCreated") return say(key, {{"scenario", text("scenario")}});
    if (type == "BranchForked") {
      return say(key, {{"at", text("at")},
                       {"dice", words_.word("policy", text("dice"))},
                       {"name", text("name")}});
    }
    if (type == "GameEnded") {
      if (text("winner").empty()) return say("event.GameEnded.draw");
      const std::string level = text("level");
      return say(key, {{"winner", names_.side(text("winner"))},
                       {"level", level.empty() ? "" : " (" + words_.word("level", level) + ")"}});
    }
    if (type == "OrderIssued") return order(key);
    if (type == "Ruling") return say(key, {{"text", text("text")}, {"rule", in_brackets("rule")}});
    if (type == "TakeBack" || type == "TakeBackProposed") return say(key, {{"to", text("to")}});
    if (type == "TakeBackAnswered") {
      return say(event_.value("agreed", false) ? "event.TakeBackAgreed" : "event.TakeBackDeclined");
    }
    if (type == "PhaseBegan") return phase();
    if (type == "DiceRolled") return dice(key);
    if (type.starts_with("Unit")) return unit(type, key);
    if (type == "SpaceChanged") {
      return say(about(key, text("attribute")), {{"space", space("space")},
                                                 {"attribute", attribute()},
                                                 {"from", value("from")},
                                                 {"to", value("to")}});
    }
    if (type == "SpacesChanged") return spaces(key);
    if (type == "TrackChanged") {
      return say(about(key, text("track")), {{"track", words_.word("track", text("track"))},
                                             {"from", value("from")},
                                             {"to", value("to")}});
    }
    if (type == "PoolChanged") {
      return say(key, {{"pool", words_.word("pool", text("pool"))},
                       {"item", words_.word("item", text("item"))},
                       {"from", text("from")},
                       {"to", text("to")}});
    }
    if (words_.has(key)) return say(key);
    return words_.word("event", type);
  }

 private:
  std::string say(std::string_view key, const Words::Params& params = {}) const {
    return words_.say(key, params);
  }
  std::string text(std::string_view field) const {
    const auto found = event_.find(field);
    if (found == event_.end() || found->is_null()) return "";
    return found->is_string() ? found->get<std::string>() : found->dump();
  }
  std::string space(std::string_view field) const {
    const std::string id = text(field);
    return id.empty() ? say("value.none") : names_.space(id);
  }
  // A message about one attribute or track comes before the general one: "event.UnitChanged.cv".
  std::string about(const std::string& key, const std::string& name) const {
    return words_.has(key + "." + name) ? key + "." + name : key;
  }
  std::string attribute() const { return words_.word("attribute", text("attribute")); }
  std::string in_brackets(std::string_view field) const {
    return text(field).empty() ? "" : " [" + text(field) + "]";
  }
  // The new or old value of an attribute or track, in the system's words.
  std::string value(std::string_view field) const {
    const auto found = event_.find(field);
    if (found == event_.end() || found->is_null()) return say("value.none");
    if (found->is_boolean()) return say(found->get<bool>() ? "value.yes" : "value.no");
    if (found->is_number_integer()) return words_.number(found->get<std::int64_t>());
    if (!found->is_string()) return found->dump();
    const std::string is = found->get<std::string>();
    const std::string of = text("attribute").empty() ? text("track") : text("attribute");
    const std::string key = "value." + of + "." + is;
    if (words_.has(key)) return say(key);
    const std::string place = names_.space(is);
    return place != is ? place : words_.word("side", is);
  }
  std::string order(const std::string& key) const {
    const auto found = event_.find("order");
    json given = found != event_.end() && found->is_object() ? *found : json::object();
    if (given.empty()) given = {{"type", text("order")}, {"side", text("side")}};
    const std::string side =
        given.contains("side") && given["side"].is_string() ? given["side"].get<std::string>() : "";
    return say(key, {{"side", names_.side(side)}, {"order", order_words(given, words_, names_)}});
  }
  std::string phase() const {
    const json to = event_.value("to", json::object());
    const std::string side = to.contains("side") && to["side"].is_string()
                                 ? " · " + names_.side(to["side"].get<std::string>())
                                 : "";
    return words_.word("phase", to.value("phase", "")) + side;
  }
  std::string dice(const std::string& key) const {
    std::string values;
    for (const json& v : event_.value("values", json::array())) {
      values += (values.empty() ? "" : " ") + v.dump();
    }
    std::string result;
    if (event_.contains("hits")) {
      const std::string hits = text("hits");
      result = ": " + say(hits == "1" ? "dice.hit" : "dice.hits", {{"count", hits}});
    } else if (!text("result").empty()) {
      result = ": " + words_.word("result", text("result"));
    }
    const std::string about = !text("unit").empty()    ? names_.unit(text("unit"))
                              : !text("space").empty() ? names_.space(text("space"))
                                                       : "";
    return say(key, {{"side", names_.side(text("roller"))},
                     {"purpose", words_.word("purpose", text("purpose"))},
                     {"about", about.empty() ? "" : " (" + about + ")"},
                     {"values", values},
                     {"result", result}});
  }
  std::string unit(const std::string& type, const std::string& key) const {
    const std::string unit = names_.unit(text("unit"));
    if (type == "UnitPlaced") return say(key, {{"unit", unit}, {"at", space("at")}});
    if (type == "UnitRemoved") {
      const std::string why = text("why");
      return say(key, {{"unit", unit},
                       {"from", space("from")},
                       {"why", why.empty() ? "" : " (" + words_.word("why", why) + ")"}});
    }
    if (type == "UnitMoved") {
      const json path = event_.value("path", json::array());
      std::string way = path.empty() ? "" : names_.space(path.front().get<std::string>());
      if (path.size() > 1) way += " → " + names_.space(path.back().get<std::string>());
      const std::string how = text("how");
      return say(about(key, text("attribute")),
                 {{"unit", unit},
                  {"path", way},
                  {"how", how.empty() ? "" : " (" + words_.word("how", how) + ")"}});
    }
    return say(
        key,
        {{"unit", unit}, {"attribute", attribute()}, {"from", value("from")}, {"to", value("to")}});
  }
  std::string spaces(const std::string& key) const {
    constexpr std::size_t kNamed = 3;
    const json changes = event_.value("changes", json::array());
    std::string list;
    for (std::size_t i = 0; i < changes.size() && i < kNamed; ++i) {
      list += (i ? ", " : "") + names_.space(changes[i].value("space", ""));
    }
    if (changes.size() > kNamed) {
      list = say("list.more",
                 {{"list", list},
                  {"count", words_.number(static_cast<std::int64_t>(changes.size() - kNamed))}});
    }
    return say(
        key,
        {{"attribute", attribute()}, {"count", std::to_string(changes.size())}, {"spaces", list}});
  }

  const json& event_;
  const Words& words_;
  const Names& names_;
};

// A unit or a space, whichever the text names.
std::string thing(const json& value, const Words& words, const Names& names) {
  if (value.is_number_integer()) return words.number(value.get<std::int64_t>());
  if (!value.is_string()) return value.dump();
  const std::string id = value.get<std::string>();
  const std::string place = names.space(id);
  return place != id ? place : names.unit(id);
}

std::string field_words(const std::string& field, const json& value, const Words& words,
                        const Names& names) {
  if (value.is_null()) return "";
  if (value.is_boolean()) return value.get<bool>() ? words.word("field", field) : "";
  if (value.is_number()) return words.word("field", field) + " " + thing(value, words, names);
  if (!value.is_array()) return thing(value, words, names);
  constexpr std::size_t kListMax = 4;
  const bool path = field == "path" || field == "way";
  std::string out;
  for (std::size_t i = 0; i < value.size(); ++i) {
    if (value.size() > kListMax && path && i > 0 && i + 1 < value.size()) {
      if (i == 1) out += " → …";
      continue;
    }
    std::string item;
    if (value[i].is_object()) {
      for (const auto& part : value[i])
        item += (item.empty() ? "" : " ") + thing(part, words, names);
    } else {
      item = thing(value[i], words, names);
    }
    out += (i ? path ? " → " : ", " : "") + item;
  }
  return out;
}

}  // namespace

std::string order_words(const json& order, const Words& words, const Names& names) {
  const std::string type = order.value("type", "");
  Words::Params parts;  // who first, then where
  for (const bool actors : {true, false}) {
    for (auto item = order.begin(); item != order.end(); ++item) {
      const bool actor = item.key() == "unit" || item.key() == "hq";
      if (item.key() == "type" || item.key() == "side" || actor != actors) continue;
      std::string part = field_words(item.key(), item.value(), words, names);
      if (!part.empty()) parts.emplace_back(item.key(), std::move(part));
    }
  }
  // A game may have a sentence for an order; what it does not name is added.
  const std::string says = "order." + type + ".says";
  if (words.has(says)) {
    const std::string bare = words.say(says);
    std::string sentence = words.say(says, parts);
    if (sentence.find('{') == std::string::npos) {
      for (const auto& [field, part] : parts) {
        const bool named = bare.find("{" + std::string(field) + "}") != std::string::npos;
        if (!named) sentence += ", " + part;
      }
      return sentence;
    }
  }
  std::string details;
  for (const auto& [field, part] : parts) details += (details.empty() ? "" : ", ") + part;
  const std::string name = words.word("order", type);
  return details.empty() ? name : words.say("order", {{"type", name}, {"details", details}});
}

std::string event_words(const json& event, const Words& words, const Names& names) {
  return Sentence(event, words, names).write();
}

}  // namespace wardiary

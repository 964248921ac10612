#include "domain/fairdice/transcript_json.h"

#include <initializer_list>
#include <nlohmann/json.hpp>

namespace wardiary::fairdice {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kFormat = "wardiary-dice/1";
constexpr std::pair<RollGroup::Kind, const char*> kKindWords[] = {
    {RollGroup::kDice, "dice"}, {RollGroup::kShuffle, "shuffle"}, {RollGroup::kDraw, "draw"}};

// Thrown and caught in this file only: what is wrong, and where.
struct Wrong {
  std::string text;
};

// One JSON object being read; knows its path, and at the end that nothing was left over.
class Fields {
 public:
  Fields(const Json& object, std::string path) : object_(object), path_(std::move(path)) {
    if (!object.is_object()) throw Wrong{path_ + ": not an object"};
  }

  [[noreturn]] void fail(const char* name, const char* what) const {
    throw Wrong{path_ + "." + name + ": " + what};
  }

  bool has(const char* name) const { return object_.contains(name); }

  const Json& get(const char* name) {
    const auto found = object_.find(name);
    if (found == object_.end()) fail(name, "missing");
    ++used_;
    return *found;
  }

  std::string path(const char* name) const { return path_ + "." + name; }

  template <std::size_t N>
  FixedBytes<N> bytes(const char* name) {
    return bytes_of_json<N>(get(name), path(name));
  }

  template <std::size_t N>
  static FixedBytes<N> bytes_of_json(const Json& value, const std::string& where) {
    if (!value.is_string()) throw Wrong{where + ": not a string"};
    const auto& text = value.get_ref<const std::string&>();
    const auto out = fixed_from_hex<N>(text);
    if (!out) throw Wrong{where + ": not " + std::to_string(N) + " bytes in hexadecimal"};
    if (to_hex(*out) != text) throw Wrong{where + ": not in lower case"};
    return *out;
  }

  static std::uint64_t number_of_json(const Json& value, std::uint64_t max,
                                      const std::string& where) {
    if (!value.is_number_unsigned() || value.get<std::uint64_t>() > max) {
      throw Wrong{where + ": not a whole number up to " + std::to_string(max)};
    }
    return value.get<std::uint64_t>();
  }

  template <class T>
  T number(const char* name, std::uint64_t max) {
    return static_cast<T>(number_of_json(get(name), max, path(name)));
  }

  std::string word(const char* name) {
    const Json& value = get(name);
    if (!value.is_string()) fail(name, "not a string");
    return value.get<std::string>();
  }

  bool flag(const char* name) {
    const Json& value = get(name);
    if (!value.is_boolean()) fail(name, "not true or false");
    return value.get<bool>();
  }

  Grade grade(const char* name) {
    const auto grade = grade_named(word(name));
    if (!grade) fail(name, "unknown");
    return *grade;
  }

  // Calls read(element, path) for each element of the array.
  template <class Read>
  void each(const char* name, Read read) {
    const Json& list = get(name);
    if (!list.is_array()) fail(name, "not an array");
    for (std::size_t i = 0; i < list.size(); ++i) {
      read(list[i], path(name) + "[" + std::to_string(i) + "]");
    }
  }

  void done() const {
    if (used_ != object_.size()) throw Wrong{path_ + ": has an unknown field"};
  }

 private:
  const Json& object_;
  std::string path_;
  std::size_t used_ = 0;
};

constexpr std::uint64_t kU8 = 0xff, kU16 = 0xffff, kU32 = 0xffffffff;
// Numbers every JSON reader holds exactly; roll numbers stay far below.
constexpr std::uint64_t kExact = (std::uint64_t{1} << 53) - 1;

Contributor read_contributor(const Json& json, const std::string& path) {
  Fields in(json, path);
  Contributor out;
  out.slot = in.number<std::uint8_t>("slot", kU8);
  out.custodial = in.flag("custodial");
  out.key = in.bytes<32>("key");
  in.each("anchors", [&](const Json& value, const std::string& where) {
    out.anchors.push_back(Fields::bytes_of_json<32>(value, where));
  });
  out.signature = in.bytes<64>("signature");
  in.done();
  return out;
}

Epoch read_epoch(const Json& json, const std::string& path) {
  Fields in(json, path);
  Epoch out;
  out.hash = in.bytes<32>("hash");
  out.terms.stream = in.bytes<16>("stream");
  out.terms.suite = in.number<std::uint8_t>("suite", kU8);
  out.terms.vrf_pk = in.bytes<32>("vrf_pk");
  out.terms.chain_length = in.number<std::uint32_t>("chain_length", kU32);
  out.terms.policy = in.grade("policy");
  out.terms.rules_hash = in.bytes<32>("rules_hash");
  in.each("contributors", [&](const Json& value, const std::string& where) {
    out.contributors.push_back(read_contributor(value, where));
  });
  in.done();
  return out;
}

RollGroup read_group(const Json& json, const std::string& path) {
  Fields in(json, path);
  RollGroup out;
  const std::string word = in.word("kind");
  const auto* known = std::find_if(std::begin(kKindWords), std::end(kKindWords),
                                   [&](const auto& k) { return word == k.second; });
  if (known == std::end(kKindWords)) in.fail("kind", "unknown");
  out.kind = known->first;
  out.count = in.number<std::uint16_t>("count", kU16);
  out.sides = in.number<std::uint32_t>("sides", kU32);
  in.done();
  return out;
}

Request read_request(const Json& json, const std::string& path) {
  Fields in(json, path);
  Request out;
  out.roller = in.number<std::uint8_t>("roller", kU8);
  out.number = in.number<std::uint64_t>("number", kExact);
  out.prev_event = in.bytes<32>("prev_event");
  out.order_event = in.bytes<32>("order_event");
  in.each("spec", [&](const Json& value, const std::string& where) {
    out.spec.groups.push_back(read_group(value, where));
  });
  out.v = in.bytes<32>("v");
  out.idempotency_key = in.bytes<16>("idempotency_key");
  in.done();
  return out;
}

Disclosure read_disclosure(const Json& json, const std::string& path) {
  Fields in(json, path);
  Disclosure out;
  out.contributor = in.number<std::uint8_t>("contributor", kU8);
  if (in.has("up_to")) out.up_to = in.number<std::uint64_t>("up_to", kExact);
  out.v = in.bytes<32>("v");
  out.signature = in.bytes<64>("signature");
  in.done();
  return out;
}

Beacon read_beacon(const Json& json, const std::string& path) {
  Fields in(json, path);
  Beacon out;
  out.round = in.number<std::uint64_t>("round", kExact);
  out.randomness = in.bytes<32>("randomness");
  in.done();
  return out;
}

RollTranscript read_roll(const Json& json, const std::string& path) {
  Fields in(json, path);
  RollTranscript out;
  out.grade = in.grade("grade");
  out.request = read_request(in.get("request"), in.path("request"));
  out.signature = in.bytes<64>("signature");
  in.each("disclosures", [&](const Json& value, const std::string& where) {
    out.disclosures.push_back(read_disclosure(value, where));
  });
  if (in.has("beacon")) out.beacon = read_beacon(in.get("beacon"), in.path("beacon"));
  if (in.flag("sealed")) out.seal = in.bytes<32>("seal");
  if (in.has("pi")) {
    out.pi = in.bytes<80>("pi");
    in.each("values", [&](const Json& value, const std::string& where) {
      out.values.push_back(static_cast<std::uint32_t>(Fields::number_of_json(value, kU32, where)));
    });
  }
  in.done();
  return out;
}

Json to_json(const Epoch& epoch) {
  Json contributors = Json::array();
  for (const Contributor& c : epoch.contributors) {
    Json anchors = Json::array();
    for (const Hash& a : c.anchors) anchors.push_back(to_hex(a));
    contributors.push_back({{"slot", c.slot},
                            {"custodial", c.custodial},
                            {"key", to_hex(c.key)},
                            {"anchors", anchors},
                            {"signature", to_hex(c.signature)}});
  }
  return {{"hash", to_hex(epoch.hash)},
          {"stream", to_hex(epoch.terms.stream)},
          {"suite", epoch.terms.suite},
          {"vrf_pk", to_hex(epoch.terms.vrf_pk)},
          {"chain_length", epoch.terms.chain_length},
          {"policy", grade_word(epoch.terms.policy)},
          {"rules_hash", to_hex(epoch.terms.rules_hash)},
          {"contributors", contributors}};
}

Json to_json(const Request& request) {
  Json spec = Json::array();
  for (const RollGroup& group : request.spec.groups) {
    spec.push_back({{"kind", kKindWords[group.kind - 1].second},
                    {"count", group.count},
                    {"sides", group.sides}});
  }
  return {{"roller", request.roller},
          {"number", request.number},
          {"prev_event", to_hex(request.prev_event)},
          {"order_event", to_hex(request.order_event)},
          {"spec", spec},
          {"v", to_hex(request.v)},
          {"idempotency_key", to_hex(request.idempotency_key)}};
}

Json to_json(const RollTranscript& roll) {
  Json disclosures = Json::array();
  for (const Disclosure& d : roll.disclosures) {
    Json out{{"contributor", d.contributor}};
    if (d.up_to) out["up_to"] = *d.up_to;
    out["v"] = to_hex(d.v);
    out["signature"] = to_hex(d.signature);
    disclosures.push_back(out);
  }
  Json out{{"grade", grade_word(roll.grade)},
           {"request", to_json(roll.request)},
           {"signature", to_hex(roll.signature)},
           {"disclosures", disclosures}};
  if (roll.beacon) {
    out["beacon"] = {{"round", roll.beacon->round},
                     {"randomness", to_hex(roll.beacon->randomness)}};
  }
  out["sealed"] = roll.seal.has_value();
  if (roll.seal) out["seal"] = to_hex(*roll.seal);
  if (roll.pi) {
    out["pi"] = to_hex(*roll.pi);
    out["values"] = roll.values;
  }
  return out;
}

}  // namespace

Result<DiceTranscript> transcript_from_json(std::string_view text) {
  const Json json = Json::parse(text, nullptr, false);
  if (json.is_discarded()) return invalid("transcript: not JSON");
  try {
    Fields in(json, "transcript");
    if (in.word("format") != kFormat) in.fail("format", "unknown");
    DiceTranscript out;
    out.epoch = read_epoch(in.get("epoch"), in.path("epoch"));
    in.each("counters", [&](const Json& value, const std::string& where) {
      out.counters.push_back(Fields::number_of_json(value, kExact, where));
    });
    in.each("rolls", [&](const Json& value, const std::string& where) {
      out.rolls.push_back(read_roll(value, where));
    });
    in.done();
    return out;
  } catch (const Wrong& wrong) {
    return invalid(wrong.text);
  }
}

std::string transcript_to_json(const DiceTranscript& transcript) {
  Json rolls = Json::array();
  for (const RollTranscript& roll : transcript.rolls) rolls.push_back(to_json(roll));
  const Json json{{"format", kFormat},
                  {"epoch", to_json(transcript.epoch)},
                  {"counters", transcript.counters},
                  {"rolls", rolls}};
  return json.dump(1) + "\n";
}

}  // namespace wardiary::fairdice

#include "replay/dice_json.h"

namespace wardiary {

using nlohmann::json;

Bytes DiceReader::bytes(std::string_view field, std::size_t size) {
  const std::string word = text(field);
  const auto read = from_hex(word);
  if (ok() && (!read || read->size() != size || to_hex(*read) != word)) {
    complain(field, "must be " + std::to_string(size) + " bytes in lower-case hexadecimal");
  }
  return read && read->size() == size ? *read : Bytes(size);
}

Hash DiceReader::hash(std::string_view field) {
  return *Hash::from(bytes(field, 32));
}

Id DiceReader::id(std::string_view field) {
  return *Id::from(bytes(field, 16));
}

std::uint8_t DiceReader::slot(std::string_view field) {
  return static_cast<std::uint8_t>(number(field, 0, 255));
}

std::uint64_t DiceReader::count(std::string_view field) {
  return static_cast<std::uint64_t>(number(field, 0, (std::int64_t{1} << 53) - 1));
}

std::vector<std::uint8_t> DiceReader::slots(std::string_view field) {
  std::vector<std::uint8_t> out;
  const json* list = get(field);
  if (!list || !list->is_array() || list->size() > 256) {
    complain(field, "must be a list of slots");
    return out;
  }
  for (const json& each : *list) {
    if (!each.is_number_unsigned() || each.get<std::uint64_t>() > 255) {
      complain(field, "must be a list of slots, 0 to 255");
      return {};
    }
    out.push_back(each.get<std::uint8_t>());
  }
  return out;
}

std::vector<RollGroup> DiceReader::groups(std::string_view field) {
  std::vector<RollGroup> out;
  each(field, 64, [&](DiceReader& group) {
    const std::string kind = group.text("kind");
    RollGroup read;
    read.kind = kind == "shuffle" ? RollGroup::kShuffle
                : kind == "draw"  ? RollGroup::kDraw
                                  : RollGroup::kDice;
    if (read.kind == RollGroup::kDice && kind != "dice") {
      group.complain("kind", "must be dice, shuffle or draw");
    }
    read.count = static_cast<std::uint16_t>(group.number("count", 1, 65'535));
    read.sides = static_cast<std::uint32_t>(group.number("sides", 1, 4'294'967'295));
    read.hits_from = static_cast<std::uint16_t>(group.number_or("hitsFrom", 0, 0, 65'535));
    out.push_back(read);
  });
  return out;
}

void DiceReader::each(std::string_view field, std::size_t most,
                      const std::function<void(DiceReader&)>& see) {
  JsonReader::each(field, most, [&](JsonReader& element) {
    DiceReader reader(element);
    see(reader);
  });
}

EpochFacts::Contributor DiceReader::contributor() {
  EpochFacts::Contributor out;
  out.slot = slot("slot");
  out.name = text_or("name", "");
  if (out.name.size() > 200) complain("name", "must have at most 200 bytes");
  out.key = hash("key");
  out.custodial = flag_or("custodial", false);
  each("anchors", 256, [&](DiceReader& anchor) {
    const std::uint8_t roller = anchor.slot("roller");
    out.anchors.emplace_back(roller, anchor.hash("value"));
  });
  out.signature = bytes("signature", 64);
  return out;
}

namespace {

template <class Read>
auto read_whole(const json& value, Read read)
    -> Result<decltype(read(std::declval<DiceReader&>()))> {
  if (!value.is_object()) return invalid("must be an object");
  DiceReader reader(value, "");
  auto facts = read(reader);
  if (!reader.ok()) return std::move(reader).error();
  return facts;
}

}  // namespace

Result<EpochFacts::Contributor> contributor_from_json(const json& value) {
  return read_whole(value, [](DiceReader& r) {
    r.only({"slot", "name", "key", "custodial", "anchors", "signature"});
    EpochFacts::Contributor out = r.contributor();
    if (out.custodial) r.complain("custodial", "a key that is handed in is the player's own");
    return out;
  });
}

Result<RollRequestedFacts> roll_request_from_json(const json& value) {
  return read_whole(value, [](DiceReader& r) {
    r.only({"roller", "number", "order", "spec", "element", "key", "signature"});
    RollRequestedFacts out;
    out.roller = r.slot("roller");
    out.number = r.count("number");
    out.order = r.count("order");
    out.groups = r.groups("spec");
    out.element = r.hash("element");
    out.key = r.id("key");
    out.signature = r.bytes("signature", 64);
    return out;
  });
}

Result<RollRevealedFacts> reveal_from_json(const json& value) {
  return read_whole(value, [](DiceReader& r) {
    r.only({"request", "contributor", "element", "signature"});
    RollRevealedFacts out;
    out.request = r.count("request");
    out.contributor = r.slot("contributor");
    out.element = r.hash("element");
    out.signature = r.bytes("signature", 64);
    return out;
  });
}

Result<RollsUnlockedFacts> unlock_from_json(const json& value) {
  return read_whole(value, [](DiceReader& r) {
    r.only({"contributor", "roller", "upTo", "element", "signature"});
    RollsUnlockedFacts out;
    out.contributor = r.slot("contributor");
    out.roller = r.slot("roller");
    out.up_to = r.count("upTo");
    out.element = r.hash("element");
    out.signature = r.bytes("signature", 64);
    return out;
  });
}

Result<std::pair<std::uint8_t, Bytes>> agreement_from_json(const json& value) {
  return read_whole(value, [](DiceReader& r) {
    r.only({"contributor", "signature"});
    const std::uint8_t slot = r.slot("contributor");
    return std::pair(slot, r.bytes("signature", 64));
  });
}

Result<AbandonInput> abandon_from_json(const json& value) {
  return read_whole(value, [](DiceReader& r) {
    r.only({"agreed", "text"});
    AbandonInput out;
    r.each("agreed", 256, [&](DiceReader& each) {
      const std::uint8_t slot = each.slot("contributor");
      out.agreed.emplace_back(slot, each.bytes("signature", 64));
    });
    out.text = r.text_or("text", "");
    if (out.text.size() > 2'000) r.complain("text", "must have at most 2000 bytes");
    return out;
  });
}

}  // namespace wardiary

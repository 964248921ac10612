#include "replay/player_file.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "domain/json_reader.h"
#include "eventstore/data_dir.h"
#include "replay/dice_json.h"

namespace wardiary {

using fairdice::Seed;
using nlohmann::json;

namespace {

constexpr const char* kFormat = "wardiary-player/1";

Error conflict(std::string text) {
  return {ErrorCode::kConflict, std::move(text)};
}

std::filesystem::path lock_name(const std::filesystem::path& file) {
  return file.string() + ".lock";
}

}  // namespace

// ------------------------------------------------------------------------------------- the file

PlayerFile::PlayerFile(std::filesystem::path file, std::string name, Seed secret)
    : file_(std::move(file)),
      name_(std::move(name)),
      secret_(std::move(secret)),
      player_(secret_.clone()) {}

PlayerFile::PlayerFile(PlayerFile&& other) noexcept
    : file_(std::move(other.file_)),
      name_(std::move(other.name_)),
      secret_(std::move(other.secret_)),
      player_(std::move(other.player_)),
      signed_(std::move(other.signed_)),
      joined_(std::move(other.joined_)),
      epochs_(std::move(other.epochs_)),
      lock_(std::exchange(other.lock_, -1)) {}

PlayerFile::~PlayerFile() {
  if (lock_ >= 0) ::close(lock_);
}

Status PlayerFile::lock() {
  lock_ = ::open(lock_name(file_).c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  if (lock_ < 0) return system_error("cannot open", lock_name(file_));
  if (::flock(lock_, LOCK_EX | LOCK_NB) != 0) {
    return conflict(file_.string() + " is in use by another program");
  }
  return Done{};
}

Result<PlayerFile> PlayerFile::create(const std::filesystem::path& file, const std::string& name) {
  const auto path = std::filesystem::absolute(file);
  PlayerFile player(path, name, Seed::random());
  if (auto locked = player.lock(); !locked) return std::move(locked).error();
  if (std::filesystem::exists(path)) return conflict(path.string() + " exists already");
  if (auto saved = player.save(); !saved) return std::move(saved).error();
  return player;
}

Result<PlayerFile> PlayerFile::open(const std::filesystem::path& file) {
  const auto path = std::filesystem::absolute(file);
  struct ::stat info {};
  if (::stat(path.c_str(), &info) != 0) return system_error("cannot read", path);
  if ((info.st_mode & 077) != 0) {
    return Error{ErrorCode::kDenied, path.string() + " can be read by others: chmod 600 it"};
  }
  PlayerFile player(path, "", Seed{});
  if (auto locked = player.lock(); !locked) return std::move(locked).error();
  auto text = read_file(path);
  if (!text) return std::move(text).error();
  auto document = parse_json(*text);
  sodium_memzero(text->data(), text->size());
  if (!document) return std::move(document).error().within(path.string());
  DiceReader reader(*document, path.string());
  if (reader.text("format") != kFormat)
    reader.complain("format", "must be " + std::string(kFormat));
  player.name_ = reader.text("name");
  const Hash secret = reader.hash("secret");
  player.secret_ = Seed(secret.data);
  player.player_ = fairdice::Player(player.secret_.clone());
  reader.each("joined", 1'000'000, [&](DiceReader& each) {
    player.joined_.push_back({each.id("stream"), each.hash("draft"), each.slot("slot")});
  });
  reader.each("epochs", 1'000'000, [&](DiceReader& each) {
    player.epochs_[{each.id("stream"), each.hash("draft")}] = each.hash("epoch");
  });
  reader.each("signed", 10'000'000, [&](DiceReader& each) {
    player.signed_[{each.id("stream"), each.hash("epoch"), each.slot("roller"),
                    each.count("number")}] = each.hash("digest");
  });
  if (!reader.ok()) return std::move(reader).error();
  return player;
}

json PlayerFile::public_json() const {
  json out = {{"format", kFormat},       {"name", name_},           {"key", to_hex(public_key())},
              {"joined", json::array()}, {"epochs", json::array()}, {"signed", json::array()}};
  for (const Joined& j : joined_) {
    out["joined"].push_back(
        {{"stream", to_hex(j.stream)}, {"draft", to_hex(j.draft)}, {"slot", j.slot}});
  }
  for (const auto& [of, epoch] : epochs_) {
    out["epochs"].push_back(
        {{"stream", to_hex(of.first)}, {"draft", to_hex(of.second)}, {"epoch", to_hex(epoch)}});
  }
  for (const auto& [key, digest] : signed_) {
    const auto& [stream, epoch, roller, number] = key;
    out["signed"].push_back({{"stream", to_hex(stream)},
                             {"epoch", to_hex(epoch)},
                             {"roller", roller},
                             {"number", number},
                             {"digest", to_hex(digest)}});
  }
  return out;
}

Status PlayerFile::save() const {
  json out = public_json();
  out["secret"] = to_hex(secret_.view());
  std::string text = out.dump() + "\n";
  auto written = write_file(file_, text, 0600);
  sodium_memzero(text.data(), text.size());
  return written;
}

Status PlayerFile::admit(const Key& key, const Hash& digest) {
  const auto found = signed_.find(key);
  if (found != signed_.end()) {
    if (found->second == digest) return Done{};
    return conflict("refused: another request for roll " + std::to_string(std::get<3>(key)) +
                    " of roller " + std::to_string(std::get<2>(key)) +
                    " was signed before; only that one may be completed");
  }
  signed_.emplace(key, digest);
  auto saved = save();
  if (!saved) signed_.erase(key);  // nothing was signed
  return saved;
}

// ------------------------------------------------------------------------------------ the state

namespace {

// The parts of `wardiary-dice-state/1` that a player acts on.
struct Terms {
  fairdice::EpochTerms terms;
  Hash draft;
};

Terms terms_of(DiceReader& reader) {
  Terms out;
  out.terms.stream = reader.id("stream");
  out.terms.suite = reader.slot("suite");
  out.terms.vrf_pk = reader.hash("vrfKey");
  out.terms.chain_length =
      static_cast<std::uint32_t>(reader.number("chainLength", 1, fairdice::kChainLengthMax));
  const auto policy = fairdice::grade_named(reader.text("policy"));
  if (!policy) reader.complain("policy", "unknown");
  out.terms.policy = policy.value_or(Grade::kLive);
  out.terms.rules_hash = reader.hash("rulesHash");
  return out;
}

json contributor_json(const std::string& name, const fairdice::Player& player, std::uint8_t slot,
                      const fairdice::Player::Anchors& joined) {
  json anchors = json::array();
  for (const auto& [roller, anchor] : joined.anchors) {
    anchors.push_back({{"roller", roller}, {"value", to_hex(anchor)}});
  }
  return {{"slot", slot},
          {"name", name},
          {"key", to_hex(player.public_key())},
          {"custodial", false},
          {"anchors", std::move(anchors)},
          {"signature", to_hex(joined.signature)}};
}

json not_null(const json& state, const char* field) {
  return state.is_object() && state.contains(field) ? state[field] : json();
}

}  // namespace

Result<json> PlayerFile::join(const json& state, std::uint8_t slot) {
  const json draft = not_null(state, "draft");
  if (!draft.is_object()) return conflict("no epoch is being drafted: there is nothing to join");
  DiceReader reader(draft, "draft");
  Terms terms = terms_of(reader);
  terms.draft = reader.hash("hash");
  std::vector<std::uint8_t> slots = reader.slots("slots");
  if (!reader.ok()) return std::move(reader).error();
  if (std::find(slots.begin(), slots.end(), slot) == slots.end()) {
    return invalid("slot: the draft has no slot " + std::to_string(slot));
  }
  bool known = false;
  for (const Joined& j : joined_) {
    if (j.stream != terms.terms.stream || j.draft != terms.draft) continue;
    if (j.slot != slot) {
      return conflict("this player contributes as slot " + std::to_string(j.slot) +
                      " already; another side needs a player file of its own");
    }
    known = true;
  }
  auto joined = player_.join(terms.terms, terms.draft, slot, /*custodial=*/false, slots);
  if (!joined) return std::move(joined).error();
  if (!known) {
    joined_.push_back({terms.terms.stream, terms.draft, slot});
    if (auto saved = save(); !saved) return std::move(saved).error();
  }
  return contributor_json(name_, player_, slot, *joined);
}

// The epoch as the state has it, found sound, with this player in it. The first epoch seen for a
// draft is the one that counts, ever.
Result<PlayerFile::Seat> PlayerFile::seat(const json& state) {
  const json value = not_null(state, "epoch");
  if (!value.is_object()) return conflict("no epoch is open: not everybody has joined");
  DiceReader reader(value, "epoch");
  Terms terms = terms_of(reader);
  Seat out;
  out.epoch.hash = reader.hash("hash");
  out.epoch.terms = terms.terms;
  out.draft = reader.hash("draft");
  reader.each("contributors", 255, [&](DiceReader& each) {
    EpochFacts::Contributor c = each.contributor();
    fairdice::Contributor contributor;
    contributor.slot = c.slot;
    contributor.custodial = c.custodial;
    contributor.key = c.key;
    contributor.signature = fairdice::Signature::from(c.signature).value_or(fairdice::Signature{});
    for (const auto& [roller, anchor] : c.anchors) contributor.anchors.push_back(anchor);
    out.epoch.contributors.push_back(std::move(contributor));
  });
  if (!reader.ok()) return std::move(reader).error();
  if (auto sound = fairdice::EpochVerifier::open(out.epoch); !sound) {
    return std::move(sound).error().within("epoch");
  }
  const auto mine = std::find_if(out.epoch.contributors.begin(), out.epoch.contributors.end(),
                                 [&](const auto& c) { return c.key == player_.public_key(); });
  if (mine == out.epoch.contributors.end()) {
    return conflict("this player does not contribute to this game");
  }
  out.slot = mine->slot;
  out.commitment = {terms.terms.stream, out.draft, out.slot, terms.terms.chain_length};
  std::vector<std::uint8_t> slots;
  for (const auto& c : out.epoch.contributors) slots.push_back(c.slot);
  auto joined = player_.join(terms.terms, out.draft, out.slot, false, slots);
  if (!joined) return std::move(joined).error();
  for (std::size_t i = 0; i < slots.size(); ++i) {
    if (joined->anchors[i].anchor != mine->anchors[i]) {
      return conflict("epoch: these are not the anchors that this player committed to");
    }
  }
  const auto pinned = epochs_.find({terms.terms.stream, out.draft});
  if (pinned == epochs_.end()) {
    epochs_[{terms.terms.stream, out.draft}] = out.epoch.hash;
    if (auto saved = save(); !saved) return std::move(saved).error();
  } else if (pinned->second != out.epoch.hash) {
    return conflict("epoch: another epoch was shown for this draft before");
  }
  return out;
}

Result<json> PlayerFile::request(const json& state) {
  auto at = seat(state);
  if (!at) return std::move(at).error();
  const json next = not_null(state, "next");
  if (!next.is_object()) return conflict("no request is owed now");
  DiceReader reader(next, "next");
  fairdice::Request request;
  request.roller = reader.slot("roller");
  request.number = reader.count("number");
  request.prev_event = reader.hash("prevEvent");
  request.order_event = reader.hash("orderEvent");
  request.spec.groups = reader.groups("spec");
  const std::uint64_t order = reader.count("order");
  if (!reader.ok()) return std::move(reader).error();
  if (request.roller != at->slot) return conflict("the request is another player's to make");
  if (auto good = fairdice::check_spec(request.spec); !good) return std::move(good).error();
  auto element = player_.element(at->commitment, at->slot, request.number);
  if (!element) return std::move(element).error();
  request.v = *element;
  // The key follows from the rest, so that a request signed before a crash is signed again alike.
  Bytes message = fairdice::domain_prefix("player-request");
  put(message, at->epoch.terms.stream);
  put(message, request.prev_event);
  put(message, request.order_event);
  put_u64(message, request.number);
  const Hash seed = hmac_sha256(secret_.view(), message);
  request.idempotency_key = *Id::from(seed.view().first(16));
  const Hash digest = fairdice::request_digest(at->epoch.terms.stream, request);
  if (auto admitted =
          admit({at->epoch.terms.stream, at->epoch.hash, request.roller, request.number}, digest);
      !admitted) {
    return std::move(admitted).error();
  }
  return json{{"roller", request.roller},
              {"number", request.number},
              {"order", order},
              {"spec", next["spec"]},
              {"element", to_hex(request.v)},
              {"key", to_hex(request.idempotency_key)},
              {"signature", to_hex(player_.sign(digest))}};
}

Result<json> PlayerFile::reveal(const json& state) {
  auto at = seat(state);
  if (!at) return std::move(at).error();
  const json order = not_null(state, "order");
  const json requests = not_null(order, "requests");
  if (!requests.is_array() || requests.empty()) return conflict("no request waits for a reveal");
  DiceReader reader(requests.back(), "order.requests");
  fairdice::Request request;
  request.roller = reader.slot("roller");
  request.number = reader.count("number");
  request.prev_event = reader.hash("prevEvent");
  request.order_event = reader.hash("orderEvent");
  request.spec.groups = reader.groups("spec");
  request.v = reader.hash("element");
  request.idempotency_key = reader.id("key");
  const std::uint64_t version = reader.count("version");
  const Bytes signature = reader.bytes("signature", 64);
  const std::vector<std::uint8_t> missing = reader.slots("missing");
  if (!reader.ok()) return std::move(reader).error();
  if (std::find(missing.begin(), missing.end(), at->slot) == missing.end()) {
    return conflict("this player owes no reveal now");
  }
  const Id& stream = at->epoch.terms.stream;
  const Hash digest = fairdice::request_digest(stream, request);
  const auto roller = std::find_if(at->epoch.contributors.begin(), at->epoch.contributors.end(),
                                   [&](const auto& c) { return c.slot == request.roller; });
  const auto signed_by = fairdice::Signature::from(signature);
  if (roller == at->epoch.contributors.end() || request.roller == at->slot || !signed_by ||
      !fairdice::verify_signature(roller->key, digest, *signed_by)) {
    return conflict("refused: the roller has not signed this request");
  }
  if (auto admitted = admit({stream, at->epoch.hash, request.roller, request.number}, digest);
      !admitted) {
    return std::move(admitted).error();
  }
  auto element = player_.element(at->commitment, request.roller, request.number);
  if (!element) return std::move(element).error();
  const Hash signed_digest = fairdice::reveal_digest(stream, digest, at->slot, *element);
  return json{{"request", version},
              {"contributor", at->slot},
              {"element", to_hex(*element)},
              {"signature", to_hex(player_.sign(signed_digest))}};
}

Result<std::vector<json>> PlayerFile::unlock(const json& state, std::uint64_t count) {
  auto at = seat(state);
  if (!at) return std::move(at).error();
  if (count == 0) return invalid("count: must be at least 1");
  if (at->epoch.terms.policy != Grade::kAsync) {
    return conflict("only a game with async dice takes contributions in advance");
  }
  std::vector<json> out;
  DiceReader reader(state["epoch"], "epoch");
  Status problem = Done{};
  reader.each("numbers", 255, [&](DiceReader& each) {
    const std::uint8_t roller = each.slot("roller");
    const std::uint64_t next = each.count("next");
    if (!each.ok() || !problem || roller == at->slot) return;
    const std::uint64_t length = at->epoch.terms.chain_length;
    if (next >= length) return;
    const std::uint64_t up_to = std::min(next + count, length) - 1;
    auto element = player_.element(at->commitment, roller, up_to);
    if (!element) {
      problem = std::move(element).error();
      return;
    }
    const Hash digest = fairdice::unlock_digest(at->epoch.terms.stream, at->epoch.hash, at->slot,
                                                roller, up_to, *element);
    out.push_back({{"contributor", at->slot},
                   {"roller", roller},
                   {"upTo", up_to},
                   {"element", to_hex(*element)},
                   {"signature", to_hex(player_.sign(digest))}});
  });
  if (!reader.ok()) return std::move(reader).error();
  if (!problem) return std::move(problem).error();
  return out;
}

Result<json> PlayerFile::agree(const json& state) {
  auto at = seat(state);
  if (!at) return std::move(at).error();
  const json order = not_null(state, "order");
  if (!order.is_object()) return conflict("no order waits for a roll");
  DiceReader reader(order, "order");
  const Hash order_event = reader.hash("hash");
  if (!reader.ok()) return std::move(reader).error();
  const Hash digest = fairdice::abandon_digest(at->epoch.terms.stream, at->epoch.hash, order_event);
  return json{{"contributor", at->slot}, {"signature", to_hex(player_.sign(digest))}};
}

Result<std::size_t> PlayerFile::check(const fairdice::DiceTranscript& transcript) const {
  auto checked = fairdice::verify_transcript(transcript);
  if (!checked) return std::move(checked).error();
  const auto& epoch = transcript.epoch;
  const bool contributes =
      std::any_of(epoch.contributors.begin(), epoch.contributors.end(),
                  [&](const auto& c) { return c.key == player_.public_key(); });
  if (!contributes) return conflict("this player does not contribute to this epoch");
  const bool known = std::any_of(epochs_.begin(), epochs_.end(), [&](const auto& each) {
    return each.first.first == epoch.terms.stream && each.second == epoch.hash;
  });
  if (!known && !transcript.rolls.empty()) {
    return Error{ErrorCode::kCorrupt, "epoch: not the one this player was shown"};
  }
  for (const fairdice::RollTranscript& roll : transcript.rolls) {
    const Hash digest = fairdice::request_digest(epoch.terms.stream, roll.request);
    const Key key{epoch.terms.stream, epoch.hash, roll.request.roller, roll.request.number};
    const auto found = signed_.find(key);
    const bool unlocked =
        std::any_of(roll.disclosures.begin(), roll.disclosures.end(),
                    [&](const auto& d) { return d.up_to && is_mine(epoch, d.contributor); });
    if (found == signed_.end() && unlocked) continue;  // given in advance, for whatever request
    if (found == signed_.end() || found->second != digest) {
      return Error{ErrorCode::kCorrupt,
                   "roll " + std::to_string(roll.request.number) + " of roller " +
                       std::to_string(roll.request.roller) +
                       (found == signed_.end() ? " was never signed by this player"
                                               : " is not the request that this player signed")};
    }
  }
  return *checked;
}

bool PlayerFile::is_mine(const fairdice::Epoch& epoch, std::uint8_t slot) const {
  return std::any_of(epoch.contributors.begin(), epoch.contributors.end(), [&](const auto& c) {
    return c.slot == slot && c.key == player_.public_key();
  });
}

}  // namespace wardiary

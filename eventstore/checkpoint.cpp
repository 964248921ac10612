#include "eventstore/checkpoint.h"

#include <sodium.h>

#include <charconv>

#include "domain/base/sha256.h"
#include "eventstore/merkle.h"

namespace wardiary {
namespace {

constexpr std::uint8_t kEd25519 = 0x01;
constexpr std::string_view kSignaturePrefix = "\xe2\x80\x94 ";  // an em dash and a space
constexpr std::string_view kReceiptHeader = "c2sp.org/tlog-proof@v1";
constexpr std::size_t kNoteBytesMax = 1u << 20;
constexpr std::size_t kPathMax = 64;

// Cuts the next line off `rest`; nothing if there is no complete line.
std::optional<std::string_view> next_line(std::string_view& rest) {
  const std::size_t end = rest.find('\n');
  if (end == std::string_view::npos) return std::nullopt;
  const std::string_view line = rest.substr(0, end);
  rest.remove_prefix(end + 1);
  return line;
}

// Decimal without sign or leading zeros.
std::optional<std::uint64_t> parse_number(std::string_view text) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  if (text.size() > 1 && text[0] == '0') return std::nullopt;
  return value;
}

std::optional<Hash> parse_hash(std::string_view text) {
  const auto bytes = from_base64(text);
  return bytes ? Hash::from(*bytes) : std::nullopt;
}

bool valid_name(std::string_view name) {
  return !name.empty() && is_clean_utf8(name) &&
         name.find_first_of(" +\t\n") == std::string_view::npos;
}

Bytes u32_bytes(std::uint32_t v) {
  Bytes out;
  put_u32(out, v);
  return out;
}

struct Note {
  std::string_view text;        // with its last newline
  std::string_view signatures;  // the lines after the empty one
};

Result<Note> split_note(std::string_view note) {
  if (note.size() > kNoteBytesMax) return invalid("checkpoint: longer than 1 MiB");
  const std::size_t gap = note.rfind("\n\n");
  if (gap == std::string_view::npos) return invalid("checkpoint: no empty line before signatures");
  return Note{note.substr(0, gap + 1), note.substr(gap + 2)};
}

Result<Checkpoint> parse_text(std::string_view text) {
  const auto origin = next_line(text), size = next_line(text), root = next_line(text);
  if (!root) return invalid("checkpoint: fewer than three lines");
  if (!valid_name(*origin)) return invalid("checkpoint: bad origin line");
  const auto parsed_size = parse_number(*size);
  if (!parsed_size) return invalid("checkpoint: bad size line");
  const auto parsed_root = parse_hash(*root);
  if (!parsed_root) return invalid("checkpoint: bad root line");
  if (!text.empty()) return invalid("checkpoint: extension lines are not used here");
  return Checkpoint{std::string(*origin), *parsed_size, *parsed_root};
}

// True if one of the signature lines is a valid signature by `key`.
Result<bool> has_signature(const Note& note, const VerifierKey& key) {
  std::string_view rest = note.signatures;
  bool found = false;
  while (!rest.empty()) {
    const auto line = next_line(rest);
    if (!line || !line->starts_with(kSignaturePrefix)) {
      return invalid("checkpoint: malformed signature line");
    }
    const std::string_view body = line->substr(kSignaturePrefix.size());
    const std::size_t space = body.find(' ');
    if (space == std::string_view::npos) return invalid("checkpoint: malformed signature line");
    const auto bytes = from_base64(body.substr(space + 1));
    if (!bytes || bytes->size() < 5) return invalid("checkpoint: malformed signature line");
    if (body.substr(0, space) != key.name) continue;
    if (!equal(ByteView(*bytes).first(4), u32_bytes(key.id()))) continue;
    if (bytes->size() != 4 + Signature::kSize) return invalid("checkpoint: signature too short");
    if (crypto_sign_ed25519_verify_detached(
            bytes->data() + 4, reinterpret_cast<const unsigned char*>(note.text.data()),
            note.text.size(), key.key.data.data()) != 0) {
      return invalid("checkpoint: the signature of " + key.name + " does not verify");
    }
    found = true;
  }
  return found;
}

}  // namespace

SigningKey SigningKey::from_seed(const FixedBytes<32>& seed) {
  SigningKey key;
  crypto_sign_ed25519_seed_keypair(key.public_key_.data.data(), key.secret_.data.data(),
                                   seed.data.data());
  return key;
}

Signature SigningKey::sign(ByteView message) const {
  Signature out;
  crypto_sign_ed25519_detached(out.data.data(), nullptr, message.data(), message.size(),
                               secret_.data.data());
  return out;
}

std::uint32_t VerifierKey::id() const {
  Sha256 hasher;
  const Hash hash = hasher.add(name).add_u8('\n').add_u8(kEd25519).add(key).finish();
  return static_cast<std::uint32_t>(get_u64(hash.data.data()) >> 32);
}

std::string VerifierKey::text() const {
  Bytes tagged{kEd25519};
  put(tagged, key);
  return name + "+" + to_hex(u32_bytes(id())) + "+" + to_base64(tagged);
}

Result<VerifierKey> VerifierKey::parse(std::string_view text) {
  const std::size_t first = text.find('+');
  const std::size_t second = first == text.npos ? text.npos : text.find('+', first + 1);
  if (second == text.npos) return invalid("log key: not of the form name+id+key");
  const auto id = from_hex(text.substr(first + 1, second - first - 1));
  const auto tagged = from_base64(text.substr(second + 1));
  if (!id || !tagged || tagged->size() != 33 || tagged->front() != kEd25519) {
    return invalid("log key: not an Ed25519 key in the form name+id+key");
  }
  VerifierKey key{std::string(text.substr(0, first)),
                  *PublicKey::from(ByteView(*tagged).subspan(1))};
  if (!valid_name(key.name)) return invalid("log key: bad name");
  if (!equal(*id, u32_bytes(key.id()))) return invalid("log key: the id does not match the key");
  return key;
}

std::string Checkpoint::text() const {
  return origin + "\n" + std::to_string(size) + "\n" + to_base64(root) + "\n";
}

std::string log_origin(const Id& game) {
  return "wardiary/" + to_hex(game);
}

std::string sign_checkpoint(const Checkpoint& checkpoint, const SigningKey& key) {
  const std::string text = checkpoint.text();
  Bytes signature = u32_bytes(VerifierKey{checkpoint.origin, key.public_key()}.id());
  put(signature, key.sign(bytes_of(text)));
  return text + "\n" + std::string(kSignaturePrefix) + checkpoint.origin + " " +
         to_base64(signature) + "\n";
}

Result<Checkpoint> parse_checkpoint(std::string_view note) {
  auto parts = split_note(note);
  if (!parts) return std::move(parts).error();
  return parse_text(parts->text);
}

Result<Checkpoint> verify_checkpoint(std::string_view note, const VerifierKey& key) {
  auto parts = split_note(note);
  if (!parts) return std::move(parts).error();
  auto checkpoint = parse_text(parts->text);
  if (!checkpoint) return checkpoint;
  if (checkpoint->origin != key.name) {
    return invalid("checkpoint: it is of " + checkpoint->origin + ", not of " + key.name);
  }
  auto is_signed = has_signature(*parts, key);
  if (!is_signed) return std::move(is_signed).error();
  if (!*is_signed) return invalid("checkpoint: not signed by " + key.name);
  return checkpoint;
}

std::string Receipt::text() const {
  std::string out(kReceiptHeader);
  out += "\n";
  if (!extra.empty()) out += "extra " + to_base64(extra) + "\n";
  out += "index " + std::to_string(index) + "\n";
  for (const Hash& hash : path) out += to_base64(hash) + "\n";
  return out + "\n" + checkpoint;
}

Result<Receipt> Receipt::parse(std::string_view text) {
  Receipt out;
  if (text.size() > kNoteBytesMax) return invalid("receipt: longer than 1 MiB");
  auto line = next_line(text);
  if (!line || *line != kReceiptHeader) return invalid("receipt: not a tlog-proof version 1");
  line = next_line(text);
  if (line && line->starts_with("extra ")) {
    auto extra = from_base64(line->substr(6));
    if (!extra) return invalid("receipt: bad extra line");
    out.extra = std::move(*extra);
    line = next_line(text);
  }
  const auto index =
      line && line->starts_with("index ") ? parse_number(line->substr(6)) : std::nullopt;
  if (!index) return invalid("receipt: bad index line");
  out.index = *index;
  for (line = next_line(text); line && !line->empty(); line = next_line(text)) {
    const auto hash = parse_hash(*line);
    if (!hash || out.path.size() == kPathMax) return invalid("receipt: bad proof line");
    out.path.push_back(*hash);
  }
  if (!line) return invalid("receipt: no checkpoint");
  out.checkpoint = std::string(text);
  return out;
}

Result<Checkpoint> Receipt::verify(ByteView leaf_data, const VerifierKey& key) const {
  auto tree = verify_checkpoint(checkpoint, key);
  if (!tree) return std::move(tree).error().within("receipt");
  if (!merkle::verify_inclusion(merkle::leaf_hash(leaf_data), index, tree->size, path,
                                tree->root)) {
    return invalid("receipt: the proof does not lead from this event to the checkpoint's root");
  }
  return tree;
}

}  // namespace wardiary

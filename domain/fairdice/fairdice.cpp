#include "domain/fairdice/fairdice.h"

namespace wardiary::fairdice {
namespace {

constexpr std::string_view kProtocol = "fairdice/v1/";

// In the order of the enumeration.
constexpr const char* kGradeWords[] = {"live", "async", "solo", "imported", "beacon", "branch"};

}  // namespace

const char* grade_word(Grade grade) {
  const auto i = static_cast<std::size_t>(grade);
  return i < std::size(kGradeWords) ? kGradeWords[i] : "?";
}

std::optional<Grade> grade_named(std::string_view word) {
  for (std::size_t i = 0; i < std::size(kGradeWords); ++i) {
    if (word == kGradeWords[i]) return static_cast<Grade>(i);
  }
  return std::nullopt;
}

Bytes domain_prefix(std::string_view label) {
  Bytes out;
  put(out, bytes_of(kProtocol));
  put(out, bytes_of(label));
  out.push_back(0);
  return out;
}

Sha256& add_domain(Sha256& hasher, std::string_view label) {
  return hasher.add(kProtocol).add(label).add_u8(0);
}

namespace {

Seed derive_seed(const Seed& secret, ByteView message) {
  Hash mac = hmac_sha256(secret.view(), message);
  Seed seed(mac.data);
  sodium_memzero(mac.data.data(), mac.data.size());
  return seed;
}

}  // namespace

Seed derive_vrf_seed(const Seed& master, const Id& stream) {
  Bytes message = domain_prefix("vrf-key");
  put(message, stream);
  return derive_seed(master, message);
}

Seed derive_chain_seed(const Seed& secret, const Id& stream, const Hash& draft,
                       std::uint8_t contributor, std::uint8_t roller) {
  Bytes message = domain_prefix("player-chain");
  put(message, stream);
  put(message, draft);
  message.push_back(contributor);
  message.push_back(roller);
  return derive_seed(secret, message);
}

Hash anchors_digest(const EpochTerms& terms, std::uint8_t contributor, bool custodial,
                    std::span<const SlotAnchor> anchors) {
  Sha256 hasher;
  add_domain(hasher, "anchors")
      .add(terms.stream)
      .add_u8(terms.suite)
      .add(terms.vrf_pk)
      .add_u32(terms.chain_length)
      .add_u8(static_cast<std::uint8_t>(terms.policy))
      .add(terms.rules_hash)
      .add_u8(contributor)
      .add_u8(custodial ? 1 : 0)
      .add_u8(static_cast<std::uint8_t>(anchors.size()));
  for (const SlotAnchor& a : anchors) hasher.add_u8(a.slot).add(a.anchor);
  return hasher.finish();
}

Hash request_digest(const Id& stream, const Request& request) {
  Sha256 hasher;
  return add_domain(hasher, "request")
      .add(stream)
      .add(request.prev_event)
      .add_u8(request.roller)
      .add_u64(request.number)
      .add(request.order_event)
      .add(encode_spec(request.spec))
      .add(request.v)
      .add(request.idempotency_key)
      .finish();
}

Hash reveal_digest(const Id& stream, const Hash& request_digest, std::uint8_t contributor,
                   const Hash& v) {
  Sha256 hasher;
  return add_domain(hasher, "reveal")
      .add(stream)
      .add(request_digest)
      .add_u8(contributor)
      .add(v)
      .finish();
}

Hash unlock_digest(const Id& stream, const Hash& epoch, std::uint8_t contributor,
                   std::uint8_t roller, std::uint64_t up_to, const Hash& v) {
  Sha256 hasher;
  return add_domain(hasher, "unlock")
      .add(stream)
      .add(epoch)
      .add_u8(contributor)
      .add_u8(roller)
      .add_u64(up_to)
      .add(v)
      .finish();
}

Hash abandon_digest(const Id& stream, const Hash& epoch, const Hash& order_event) {
  Sha256 hasher;
  return add_domain(hasher, "abandon").add(stream).add(epoch).add(order_event).finish();
}

Bytes make_alpha(const Hash& epoch, const Id& stream, std::uint8_t roller, std::uint64_t number,
                 std::span<const Contribution> contributions, const std::optional<Beacon>& beacon) {
  Bytes alpha = domain_prefix("alpha");
  put(alpha, epoch);
  put(alpha, stream);
  alpha.push_back(roller);
  put_u64(alpha, number);
  alpha.push_back(static_cast<std::uint8_t>(contributions.size()));
  for (const Contribution& c : contributions) {
    alpha.push_back(c.slot);
    put(alpha, c.v);
  }
  alpha.push_back(beacon ? 1 : 0);
  if (beacon) {
    put_u64(alpha, beacon->round);
    put(alpha, beacon->randomness);
  }
  return alpha;
}

Hash seal_of(const VrfOutput& beta) {
  Sha256 hasher;
  return add_domain(hasher, "seal").add(beta).finish();
}

Result<Roll> make_roll(const VrfKey& key, ByteView alpha, const RollSpec& spec) {
  if (auto checked = check_spec(spec); !checked) return std::move(checked).error();
  auto proved = key.prove(alpha);
  if (!proved) return std::move(proved).error();
  return Roll{proved->pi, derive_outcome(proved->beta, spec), seal_of(proved->beta)};
}

}  // namespace wardiary::fairdice

#include "domain/fairdice/player.h"

namespace wardiary::fairdice {
namespace {

constexpr std::size_t kChainsKeptMax = 64;

Seed key_seed(const Seed& secret) {
  Hash mac = hmac_sha256(secret.view(), domain_prefix("player-key"));
  Seed seed(mac.data);
  sodium_memzero(mac.data.data(), mac.data.size());
  return seed;
}

}  // namespace

Player::Player(Seed secret) : secret_(std::move(secret)), key_(key_seed(secret_)) {}

Result<const ContributionChain*> Player::chain(const Commitment& c, std::uint8_t roller) {
  const auto found = chains_.find({c, roller});
  if (found != chains_.end()) return &found->second;
  const Seed seed = derive_chain_seed(secret_, c.stream, c.draft, c.slot, roller);
  auto made = ContributionChain::make({c.stream, c.slot, roller}, seed, c.chain_length);
  if (!made) return std::move(made).error();
  if (chains_.size() >= kChainsKeptMax) chains_.clear();
  return &chains_.emplace(std::pair{c, roller}, std::move(*made)).first->second;
}

Result<Player::Anchors> Player::join(const EpochTerms& terms, const Hash& draft, std::uint8_t slot,
                                     bool custodial, std::span<const std::uint8_t> slots) {
  Anchors out;
  for (std::uint8_t roller : slots) {
    auto made = chain({terms.stream, draft, slot, terms.chain_length}, roller);
    if (!made) return std::move(made).error();
    out.anchors.push_back({roller, (*made)->anchor()});
  }
  out.signature = sign(anchors_digest(terms, slot, custodial, out.anchors));
  return out;
}

Result<Hash> Player::element(const Commitment& commitment, std::uint8_t roller,
                             std::uint64_t number) {
  auto made = chain(commitment, roller);
  if (!made) return std::move(made).error();
  return (*made)->element(number);
}

}  // namespace wardiary::fairdice

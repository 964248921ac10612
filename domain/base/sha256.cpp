#include "domain/base/sha256.h"

// An event costs four hashes of 60 to 150 bytes, and half the time of each would go into EVP's
// layers between us and the same code. So these are OpenSSL's own SHA-256 functions, which version
// 3 calls deprecated for that they always mean its default implementation: here they should.
#define OPENSSL_SUPPRESS_DEPRECATED
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/sha.h>

#include <cstdlib>

namespace wardiary {
namespace {

const EVP_MD* fetched_digest() {
  static EVP_MD* const digest = EVP_MD_fetch(nullptr, "SHA256", nullptr);
  // Without SHA-256 nothing here can keep any promise; an OpenSSL that lacks it is unusable.
  if (!digest) std::abort();
  return digest;
}

SHA256_CTX* state(void* context) {
  return static_cast<SHA256_CTX*>(context);
}

}  // namespace

Sha256::Sha256() : context_(new SHA256_CTX) {
  SHA256_Init(state(context_));
}

Sha256::~Sha256() {
  delete state(context_);
}

Sha256& Sha256::add(ByteView bytes) {
  SHA256_Update(state(context_), bytes.data(), bytes.size());
  return *this;
}

Sha256& Sha256::add_u16(std::uint16_t v) {
  const std::uint8_t b[2] = {static_cast<std::uint8_t>(v >> 8), static_cast<std::uint8_t>(v)};
  return add(b);
}

Sha256& Sha256::add_u32(std::uint32_t v) {
  return add_u16(static_cast<std::uint16_t>(v >> 16)).add_u16(static_cast<std::uint16_t>(v));
}

Sha256& Sha256::add_u64(std::uint64_t v) {
  std::uint8_t b[8];
  for (int i = 0; i < 8; ++i) b[i] = static_cast<std::uint8_t>(v >> (56 - 8 * i));
  return add(b);
}

Hash Sha256::finish() {
  Hash out;
  SHA256_Final(out.data.data(), state(context_));
  SHA256_Init(state(context_));
  return out;
}

Hash sha256(ByteView bytes) {
  thread_local Sha256 hasher;
  return hasher.add(bytes).finish();
}

Hash hmac_sha256(ByteView key, ByteView message) {
  Hash out;
  unsigned length = 0;
  // A null key means "the key of last time" to OpenSSL, which has none: an empty key needs an
  // address.
  const void* key_data = key.empty() ? "" : static_cast<const void*>(key.data());
  HMAC(fetched_digest(), key_data, static_cast<int>(key.size()), message.data(), message.size(),
       out.data.data(), &length);
  return out;
}

}  // namespace wardiary

// SHA-256 and HMAC-SHA-256 by OpenSSL.
#pragma once

#include "domain/base/bytes.h"

namespace wardiary {

// Hashes what is added, piece by piece. Reusable after finish(). Not for sharing between threads.
class Sha256 {
 public:
  Sha256();
  ~Sha256();
  Sha256(const Sha256&) = delete;
  Sha256& operator=(const Sha256&) = delete;

  Sha256& add(ByteView bytes);
  Sha256& add(std::string_view text) { return add(bytes_of(text)); }
  Sha256& add_u8(std::uint8_t v) { return add(ByteView(&v, 1)); }
  Sha256& add_u16(std::uint16_t v);
  Sha256& add_u32(std::uint32_t v);
  Sha256& add_u64(std::uint64_t v);
  Hash finish();

 private:
  void* context_;
};

Hash sha256(ByteView bytes);
Hash hmac_sha256(ByteView key, ByteView message);

}  // namespace wardiary

// Bytes that must not linger: wiped when they go out of scope, not copied by accident, never
// printed.
#pragma once

#include <sodium.h>

#include "domain/base/bytes.h"

namespace wardiary::fairdice {

template <std::size_t N>
class Secret {
 public:
  Secret() = default;
  explicit Secret(const std::array<std::uint8_t, N>& bytes) : bytes_(bytes) {}
  Secret(Secret&& other) noexcept : bytes_(other.bytes_) { other.wipe(); }
  Secret& operator=(Secret&& other) noexcept {
    if (this != &other) {
      bytes_ = other.bytes_;
      other.wipe();
    }
    return *this;
  }
  Secret(const Secret&) = delete;
  Secret& operator=(const Secret&) = delete;
  ~Secret() { wipe(); }

  // Nothing unless `bytes` has exactly N bytes. The caller still owns, and wipes, the original.
  static std::optional<Secret> from(ByteView bytes) {
    if (bytes.size() != N) return std::nullopt;
    Secret out;
    std::memcpy(out.data(), bytes.data(), N);
    return out;
  }
  // From the operating system's generator.
  static Secret random() {
    Secret out;
    randombytes_buf(out.data(), N);
    return out;
  }

  // A second copy, made on purpose.
  Secret clone() const { return Secret(bytes_); }
  std::uint8_t* data() { return bytes_.data(); }
  const std::uint8_t* data() const { return bytes_.data(); }
  ByteView view() const { return bytes_; }

 private:
  void wipe() { sodium_memzero(bytes_.data(), N); }

  std::array<std::uint8_t, N> bytes_{};
};

using Seed = Secret<32>;

}  // namespace wardiary::fairdice

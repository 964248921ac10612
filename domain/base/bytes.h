// Bytes, fixed-size hashes and ids, and their text forms.
#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace wardiary {

using Bytes = std::vector<std::uint8_t>;
using ByteView = std::span<const std::uint8_t>;

inline ByteView bytes_of(std::string_view text) {
  return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}
inline std::string_view text_of(ByteView bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}
inline bool equal(ByteView a, ByteView b) {
  return a.size() == b.size() && (a.empty() || std::memcmp(a.data(), b.data(), a.size()) == 0);
}

template <std::size_t N>
struct FixedBytes {
  std::array<std::uint8_t, N> data{};

  static constexpr std::size_t kSize = N;
  auto operator<=>(const FixedBytes&) const = default;
  ByteView view() const { return data; }
  operator ByteView() const { return data; }  // NOLINT: a hash is bytes
  bool is_zero() const { return *this == FixedBytes{}; }

  // Nothing unless `bytes` has exactly N bytes.
  static std::optional<FixedBytes> from(ByteView bytes) {
    if (bytes.size() != N) return std::nullopt;
    FixedBytes out;
    std::memcpy(out.data.data(), bytes.data(), N);
    return out;
  }
};

using Hash = FixedBytes<32>;  // SHA-256
using Id = FixedBytes<16>;    // games, branches (= dice streams), commands, salts

// Lower-case hexadecimal; `from_hex` takes either case and refuses anything else.
std::string to_hex(ByteView bytes);
std::optional<Bytes> from_hex(std::string_view text);
template <std::size_t N>
std::optional<FixedBytes<N>> fixed_from_hex(std::string_view text) {
  auto bytes = from_hex(text);
  return bytes ? FixedBytes<N>::from(*bytes) : std::nullopt;
}

// Standard base64 with padding; `from_base64` refuses non-canonical input.
std::string to_base64(ByteView bytes);
std::optional<Bytes> from_base64(std::string_view text);

// Big-endian integers, as every hashed or sorted byte string of ours uses them.
inline void put_u16(Bytes& out, std::uint16_t v) {
  out.push_back(static_cast<std::uint8_t>(v >> 8));
  out.push_back(static_cast<std::uint8_t>(v));
}
inline void put_u32(Bytes& out, std::uint32_t v) {
  put_u16(out, static_cast<std::uint16_t>(v >> 16));
  put_u16(out, static_cast<std::uint16_t>(v));
}
inline void put_u64(Bytes& out, std::uint64_t v) {
  put_u32(out, static_cast<std::uint32_t>(v >> 32));
  put_u32(out, static_cast<std::uint32_t>(v));
}
inline void put(Bytes& out, ByteView bytes) { out.insert(out.end(), bytes.begin(), bytes.end()); }
inline std::uint64_t get_u64(const std::uint8_t* p) {
  std::uint64_t v = 0;
  for (int i = 0; i < 8; ++i) v = v << 8 | p[i];
  return v;
}

// True for well-formed UTF-8 without control characters other than tab and newline.
bool is_clean_utf8(std::string_view text);

}  // namespace wardiary

#include "eventstore/crc32c.h"

#include <array>

namespace wardiary {
namespace {

constexpr std::array<std::uint32_t, 256> make_table() {
  std::array<std::uint32_t, 256> table{};
  for (std::uint32_t i = 0; i < 256; ++i) {
    std::uint32_t c = i;
    for (int k = 0; k < 8; ++k) c = c >> 1 ^ (c & 1 ? 0x82f63b78u : 0);
    table[i] = c;
  }
  return table;
}
constexpr auto kTable = make_table();

std::uint32_t by_table(std::uint32_t crc, ByteView bytes) {
  for (std::uint8_t b : bytes) crc = kTable[(crc ^ b) & 0xff] ^ crc >> 8;
  return crc;
}

#if defined(__x86_64__)
__attribute__((target("sse4.2"))) std::uint32_t by_instruction(std::uint32_t crc, ByteView bytes) {
  const std::uint8_t* p = bytes.data();
  std::size_t n = bytes.size();
  std::uint64_t state = crc;
  for (; n >= 8; n -= 8, p += 8) {
    std::uint64_t word;
    std::memcpy(&word, p, 8);
    state = __builtin_ia32_crc32di(state, word);
  }
  auto narrow = static_cast<std::uint32_t>(state);
  for (; n > 0; --n, ++p) narrow = __builtin_ia32_crc32qi(narrow, *p);
  return narrow;
}
#endif

}  // namespace

std::uint32_t crc32c(std::uint32_t crc, ByteView bytes) {
#if defined(__x86_64__)
  static const bool has_instruction = __builtin_cpu_supports("sse4.2");
  if (has_instruction) return ~by_instruction(~crc, bytes);
#endif
  return ~by_table(~crc, bytes);
}

}  // namespace wardiary

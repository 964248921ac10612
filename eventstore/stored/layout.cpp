#include "eventstore/stored/layout.h"

#include "eventstore/stored/source.h"

namespace wardiary::stored {

std::string checked(Family family, std::string_view key, std::string_view body) {
  std::string out(body);
  const std::uint32_t check = crc32c(check_start(family, key), bytes_of(body));
  for (int i = 3; i >= 0; --i) out.push_back(static_cast<char>(check >> (8 * i)));
  return out;
}

std::optional<std::string_view> unchecked(Family family, std::string_view key,
                                          std::string_view value) {
  if (value.size() < 4) return std::nullopt;
  const std::string_view body = value.substr(0, value.size() - 4);
  std::uint32_t stored = 0;
  for (const char c : value.substr(body.size()))
    stored = stored << 8 | static_cast<std::uint8_t>(c);
  if (crc32c(check_start(family, key), bytes_of(body)) != stored) return std::nullopt;
  return body;
}

std::string prefix_end(std::string_view prefix) {
  std::string end(prefix);
  while (!end.empty() && static_cast<std::uint8_t>(end.back()) == 0xff) end.pop_back();
  if (!end.empty()) end.back() = static_cast<char>(static_cast<std::uint8_t>(end.back()) + 1);
  return end;
}

std::string_view RecordReader::take(std::size_t n) {
  if (!ok_ || rest_.size() < n) {
    ok_ = false;
    return {};
  }
  const std::string_view out = rest_.substr(0, n);
  rest_.remove_prefix(n);
  return out;
}

std::uint64_t RecordReader::number(std::size_t bytes) {
  std::uint64_t v = 0;
  for (const char c : take(bytes)) v = v << 8 | static_cast<std::uint8_t>(c);
  return v;
}

}  // namespace wardiary::stored

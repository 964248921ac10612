// What the fuzz targets share.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "domain/base/bytes.h"

namespace wardiary::fuzz {

// A law that must hold whatever the input is; libFuzzer saves the input that breaks it.
inline void must(bool holds) {
  if (!holds) std::abort();
}

inline std::string_view text(const std::uint8_t* data, std::size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}

}  // namespace wardiary::fuzz

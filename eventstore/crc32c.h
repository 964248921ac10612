// CRC-32C (Castagnoli), the cheap check on every value of the embedded store: any single flipped
// byte changes it. Not a protection against intent; that is what chain and tree are for.
#pragma once

#include <cstdint>

#include "domain/base/bytes.h"

namespace wardiary {

// The CRC of `bytes` continuing from `crc` (0 to begin): crc32c(crc32c(0, a), b) is that of a || b.
std::uint32_t crc32c(std::uint32_t crc, ByteView bytes);

}  // namespace wardiary

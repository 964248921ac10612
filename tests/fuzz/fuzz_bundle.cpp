// Any bytes as a bundle: what the reader lets through can be walked, hashed and audited without
// harm, and nothing but a sound file is called clean. The checksum is made good on every second
// input, or mutation would never come past it.
#include "domain/base/sha256.h"
#include "eventstore/bundle/bundle.h"
#include "replay/bundle.h"
#include "tests/fuzz/fuzz.h"

using namespace wardiary;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Bytes bytes(data, data + size);
  if (size > Hash::kSize && data[size - 1] % 2 == 0) {
    const Hash sum = sha256(ByteView(bytes).first(size - Hash::kSize));
    std::copy(sum.data.begin(), sum.data.end(), bytes.end() - Hash::kSize);
  }
  auto bundle = Bundle::open(std::move(bytes));
  if (!bundle) {
    fuzz::must(!bundle.error().text.empty());
    return 0;
  }
  std::uint64_t leaves = 0;
  fuzz::must((*bundle)
                 ->each_leaf([&](const Bundle::Leaf& leaf) {
                   fuzz::must((*bundle)->event_hash(leaf.branch, leaf.event.version).ok());
                   ++leaves;
                   return true;
                 })
                 .ok());
  fuzz::must(leaves == (*bundle)->info().tree_size);
  (void)verify_bundle(**bundle, {});
  return 0;
}

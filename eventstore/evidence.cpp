#include "eventstore/evidence.h"

#include <cstring>

namespace wardiary {
namespace {

// Fixed-size messages are laid out on the stack and hashed in one call: the digest's per-call cost
// would otherwise exceed the hashing.
template <std::size_t N>
class Message {
 public:
  explicit Message(ByteView start) { add(start); }
  Message& add(ByteView bytes) {
    std::memcpy(bytes_ + size_, bytes.data(), bytes.size());
    size_ += bytes.size();
    return *this;
  }
  Message& add_int(std::uint64_t v, int width) {
    for (int i = width - 1; i >= 0; --i) bytes_[size_++] = static_cast<std::uint8_t>(v >> (8 * i));
    return *this;
  }
  ByteView view() const { return {bytes_, size_}; }

 private:
  std::uint8_t bytes_[N];
  std::size_t size_ = 0;
};

constexpr char kEventDomain[] = "fairdice/v1/event";  // the terminating zero byte is part of it
constexpr std::uint8_t kLeafPrefix[] = {0x00};

}  // namespace

Hash event_hash(Sha256& hasher, const Id& branch, std::uint64_t version, const Hash& previous,
                std::uint16_t type, const Hash& payload_hash) {
  Message<128> m(bytes_of(std::string_view(kEventDomain, sizeof kEventDomain)));
  m.add(branch).add_int(version, 8).add(previous).add_int(type, 2).add(payload_hash);
  return hasher.add(m.view()).finish();
}

Hash event_hash_of(Sha256& hasher, const Id& branch, std::uint64_t version, const Hash& previous,
                   std::uint16_t type, ByteView payload) {
  const Hash payload_hash = hasher.add(payload).finish();
  return event_hash(hasher, branch, version, previous, type, payload_hash);
}

Bytes leaf_data(const Id& branch, std::uint64_t version, const Hash& event_hash) {
  Bytes out;
  out.reserve(56);
  put(out, branch);
  put_u64(out, version);
  put(out, event_hash);
  return out;
}

Hash event_leaf_hash(Sha256& hasher, const Id& branch, std::uint64_t version,
                     const Hash& event_hash) {
  Message<64> m{ByteView(kLeafPrefix)};
  m.add(branch).add_int(version, 8).add(event_hash);
  return hasher.add(m.view()).finish();
}

}  // namespace wardiary

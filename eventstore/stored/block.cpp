#include "eventstore/stored/block.h"

namespace wardiary::stored {
namespace {

constexpr std::uint8_t kForm = 1;
constexpr std::size_t kHeaderBytes = 3 + 8 + 32;
constexpr std::size_t kEventHeaderBytes = 6;
constexpr std::size_t kRunBytes = 9;
constexpr std::size_t kKeyBytes = 24;

void append_number(std::string& out, std::uint64_t v, int bytes) {
  for (int i = bytes - 1; i >= 0; --i) out.push_back(static_cast<char>(v >> (8 * i)));
}

std::uint64_t number_at(const std::uint8_t* p, int bytes) {
  std::uint64_t v = 0;
  for (int i = 0; i < bytes; ++i) v = v << 8 | p[i];
  return v;
}

}  // namespace

bool Block::parse(Family family, std::string_view key, std::string_view value) {
  events_.clear();
  runs_.clear();
  const auto body = unchecked(family, key, value);
  if (!body || key.size() != kKeyBytes || body->size() < kHeaderBytes) return false;
  const auto* p = reinterpret_cast<const std::uint8_t*>(body->data());
  const std::size_t count = p[1], runs = p[2];
  if (p[0] != kForm || count == 0 || count > kBlockEventsMax || runs == 0 || runs > count) {
    return false;
  }
  const std::size_t fixed = kHeaderBytes + count * kEventHeaderBytes + runs * kRunBytes;
  if (body->size() < fixed) return false;
  std::memcpy(branch_.data.data(), key.data(), 16);
  first_ = get_u64(reinterpret_cast<const std::uint8_t*>(key.data()) + 16);
  ends_ = number_at(p + 3, 8);
  std::memcpy(last_hash_.data.data(), p + 11, 32);
  std::size_t left = body->size() - fixed;
  const std::uint8_t* header = p + kHeaderBytes;
  const std::uint8_t* payload = header + count * kEventHeaderBytes;
  for (std::size_t i = 0; i < count; ++i, header += kEventHeaderBytes) {
    const std::size_t size = number_at(header + 2, 4);
    if (size > left) return events_.clear(), false;
    events_.push_back({static_cast<std::uint16_t>(number_at(header, 2)), ByteView(payload, size)});
    payload += size;
    left -= size;
  }
  std::size_t placed = 0;
  for (std::size_t i = 0; i < runs; ++i, payload += kRunBytes) {
    if (left == 0) runs_.push_back({payload[0], number_at(payload + 1, 8)});
    if (left == 0) placed += payload[0];
  }
  if (left != 0 || placed != count) return events_.clear(), false;
  return true;
}

std::uint64_t Block::leaf_of(Version v) const {
  std::uint64_t offset = v - first_;
  for (const LeafRun& run : runs_) {
    if (offset < run.count) return run.first_leaf + offset;
    offset -= run.count;
  }
  return 0;
}

BlockDraft::BlockDraft(Family family, const BranchId& branch, Version first,
                       std::span<const NewEvent> events, std::uint64_t ends, const Hash& last_hash,
                       std::size_t run_count)
    : key_(number_key(branch, first)), count_(events.size()) {
  std::size_t payload_bytes = 0;
  for (const NewEvent& e : events) payload_bytes += e.payload.size();
  value_.reserve(kHeaderBytes + events.size() * kEventHeaderBytes + payload_bytes +
                 run_count * kRunBytes + 4);
  append_number(value_, kForm, 1);
  append_number(value_, events.size(), 1);
  append_number(value_, run_count, 1);
  append_number(value_, ends, 8);
  value_.append(text_of(last_hash));
  for (const NewEvent& e : events) {
    append_number(value_, e.type, 2);
    append_number(value_, e.payload.size(), 4);
  }
  for (const NewEvent& e : events) value_.append(text_of(e.payload));
  check_ = crc32c(check_start(family, key_), bytes_of(value_));
}

const std::string& BlockDraft::finish(std::span<const LeafRun> runs) {
  const std::size_t before = value_.size();
  for (const LeafRun& run : runs) {
    append_number(value_, run.count, 1);
    append_number(value_, run.first_leaf, 8);
  }
  check_ = crc32c(check_, bytes_of(std::string_view(value_).substr(before)));
  append_number(value_, check_, 4);
  return value_;
}

std::size_t block_share(std::span<const NewEvent> events) {
  std::size_t count = 0, bytes = 0;
  for (const NewEvent& e : events) {
    bytes += e.payload.size();
    if (count == kBlockEventsMax || (count > 0 && bytes > kBlockBytesMax)) break;
    ++count;
  }
  return count;
}

}  // namespace wardiary::stored

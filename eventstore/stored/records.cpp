#include "eventstore/stored/records.h"

#include <bit>

namespace wardiary::stored {

std::string BranchRecord::body() const {
  RecordWriter w;
  w.fixed(parent).number(forked_at, 8).fixed(fork_hash).number(depth, 4).number(deleted, 1);
  return w.text(name).text(reason).body();
}

std::optional<BranchRecord> BranchRecord::parse(std::string_view body) {
  RecordReader r(body);
  BranchRecord out;
  out.parent = r.fixed<16>();
  out.forked_at = r.number(8);
  out.fork_hash = r.fixed<32>();
  out.depth = static_cast<std::uint32_t>(r.number(4));
  out.deleted = r.number(1) != 0;
  out.name = r.text();
  out.reason = r.text();
  return r.at_end() ? std::optional(std::move(out)) : std::nullopt;
}

std::string GameRecord::body() const {
  RecordWriter w;
  w.fixed(mainline).number(created_at_ms, 8).text(name).number(contents.size(), 2);
  for (const Hash& hash : contents) w.fixed(hash);
  return w.body();
}

std::optional<GameRecord> GameRecord::parse(std::string_view body) {
  RecordReader r(body);
  GameRecord out;
  out.mainline = r.fixed<16>();
  out.created_at_ms = r.number(8);
  out.name = r.text();
  if (r.at_end()) return out;  // written before contents were recorded
  const std::uint64_t count = r.number(2);
  for (std::uint64_t i = 0; i < count && r.ok(); ++i) out.contents.push_back(r.fixed<32>());
  return r.at_end() ? std::optional(std::move(out)) : std::nullopt;
}

std::string CommandRecord::body() const {
  return RecordWriter().number(last, 8).number(events, 4).body();
}

std::optional<CommandRecord> CommandRecord::parse(std::string_view body) {
  RecordReader r(body);
  CommandRecord out;
  out.last = r.number(8);
  out.events = static_cast<std::uint32_t>(r.number(4));
  return r.at_end() ? std::optional(out) : std::nullopt;
}

std::string game_head_body(const GameHead& head) {
  RecordWriter w;
  w.number(head.frontier.size(), 8).fixed(head.last_branch).number(head.payload_bytes, 8);
  w.number(head.branches, 4);
  for (const Hash& hash : head.frontier.hashes()) w.fixed(hash);
  return w.body();
}

bool parse_game_head(std::string_view body, GameHead& head) {
  RecordReader r(body);
  const std::uint64_t size = r.number(8);
  head.last_branch = r.fixed<16>();
  head.payload_bytes = r.number(8);
  head.branches = static_cast<std::uint32_t>(r.number(4));
  std::vector<Hash> hashes;
  hashes.reserve(static_cast<std::size_t>(std::popcount(size)));
  while (r.ok() && !r.at_end() && hashes.size() < 64) hashes.push_back(r.fixed<32>());
  auto frontier = merkle::Frontier::from(size, std::move(hashes));
  if (!r.at_end() || !frontier) return false;
  head.frontier = std::move(*frontier);
  return true;
}

std::string branch_head_body(Version version, const Hash& hash) {
  return RecordWriter().number(version, 8).fixed(hash).body();
}

bool parse_branch_head(std::string_view body, Version& version, Hash& hash) {
  RecordReader r(body);
  version = r.number(8);
  hash = r.fixed<32>();
  return r.at_end();
}

}  // namespace wardiary::stored

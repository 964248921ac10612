#include "eventstore/checkpoint_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <sstream>

#include "domain/base/sha256.h"
#include "eventstore/crc32c.h"
#include "eventstore/data_dir.h"

namespace wardiary {
namespace {

constexpr std::size_t kSpareLinesMax = 10'000;  // superseded lines before the file is rewritten

std::string check_of(std::string_view text) {
  Bytes bytes;
  put_u32(bytes, crc32c(0, bytes_of(text)));
  return to_hex(bytes);
}

std::string with_check(std::string text) {
  text += ' ';
  return text + check_of(text) + "\n";
}

std::string checkpoint_line(const Id& game, const SignedTree& tree) {
  return with_check("checkpoint " + to_hex(game) + " " + std::to_string(tree.size) + " " +
                    to_hex(tree.root));
}

std::optional<std::uint64_t> number(const std::string& text) {
  std::uint64_t v = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), v);
  return error == std::errc() && end == text.data() + text.size() ? std::optional(v) : std::nullopt;
}

std::optional<SignedTree> tree_of(const std::string& size, const std::string& root) {
  const auto n = number(size);
  const auto hash = fixed_from_hex<32>(root);
  return n && hash ? std::optional(SignedTree{*n, *hash}) : std::nullopt;
}

// The words of a line without its check; none if the check does not hold.
std::vector<std::string> words_of(const std::string& line) {
  const std::size_t space = line.rfind(' ');
  if (space == std::string::npos) return {};
  if (check_of(line.substr(0, space + 1)) != line.substr(space + 1)) return {};
  std::istringstream words(line.substr(0, space));
  std::vector<std::string> out;
  for (std::string word; words >> word;) out.push_back(word);
  return out;
}

}  // namespace

// The key is 32 random bytes, so its hash gives nothing away.
std::string key_fingerprint(const std::string& file, const FixedBytes<32>& key) {
  Sha256 hasher;
  return to_hex(hasher.add("wardiary/key/").add(file).add_u64(0).add(key).finish());
}

CheckpointFile::~CheckpointFile() {
  if (fd_ >= 0) ::close(fd_);
}

Status CheckpointFile::create(const std::filesystem::path& file) {
  return write_file(file, "");
}

Result<std::unique_ptr<CheckpointFile>> CheckpointFile::open(const std::filesystem::path& file) {
  std::unique_ptr<CheckpointFile> out(new CheckpointFile(file));
  if (Status s = out->load(); !s) return s.error();
  return out;
}

Status CheckpointFile::load() {
  auto text = read_file(file_);
  if (!text) return std::move(text).error();
  std::size_t line_number = 0, begin = 0;
  for (std::size_t end; (end = text->find('\n', begin)) != std::string::npos; begin = end + 1) {
    ++line_number;
    const std::string line = text->substr(begin, end - begin);
    if (!take(words_of(line), line + "\n")) {
      return corrupt(file_.string() + " line " + std::to_string(line_number) + " is damaged");
    }
  }
  const bool torn = begin != text->size();
  const bool long_grown = line_number > newest_.size() + kept_.size() + kSpareLinesMax;
  if (torn || long_grown) {
    if (Status s = rewrite(); !s) return s;
  }
  fd_ = ::open(file_.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC);
  return fd_ < 0 ? Status(system_error("cannot open", file_)) : Status(Done{});
}

// What a line says. False: nothing that a line can say.
bool CheckpointFile::take(const std::vector<std::string>& w, const std::string& line) {
  const std::string kind = w.empty() ? "" : w[0];
  if (kind == "checkpoint" && w.size() == 4) {
    const auto game = fixed_from_hex<16>(w[1]);
    const auto tree = tree_of(w[2], w[3]);
    if (game && tree) newest_[*game] = *tree;
    return game && tree;
  }
  if (kind == "written" && w.size() == 2) {
    const auto writes = number(w[1]);
    written_ = writes.value_or(0);
    return writes.has_value();
  }
  kept_.push_back(line);
  if (kind == "rollback" && w.size() == 7) {
    const auto game = fixed_from_hex<16>(w[1]);
    const auto now = tree_of(w[4], w[5]);
    if (game && now) newest_[*game] = *now;
    ++rollbacks_;
    return game && now && tree_of(w[2], w[3]);
  }
  if (kind == "rewound" && w.size() == 4) {
    const auto now = number(w[2]);
    written_ = now.value_or(0);
    ++rewinds_;
    return now.has_value();
  }
  if (kind == "key" && w.size() == 3) {
    keys_.emplace(w[1], w[2]);
    return true;
  }
  ++restores_;
  return kind == "restored" && w.size() == 2;
}

// What is kept comes first: a checkpoint signed after a rollback must come after it.
Status CheckpointFile::rewrite() {
  std::string text;
  for (const std::string& line : kept_) text += line;
  if (written_) text += with_check("written " + std::to_string(written_));
  for (const auto& [game, tree] : newest_) text += checkpoint_line(game, tree);
  return write_file(file_, text);
}

Status CheckpointFile::append(const std::string& line) {
  if (failed_) return Error{ErrorCode::kIo, file_.string() + ": an earlier write failed"};
  std::string_view rest = line;
  while (!rest.empty()) {
    const ssize_t n = ::write(fd_, rest.data(), rest.size());
    if (n < 0 && errno == EINTR) continue;
    failed_ = n <= 0;
    if (failed_) return system_error("cannot write", file_);
    rest.remove_prefix(static_cast<std::size_t>(n));
  }
  failed_ = ::fdatasync(fd_) != 0;
  return failed_ ? Status(system_error("cannot sync", file_)) : Status(Done{});
}

Status CheckpointFile::remember(const Id& game, const SignedTree& tree) {
  std::lock_guard lock(mutex_);
  const auto known = newest_.find(game);
  if (known != newest_.end() && known->second.size >= tree.size) return Done{};
  if (Status s = append(checkpoint_line(game, tree)); !s) return s;
  newest_[game] = tree;
  return Done{};
}

Status CheckpointFile::accept_rollback(const Id& game, const SignedTree& now,
                                       std::uint64_t unix_ms) {
  std::lock_guard lock(mutex_);
  const SignedTree before = newest_[game];
  const std::string line = with_check(
      "rollback " + to_hex(game) + " " + std::to_string(before.size) + " " + to_hex(before.root) +
      " " + std::to_string(now.size) + " " + to_hex(now.root) + " " + std::to_string(unix_ms));
  if (Status s = keep(line); !s) return s;
  ++rollbacks_;
  newest_[game] = now;
  return Done{};
}

Status CheckpointFile::keep(const std::string& line) {
  if (Status s = append(line); !s) return s;
  kept_.push_back(line);
  return Done{};
}

Status CheckpointFile::remember_written(std::uint64_t writes) {
  std::lock_guard lock(mutex_);
  if (writes <= written_) return Done{};
  if (Status s = append(with_check("written " + std::to_string(writes))); !s) return s;
  written_ = writes;
  return Done{};
}

Status CheckpointFile::accept_rewind(std::uint64_t writes_now, std::uint64_t unix_ms) {
  std::lock_guard lock(mutex_);
  const std::string line = with_check("rewound " + std::to_string(written_) + " " +
                                      std::to_string(writes_now) + " " + std::to_string(unix_ms));
  if (Status s = keep(line); !s) return s;
  ++rewinds_;
  written_ = writes_now;
  return Done{};
}

Status CheckpointFile::note_restored(std::uint64_t unix_ms) {
  std::lock_guard lock(mutex_);
  ++restores_;
  return keep(with_check("restored " + std::to_string(unix_ms)));
}

Status CheckpointFile::check_key(const std::string& file, const FixedBytes<32>& key, bool is_new) {
  std::lock_guard lock(mutex_);
  const std::string print = key_fingerprint(file, key);
  const auto [begin, end] = keys_.equal_range(file);
  for (auto known = begin; known != end; ++known) {
    if (known->second == print) return Done{};
  }
  if (begin != end && !is_new) {
    return corrupt(file + " is not the key this store was made with");
  }
  keys_.emplace(file, print);
  return keep(with_check("key " + file + " " + print));
}

std::uint64_t CheckpointFile::written() const {
  std::lock_guard lock(mutex_);
  return written_;
}

std::optional<SignedTree> CheckpointFile::newest(const Id& game) const {
  std::lock_guard lock(mutex_);
  const auto it = newest_.find(game);
  return it == newest_.end() ? std::nullopt : std::optional(it->second);
}

std::map<Id, SignedTree> CheckpointFile::all() const {
  std::lock_guard lock(mutex_);
  return newest_;
}

std::size_t CheckpointFile::rollback_count() const {
  std::lock_guard lock(mutex_);
  return std::max(rollbacks_, rewinds_);  // whoever is behind a checkpoint lacks writes, too
}

std::size_t CheckpointFile::restore_count() const {
  std::lock_guard lock(mutex_);
  return restores_;
}

}  // namespace wardiary

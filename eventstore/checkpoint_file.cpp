#include "eventstore/checkpoint_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <charconv>
#include <sstream>

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

struct Line {
  Id game;
  SignedTree tree;
  bool rollback = false;
  SignedTree now;
};

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

std::optional<Line> parse_line(const std::string& line) {
  const std::size_t space = line.rfind(' ');
  if (space == std::string::npos) return std::nullopt;
  if (check_of(line.substr(0, space + 1)) != line.substr(space + 1)) return std::nullopt;
  std::istringstream words(line);
  std::vector<std::string> w;
  for (std::string word; words >> word;) w.push_back(word);
  Line out;
  const bool checkpoint = w.size() == 5 && w[0] == "checkpoint";
  out.rollback = w.size() == 8 && w[0] == "rollback";
  if (!checkpoint && !out.rollback) return std::nullopt;
  const auto game = fixed_from_hex<16>(w[1]);
  const auto tree = tree_of(w[2], w[3]);
  const auto now = out.rollback ? tree_of(w[4], w[5]) : SignedTree{};
  if (!game || !tree || !now) return std::nullopt;
  out.game = *game;
  out.tree = *tree;
  out.now = *now;
  return out;
}

}  // namespace

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
    const auto parsed = parse_line(line);
    if (!parsed) {
      return corrupt(file_.string() + " line " + std::to_string(line_number) + " is damaged");
    }
    newest_[parsed->game] = parsed->rollback ? parsed->now : parsed->tree;
    if (parsed->rollback) rollbacks_.push_back(line + "\n");
  }
  const bool torn = begin != text->size();
  const bool long_grown = line_number > newest_.size() + rollbacks_.size() + kSpareLinesMax;
  if (torn || long_grown) {
    if (Status s = rewrite(); !s) return s;
  }
  fd_ = ::open(file_.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC);
  return fd_ < 0 ? Status(system_error("cannot open", file_)) : Status(Done{});
}

// Rollback lines first: a checkpoint signed after one must come after it.
Status CheckpointFile::rewrite() {
  std::string text;
  for (const std::string& line : rollbacks_) text += line;
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
  if (Status s = append(line); !s) return s;
  rollbacks_.push_back(line);
  newest_[game] = now;
  return Done{};
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
  return rollbacks_.size();
}

}  // namespace wardiary

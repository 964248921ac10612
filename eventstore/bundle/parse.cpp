// The reader of bundles. Everything in the file may be hostile: each length is checked against what
// is left of the file before anything is made of it, and every error names its byte and field.
#include <algorithm>
#include <fstream>

#include "eventstore/bundle/bundle.h"

namespace wardiary {

class BundleParser {
 public:
  explicit BundleParser(Bundle& out) : out_(out), bytes_(out.bytes_) {}

  Status run() {
    if (bytes_.size() > BundleLimits::kFileBytesMax) {
      return Error{ErrorCode::kLimit, "the file is larger than a bundle may be: " +
                                          std::to_string(BundleLimits::kFileBytesMax) + " bytes"};
    }
    if (!text_of(bytes_).starts_with(kBundleMagic)) {
      return invalid("byte 0: is no bundle: it must begin with \"wardiary-bundle/1\"");
    }
    at_ = kBundleMagic.size();
    header();
    contents();
    branches();
    events();
    in("checksum");
    take(Hash::kSize);
    if (!problem_ && at_ != bytes_.size()) {
      complain(std::to_string(bytes_.size() - at_) + " bytes too many");
    }
    if (problem_) return std::move(*problem_);
    return Done{};
  }

 private:
  // --- reading, with the name of what is being read
  void in(std::string field) { field_ = std::move(field); }
  void complain(const std::string& what, ErrorCode code = ErrorCode::kInvalid) {
    if (problem_) return;
    problem_ = Error{code, "byte " + std::to_string(at_) + ", " + field_ + ": " + what};
  }
  ByteView take(std::uint64_t count) {
    if (problem_) return {};
    if (count > bytes_.size() - at_) {
      complain("the file ends here; " + std::to_string(count - (bytes_.size() - at_)) +
               " bytes are missing");
      return {};
    }
    const ByteView out = ByteView(bytes_).subspan(at_, count);
    at_ += count;
    return out;
  }
  std::uint64_t number(int width) {
    std::uint64_t value = 0;
    for (std::uint8_t byte : take(static_cast<std::uint64_t>(width))) value = value << 8 | byte;
    return value;
  }
  template <std::size_t N>
  FixedBytes<N> fixed() {
    const auto bytes = FixedBytes<N>::from(take(N));
    return bytes ? *bytes : FixedBytes<N>{};
  }
  // A number of things of at least `least` bytes each; refused if the file cannot hold them.
  std::uint64_t count(int width, std::uint64_t most, std::uint64_t least) {
    const std::uint64_t value = number(width);
    if (problem_) return 0;
    if (value > most) {
      complain(std::to_string(value) + " are more than a bundle may have: " + std::to_string(most),
               ErrorCode::kLimit);
      return 0;
    }
    if (value > (bytes_.size() - at_) / least) {
      complain(std::to_string(value) + " do not fit into the file");
      return 0;
    }
    return value;
  }
  std::string text(std::size_t most) {
    const std::uint64_t size = number(4);
    if (!problem_ && size > most) {
      complain("text of " + std::to_string(size) + " bytes, at most " + std::to_string(most),
               ErrorCode::kLimit);
    }
    const std::string out(text_of(take(size)));
    if (!problem_ && !is_clean_utf8(out)) complain("is not clean UTF-8");
    return problem_ ? std::string() : out;
  }

  // --- the parts
  void header() {
    in("game"), out_.game_.game = fixed<16>();
    in("mainline"), out_.game_.mainline = fixed<16>();
    in("created at"), out_.game_.created_at_ms = number(8);
    in("name"), out_.game_.name = text(StoreLimits::kNameBytesMax);
    in("log key"), out_.key_ = text(BundleLimits::kEvidenceBytesMax);
    in("checkpoint"), out_.checkpoint_ = text(BundleLimits::kEvidenceBytesMax);
  }
  void contents() {
    in("contents");
    const std::uint64_t n = count(4, StoreLimits::kContentsMax, 36);
    for (std::uint64_t i = 0; i < n && !problem_; ++i) {
      in("contents[" + std::to_string(i) + "]");
      Bundle::Stored stored;
      stored.hash = fixed<32>();
      const std::uint64_t length = number(4);
      if (length > StoreLimits::kContentBytesMax) {
        complain("content of " + std::to_string(length) + " bytes", ErrorCode::kLimit);
      }
      stored.at = at_;
      stored.length = static_cast<std::uint32_t>(length);
      take(length);
      out_.contents_.push_back(stored);
    }
  }
  void branches() {
    in("branches");
    const std::uint64_t n = count(4, BundleLimits::kBranchesMax, 89);
    if (!problem_ && n == 0) complain("there is not even the mainline");
    for (std::uint64_t i = 0; i < n && !problem_; ++i) {
      in("branches[" + std::to_string(i) + "]");
      branch(i);
    }
    out_.own_.resize(out_.branches_.size());
    out_.game_.tree_size = 0;
  }
  void branch(std::uint64_t i) {
    BranchInfo info;
    info.game = out_.game_.game;
    info.branch = fixed<16>();
    const BranchId parent = fixed<16>();
    info.forked_at = number(8);
    info.version = number(8);
    info.event_hash = fixed<32>();
    const std::uint64_t deleted = number(1);
    info.name = text(StoreLimits::kNameBytesMax);
    info.reason = text(StoreLimits::kReasonBytesMax);
    if (problem_) return;
    info.deleted = deleted != 0;
    std::size_t parent_index = i;
    if (deleted > 1) return complain("deleted is neither 0 nor 1");
    if (i == 0) {
      if (info.branch != out_.game_.mainline) return complain("the first is not the mainline");
      if (!parent.is_zero() || info.forked_at != 0 || deleted) {
        return complain("the mainline has no parent and cannot be put away");
      }
      if (info.version == 0) return complain("the mainline has no events");
    } else {
      const auto found = out_.index_of(parent);
      if (!found) return complain("its parent does not stand before it");
      const BranchInfo& above = out_.branches_[*found];
      if (info.forked_at < 1 || info.forked_at > above.version) {
        return complain("forked at version " + std::to_string(info.forked_at) +
                        " of a parent with " + std::to_string(above.version));
      }
      info.parent = parent;
      info.depth = above.depth + 1;
      if (info.depth > StoreLimits::kBranchDepthMax) {
        return complain("nested too deeply", ErrorCode::kLimit);
      }
      parent_index = *found;
    }
    if (info.version < info.forked_at) return complain("ends before it was forked");
    auto& by_id = out_.by_id_;
    const auto place = std::lower_bound(by_id.begin(), by_id.end(), std::pair(info.branch, 0ul));
    if (place != by_id.end() && place->first == info.branch) return complain("stands twice");
    by_id.insert(place, {info.branch, i});
    out_.parents_.push_back(parent_index);
    out_.branches_.push_back(std::move(info));
  }
  void events() {
    in("events");
    const std::uint64_t n = count(8, BundleLimits::kEventsMax, 50);
    if (!problem_) out_.events_.reserve(n);
    for (std::uint64_t i = 0; i < n && !problem_; ++i) {
      // The name is made when it is needed: this loop runs for every event there is.
      event_ = i;
      event();
    }
    if (problem_) return;
    in("events");
    for (std::size_t b = 0; b < out_.branches_.size(); ++b) {
      const BranchInfo& branch = out_.branches_[b];
      const Version last = branch.forked_at + out_.own_[b].size();
      if (last == branch.version) continue;
      return complain("branch " + to_hex(branch.branch) + " ends with version " +
                      std::to_string(last) + ", not " + std::to_string(branch.version));
    }
    out_.game_.tree_size = n;
  }
  void event() {
    constexpr std::uint64_t kHead = 50;
    if (bytes_.size() - at_ < kHead) {
      in("events[" + std::to_string(event_) + "]");
      take(kHead);
      return;
    }
    Bundle::Event event;
    const std::uint64_t branch = number(4);
    event.version = number(8);
    event.type = static_cast<std::uint16_t>(number(2));
    const std::uint64_t length = number(4);
    event.hash = at_;
    at_ += Hash::kSize;
    event.payload = at_;
    const std::string problem = problem_of(branch, event.version, length);
    if (!problem.empty() || length > bytes_.size() - at_) {
      in("events[" + std::to_string(event_) + "]");
      if (!problem.empty()) return complain(problem);
    }
    take(length);
    event.branch = static_cast<std::uint32_t>(branch);
    event.length = static_cast<std::uint32_t>(length);
    if (problem_) return;
    out_.own_[branch].push_back(event_);
    out_.events_.push_back(event);
  }
  std::string problem_of(std::uint64_t branch, Version version, std::uint64_t length) const {
    if (length > StoreLimits::kEventBytesMax)
      return "an event of " + std::to_string(length) + " bytes";
    if (branch >= out_.branches_.size()) return "there is no branch " + std::to_string(branch);
    const BranchInfo& info = out_.branches_[branch];
    const Version expected = info.forked_at + out_.own_[branch].size() + 1;
    if (version != expected) {
      return "version " + std::to_string(version) + " of branch " + to_hex(info.branch) +
             ", expected " + std::to_string(expected);
    }
    if (version > info.version) return "is beyond the end of branch " + to_hex(info.branch);
    if (info.parent && out_.own_[branch].empty() &&
        !out_.find(out_.parents_[branch], info.forked_at)) {
      return "branch " + to_hex(info.branch) + " begins before the event it was forked at";
    }
    return {};
  }

  Bundle& out_;
  const Bytes& bytes_;
  std::size_t at_ = 0;
  std::uint64_t event_ = 0;
  std::string field_;
  std::optional<Error> problem_;
};

Result<std::unique_ptr<Bundle>> Bundle::open(Bytes bytes) {
  std::unique_ptr<Bundle> out(new Bundle);
  out->bytes_ = std::move(bytes);
  if (auto status = BundleParser(*out).run(); !status) return std::move(status).error();
  return out;
}

Result<std::unique_ptr<Bundle>> Bundle::read(const std::filesystem::path& file) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(file, error)) {
    return not_found(file.string() + ": is no file");
  }
  const std::uintmax_t size = std::filesystem::file_size(file, error);
  if (error) return Error{ErrorCode::kIo, file.string() + ": " + error.message()};
  if (size > BundleLimits::kFileBytesMax) {
    return Error{ErrorCode::kLimit, file.string() + ": is larger than a bundle may be: " +
                                        std::to_string(BundleLimits::kFileBytesMax) + " bytes"};
  }
  Bytes bytes(size);
  std::ifstream in(file, std::ios::binary);
  in.read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(size));
  if (!in || static_cast<std::uintmax_t>(in.gcount()) != size) {
    return Error{ErrorCode::kIo, file.string() + ": cannot be read"};
  }
  auto opened = open(std::move(bytes));
  if (!opened) return std::move(opened).error().within(file.string());
  return opened;
}

}  // namespace wardiary

// Lines of a text, one at a time, however long a hostile one is.
#pragma once

#include <cstdint>
#include <istream>
#include <string>

#include "domain/base/result.h"

namespace wardiary {

class LineReader {
 public:
  LineReader(std::istream& in, std::size_t line_bytes_max) : in_(in), max_(line_bytes_max) {}

  std::uint64_t number() const { return number_; }  // of the line read last, from 1

  // False at the end. kLimit for a line that is too long; the next call goes on after it.
  Result<bool> next(std::string& line) {
    constexpr int kEnd = std::char_traits<char>::eof();
    line.clear();
    std::streambuf& buffer = *in_.rdbuf();
    int c = buffer.sbumpc();
    if (c == kEnd) return false;
    ++number_;
    bool too_long = false;
    for (; c != kEnd && c != '\n'; c = buffer.sbumpc()) {
      too_long = too_long || line.size() >= max_;
      if (!too_long) line += static_cast<char>(c);
    }
    if (!too_long) return true;
    return Error{ErrorCode::kLimit, "longer than " + std::to_string(max_) + " bytes"};
  }

 private:
  std::istream& in_;
  const std::size_t max_;
  std::uint64_t number_ = 0;
};

}  // namespace wardiary

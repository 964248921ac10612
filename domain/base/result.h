// A value or an error. Nothing in this project throws across a folder boundary: what can fail
// returns one of these, and whoever calls a library that throws turns the exception into one there.
#pragma once

#include <string>
#include <utility>
#include <variant>

namespace wardiary {

// The kinds of failure a caller may want to tell apart. The text says the rest.
enum class ErrorCode {
  kInvalid,    // the input is wrong; the text names the field
  kNotFound,   // no such game, branch, event, unit, file
  kConflict,   // it exists already, or somebody else was first
  kCorrupt,    // stored bytes are not what was written; the text names game, branch and version
  kLimit,      // a named limit was exceeded
  kFull,       // no space left
  kClosed,     // the store or service is shutting down
  kDenied,     // the caller may not do or see this
  kUnknown,    // it may or may not have happened: ask again with the same command id
  kIo,         // the operating system said no
};

// "invalid", "not_found", ...: the stable word used in JSON, logs and exit messages.
constexpr const char* name_of(ErrorCode code) {
  switch (code) {
    case ErrorCode::kInvalid: return "invalid";
    case ErrorCode::kNotFound: return "not_found";
    case ErrorCode::kConflict: return "conflict";
    case ErrorCode::kCorrupt: return "corrupt";
    case ErrorCode::kLimit: return "limit";
    case ErrorCode::kFull: return "full";
    case ErrorCode::kClosed: return "closed";
    case ErrorCode::kDenied: return "denied";
    case ErrorCode::kUnknown: return "unknown";
    case ErrorCode::kIo: return "io";
  }
  return "?";
}

struct Error {
  ErrorCode code = ErrorCode::kInvalid;
  std::string text;

  // The same error seen from further out: "scenario S41: unit 3: no such space".
  Error within(const std::string& where) && { return {code, where + ": " + text}; }
};

inline Error invalid(std::string text) { return {ErrorCode::kInvalid, std::move(text)}; }
inline Error not_found(std::string text) { return {ErrorCode::kNotFound, std::move(text)}; }
inline Error corrupt(std::string text) { return {ErrorCode::kCorrupt, std::move(text)}; }

template <class T>
class [[nodiscard]] Result {
 public:
  Result(T value) : state_(std::move(value)) {}      // NOLINT: a value is a result
  Result(Error error) : state_(std::move(error)) {}  // NOLINT: so is an error

  bool ok() const { return state_.index() == 0; }
  explicit operator bool() const { return ok(); }

  T& value() & { return std::get<0>(state_); }
  const T& value() const& { return std::get<0>(state_); }
  T&& value() && { return std::get<0>(std::move(state_)); }
  T& operator*() & { return value(); }
  const T& operator*() const& { return value(); }
  T&& operator*() && { return std::move(*this).value(); }
  T* operator->() { return &value(); }
  const T* operator->() const { return &value(); }

  const Error& error() const& { return std::get<1>(state_); }
  Error&& error() && { return std::get<1>(std::move(state_)); }

 private:
  std::variant<T, Error> state_;
};

// For functions that succeed with nothing to say.
struct Done {};
using Status = Result<Done>;

}  // namespace wardiary

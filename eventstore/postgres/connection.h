// One connection to a PostgreSQL server through libpq: prepared statements with binary parameters,
// several of them in one round trip (pipeline mode), and a deadline on every answer.
//
// The deadline is kept here, on the socket, and not by the server: a commit that waits for a
// standby ignores statement_timeout, and a cancel sent to it makes it answer success though nothing
// was replicated. So nothing is ever cancelled; an answer that does not come leaves its outcome
// unknown, and the connection is given up.
#pragma once

#include <chrono>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "domain/base/bytes.h"
#include "domain/base/result.h"

struct pg_conn;
struct pg_result;

namespace wardiary::postgres {

using Clock = std::chrono::steady_clock;
using Deadline = Clock::time_point;

// A statement that connections prepare when they first need it.
struct Statement {
  const char* name;
  const char* sql;
};

// Parameters in the server's binary form, in order.
class Params {
 public:
  Params& bytes(std::string_view value);
  Params& bytes(ByteView value) { return bytes(text_of(value)); }
  Params& number(std::uint64_t value);
  Params& text(std::string_view value) { return bytes(value); }
  Params& byte_array(std::span<const std::string> values);

  std::size_t count() const { return values_.size(); }
  const std::vector<std::string>& values() const { return values_; }

 private:
  std::vector<std::string> values_;
};

struct Call {
  const Statement* statement;
  Params params;
};

// The rows of an answer; views are valid as long as this is.
class Rows {
 public:
  explicit Rows(pg_result* result);
  std::size_t count() const;
  std::string_view bytes(std::size_t row, int column) const;
  std::uint64_t number(std::size_t row, int column) const;
  bool null(std::size_t row, int column) const;

 private:
  std::shared_ptr<pg_result> result_;
};

// Why there is no answer.
struct Failure {
  enum class Kind {
    kRefused,  // the server said no; nothing was done
    kAgain,  // nothing was done, and asking again is the thing to do: a deadlock, a lock that took
             // too long, a server that no longer takes writes
    kTaken,  // a key exists already; nothing was done
    kLost,   // no answer: what was asked for may or may not be done
  };
  Kind kind = Kind::kRefused;
  std::string state;  // SQLSTATE, where the server gave one
  std::string text;

  Error error() const;
};

template <class T>
class Answer {
 public:
  Answer(T value) : value_(std::move(value)) {}              // NOLINT: a value is an answer
  Answer(Failure failure) : failure_(std::move(failure)) {}  // NOLINT: so is a failure
  bool ok() const { return value_.has_value(); }
  explicit operator bool() const { return ok(); }
  T& operator*() { return *value_; }
  T* operator->() { return &*value_; }
  const Failure& failure() const { return failure_; }

 private:
  std::optional<T> value_;
  Failure failure_;
};

class Connection {
 public:
  // `uri` may name several hosts; the first that takes writes is used. `setup` is run at once.
  static Answer<std::unique_ptr<Connection>> open(const std::string& uri, int connect_seconds,
                                                  const std::string& setup);
  ~Connection();

  Answer<Rows> run(const Call& call, Deadline deadline);
  // All in one transaction and one round trip; the answers in order. An answer that came with a
  // warning is kLost: the server warns when a commit was not replicated as it should be.
  Answer<std::vector<Rows>> transact(std::span<const Call> calls, Deadline deadline);
  // Text for the server as it stands, several statements perhaps; no parameters.
  Answer<Rows> script(const std::string& sql, Deadline deadline);

  // False once an answer did not come: the connection must be given up.
  bool usable() const { return usable_; }
  std::uint64_t number() const { return number_; }  // of this process's connections

 private:
  explicit Connection(pg_conn* connection);
  Answer<bool> prepare(const Statement& statement, Deadline deadline);
  Answer<bool> send(const Call& call);
  Answer<bool> flush(Deadline deadline);
  // The next result, null at the end of one statement's results.
  Answer<pg_result*> next(Deadline deadline);
  Answer<Rows> one_answer(Deadline deadline);
  Answer<bool> wait(bool to_write, Deadline deadline);
  Failure lost(const std::string& text);
  Failure failure_of(pg_result* result);
  static void noticed(void* self, const pg_result* result);

  pg_conn* connection_;
  const std::uint64_t number_;
  bool usable_ = true;
  bool warned_ = false;
  std::string warning_;
  std::set<std::string_view> prepared_;
};

}  // namespace wardiary::postgres

#include "eventstore/postgres/connection.h"

#include <libpq-fe.h>
#include <poll.h>

#include <atomic>
#include <cerrno>
#include <cstring>

namespace wardiary::postgres {
namespace {

constexpr unsigned kByteaType = 17;

std::string trimmed(const char* text) {
  std::string out(text ? text : "");
  while (!out.empty() && (out.back() == '\n' || out.back() == ' ')) out.pop_back();
  return out;
}

void add_u32(std::string& out, std::uint32_t v) {
  for (int i = 3; i >= 0; --i) out.push_back(static_cast<char>(v >> (8 * i)));
}

std::uint64_t next_number() {
  static std::atomic<std::uint64_t> numbers{0};
  return ++numbers;
}

// What a state the server named means for whoever asked.
Failure::Kind kind_of(std::string_view state) {
  if (state == "23505") return Failure::Kind::kTaken;
  if (state == "40001" || state == "40P01" || state == "55P03") return Failure::Kind::kAgain;
  if (state == "25006") return Failure::Kind::kAgain;  // it has become a standby
  // Shutting down, crashed, or not up yet: what was under way may have been done before it said so.
  if (state.starts_with("57P") || state.starts_with("08")) return Failure::Kind::kLost;
  return Failure::Kind::kRefused;
}

}  // namespace

Params& Params::bytes(std::string_view value) {
  values_.emplace_back(value);
  return *this;
}

Params& Params::number(std::uint64_t value) {
  std::string out;
  add_u32(out, static_cast<std::uint32_t>(value >> 32));
  add_u32(out, static_cast<std::uint32_t>(value));
  values_.push_back(std::move(out));
  return *this;
}

Params& Params::byte_array(std::span<const std::string> values) {
  std::string out;
  add_u32(out, values.empty() ? 0 : 1);  // dimensions
  add_u32(out, 0);                       // no nulls
  add_u32(out, kByteaType);
  if (!values.empty()) {
    add_u32(out, static_cast<std::uint32_t>(values.size()));
    add_u32(out, 1);  // the first index
    for (const std::string& value : values) {
      add_u32(out, static_cast<std::uint32_t>(value.size()));
      out += value;
    }
  }
  values_.push_back(std::move(out));
  return *this;
}

Rows::Rows(pg_result* result) : result_(result, PQclear) {}

std::size_t Rows::count() const {
  return static_cast<std::size_t>(PQntuples(result_.get()));
}
std::string_view Rows::bytes(std::size_t row, int column) const {
  const int r = static_cast<int>(row);
  return {PQgetvalue(result_.get(), r, column),
          static_cast<std::size_t>(PQgetlength(result_.get(), r, column))};
}
std::uint64_t Rows::number(std::size_t row, int column) const {
  std::uint64_t out = 0;
  for (const char c : bytes(row, column)) out = out << 8 | static_cast<std::uint8_t>(c);
  return out;
}
bool Rows::null(std::size_t row, int column) const {
  return PQgetisnull(result_.get(), static_cast<int>(row), column) != 0;
}

Error Failure::error() const {
  ErrorCode code = ErrorCode::kIo;
  if (kind == Kind::kLost) code = ErrorCode::kUnknown;
  if (kind == Kind::kTaken) code = ErrorCode::kConflict;
  if (state == "53100") code = ErrorCode::kFull;
  if (state == "42501" || state.starts_with("28")) code = ErrorCode::kDenied;
  if (state == "42P01") {
    return {ErrorCode::kNotFound, "PostgreSQL: this database holds no War Diary store: " + text};
  }
  if (state == "XX001" || state == "XX002") code = ErrorCode::kCorrupt;
  return {code, "PostgreSQL: " + text};
}

// ---------------------------------------------------------------------------------- opening

Connection::Connection(pg_conn* connection) : connection_(connection), number_(next_number()) {
  PQsetNoticeReceiver(connection_, &Connection::noticed, this);
}

Connection::~Connection() {
  PQfinish(connection_);
}

Answer<std::unique_ptr<Connection>> Connection::open(const std::string& uri, int connect_seconds,
                                                     const std::string& setup) {
  // What the uri does not say itself: only a server that takes writes will do, and a server that
  // has vanished from the network is noticed.
  const std::string seconds = std::to_string(connect_seconds);
  const char* const names[] = {"target_session_attrs",
                               "connect_timeout",
                               "tcp_user_timeout",
                               "keepalives_idle",
                               "application_name",
                               "dbname",
                               nullptr};
  const char* const values[] = {"read-write", seconds.c_str(), "20000", "10",
                                "wardiary",   uri.c_str(),     nullptr};
  pg_conn* connection = PQconnectdbParams(names, values, 1);
  if (!connection) return Failure{Failure::Kind::kLost, "", "out of memory"};
  std::unique_ptr<Connection> out(new Connection(connection));
  if (PQstatus(connection) != CONNECTION_OK) {
    return Failure{Failure::Kind::kLost, "", trimmed(PQerrorMessage(connection))};
  }
  if (PQsetnonblocking(connection, 1) != 0) return out->lost("cannot be made non-blocking");
  const Deadline deadline = Clock::now() + std::chrono::seconds(connect_seconds);
  if (setup.empty()) return out;
  if (auto done = out->script(setup, deadline); !done) return done.failure();
  return out;
}

void Connection::noticed(void* self, const pg_result* result) {
  auto& connection = *static_cast<Connection*>(self);
  const char* severity = PQresultErrorField(result, PG_DIAG_SEVERITY_NONLOCALIZED);
  if (!severity || std::strcmp(severity, "WARNING") != 0) return;
  connection.warned_ = true;
  connection.warning_ = trimmed(PQresultErrorField(result, PG_DIAG_MESSAGE_PRIMARY));
}

// ---------------------------------------------------------------------------------- waiting

Failure Connection::lost(const std::string& text) {
  usable_ = false;
  return {Failure::Kind::kLost, "", text.empty() ? "the connection was lost" : text};
}

Answer<bool> Connection::wait(bool to_write, Deadline deadline) {
  for (;;) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - Clock::now());
    if (left.count() <= 0) return lost("no answer in time");
    pollfd fd{PQsocket(connection_), static_cast<short>(POLLIN | (to_write ? POLLOUT : 0)), 0};
    const int n = ::poll(&fd, 1, static_cast<int>(left.count()));
    if (n < 0 && errno != EINTR) return lost(std::strerror(errno));
    if (n <= 0) continue;
    if ((fd.revents & (POLLIN | POLLERR | POLLHUP)) != 0 && PQconsumeInput(connection_) == 0) {
      return lost(trimmed(PQerrorMessage(connection_)));
    }
    return true;
  }
}

// Reads while it writes: a server whose answers nobody takes would stop taking questions.
Answer<bool> Connection::flush(Deadline deadline) {
  for (;;) {
    const int state = PQflush(connection_);
    if (state == 0) return true;
    if (state < 0) return lost(trimmed(PQerrorMessage(connection_)));
    if (auto ready = wait(true, deadline); !ready) return ready;
  }
}

Answer<pg_result*> Connection::next(Deadline deadline) {
  while (PQisBusy(connection_) != 0) {
    if (auto ready = wait(false, deadline); !ready) return ready.failure();
  }
  return PQgetResult(connection_);
}

Failure Connection::failure_of(pg_result* result) {
  const char* state = PQresultErrorField(result, PG_DIAG_SQLSTATE);
  Failure out;
  out.state = state ? state : "";
  out.text = trimmed(state ? PQresultErrorField(result, PG_DIAG_MESSAGE_PRIMARY)
                           : PQresultErrorMessage(result));
  out.kind = state ? kind_of(out.state) : Failure::Kind::kLost;
  const bool demoted = out.state == "25006";
  if (out.kind == Failure::Kind::kLost || demoted) usable_ = false;
  return out;
}

// ---------------------------------------------------------------------------------- asking

Answer<bool> Connection::send(const Call& call) {
  const auto& values = call.params.values();
  std::vector<const char*> data;
  std::vector<int> lengths, formats(values.size(), 1);
  for (const std::string& value : values) {
    data.push_back(value.data());
    lengths.push_back(static_cast<int>(value.size()));
  }
  const int sent =
      PQsendQueryPrepared(connection_, call.statement->name, static_cast<int>(values.size()),
                          data.data(), lengths.data(), formats.data(), 1);
  return sent == 1 ? Answer<bool>(true) : Answer<bool>(lost(trimmed(PQerrorMessage(connection_))));
}

// The answer to one statement outside pipeline mode: its last result that says something.
Answer<Rows> Connection::one_answer(Deadline deadline) {
  std::optional<Rows> rows;
  std::optional<Failure> failed;
  for (;;) {
    auto result = next(deadline);
    if (!result) return result.failure();
    if (!*result) break;
    Rows held(*result);
    const auto status = PQresultStatus(*result);
    if (status == PGRES_TUPLES_OK || status == PGRES_COMMAND_OK) {
      rows = std::move(held);
    } else if (!failed) {
      failed = failure_of(*result);
    }
  }
  if (failed) return *failed;
  if (!rows) return lost(trimmed(PQerrorMessage(connection_)));
  return *rows;
}

Answer<bool> Connection::prepare(const Statement& statement, Deadline deadline) {
  if (prepared_.contains(statement.name)) return true;
  if (PQsendPrepare(connection_, statement.name, statement.sql, 0, nullptr) != 1) {
    return lost(trimmed(PQerrorMessage(connection_)));
  }
  if (auto flushed = flush(deadline); !flushed) return flushed;
  if (auto done = one_answer(deadline); !done) return done.failure();
  prepared_.insert(statement.name);
  return true;
}

Answer<Rows> Connection::script(const std::string& sql, Deadline deadline) {
  if (PQsendQuery(connection_, sql.c_str()) != 1) {
    return lost(trimmed(PQerrorMessage(connection_)));
  }
  if (auto flushed = flush(deadline); !flushed) return flushed.failure();
  return one_answer(deadline);
}

Answer<Rows> Connection::run(const Call& call, Deadline deadline) {
  if (auto ready = prepare(*call.statement, deadline); !ready) return ready.failure();
  warned_ = false;
  if (auto sent = send(call); !sent) return sent.failure();
  if (auto flushed = flush(deadline); !flushed) return flushed.failure();
  auto rows = one_answer(deadline);
  if (rows && warned_) return lost(warning_);
  return rows;
}

Answer<std::vector<Rows>> Connection::transact(std::span<const Call> calls, Deadline deadline) {
  static const Statement kBegin{"wd_begin", "begin"};
  static const Statement kCommit{"wd_commit", "commit"};
  for (const Statement* statement : {&kBegin, &kCommit}) {
    if (auto ready = prepare(*statement, deadline); !ready) return ready.failure();
  }
  for (const Call& call : calls) {
    if (auto ready = prepare(*call.statement, deadline); !ready) return ready.failure();
  }
  warned_ = false;
  if (PQenterPipelineMode(connection_) != 1) return lost("no pipeline mode");
  // One statement is a transaction of its own; more of them are put into one.
  const bool wrapped = calls.size() > 1;
  bool sent = !wrapped || send({&kBegin, {}}).ok();
  for (const Call& call : calls) sent = sent && send(call).ok();
  sent = sent && (!wrapped || send({&kCommit, {}}).ok());
  if (!sent || PQpipelineSync(connection_) != 1) {
    return lost(trimmed(PQerrorMessage(connection_)));
  }
  if (auto flushed = flush(deadline); !flushed) return flushed.failure();

  std::vector<Rows> answers;
  std::optional<Failure> failed;
  std::size_t statements = 0;  // whose results have ended
  const std::size_t first = wrapped ? 1 : 0;
  const std::size_t expected = calls.size() + 2 * first;
  for (bool synced = false; !synced;) {
    auto result = next(deadline);
    if (!result) return result.failure();
    if (!*result) {  // the end of one statement
      if (++statements > expected + 1) return lost(trimmed(PQerrorMessage(connection_)));
      continue;
    }
    Rows held(*result);
    switch (PQresultStatus(*result)) {
      case PGRES_PIPELINE_SYNC:
        synced = true;
        break;
      case PGRES_TUPLES_OK:
      case PGRES_COMMAND_OK:
        if (statements >= first && statements < first + calls.size()) answers.push_back(held);
        // "commit" of a transaction that has failed answers, without an error, "ROLLBACK".
        if (!failed && std::strcmp(PQcmdStatus(*result), "ROLLBACK") == 0) {
          failed = Failure{Failure::Kind::kAgain, "", "the transaction was rolled back"};
        }
        break;
      case PGRES_PIPELINE_ABORTED:
        break;
      default:
        if (!failed) failed = failure_of(*result);
    }
  }
  if (PQexitPipelineMode(connection_) != 1) return lost(trimmed(PQerrorMessage(connection_)));
  if (failed && wrapped) {  // the commit was skipped with the rest: end the transaction
    if (auto ended = script("rollback", deadline); !ended) usable_ = false;
  }
  if (failed) return *failed;
  if (warned_) return lost(warning_);
  if (answers.size() != calls.size()) return lost("answers are missing");
  return answers;
}

}  // namespace wardiary::postgres

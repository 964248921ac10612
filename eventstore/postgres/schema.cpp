#include "eventstore/postgres/schema.h"

#include <array>

namespace wardiary::postgres {
namespace {

using stored::Family;

// Each step brings the tables from its number to the next. Statements of a released step never
// change; what is new comes in a new step.
const std::array<std::vector<const char*>, kSchemaVersion> kSteps = {{
    {
        "create table if not exists wardiary_event (k bytea primary key, v bytea not null)",
        "create table if not exists wardiary_game (k bytea primary key, v bytea not null)",
        "create table if not exists wardiary_branch (k bytea primary key, v bytea not null)",
        "create table if not exists wardiary_game_head (k bytea primary key, mark bytea not null, "
        "events bigint not null, bytes bigint not null, v bytea not null)",
        "create table if not exists wardiary_branch_head (k bytea primary key, game bytea not "
        "null, "
        "version bigint not null, v bytea not null)",
        "create table if not exists wardiary_command (k bytea primary key, v bytea not null)",
        "create table if not exists wardiary_leaf (k bytea primary key, v bytea not null)",
        "create table if not exists wardiary_tile (k bytea primary key, v bytea not null)",
        "create table if not exists wardiary_content (k bytea primary key, v bytea not null)",
        "create table if not exists wardiary_snapshot (k bytea primary key, v bytea not null)",
        "create table if not exists wardiary_index (k bytea primary key, v bytea not null)",
        "create table if not exists wardiary_note (k bytea primary key, v bytea not null, "
        "token bytea not null)",
        "create table if not exists wardiary_record (k bytea primary key, v bytea not null)",
        "create table if not exists wardiary_checkpoint (k bytea primary key, v bytea not null)",
    },
}};

// Helps PostgreSQL to update the rows that change with every commit in place; others may refuse.
constexpr const char* kTuning[] = {
    "alter table wardiary_game_head set (fillfactor = 50)",
    "alter table wardiary_branch_head set (fillfactor = 50)",
};

const Statement kReadMeta{"wd_meta", "select v from wardiary_meta where k = $1::text"};
const Statement kAddMeta{"wd_meta_add",
                         "insert into wardiary_meta (k, v) values ($1::text, $2::text) "
                         "on conflict (k) do nothing"};
const Statement kSetMeta{"wd_meta_set", "update wardiary_meta set v = $2::text where k = $1::text"};

Result<int> version_of(Connection& connection, Deadline deadline) {
  auto text = read_meta(connection, "schema", deadline);
  if (!text) return std::move(text).error();
  return *text ? std::atoi((*text)->c_str()) : 0;
}

Error newer(int version) {
  return invalid("the tables are of version " + std::to_string(version) +
                 "; this program knows version " + std::to_string(kSchemaVersion) + " only");
}

std::string setting(Connection& connection, const std::string& name, Deadline deadline) {
  auto rows = connection.script("show " + name, deadline);
  return rows && rows->count() == 1 ? std::string(rows->bytes(0, 0)) : "";
}

}  // namespace

const char* table_of(Family family) {
  switch (family) {
    case Family::kEvents:
      return "wardiary_event";
    case Family::kGames:
      return "wardiary_game";
    case Family::kBranches:
      return "wardiary_branch";
    case Family::kCommands:
      return "wardiary_command";
    case Family::kLeaves:
      return "wardiary_leaf";
    case Family::kTree:
      return "wardiary_tile";
    case Family::kContents:
      return "wardiary_content";
    case Family::kSnapshots:
      return "wardiary_snapshot";
    case Family::kIndex:
      return "wardiary_index";
    case Family::kNotes:
      return "wardiary_note";
    case Family::kRecords:
      return "wardiary_record";
    case Family::kDefault:
    case Family::kSegments:
    case Family::kHeads:
      return nullptr;
  }
  return nullptr;
}

Result<std::optional<std::string>> read_meta(Connection& connection, const std::string& name,
                                             Deadline deadline) {
  auto rows = connection.run({&kReadMeta, Params().text(name)}, deadline);
  if (!rows) return rows.failure().error();
  if (rows->count() == 0) return std::optional<std::string>();
  return std::optional(std::string(rows->bytes(0, 0)));
}

Result<std::string> settle_meta(Connection& connection, const std::string& name,
                                const std::string& value, Deadline deadline) {
  auto added = connection.run({&kAddMeta, Params().text(name).text(value)}, deadline);
  if (!added) return added.failure().error();
  auto now = read_meta(connection, name, deadline);
  if (!now) return std::move(now).error();
  return now->value_or(value);
}

Status write_meta(Connection& connection, const std::string& name, const std::string& value,
                  Deadline deadline) {
  auto made = settle_meta(connection, name, value, deadline);
  if (!made) return std::move(made).error();
  auto set = connection.run({&kSetMeta, Params().text(name).text(value)}, deadline);
  return set ? Status(Done{}) : Status(set.failure().error());
}

Status create_schema(Connection& connection, Deadline deadline) {
  const auto run = [&](const std::string& sql) -> Status {
    // Two processes that make the same table at once get in each other's way; the second time it
    // is there.
    for (int attempt = 0;; ++attempt) {
      auto done = connection.script(sql, deadline);
      if (done) return Done{};
      const bool race = done.failure().kind == Failure::Kind::kTaken ||
                        done.failure().state == "42P07" || done.failure().state == "XX000";
      if (!race || attempt == 5) return done.failure().error();
    }
  };
  if (Status s = run("create table if not exists wardiary_meta (k text primary key, "
                     "v text not null)");
      !s) {
    return s;
  }
  auto version = version_of(connection, deadline);
  if (!version) return std::move(version).error();
  if (*version > kSchemaVersion) return newer(*version);
  for (int step = *version; step < kSchemaVersion; ++step) {
    for (const char* sql : kSteps[static_cast<std::size_t>(step)]) {
      if (Status s = run(sql); !s) return s;
    }
    Status s = write_meta(connection, "schema", std::to_string(step + 1), deadline);
    if (!s) return s;
  }
  for (const char* sql : kTuning) (void)connection.script(sql, deadline);
  return Done{};
}

Status check_schema(Connection& connection, Deadline deadline) {
  auto version = version_of(connection, deadline);
  if (!version) return std::move(version).error();
  if (*version == kSchemaVersion) return Done{};
  if (*version > kSchemaVersion) return newer(*version);
  return not_found("the tables are of version " + std::to_string(*version) +
                   " and must be brought up to version " + std::to_string(kSchemaVersion));
}

Settings check_settings(Connection& connection, Deadline deadline) {
  Settings out;
  const auto get = [&](const char* name) { return setting(connection, name, deadline); };
  const auto warn = [&](const std::string& text) { out.warnings.push_back(text); };
  const std::string standbys = get("synchronous_standby_names");
  if (standbys.empty()) {
    warn(
        "synchronous_standby_names is empty: a commit is on one server only when it is "
        "acknowledged, and a failover can lose it. With two standbys n2 and n3 set it to "
        "'ANY 1 (n2, n3)'.");
  }
  const std::string commit = get("synchronous_commit");
  const bool weak = commit == "off" || commit == "local" || commit == "remote_write";
  if (weak) {
    warn("synchronous_commit is " + commit +
         ": War Diary asks for 'on' in its own sessions; set it to on for the others too.");
  }
  if (get("fsync") == "off") {
    warn(
        "fsync is off: a power failure loses acknowledged commits and may destroy the database. "
        "Set it to on.");
  }
  if (get("full_page_writes") == "off") {
    warn("full_page_writes is off: a power failure may tear pages. Set it to on.");
  }
  if (get("data_checksums") == "off") {
    warn(
        "data checksums are off: damage on disk is noticed later, by wardiary verify only. Enable "
        "them with pg_checksums.");
  }
  // A lock that another process holds too long, or a process that stops in the middle of a commit,
  // must not hold up the others for ever.
  out.setup =
      "set client_min_messages = warning; set lock_timeout = '3s'; "
      "set idle_in_transaction_session_timeout = '10s'";
  if (weak) out.setup += "; set synchronous_commit = on";
  return out;
}

}  // namespace wardiary::postgres

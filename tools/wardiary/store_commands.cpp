// init, verify, backup, restore, stats: looking after a data directory.
#include <CLI/CLI.hpp>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "eventstore/data_dir.h"
#include "eventstore/postgres_store.h"
#include "eventstore/rocksdb_store.h"
#include "tools/wardiary/evidence.h"
#include "tools/wardiary/session.h"

namespace wardiary::cli {
namespace {

using nlohmann::json;

json shown_stores(const Common& common) {
  json out = json::array();
  for (const std::string& uri : common.data.stores) out.push_back(shown_uri(uri));
  return out;
}

int init(const Common& common, bool accept_rollback) {
  if (accept_rollback) {
    auto opened = open_store(common.data, {false, true});
    if (!opened) return fail(Error{ErrorCode::kIo, opened.error().text});
    if (auto closed = opened->store->close(); !closed) return fail(closed.error());
  }
  auto session = Session::open(common.data, true);
  if (!session) return fail(session.error());
  auto stats = (*session)->store().stats();
  if (!stats) return fail(stats.error());
  if (common.json) {
    print_json({{"data", common.data.directory},
                {"stores", shown_stores(common)},
                {"games", stats->games}});
  } else {
    say((common.data.is_embedded() ? "The data directory " : "The store ") + common.data.shown() +
        " is ready (" + std::to_string(stats->games) + " games).");
    if (!common.data.is_embedded()) {
      say("Its keys are in " + common.data.directory +
          ": every process on this store needs log.key and master.key from there.");
    }
  }
  return kOk;
}

std::string counted(std::uint64_t n, const char* one, const char* many) {
  return std::to_string(n) + " " + (n == 1 ? one : many);
}

// A directory that is there already is the caller's mistake, not something that was found.
int fail_on_place(Error error) {
  if (error.code == ErrorCode::kConflict) error.code = ErrorCode::kInvalid;
  return fail(error);
}

void print_findings(const EventStore::Verified& verified) {
  constexpr std::size_t kShownMax = 100;
  for (std::size_t i = 0; i < verified.findings.size() && i < kShownMax; ++i) {
    const EventStore::Finding& f = verified.findings[i];
    say(tinted(Tint::kBad, f.check) + "  " + f.where + ": " + f.text);
  }
  if (verified.findings.size() > kShownMax) {
    say("... and " + std::to_string(verified.findings.size() - kShownMax) + " more");
  }
  say("Checked " + counted(verified.games, "game", "games") + ", " +
      counted(verified.branches, "branch", "branches") + ", " +
      counted(verified.events, "event", "events") + ", " +
      counted(verified.commits, "commit", "commits") + ", " +
      counted(verified.checkpoints, "checkpoint", "checkpoints") + ".");
  if (verified.rollbacks) {
    say(tinted(Tint::kWarn, "This store was opened " +
                                counted(verified.rollbacks, "time", "times") +
                                " though behind what it had promised."));
  }
  if (verified.restores) {
    say(tinted(Tint::kWarn,
               "This store was made from a backup: checkpoints that were signed after the backup "
               "are known only to those who hold them."));
  }
  say(verified.findings.empty()
          ? tinted(Tint::kGood, "Everything is as it was written.")
          : tinted(Tint::kBad, counted(verified.findings.size(), "finding.", "findings.")));
}

Result<EventStore::Verified> verify_store(
    const Place& place, const std::function<void(std::uint64_t events)>& progress) {
  if (place.is_embedded()) {
    StoreOptions options;
    options.directory = place.directory;
    return verify_rocksdb_store(options, progress);
  }
  auto opened = open_store(place);
  if (opened) return opened->store->verify(std::nullopt, progress);
  if (opened.error().code != ErrorCode::kCorrupt) return std::move(opened).error();
  EventStore::Verified out;
  out.findings.push_back({"open", place.shown(), opened.error().text});
  return out;
}

int verify(const Common& common, const HeldAgainst& held) {
  Progress progress("verifying events", 0);
  auto verified = verify_store(common.data, [&](std::uint64_t n) { progress.at(n); });
  if (!verified) {
    const Error error = verified.error();
    // There is nothing to find fault with where there is no store.
    return fail(error.code == ErrorCode::kConflict ? Error{ErrorCode::kIo, error.text} : error);
  }
  if (Status s = hold_against(common.data, held, *verified); !s) return fail(s.error());
  if (common.json) {
    json findings = json::array();
    for (const EventStore::Finding& f : verified->findings) {
      findings.push_back({{"check", f.check}, {"where", f.where}, {"text", f.text}});
    }
    print_json({{"games", verified->games},
                {"branches", verified->branches},
                {"events", verified->events},
                {"commits", verified->commits},
                {"checkpoints", verified->checkpoints},
                {"rollbacks", verified->rollbacks},
                {"restores", verified->restores},
                {"findings", findings}});
  } else {
    print_findings(*verified);
  }
  return verified->findings.empty() ? kOk : kFindings;
}

int backup(const Common& common, const std::string& directory, bool with_keys) {
  auto session = Session::open(common.data);
  if (!session) return fail(session.error());
  auto status = (*session)->store().backup(
      directory, with_keys ? EventStore::BackupKeys::kInclude : EventStore::BackupKeys::kLeaveOut);
  if (!status) return fail_on_place(status.error());
  if (common.json) {
    print_json({{"backup", directory}, {"keys", with_keys}});
  } else {
    say("Backed up to " + directory + (with_keys ? ", keys included: keep it secret." : "."));
  }
  return kOk;
}

int restore(const Common& common, const std::string& from) {
  if (!common.data.is_embedded()) {
    return fail(
        invalid("a backup is a data directory: bring it to PostgreSQL with wardiary copy "
                "--data " +
                from + " --to-data KEYS --to-store " + common.data.stores[0]));
  }
  {
    Progress progress("verifying events", 0);
    auto status =
        restore_rocksdb_store(from, common.data, [&](std::uint64_t n) { progress.at(n); });
    if (!status) return fail_on_place(status.error());
  }
  const DataDir files{common.data.directory};
  std::error_code error;
  const bool keys = std::filesystem::exists(files.log_key(), error) &&
                    std::filesystem::exists(files.master_key(), error);
  if (!keys) {
    // Without keys nothing could be opened. Whoever has the old ones puts them in their place.
    StoreOptions options;
    options.directory = common.data.directory;
    options.create_missing_keys = true;
    auto store = open_rocksdb_store(options);
    if (!store) return fail(Error{ErrorCode::kIo, store.error().text});
    if (auto closed = (*store)->close(); !closed) return fail(closed.error());
  }
  if (common.json) {
    print_json({{"data", common.data.directory}, {"from", from}, {"newKeys", !keys}});
    return kOk;
  }
  say("Restored " + from + " to " + common.data.directory + "; every hash of it was checked.");
  if (!keys) {
    say(tinted(Tint::kWarn,
               "The backup has no keys, so new ones were made: its games can be read "
               "and audited, but their dice cannot be rolled on unless the old "
               "master.key and log.key are put back."));
  }
  return kOk;
}

int stats(const Common& common) {
  auto session = Session::open(common.data);
  if (!session) return fail(session.error());
  auto s = (*session)->store().stats();
  if (!s) return fail(s.error());
  if (common.json) {
    print_json({{"data", common.data.directory},
                {"stores", shown_stores(common)},
                {"games", s->games},
                {"branches", s->branches},
                {"events", s->events},
                {"payloadBytes", s->payload_bytes},
                {"diskBytes", s->disk_bytes}});
    return kOk;
  }
  Table table({"of this store", ""});
  table.add({common.data.is_embedded() ? "directory" : "store", common.data.shown()});
  table.add({"games", std::to_string(s->games)});
  table.add({"branches", std::to_string(s->branches)});
  table.add({"events", std::to_string(s->events)});
  table.add({"events' bytes", bytes_text(s->payload_bytes)});
  table.add({"on disk", bytes_text(s->disk_bytes)});
  table.print();
  return kOk;
}

}  // namespace

void add_store_commands(CLI::App& app, Chosen& chosen) {
  {
    CLI::App* command = app.add_subcommand(
        "init", "make a data directory with fresh keys, or the tables in PostgreSQL");
    auto common = add_common(*command);
    auto accept = std::make_shared<bool>(false);
    command->add_flag("--accept-rollback", *accept,
                      "go on with a store that is behind what it has promised (an older backup was "
                      "put back, a file is cut short); that you did is recorded for good");
    command->footer(
        "Doing it again changes nothing.\nExamples:\n  wardiary init --data diary\n"
        "  wardiary init --data keys --store postgres://wardiary@db1,db2,db3/wardiary");
    command->callback([=, &chosen] { chosen = [=] { return init(*common, *accept); }; });
  }
  {
    CLI::App* command =
        app.add_subcommand("verify", "re-read and re-hash everything; exit 0 clean, 1 findings");
    auto common = add_common(*command);
    auto held = std::make_shared<HeldAgainst>();
    command->add_option("what", common->data.directory,
                        "the data directory (as --data), or a bundle");
    command->add_option("--key", held->key, "the verifier key line you know the log by");
    command->add_option("--receipt", held->receipts, "a receipt you were given (a file)");
    command->add_option("--checkpoint", held->checkpoints, "a checkpoint you kept (a file)");
    command->footer(
        "A bundle is verified and audited offline, without any data directory. Receipts and\n"
        "checkpoints that people kept are held against either.\n"
        "Examples:\n  wardiary verify diary\n"
        "  wardiary verify game.wardiary --receipt turn5.tlog-proof");
    command->callback([=, &chosen] {
      chosen = [=] {
        std::error_code error;
        const bool file = std::filesystem::is_regular_file(common->data.directory, error);
        return file ? verify_bundle_file(*common, *held) : verify(*common, *held);
      };
    });
  }
  {
    CLI::App* command = app.add_subcommand("backup", "copy a data directory while it is in use");
    auto common = add_common(*command);
    auto to = std::make_shared<std::string>();
    auto keys = std::make_shared<bool>(false);
    command->add_option("directory", *to, "where to; must not exist yet")->required();
    command->add_flag("--with-keys", *keys, "include the keys: such a backup can sign and roll");
    command->footer("Example:\n  wardiary backup --data diary diary-backup");
    command->callback([=, &chosen] { chosen = [=] { return backup(*common, *to, *keys); }; });
  }
  {
    CLI::App* command = app.add_subcommand("restore", "make a data directory from a backup");
    auto common = add_common(*command);
    auto from = std::make_shared<std::string>();
    command->add_option("backup", *from, "the backup")->required();
    command->footer(
        "The data directory must not exist yet; it is made only if all hashes are "
        "right.\nExample:\n  wardiary restore diary-backup --data diary2");
    command->callback([=, &chosen] { chosen = [=] { return restore(*common, *from); }; });
  }
  {
    CLI::App* command = app.add_subcommand("stats", "how much is in a data directory");
    auto common = add_common(*command);
    command->footer("Example:\n  wardiary stats --data diary --json");
    command->callback([common, &chosen] { chosen = [common] { return stats(*common); }; });
  }
}

}  // namespace wardiary::cli

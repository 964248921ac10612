// wardiary copy: a whole store into another, of the same engine or the other.
#include <CLI/CLI.hpp>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "eventstore/copy.h"
#include "eventstore/data_dir.h"
#include "tools/wardiary/command.h"
#include "tools/wardiary/place.h"

namespace wardiary::cli {
namespace {

namespace fs = std::filesystem;

// The copy signs and rolls with the keys of the original, or it would not be the same log.
Status bring_keys(const Place& from, const Place& to) {
  std::error_code error;
  fs::create_directories(to.directory, error);
  if (error) return Error{ErrorCode::kIo, to.directory + ": " + error.message()};
  const DataDir source{from.directory}, target{to.directory};
  for (const auto& [a, b] : {std::pair(source.log_key(), target.log_key()),
                             std::pair(source.master_key(), target.master_key())}) {
    auto key = read_key(a);
    if (!key) return std::move(key).error();
    if (!fs::exists(b)) {
      if (Status s = write_file(b, to_hex(*key) + "\n", 0600); !s) return s;
    }
    auto there = read_key(b);
    if (!there) return std::move(there).error();
    if (*there != *key) {
      return Error{ErrorCode::kConflict,
                   b.string() + " is another key than " + a.string() +
                       ": a copy has the keys of its original; give another --to-data"};
    }
  }
  return Done{};
}

int copy(const Common& common, const Place& to) {
  if (to.directory.empty()) return fail(invalid("--to-data: where to?"));
  auto from = open_store(common.data);
  if (!from) return fail(Error{ErrorCode::kIo, from.error().text});
  if (Status s = bring_keys(common.data, to); !s) return fail(s.error());
  auto target = open_store(to, {true, false});
  if (!target) return fail(Error{ErrorCode::kIo, target.error().text});
  Result<Copied> done = Copied{};
  {
    Progress progress("copying events", 0);
    done = copy_store(*from->store, *target->store, [&](std::uint64_t n) { progress.at(n); });
  }
  if (!done) return fail(done.error());
  if (Status s = target->store->close(); !s) return fail(s.error());
  if (common.json) {
    print_json({{"games", done->games},
                {"branches", done->branches},
                {"commits", done->commits},
                {"events", done->events},
                {"newEvents", done->new_events},
                {"checkpoints", done->checkpoints},
                {"notes", done->notes},
                {"records", done->records}});
    return kOk;
  }
  say("Copied " + common.data.shown() + " to " + to.shown() + ": " + std::to_string(done->games) +
      " games, " + std::to_string(done->branches) + " branches, " + std::to_string(done->events) +
      " events (" + std::to_string(done->new_events) + " new).");
  say(tinted(Tint::kGood, "Every byte, hash and tree was compared, and " +
                              std::to_string(done->checkpoints) + " signed checkpoints."));
  return kOk;
}

}  // namespace

void add_copy_commands(CLI::App& app, Chosen& chosen) {
  CLI::App* command =
      app.add_subcommand("copy", "copy a whole store into another, of any kind, and compare them");
  auto common = add_common(*command);
  auto to = std::make_shared<Place>();
  command
      ->add_option("--to-data", to->directory,
                   "the data directory of the copy; with --to-store, of its keys")
      ->required();
  command->add_option("--to-store", to->stores, "postgres://host,host/database of the copy")
      ->allow_extra_args(false);
  command->footer(
      "Nobody may write to either store meanwhile. Copying again continues where it ended.\n"
      "Examples:\n"
      "  wardiary copy --data diary --to-data keys --to-store "
      "postgres://wardiary@db1,db2/wardiary\n"
      "  wardiary copy --data keys --store postgres://wardiary@db1,db2/wardiary --to-data backup");
  command->callback([=, &chosen] { chosen = [=] { return copy(*common, *to); }; });
}

}  // namespace wardiary::cli

// wardiary audit: does the log prove itself?
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "replay/audit.h"
#include "replay/bundle.h"
#include "tools/wardiary/command.h"
#include "tools/wardiary/session.h"

namespace wardiary::cli {
namespace {

int audit(const Common& common, const std::string& game, bool all) {
  if (game.empty() != all) return fail(invalid("audit: name a game, or say --all"));
  auto session = Session::open(common.data);
  if (!session) return fail(session.error());
  std::vector<GameInfo> games;
  if (all) {
    auto status = (*session)->each_game([&](const GameInfo& info) { games.push_back(info); });
    if (!status) return fail(status.error());
  } else {
    auto found = (*session)->find_game(game);
    if (!found) return fail(found.error());
    games.push_back(std::move(*found));
  }
  nlohmann::json reports = nlohmann::json::array();
  bool clean = true;
  for (const GameInfo& info : games) {
    std::optional<Progress> progress(std::in_place, "auditing events", info.tree_size);
    auto report = audit_game((*session)->store(), (*session)->library(), info.game,
                             [&](std::uint64_t n) { progress->at(n); });
    progress.reset();
    if (!report) {
      // One game that cannot be opened must not hide the others.
      clean = false;
      reports.push_back({{"game", to_hex(info.game)},
                         {"name", info.name},
                         {"clean", false},
                         {"error", report.error().text}});
      if (!common.json) {
        say("\"" + info.name + "\" cannot be audited: " + report.error().text);
      }
      continue;
    }
    clean = clean && report->clean();
    if (common.json) {
      reports.push_back(audit_json(*report));
    } else {
      const std::string text = audit_text(*report);
      say(report->clean() ? text : tinted(Tint::kBad, text));
    }
  }
  if (common.json) print_json({{"clean", clean}, {"games", reports}});
  return clean ? kOk : kFindings;
}

}  // namespace

int verify_bundle_file(const Common& common, const HeldAgainst& held) {
  constexpr std::size_t kEvidenceBytesMax = 1u << 20;
  BundleWitness witness;
  witness.key = held.key;
  for (const std::string& file : held.receipts) {
    auto text = read_input(file, kEvidenceBytesMax);
    if (!text) return fail(text.error());
    witness.receipts.push_back(std::move(*text));
  }
  for (const std::string& file : held.checkpoints) {
    auto text = read_input(file, kEvidenceBytesMax);
    if (!text) return fail(text.error());
    witness.checkpoints.push_back(std::move(*text));
  }
  auto bundle = Bundle::read(common.data);
  std::optional<Result<AuditReport>> report;
  if (bundle) {
    Progress progress("verifying events", (*bundle)->info().tree_size);
    report = verify_bundle(**bundle, witness, [&](std::uint64_t n) { progress.at(n); });
  }
  const Error* error = !bundle ? &bundle.error() : !*report ? &report->error() : nullptr;
  if (error) {
    // A file that is no sound bundle was not proven to be what it says: that is the finding.
    if (error->code == ErrorCode::kIo) return fail(*error);
    if (common.json)
      print_json({{"clean", false}, {"error", error->text}});
    else
      complain(error->text);
    return kFindings;
  }
  const AuditReport& found = **report;
  if (common.json) {
    print_json(audit_json(found));
  } else {
    const std::string text = audit_text(found);
    say(found.clean() ? text : tinted(Tint::kBad, text));
  }
  return found.clean() ? kOk : kFindings;
}

void add_audit_commands(CLI::App& app, Chosen& chosen) {
  CLI::App* command =
      app.add_subcommand("audit", "run a game again and compare; exit 0 clean, 1 findings");
  auto common = add_common(*command);
  auto game = std::make_shared<std::string>();
  auto all = std::make_shared<bool>(false);
  command->add_option("game", *game, "name or id");
  command->add_flag("--all", *all, "every game of the data directory");
  command->footer("Example:\n  wardiary audit \"Duel at the ford\"\n  wardiary audit --all --json");
  command->callback([=, &chosen] { chosen = [=] { return audit(*common, *game, *all); }; });
}

}  // namespace wardiary::cli

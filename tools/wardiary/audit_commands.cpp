// audit, dossier, luck: does the log prove itself, and what do its dice say?
#include <CLI/CLI.hpp>
#include <fstream>
#include <nlohmann/json.hpp>

#include "replay/audit.h"
#include "replay/bundle.h"
#include "replay/dossier.h"
#include "tools/wardiary/command.h"
#include "tools/wardiary/session.h"

namespace wardiary::cli {
namespace {

// Writes a report to a file, or to standard output for "-".
int write_report(const std::string& file, const std::string& text) {
  if (file == "-") {
    say(text);
    return kOk;
  }
  std::ofstream out(file, std::ios::binary | std::ios::trunc);
  out << text;
  out.close();
  return out ? kOk : fail(Error{ErrorCode::kIo, file + ": cannot be written"});
}

int audit(const Common& common, const std::string& game, bool all, const std::string& page) {
  if (!page.empty() && all) return fail(invalid("audit: --html is for one game"));
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
    if (!page.empty()) {
      if (const int status = write_report(page, audit_html(*report)); status != kOk) return status;
      if (page == "-") continue;
    }
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

struct DossierOptions {
  std::string game, branch, side, viewer, format = "markdown", output = "-";
  std::int64_t roll = -1, turn = -1, at = 0;
};

// A side by its name; "nobody" and nothing are none.
Result<SideId> side_named(const Roster& roster, const std::string& name) {
  if (name.empty() || name == "nobody") return kNoSide;
  const SideId side = roster.side(name);
  if (!side.ok()) return invalid("no side \"" + name + "\"");
  return side;
}
Result<Viewer> viewer_named(const Roster& roster, const std::string& name) {
  if (name.empty() || name == "referee") return Viewer::referee();
  if (name == "spectator") return Viewer::spectator();
  auto side = side_named(roster, name);
  if (!side) return std::move(side).error();
  return Viewer::of(*side);
}

// A bundle is as good as a data directory here.
struct Looked {
  std::unique_ptr<Bundle> bundle;
  std::unique_ptr<Library> library;
  std::unique_ptr<TimeMachine> time;
  std::optional<Line> line;
  EventStore* store = nullptr;
  BranchInfo branch;
  OpenGamePtr game;
  Library& books() { return bundle ? *library : line->session->library(); }
  TimeMachine& clock() { return bundle ? *time : line->session->time(); }
};
Result<Looked> look_at(const Common& common, const DossierOptions& options) {
  Looked out;
  if (is_bundle(options.game)) {
    auto bundle = Bundle::read(options.game);
    if (!bundle) return std::move(bundle).error();
    out.bundle = std::move(*bundle);
    out.store = out.bundle.get();
    out.library = std::make_unique<Library>(*out.bundle);
    out.time = std::make_unique<TimeMachine>(*out.bundle, *out.library);
    auto game = out.library->game(out.bundle->info().game);
    if (!game) return std::move(game).error();
    out.game = *game;
    out.branch = out.bundle->all_branches().front();
    return out;
  }
  auto line = open_line(common.data, options.game, options.branch);
  if (!line) return std::move(line).error();
  out.line = std::move(*line);
  out.store = &out.line->session->store();
  out.branch = out.line->branch;
  out.game = out.line->game;
  return out;
}

int dossier(const Common& common, const DossierOptions& options) {
  if ((options.roll < 0) == (options.turn < 0)) {
    return fail(invalid("dossier: say --roll N with --side S, or --turn N"));
  }
  auto looked = look_at(common, options);
  if (!looked) return fail(looked.error());
  DossierRequest request;
  request.branch = looked->branch.branch;
  auto viewer = viewer_named(looked->game->roster(), options.viewer);
  if (!viewer) return fail(viewer.error());
  request.viewer = *viewer;
  auto side = side_named(looked->game->roster(), options.side);
  if (!side) return fail(side.error());
  request.side = *side;
  if (options.roll >= 0) request.roll = static_cast<std::uint64_t>(options.roll);
  if (options.turn >= 0)
    request.turn = static_cast<std::int16_t>(std::min<std::int64_t>(options.turn, INT16_MAX));
  auto made = make_dossier(*looked->store, looked->books(), looked->clock(), request);
  if (!made) return fail(made.error());
  const bool as_json = common.json || options.format == "json";
  return write_report(options.output, as_json                    ? made->dump()
                                      : options.format == "html" ? dossier_html(*made)
                                                                 : dossier_markdown(*made));
}

int luck(const Common& common, const DossierOptions& options) {
  auto looked = look_at(common, options);
  if (!looked) return fail(looked.error());
  auto viewer = viewer_named(looked->game->roster(), options.viewer);
  if (!viewer) return fail(viewer.error());
  const Version last = options.at > 0 ? static_cast<Version>(options.at) : looked->branch.version;
  auto ledger =
      luck_of_line(looked->books(), looked->clock(), looked->branch.branch, last, *viewer);
  if (!ledger) return fail(ledger.error());
  if (common.json) {
    print_json(*ledger);
  } else {
    say(luck_markdown(*ledger));
  }
  return kOk;
}

void add_dossier_commands(CLI::App& app, Chosen& chosen) {
  auto add = [&](const char* name, const char* help,
                 int (*run)(const Common&, const DossierOptions&)) {
    CLI::App* command = app.add_subcommand(name, help);
    auto common = add_common(*command);
    auto options = std::make_shared<DossierOptions>();
    command->add_option("game", options->game, "name or id, or a bundle")->required();
    command->add_option("--branch", options->branch, "a what-if (default: the mainline)");
    command->add_option("--viewer", options->viewer,
                        "as this side, or spectator, may see it (default: referee)");
    command->callback([=, &chosen] { chosen = [=] { return run(*common, *options); }; });
    return std::pair(command, options);
  };
  {
    auto [command, options] = add("dossier", "everything about one roll or one turn", dossier);
    command->add_option("--roll", options->roll, "the side's how-manieth roll, from 0");
    command->add_option("--side", options->side, "whose roll (default: nobody's)");
    command->add_option("--turn", options->turn, "a whole turn");
    command->add_option("--format", options->format, "markdown, html or json")
        ->check(CLI::IsMember({"markdown", "html", "json"}));
    command->add_option("-o,--output", options->output, "the file (default: standard output)");
    command->footer(
        "Example:\n  wardiary dossier S41 --roll 12 --side axis --format html -o r12.html");
  }
  {
    auto [command, options] =
        add("luck", "what the dice gave each side, and what was to be expected", luck);
    command->add_option("--at", options->at, "up to this event (default: the end)");
    command->footer("Example:\n  wardiary luck \"Duel at the ford\"");
  }
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
  auto bundle = Bundle::read(common.data.directory);
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
  auto page = std::make_shared<std::string>();
  command->add_flag("--all", *all, "every game of the data directory");
  command->add_option("--html", *page,
                      "also write the report as a page to this file (- prints it)");
  command->footer("Example:\n  wardiary audit \"Duel at the ford\"\n  wardiary audit --all --json");
  command->callback([=, &chosen] { chosen = [=] { return audit(*common, *game, *all, *page); }; });
  add_dossier_commands(app, chosen);
}

}  // namespace wardiary::cli

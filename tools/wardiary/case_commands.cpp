// wardiary case run: rules shown by example.
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "replay/casebook.h"
#include "tools/wardiary/command.h"

namespace wardiary::cli {
namespace {

using nlohmann::json;

struct Options {
  std::vector<std::string> paths;
  bool json = false;
  bool quiet = false;
};

json to_json(const std::string& file, const Result<CaseReport>& report) {
  if (!report) {
    return {{"file", file}, {"ok", false}, {"error", report.error().text}};
  }
  json out = {{"file", file},           {"id", report->id},     {"system", report->system},
              {"title", report->title}, {"refs", report->refs}, {"steps", report->steps},
              {"ok", report->ok}};
  if (!report->ok) {
    out["where"] = report->where;
    out["expected"] = report->expected;
    out["actual"] = report->actual;
  }
  return out;
}

void print(const std::string& file, const Result<CaseReport>& report, bool quiet) {
  if (!report) {
    say(tinted(Tint::kBad, "error ") + " " + report.error().text);
    return;
  }
  const std::string name = report->id + (report->title.empty() ? "" : "  " + report->title);
  if (report->ok) {
    if (!quiet) say(tinted(Tint::kGood, "ok    ") + " " + name);
    return;
  }
  say(tinted(Tint::kBad, "differs") + " " + name);
  say("  in        " + file);
  say("  at        " + report->where);
  say("  expected  " + report->expected);
  say("  actual    " + report->actual);
}

int run(const Options& options) {
  std::vector<std::filesystem::path> files;
  for (const std::string& path : options.paths) {
    auto found = case_files(path);
    if (!found) return fail(found.error());
    files.insert(files.end(), found->begin(), found->end());
  }
  Casebook book;
  json reports = json::array();
  std::size_t good = 0, different = 0, wrong = 0;
  Progress progress("cases", files.size());
  for (const auto& file : files) {
    const auto report = book.run_file(file);
    ++(!report ? wrong : report->ok ? good : different);
    if (options.json) {
      reports.push_back(to_json(file.string(), report));
    } else {
      print(file.string(), report, options.quiet);
    }
    progress.at(good + different + wrong);
  }
  if (options.json) {
    print_json({{"ok", good}, {"different", different}, {"wrong", wrong}, {"cases", reports}});
  } else {
    say(std::to_string(good) + " of " + std::to_string(files.size()) + " cases as expected" +
        (different ? ", " + std::to_string(different) + " differ" : "") +
        (wrong ? ", " + std::to_string(wrong) + " cannot be run" : ""));
  }
  return wrong ? kBadInput : different ? kFindings : kOk;
}

}  // namespace

void add_case_commands(CLI::App& app, Chosen& chosen) {
  CLI::App* group = app.add_subcommand("case", "rules shown by example (docs/casebook.md)");
  group->require_subcommand(1);
  CLI::App* command = group->add_subcommand(
      "run", "run case files; exit 0 all as expected, 1 some differ, 2 some cannot be run");
  auto options = std::make_shared<Options>();
  command->add_option("path", options->paths, "case files, or directories of them")->required();
  command->add_flag("--json", options->json, "answer in JSON, for programs");
  command->add_flag("--quiet,-q", options->quiet, "show only what differs");
  command->footer("Example:\n  wardiary case run domain/systems/freeform/cases");
  command->callback([options, &chosen] { chosen = [options] { return run(*options); }; });
}

}  // namespace wardiary::cli

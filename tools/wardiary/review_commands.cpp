// timeline, compare, history, why, when, report: looking back at a game.
#include <CLI/CLI.hpp>
#include <fstream>
#include <nlohmann/json.hpp>

#include "replay/after_action.h"
#include "replay/compare_lines.h"
#include "replay/histories.h"
#include "tools/wardiary/command.h"
#include "tools/wardiary/event_text.h"
#include "tools/wardiary/session.h"

namespace wardiary::cli {
namespace {

using nlohmann::json;

struct ReviewOptions {
  std::string game, branch, viewer, what, attribute, condition, which = "all";
  std::string a = "main", b, output, format, language = "en";
  Version at = 0;
  std::size_t limit = 1'000;
  bool no_audit = false;
};
using ReviewPtr = std::shared_ptr<ReviewOptions>;

// "" or referee, spectator, or a side.
Result<Viewer> viewer_of(const std::string& name, const Roster& roster) {
  if (name.empty() || name == "referee") return Viewer::referee();
  if (name == "spectator") return Viewer::spectator();
  const SideId side = roster.side(name);
  if (!side) return invalid("--viewer: no side \"" + name + "\"");
  return Viewer::of(side);
}

// The tools that look back, on an opened line.
struct Desk {
  Line line;
  Timelines timelines;
  Histories histories;
  Viewer viewer;

  explicit Desk(Line opened)
      : line(std::move(opened)),
        timelines(line.session->store(), line.session->library(), line.session->time()),
        histories(line.session->store(), line.session->library(), line.session->time()) {}
  const Game& game() const { return line.game->game; }
  const Roster& roster() const { return line.game->roster(); }
};
Result<std::unique_ptr<Desk>> open_desk(const Common& common, const ReviewOptions& options) {
  auto line = open_line(common.data, options.game, options.branch);
  if (!line) return std::move(line).error();
  auto desk = std::make_unique<Desk>(std::move(*line));
  auto viewer = viewer_of(options.viewer, desk->roster());
  if (!viewer) return std::move(viewer).error();
  desk->viewer = *viewer;
  return desk;
}

// ------------------------------------------------------------------------------------ timeline

std::string phase_text(const TimelinePhase& phase, const Roster& roster) {
  std::string out = std::to_string(phase.first) + "-" + std::to_string(phase.last);
  return out + " " + roster.phases[phase.clock.phase];
}

int timeline(const Common& common, const ReviewOptions& options) {
  auto desk = open_desk(common, options);
  if (!desk) return fail(desk.error());
  Desk& d = **desk;
  auto phases = d.timelines.of(d.line.branch.branch, d.viewer);
  if (!phases) return fail(phases.error());
  auto notes =
      Notes(d.line.session->store())
          .list(d.line.info.game, {options.viewer, options.viewer.empty()}, d.line.branch.branch);
  if (!notes) return fail(notes.error());
  if (common.json) {
    json all = json::array(), list = json::array();
    for (const TimelinePhase& phase : *phases) all.push_back(phase_json(phase, d.roster()));
    for (const Note& note : *notes) list.push_back(note_json(note));
    print_json({{"version", d.line.branch.version}, {"phases", all}, {"notes", list}});
    return kOk;
  }
  Table table(
      {"turn", "events, phase", "side", "orders", "rolls", "lost", "control", "supply", "score"});
  for (const TimelinePhase& phase : *phases) {
    std::string lost, score;
    for (std::size_t s = 0; s < d.roster().sides.size(); ++s) {
      const SideId side{static_cast<int>(s)};
      const std::string& name = d.roster().sides[s];
      if (phase.loss(side))
        lost += (lost.empty() ? "" : ", ") + name + " " + std::to_string(phase.loss(side));
      if (!phase.score.empty()) {
        score += (score.empty() ? "" : ", ") + name + " " + std::to_string(phase.score_of(side));
      }
    }
    const auto count = [](std::size_t n) { return n ? std::to_string(n) : std::string(); };
    table.add({std::to_string(phase.clock.turn), phase_text(phase, d.roster()),
               phase.clock.side >= 0 ? d.roster().sides[phase.clock.active().index()] : "",
               count(phase.order_count()), count(phase.rolls), lost, count(phase.control_changes),
               count(phase.supply_changes.size()), score});
  }
  table.print();
  for (const Note& note : *notes) {
    say("note " + std::to_string(note.number) + " at event " + std::to_string(note.version) +
        " by " + note.author + ": " + note.text);
  }
  return kOk;
}

// ------------------------------------------------------------------------------------ compare

// "main", "north", "north@120": a branch, and an event of it.
Result<LinePoint> point_of(Line& line, const std::string& text) {
  const auto at = text.rfind('@');
  LinePoint out;
  std::string name = text;
  if (at != std::string::npos) {
    const std::string number = text.substr(at + 1);
    if (number.empty() || number.size() > 18 ||
        number.find_first_not_of("0123456789") != std::string::npos) {
      return invalid("\"" + text + "\": after @ stands the number of an event");
    }
    out.version = std::stoull(number);
    if (out.version == 0) return invalid("\"" + text + "\": events begin at 1");
    name = text.substr(0, at);
  }
  auto branch = line.session->find_branch(line.info, name);
  if (!branch) return std::move(branch).error();
  out.branch = branch->branch;
  return out;
}

int compare(const Common& common, const ReviewOptions& options) {
  auto desk = open_desk(common, options);
  if (!desk) return fail(desk.error());
  Desk& d = **desk;
  auto a = point_of(d.line, options.a);
  if (!a) return fail(a.error());
  auto b = point_of(d.line, options.b);
  if (!b) return fail(b.error());
  Session& session = *d.line.session;
  auto compared = compare_lines(session.store(), session.library(), session.time(), d.timelines, *a,
                                *b, d.viewer);
  if (!compared) return fail(compared.error());
  if (common.json) {
    print_json(comparison_json(*compared, d.game(), d.viewer));
  } else {
    std::string text = comparison_text(*compared, d.game(), d.viewer);
    text.pop_back();  // say() ends the line
    say(text);
  }
  return kOk;
}

// ------------------------------------------------------------------------------------ history, why

// "unit:39Pz", "space:Kiev", "track:weather".
Result<Thing> thing_of(const std::string& text, const Game& game) {
  const auto colon = text.find(':');
  const std::string kind = text.substr(0, colon);
  const std::string name = colon == std::string::npos ? "" : text.substr(colon + 1);
  if (kind == "unit") {
    if (const UnitId unit = game.roster().unit(name)) return Thing::of(unit);
    return not_found("no unit \"" + name + "\"");
  }
  if (kind == "space") {
    SpaceId space = game.roster().space(name);
    if (!space && game.board) space = game.board->find(name);
    if (space) return Thing::of(space);
    return not_found("no space \"" + name + "\"");
  }
  if (kind == "track") {
    if (const TrackId track = game.roster().track(name)) return Thing::of(track);
    return not_found("no track \"" + name + "\"");
  }
  return invalid("\"" + text + "\": must be unit:NAME, space:NAME or track:NAME");
}

int tell_events(const Common& common, Desk& d, const std::vector<Version>& versions,
                const char* key) {
  json all = json::array();
  for (Version version : versions) {
    auto status = d.line.session->time().walk(
        d.line.branch.branch, version, version,
        [&](Version v, const fb::Event& event, ByteView, const Position& before,
            const Position& after) {
          if (common.json) {
            all.push_back(json::parse(event_text_json(d.game(), event, v, before, after)));
          } else {
            say(event_line(d.game(), event, v, before, after));
          }
          return true;
        });
    if (!status) return fail(status.error());
  }
  if (common.json) print_json({{key, all}});
  return kOk;
}

int history(const Common& common, const ReviewOptions& options) {
  auto desk = open_desk(common, options);
  if (!desk) return fail(desk.error());
  Desk& d = **desk;
  auto thing = thing_of(options.what, d.game());
  if (!thing) return fail(thing.error());
  const Version last = options.at ? options.at : d.line.branch.version;
  auto versions = d.histories.touching(d.line.branch.branch, *thing, 1, last);
  if (!versions) return fail(versions.error());
  const std::size_t all = versions->size();
  if (all > options.limit)
    versions->erase(versions->begin(),
                    versions->end() - static_cast<std::ptrdiff_t>(options.limit));
  const int code = tell_events(common, d, *versions, "events");
  if (!common.json && all > options.limit) {
    say("(the last " + std::to_string(options.limit) + " of " + std::to_string(all) + ")");
  }
  if (!common.json && all == 0) say("Nothing ever happened to it.");
  return code;
}

int why(const Common& common, const ReviewOptions& options) {
  auto desk = open_desk(common, options);
  if (!desk) return fail(desk.error());
  Desk& d = **desk;
  auto thing = thing_of(options.what, d.game());
  if (!thing) return fail(thing.error());
  int attribute = -1;
  if (!options.attribute.empty() && options.attribute != "at") {
    attribute = thing->kind == Thing::Kind::kUnit    ? d.roster().unit_attribute(options.attribute)
                : thing->kind == Thing::Kind::kSpace ? d.roster().space_attribute(options.attribute)
                                                     : -1;
    if (attribute < 0) return fail(invalid("no attribute \"" + options.attribute + "\""));
  }
  const Version at = options.at ? options.at : d.line.branch.version;
  auto chain = d.histories.why(d.line.branch.branch, *thing, attribute, at);
  if (!chain) return fail(chain.error());
  if (chain->empty() && !common.json) {
    say("Nothing recorded has changed it: it was so from the beginning.");
    return kOk;
  }
  return tell_events(common, d, *chain, "chain");
}

int when(const Common& common, const ReviewOptions& options) {
  auto desk = open_desk(common, options);
  if (!desk) return fail(desk.error());
  Desk& d = **desk;
  auto condition = Condition::parse(options.condition, d.game());
  if (!condition) return fail(condition.error());
  const auto which = options.which == "first"  ? Histories::Which::kFirst
                     : options.which == "last" ? Histories::Which::kLast
                                               : Histories::Which::kAll;
  auto found = d.histories.when(d.line.branch.branch, *condition, d.line.branch.version,
                                options.limit, which);
  if (!found) return fail(found.error());
  json stretches = json::array();
  for (const Histories::Stretch& stretch : found->stretches) {
    stretches.push_back({{"first", stretch.first}, {"last", stretch.last}});
    if (common.json) continue;
    const bool one = stretch.first == stretch.last;
    auto status = d.line.session->time().walk(
        d.line.branch.branch, stretch.first, stretch.first,
        [&](Version v, const fb::Event& event, ByteView, const Position& before,
            const Position& after) {
          say((one ? "at event " + std::to_string(stretch.first)
                   : "from event " + std::to_string(stretch.first) + " to " +
                         std::to_string(stretch.last)) +
              ", turn " + std::to_string(after.clock.turn) + "; it began with");
          say(event_line(d.game(), event, v, before, after));
          return true;
        });
    if (!status) return fail(status.error());
  }
  if (common.json) {
    print_json(
        {{"stretches", stretches}, {"complete", found->complete}, {"byIndex", found->by_index}});
  } else if (found->stretches.empty()) {
    say("Never.");
  }
  return found->stretches.empty() ? kFindings : kOk;
}

// ------------------------------------------------------------------------------------ report

int report(const Common& common, const ReviewOptions& options) {
  auto desk = open_desk(common, options);
  if (!desk) return fail(desk.error());
  Desk& d = **desk;
  AfterActionRequest request;
  request.branch = d.line.branch.branch;
  request.language = *language_of(options.language);
  request.viewer = d.viewer;
  request.reader = {options.viewer, options.viewer.empty() || options.viewer == "referee"};
  request.audit = !options.no_audit;
  Session& session = *d.line.session;
  auto written =
      after_action(session.store(), session.library(), session.time(), d.timelines, request);
  if (!written) return fail(written.error());
  const bool named_markdown = options.output.ends_with(".md");
  const bool markdown = options.format == "markdown" ||
                        (options.format.empty() && (named_markdown || options.output.empty()));
  const std::string text = markdown ? written->report.markdown() : written->report.html();
  if (options.output.empty() || options.output == "-") {
    say(text);
    return kOk;
  }
  std::ofstream out(options.output, std::ios::binary | std::ios::trunc);
  out << text;
  out.close();
  if (!out) return fail(Error{ErrorCode::kIo, options.output + ": cannot be written"});
  if (common.json) {
    print_json(
        {{"file", options.output}, {"game", to_hex(d.line.info.game)}, {"bytes", text.size()}});
  } else {
    say("Wrote the report of \"" + written->game + "\" to " + options.output);
  }
  return kOk;
}

}  // namespace

void add_review_commands(CLI::App& app, Chosen& chosen) {
  const auto add = [&](const char* name, const char* help,
                       int (*run)(const Common&, const ReviewOptions&),
                       const std::function<void(CLI::App&, const ReviewPtr&)>& more) {
    CLI::App* command = app.add_subcommand(name, help);
    auto common = add_common(*command);
    auto o = std::make_shared<ReviewOptions>();
    command->add_option("game", o->game, "name or id")->required();
    more(*command, o);
    command->callback([=, &chosen] { chosen = [=] { return run(*common, *o); }; });
  };
  const auto on_branch = [](CLI::App& c, const ReviewPtr& o) {
    c.add_option("--branch", o->branch, "name or id (default: the mainline)");
  };
  const auto viewed = [](CLI::App& c, const ReviewPtr& o) {
    c.add_option("--viewer", o->viewer, "only what this side, or a spectator, may see");
  };
  add("timeline", "turns and phases: orders, losses, control, supply, score, luck, notes", timeline,
      [&](CLI::App& c, const ReviewPtr& o) {
        on_branch(c, o);
        viewed(c, o);
        c.footer("Example:\n  wardiary timeline S41 --json");
      });
  add("compare", "two lines, or two points, turn by turn", compare,
      [&](CLI::App& c, const ReviewPtr& o) {
        c.add_option("a", o->a, "a branch, or branch@event (main: the game itself)")->required();
        c.add_option("b", o->b, "the other")->required();
        viewed(c, o);
        c.footer(
            "Examples:\n  wardiary compare S41 main north\n  wardiary compare S41 main@100 "
            "main@200");
      });
  add("history", "everything that happened to a unit, a space or a track", history,
      [&](CLI::App& c, const ReviewPtr& o) {
        c.add_option("what", o->what, "unit:NAME, space:NAME or track:NAME")->required();
        c.add_option("--at", o->at, "up to this event (default: the newest)");
        c.add_option("--limit", o->limit, "at most so many, the newest")
            ->check(CLI::Range(1, 1'000'000));
        on_branch(c, o);
        c.footer("Example:\n  wardiary history S41 unit:39Pz");
      });
  add("why", "the event that last changed it, and its causes back to the order", why,
      [&](CLI::App& c, const ReviewPtr& o) {
        c.add_option("what", o->what, "unit:NAME, space:NAME or track:NAME")->required();
        c.add_option("--attribute", o->attribute,
                     "which value (default: where a unit stands, anything of a space)");
        c.add_option("--at", o->at, "at this event (default: the newest)");
        on_branch(c, o);
        c.footer("Example:\n  wardiary why S41 space:Kiev --attribute control");
      });
  add("when", "the events during which a condition holds; exit 1 if it never did", when,
      [&](CLI::App& c, const ReviewPtr& o) {
        c.add_option("condition", o->condition, "see docs/cli.md, \"Conditions\"")->required();
        c.add_option("--which", o->which, "which stretches")
            ->check(CLI::IsMember({"first", "last", "all"}));
        c.add_option("--limit", o->limit, "at most so many stretches")
            ->check(CLI::Range(1, 1'000'000));
        on_branch(c, o);
        c.footer(
            "Examples:\n  wardiary when S41 'unit:39Pz.steps < 2 and turn >= 3'\n"
            "  wardiary when S41 'score.axis - score.soviet > 10' --which first");
      });
  add("report", "the after-action report, for people: HTML or Markdown, English or Spanish", report,
      [&](CLI::App& c, const ReviewPtr& o) {
        c.add_option("-o,--output", o->output, "the file (default: standard output)");
        c.add_option("--format", o->format,
                     "default: by the file's name; Markdown on standard output")
            ->check(CLI::IsMember({"html", "markdown"}));
        c.add_option("--language", o->language, "en or es")->check(CLI::IsMember({"en", "es"}));
        c.add_flag("--no-audit", o->no_audit, "leave the audit out");
        on_branch(c, o);
        viewed(c, o);
        c.footer("Example:\n  wardiary report S41 -o s41.html --language es");
      });
}

}  // namespace wardiary::cli

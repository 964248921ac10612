// takeback, rule, note: what is settled at the table, and what is written in the margin.
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "replay/notes.h"
#include "tools/wardiary/play.h"

namespace wardiary::cli {
namespace {

using nlohmann::json;

struct TakeBackOptions {
  PlayOptions play;
  Version to = 0;
  std::string seat, text, ruling, rule;
};
using TakeBackPtr = std::shared_ptr<TakeBackOptions>;

std::string seats_text(const std::vector<std::string>& seats) {
  std::string out;
  for (const std::string& seat : seats) out += (out.empty() ? "" : ", ") + seat;
  return out.empty() ? "nobody" : out;
}

json proposal_json(const OpenProposal& open) {
  return {{"proposal", open.version}, {"to", open.to},         {"by", open.by},
          {"text", open.text},        {"agreed", open.agreed}, {"waitingFor", open.waiting_for}};
}

// Where to go back to: as asked for, else before the newest order.
Result<Version> target(Line& line, const TakeBackOptions& options) {
  if (options.to) return options.to;
  return undo_target(line.session->store(), line.branch);
}

int show_proposal(const Common& common, const TakeBackOptions& options) {
  auto line = open_line(common.data, options.play.game, options.play.branch);
  if (!line) return fail(line.error());
  auto open = line->session->referee().open_take_back(line->branch.branch);
  if (!open) return fail(open.error());
  if (common.json) {
    print_json({{"open", *open ? proposal_json(**open) : json()}});
  } else if (*open) {
    say((*open)->by + " proposed at event " + std::to_string((*open)->version) +
        " to go back to event " + std::to_string((*open)->to) +
        ((*open)->text.empty() ? "" : ": " + (*open)->text) + "\nagreed: " +
        seats_text((*open)->agreed) + "\nwaiting for: " + seats_text((*open)->waiting_for));
  } else {
    say("No take-back is proposed.");
  }
  return kOk;
}

int propose(const Common& common, const TakeBackOptions& options) {
  auto line = open_line(common.data, options.play.game, options.play.branch);
  if (!line) return fail(line.error());
  auto request = request_for(options.play, line->branch.branch, options.seat);
  if (!request) return fail(request.error());
  auto to = target(*line, options);
  if (!to) return fail(to.error());
  return tell(common, *line,
              line->session->referee().propose_take_back(*request, *to, options.text));
}

int answer(const Common& common, const TakeBackOptions& options, bool agreed) {
  auto line = open_line(common.data, options.play.game, options.play.branch);
  if (!line) return fail(line.error());
  auto request = request_for(options.play, line->branch.branch, options.seat);
  if (!request) return fail(request.error());
  auto open = line->session->referee().open_take_back(line->branch.branch);
  if (!open) return fail(open.error());
  if (!*open) return fail(Error{ErrorCode::kConflict, "no take-back is proposed"});
  return tell(
      common, *line,
      line->session->referee().answer_take_back(*request, (*open)->version, agreed, options.text));
}

int take_back_now(const Common& common, const TakeBackOptions& options) {
  auto line = open_line(common.data, options.play.game, options.play.branch);
  if (!line) return fail(line.error());
  auto request = request_for(options.play, line->branch.branch, "referee");
  if (!request) return fail(request.error());
  auto to = target(*line, options);
  if (!to) return fail(to.error());
  std::optional<RulingText> ruling;
  if (!options.ruling.empty()) ruling = RulingText{options.rule, options.ruling};
  return tell(common, *line,
              line->session->referee().take_back(*request, *to, options.text, ruling));
}

int rule(const Common& common, const TakeBackOptions& options) {
  std::vector<json> facts;
  if (!options.play.input.empty()) {
    auto text = read_input(options.play.input, StoreLimits::kCommitBytesMax);
    if (!text) return fail(text.error());
    auto read = read_facts(*text);
    if (!read) return fail(std::move(read).error().within(options.play.input));
    facts = std::move(*read);
  }
  auto line = open_line(common.data, options.play.game, options.play.branch);
  if (!line) return fail(line.error());
  auto request = request_for(options.play, line->branch.branch, "referee");
  if (!request) return fail(request.error());
  return tell(common, *line,
              line->session->referee().rule(*request, {options.rule, options.text}, facts));
}

void add_take_back_commands(CLI::App& app, Chosen& chosen) {
  CLI::App* group = app.add_subcommand(
      "takeback", "go back to an earlier event by agreement; nothing is removed");
  group->require_subcommand(1);
  const auto add = [&](const char* name, const char* help, const auto& run, const auto& more) {
    CLI::App* command = group->add_subcommand(name, help);
    auto common = add_common(*command);
    auto o = std::make_shared<TakeBackOptions>();
    command->add_option("game", o->play.game, "name or id")->required();
    more(*command, o);
    command->callback([=, &chosen] { chosen = [=] { return run(*common, *o); }; });
  };
  const auto seat = [](CLI::App& c, const TakeBackPtr& o) {
    c.add_option("--seat", o->seat, "who says so: a seat of the game")->required();
    c.add_option("--text", o->text, "why");
    c.add_option("--branch", o->play.branch, "name or id (default: the mainline)");
  };
  const auto to = [](CLI::App& c, const TakeBackPtr& o) {
    c.add_option("--to", o->to,
                 "the last event that stands, the end of an order (default: before the newest)");
  };
  add("propose", "ask the other seats for it", propose, [&](CLI::App& c, const TakeBackPtr& o) {
    seat(c, o);
    to(c, o);
    c.footer("Example:\n  wardiary takeback propose S41 --seat axis --text \"wrong unit\"");
  });
  add(
      "agree", "agree to what is proposed; the last agreement carries it out",
      [](const Common& c, const TakeBackOptions& o) { return answer(c, o, true); }, seat);
  add(
      "decline", "decline what is proposed",
      [](const Common& c, const TakeBackOptions& o) { return answer(c, o, false); }, seat);
  add("show", "what is proposed, and who has not answered", show_proposal,
      [](CLI::App& c, const TakeBackPtr& o) {
        c.add_option("--branch", o->play.branch, "name or id (default: the mainline)");
      });
  add("now", "at once: a what-if, a scribed game, or by the referee's ruling", take_back_now,
      [&](CLI::App& c, const TakeBackPtr& o) {
        to(c, o);
        c.add_option("--text", o->text, "why");
        c.add_option("--ruling", o->ruling, "the referee's ruling, needed in a refereed game");
        c.add_option("--rule", o->rule, "number of the rule it is about");
        add_request_options(c, std::shared_ptr<PlayOptions>(o, &o->play));
      });
}

struct NoteOptions {
  std::string game, branch, text, author = "referee", seen = "everyone";
  Version at = 0;
  std::uint64_t number = 0;
  bool bookmark = false;
};

int add_note(const Common& common, const NoteOptions& options) {
  auto line = open_line(common.data, options.game, options.branch);
  if (!line) return fail(line.error());
  Note note;
  note.kind = options.bookmark ? Note::Kind::kBookmark : Note::Kind::kNote;
  note.branch = line->branch.branch;
  note.version = options.at ? options.at : line->branch.version;
  note.author = options.author;
  note.text = options.text;
  note.seen = *note_seen(options.seen);
  note.at_ms = now_ms();
  auto added = Notes(line->session->store()).add(line->info.game, note);
  if (!added) return fail(added.error());
  if (common.json) {
    print_json(note_json(*added));
  } else {
    say("Note " + std::to_string(added->number) + " at event " + std::to_string(added->version) +
        ".");
  }
  return kOk;
}

int list_notes(const Common& common, const NoteOptions& options) {
  auto line = open_line(common.data, options.game, "");
  if (!line) return fail(line.error());
  auto notes = Notes(line->session->store())
                   .list(line->info.game, {options.author, options.author == "referee"});
  if (!notes) return fail(notes.error());
  json all = json::array();
  Table table({"note", "event", "branch", "by", "kind", "text"});
  for (const Note& note : *notes) {
    all.push_back(note_json(note));
    const bool main = note.branch == line->info.mainline;
    table.add({std::to_string(note.number), std::to_string(note.version),
               main ? "main" : short_id(note.branch), note.author, std::string(name_of(note.kind)),
               note.text});
  }
  if (common.json) {
    print_json({{"notes", all}});
  } else if (table.empty()) {
    say("No notes.");
  } else {
    table.print();
  }
  return kOk;
}

int remove_note(const Common& common, const NoteOptions& options) {
  auto line = open_line(common.data, options.game, "");
  if (!line) return fail(line.error());
  auto status =
      Notes(line->session->store())
          .remove(line->info.game, options.number, {options.author, options.author == "referee"});
  if (!status) return fail(status.error());
  if (common.json) {
    print_json({{"removed", options.number}});
  } else {
    say("Note " + std::to_string(options.number) + " is not listed any more.");
  }
  return kOk;
}

void add_note_commands(CLI::App& app, Chosen& chosen) {
  CLI::App* group = app.add_subcommand("note", "notes and bookmarks beside a game");
  group->require_subcommand(1);
  const auto add = [&](const char* name, const char* help, auto* run, const auto& more) {
    CLI::App* command = group->add_subcommand(name, help);
    auto common = add_common(*command);
    auto o = std::make_shared<NoteOptions>();
    command->add_option("game", o->game, "name or id")->required();
    command->add_option("--author", o->author, "who writes or asks: a seat, or referee (default)");
    more(*command, o);
    command->callback([=, &chosen] { chosen = [=] { return run(*common, *o); }; });
  };
  using Ptr = std::shared_ptr<NoteOptions>;
  add("add", "write one", add_note, [](CLI::App& c, const Ptr& o) {
    c.add_option("text", o->text, "what it says");
    c.add_option("--at", o->at, "the event it is about (default: the newest)");
    c.add_option("--branch", o->branch, "name or id (default: the mainline)");
    c.add_flag("--bookmark", o->bookmark, "a bookmark rather than a note; may be without words");
    c.add_option("--seen", o->seen, "by whom: everyone, seat (its author alone) or referee")
        ->check(CLI::IsMember({"everyone", "seat", "referee"}));
    c.footer("Example:\n  wardiary note add S41 \"here the front broke\" --at 417");
  });
  add("list", "those that --author may see", list_notes, [](CLI::App&, const Ptr&) {});
  add("remove", "take one off the list", remove_note, [](CLI::App& c, const Ptr& o) {
    c.add_option("number", o->number, "the note's number")->required();
  });
}

}  // namespace

void add_table_commands(CLI::App& app, Chosen& chosen) {
  add_take_back_commands(app, chosen);
  {
    CLI::App* command = app.add_subcommand(
        "rule", "a referee's ruling, with the facts that correct the game: all of them or none");
    auto common = add_common(*command);
    auto o = std::make_shared<TakeBackOptions>();
    command->add_option("game", o->play.game, "name or id")->required();
    command->add_option("file", o->play.input, "facts as JSON lines, - for standard input");
    command->add_option("--text", o->text, "the ruling")->required();
    command->add_option("--rule", o->rule, "number of the rule it is about");
    add_request_options(*command, std::shared_ptr<PlayOptions>(o, &o->play));
    command->footer(
        "Example:\n  echo '{\"type\":\"UnitRemoved\",\"unit\":\"39Pz\"}' | "
        "wardiary rule S41 - --text \"overstacked\" --rule 6.2");
    command->callback([=, &chosen] { chosen = [=] { return rule(*common, *o); }; });
  }
  add_note_commands(app, chosen);
}

}  // namespace wardiary::cli

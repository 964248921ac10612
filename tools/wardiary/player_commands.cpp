// player: a player's own side of live dice. Keeps the player's secret, signs what the player owes
// for a roll, checks what came of it; speaks to a data directory or to a service.
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <fstream>
#include <nlohmann/json.hpp>

#include "domain/fairdice/transcript_json.h"
#include "domain/json_reader.h"
#include "eventstore/data_dir.h"
#include "replay/dice_json.h"
#include "replay/player_file.h"
#include "tools/wardiary/command.h"
#include "tools/wardiary/http_client.h"
#include "tools/wardiary/session.h"

namespace wardiary::cli {
namespace {

using nlohmann::json;

// Where the game is kept.
class Table {
 public:
  virtual ~Table() = default;
  virtual Result<json> state() = 0;
  // `door` is join, request, reveal, unlock or abandon.
  virtual Result<json> hand_in(const std::string& door, const json& body) = 0;
  virtual Result<json> transcripts() = 0;
};

// A data directory on this machine.
class LocalTable : public Table {
 public:
  LocalTable(Line line, std::string author) : line_(std::move(line)), author_(std::move(author)) {}

  Result<json> state() override {
    auto now = line_.session->referee().dice_state(line_.branch.branch);
    if (!now) return std::move(now).error();
    return dice_state_json(*now, line_.game->roster(), now_ms());
  }
  Result<json> hand_in(const std::string& door, const json& body) override {
    auto answer = hand_in_dice(line_.session->referee(), line_.branch.branch, door, body, author_);
    if (!answer) return std::move(answer).error();
    return dice_answer_json(*answer);
  }
  Result<json> transcripts() override {
    auto branch = line_.session->store().branch(line_.branch.branch);
    if (!branch) return std::move(branch).error();
    auto all = dice_transcripts(line_.session->store(), line_.game->game, *branch);
    if (!all) return std::move(all).error();
    return transcripts_json(*all);
  }

 private:
  Line line_;
  std::string author_;
};

// A service somewhere else.
class RemoteTable : public Table {
 public:
  RemoteTable(HttpClient client, std::string branch)
      : client_(std::move(client)), branch_(std::move(branch)) {}

  static Result<std::unique_ptr<Table>> open(const HttpClient& client, const std::string& game) {
    auto found = client.get("/games/" + game);
    if (!found) return std::move(found).error();
    if (!found->is_object() || !(*found)["mainline"].is_string()) {
      return invalid("the service does not say what the game's mainline is");
    }
    const std::string mainline = (*found)["mainline"].get<std::string>();
    return std::unique_ptr<Table>(
        std::make_unique<RemoteTable>(client, "/games/" + game + "/branches/" + mainline));
  }

  Result<json> state() override { return client_.get(branch_ + "/dice/state"); }
  Result<json> hand_in(const std::string& door, const json& body) override {
    return client_.post(branch_ + "/dice/" + door, body);
  }
  Result<json> transcripts() override { return client_.get(branch_ + "/dice/transcripts"); }

 private:
  HttpClient client_;
  std::string branch_;
};

struct Options {
  std::string file, name, game, side, url, token, out, text;
  std::vector<std::string> with;
  std::uint64_t rolls = 256;
  bool watch = false;
};

std::string default_file() {
  if (const char* file = std::getenv("WARDIARY_PLAYER"); file && *file) return file;
  return "wardiary-player.json";
}

Result<std::unique_ptr<Table>> open_table(const Common& common, const Options& o,
                                          const std::string& author) {
  if (o.url.empty()) {
    auto line = open_line(common.data, o.game, "");
    if (!line) return std::move(line).error();
    return std::unique_ptr<Table>(std::make_unique<LocalTable>(std::move(*line), author));
  }
  std::string token = o.token;
  if (const char* given = std::getenv("WARDIARY_TOKEN"); token.empty() && given) token = given;
  auto client = HttpClient::at(o.url, std::move(token));
  if (!client) return std::move(client).error();
  return RemoteTable::open(*client, o.game);
}

void tell(const Common& common, const json& answer, const std::string& text) {
  if (common.json) {
    print_json(answer);
  } else {
    say(text + (answer.value("duplicate", false) ? " (as before)" : ""));
    if (answer.contains("order")) {
      say("The order is decided: versions " + answer["order"]["first"].dump() + " to " +
          answer["order"]["last"].dump() + ".");
    }
  }
}

int init(const Common& common, const Options& o) {
  auto player = PlayerFile::create(o.file, o.name);
  if (!player) return fail(player.error());
  if (common.json) {
    print_json({{"file", o.file}, {"name", o.name}, {"key", to_hex(player->public_key())}});
  } else {
    say("Made " + o.file + " for " + o.name + ", key " + to_hex(player->public_key()) + ".");
    say("Keep it, and keep it to yourself: whoever has it can sign for you, and without it your "
        "games' dice stand still.");
  }
  return kOk;
}

int show(const Common& common, const Options& o) {
  auto player = PlayerFile::open(o.file);
  if (!player) return fail(player.error());
  if (common.json) {
    print_json(player->public_json());
    return kOk;
  }
  say(tinted(Tint::kBold, player->name()) + "  key " + to_hex(player->public_key()));
  for (const PlayerFile::Joined& j : player->joined()) {
    say("  contributes to branch " + to_hex(j.stream) + " as slot " + std::to_string(j.slot));
  }
  say(std::to_string(player->signed_count()) + " requests signed or revealed for.");
  return kOk;
}

// What may be shown to others: the key, and what was signed. Not the secret.
int export_public(const Options& o) {
  auto player = PlayerFile::open(o.file);
  if (!player) return fail(player.error());
  const std::string text = player->public_json().dump(1) + "\n";
  if (o.out == "-") {
    say(text.substr(0, text.size() - 1));
    return kOk;
  }
  auto written = write_file(std::filesystem::absolute(o.out), text);
  return written ? kOk : fail(written.error());
}

int join(const Common& common, const Options& o) {
  auto player = PlayerFile::open(o.file);
  if (!player) return fail(player.error());
  auto table = open_table(common, o, player->name());
  if (!table) return fail(table.error());
  auto state = (*table)->state();
  if (!state) return fail(state.error());
  const json& sides = (*state)["sides"];
  std::optional<std::uint8_t> slot;
  for (std::size_t i = 0; i < sides.size(); ++i) {
    if (sides[i] == o.side) slot = static_cast<std::uint8_t>(i);
  }
  if (!slot)
    return fail(invalid("side: there is no \"" + o.side + "\"; there are " + sides.dump()));
  auto mine = player->join(*state, *slot);
  if (!mine) return fail(mine.error());
  auto answer = (*table)->hand_in("join", *mine);
  if (!answer) return fail(answer.error());
  tell(common, *answer, "Joined the dice as " + o.side + ".");
  return kOk;
}

// One step of what this player owes: "request", "reveal", or nothing owed.
Result<std::optional<json>> step(PlayerFile& player, Table& table, const std::string& only) {
  auto state = table.state();
  if (!state) return std::move(state).error();
  const bool owes_request = (*state)["next"].is_object();
  if (only == "request" || (only.empty() && owes_request)) {
    auto mine = player.request(*state);
    if (!mine && only.empty() && mine.error().code == ErrorCode::kConflict &&
        mine.error().text.find("refused") == std::string::npos) {
      return std::optional<json>();  // another player's to make
    }
    if (!mine) return std::move(mine).error();
    auto answer = table.hand_in("request", *mine);
    if (!answer) return std::move(answer).error();
    (*answer)["did"] = "request";
    return std::optional<json>(std::move(*answer));
  }
  auto mine = player.reveal(*state);
  if (!mine && only.empty() && mine.error().code == ErrorCode::kConflict &&
      mine.error().text.find("refused") == std::string::npos) {
    return std::optional<json>();
  }
  if (!mine) return std::move(mine).error();
  auto answer = table.hand_in("reveal", *mine);
  if (!answer) return std::move(answer).error();
  (*answer)["did"] = "reveal";
  return std::optional<json>(std::move(*answer));
}

int sign(const Common& common, const Options& o, const std::string& only) {
  auto player = PlayerFile::open(o.file);
  if (!player) return fail(player.error());
  while (true) {
    auto table = open_table(common, o, player->name());
    if (!table) return fail(table.error());
    bool did = true;
    while (did) {
      auto done = step(*player, **table, only);
      if (!done) return fail(done.error());
      did = done->has_value();
      if (did) {
        tell(common, **done,
             (**done)["did"] == "request" ? "Signed the request for the roll."
                                          : "Revealed the contribution.");
      }
      if (!only.empty()) return kOk;
    }
    if (!o.watch) return kOk;
    ::sleep(1);
  }
}

int unlock(const Common& common, const Options& o) {
  auto player = PlayerFile::open(o.file);
  if (!player) return fail(player.error());
  auto table = open_table(common, o, player->name());
  if (!table) return fail(table.error());
  auto state = (*table)->state();
  if (!state) return fail(state.error());
  auto mine = player->unlock(*state, o.rolls);
  if (!mine) return fail(mine.error());
  for (const json& each : *mine) {
    auto answer = (*table)->hand_in("unlock", each);
    if (!answer) return fail(answer.error());
    tell(common, *answer,
         "Unlocked rolls of slot " + each["roller"].dump() + " up to number " +
             each["upTo"].dump() + ".");
  }
  return kOk;
}

int abandon(const Common& common, const Options& o) {
  auto player = PlayerFile::open(o.file);
  if (!player) return fail(player.error());
  auto table = open_table(common, o, player->name());
  if (!table) return fail(table.error());
  auto state = (*table)->state();
  if (!state) return fail(state.error());
  auto mine = player->agree(*state);
  if (!mine) return fail(mine.error());
  if (!o.out.empty()) {  // for another player to hand in
    auto written = write_file(std::filesystem::absolute(o.out), mine->dump() + "\n");
    return written ? kOk : fail(written.error());
  }
  json body = {{"agreed", {*mine}}, {"text", o.text}};
  for (const std::string& file : o.with) {
    auto text = read_input(file, 64u << 10);
    if (!text) return fail(text.error());
    auto other = parse_json(*text);
    if (!other) return fail(std::move(other).error().within(file));
    body["agreed"].push_back(*other);
  }
  auto answer = (*table)->hand_in("abandon", body);
  if (!answer) return fail(answer.error());
  tell(common, *answer, "The order is given up; the numbers of its rolls are spent.");
  return kOk;
}

int owed(const Common& common, const Options& o) {
  auto table = open_table(common, o, "player");
  if (!table) return fail(table.error());
  auto state = (*table)->state();
  if (!state) return fail(state.error());
  if (common.json) {
    print_json(*state);
    return kOk;
  }
  if ((*state)["owed"].empty()) say("Nobody owes anything for a roll.");
  for (const json& each : (*state)["owed"]) {
    say(each["side"].get<std::string>() + " owes: " + each["what"].get<std::string>() +
        " (version " + each["about"].dump() + ")" +
        (each["lapsed"].get<bool>() ? ", and the time for it is over" : ""));
  }
  return kOk;
}

int check(const Common& common, const Options& o) {
  auto player = PlayerFile::open(o.file);
  if (!player) return fail(player.error());
  auto table = open_table(common, o, player->name());
  if (!table) return fail(table.error());
  auto all = (*table)->transcripts();
  if (!all) return fail(all.error());
  std::size_t rolls = 0, epochs = 0;
  for (const json& each : (*all)["dice"]) {
    auto transcript = fairdice::transcript_from_json(each.dump());
    if (!transcript) return fail(transcript.error());
    auto checked = player->check(*transcript);
    if (!checked) {
      complain("epoch " + std::to_string(epochs) + ": " + checked.error().text);
      return kFindings;
    }
    rolls += *checked;
    ++epochs;
  }
  if (!o.out.empty()) {
    auto written = write_file(std::filesystem::absolute(o.out), all->dump(1) + "\n");
    if (!written) return fail(written.error());
  }
  if (common.json) {
    print_json({{"rolls", rolls}, {"epochs", epochs}, {"good", true}});
  } else {
    say(std::to_string(rolls) + " rolls of " + std::to_string(epochs) +
        " epochs: signatures, contributions, proofs and values good, and every one is the roll "
        "that this player signed for.");
  }
  return kOk;
}

}  // namespace

void add_player_commands(CLI::App& app, Chosen& chosen) {
  CLI::App* player = app.add_subcommand(
      "player", "your side of live dice: keys, requests, reveals and checks (docs/dice.md)");
  player->require_subcommand(1);
  struct Made {
    CLI::App* command;
    std::shared_ptr<Common> common;
    std::shared_ptr<Options> options;
  };
  auto make = [&](const char* name, const char* help, bool with_game, auto run) {
    Made made{player->add_subcommand(name, help), nullptr, std::make_shared<Options>()};
    made.common = add_common(*made.command);
    made.options->file = default_file();
    made.command->add_option("--file", made.options->file,
                             "the player's file (default: $WARDIARY_PLAYER or "
                             "wardiary-player.json here)");
    if (with_game) {
      made.command->add_option("game", made.options->game, "name or id (an id with --url)")
          ->required();
      made.command->add_option("--url", made.options->url, "a service, instead of --data");
      made.command->add_option("--token", made.options->token,
                               "the seat's token there (default: $WARDIARY_TOKEN)");
    }
    made.command->callback([&chosen, made, run] {
      chosen = [made, run] { return run(*made.common, *made.options); };
    });
    return made;
  };
  Made m = make("init", "make a player's file", false, init);
  m.command->add_option("--name", m.options->name, "what others read")->required();
  make("show", "whose file it is, and what it has signed", false, show);
  m = make("export", "what may be shown to others: key and signed requests, not the secret", false,
           [](const Common&, const Options& o) { return export_public(o); });
  m.command->add_option("-o,--out", m.options->out, "file, or - for standard output")->required();
  m = make("join", "commit to contributions for a game's dice", true, join);
  m.command->add_option("side", m.options->side, "the side you play")->required();
  make("owed", "who owes what for a roll", true, owed);
  make("request", "sign the request for the roll that your order waits for", true,
       [](const Common& c, const Options& o) { return sign(c, o, "request"); });
  make("reveal", "reveal your contribution to a roll that was requested", true,
       [](const Common& c, const Options& o) { return sign(c, o, "reveal"); });
  m = make("serve", "do whatever this player owes", true,
           [](const Common& c, const Options& o) { return sign(c, o, ""); });
  m.command->add_flag("--watch", m.options->watch, "and go on doing so");
  m = make("unlock", "contribute to coming rolls in advance (async dice)", true, unlock);
  m.command->add_option("--rolls", m.options->rolls, "how many of each other roller (default 256)")
      ->check(CLI::Range(1, 1 << 20));
  m = make("abandon", "agree to give up the order that waits for a roll", true, abandon);
  m.command->add_option("--with", m.options->with, "agreements of others");
  m.command->add_option("--text", m.options->text, "why");
  m.command->add_option("-o,--out", m.options->out,
                        "write the agreement for another player to hand in");
  m = make("check", "check every roll against what you signed", true, check);
  m.command->add_option("-o,--out", m.options->out, "also write the transcripts there");
  player->footer(
      "Example:\n  wardiary player init --name Ada --file ada.json\n"
      "  wardiary player join \"Edelweiss\" axis --file ada.json\n"
      "  wardiary player serve \"Edelweiss\" --file ada.json\n"
      "  wardiary player check \"Edelweiss\" --file ada.json");
}

}  // namespace wardiary::cli

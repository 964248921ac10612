#include "domain/rule_system.h"

#include <algorithm>
#include <charconv>
#include <nlohmann/json.hpp>

#include "domain/base/sha256.h"
#include "domain/json_reader.h"

namespace wardiary {

std::string_view Game::option(std::string_view name) const {
  auto chosen = options.find(name);
  if (chosen != options.end()) return chosen->second;
  if (system) {
    for (const OptionSpec& spec : system->options()) {
      if (spec.name == name) return spec.otherwise;
    }
  }
  return {};
}

namespace {

// Chance for drafts that must not roll: set-up is deterministic.
class NoChance : public Chance {
 public:
  std::optional<Rolled> roll(const RollRequest&) override { return std::nullopt; }
};

const DataFile* find_file(const RuleSystem& system, std::string_view ending) {
  for (const DataFile& file : system.data_files()) {
    if (file.name.ends_with(ending)) return &file;
  }
  return nullptr;
}

Status check_options(const RuleSystem& system, const NewGameSpec& spec) {
  for (const auto& [name, value] : spec.options) {
    auto specs = system.options();
    auto found = std::find_if(specs.begin(), specs.end(),
                              [&, wanted = name](const OptionSpec& s) { return s.name == wanted; });
    if (found == specs.end()) {
      return invalid("options." + name + ": " + std::string(system.name()) + " has no such option");
    }
    if (found->choices.empty()) {
      int number = 0;
      const char* end = value.data() + value.size();
      const auto read = std::from_chars(value.data(), end, number);
      if (read.ec != std::errc() || read.ptr != end || number < found->min || number > found->max) {
        return invalid("options." + name + ": must be a whole number from " +
                       std::to_string(found->min) + " to " + std::to_string(found->max));
      }
    } else if (std::find(found->choices.begin(), found->choices.end(), value) ==
               found->choices.end()) {
      std::string all;
      for (const std::string& c : found->choices) all += (all.empty() ? "" : ", ") + c;
      return invalid("options." + name + ": must be one of " + all);
    }
  }
  return Done{};
}

// The texts of scenario and board: given with the spec, or the system's own files.
Result<std::vector<Content>> choose_contents(const RuleSystem& system, const NewGameSpec& spec) {
  std::vector<Content> out;
  std::string board_name;
  if (!spec.scenario_text.empty()) {
    out.push_back({"scenario", spec.scenario, spec.scenario_text});
  } else if (!spec.scenario.empty()) {
    auto infos = system.scenarios();
    auto info = std::find_if(infos.begin(), infos.end(),
                             [&](const ScenarioInfo& i) { return i.id == spec.scenario; });
    if (info == infos.end()) {
      std::string all;
      for (const ScenarioInfo& i : infos) all += (all.empty() ? "" : ", ") + i.id;
      return invalid("scenario: no \"" + spec.scenario + "\" in " + std::string(system.name()) +
                     "; there are " + all);
    }
    const DataFile* file = find_file(system, "scenarios/" + spec.scenario + ".json");
    if (!file) return invalid("scenario: no data for \"" + spec.scenario + "\"");
    out.push_back({"scenario", info->id, std::string(file->text)});
    board_name = info->board;
  } else {
    return invalid("scenario: is missing");
  }
  if (!spec.board_text.empty()) {
    out.push_back({"board", "given", spec.board_text});
  } else {
    auto scenario = parse_json(out.front().text);
    if (!scenario) return std::move(scenario).error().within("scenario");
    JsonReader reader(*scenario, "scenario");
    const std::string board = reader.text("board");
    if (!reader.ok()) return std::move(reader).error();
    const DataFile* file = find_file(system, "boards/" + board + ".json");
    if (!file) return invalid("scenario.board: no board \"" + board + "\"");
    out.push_back({"board", board, std::string(file->text)});
  }
  for (const DataFile& file : system.data_files()) {
    if (file.name.find("tables") == std::string_view::npos) continue;
    out.push_back({"tables", std::string(file.name), std::string(file.text)});
  }
  return out;
}

Status load_contents(Game& game, std::span<const Content> contents) {
  for (const ContentRef& wanted : game.created.contents) {
    auto found = std::find_if(contents.begin(), contents.end(), [&](const Content& c) {
      return c.role == wanted.role && c.name == wanted.name;
    });
    if (found == contents.end()) {
      return corrupt("the " + wanted.role + " \"" + wanted.name + "\" is missing");
    }
    if (sha256(bytes_of(found->text)) != wanted.sha256) {
      return corrupt("the " + wanted.role + " \"" + wanted.name +
                     "\" is not the one the game was created with");
    }
    if (wanted.role == "board") {
      auto board = Board::parse(found->text);
      if (!board) return std::move(board).error().within("board " + wanted.name);
      game.board = std::make_shared<const Board>(std::move(*board));
    } else if (wanted.role == "scenario") {
      game.scenario_text = found->text;
    }
  }
  return Done{};
}

// Spaces and links of the roster are the board's, perhaps with more behind them.
bool begins_with_board(const Roster& roster, const Board& board) {
  if (roster.spaces.size() < board.spaces().size()) return false;
  if (roster.links.size() < board.links().size()) return false;
  for (std::size_t i = 0; i < board.spaces().size(); ++i) {
    if (roster.spaces[i] != board.spaces()[i].id) return false;
  }
  for (std::size_t i = 0; i < board.links().size(); ++i) {
    const BoardLink& link = board.links()[i];
    if (roster.links[i].a != link.a || roster.links[i].b != link.b) return false;
  }
  return true;
}

void add_board_to_roster(const Board& board, Roster& roster) {
  if (!roster.spaces.empty()) return;
  for (const BoardSpace& space : board.spaces()) roster.spaces.push_back(space.id);
  for (const BoardLink& link : board.links()) roster.links.push_back({link.a, link.b});
}

// The rules find units and values by their numbers. A log from elsewhere may number other things
// than these rules do (an older version wrote it, or a liar): it can be replayed, which needs no
// rules, but not decided on.
Status fits_rules(const RuleSystem& system, const Game& game) {
  auto expected = system.roster(game);
  if (!expected) return std::move(expected).error();
  add_board_to_roster(*game.board, *expected);
  if (auto status = expected->finish(); !status) return status;
  const std::string difference = game.roster().difference(*expected);
  if (difference.empty()) return Done{};
  return invalid("the game was recorded with other " + difference + " than these rules have");
}

}  // namespace

Result<CreatedGame> create_game(const RuleSystem& system, const NewGameSpec& spec,
                                const CreationDetails& details) {
  if (auto status = check_options(system, spec); !status) return std::move(status).error();
  auto contents = choose_contents(system, spec);
  if (!contents) return std::move(contents).error();

  CreatedGame out;
  out.contents = std::move(*contents);
  GameCreatedFacts& facts = out.game.created;
  facts.system = system.name();
  facts.rules_version = system.rules_version();
  facts.scenario = spec.scenario;
  facts.keeping = details.keeping;
  facts.dice = details.dice;
  for (const Content& c : out.contents) {
    facts.contents.push_back({c.role, c.name, sha256(bytes_of(c.text))});
  }
  // Every option is written down, chosen or not: a later default must not change an old game.
  for (const OptionSpec& option : system.options()) {
    auto chosen = spec.options.find(option.name);
    const std::string& value = chosen == spec.options.end() ? option.otherwise : chosen->second;
    facts.options.push_back({option.name, value});
    out.game.options[option.name] = value;
  }
  out.game.system = &system;
  if (auto status = load_contents(out.game, out.contents); !status) {
    return Error{ErrorCode::kInvalid, status.error().text};
  }
  auto roster = system.roster(out.game);
  if (!roster) return std::move(roster).error();
  facts.roster = std::move(*roster);
  add_board_to_roster(*out.game.board, facts.roster);
  if (auto status = facts.roster.finish(); !status) return std::move(status).error();
  facts.seats = details.seats;
  if (facts.seats.empty()) {
    for (std::size_t s = 0; s < facts.roster.sides.size(); ++s) {
      const SideId side{static_cast<int>(s)};
      if (system.is_played(side)) facts.seats.push_back({facts.roster.sides[s], {side}});
    }
  }
  auto data = system.prepare(out.game);
  if (!data) return std::move(data).error();
  out.game.data = std::move(*data);

  NoChance no_chance;
  Draft draft(out.game, Position(facts.roster), no_chance,
              {details.recorded_at_ms, details.author, details.salt});
  draft.write([&](EventWriter& writer, EventList& events) { writer.game_created(events, facts); });
  if (auto status = system.set_up(draft); !status) return std::move(status).error();
  out.events = draft.take_events();
  out.position = draft.take_position();
  return out;
}

Result<Game> open_game(const fb::Event& created, std::span<const Content> contents) {
  auto facts = read_game_created(created);
  if (!facts) return std::move(facts).error();
  Game game;
  game.created = std::move(*facts);
  game.system = rule_system(game.created.system);
  for (const GameOption& option : game.created.options) game.options[option.name] = option.value;
  if (auto status = load_contents(game, contents); !status) return std::move(status).error();
  if (!game.board) return corrupt("GameCreated names no board");
  if (!begins_with_board(game.roster(), *game.board)) {
    return corrupt("the spaces of the roster are not those of the board");
  }
  if (!game.system) {
    game.no_rules = "this program has no rules for " + game.created.system;
  } else if (auto status = fits_rules(*game.system, game); !status) {
    game.no_rules = status.error().text;
    game.system = nullptr;
  }
  if (game.system) {
    auto data = game.system->prepare(game);
    if (!data) return std::move(data).error();
    game.data = std::move(*data);
  }
  return game;
}

Verdict decide(const Game& game, const Position& position, const Order& order, Chance& chance,
               const Envelope& envelope) {
  if (!game.system) {
    return Rejection{"NO_RULES", "", game.no_rules};
  }
  if (position.over) return Rejection{"GAME_OVER", "", "the game is over"};
  if (position.pending(order.side).kind == 0 && !order.type().any_time) {
    return Rejection{"NOT_YOUR_DECISION", "", "it is not this side's decision"};
  }
  if (order.phase >= 0 && order.phase != position.clock.phase) {
    return Rejection{"WRONG_PHASE", "", "the order is for another phase"};
  }
  Draft draft(game, position, chance, envelope);
  {
    std::uint32_t seen_by = 0;
    for (std::size_t s = 0; s < game.roster().sides.size(); ++s) {
      const SideId side{static_cast<int>(s)};
      if (side == order.side || game.system->sees_order(game, position, Viewer::of(side), order)) {
        seen_by |= 1u << s;
      }
    }
    const std::uint32_t everybody = (1u << game.roster().sides.size()) - 1;
    Draft::Scope scope(draft, seen_by == everybody ? 0 : seen_by, 0);
    draft.write([&](EventWriter& writer, EventList& out) { writer.order_issued(out, order); });
  }
  try {
    if (auto refused = game.system->decide(draft, order)) return *std::move(refused);
  } catch (const RollPending& pending) {
    return NeedsRoll{pending.request};
  }
  return Accepted{draft.take_events(), draft.take_position()};
}

}  // namespace wardiary

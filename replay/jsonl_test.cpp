#include "replay/jsonl.h"

#include <fstream>
#include <set>
#include <sstream>

#include "replay/tangled_testing.h"

namespace wardiary {
namespace {

using nlohmann::json;

std::string exported(World& world, const GameId& game) {
  std::ostringstream out;
  auto status = export_jsonl(world.store(), world.library(), game, out);
  EXPECT_TRUE(status.ok()) << status.error().text;
  return out.str();
}

Result<Imported> import_text(World& world, const std::string& text) {
  const auto file = world.directory() / "import.jsonl";
  std::ofstream(file, std::ios::binary) << text;
  return import_jsonl(world.store(), file);
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> out;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) out.push_back(line);
  return out;
}
std::string joined(const std::vector<std::string>& lines) {
  std::string out;
  for (const std::string& line : lines) out += line + "\n";
  return out;
}

TEST(Jsonl, AGameReadBackHasTheSameHashesAndTree) {
  World from, to;
  const GameId id = tangled_game(from);
  const std::string text = exported(from, id);
  auto imported = import_text(to, text);
  ASSERT_TRUE(imported.ok()) << imported.error().text;
  EXPECT_EQ(imported->game, id);
  EXPECT_EQ(imported->branches, 4u);
  expect_same_game(from, to, id);
  EXPECT_EQ(exported(to, id), text);
  EXPECT_TRUE(to.store().verify(id, [](std::uint64_t) {})->findings.empty());
}

// Every type of event that can be written at all, on a mainline and on a what-if.
TEST(Jsonl, EveryTypeOfEventComesBackByteForByte) {
  World from, to;
  auto game = from.create("freeform", "duel", Keeping::kScribed);
  from.record(game->mainline, R"([
      {"type":"Ruling","by":"referee","rule":"1","text":"agreed \u2013 \"so\"\nbe it"},
      {"type":"UnitMoved","unit":"R1","path":["A1","B1"],"how":"march"},
      {"type":"UnitChanged","unit":"R1","attribute":"steps","to":2},
      {"type":"UnitRemoved","unit":"R1","why":"lost"},
      {"type":"UnitPlaced","unit":"R1","at":"A1","values":{"steps":1}},
      {"type":"SpaceChanged","space":"A1","attribute":"control","to":"red"},
      {"type":"LinkChanged","link":["A1","B1"],"attribute":"bridge","to":true},
      {"type":"TrackChanged","track":"score.red","to":70000},
      {"type":"PoolChanged","pool":"cup","item":"sun","to":3},
      {"type":"Revealed","unit":"R1","to":["blue"]},
      {"type":"DiceRolled","roller":"red","purpose":"attack","values":[6,5]},
      {"type":"PhaseBegan","turn":2,"phase":"play"}])");
  ForkRequest fork;
  fork.game = game->id;
  fork.parent = game->mainline;
  fork.at = from.version(game->mainline);
  const BranchId what_if = from.referee().fork(fork)->branch;
  EventList list;
  EventWriter writer;
  writer.meta.visible_to = 1;
  writer.meta.salt = Bytes(16, 0xA5);
  const SpaceId spaces[] = {SpaceId{1}, SpaceId{2}};
  const std::int16_t none[] = {-1, -1}, red[] = {0, 0};
  writer.spaces_changed(list, game->roster().space_attribute("control"), spaces, none, red);
  writer.decision_asked(list, SideId{0}, {}, {});
  writer.game_ended(list, SideId{0}, "marginal", "by agreement");
  std::vector<NewEvent> events;
  for (std::size_t i = 0; i < list.size(); ++i) events.push_back({list.type(i), list[i]});
  ASSERT_EQ(from.store().append({what_if, from.version(what_if), random_id(), events})->kind,
            Appended::Kind::kOk);

  const std::string text = exported(from, game->id);
  auto imported = import_text(to, text);
  ASSERT_TRUE(imported.ok()) << imported.error().text;
  expect_same_game(from, to, game->id);
  EXPECT_EQ(exported(to, game->id), text);
  std::set<std::uint16_t> types;
  for (const BranchId& branch : {game->mainline, what_if}) {
    std::vector<Bytes> was, is;
    auto into = [&](std::vector<Bytes>& out) {
      return [&](const StoredEvent& e) {
        types.insert(e.type);
        out.emplace_back(e.payload.begin(), e.payload.end());
        return true;
      };
    };
    ASSERT_TRUE(from.store().read(branch, 1, UINT64_MAX, into(was)).ok());
    ASSERT_TRUE(to.store().read(branch, 1, UINT64_MAX, into(is)).ok());
    EXPECT_EQ(was, is);
  }
  EXPECT_GE(types.size(), 17u);
}

TEST(Jsonl, ImportingAgainChangesNothing) {
  World from, to;
  const std::string text = exported(from, tangled_game(from));
  ASSERT_TRUE(import_text(to, text).ok());
  const auto before = to.store().stats();
  auto again = import_text(to, text);
  ASSERT_TRUE(again.ok()) << again.error().text;
  EXPECT_TRUE(again->already_there);
  EXPECT_EQ(to.store().stats()->events, before->events);
}

TEST(Jsonl, AGameThatWentOnElsewhereIsNotOverwritten) {
  World from, to;
  const GameId id = tangled_game(from);
  const std::string text = exported(from, id);
  ASSERT_TRUE(import_text(to, text).ok());
  to.record(to.store().game(id)->mainline, R"([{"type":"Ruling","text":"here"}])");
  from.record(from.store().game(id)->mainline, R"([{"type":"Ruling","text":"there"}])");
  const Version before = to.version(to.store().game(id)->mainline);
  auto answer = import_text(to, exported(from, id));
  ASSERT_FALSE(answer.ok());
  EXPECT_EQ(answer.error().code, ErrorCode::kConflict) << answer.error().text;
  EXPECT_EQ(to.version(to.store().game(id)->mainline), before);
}

// What is done to a good file, and what the error must say.
struct Spoiled {
  const char* name;
  std::function<void(std::vector<std::string>&)> spoil;
  const char* says;
};

std::string changed(const std::string& line, const std::function<void(json&)>& change) {
  json document = json::parse(line);
  change(document);
  return document.dump();
}

TEST(Jsonl, ASpoiledFileNamesItsLineAndWritesNothing) {
  World from;
  const std::vector<std::string> good = lines_of(exported(from, tangled_game(from)));
  std::size_t first = 0;  // the line of the first event
  while (good[first].find("\"bytes\"") == std::string::npos) ++first;
  auto event = [&](std::vector<std::string>& l, std::size_t n) -> std::string& {
    return l[first + n];
  };
  const std::vector<Spoiled> all = {
      {"no header", [](auto& l) { l.erase(l.begin()); }, "line 1: format"},
      {"cut off", [](auto& l) { l.pop_back(); }, "ends after"},
      {"a line dropped", [&](auto& l) { l.erase(l.begin() + static_cast<long>(first) + 3); },
       "version: is 5, must be 4"},
      {"two lines swapped", [&](auto& l) { std::swap(event(l, 3), event(l, 4)); }, "must be 4"},
      {"not JSON", [&](auto& l) { event(l, 2) = "{"; }, "not well-formed"},
      {"half a line", [&](auto& l) { event(l, 2).resize(20); }, "not well-formed"},
      {"bad UTF-8", [&](auto& l) { event(l, 2).insert(2, "\xff\xfe"); }, "not well-formed"},
      {"deeply nested", [&](auto& l) { event(l, 2) = std::string(100'000, '['); }, "nested"},
      {"not base64",
       [&](auto& l) { event(l, 1) = changed(event(l, 1), [](json& j) { j["bytes"] = "%%%"; }); },
       "bytes: must be base64"},
      {"no event in the bytes",
       [&](auto& l) { event(l, 1) = changed(event(l, 1), [](json& j) { j["bytes"] = "AAAA"; }); },
       "bytes:"},
      {"another type",
       [&](auto& l) { event(l, 1) = changed(event(l, 1), [](json& j) { j["type"] = "Ruling"; }); },
       "type: the bytes hold another"},
      {"other bytes",
       [&](auto& l) {
         const json other = json::parse(event(l, 3));
         event(l, 2) = changed(event(l, 2), [&](json& j) {
           j["bytes"] = other["bytes"];
           j["type"] = other["type"];
         });
       },
       "line "},
      {"another board",
       [](auto& l) {
         for (std::string& line : l) {
           if (line.find("\"content\":\"board\"") == std::string::npos) continue;
           line = changed(line,
                          [](json& j) { j["text"] = j["text"].template get<std::string>() + " "; });
         }
       },
       "board"},
      {"another end",
       [&](auto& l) {
         for (std::string& line : l) {
           if (line.find("\"hash\"") == std::string::npos) continue;
           line = changed(line, [](json& j) { j["hash"] = std::string(64, '0'); });
         }
       },
       "hash:"},
      {"another tree",
       [](auto& l) { l[0] = changed(l[0], [](json& j) { j["treeRoot"] = std::string(64, '0'); }); },
       "treeRoot"},
      {"an unknown parent",
       [](auto& l) {
         for (std::string& line : l) {
           if (line.find("\"parent\"") == std::string::npos || line.find("\"bytes\"") != line.npos)
             continue;
           line = changed(line, [](json& j) { j["parent"] = std::string(32, 'a'); });
         }
       },
       "parent"},
      {"a line without end",
       [&](auto& l) { event(l, 2) = std::string(JsonlLimits::kLineBytesMax + 10, ' '); },
       "longer than"},
  };
  World to;
  for (const Spoiled& spoiled : all) {
    std::vector<std::string> lines = good;
    spoiled.spoil(lines);
    auto answer = import_text(to, joined(lines));
    ASSERT_FALSE(answer.ok()) << spoiled.name;
    EXPECT_NE(answer.error().text.find(spoiled.says), std::string::npos)
        << spoiled.name << ": " << answer.error().text;
    EXPECT_NE(answer.error().text.find("import.jsonl, line"), std::string::npos)
        << spoiled.name << ": " << answer.error().text;
    EXPECT_EQ(to.store().stats()->games, 0u) << spoiled.name;
  }
  EXPECT_TRUE(import_text(to, joined(good)).ok());
}

TEST(Jsonl, AnEmptyOrMissingFileSaysSo) {
  World to;
  EXPECT_NE(import_text(to, "").error().text.find("is empty"), std::string::npos);
  EXPECT_EQ(import_jsonl(to.store(), "/nowhere/at.all").error().code, ErrorCode::kNotFound);
}

TEST(Jsonl, ABotsGameInMemoryBecomesAGameThatCanBeImported) {
  BotOptions options;
  options.system = "eastfront";
  options.spec.scenario = "Edelweiss";
  options.seed = 5;
  options.orders_max = 60;
  auto played = play_bot_game(options);
  ASSERT_TRUE(played.ok()) << played.error().text;
  std::ostringstream out;
  ASSERT_TRUE(write_bot_game(out, *played, "a bot's game").ok());
  World to;
  auto imported = import_text(to, out.str());
  ASSERT_TRUE(imported.ok()) << imported.error().text;
  auto head = to.time().head(to.store().game(imported->game)->mainline);
  ASSERT_TRUE(head.ok());
  EXPECT_EQ(head->position, played->position);
}

}  // namespace
}  // namespace wardiary

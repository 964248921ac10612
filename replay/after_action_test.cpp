#include "replay/after_action.h"

#include <nlohmann/json.hpp>
#include <regex>

#include "domain/json_reader.h"
#include "replay/world_testing.h"
#include "words_data.h"

namespace wardiary {
namespace {

using nlohmann::json;

struct Press {
  World world;
  GameId id;
  OpenGamePtr game;
  Timelines timelines{world.store(), world.library(), world.time()};

  explicit Press(std::size_t orders) {
    id = world.play("eastfront", "S41", 7, orders);
    game = *world.library().game(id);
  }
  Report write(AfterActionRequest request) {
    request.branch = game->mainline;
    auto made = after_action(world.store(), world.library(), world.time(), timelines, request);
    EXPECT_TRUE(made.ok()) << made.error().text;
    return std::move(made->report);
  }
};

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(AfterAction, TellsAGameInOneFileThatNeedsNothingElse) {
  Press p(600);
  Note note;
  note.branch = p.game->mainline;
  note.version = 400;
  note.author = "referee";
  note.text = "here <b>it</b> began & \"so\" on";
  ASSERT_TRUE(Notes(p.world.store()).add(p.id, note).ok());
  const Report report = p.write({});
  const std::string html = report.html();
  for (const char* part : {"<html lang=\"en\">", "<svg", "Key moments", "The luck ledger",
                           "The audit", "Clean: the log proves itself", "Turn by turn", "Turn 1",
                           "here &lt;b&gt;it&lt;/b&gt; began &amp; &quot;so&quot; on"}) {
    EXPECT_TRUE(has(html, part)) << part;
  }
  for (const char* outside : {"<script", "<link", "src=", "@import", "url("}) {
    EXPECT_FALSE(has(html, outside)) << outside;
  }
  // No message without its words, none half filled.
  EXPECT_FALSE(has(html, "report."));
  EXPECT_FALSE(std::regex_search(html, std::regex("\\{[a-z]+\\}")));
  const std::string markdown = report.markdown();
  EXPECT_TRUE(has(markdown, "## Turn by turn"));
  EXPECT_FALSE(has(markdown, "<svg"));
}

TEST(AfterAction, SpeaksSpanish) {
  Press p(200);
  AfterActionRequest request;
  request.language = Language::kSpanish;
  const std::string html = p.write(request).html();
  for (const char* part :
       {"<html lang=\"es\">", "Turno a turno", "Momentos clave", "La auditoría"}) {
    EXPECT_TRUE(has(html, part)) << part;
  }
  EXPECT_FALSE(has(html, "Turn by turn"));
}

TEST(AfterAction, ForASideTellsNothingThatTheSideMayNotSee) {
  Press p(300);
  AfterActionRequest request;
  const SideId me{0};
  request.viewer = Viewer::of(me);
  request.reader = {p.game->roster().sides[0], false};
  const std::string html = p.write(request).html();
  // Every unit of the other side that was never seen is not named.
  const Version end = p.world.version(p.game->mainline);
  std::set<std::size_t> known;
  const View view(p.game->game, Viewer::of(me));
  (void)p.world.time().walk(
      p.game->mainline, 1, end,
      [&](Version, const fb::Event&, ByteView, const Position& before, const Position& after) {
        for (std::size_t u = 0; u < after.unit_count(); ++u) {
          const UnitId unit{static_cast<int>(u)};
          if (after.side(unit) == me || view.sees_unit(before, unit) ||
              view.sees_unit(after, unit)) {
            known.insert(u);
          }
        }
        return true;
      });
  int hidden = 0;
  for (std::size_t u = 0; u < p.game->roster().units.size(); ++u) {
    if (known.contains(u)) continue;
    ++hidden;
    const RosterUnit& unit = p.game->roster().units[u];
    if (unit.title.size() <= 4) continue;
    EXPECT_FALSE(has(html, html_escaped(unit.title))) << unit.title;
  }
  EXPECT_GT(hidden, 0);
}

TEST(Words, AreTheSameKeysWithTheSameNamesInBothLanguages) {
  std::map<std::string, std::map<std::string, json>> catalogues;  // by folder and language
  for (const DataFile& file : words_data_files()) {
    const std::string name(file.name);
    const auto slash = name.rfind('/');
    const auto catalogue = parse_json(file.text);  // refuses a key that stands twice
    ASSERT_TRUE(catalogue) << name << ": " << catalogue.error().text;
    catalogues[name.substr(0, slash)][name.substr(slash + 1, 2)] = *catalogue;
  }
  ASSERT_GE(catalogues.size(), 2u);
  const std::regex named("\\{(\\w+)\\}");
  for (auto& [folder, languages] : catalogues) {
    ASSERT_TRUE(languages.contains("en") && languages.contains("es")) << folder;
    EXPECT_EQ(languages["en"].size(), languages["es"].size()) << folder;
    for (auto item = languages["en"].begin(); item != languages["en"].end(); ++item) {
      ASSERT_TRUE(languages["es"].contains(item.key())) << folder << " " << item.key();
      const auto names = [&](const std::string& text) {
        return std::multiset<std::string>(
            std::sregex_token_iterator(text.begin(), text.end(), named, 1),
            std::sregex_token_iterator());
      };
      EXPECT_EQ(names(item->get<std::string>()),
                names(languages["es"][item.key()].get<std::string>()))
          << item.key();
    }
  }
}

TEST(Words, FillCountAndMakeReadable) {
  const Words english(Language::kEnglish, "eastfront"), spanish(Language::kSpanish, "eastfront");
  EXPECT_EQ(english.word("order", "LaunchBarrage"), "Launch barrage");
  EXPECT_EQ(english.word("phase", "victory_check"), "Victory check");
  EXPECT_EQ(english.count("map.units", 1), "1 unit");
  EXPECT_EQ(spanish.count("map.units", 3), "3 unidades");
  EXPECT_EQ(english.number(-1'234'567), "-1,234,567");
  EXPECT_EQ(spanish.number(1'234), "1234");
  EXPECT_EQ(spanish.number(12'345), "12.345");
  EXPECT_EQ(spanish.decimal(1.25, 1, true), "+1,2");
  EXPECT_EQ(english.say("no.such.message"), "no.such.message");
}

TEST(Charts, DrawWhatThereIsAndNothingElse) {
  Chart chart;
  chart.title = "a < \"b\"";
  chart.labels = {"1", "2", "3"};
  chart.series = {{"red & blue", {1.0, std::nullopt, -3.0}}};
  const std::string svg = chart_svg(chart);
  EXPECT_TRUE(has(svg, "a &lt; &quot;b&quot;"));
  EXPECT_TRUE(has(svg, "red &amp; blue"));
  EXPECT_FALSE(has(svg, "nan"));
  EXPECT_FALSE(has(chart_svg({}), "nan"));
  chart.series = {{"flat", {0.0, 0.0, 0.0}}};
  EXPECT_FALSE(has(chart_svg(chart), "nan"));
}

}  // namespace
}  // namespace wardiary

#include "replay/player_file.h"

#include <sys/stat.h>

#include <nlohmann/json.hpp>

#include "domain/json_reader.h"
#include "eventstore/data_dir.h"
#include "replay/world_testing.h"

namespace wardiary {
namespace {

using nlohmann::json;

TEST(PlayerFile, IsReadableByItsOwnerAloneAndNotMadeTwice) {
  World world;
  const auto file = world.directory() / "me.player";
  {
    auto made = PlayerFile::create(file, "me");
    ASSERT_TRUE(made.ok()) << made.error().text;
    EXPECT_EQ(std::filesystem::status(file).permissions() & std::filesystem::perms::all,
              std::filesystem::perms::owner_read | std::filesystem::perms::owner_write);
    EXPECT_EQ(PlayerFile::open(file).error().code, ErrorCode::kConflict);  // in use
  }
  EXPECT_EQ(PlayerFile::create(file, "me").error().code, ErrorCode::kConflict);
  std::filesystem::permissions(file, std::filesystem::perms::group_read,
                               std::filesystem::perm_options::add);
  EXPECT_EQ(PlayerFile::open(file).error().code, ErrorCode::kDenied);
}

// The same steps are run by the ES module (tests/fairdice.test.mjs); the Python code that checks
// dice wrote them.
TEST(PlayerFile, GivesAndRefusesWhatTheGoldenStepsSay) {
  World world;
  const auto source = std::filesystem::path(WARDIARY_SOURCE_DIR) / "tests/golden/dice/player.json";
  const auto golden = parse_json(*read_file(source));
  ASSERT_TRUE(golden.ok()) << golden.error().text;
  std::vector<std::filesystem::path> files;
  for (const json& memory : (*golden)["players"]) {
    files.push_back(world.directory() / (memory["name"].get<std::string>() + ".player"));
    ASSERT_TRUE(write_file(files.back(), memory.dump(), 0600).ok());
  }
  std::size_t refused = 0;
  for (std::size_t i = 0; i < (*golden)["steps"].size(); ++i) {
    const json& step = (*golden)["steps"][i];
    SCOPED_TRACE("step " + std::to_string(i) + ": " + step["do"].get<std::string>());
    // Opened anew each time, as after a restart.
    auto player = PlayerFile::open(files[step["player"].get<std::size_t>()]);
    ASSERT_TRUE(player.ok()) << player.error().text;
    const std::string what = step["do"];
    const json& state = step["state"];
    Result<json> gives = invalid("unknown step");
    if (what == "join") gives = player->join(state, step["slot"].get<std::uint8_t>());
    if (what == "request") gives = player->request(state);
    if (what == "reveal") gives = player->reveal(state);
    if (what == "agree") gives = player->agree(state);
    if (what == "unlock") {
      auto all = player->unlock(state, step["count"].get<std::uint64_t>());
      ASSERT_TRUE(all.ok()) << all.error().text;
      gives = json(*all);
    }
    if (step.contains("refuses")) {
      EXPECT_FALSE(gives.ok());
      ++refused;
    } else {
      ASSERT_TRUE(gives.ok()) << gives.error().text;
      EXPECT_EQ(*gives, step["gives"]);
    }
  }
  EXPECT_GE(refused, 7u);
}

TEST(PlayerFile, SignsNothingThatItCannotKeep) {
  World world;
  const auto source = std::filesystem::path(WARDIARY_SOURCE_DIR) / "tests/golden/dice/player.json";
  const auto golden = parse_json(*read_file(source));
  const auto folder = world.directory() / "gone";
  std::filesystem::create_directory(folder);
  const auto file = folder / "ada.player";
  ASSERT_TRUE(write_file(file, (*golden)["players"][0].dump(), 0600).ok());
  auto player = PlayerFile::open(file);
  ASSERT_TRUE(player.ok()) << player.error().text;
  std::filesystem::remove_all(folder);  // nothing can be written any more
  for (const json& step : (*golden)["steps"]) {
    if (step["do"] == "request" && step["player"] == 0) {
      EXPECT_FALSE(player->request(step["state"]).ok());
    }
  }
  EXPECT_EQ(player->signed_count(), 0u);
}

}  // namespace
}  // namespace wardiary

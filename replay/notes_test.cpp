#include "replay/notes.h"

#include "replay/world_testing.h"

namespace wardiary {
namespace {

struct Desk {
  World world;
  OpenGamePtr game = world.create("freeform", "duel", Keeping::kScribed);
  Notes notes{world.store()};

  Note note(const std::string& author, const std::string& text,
            Note::Seen seen = Note::Seen::kEveryone) const {
    Note out;
    out.branch = game->mainline;
    out.version = 2;
    out.author = author;
    out.text = text;
    out.seen = seen;
    out.at_ms = 5;
    return out;
  }
  std::vector<std::string> seen_by(const NoteReader& reader) {
    std::vector<std::string> out;
    const auto all = notes.list(game->id, reader);
    for (const Note& n : *all) out.push_back(n.text);
    return out;
  }
};

using Texts = std::vector<std::string>;

TEST(Notes, AreSeenByWhomTheyAreFor) {
  Desk d;
  ASSERT_TRUE(d.notes.add(d.game->id, d.note("red", "open")).ok());
  ASSERT_TRUE(d.notes.add(d.game->id, d.note("red", "mine", Note::Seen::kSeat)).ok());
  ASSERT_TRUE(d.notes.add(d.game->id, d.note("blue", "to the referee", Note::Seen::kReferee)).ok());
  EXPECT_EQ(d.seen_by({"red", false}), (Texts{"open", "mine"}));
  EXPECT_EQ(d.seen_by({"blue", false}), (Texts{"open", "to the referee"}));
  EXPECT_EQ(d.seen_by({"referee", true}), (Texts{"open", "to the referee"}));
  EXPECT_EQ(d.seen_by({"spectator", false}), (Texts{"open"}));
}

TEST(Notes, AreRemovedByTheirAuthorOrTheReferee) {
  Desk d;
  const auto first = d.notes.add(d.game->id, d.note("red", "first"));
  const auto secret = d.notes.add(d.game->id, d.note("red", "secret", Note::Seen::kSeat));
  EXPECT_EQ(d.notes.remove(d.game->id, first->number, {"blue", false}).error().code,
            ErrorCode::kDenied);
  EXPECT_EQ(d.notes.remove(d.game->id, secret->number, {"blue", false}).error().code,
            ErrorCode::kNotFound)
      << "that it is there is not to be known either";
  EXPECT_EQ(d.notes.remove(d.game->id, 99, {"blue", false}).error().code, ErrorCode::kNotFound);
  EXPECT_TRUE(d.notes.remove(d.game->id, first->number, {"red", false}).ok());
  EXPECT_TRUE(d.notes.remove(d.game->id, first->number, {"red", false}).ok());
  EXPECT_EQ(d.seen_by({"red", false}), (Texts{"secret"}));
  d.world.reopen();
  Notes again(d.world.store());
  EXPECT_EQ(again.list(d.game->id, {"red", false})->size(), 1u);
}

TEST(Notes, StandAtAnEventAndSaySomething) {
  Desk d;
  Note beyond = d.note("red", "x");
  beyond.version = 9'999;
  EXPECT_EQ(d.notes.add(d.game->id, beyond).error().code, ErrorCode::kNotFound);
  EXPECT_EQ(d.notes.add(d.game->id, d.note("red", "")).error().code, ErrorCode::kInvalid);
  EXPECT_EQ(d.notes.add(d.game->id, d.note("red", "\xff")).error().code, ErrorCode::kInvalid);
  EXPECT_EQ(d.notes.add(d.game->id, d.note("red", std::string(9'000, 'x'))).error().code,
            ErrorCode::kLimit);
  Note bookmark = d.note("red", "");
  bookmark.kind = Note::Kind::kBookmark;
  EXPECT_TRUE(d.notes.add(d.game->id, bookmark).ok());
  Note elsewhere = d.note("red", "x");
  elsewhere.branch = d.world.create("freeform", "duel")->mainline;
  EXPECT_EQ(d.notes.add(d.game->id, elsewhere).error().code, ErrorCode::kNotFound);
}

}  // namespace
}  // namespace wardiary

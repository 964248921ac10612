#include "tools/wardiary/session.h"

#include <algorithm>

#include "tools/wardiary/terminal.h"

namespace wardiary::cli {

namespace {

constexpr std::size_t kPage = 1'000;
constexpr std::size_t kPrefixMin = 4;  // hexadecimal digits

bool begins(const Id& id, std::string_view prefix) {
  if (prefix.size() < kPrefixMin || prefix.size() > 2 * Id::kSize) return false;
  return to_hex(id).starts_with(prefix);
}

// The one thing that is called `text`, or whose id begins with it.
template <class Info, class IdOf>
Result<Info> pick(const std::vector<Info>& all, const std::string& text, const std::string& what,
                  IdOf id_of) {
  std::vector<const Info*> named, prefixed;
  for (const Info& info : all) {
    if (info.name == text) named.push_back(&info);
    if (begins(id_of(info), text)) prefixed.push_back(&info);
  }
  const auto& fits = named.empty() ? prefixed : named;
  if (fits.empty()) return not_found("no " + what + " \"" + text + "\"");
  if (fits.size() == 1) return *fits.front();
  std::string ids;
  for (std::size_t i = 0; i < fits.size() && i < 5; ++i) ids += " " + to_hex(id_of(*fits[i]));
  return invalid("\"" + text + "\" is not one " + what + " but " + std::to_string(fits.size()) +
                 "; say which by its id:" + ids);
}

}  // namespace

std::string short_id(const Id& id) {
  return to_hex(id).substr(0, 8);
}

Session::Session(std::unique_ptr<EventStore> store, const FixedBytes<32>& master)
    : store_(std::move(store)),
      library_(*store_),
      time_(*store_, library_),
      dice_(*store_, fairdice::Seed(master.data)),
      referee_(*store_, library_, time_, dice_, now_ms) {}

Result<std::unique_ptr<Session>> Session::open(const Place& place, bool create) {
  auto opened = open_store(place, {create, false});
  if (!opened) {
    Error error = std::move(opened).error();
    if (error.code == ErrorCode::kNotFound) error.text += " (make one with: wardiary init)";
    return Error{ErrorCode::kIo, error.text};
  }
  return std::unique_ptr<Session>(new Session(std::move(opened->store), opened->master));
}

Status Session::each_game(const std::function<void(const GameInfo&)>& see) {
  std::optional<std::string> after;
  do {
    auto page = store_->games(after, kPage);
    if (!page) return std::move(page).error();
    for (const GameInfo& game : page->items) see(game);
    after = page->next;
  } while (after);
  return Done{};
}

Status Session::each_branch(const GameId& game, const std::function<void(const BranchInfo&)>& see) {
  std::optional<std::string> after;
  do {
    auto page = store_->branches(game, after, kPage);
    if (!page) return std::move(page).error();
    for (const BranchInfo& branch : page->items) see(branch);
    after = page->next;
  } while (after);
  return Done{};
}

Result<GameInfo> Session::find_game(const std::string& text) {
  if (const auto id = fixed_from_hex<16>(text)) {
    auto game = store_->game(*id);
    if (game || game.error().code != ErrorCode::kNotFound) return game;
  }
  std::vector<GameInfo> all;
  if (auto status = each_game([&](const GameInfo& g) { all.push_back(g); }); !status) {
    return std::move(status).error();
  }
  return pick(all, text, "game", [](const GameInfo& g) { return g.game; });
}

Result<BranchInfo> Session::find_branch(const GameInfo& game, const std::string& text) {
  if (text.empty() || text == "main") return store_->branch(game.mainline);
  std::vector<BranchInfo> all;
  auto status = each_branch(game.game, [&](const BranchInfo& b) {
    if (!b.deleted) all.push_back(b);
  });
  if (!status) return std::move(status).error();
  return pick(all, text, "branch", [](const BranchInfo& b) { return b.branch; });
}

Result<Line> open_line(const Place& place, const std::string& game,
                       const std::string& branch) {
  auto session = Session::open(place);
  if (!session) return std::move(session).error();
  Line line;
  line.session = std::move(*session);
  auto info = line.session->find_game(game);
  if (!info) return std::move(info).error();
  line.info = std::move(*info);
  auto found = line.session->find_branch(line.info, branch);
  if (!found) return std::move(found).error();
  line.branch = std::move(*found);
  auto opened = line.session->library().game(line.info.game);
  if (!opened) return std::move(opened).error();
  line.game = std::move(*opened);
  return line;
}

}  // namespace wardiary::cli

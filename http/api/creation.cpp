// New games, with their seats and first tokens.
#include <nlohmann/json.hpp>

#include "domain/json_reader.h"
#include "http/api/players.h"
#include "http/api/service.h"

namespace wardiary::http {

using nlohmann::json;

namespace {

constexpr std::size_t kSeatsMax = 16;
// Whoever repeats a creation gets tokens again, so its key must not be guessed, and a retry comes
// soon.
constexpr std::size_t kCreationKeyMin = 16;
constexpr std::uint64_t kCreationRetryMs = 10 * 60 * 1000;

bool may_create(const Asker& asker) {
  return asker.service.options.anyone_may_create || asker.grant.role == Grant::Role::kAdmin;
}

struct SeatWishes {
  struct Seat {
    std::string name;
    std::vector<std::string> sides;
  };
  std::vector<Seat> seats;
  std::map<std::string, std::string> players;
};

SeatWishes read_seats(JsonReader& in) {
  SeatWishes out;
  in.each("seats", kSeatsMax, [&](JsonReader& seat) {
    seat.only({"name", "sides", "player"});
    SeatWishes::Seat one;
    one.name = seat.text("name");
    seat.each_text("sides", kSeatsMax,
                   [&](JsonReader&, const std::string& side) { one.sides.push_back(side); });
    if (one.name.empty()) seat.complain("name", "must not be empty");
    const std::string player = seat.text_or("player", "");
    if (!is_player_name(player)) seat.complain("player", "must be one line of text");
    if (!player.empty()) out.players[one.name] = player;
    out.seats.push_back(std::move(one));
  });
  return out;
}

struct Creation {
  GameRequest game;
  SeatWishes seats;
};

Result<Creation> read_creation(const Asker& asker, const json& body) {
  JsonReader in(body, "");
  in.only({"name", "system", "scenario", "options", "keeping", "seats", "dice", "answerWithin"});
  Creation out;
  out.game.name = in.text_or("name", "");
  out.game.system = in.text("system");
  out.game.spec.scenario = in.text("scenario");
  const std::string keeping = in.text_or("keeping", "refereed");
  if (keeping != "refereed" && keeping != "scribed") {
    in.complain("keeping", "must be refereed or scribed");
  }
  out.game.keeping = keeping == "scribed" ? Keeping::kScribed : Keeping::kRefereed;
  const std::string dice = in.text_or("dice", "solo");
  if (dice != "solo" && dice != "live" && dice != "async") {
    in.complain("dice", "must be solo, live or async");
  }
  out.game.dice = fairdice::grade_named(dice).value_or(Grade::kSolo);
  out.game.answer_within_s =
      static_cast<std::uint32_t>(in.number_or("answerWithin", 0, 0, 366 * 86'400));
  if (in.has("options")) {
    in.each_member("options", [&](const std::string& name, JsonReader& value) {
      if (!value.value().is_string()) return value.complain("", "must be a text");
      out.game.spec.options[name] = value.value().get<std::string>();
    });
  }
  if (in.has("seats")) out.seats = read_seats(in);
  if (!in.ok()) return std::move(in).error();
  if (auto key = asker.request.headers.get("Idempotency-Key")) {
    if (key->size() < kCreationKeyMin) {
      return invalid("Idempotency-Key: must be a random text of at least " +
                     std::to_string(kCreationKeyMin) +
                     " characters here, because whoever sends it again gets the tokens");
    }
    out.game.command = *command_of(asker);
  }
  out.game.author = "service";
  return out;
}

// Seats name sides, and those are known only once rules and scenario are: the names are tried out
// on a game that is thrown away.
Result<std::vector<SeatSpec>> seat_specs(const Creation& wanted) {
  std::vector<SeatSpec> out;
  if (wanted.seats.seats.empty()) return out;
  const RuleSystem* system = rule_system(wanted.game.system);
  if (!system) return invalid("system: there is no \"" + wanted.game.system + "\"");
  auto draft = wardiary::create_game(*system, wanted.game.spec, {});
  if (!draft) return std::move(draft).error();
  const Roster& roster = draft->game.roster();
  std::vector<bool> taken(roster.sides.size());
  for (std::size_t i = 0; i < wanted.seats.seats.size(); ++i) {
    const auto& seat = wanted.seats.seats[i];
    const std::string where = "seats[" + std::to_string(i) + "].";
    SeatSpec spec{seat.name, {}};
    for (const SeatSpec& other : out) {
      if (other.name == seat.name) return invalid(where + "name: there are two of this name");
    }
    for (const std::string& name : seat.sides) {
      const SideId side = roster.side(name);
      if (!side.ok()) return invalid(where + "sides: there is no side \"" + name + "\"");
      if (taken[side.index()]) return invalid(where + "sides: \"" + name + "\" has a seat already");
      taken[side.index()] = true;
      spec.sides.push_back(side);
    }
    if (spec.sides.empty()) return invalid(where + "sides: must name a side");
    out.push_back(std::move(spec));
  }
  return out;
}

Answer post_game(const Asker& asker) {
  if (!may_create(asker)) return denied("only the administrator may create games here");
  Service& service = asker.service;
  auto body = read_body(asker.request);
  if (!body) return std::move(body).error();
  auto wanted = read_creation(asker, *body);
  if (!wanted) return std::move(wanted).error();
  auto seats = seat_specs(*wanted);
  if (!seats) return std::move(seats).error();
  wanted->game.seats = std::move(*seats);
  auto game = service.referee.create(wanted->game);
  if (!game) return std::move(game).error();
  auto info = service.store.game((*game)->id);
  if (!info) return std::move(info).error();
  if (now_ms() > info->created_at_ms + kCreationRetryMs) {
    return problem(409, "conflict", "Conflict", "this Idempotency-Key made a game some time ago");
  }
  if (!wanted->seats.players.empty()) {
    auto set = set_players(service.store, (*game)->id, wanted->seats.players);
    if (!set) return std::move(set).error();
  }
  auto referee = service.access.issue({Grant::Role::kReferee, (*game)->id, "", {}}, "", now_ms());
  if (!referee) return std::move(referee).error();
  json tokens = json::object();
  for (const SeatSpec& seat : (*game)->game.created.seats) {
    const Grant grant{Grant::Role::kSeat, (*game)->id, seat.name, seat.sides};
    auto token = service.access.issue(grant, seat.name, now_ms());
    if (!token) return std::move(token).error();
    tokens[seat.name] = token->secret;
  }
  auto branch = service.store.branch((*game)->mainline);
  if (!branch) return std::move(branch).error();
  Response answer = json_response(
      201, {{"id", to_hex((*game)->id)},
            {"mainline", to_hex((*game)->mainline)},
            {"version", branch->version},
            {"tokens", {{"referee", referee->secret}, {"seats", std::move(tokens)}}}});
  answer.headers.set("Location", "/games/" + to_hex((*game)->id));
  return answer;
}

}  // namespace

void add_creation_routes(Routes& routes) {
  routes.add(Method::kPost, "/games", post_game);
}

}  // namespace wardiary::http

#include "replay/demo.h"

#include <nlohmann/json.hpp>

#include "domain/base/sha256.h"
#include "domain/json_reader.h"

namespace wardiary {

using nlohmann::json;

namespace {

constexpr std::size_t kCommitsMax = 100'000;

// One demo file being loaded.
class Loader {
 public:
  Loader(Referee& referee, EventStore& store, TimeMachine& time, const DemoProgress& progress)
      : referee_(referee), store_(store), time_(time), progress_(progress) {}

  Result<DemoGame> load(const RuleSystem& system, const DataFile& file) {
    auto document = parse_json(file.text);
    if (!document) return std::move(document).error();
    JsonReader in(*document, "");
    in.only({"format", "name", "scenario", "scribed", "options", "commits", "bot"});
    if (in.text("format") != "wardiary-demo/1") {
      in.complain("format", "must be \"wardiary-demo/1\"");
    }
    GameRequest request;
    request.system = system.name();
    request.name = in.text("name");
    request.spec.scenario = in.text("scenario");
    request.keeping = in.flag_or("scribed", false) ? Keeping::kScribed : Keeping::kRefereed;
    request.author = "demo";
    if (in.has("options")) {
      in.each_member("options", [&](const std::string& option, JsonReader& at) {
        if (!at.value().is_string()) return at.complain("", "must be a text");
        request.spec.options[option] = at.value().get<std::string>();
      });
    }
    if (!in.ok()) return std::move(in).error();
    // A demo that has changed is another game: what was loaded before stays as it is.
    request.command = *Id::from(sha256(bytes_of(file.text)).view().first(16));

    auto before = store_.stats();
    if (!before) return std::move(before).error();
    auto game = referee_.create(request);
    if (!game) return std::move(game).error();
    Status status = in.has("bot") ? play(in, request, **game) : replay(in, request, **game);
    if (!status) return std::move(status).error();
    auto after = store_.stats();
    if (!after) return std::move(after).error();
    return DemoGame{(*game)->id, (*game)->name, after->commits == before->commits};
  }

 private:
  Status play(JsonReader& in, const GameRequest& request, const OpenGame& game) {
    JsonReader bot = in.at("bot");
    bot.only({"policy", "seed"});
    BotOptions options;
    options.system = request.system;
    options.spec = request.spec;
    options.policy = bot.text("policy") == "greedy" ? Policy::kGreedy : Policy::kRandom;
    options.seed = static_cast<std::uint64_t>(bot.number("seed", 0, INT64_MAX));
    if (!bot.ok()) return std::move(bot).error();
    auto kept = keep_bot_game(referee_, store_, time_, options, {game.name, request.command},
                              [&](std::size_t n) { tell(game, n); });
    if (!kept) return std::move(kept).error();
    if (!kept->failure.empty()) return invalid(kept->failure);
    return Done{};
  }

  Status replay(JsonReader& in, const GameRequest& request, const OpenGame& game) {
    std::size_t number = 0;
    Status status = Done{};
    in.each("commits", kCommitsMax, [&](JsonReader& at) {
      if (!status) return;
      OrderRequest asked;
      asked.branch = game.mainline;
      asked.command = order_command(request.command, number++);
      asked.durability = Durability::kBuffered;
      auto answer = commit(at, asked);
      if (!answer) {
        status = std::move(answer).error().within(at.path());
      } else if (const auto* refused = std::get_if<Rejection>(&*answer)) {
        status = invalid(at.path() + ": refused: " + refused->code + " " + refused->text);
      } else if (!std::holds_alternative<OrderAccepted>(*answer)) {
        status = invalid(at.path() + ": was not accepted");
      }
      tell(game, number);
    });
    if (!in.ok()) return std::move(in).error();
    return status;
  }
  Result<OrderAnswer> commit(JsonReader& at, OrderRequest& asked) {
    at.only({"note", "facts", "order", "dice"});
    if (!at.ok()) return std::move(at).error();
    if (const json* facts = at.get("facts"); facts && facts->is_array()) {
      asked.author = "scribe";
      const std::vector<json> list(facts->begin(), facts->end());
      return referee_.record(asked, list);
    }
    const json* order = at.get("order");
    if (!order || !order->is_object()) return invalid("needs facts or an order");
    asked.author = order->value("side", "referee");
    if (const json* dice = at.get("dice")) {
      asked.dice.emplace();
      for (const json& die : *dice) {
        if (!die.is_number_unsigned()) return invalid("dice: must be whole numbers");
        asked.dice->push_back(die.get<std::uint32_t>());
      }
    }
    return referee_.order(asked, *order);
  }
  void tell(const OpenGame& game, std::size_t n) const {
    if (progress_) progress_(game.name, n);
  }

  Referee& referee_;
  EventStore& store_;
  TimeMachine& time_;
  const DemoProgress& progress_;
};

}  // namespace

Result<std::vector<DemoGame>> load_demos(Referee& referee, EventStore& store, TimeMachine& time,
                                         const DemoProgress& progress) {
  std::vector<DemoGame> out;
  for (const RuleSystem* system : rule_systems()) {
    for (const DataFile& file : system->data_files()) {
      if (!file.name.starts_with("demos/")) continue;
      auto game = Loader(referee, store, time, progress).load(*system, file);
      if (!game) {
        return std::move(game).error().within(std::string(system->name()) + "/" +
                                              std::string(file.name));
      }
      out.push_back(std::move(*game));
    }
  }
  return out;
}

}  // namespace wardiary

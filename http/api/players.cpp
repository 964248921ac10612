#include "http/api/players.h"

#include <nlohmann/json.hpp>

#include "domain/json_reader.h"

namespace wardiary::http {

namespace {
std::string key_of(const GameId& game) {
  return "players/" + to_hex(game);
}
}  // namespace

bool is_player_name(std::string_view name) {
  return name.size() <= kPlayerBytesMax && is_clean_utf8(name) &&
         name.find('\n') == std::string_view::npos;
}

Result<std::map<std::string, std::string>> players_of(EventStore& store, const GameId& game) {
  auto stored = store.record(key_of(game));
  if (!stored) return std::move(stored).error();
  std::map<std::string, std::string> players;
  if (!*stored) return players;
  auto document = parse_json(text_of(**stored));
  if (!document || !document->is_object()) return corrupt("the record of players is not readable");
  for (const auto& [seat, player] : document->items()) {
    if (player.is_string()) players[seat] = player.get<std::string>();
  }
  return players;
}

Status set_players(EventStore& store, const GameId& game,
                   const std::map<std::string, std::string>& players) {
  const std::string text = nlohmann::json(players).dump();
  const EventStore::RecordChange change{key_of(game), Bytes(text.begin(), text.end())};
  return store.change_records({&change, 1});
}

}  // namespace wardiary::http

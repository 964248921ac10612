// The names people gave for who sits in a seat: beside the evidence, changeable, only for reading.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "eventstore/event_store.h"

namespace wardiary::http {

inline constexpr std::size_t kPlayerBytesMax = 100;

// One line of text, not too long; empty for nobody.
bool is_player_name(std::string_view name);

// By seat.
Result<std::map<std::string, std::string>> players_of(EventStore& store, const GameId& game);
Status set_players(EventStore& store, const GameId& game,
                   const std::map<std::string, std::string>& players);

}  // namespace wardiary::http

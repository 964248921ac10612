// `wardiary-jsonl/1`: a whole game as text, one JSON object a line, for people, other programs and
// other stores. The words on an event's line are for reading; its "bytes" are the stored bytes, so
// a game that is written out and read back has the same hashes. docs/cli.md shows the format.
//
//   {"format":"wardiary-jsonl/1","game":"..","mainline":"..","name":"..","createdAt":..,..}
//   {"content":"board","name":"duel","sha256":"..","text":"{..}"}             one per content
//   {"branch":"..","parent":"..","at":12,"version":40,"hash":"..",..}         one per branch
//   {"version":1,"type":"GameCreated",..,"bytes":"base64"}                    one per event
//
// Events stand in the order of the game's Merkle tree; those of a what-if also say their "branch".
#pragma once

#include <filesystem>
#include <iosfwd>
#include <string>

#include "eventstore/event_store.h"
#include "replay/bot.h"
#include "replay/library.h"
#include "replay/transfer.h"

namespace wardiary {

struct JsonlLimits {
  static constexpr std::size_t kLineBytesMax = 16u << 20;
};

// Writes the game with all its branches. Memory does not grow with the game.
Status export_jsonl(EventStore& store, Library& library, const GameId& game, std::ostream& out,
                    const TransferProgress& progress = {});
// A game that was only played in memory, in the same form.
Status write_bot_game(std::ostream& out, const BotGame& game, const std::string& name);

// Checks every line (hashes, continuity, digests, contents) and only then writes. The error names
// the line. kConflict if the store has another game under this id. An import that was cut off by a
// crash is completed by doing it again.
Result<Imported> import_jsonl(EventStore& store, const std::filesystem::path& file,
                              const TransferProgress& progress = {});

}  // namespace wardiary

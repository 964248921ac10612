// A player's own file: the secret everything is derived from, and which request was signed for
// which roll. One request per (stream, epoch, roller, number) is signed, ever, by roller and
// revealers alike: whoever could get two answered could choose between their dice. The file is
// written and synced before a signature leaves, so that no crash makes the player's program forget.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "domain/fairdice/player.h"
#include "domain/fairdice/transcript.h"

namespace wardiary {

// Speaks `wardiary-dice-state/1` (live_dice.h): each answer is what the referee's door of that name
// takes, as JSON (docs/formats.md).
class PlayerFile {
 public:
  // kConflict if the file exists; mode 0600.
  static Result<PlayerFile> create(const std::filesystem::path& file, const std::string& name);
  // Held alone until this object goes: kConflict if another program has it open.
  static Result<PlayerFile> open(const std::filesystem::path& file);
  PlayerFile(PlayerFile&&) noexcept;
  ~PlayerFile();

  const std::string& name() const { return name_; }
  const fairdice::PublicKey& public_key() const { return player_.public_key(); }
  std::size_t signed_count() const { return signed_.size(); }
  struct Joined {
    Id stream;
    Hash draft;
    std::uint8_t slot = 0;
  };
  const std::vector<Joined>& joined() const { return joined_; }
  // What may be shown to others: everything but the secret.
  nlohmann::json public_json() const;

  // The player's contribution to the epoch that is being drafted, as `slot`. kConflict if this
  // player holds another slot of it: everybody needs a key of his own.
  Result<nlohmann::json> join(const nlohmann::json& state, std::uint8_t slot);
  // The signed request for the roll that the rules ask for. kConflict where the state asks for a
  // second request for one number, or this player does not owe it.
  Result<nlohmann::json> request(const nlohmann::json& state);
  // The signed reveal for the last request of the order that waits: after checking that the roller
  // signed it, and that no other request for this number was ever answered.
  Result<nlohmann::json> reveal(const nlohmann::json& state);
  // The elements for the next `count` rolls of every other contributor, in advance (async).
  Result<std::vector<nlohmann::json>> unlock(const nlohmann::json& state, std::uint64_t count);
  // The consent to give up the order that waits.
  Result<nlohmann::json> agree(const nlohmann::json& state);
  // Everything a transcript proves, and that every roll is the one this player signed for. Returns
  // how many rolls were checked.
  Result<std::size_t> check(const fairdice::DiceTranscript& transcript) const;

 private:
  using Key = std::tuple<Id, Hash, std::uint8_t, std::uint64_t>;  // stream, epoch, roller, number

  struct Seat {
    fairdice::Epoch epoch;
    Hash draft;
    std::uint8_t slot = 0;
    fairdice::Commitment commitment;
  };

  PlayerFile(std::filesystem::path file, std::string name, fairdice::Seed secret);
  Result<Seat> seat(const nlohmann::json& state);
  bool is_mine(const fairdice::Epoch& epoch, std::uint8_t slot) const;
  Status lock();
  Status save() const;
  // Remembers the digest, on disk, before anything signed leaves; kConflict if another one stands.
  Status admit(const Key& key, const Hash& digest);

  std::filesystem::path file_;
  std::string name_;
  fairdice::Seed secret_;
  fairdice::Player player_;
  std::map<Key, Hash> signed_;
  std::vector<Joined> joined_;
  std::map<std::pair<Id, Hash>, Hash> epochs_;  // by stream and draft: the one epoch it became
  int lock_ = -1;
};

}  // namespace wardiary

// Words for people, in English or Spanish, from the catalogues that the page uses too: the page's
// own messages, each game's words (domain/systems/<game>/words) and those of the reports. What no
// catalogue knows is made readable: "blitz_movement" becomes "Blitz movement".
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "domain/game.h"

namespace wardiary {

enum class Language : std::uint8_t { kEnglish, kSpanish };
std::optional<Language> language_of(std::string_view code);  // "en", "es"
std::string_view code_of(Language language);

class Words {
 public:
  using Params = std::vector<std::pair<std::string_view, std::string>>;

  // For one game's system; what it is called by others is not looked at.
  Words(Language language, std::string_view system);

  Language language() const { return language_; }
  // The message with its {names} filled in; the key itself if there is no such message.
  std::string say(std::string_view key, const Params& params = {}) const;
  // The form for a count: key.one or key.other, which may name {count}.
  std::string count(std::string_view key, std::int64_t count, Params params = {}) const;
  // A word of a rule system, by its kind: ("phase", "blitz_movement").
  std::string word(std::string_view kind, std::string_view id) const;
  bool has(std::string_view key) const { return find(key) != nullptr; }

  // 1,234 or 1.234; with `places` decimals 1.5 or 1,5, and a sign if wanted.
  std::string number(std::int64_t value) const;
  std::string decimal(double value, int places, bool sign = false) const;

 private:
  using Catalogue = std::map<std::string, std::string, std::less<>>;
  const std::string* find(std::string_view key) const;
  Language language_;
  Catalogue messages_;
};

// Names of a game's things for people.
class Names {
 public:
  Names(const Game& game, const Words& words) : game_(game), words_(words) {}
  std::string unit(std::string_view id) const;   // also "?soviet@1515": a block one does not know
  std::string space(std::string_view id) const;  // "Rostov (1515)"
  std::string side(std::string_view id) const;
  std::string side(SideId id) const;
  std::string turn(int turn) const;

 private:
  const Game& game_;
  const Words& words_;
};

// An event, as View::write_event writes it, in a sentence.
std::string event_words(const nlohmann::json& event, const Words& words, const Names& names);
std::string order_words(const nlohmann::json& order, const Words& words, const Names& names);

}  // namespace wardiary

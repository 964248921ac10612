// Options and rulings a game is created with. Rulings (A-nn) are those of the rules digest, section
// 11; the digest's choice is the default.
#include "domain/systems/eastfront/eastfront.h"

namespace wardiary::eastfront {
namespace {

OptionSpec on_off(std::string name, bool on, std::string rule, std::string help) {
  OptionSpec spec;
  spec.name = std::move(name);
  spec.choices = on ? std::vector<std::string>{"on", "off"} : std::vector<std::string>{"off", "on"};
  spec.otherwise = on ? "on" : "off";
  spec.rule = std::move(rule);
  spec.help = std::move(help);
  return spec;
}

OptionSpec one_of(std::string name, std::vector<std::string> choices, std::string rule,
                  std::string help) {
  OptionSpec spec;
  spec.name = std::move(name);
  spec.otherwise = choices.front();
  spec.choices = std::move(choices);
  spec.rule = std::move(rule);
  spec.help = std::move(help);
  return spec;
}

OptionSpec number(std::string name, int otherwise, int min, int max, std::string rule,
                  std::string help) {
  OptionSpec spec;
  spec.name = std::move(name);
  spec.otherwise = std::to_string(otherwise);
  spec.min = min;
  spec.max = max;
  spec.rule = std::move(rule);
  spec.help = std::move(help);
  return spec;
}

std::vector<OptionSpec> make_options() {
  return {
      on_off("historicalSetup", true, "S41",
             "Summer 1941 starts from the historical order of battle"),
      on_off("paratroops", false, "14", "play with paratroops"),
      on_off("navalPower", false, "15", "play with naval power"),
      on_off("westWeatherAlways", false, "12.3",
             "roll West Front weather even when nobody is there"),
      one_of("linkTo", {"none", "W41", "S42", "W42", "S43", "W43", "S44", "W44"}, "3.1",
             "play on into the following scenarios up to this one"),
      on_off("campaign", false, "3.1.4", "a decisive victory ends the war after any scenario"),
      number("A-02", 1, 1, 3, "16.1", "dice of a satellite surrender roll"),
      one_of("A-04", {"45", "37"}, "W44", "Axis production in Winter 1944"),
      on_off("A-13", true, "1.39", "straits freeze in Snow as rivers do"),
      on_off("A-14", true, "12.24", "Mud forbids sea invasions as swamp does"),
      number("A-19", 2, 0, 4, "9.5", "rail hexes for each edge hex passed off the map"),
      on_off("A-48", true, "2.65", "an SS cadre counts as the SS step of the month"),
      on_off("A-50", false, "9.21", "rail moves are possible inside a pocket"),
      on_off("A-51", true, "15.41", "a Supreme HQ may be an Invasion HQ"),
  };
}

int number_of(const Game& game, std::string_view name) {
  int value = 0;
  for (char digit : game.option(name)) value = value * 10 + (digit - '0');
  return value;
}

}  // namespace

std::span<const OptionSpec> option_specs() {
  static const std::vector<OptionSpec> specs = make_options();
  return specs;
}

Rulings rulings_of(const Game& game) {
  Rulings rulings;
  rulings.historical = game.option_on("historicalSetup");
  rulings.paratroops = game.option_on("paratroops");
  rulings.naval = game.option_on("navalPower");
  rulings.west_weather_always = game.option_on("westWeatherAlways");
  if (game.option("linkTo") != "none") rulings.link_to = game.option("linkTo");
  rulings.campaign = game.option_on("campaign");
  rulings.surrender_dice = number_of(game, "A-02");
  rulings.w44_axis_level = number_of(game, "A-04");
  rulings.straits_freeze = game.option_on("A-13");
  rulings.mud_stops_invasions = game.option_on("A-14");
  rulings.off_map_rail_per_hex = number_of(game, "A-19");
  rulings.ss_cadre_is_step = game.option_on("A-48");
  rulings.rail_in_pockets = game.option_on("A-50");
  rulings.shq_may_invade = game.option_on("A-51");
  return rulings;
}

}  // namespace wardiary::eastfront

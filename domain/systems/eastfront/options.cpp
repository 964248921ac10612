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
      one_of("A-03", {"command", "one"}, "13.12",
             "dice of an air strike: one for each command point, or one for each HQ"),
      one_of("A-04", {"45", "37"}, "W44", "Axis production in Winter 1944"),
      one_of("A-06", {"4", "3"}, "EDW", "strength of the mechanised corps O in Edelweiss"),
      on_off("A-09", true, "5.3", "command reaches own units in an enemy-controlled hex"),
      on_off("A-11", false, "6.42", "headquarters take part in pursuit fire"),
      on_off("A-12", true, "6.42", "rear guard and pursuers are revealed"),
      on_off("A-13", true, "1.39", "straits freeze in Snow as rivers do"),
      on_off("A-14", true, "12.24", "Mud forbids sea invasions as swamp does"),
      on_off("A-16", true, "10.5", "an HQ may be the unit that lives on fortress supply"),
      on_off("A-17", true, "7.4", "air strikes too hit no fortress without support"),
      number("A-19", 2, 0, 4, "9.5", "rail hexes for each edge hex passed off the map"),
      on_off("A-20", false, "16.2", "the loss of oil is added to the HQ prices of Winter 1941"),
      on_off("A-21", false, "16.3", "base production may fall below zero"),
      on_off("A-22", true, "17.1", "the Italian army counts as lost before it has come"),
      on_off("A-23", true, "14", "without chapter 14 the airborne corps is not in the game"),
      one_of("A-25", {"omitted", "no-hq"}, "S44",
             "the first Axis turn: left out, or played without activating an HQ"),
      one_of("A-26", {"activation", "resolution"}, "7.4",
             "when support is looked at: as the battle is activated, or as it is fought"),
      on_off("A-27", false, "5.21", "HQs deploying out of a battle are bound by hexside limits"),
      number("A-28", 1, 1, 3, "5.7", "lowest command value of a Blitz HQ"),
      on_off("A-31", false, "2.61", "the Coastal Army moves 3, 1 and 2 hexes"),
      on_off("A-32", true, "12.24", "Mud takes the double fire of mountain corps in mountains"),
      one_of("A-33", {"soviet", "axis"}, "16.1", "who picks the unit that changes sides"),
      on_off("A-34", false, "2.3", "a unit that dies standing is shown to the enemy"),
      one_of("A-35", {"1", "0"}, "12.23", "speed of static units in Snow"),
      one_of("A-37", {"east", "west"}, "12.21", "which weather gives the initiative"),
      on_off("A-40", true, "17.1", "restricted expeditionary satellites cost points"),
      on_off("A-41", false, "5.3", "rivers and straits block command"),
      on_off("A-42", false, "16.7", "units forced off the map count as eliminated"),
      on_off("A-43", false, "7.4", "a counter-attack out of a fortress hits nobody unsupported"),
      on_off("A-46", true, "10.5", "fortress supply also feeds a garrison in no battle"),
      on_off("A-47", true, "5.7", "Blitz Combat is played when every Blitz HQ has mobilised"),
      on_off("A-48", true, "2.65", "an SS cadre counts as the SS step of the month"),
      one_of("A-49", {"digest", "infantry", "foot"}, "15.41",
             "who may land: infantry, mountain, coastal and para; infantry and coastal; or all "
             "but armor, mech and cavalry"),
      on_off("A-50", false, "9.21", "rail moves are possible inside a pocket"),
      on_off("A-51", true, "15.41", "a Supreme HQ may be an Invasion HQ"),
  };
}

int number_of(const Game& game, std::string_view name) {
  int value = 0;
  for (char digit : game.option(name)) value = value * 10 + (digit - '0');
  return value;
}

void read_later_rulings(const Game& game, Rulings& rulings) {
  rulings.blitz_cmd_least = number_of(game, "A-28");
  rulings.fast_coastal = game.option_on("A-31");
  rulings.mud_beats_mountain_corps = game.option_on("A-32");
  rulings.axis_picks_defector = game.option("A-33") == "axis";
  rulings.hidden_deaths_reveal = game.option_on("A-34");
  rulings.static_snow_speed = number_of(game, "A-35");
  rulings.west_weather_sets_initiative = game.option("A-37") == "west";
  rulings.restricted_cost_points = game.option_on("A-40");
  rulings.rivers_block_command = game.option_on("A-41");
  rulings.off_map_units_are_lost = game.option_on("A-42");
  rulings.sally_needs_support = game.option_on("A-43");
  rulings.idle_garrisons_are_fed = game.option_on("A-46");
  rulings.blitz_combat_without_hq = game.option_on("A-47");
  rulings.ss_cadre_is_step = game.option_on("A-48");
  const std::string_view landing = game.option("A-49");
  rulings.landing = landing == "infantry" ? Rulings::Landing::kInfantryOnly
                    : landing == "foot"   ? Rulings::Landing::kAllFoot
                                          : Rulings::Landing::kDigest;
  rulings.rail_in_pockets = game.option_on("A-50");
  rulings.shq_may_invade = game.option_on("A-51");
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
  rulings.strike_by_command = game.option("A-03") == "command";
  rulings.w44_axis_level = number_of(game, "A-04");
  rulings.edelweiss_mech_cv = number_of(game, "A-06");
  rulings.command_into_enemy_hex = game.option_on("A-09");
  rulings.hqs_pursue = game.option_on("A-11");
  rulings.pursuit_reveals = game.option_on("A-12");
  rulings.straits_freeze = game.option_on("A-13");
  rulings.mud_stops_invasions = game.option_on("A-14");
  rulings.hq_on_fortress_supply = game.option_on("A-16");
  rulings.fortress_air_needs_support = game.option_on("A-17");
  rulings.off_map_rail_per_hex = number_of(game, "A-19");
  rulings.surcharges_add_up = game.option_on("A-20");
  rulings.base_may_be_negative = game.option_on("A-21");
  rulings.absent_italians_count = game.option_on("A-22");
  rulings.paras_leave_pool = game.option_on("A-23");
  rulings.stand_fast_skips_turn = game.option("A-25") == "omitted";
  rulings.support_fixed = game.option("A-26") == "activation";
  rulings.deployment_uses_hexsides = game.option_on("A-27");
  read_later_rulings(game, rulings);
  return rulings;
}

}  // namespace wardiary::eastfront

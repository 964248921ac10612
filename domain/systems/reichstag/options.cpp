// Options and rulings a game is created with. Rulings (R-nn) are those of the rules digest, section
// 11; the digest's choice is the default.
#include "domain/systems/reichstag/chapters.h"

namespace wardiary::reichstag {
namespace {

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

OptionSpec on(std::string name, std::string rule, std::string help) {
  return one_of(std::move(name), {"on", "off"}, std::move(rule), std::move(help));
}
OptionSpec off(std::string name, std::string rule, std::string help) {
  return one_of(std::move(name), {"off", "on"}, std::move(rule), std::move(help));
}

std::vector<OptionSpec> make_options() {
  return {
      off("quickSetup", "3", "the program places the pieces as the scenario suggests"),
      off("option24", "24", "Soviet lines of communication"),
      off("option25", "25", "highly mobile units"),
      off("option26", "26", "German units may escape to the west"),
      one_of("forcedMarchCost", {"1", "3"}, "6.5", "R-01: Stavka points of a forced march"),
      one_of("reconReichstag", {"PRIVATE_LOOK", "FLIP"}, "17.3",
             "R-08: reconnaissance of the Reichstag is a private look, or turns the garrison up"),
      on("R-09", "16.8", "a Soviet unit across the boundary turns a static unit up"),
      on("R-11", "5.6", "a Soviet unit next to the Reichstag only need not attack it"),
      off("R-16", "16.5", "snipers keep their reach of four hexes in set-up too"),
      on("R-20", "18.5", "a demolished bridge cuts the road"),
      off("R-21", "24.2", "canals block lines of communication as rivers do"),
      one_of("R-22", {"12", "30"}, "19.2",
             "hexsides an engineer serves: of its hex and those that touch it, or all of the six "
             "hexes around"),
      on("R-23", "13.5",
         "a hex that holds one unit not yet attacked may be attacked, with all who retreated "
         "there"),
      on("R-34", "27.5", "attacks and zones of control cross lake hexsides"),
      one_of("R-46", {"one", "any"}, "17.3", "hexes a reconnaissance unit may look at in a turn"),
      one_of("R-47", {"automatic", "choice"}, "23.2",
             "Germans in S-Bahn hexes ignore retreats always, or as their player likes"),
      off("keepSovietZonesFree", "3.5", "R-48: no German is set up in a Soviet set-up area"),
      on("R-49", "12.10", "units of a hex that are not obliged to attack may stay out"),
  };
}

}  // namespace

std::span<const OptionSpec> option_specs() {
  static const std::vector<OptionSpec> specs = make_options();
  return specs;
}

Rulings rulings_of(const Game& game) {
  Rulings rulings;
  rulings.quick_setup = game.option_on("quickSetup");
  rulings.loc = game.option_on("option24");
  rulings.highly_mobile = game.option_on("option25");
  rulings.escape_west = game.option_on("option26");
  rulings.forced_march_cost = game.option("forcedMarchCost") == "3" ? 3 : 1;
  rulings.recon_flips_reichstag = game.option("reconReichstag") == "FLIP";
  rulings.reveal_across_boundary = game.option_on("R-09");
  rulings.reichstag_voluntary = game.option_on("R-11");
  rulings.setup_snipers_in_reach = game.option_on("R-16");
  rulings.bridge_cuts_road = game.option_on("R-20");
  rulings.canals_block_loc = game.option_on("R-21");
  rulings.wide_engineers = game.option("R-22") == "30";
  rulings.attack_fresh_only = !game.option_on("R-23");
  rulings.across_lakes = game.option_on("R-34");
  rulings.recon_hexes = game.option("R-46") == "one" ? 1 : 1000;
  rulings.sbahn_choice = game.option("R-47") == "choice";
  rulings.keep_soviet_zones_free = game.option_on("keepSovietZonesFree");
  rulings.may_stay_out = game.option_on("R-49");
  return rulings;
}

}  // namespace wardiary::reichstag

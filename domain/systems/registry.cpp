// The rule systems of this program. A new game adds its line here and nothing elsewhere.
#include "domain/rule_system.h"

namespace wardiary {

const RuleSystem& eastfront_system();
const RuleSystem& freeform_system();
const RuleSystem& reichstag_system();

std::span<const RuleSystem* const> rule_systems() {
  static const RuleSystem* const systems[] = {
      &eastfront_system(),
      &reichstag_system(),
      &freeform_system(),
  };
  return systems;
}

const RuleSystem* rule_system(std::string_view name) {
  for (const RuleSystem* system : rule_systems()) {
    if (system->name() == name) return system;
  }
  return nullptr;
}

}  // namespace wardiary

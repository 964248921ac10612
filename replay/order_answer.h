// What giving an order, or anything else that is written into a game, came to.
#pragma once

#include <variant>

#include "domain/rule_system.h"
#include "eventstore/event_store.h"

namespace wardiary {

struct OrderAccepted {
  Version first = 0;
  Version last = 0;
  bool duplicate = false;  // this command was answered before, with these versions
};
struct VersionConflict {
  Version current = 0;
};
struct OrderSuspended {
  RollRequest waiting_for;
  Version version = 0;  // of the order on record, 0 if nothing was recorded (dice rolled elsewhere)
  bool duplicate = false;
};
using OrderAnswer = std::variant<OrderAccepted, Rejection, VersionConflict, OrderSuspended>;

}  // namespace wardiary

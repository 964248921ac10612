// Holding what people kept against a data directory (evidence_commands.cpp).
#pragma once

#include "eventstore/event_store.h"
#include "tools/wardiary/command.h"

namespace wardiary::cli {

void add_evidence_commands(CLI::App& app, Chosen& chosen);

// Adds a finding for each receipt or checkpoint that the data directory does not bear out.
Status hold_against(const Place& place, const HeldAgainst& held, EventStore::Verified& verified);

}  // namespace wardiary::cli

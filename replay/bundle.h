// A whole game as one file, and what can be done with such a file: `wardiary-bundle/1`, in
// docs/formats.md byte by byte (eventstore/bundle/ reads and writes it). Whoever serves bundles
// needs export_bundle; it holds the game's every secret, so give it only to the referee or once the
// game is over. To audit one: Bundle::read, then verify_bundle.
#pragma once

#include <filesystem>
#include <iosfwd>
#include <string>
#include <vector>

#include "eventstore/bundle/bundle.h"
#include "replay/audit.h"
#include "replay/library.h"
#include "replay/transfer.h"

namespace wardiary {

// Signs a checkpoint of the game as it is now and writes it with everything under it.
Status export_bundle(EventStore& store, Library& library, const GameId& game, std::ostream& out,
                     const TransferProgress& progress = {});

// Whether the file begins as a bundle does.
bool is_bundle(const std::filesystem::path& file);

// Brings a bundle into a store, checked as in import_game; everything that Bundle::verify finds is
// an error too. The store signs it with its own key from then on.
Result<Imported> import_bundle(EventStore& store, const std::filesystem::path& file,
                               const TransferProgress& progress = {});

// What others hold against a bundle: the key they know the log by, and what it has signed before.
struct BundleWitness {
  std::string key;                       // verifier key line; empty: the bundle's own
  std::vector<std::string> receipts;     // texts of .tlog-proof files
  std::vector<std::string> checkpoints;  // signed notes
};
// The full audit of a bundle, without any store. The check "witness" is added to the report: the
// log's key, and receipts and checkpoints that people kept.
Result<AuditReport> verify_bundle(Bundle& bundle, const BundleWitness& witness,
                                  const TransferProgress& progress = {});

}  // namespace wardiary

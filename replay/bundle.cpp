#include "replay/bundle.h"

#include <fstream>

#include "eventstore/checkpoint.h"
#include "eventstore/evidence.h"
#include "eventstore/merkle.h"

namespace wardiary {
namespace {

Status give(Bundle& bundle, GameSink& sink) {
  const GameInfo& info = bundle.info();
  TransferHead head{info.game, info.mainline, info.name, info.created_at_ms, info.tree_size, {}};
  if (auto root = bundle.root_at(info.tree_size)) head.root = *root;
  if (auto status = sink.header(head); !status) return status;
  // Roles and names of contents are in the first event, which asks for them by hash.
  std::vector<ContentRef> refs;
  Status problem = Done{};
  auto read = bundle.read(info.mainline, 1, 1, [&](const StoredEvent& stored) {
    auto event = open_event(stored.payload);
    auto facts = event ? read_game_created(**event) : Result<GameCreatedFacts>(event.error());
    if (facts) {
      refs = std::move(facts->contents);
    } else {
      problem = std::move(facts).error().within("events[0]");
    }
    return false;
  });
  if (!read) return read;
  if (!problem) return problem;
  for (const ContentRef& ref : refs) {
    auto bytes = bundle.content(ref.sha256);
    if (!bytes) return std::move(bytes).error().within(ref.role + " " + ref.name);
    Content content{ref.role, ref.name, std::string(text_of(*bytes))};
    if (auto status = sink.content(std::move(content)); !status) return status;
  }
  for (const BranchInfo& branch : bundle.all_branches()) {
    if (auto status = sink.branch(branch); !status) return status;
  }
  std::uint64_t number = 0;
  auto walked = bundle.each_leaf([&](const Bundle::Leaf& leaf) {
    const StoredEvent& e = leaf.event;
    problem = sink.event({leaf.branch, e.version, e.type, {e.payload.begin(), e.payload.end()}});
    if (!problem)
      problem = std::move(problem).error().within("events[" + std::to_string(number) + "]");
    ++number;
    return problem.ok();
  });
  if (!walked) return walked;
  return problem ? sink.finish() : problem;
}

// A receipt or checkpoint that somebody kept must be of this very log.
std::optional<std::string> contradicts(Bundle& bundle, const Checkpoint& kept) {
  if (kept.size > bundle.info().tree_size) {
    return "the log had " + std::to_string(kept.size) + " events already, the bundle has " +
           std::to_string(bundle.info().tree_size);
  }
  auto root = bundle.root_at(kept.size);
  if (!root) return root.error().text;
  if (*root == kept.root) return std::nullopt;
  return "the first " + std::to_string(kept.size) + " events have root " + to_hex(*root) +
         ", signed was " + to_hex(kept.root);
}

AuditCheck check_witness(Bundle& bundle, const BundleWitness& witness) {
  AuditCheck out{
      "witness", "the log's key, and receipts and checkpoints that people kept", 0, 0, {}, {}};
  const BranchId mainline = bundle.info().mainline;
  auto found = [&](std::string field, std::string recorded, std::string expected) {
    ++out.failed;
    if (!out.first) {
      out.first =
          AuditFinding{mainline, 0, std::move(field), std::move(recorded), std::move(expected)};
    }
  };
  auto key = VerifierKey::parse(witness.key.empty() ? bundle.key_line() : witness.key);
  if (witness.key.empty()) {
    out.remark = "signed with " + bundle.key_line() +
                 ", which the bundle itself names; compare it with the key you know the log by";
  } else {
    ++out.examined;
    if (bundle.key_line() != witness.key) found("key", bundle.key_line(), witness.key);
  }
  if (!key) {
    found("key", key.error().text, "a verifier key line");
    return out;
  }
  for (std::size_t i = 0; i < witness.checkpoints.size(); ++i) {
    ++out.examined;
    const std::string field = "checkpoint " + std::to_string(i + 1);
    auto kept = verify_checkpoint(witness.checkpoints[i], *key);
    if (!kept) {
      found(field, kept.error().text, "a checkpoint signed by the log's key");
    } else if (auto why = contradicts(bundle, *kept)) {
      found(field, *why, "a log that only grew");
    }
  }
  for (std::size_t i = 0; i < witness.receipts.size(); ++i) {
    ++out.examined;
    const std::string field = "receipt " + std::to_string(i + 1);
    auto receipt = Receipt::parse(witness.receipts[i]);
    if (!receipt) {
      found(field, receipt.error().text, "a receipt");
      continue;
    }
    auto range = bundle.leaf_range(bundle.info().game, receipt->index);
    if (!range) {
      found(field, range.error().text, "the event it is for");
      continue;
    }
    const Version version = range->first + (receipt->index - range->first_leaf);
    auto hash = bundle.event_hash(range->branch, version);
    auto kept = receipt->verify(leaf_data(range->branch, version, *hash), *key);
    if (!kept) {
      found(field, kept.error().text, "the event it was given for");
    } else if (auto why = contradicts(bundle, *kept)) {
      found(field, *why, "a log that only grew");
    }
  }
  return out;
}

}  // namespace

Status export_bundle(EventStore& store, Library& library, const GameId& id, std::ostream& out,
                     const TransferProgress& progress) {
  auto game = library.game(id);
  if (!game) return std::move(game).error();
  std::vector<Hash> contents;
  for (const ContentRef& ref : (*game)->game.created.contents) {
    if (std::find(contents.begin(), contents.end(), ref.sha256) == contents.end()) {
      contents.push_back(ref.sha256);
    }
  }
  return write_bundle(store, id, contents, out, progress);
}

bool is_bundle(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  std::string start(kBundleMagic.size(), '\0');
  in.read(start.data(), static_cast<std::streamsize>(start.size()));
  return in && start == kBundleMagic;
}

Result<Imported> import_bundle(EventStore& store, const std::filesystem::path& file,
                               const TransferProgress& progress) {
  auto bundle = Bundle::read(file);
  if (!bundle) return std::move(bundle).error();
  auto verified = (*bundle)->verify(std::nullopt, {});
  if (!verified) return std::move(verified).error();
  if (!verified->findings.empty()) {
    const EventStore::Finding& f = verified->findings.front();
    return invalid(file.string() + ": " + f.check + ": " + f.where + ": " + f.text);
  }
  auto imported = import_game(
      store, [&](GameSink& sink) { return give(**bundle, sink); }, progress);
  if (!imported) return std::move(imported).error().within(file.string());
  return imported;
}

Result<AuditReport> verify_bundle(Bundle& bundle, const BundleWitness& witness,
                                  const TransferProgress& progress) {
  Library library(bundle);
  auto report = audit_game(bundle, library, bundle.info().game, progress);
  if (!report) return report;
  report->checks.push_back(check_witness(bundle, witness));
  return report;
}

}  // namespace wardiary

#include "replay/bundle.h"

#include <fstream>

#include "eventstore/receipts.h"

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
  const auto hold = [&](const char* what, const std::vector<std::string>& texts, auto check) {
    for (std::size_t i = 0; i < texts.size(); ++i) {
      ++out.examined;
      const Status held = check(bundle, bundle.info().game, *key, texts[i]);
      if (held) continue;
      const bool signed_by_key = held.error().code != ErrorCode::kInvalid;
      found(std::string(what) + " " + std::to_string(i + 1), held.error().text,
            signed_by_key ? "a log that only grew" : "a text signed by the log's key");
    }
  };
  hold("checkpoint", witness.checkpoints, hold_checkpoint);
  hold("receipt", witness.receipts, hold_receipt);
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

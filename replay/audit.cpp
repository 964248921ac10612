#include "replay/audit.h"

#include <algorithm>
#include <array>
#include <map>

#include "domain/apply.h"
#include "domain/schema/event_generated.h"
#include "projections/history.h"
#include "replay/audit_commit.h"
#include "replay/audit_proofs.h"
#include "replay/dice_box.h"
#include "replay/live_dice.h"
#include "replay/take_back.h"

namespace wardiary {
namespace {

enum Check : std::size_t {
  kStore,
  kContents,
  kStructure,
  kTypes,
  kContinuity,
  kDigests,
  kCommits,
  kCreation,
  kDecisions,
  kRolls,
  kEpochs,
  kDice,
  kRequests,
  kObligations,
  kRulings,
  kChecks
};

constexpr std::array<std::pair<const char*, const char*>, kChecks> kNames = {{
    {"store", "events, chained, in the tree and under signed checkpoints"},
    {"contents", "boards, scenarios and tables by their hash"},
    {"structure", "events that can be read"},
    {"types", "events stored under their own type"},
    {"continuity", "events whose before is what was left before them"},
    {"digests", "digests of positions at the beginning of phases"},
    {"commits",
     "commits with a cause: an order, a creation, a fork, a ruling, an agreed take-back"},
    {"creation", "set-ups drafted again by the rules"},
    {"decisions", "orders decided again with the recorded dice"},
    {"rolls", "rolls numbered without gap or repetition"},
    {"epochs", "keys, anchors and signatures of dice"},
    {"dice", "rolls with their grade and proof"},
    {"requests", "requests, reveals, unlocks, seals and abandoned rolls, signed and in order"},
    {"obligations", "what somebody still owes for a roll (listed only)"},
    {"rulings", "agreed deviations from the rules (listed only)"},
}};

// The check that an event of the dice belongs to; kChecks for all others.
Check dice_check(fb::Payload type) {
  switch (type) {
    case fb::Payload::EpochDrafted:
    case fb::Payload::ContributorJoined:
    case fb::Payload::EpochOpened:
      return kEpochs;
    case fb::Payload::OrderSuspended:
    case fb::Payload::RollRequested:
    case fb::Payload::RollRevealed:
    case fb::Payload::RollsUnlocked:
    case fb::Payload::RollSealed:
    case fb::Payload::RollOpened:
    case fb::Payload::RollAbandoned:
      return kRequests;
    case fb::Payload::DiceRolled:
      return kDice;
    default:
      return kChecks;
  }
}

// What players and service do about a roll changes nothing on the board, so it needs no order; and
// no fact may ride along with it.
bool is_dice_commit(const EventList& events) {
  for (std::size_t i = 0; i < events.size(); ++i) {
    const Check check = dice_check(trusted_event(events[i])->payload_type());
    if (check != kEpochs && check != kRequests) return false;
  }
  return true;
}

AuditReport empty_report() {
  AuditReport out;
  for (const auto& [name, what] : kNames) out.checks.push_back({name, what, 0, 0, {}, {}});
  return out;
}

Status examine_store(EventStore& store, const GameId& game, const BranchId& mainline,
                     AuditCheck& check) {
  auto verified = store.verify(game, [](std::uint64_t) {});
  if (!verified) return std::move(verified).error();
  check.examined += verified->events;
  check.failed += verified->findings.size();
  if (!verified->findings.empty()) {
    const EventStore::Finding& f = verified->findings.front();
    check.first = AuditFinding{mainline, 0, f.check, f.where + ": " + f.text, "as it was written"};
  }
  return Done{};
}

class Auditor {
 public:
  Auditor(EventStore& store, const OpenGame& game,
          const std::function<void(std::uint64_t)>& progress)
      : store_(store), open_(game), game_(game.game), progress_(progress) {
    report_.game = game.id;
    report_.name = game.name;
    report_.system = game_.created.system;
    report_.rules_version = game_.created.rules_version;
    rules_here_ = game_.system && game_.system->rules_version() == game_.created.rules_version;
    if (!rules_here_) {
      const std::string remark = "not examined: this program does not have " + report_.system +
                                 " in rules version " + report_.rules_version;
      report_.checks[kDecisions].remark = report_.checks[kCreation].remark = remark;
    }
  }

  Result<AuditReport> run() {
    if (auto status = store(); !status) return std::move(status).error();
    contents();
    std::optional<std::string> after;
    do {
      auto page = store_.branches(open_.id, after, 1'000);
      if (!page) return std::move(page).error();
      for (const BranchInfo& info : page->items) {
        ++report_.branches;
        branch(info);
      }
      after = page->next;
    } while (after);
    return std::move(report_);
  }

 private:
  // One branch on its way through the audit.
  struct Walk {
    const BranchInfo& info;
    Position position;
    DiceRecord dice;
    RecordedCommit commit;
    std::vector<ProofChecks::Failed> wrong_dice;  // apart from proofs still under way
    bool folds = true;  // until an event does not fit: nothing after it means anything
  };

  void examine(Check check, std::uint64_t n = 1) { report_.checks[check].examined += n; }
  void found(Check check, AuditFinding finding) {
    AuditCheck& entry = report_.checks[check];
    ++entry.failed;
    if (!entry.first) entry.first = std::move(finding);
  }
  void found(Check check, const BranchId& branch, Version version, const Wrong& wrong) {
    found(check, {branch, version, wrong.field, wrong.recorded, wrong.expected});
  }

  Status store() { return examine_store(store_, open_.id, open_.mainline, report_.checks[kStore]); }

  // The library has refused games whose contents do not have their hash; here each is counted.
  void contents() {
    for (const ContentRef& ref : game_.created.contents) {
      examine(kContents);
      auto bytes = store_.content(ref.sha256);
      if (bytes) {
        contents_.push_back({ref.role, ref.name, std::string(text_of(*bytes))});
      } else {
        found(kContents, {open_.mainline, 1, ref.role + " " + ref.name, bytes.error().text,
                          to_hex(ref.sha256)});
      }
    }
  }

  void branch(const BranchInfo& info) {
    const bool what_if = info.parent.has_value();
    const Grade grade = what_if ? Grade::kBranch : game_.created.dice;
    Position position(game_.roster());
    if (what_if && !fold_parents(info, position)) return;
    DiceRecord::Context dice{info.branch, grade, what_if, rules_hash(game_.created), {}, {}};
    for (std::size_t s = 0; s < game_.roster().sides.size(); ++s) {
      dice.rolls.push_back(position.rolls(SideId{static_cast<int>(s)}));
    }
    dice.rolls.push_back(position.rolls(kNoSide));
    dice.hash_of = [this, branch = info.branch](Version version) {
      auto hash = store_.event_hash(branch, version);
      return hash ? *hash : Hash{};  // then no digest will hold
    };
    Walk walk{info, std::move(position), DiceRecord(std::move(dice)), {}, {}};
    const Version first = what_if ? info.forked_at + 1 : 1;
    if (first <= info.version) {
      auto read = store_.read(info.branch, first, info.version, [&](const StoredEvent& stored) {
        event(walk, stored);
        ++report_.events;
        if (progress_) progress_(report_.events);
        return true;
      });
      if (!read) found(kStructure, {info.branch, 0, "event", read.error().text, "readable bytes"});
    }
    finish_commit(walk);
    finish_proofs(walk);
    list_obligations(walk);
  }

  // In the order of the events, whichever thread was first.
  void finish_proofs(Walk& walk) {
    std::vector<ProofChecks::Failed> all = proofs_.finish();
    all.insert(all.end(), walk.wrong_dice.begin(), walk.wrong_dice.end());
    std::stable_sort(all.begin(), all.end(),
                     [](const auto& a, const auto& b) { return a.version < b.version; });
    for (const auto& failed : all) {
      found(static_cast<Check>(failed.check), walk.info.branch, failed.version, failed.wrong);
    }
  }

  // The line up to the fork was audited with its own branch; here only its outcome counts.
  bool fold_parents(const BranchInfo& info, Position& position) {
    bool good = true;
    auto read = store_.read(info.branch, 1, info.forked_at, [&](const StoredEvent& s) {
      auto opened = open_event(s.payload);
      good = opened && apply(position, **opened) == Fault::kNone;
      return good;
    });
    if (read && good) return true;
    found(kContinuity, {info.branch, info.forked_at, "parent", "a line that does not fold",
                        "a line to fork from"});
    return false;
  }

  void event(Walk& walk, const StoredEvent& stored) {
    examine(kStructure);
    auto opened = open_event(stored.payload);
    if (!opened) {
      walk.folds = false;
      return found(kStructure,
                   {walk.info.branch, stored.version, "bytes", opened.error().text, "an event"});
    }
    const fb::Event& event = **opened;
    const auto type = static_cast<std::uint16_t>(event.payload_type());
    examine(kTypes);
    if (type != stored.type) {
      found(kTypes,
            {walk.info.branch, stored.version, "type", std::string(event_type_name(stored.type)),
             std::string(event_type_name(type))});
    }
    if (begins_commit(event)) finish_commit(walk);
    chance(walk, stored.version, event);
    if (event.payload_type() == fb::Payload::Ruling) examine(kRulings);
    if (!walk.folds) return;
    if (walk.commit.events.empty()) {
      walk.commit.first = stored.version;
      walk.commit.before = walk.position;
    }
    walk.commit.events.add(type, stored.payload);
    fold(walk, stored.version, event);
  }

  void fold(Walk& walk, Version version, const fb::Event& event) {
    examine(kContinuity);
    const auto* phase = event.payload_as_PhaseBegan();
    const bool has_digest = phase && phase->digest();
    Fault fault = apply(walk.position, event, {.check_digests = has_digest});
    if (has_digest) examine(kDigests);
    if (fault == Fault::kDigestDiffers) {
      fault = apply(walk.position, event);
      const ByteView digest(phase->digest()->data(), phase->digest()->size());
      found(kDigests,
            {walk.info.branch, version, "digest", to_hex(digest), to_hex(walk.position.digest())});
    }
    if (event.payload_type() == fb::Payload::GameCreated && (version != 1 || walk.info.parent)) {
      fault = Fault::kMisplaced;
    }
    if (fault == Fault::kNone) return;
    walk.folds = false;
    walk.commit.events.clear();
    found(kContinuity, {walk.info.branch, version, fault == Fault::kFromDiffers ? "from" : "event",
                        describe(fault, walk.position, event, game_.roster()),
                        "what the events before it left"});
  }

  void chance(Walk& walk, Version version, const fb::Event& event) {
    const Check check = dice_check(event.payload_type());
    if (check != kChecks) examine(check);
    if (const auto* rolled = event.payload_as_DiceRolled()) {
      number(walk, version, rolled->roller(), rolled->number());
    } else if (const auto* abandoned = event.payload_as_RollAbandoned()) {
      number(walk, version, abandoned->roller(), abandoned->number());
    }
    auto later = [&](ProofJob job) { proofs_.add(version, std::move(job), check); };
    auto wrong = walk.dice.add(version, event, later);
    if (!wrong) return;
    const Check under = check == kChecks ? kRequests : check;
    walk.wrong_dice.push_back({version, std::move(*wrong), static_cast<int>(under)});
  }
  void number(Walk& walk, Version version, std::int8_t roller, std::uint64_t number) {
    examine(kRolls);
    const std::uint64_t next = walk.dice.rolls(roller_slot(SideId{roller}));
    if (number == next) return;
    found(kRolls,
          {walk.info.branch, version, "number", std::to_string(number), std::to_string(next)});
  }
  // What somebody still owes is no fault of the log: it is listed.
  void list_obligations(const Walk& walk) {
    std::string& remark = report_.checks[kObligations].remark;
    for (const Obligation& each : obligations(walk.dice, std::nullopt)) {
      examine(kObligations);
      remark += (remark.empty() ? "" : "; ") + obligation_text(each, game_.roster());
    }
  }

  // Everything of the commit was read: is there a reason for it, and does it follow from it?
  void finish_commit(Walk& walk) {
    RecordedCommit& commit = walk.commit;
    if (commit.events.empty()) return;
    examine(kCommits);
    const fb::Event& first = *trusted_event(commit.events[0]);
    switch (first.payload_type()) {
      case fb::Payload::GameCreated:
        creation(walk);
        break;
      case fb::Payload::BranchForked:
        forked(walk, *first.payload_as_BranchForked());
        break;
      case fb::Payload::OrderIssued:
        decision(walk);
        break;
      case fb::Payload::Ruling:
      case fb::Payload::TakeBack:
      case fb::Payload::TakeBackProposed:
      case fb::Payload::TakeBackAnswered:
        take_back(walk);
        break;
      default:
        if (is_dice_commit(commit.events)) break;
        if (game_.created.keeping == Keeping::kScribed) break;
        found(kCommits, {walk.info.branch, commit.first, "type",
                         fb::EnumNamePayload(first.payload_type()), "an order or a ruling first"});
    }
    commit.events.clear();
  }
  void creation(Walk& walk) {
    const RuleSystem* rules = rule_system(game_.created.system);
    if (!game_.system && rules && rules->rules_version() == game_.created.rules_version) {
      examine(kCreation);  // our own version of the rules would not have made this roster
      report_.checks[kCreation].remark.clear();
      found(kCreation, {walk.info.branch, walk.commit.first, "roster", game_.no_rules,
                        "the roster that the rules make"});
    }
    if (!rules_here_) return;
    std::string remark;
    auto wrong = recreate(game_, contents_, walk.commit, remark);
    if (!remark.empty()) {
      report_.checks[kCreation].remark = "not examined: " + remark;
      return;
    }
    examine(kCreation);
    if (wrong) found(kCreation, walk.info.branch, wrong->version, wrong->wrong);
  }
  void decision(Walk& walk) {
    if (!rules_here_) return;
    examine(kDecisions);
    auto wrong = redecide(game_, walk.commit);
    if (wrong) found(kDecisions, walk.info.branch, wrong->version, wrong->wrong);
  }
  // Agreed by all seats, and its facts the inverse of what it takes back.
  void take_back(Walk& walk) {
    auto wrong = recheck_take_back(store_, open_, walk.info, walk.commit);
    if (!wrong) {
      found(kCommits, {walk.info.branch, walk.commit.first, "event", wrong.error().text,
                       "readable events before it"});
    } else if (*wrong) {
      found(kCommits, walk.info.branch, (*wrong)->version, (*wrong)->wrong);
    }
  }
  void forked(Walk& walk, const fb::BranchForked& event) {
    const auto parent = Id::from({event.parent()->data(), event.parent()->size()});
    const Version version = walk.commit.first;
    if (!walk.info.parent || !parent || *parent != *walk.info.parent) {
      found(kCommits, {walk.info.branch, version, "parent", parent ? to_hex(*parent) : "malformed",
                       walk.info.parent ? to_hex(*walk.info.parent) : "none: the mainline"});
    } else if (event.at() != walk.info.forked_at) {
      found(kCommits, {walk.info.branch, version, "at", std::to_string(event.at()),
                       std::to_string(walk.info.forked_at)});
    }
  }

  EventStore& store_;
  const OpenGame& open_;
  const Game& game_;
  const std::function<void(std::uint64_t)>& progress_;
  std::vector<Content> contents_;
  bool rules_here_ = false;
  AuditReport report_ = empty_report();
  ProofChecks proofs_;
};

// A game that cannot be opened (an edited board, a first event that is none) has nothing that could
// be run again; the store's evidence and the reason are all there is to say.
Result<AuditReport> unopened(EventStore& store, const GameInfo& info, const Error& why) {
  AuditReport out = empty_report();
  out.game = info.game;
  out.name = info.name;
  if (auto status = examine_store(store, info.game, info.mainline, out.checks[kStore]); !status) {
    return std::move(status).error();
  }
  AuditCheck& contents = out.checks[kContents];
  contents.examined = contents.failed = 1;
  contents.first = AuditFinding{info.mainline, 1, "game", why.text, "a game that can be opened"};
  for (std::size_t i = kContents + 1; i < kChecks; ++i) {
    out.checks[i].remark = "not examined: the game cannot be opened";
  }
  return out;
}

}  // namespace

bool AuditReport::clean() const {
  for (const AuditCheck& check : checks) {
    if (check.failed) return false;
  }
  return true;
}

Result<AuditReport> audit_game(EventStore& store, Library& library, const GameId& game,
                               const std::function<void(std::uint64_t)>& progress) {
  auto opened = library.game(game);
  if (opened) return Auditor(store, **opened, progress).run();
  auto info = store.game(game);
  if (!info) return std::move(info).error();
  return unopened(store, *info, opened.error());
}

}  // namespace wardiary

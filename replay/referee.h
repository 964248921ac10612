// The referee: everything that writes into the diary goes through here. It creates games, decides
// orders by the rules and appends what follows, records facts for scribes, forks branches. One
// order is one commit: accepted whole, or refused with nothing written.
#pragma once

#include <array>
#include <functional>
#include <map>
#include <iosfwd>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <variant>

#include <nlohmann/json_fwd.hpp>

#include "domain/rule_system.h"
#include "eventstore/event_store.h"
#include "replay/dice_box.h"
#include "replay/library.h"
#include "replay/live_dice.h"
#include "replay/order_answer.h"
#include "replay/scribe.h"
#include "replay/take_back.h"
#include "replay/time_machine.h"

namespace wardiary {

struct GameRequest {
  std::string name;
  std::string system;
  NewGameSpec spec;
  std::vector<SeatSpec> seats;
  Keeping keeping = Keeping::kRefereed;
  CommandId command;  // zero: one is made up
  std::string author;
  // Whose dice: solo (the service's own, the default), live or async (every side brings a key).
  Grade dice = Grade::kSolo;
  std::uint32_t chain_length = fairdice::kChainLengthDefault;
  std::uint32_t answer_within_s = 0;  // for what a player owes for a roll; 0: for ever
  std::vector<SideId> custodial;      // of a live or async game: sides whose key the service keeps
};

struct OrderRequest {
  BranchId branch;
  std::optional<Version> expected;  // none: whatever the version is when its turn comes
  CommandId command;                // zero: one is made up, and a retry may order twice
  std::string author;
  // Dice rolled elsewhere, for scribed games only.
  std::optional<std::vector<std::uint32_t>> dice;
  // kBuffered: a crash may lose the last orders; for what can be played again (demos, bots).
  Durability durability = Durability::kSynced;
};

struct RulingText {
  std::string rule;  // its number, if it is about one
  std::string text;
};

// What a contributor's program hands in, who hands it in, and what came of it.
struct DiceAnswer {
  Version version = 0;  // of the event
  bool duplicate = false;
  std::optional<OrderAccepted> order;  // it was the last thing missing: the order is decided
};

struct ForkRequest {
  GameId game;
  BranchId parent;
  Version at = 0;
  std::string name;
  std::string reason;
  DicePolicy policy = DicePolicy::kFresh;
  std::string author;
  CommandId command;  // zero: one is made up, and a retry may fork twice
  Viewer viewer = Viewer::referee();  // as whom the author sees the game
};

struct StudyRequest {
  BranchId branch;
  Version at = 0;
  Viewer viewer;
  std::string name;
  std::string author;
};
struct Study {
  OpenGamePtr game;
  std::uint64_t unknown_blocks = 0;  // seen but not known, and so left out
};

class Referee {
 public:
  using Now = std::function<std::uint64_t()>;  // milliseconds since 1970

  Referee(EventStore& store, Library& library, TimeMachine& time, DiceBox& dice, Now now)
      : store_(store), library_(library), time_(time), dice_(dice), now_(std::move(now)) {}

  Result<OpenGamePtr> create(const GameRequest& request);
  // `order` is the JSON form (order.h). An error is something wrong with the request or the store;
  // a refusal by the rules is an answer.
  Result<OrderAnswer> order(const OrderRequest& request, const nlohmann::json& order);
  Result<OrderAnswer> order(const OrderRequest& request, const Order& order);
  // What the order would come to, without writing or rolling anything (NeedsRoll where it rolls).
  Result<Verdict> try_order(const BranchId& branch, const Order& order);
  // Facts of a scribed game, appended in one commit: all or none. kDenied for refereed games.
  Result<OrderAnswer> record(const OrderRequest& request, std::span<const nlohmann::json> facts);
  // A whole evening at the table (scribe.h): every line is tried, and all are written in one commit
  // or, if any could not be taken, none. `check_only` writes nothing either way. kDenied as
  // record().
  Result<Scribed> scribe(const OrderRequest& request, std::istream& lines, bool check_only = false);
  // A ruling, with the facts that correct the game if there are any, in one commit. For a game's
  // referee, or the scribe: the audit lists every ruling.
  Result<OrderAnswer> rule(const OrderRequest& request, const RulingText& ruling,
                           std::span<const nlohmann::json> facts = {});
  // Take-backs (take_back.h). `request.author` is a seat for the first two. The last agreement
  // carries the take-back out in the same commit. kConflict if another proposal stands open, or
  // (answering) this one does not any more.
  Result<OrderAnswer> propose_take_back(const OrderRequest& request, Version to,
                                        std::string_view text);
  Result<OrderAnswer> answer_take_back(const OrderRequest& request, Version proposal, bool agreed,
                                       std::string_view text);
  // At once: on a what-if, in a scribed game, or (with a ruling) by the referee. kDenied otherwise.
  Result<OrderAnswer> take_back(const OrderRequest& request, Version to, std::string_view text,
                                const std::optional<RulingText>& ruling = {});
  Result<std::optional<OpenProposal>> open_take_back(const BranchId& branch);
  // kDenied for who may not see everything: while a game runs, only its referee may branch with
  // hidden information open. Others make a study of what they see.
  Result<BranchInfo> fork(const ForkRequest& request);
  // Puts a what-if away and writes a note that says who did it and why. kDenied for the mainline.
  Status delete_branch(const BranchId& branch, const std::string& author,
                       const std::string& reason);
  // A game of its own that begins as a position looks to a viewer: what that viewer may not see is
  // not in it. Its dice have nothing to do with the game's.
  Result<Study> study(const StudyRequest& request);
  // --- live dice (live_dice.h). Each call first does what the service itself owes. Errors:
  // kInvalid for a signature, element or number that is wrong, kConflict for what is not owed now
  // or was given otherwise before. The same again is answered as before.
  Result<DiceState> dice_state(const BranchId& branch);
  Result<DiceAnswer> join(const BranchId& branch, const EpochFacts::Contributor& contributor,
                          const std::string& author);
  // The service keeps the key of `side`.
  Result<DiceAnswer> join_custodial(const BranchId& branch, SideId side, const std::string& author);
  Result<DiceAnswer> request_roll(const BranchId& branch, const RollRequestedFacts& request,
                                  const std::string& author);
  Result<DiceAnswer> reveal_roll(const BranchId& branch, const RollRevealedFacts& reveal,
                                 const std::string& author);
  Result<DiceAnswer> unlock_rolls(const BranchId& branch, const RollsUnlockedFacts& unlock,
                                  const std::string& author);
  // Gives up the order that waits: the numbers of its rolls are spent, never rolled again. `agreed`
  // holds the signatures (fairdice::abandon_digest) of everybody who owes nothing, or of all
  // contributors with keys of their own as long as the time is not over.
  Result<DiceAnswer> abandon_order(const BranchId& branch,
                                   std::vector<std::pair<std::uint8_t, Bytes>> agreed,
                                   const std::string& text, const std::string& author);

  // What `side` may order now.
  Result<std::vector<Order>> legal_orders(const BranchId& branch, SideId side, std::size_t most);

 private:
  // One writer per branch at a time; branches share a few locks.
  std::mutex& lock_for(const BranchId& branch) { return locks_[branch.data[15] % locks_.size()]; }
  Result<std::shared_ptr<Chance>> chance_for(const OpenGame& game, const BranchInfo& branch,
                                             const OrderRequest& request);
  // The branch a request writes to; or the answer, where it was given before or the branch has
  // moved on. Call with the branch's lock held.
  Result<std::variant<BranchInfo, OrderAnswer>> find_branch(const OrderRequest& request);
  // Drafts a commit by hand on the end of the request's branch and appends it.
  using DraftBy = std::function<Status(Draft&, const OpenGame&, const BranchInfo&)>;
  Result<OrderAnswer> draft(const OrderRequest& request, const DraftBy& by);
  Result<OrderAnswer> append(const OrderRequest& request, const BranchInfo& branch,
                             const EventList& events, const Position& after);
  Envelope envelope(const OrderRequest& request, const BranchInfo& branch);
  Result<OrderAnswer> decide_order(const OrderRequest& request, const OpenGame& game,
                                   const BranchInfo& branch, const Order& order,
                                   bool rolled_over = false);
  Result<OrderAnswer> roll_over(const OrderRequest& request, const OpenGame& game,
                                const BranchInfo& branch, const Position& position,
                                const Order& order);

  // --- referee_live.cpp; call with the branch's lock held
  struct LiveBranch {  // a branch with live dice, as far as its log was read
    BranchInfo info;
    OpenGamePtr game;
    DiceRecord record;
    std::string author;  // of what is handed in
  };
  static bool is_live(const OpenGame& game);
  Result<LiveBranch> open_live(const BranchId& branch, const std::string& author);
  Status refresh(LiveBranch& live);
  // Appends events and reads them into the record.
  Status write_dice(LiveBranch& live, const EventList& events, const CommandId& command);
  // Something handed in: refused with words if the record does not accept it.
  Result<DiceAnswer> take_dice(LiveBranch& live, const EventList& events);
  Result<OrderAnswer> live_order(const OrderRequest& request, const OpenGamePtr& game,
                                 const BranchInfo& branch, const Order& order);
  Result<OrderAnswer> repeated_order(const OrderRequest& request, const OrderAccepted& before);
  // Does all that the service owes. The order that waits, or was just decided; nothing if none is.
  struct Advanced {
    std::optional<OrderAccepted> accepted;
    std::optional<RollRequest> waits_for;  // the request or the reveals for this roll
    bool needs_request = false;
  };
  Result<Advanced> advance(LiveBranch& live);
  Status advance_draft(LiveBranch& live);
  Status join_for(LiveBranch& live, std::uint8_t slot);
  Status draft_next(LiveBranch& live);
  Result<Order> pending_order(const LiveBranch& live);
  Result<bool> request_for(LiveBranch& live, const RollRequest& roll);
  Result<bool> reveal_for(LiveBranch& live);
  Result<OrderAccepted> finish_order(LiveBranch& live, const Accepted& accepted,
                                     const std::vector<Hash>& seals);
  Status open_seals(LiveBranch& live);

  EventStore& store_;
  Library& library_;
  TimeMachine& time_;
  DiceBox& dice_;
  Now now_;
  std::array<std::mutex, 64> locks_;
  std::mutex live_mutex_;
  std::map<BranchId, std::pair<Version, DiceRecord>> live_;  // read up to a version
};

// What a player's program sends (dice_json.h) through the door it names: "join", "request",
// "reveal", "unlock" or "abandon". kNotFound if there is no such door.
Result<DiceAnswer> hand_in_dice(Referee& referee, const BranchId& branch, std::string_view door,
                                const nlohmann::json& body, const std::string& author);

// {"version", "duplicate", "order": {"first", "last"} if it was the last thing missing}
nlohmann::json dice_answer_json(const DiceAnswer& answer);

// A fresh random id.
Id random_id();

}  // namespace wardiary

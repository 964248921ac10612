#include "projections/condition.h"

#include <functional>
#include <optional>

namespace wardiary {

namespace {

// A value while evaluating: a number, or a word (a unit's supply).
struct Value {
  std::int64_t number = 0;
  std::string word;
  bool is_word = false;
};

using Read = std::function<Value(const Game&, const Position&)>;

}  // namespace

struct Condition::Node {
  enum class Op { kOr, kAnd, kNot, kEqual, kLess, kLessEqual, kPlus, kMinus, kRead, kLiteral } op;
  std::unique_ptr<Node> left, right;
  bool negate = false;  // kEqual: "!="
  Read read;            // kRead
  Value literal;        // kLiteral
  const Attribute* type = nullptr;  // what a word compared with this stands for
  bool is_place = false;            // compares with space names and "nowhere"

  Value value(const Game& game, const Position& p) const {
    switch (op) {
      case Op::kLiteral: return literal;
      case Op::kRead: return read(game, p);
      case Op::kPlus: return {left->value(game, p).number + right->value(game, p).number, {}, false};
      case Op::kMinus: return {left->value(game, p).number - right->value(game, p).number, {}, false};
      default: return {holds(game, p) ? 1 : 0, {}, false};
    }
  }
  bool holds(const Game& game, const Position& p) const {
    switch (op) {
      case Op::kOr: return left->holds(game, p) || right->holds(game, p);
      case Op::kAnd: return left->holds(game, p) && right->holds(game, p);
      case Op::kNot: return !left->holds(game, p);
      case Op::kEqual: {
        const Value a = left->value(game, p);
        const Value b = right->value(game, p);
        const bool same = a.is_word || b.is_word ? a.is_word && b.is_word && a.word == b.word
                                                 : a.number == b.number;
        return same != negate;
      }
      case Op::kLess: return left->value(game, p).number < right->value(game, p).number;
      case Op::kLessEqual: return left->value(game, p).number <= right->value(game, p).number;
      default: return value(game, p).number != 0;
    }
  }
};

Condition::Condition(const Game& game, std::unique_ptr<Node> root, std::vector<Subject> subjects,
                     bool plain)
    : game_(&game), root_(std::move(root)), subjects_(std::move(subjects)), plain_(plain) {}
Condition::Condition(Condition&&) noexcept = default;
Condition& Condition::operator=(Condition&&) noexcept = default;
Condition::~Condition() = default;

bool Condition::holds(const Position& position) const { return root_->holds(*game_, position); }

class ConditionParser {
 public:
  ConditionParser(std::string_view text, const Game& game)
      : text_(text), game_(game), roster_(game.roster()) {}

  Result<Condition> parse() {
    NodePtr root = either(0);
    skip();
    if (ok() && at_ < text_.size()) expected("the end, or one of and, or, ==, !=, <, <=, >, >=, +, -");
    if (!ok()) return invalid("condition: " + error_);
    return Condition(game_, std::move(root), std::move(subjects_), plain_);
  }

 private:
  using Node = Condition::Node;
  using NodePtr = std::unique_ptr<Node>;
  using Op = Node::Op;

  bool ok() const { return error_.empty(); }
  void expected(const std::string& what) {
    if (ok()) error_ = "at character " + std::to_string(at_ + 1) + ": expected " + what;
  }
  void complain(const std::string& what) {
    if (ok()) error_ = "at character " + std::to_string(at_ + 1) + ": " + what;
  }
  void skip() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t')) ++at_;
  }
  bool take(std::string_view symbol) {
    skip();
    if (text_.substr(at_, symbol.size()) != symbol) return false;
    at_ += symbol.size();
    return true;
  }
  static bool is_name(char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
           static_cast<unsigned char>(c) >= 0x80;
  }
  bool take_word(std::string_view word) {
    skip();
    const std::size_t end = at_ + word.size();
    if (text_.substr(at_, word.size()) != word || (end < text_.size() && is_name(text_[end]))) {
      return false;
    }
    at_ = end;
    return true;
  }
  std::string name() {
    skip();
    if (at_ < text_.size() && text_[at_] == '"') {
      const std::size_t end = text_.find('"', at_ + 1);
      if (end == std::string_view::npos) {
        expected("a closing quote");
        return {};
      }
      std::string out(text_.substr(at_ + 1, end - at_ - 1));
      at_ = end + 1;
      return out;
    }
    const std::size_t first = at_;
    // A hyphen belongs to a name only between name characters: "BF-1", but "a - b".
    while (at_ < text_.size() &&
           (is_name(text_[at_]) || (text_[at_] == '-' && at_ > first && at_ + 1 < text_.size() &&
                                    is_name(text_[at_ + 1])))) {
      ++at_;
    }
    if (at_ == first) expected("a name");
    return std::string(text_.substr(first, at_ - first));
  }

  static NodePtr make(Op op, NodePtr left = nullptr, NodePtr right = nullptr) {
    auto node = std::make_unique<Node>();
    node->op = op;
    node->left = std::move(left);
    node->right = std::move(right);
    return node;
  }
  bool too_deep(int depth) {
    if (depth > Condition::kDepthMax) complain("nested too deeply");
    return !ok();
  }

  NodePtr either(int depth) {
    NodePtr left = both(depth);
    while (ok() && take_word("or")) left = make(Op::kOr, std::move(left), both(depth));
    return left;
  }
  NodePtr both(int depth) {
    NodePtr left = negated(depth);
    while (ok() && take_word("and")) left = make(Op::kAnd, std::move(left), negated(depth));
    return left;
  }
  NodePtr negated(int depth) {
    if (too_deep(depth)) return make(Op::kLiteral);
    if (take_word("not")) return make(Op::kNot, negated(depth + 1));
    return comparison(depth);
  }
  NodePtr comparison(int depth) {
    NodePtr left = sum(depth);
    if (!ok()) return left;
    if (take("==")) return compare(Op::kEqual, std::move(left), sum(depth), false);
    if (take("!=")) return compare(Op::kEqual, std::move(left), sum(depth), true);
    if (take("<=")) return compare(Op::kLessEqual, std::move(left), sum(depth), false);
    if (take(">=")) {
      NodePtr right = sum(depth);
      return compare(Op::kLessEqual, std::move(right), std::move(left), false);
    }
    if (take("<")) return compare(Op::kLess, std::move(left), sum(depth), false);
    if (take(">")) {
      NodePtr right = sum(depth);
      return compare(Op::kLess, std::move(right), std::move(left), false);
    }
    return left;
  }
  NodePtr compare(Op op, NodePtr left, NodePtr right, bool negate) {
    if (ok()) settle_word(*left, *right);
    if (ok()) settle_word(*right, *left);
    NodePtr out = make(op, std::move(left), std::move(right));
    out->negate = negate;
    return out;
  }
  NodePtr sum(int depth) {
    NodePtr left = primary(depth);
    while (ok()) {
      if (take("+")) {
        left = make(Op::kPlus, std::move(left), primary(depth));
      } else if (take("-")) {
        left = make(Op::kMinus, std::move(left), primary(depth));
      } else {
        break;
      }
    }
    return left;
  }
  NodePtr primary(int depth) {
    if (take("(")) {
      if (too_deep(depth + 1)) return make(Op::kLiteral);
      NodePtr inner = either(depth + 1);
      if (ok() && !take(")")) expected("a closing bracket");
      return inner;
    }
    if (take("unit:")) return unit();
    if (take("space:")) return space();
    if (take("track:")) return track();
    if (take("score.")) return score();
    skip();
    if (at_ < text_.size() && (text_[at_] >= '0' && text_[at_] <= '9')) {
      if (auto number = whole_number()) return literal(*number);
    }
    const std::string word = name();
    if (word == "turn") return clock([](const Position& p) { return p.clock.turn; }, nullptr);
    if (word == "phase") return clock([](const Position& p) { return p.clock.phase; }, &phase_type_);
    if (word == "active") return clock([](const Position& p) { return p.clock.side; }, &side_type_);
    if (word == "winner") return clock([](const Position& p) { return p.winner; }, &side_type_);
    if (word == "over") return clock([](const Position& p) { return p.over ? 1 : 0; }, nullptr);
    NodePtr node = make(Op::kLiteral);
    node->literal.word = word;
    node->literal.is_word = true;
    return node;
  }
  // A number, unless it is the beginning of a name such as 39Pz or 1515 used as a word.
  std::optional<std::int64_t> whole_number() {
    std::size_t end = at_;
    while (end < text_.size() && text_[end] >= '0' && text_[end] <= '9') ++end;
    if ((end < text_.size() && is_name(text_[end])) || end - at_ > 9) return std::nullopt;
    const std::int64_t number = std::stoll(std::string(text_.substr(at_, end - at_)));
    at_ = end;
    return number;
  }
  NodePtr literal(std::int64_t number) {
    NodePtr node = make(Op::kLiteral);
    node->literal.number = number;
    return node;
  }
  NodePtr reading(Read read, const Attribute* type) {
    NodePtr node = make(Op::kRead);
    node->read = std::move(read);
    node->type = type;
    return node;
  }
  template <class Get>
  NodePtr clock(Get get, const Attribute* type) {
    subjects_.push_back({Condition::Subject::Kind::kClock, -1, -1});
    return reading([get](const Game&, const Position& p) { return Value{get(p), {}, false}; }, type);
  }
  std::string attribute_name() {
    if (!take(".")) expected("a dot and an attribute");
    return ok() ? name() : std::string();
  }

  NodePtr unit() {
    const std::string which = name();
    const UnitId id = roster_.unit(which);
    if (ok() && !id) complain("no unit \"" + which + "\"");
    const std::string what = attribute_name();
    if (!ok()) return make(Op::kLiteral);
    const int attribute = roster_.unit_attribute(what);
    subjects_.push_back({Condition::Subject::Kind::kUnit, id.value, attribute});
    if (what == "at") {
      NodePtr node = reading(
          [id](const Game&, const Position& p) { return Value{p.at(id).value, {}, false}; }, nullptr);
      node->is_place = true;
      return node;
    }
    if (what == "strength" || (what == "steps" && attribute < 0)) {
      plain_ = false;
      return reading(
          [id](const Game& g, const Position& p) {
            return Value{g.system ? g.system->strength(g, p, id) : 0, {}, false};
          },
          nullptr);
    }
    if (what == "supply" && attribute < 0) {
      plain_ = false;
      return reading(
          [id](const Game& g, const Position& p) {
            Value out{0, "none", true};
            if (!g.system) return out;
            for (const UnitSupply& s : g.system->supply(g, p)) {
              if (s.unit == id) out.word = s.status;
            }
            return out;
          },
          nullptr);
    }
    if (attribute < 0) complain("units have no attribute \"" + what + "\"");
    if (!ok()) return make(Op::kLiteral);
    return reading(
        [id, attribute](const Game&, const Position& p) {
          return Value{p.get(id, attribute), {}, false};
        },
        &roster_.unit_attributes[static_cast<std::size_t>(attribute)]);
  }
  NodePtr space() {
    const std::string which = name();
    SpaceId id = roster_.space(which);
    if (!id && game_.board) id = game_.board->find(which);
    if (ok() && !id) complain("no space \"" + which + "\"");
    const std::string what = attribute_name();
    if (!ok()) return make(Op::kLiteral);
    const int attribute = roster_.space_attribute(what);
    subjects_.push_back({Condition::Subject::Kind::kSpace, id.value, attribute});
    if (what == "units") {
      plain_ = false;
      return reading(
          [id](const Game&, const Position& p) {
            return Value{static_cast<std::int64_t>(p.units_in(id).size()), {}, false};
          },
          nullptr);
    }
    if (attribute < 0) complain("spaces have no attribute \"" + what + "\"");
    if (!ok()) return make(Op::kLiteral);
    return reading(
        [id, attribute](const Game&, const Position& p) {
          return Value{p.get(id, attribute), {}, false};
        },
        &roster_.space_attributes[static_cast<std::size_t>(attribute)]);
  }
  NodePtr track() {
    // Track names may hold dots ("score.red"), so what follows a dot still belongs to the name.
    std::string which = name();
    while (ok() && at_ < text_.size() && text_[at_] == '.') {
      ++at_;
      which += "." + name();
    }
    const TrackId id = roster_.track(which);
    if (ok() && !id) complain("no track \"" + which + "\"");
    if (!ok()) return make(Op::kLiteral);
    subjects_.push_back({Condition::Subject::Kind::kTrack, id.value, -1});
    return reading([id](const Game&, const Position& p) { return Value{p.get(id), {}, false}; },
                   &roster_.tracks[id.index()]);
  }
  NodePtr score() {
    const std::string which = name();
    const SideId id = roster_.side(which);
    if (ok() && !id) complain("no side \"" + which + "\"");
    if (!ok()) return make(Op::kLiteral);
    plain_ = false;
    subjects_.push_back({Condition::Subject::Kind::kScore, id.value, -1});
    return reading(
        [id](const Game& g, const Position& p) {
          Value out;
          if (!g.system) return out;
          for (const ScoreTerm& term : g.system->score(g, p)) {
            if (term.side == id) out.number += term.value;
          }
          return out;
        },
        nullptr);
  }

  // Gives a bare word its meaning from what it is compared with.
  void settle_word(const Node& with, Node& word) {
    if (word.op != Op::kLiteral || !word.literal.is_word || with.op != Op::kRead) return;
    const std::string text = word.literal.word;
    auto becomes = [&](std::int64_t number) { word.literal = {number, {}, false}; };
    if (with.is_place) {
      if (text == "nowhere") return becomes(-1);
      SpaceId space = roster_.space(text);
      if (!space && game_.board) space = game_.board->find(text);
      return space ? becomes(space.value) : complain("no space \"" + text + "\"");
    }
    if (!with.type) return;  // a supply status: compared as words
    if (text == "none") return becomes(-1);
    int found = -1;
    switch (with.type->kind) {
      case ValueKind::kSide: found = roster_.side(text).value; break;
      case ValueKind::kSpace: found = roster_.space(text).value; break;
      case ValueKind::kUnit: found = roster_.unit(text).value; break;
      case ValueKind::kFlag: found = text == "true" ? 1 : text == "false" ? 0 : -1; break;
      case ValueKind::kWord:
        for (std::size_t i = 0; i < with.type->words.size(); ++i) {
          if (with.type->words[i] == text) found = static_cast<int>(i);
        }
        break;
      case ValueKind::kNumber: break;
    }
    if (found < 0) return complain("\"" + text + "\" is not a value of " + with.type->name);
    becomes(found);
  }


  std::string_view text_;
  const Game& game_;
  const Roster& roster_;
  std::size_t at_ = 0;
  std::string error_;
  std::vector<Condition::Subject> subjects_;
  bool plain_ = true;
  // Needed only while parsing: words are settled into numbers before it ends.
  const Attribute side_type_{"a side", ValueKind::kSide, -1, {}};
  const Attribute phase_type_{"a phase", ValueKind::kWord, 0, roster_.phases};
};

Result<Condition> Condition::parse(std::string_view text, const Game& game) {
  if (text.size() > kLengthMax) {
    return Error{ErrorCode::kLimit, "condition: longer than " + std::to_string(kLengthMax) + " characters"};
  }
  return ConditionParser(text, game).parse();
}

}  // namespace wardiary

// Victory [21]: points by term, and the interphase that looks at them.
#include "domain/systems/reichstag/chapters.h"

namespace wardiary::reichstag {
namespace {

constexpr int kStrategicMarkerPoints = 10;  // [27.4]

void decide_winner(Draft& draft, bool sudden) {
  const Situation now(draft);
  const int first = total_points(now, k1BF);
  const int second = total_points(now, k1UF);
  const bool last = now.turn() >= static_cast<int>(now.data.turns.size());
  const std::string points =
      "1BF " + std::to_string(first) + ", 1UF " + std::to_string(second) + " points";
  // [21.5, R-24] On the last turn both may have lost.
  const bool nobody_holds = !now.data.reichstag || !now.control(now.data.reichstag);
  if (last && (nobody_holds || (first <= 0 && second <= 0))) {
    return draft.end_game(kGerman, "German victory", points);
  }
  const SideId winner = first > second ? k1BF : k1UF;  // a tie is 1UF's [21.4]
  draft.end_game(winner, sudden ? "Reichstag taken" : "last turn", points);
}

}  // namespace

std::vector<ScoreTerm> victory_points(const Situation& now) {
  std::vector<ScoreTerm> out;
  for (SideId front : kFronts) {
    int reichstag = 0, potsdam = 0, others = 0;
    for (SpaceId hex : now.data.objectives) {
      if (now.control(hex) != front) continue;
      int& term = now.is_reichstag(hex) ? reichstag : hex == now.data.potsdam ? potsdam : others;
      term += now.hex(hex).value;
    }
    int captured = 0, killed = 0;
    for (UnitId unit : now.all_units()) {
      captured += now.pile(unit) == of_front(Pile::kCaptured1BF, front);
      killed += now.facts(unit).kind == Kind::kMobile &&
                now.pile(unit) == of_front(Pile::kKilled1BF, front);
    }
    out.push_back({front, "Reichstag", reichstag, "27.4"});
    out.push_back({front, "Potsdam", potsdam, "27.4"});
    out.push_back({front, "other objectives", others, "27.4"});
    out.push_back({front, "strategic markers", captured * kStrategicMarkerPoints, "21.2"});
    out.push_back({front, "German mobile units", killed, "21.2"});
    out.push_back({front, "Stavka points", -now.track(of_front(t::kSp1BF, front)), "21.3"});
  }
  return out;
}

int total_points(const Situation& now, SideId front) {
  int total = 0;
  for (const ScoreTerm& term : victory_points(now)) {
    if (term.side == front) total += term.value;
  }
  return total;
}

void interphase(Draft& draft) {
  const Situation now(draft);
  Clock to = draft->clock;
  to.phase = static_cast<std::uint8_t>(Phase::kInterphase);
  to.side = -1;
  draft.begin_phase(to);
  const bool taken = now.data.reichstag && (now.pos.any_unit_in(now.data.reichstag, k1BF) ||
                                            now.pos.any_unit_in(now.data.reichstag, k1UF));
  if (taken) return decide_winner(draft, true);  // [4.3 V.A]
  if (now.turn() >= static_cast<int>(now.data.turns.size())) return decide_winner(draft, false);
  begin_game_turn(draft, now.turn() + 1);
}

}  // namespace wardiary::reichstag

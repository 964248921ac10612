#!/usr/bin/env python3
"""Nothing hidden leaves the service. Pairs of random games of every rule system are played through
the API; the two of a pair differ only in what a viewer may not see: values of hidden pieces, which
of two hidden pieces moves, hidden tracks. Every answer of every reading endpoint - to each seat, to
a spectator with and without a token - must then be the same for both, to the byte, but for the
names, times, keys and signatures that any two games have of their own.

WARDIARY_LEAK_PAIRS, _STEPS and _SEED say how many games of each system, how long, and which.
"""

import json
import os
import pathlib
import random
import re
import sys
import unittest
import urllib.parse

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent / "http"))
from diary_service import Service  # noqa: E402

PAIRS = int(os.environ.get("WARDIARY_LEAK_PAIRS", "1"))
STEPS = int(os.environ.get("WARDIARY_LEAK_STEPS", "60"))
SEED = int(os.environ.get("WARDIARY_LEAK_SEED", "1"))

# Commitments: they differ between any two games and say nothing (docs/formats.md, salts).
HEX = re.compile(rb"[0-9a-f]{32,}|[A-Za-z0-9+/]{43,}=*")
TIMES = re.compile(rb'"(recordedAt|createdAt|changedAt|at|startedAt)":\d{9,}')
NOT_COMPARED = ("/checkpoint", "/logkey", "/proof/", "/receipt", "/stream", "/tokens", "/jobs/",
                "/bundle", "/export")


class Pair:
    """Two games of one scenario, and what their referee and viewers see of them."""

    def __init__(self, service, system, scenario, dice):
        self.service, self.dice = service, dice
        self.system, self.scenario = system, scenario
        self.games = [service.new_game(system=system, scenario=scenario, keeping="scribed",
                                       name="pair") for _ in range(2)]
        first = self.games[0]
        detail = self.referee_gets(0, first["path"]).json
        self.sides, self.phases = detail["sides"], detail["phases"]
        board = service.get(first["path"] + "/board").json
        self.spaces = dice.sample([space["id"] for space in board["spaces"]], 8)
        self.side_of = {unit["id"]: unit["side"] for unit in detail["units"]}
        self.viewers = list(first["tokens"]["seats"]) + ["guest", "nobody"]
        for game in self.games:
            game["tokens"]["seats"]["guest"] = service.post(
                game["path"] + "/tokens", {"role": "spectator"},
                token=game["tokens"]["referee"]).json["token"]

    def referee_gets(self, which, path):
        return self.service.get(path, token=self.games[which]["tokens"]["referee"])

    def token(self, which, viewer):
        return self.games[which]["tokens"]["seats"].get(viewer)

    def position(self, which, viewer=None):
        token = (self.games[which]["tokens"]["referee"] if viewer is None
                 else self.token(which, viewer))
        answer = self.service.get(self.games[which]["branch"] + "/position", token=token)
        assert answer.status == 200, answer
        return answer.json["position"]

    def record(self, facts):
        """One fact for each game, which both take or both refuse."""
        answers = [self.service.post(game["branch"] + "/facts", {"facts": [fact]},
                                     token=game["tokens"]["referee"])
                   for game, fact in zip(self.games, facts)]
        return [answer.status for answer in answers]

    def masked(self, which, body):
        """Without what any two games have of their own."""
        game = self.games[which]
        for name in ("id", "mainline"):
            body = body.replace(game[name].encode(), name.encode())
        return TIMES.sub(rb'"\1":0', HEX.sub(b"<hash>", body))


def units_of(position):
    return {unit["id"]: unit for unit in position["units"]}


class Revealed(Exception):
    """A piece was hidden, and what it did showed it: from now on the games may differ to the viewer."""


class Varied:
    """Facts for a pair: the same for both where `viewer` can see them, different where not. What is
    one piece in the first game may be another in the second, as long as the viewer cannot tell them
    apart; `twin` says which."""

    KINDS = ("hidden_value", "hidden_value", "hidden_move", "hidden_place", "hidden_place",
             "hidden_removal", "hidden_track", "open_move", "open_roll", "open_phase")

    def __init__(self, pair, viewer):
        self.pair, self.viewer, self.dice = pair, viewer, pair.dice
        self.twin = {unit: unit for unit in pair.side_of}
        self.varied = 0

    def step(self):
        positions = [self.pair.position(which) for which in range(2)]
        self.full = [units_of(position) for position in positions]
        self.tracks = [position.get("tracks", {}) for position in positions]
        shown = self.pair.position(0, self.viewer)
        self.seen, self.seen_tracks = units_of(shown), shown.get("tracks", {})
        facts = getattr(self, self.dice.choice(self.KINDS))()
        if facts is None:
            return
        statuses = self.pair.record(facts)
        assert statuses[0] == statuses[1], (facts, statuses)
        if statuses[0] == 200 and facts[0] != facts[1]:
            self.varied += 1
            self.still_hidden(facts)

    def still_hidden(self, facts):
        """Where a piece goes may show which it is, by the game's own rules of sight."""
        if "unit" not in facts[0] or facts[0]["unit"] == facts[1]["unit"]:
            return
        named = [facts[which]["unit"] in units_of(self.pair.position(which, self.viewer))
                 for which in range(2)]
        if all(named):
            raise Revealed

    def place_of(self, unit):
        """Where it is in both games; None off the board."""
        return self.full[0].get(unit, {}).get("at")

    def hidden(self, on_board):
        return sorted(u for u in self.twin if u not in self.seen
                      and (self.place_of(u) is not None) == on_board)

    def swapped(self, two, fact):
        """The same with one piece in the first game and the other in the second."""
        one, other = two
        facts = [fact(one), fact(self.twin[other])]
        self.twin[one], self.twin[other] = self.twin[other], self.twin[one]
        return facts

    def hidden_value(self):
        units = self.hidden(True)
        if not units:
            return None
        unit = self.dice.choice(units)
        names = sorted(name for name, value in self.full[0][unit].items()
                       if isinstance(value, int) and not isinstance(value, bool))
        if not names:
            return None
        name = self.dice.choice(names)
        facts = []
        for which, own in enumerate((unit, self.twin[unit])):
            now = self.full[which][own].get(name, 0)
            to = self.dice.choice([n for n in range(1, 5) if n != now])
            facts.append({"type": "UnitChanged", "unit": own, "attribute": name, "to": to})
        return facts

    def two_together(self, on_board):
        """Two hidden pieces of one side that stand in one place, or both off the board."""
        groups = {}
        for unit in self.hidden(on_board):
            groups.setdefault((self.pair.side_of[unit], self.place_of(unit)), []).append(unit)
        groups = [group for _, group in sorted(groups.items(), key=str) if len(group) > 1]
        return self.dice.sample(self.dice.choice(groups), 2) if groups else None

    def hidden_move(self):
        two = self.two_together(True)
        if two is None:
            return None
        here = self.place_of(two[0])
        there = self.dice.choice([s for s in self.pair.spaces if s != here])
        return self.swapped(two, lambda unit: {"type": "UnitMoved", "unit": unit,
                                               "path": [here, there]})

    def hidden_removal(self):
        two = self.two_together(True)
        return two and self.swapped(two, lambda unit: {"type": "UnitRemoved", "unit": unit})

    def hidden_place(self):
        two = self.two_together(False)
        if two is None:
            return None
        taken = sorted({u["at"] for u in self.full[0].values() if u.get("at")})
        at = self.dice.choice(taken if taken and self.dice.random() < 0.6 else self.pair.spaces)
        return self.swapped(two, lambda unit: {"type": "UnitPlaced", "unit": unit, "at": at})

    def hidden_track(self):
        names = sorted(name for name, value in self.tracks[0].items() if name not in self.seen_tracks
                       and isinstance(value, int) and not isinstance(value, bool))
        if not names:
            return None
        name = self.dice.choice(names)
        return [{"type": "TrackChanged", "track": name,
                 "to": self.dice.choice([n for n in range(1, 9) if n != self.tracks[which][name]])}
                for which in range(2)]

    def open_move(self):
        units = sorted(u for u in self.seen if u in self.twin and self.place_of(u)
                       and self.twin[u] == u)
        if not units:
            return None
        unit = self.dice.choice(units)
        here = self.place_of(unit)
        there = self.dice.choice([s for s in self.pair.spaces if s != here])
        fact = {"type": "UnitMoved", "unit": unit, "path": [here, there]}
        return [fact, fact]

    def open_roll(self):
        fact = {"type": "DiceRolled", "roller": self.dice.choice(self.pair.sides), "purpose": "test",
                "values": [self.dice.randint(1, 6) for _ in range(3)]}
        return [fact, fact]

    def open_phase(self):
        fact = {"type": "PhaseBegan", "turn": self.dice.randint(1, 4),
                "phase": self.dice.choice(self.pair.phases),
                "side": self.dice.choice(self.pair.sides)}
        return [fact, fact]


def questions(pair, viewer):
    """Every reading endpoint of the description with parameters that make sense, and some that do
    not."""
    document = pair.service.get("/openapi.json").json
    position = pair.position(0)
    version = pair.service.get(pair.games[0]["branch"]).json["version"]
    units = sorted(units_of(position)) + ["no such unit"]
    spaces = sorted({u["at"] for u in position["units"] if u.get("at")})[:8] + ["nowhere"]
    sides = pair.sides
    asked_for = pair.dice.sample(units, min(10, len(units)))
    moments = sorted({1, version // 2, version - 1, version, version + 1})
    query = {
        "position": [f"at={v}" for v in moments], "supply": [f"at={v}" for v in moments],
        "reach": [f"at={v}" for v in moments], "control": [f"at={v}" for v in moments],
        "score": [f"at={v}" for v in moments], "luck": ["", "format=markdown"],
        "events": [f"after={v}&limit=1000" for v in (0, version // 2)],
        "timeline": [""], "dice": [""], "diff": [f"from={v}&to={version}" for v in moments[:3]],
        "why": [f"unit={quote(u)}&attribute=at" for u in asked_for]
               + [f"space={quote(s)}" for s in spaces],
        "when": [f"condition={quote(c)}" for u in asked_for
                 for c in (f"unit:{u}.at == {spaces[0]}", f"unit:{u}.cv < 3")],
        "legal": [f"side={side}" for side in sides], "dossier": ["turn=1", "roll=0&side=" + sides[0]],
        "report": ["audit=false&format=markdown"], "sources": [f"at={v}" for v in moments],
        "battles": [f"at={v}" for v in moments], "audit": ["", "format=html"], "notes": [""], "jobs": [""], "branches": [""],
    }
    for path, item in document["paths"].items():
        if "get" not in item or "{game}" not in path or any(n in path + "/" for n in NOT_COMPARED):
            continue
        path = path.replace("/games/{game}/branches/{branch}", "BRANCH").replace("/games/{game}", "GAME")
        targets = [path]
        for name, values in (("{unit}", asked_for), ("{space}", spaces), ("{version}", moments)):
            targets = [t.replace(name, quote(str(v))) for t in targets
                       for v in (values if name in t else [""])]
        last = path.rsplit("/", 1)[1] if "/" in path else ""
        for target in targets:
            for parameters in query.get(last, [""]):
                yield target + ("?" + parameters if parameters else "")
    yield f"GAME/compare?a={pair.games[0]['mainline']}&b={pair.games[0]['mainline']}"


def quote(text):
    return urllib.parse.quote(text, safe="")


def ask_both(pair, viewer, question):
    out = []
    for which, game in enumerate(pair.games):
        target = question.replace("BRANCH", game["branch"]).replace("GAME", game["path"])
        target = target.replace(pair.games[0]["mainline"], game["mainline"])
        answer = pair.service.get(target, token=pair.token(which, viewer))
        out.append((answer.status, answer.type, pair.masked(which, answer.body)))
    return out


class NothingHiddenLeaves(unittest.TestCase):
    def compare(self, pair, viewer):
        asked = 0
        for question in questions(pair, viewer):
            a, b = ask_both(pair, viewer, question)
            asked += 1
            self.assertEqual(a, b, f"{viewer} asks {question} of {pair.system} {pair.scenario}")
        return asked

    def hidden_pair(self, service, system, scenario, dice, viewer):
        """A pair that the viewer cannot tell apart; shorter and shorter ones if pieces show."""
        steps = STEPS
        while True:
            pair = Pair(service, system, scenario, dice)
            facts = Varied(pair, viewer)
            try:
                for _ in range(steps):
                    facts.step()
                return pair, facts
            except Revealed:
                steps = steps * 2 // 3

    def play(self, service, system, scenario, seed):
        dice = random.Random(f"{system}/{scenario}/{seed}")
        probe = Pair(service, system, scenario, dice)
        for viewer in probe.viewers:
            pair, facts = self.hidden_pair(service, system, scenario, dice, viewer)
            asked = self.compare(pair, viewer)
            print(f"{system} {scenario} as {viewer}: {facts.varied} hidden differences, "
                  f"{asked} questions", flush=True)
            self.differences[system] = self.differences.get(system, 0) + facts.varied

    def test_every_system(self):
        self.differences = {}
        with Service() as service:
            systems = service.get("/systems").json["systems"]
            for system in systems:
                for number in range(PAIRS):
                    scenario = random.Random(SEED + number).choice(system["scenarios"])["id"]
                    with self.subTest(system=system["name"], scenario=scenario):
                        self.play(service, system["name"], scenario, SEED + number)
        # A system without anything hidden has nothing to vary; the others must have been varied.
        print("hidden differences by system:", json.dumps(self.differences))
        self.assertGreater(self.differences.get("eastfront", 0), 50)

    def test_the_check_can_fail(self):
        """A difference that is not hidden is found, so silence means something."""
        with Service() as service:
            pair = Pair(service, "freeform", "duel", random.Random(1))
            self.assertEqual(pair.record([{"type": "UnitMoved", "unit": "R1", "path": ["A1", "A2"]},
                                          {"type": "UnitMoved", "unit": "R1", "path": ["A1", "B1"]}]),
                             [200, 200])
            with self.assertRaises(AssertionError):
                self.compare(pair, "nobody")


if __name__ == "__main__":
    unittest.main()

#!/usr/bin/env python3
"""Nothing hidden leaves the service. Pairs of random games of every rule system are played through
the API; the two of a pair differ only in what a viewer may not see: values of hidden pieces, which
of two hidden pieces moves, hidden tracks. Every answer of every reading endpoint - to each seat, to
a spectator with and without a token - must then be the same for both, to the byte, but for the
names, times, keys and signatures that any two games have of their own.

    leak_test.py [--seed N] [--pairs N] [--steps N]       WARDIARY_LEAK_PAIRS overrides the number
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
STEPS = int(os.environ.get("WARDIARY_LEAK_STEPS", "40"))
SEED = int(os.environ.get("WARDIARY_LEAK_SEED", "1"))

# Commitments: they differ between any two games and say nothing (docs/formats.md, salts).
HEX = re.compile(rb"[0-9a-f]{32,}")
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
        self.sides, self.spaces = detail["sides"], None
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
        """One fact for each game; what is refused in one is undone in neither: both must take it."""
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


class Varied:
    """Facts for a pair: mostly the same for both, and different where `viewer` cannot see it."""

    def __init__(self, pair, viewer):
        self.pair, self.viewer, self.dice = pair, viewer, pair.dice
        self.varied = 0

    def step(self):
        full = [units_of(self.pair.position(which)) for which in range(2)]
        seen = units_of(self.pair.position(0, self.viewer))
        choice = self.dice.random()
        if choice < 0.5:
            facts = self.hidden_value(full, seen)
        elif choice < 0.75:
            facts = self.hidden_move(full, seen)
        else:
            facts = self.open_move(full, seen)
        if facts is None:
            return
        statuses = self.pair.record(facts)
        assert statuses[0] == statuses[1], (facts, statuses)
        if statuses[0] == 200 and facts[0] != facts[1]:
            self.varied += 1

    def hidden_units(self, full, seen):
        """On the board in both games in the same space, and not known to the viewer."""
        return [u for u in full[0] if u not in seen and u in full[1] and full[0][u].get("at")
                and full[0][u].get("at") == full[1][u].get("at")]

    def hidden_value(self, full, seen):
        units = self.hidden_units(full, seen)
        if not units:
            return None
        unit = self.dice.choice(units)
        names = [name for name, value in full[0][unit].items()
                 if isinstance(value, int) and not isinstance(value, bool)]
        if not names:
            return None
        name = self.dice.choice(names)
        now = [full[which][unit].get(name, 0) for which in range(2)]
        to = [self.dice.choice([n for n in range(1, 5) if n != now[which]]) for which in range(2)]
        return [{"type": "UnitChanged", "unit": unit, "attribute": name, "to": to[which]}
                for which in range(2)]

    def hidden_move(self, full, seen):
        """One of two hidden pieces of a side that stand together: which one moves is hidden."""
        units = self.hidden_units(full, seen)
        by_place = {}
        for unit in units:
            place = (self.pair.side_of[unit], full[0][unit]["at"])
            by_place.setdefault(place, []).append(unit)
        stacks = [stack for stack in by_place.values() if len(stack) > 1]
        if not stacks:
            return None
        two = self.dice.sample(self.dice.choice(stacks), 2)
        here = full[0][two[0]]["at"]
        # Where a hidden one stands already, so that both stay hidden there.
        side = self.pair.side_of[two[0]]
        others = sorted({full[0][u]["at"] for u in units
                         if self.pair.side_of[u] == side and full[0][u]["at"] != here})
        if not others:
            return None
        there = self.dice.choice(others)
        return [{"type": "UnitMoved", "unit": unit, "path": [here, there]} for unit in two]

    def open_move(self, full, seen):
        """What the viewer sees happens in both games alike."""
        units = [u for u in seen if u in full[0] and u in full[1] and full[0][u].get("at")
                 and full[0][u]["at"] == full[1][u].get("at")]
        if not units:
            return None
        unit = self.dice.choice(units)
        places = sorted({u["at"] for u in full[0].values() if u.get("at")} - {full[0][unit]["at"]})
        if not places:
            return None
        fact = {"type": "UnitMoved", "unit": unit,
                "path": [full[0][unit]["at"], self.dice.choice(places)]}
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
        "audit": ["", "format=html"], "notes": [""], "jobs": [""], "branches": [""],
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

    def play(self, service, system, scenario, seed):
        dice = random.Random(f"{system}/{scenario}/{seed}")
        probe = Pair(service, system, scenario, dice)
        for viewer in probe.viewers:
            pair = Pair(service, system, scenario, dice)
            facts = Varied(pair, viewer)
            for _ in range(STEPS):
                facts.step()
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

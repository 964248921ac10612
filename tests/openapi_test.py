#!/usr/bin/env python3
"""Every operation of openapi.json is asked of the real service: what is sent fits the description,
and so does every answer. An operation that nobody asked for fails the test, and so does a status or
a type that the description does not name."""

import json
import pathlib
import random
import re
import subprocess
import sys
import time
import unittest

import jsonschema

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent / "http"))
from diary_service import COMMAND, Service, key  # noqa: E402


# Driven to a good answer by another test, which has the players' keys.
ELSEWHERE = {f"POST /games/{{game}}/branches/{{branch}}/dice/{door}"
             for door in ("join", "request", "reveal", "unlock", "abandon")}


class Described:
    """A service whose every answer is held against its own description."""

    def __init__(self, service):
        self.service = service
        self.document = service.get("/openapi.json").json
        self.asked = {}  # (method, path) -> statuses
        self.patterns = []
        for path in self.document["paths"]:
            regex = re.sub(r"\\\{\w+\\\}", "[^/]+", re.escape(path))
            self.patterns.append((path, re.compile(f"^{regex}$")))

    def find(self, method, target):
        path = target.split("?")[0]
        literal_first = sorted(self.patterns, key=lambda p: p[0].count("{"))
        for pattern, regex in literal_first:
            if regex.match(path) and method.lower() in self.document["paths"][pattern]:
                return pattern, self.document["paths"][pattern][method.lower()]
        raise AssertionError(f"{method} {path} is not described")

    def follow(self, value):
        if "$ref" not in value:
            return value
        found = self.document
        for part in value["$ref"].split("/")[1:]:
            found = found[part]
        return found

    def validate(self, value, schema, what):
        # References are to the components, so these stand in what is the root here.
        root = {"allOf": [schema], "components": self.document["components"]}
        validator = jsonschema.Draft202012Validator(root)
        for error in validator.iter_errors(value):
            raise AssertionError(f"{what}: {'/'.join(map(str, error.absolute_path))}: {error.message}")

    def check_request(self, operation, target, body, what):
        named = {self.follow(p)["name"]: self.follow(p) for p in operation.get("parameters", [])}
        query = target.split("?")[1] if "?" in target else ""
        for part in filter(None, query.split("&")):
            name = part.split("=")[0]
            if name not in named or named[name]["in"] != "query":
                raise AssertionError(f"{what}: the query parameter {name} is not described")
        for name, parameter in named.items():
            if parameter["in"] == "query" and parameter["required"] and name + "=" not in query:
                raise AssertionError(f"{what}: sent without {name}, which is required")
        content = operation.get("requestBody", {}).get("content", {})
        if isinstance(body, (dict, list)):
            if "application/json" not in content:
                raise AssertionError(f"{what}: no JSON body is described")
            self.validate(body, content["application/json"]["schema"], what + " (sent)")

    def ask(self, method, target, body=None, status=200, wrong=False, **how):
        """`wrong`: what is sent breaks the description on purpose."""
        pattern, operation = self.find(method, target)
        what = f"{method} {target}"
        if not wrong:
            self.check_request(operation, target, body, what)
        answer = self.service.ask(method, target, body, **how)
        if answer.status != status:
            raise AssertionError(f"{what}: {status} expected, {answer}")
        self.asked.setdefault((method.lower(), pattern), set()).add(str(status))
        described = operation["responses"].get(str(status))
        if described is None:
            raise AssertionError(f"{what}: the status {status} is not described")
        content = self.follow(described).get("content", {})
        if not content:
            if answer.body:
                raise AssertionError(f"{what}: a body, and none is described")
            return answer
        if answer.type not in content:
            raise AssertionError(f"{what}: the type {answer.type} is not described")
        schema = content[answer.type].get("schema")
        if answer.type.endswith("json") and schema is not None:
            self.validate(answer.json, schema, what)
        return answer

    def never_asked(self):
        missing = []
        for path, item in self.document["paths"].items():
            for method, operation in item.items():
                asked = self.asked.get((method, path), set())
                good = {s for s in operation["responses"] if s.startswith("2")}
                if f"{method.upper()} {path}" in ELSEWHERE and asked:
                    continue
                if not asked & good:
                    missing.append(f"{method.upper()} {path}")
        return missing


class EveryOperation(unittest.TestCase):
    def test_all(self):
        with Service() as service:
            self.api = Described(service)
            self.ask = self.api.ask
            self.games()
            self.access()
            self.branches()
            self.reading()
            self.playing()
            self.agreements()
            self.dice_doors()
            self.notes()
            self.jobs()
            self.evidence()
            self.operation()
            self.more()
            self.assertEqual(self.api.never_asked(), [])

    def games(self):
        ask = self.ask
        ask("GET", "/systems")
        body = {"name": "Duel", "system": "freeform", "scenario": "duel", "keeping": "scribed",
                "seats": [{"name": "Ann", "sides": ["red"], "player": "Ann A."},
                          {"name": "Bo", "sides": ["blue"]}]}
        once = {"Idempotency-Key": key()}
        made = ask("POST", "/games", body, 201, headers=once).json
        again = ask("POST", "/games", body, 201, headers=once).json
        self.assertEqual(made["id"], again["id"])
        self.path = "/games/" + made["id"]
        self.line = self.path + "/branches/" + made["mainline"]
        self.main, self.version = made["mainline"], made["version"]
        self.referee = made["tokens"]["referee"]
        self.ann, self.bo = made["tokens"]["seats"]["Ann"], made["tokens"]["seats"]["Bo"]
        rows = ask("GET", "/games?limit=1").json["games"]
        self.assertEqual(rows[0]["seats"][0]["player"], "Ann A.")
        ask("GET", "/games?limit=0", status=400, wrong=True)
        ask("POST", "/games", {"system": "chess", "scenario": "x"}, 400)
        wrong = ask("POST", "/games", {**body, "seats": [{"name": "A", "sides": ["green"]}]}, 400).json
        self.assertEqual(wrong["field"], "seats[0].sides")
        ask("POST", "/games", body, 400, headers={"Idempotency-Key": "short"})
        ask("GET", self.path)
        ask("GET", self.path, status=401, token="wd_" + "0" * 64)
        ask("GET", "/games/" + "0" * 32, status=404)
        board = ask("GET", self.path + "/board")
        ask("GET", self.path + "/board", status=304, headers={"If-None-Match": board.headers["etag"]})
        ask("GET", self.path + "/scenario")

    def access(self):
        ask = self.ask
        ask("PUT", self.path + "/seats/Bo", {"player": "Bo B."}, token=self.bo)
        ask("PUT", self.path + "/seats/Bo", {"player": "x"}, 403, token=self.ann)
        ask("PUT", self.path + "/seats/Nobody", {"player": "x"}, 404, token=self.referee)
        tokens = self.path + "/tokens"
        ask("GET", tokens, status=403, token=self.ann)
        ask("POST", tokens, {"role": "seat", "seat": "Nobody"}, 400, token=self.referee)
        ask("POST", tokens, {"role": "spectator"}, 403)
        guest = ask("POST", tokens, {"role": "spectator", "label": "press"}, 201,
                    token=self.referee).json
        self.assertTrue(guest["link"].startswith("/#/join/"))
        self.assertIn(guest["token"], guest["link"])
        second = ask("POST", tokens, {"role": "seat", "seat": "Ann"}, 201, token=self.referee).json
        first = ask("GET", tokens + "?limit=2", token=self.referee).json
        self.assertEqual(len(first["tokens"]), 2)
        rest = ask("GET", tokens + "?after=" + first["next"], token=self.referee).json
        ids = [t["id"] for t in first["tokens"] + rest["tokens"]]
        self.assertEqual(len(ids), len(set(ids)))
        self.assertIn(second["id"], ids)
        self.assertNotIn(second["token"], json.dumps([first, rest]))
        ask("GET", self.path, token=second["token"])
        ask("DELETE", tokens + "/" + second["id"], status=204, token=self.referee)
        ask("GET", self.path, status=401, token=second["token"])
        ask("DELETE", tokens + "/" + second["id"], status=404, token=self.referee)

    def branches(self):
        ask = self.ask
        fork = {"parent": self.main, "at": 3, "name": "what if", "dice": "fresh"}
        once = {"Idempotency-Key": key()}
        ask("POST", self.path + "/branches", fork, 403, token=self.ann)
        made = ask("POST", self.path + "/branches", fork, 201, token=self.referee, headers=once).json
        again = ask("POST", self.path + "/branches", fork, 201, token=self.referee, headers=once).json
        self.assertEqual(made["id"], again["id"])
        ask("POST", self.path + "/branches", {**fork, "dice": "loaded"}, 400, token=self.referee,
            wrong=True)
        self.fork = made["id"]
        ask("GET", self.path + "/branches")
        ask("GET", self.path + "/branches/" + self.fork)
        ask("GET", self.path + "/branches/" + "0" * 32, status=404)
        spare = ask("POST", self.path + "/branches", fork, 201, token=self.referee).json["id"]
        ask("DELETE", self.path + "/branches/" + spare, status=403)
        ask("DELETE", self.path + "/branches/" + spare, status=204, token=self.referee)

    def reading(self):
        ask, line = self.ask, self.line
        page = ask("GET", line + "/events?limit=3").json
        ask("GET", f"{line}/events?after={page['next']}")
        raw = {"Accept": "application/octet-stream"}
        ask("GET", line + "/events?limit=3", status=403, headers=raw)
        stored = ask("GET", line + "/events?limit=3", headers=raw, token=self.referee)
        self.assertIn('rel="next"', stored.headers["link"])
        one = ask("GET", line + "/events/1", headers=raw, token=self.referee)
        self.assertEqual(int.from_bytes(stored.body[10:14], "big"), len(one.body))
        self.assertEqual(stored.body[14:14 + len(one.body)], one.body)
        ask("GET", line + "/events/1")
        ask("GET", line + "/events/99999", status=404)
        for what in ("position", "supply", "reach", "control", "score", "sources", "battles"):
            ask("GET", f"{line}/{what}")
            kept = ask("GET", f"{line}/{what}?at=5", token=self.referee)
            self.assertIn("immutable", kept.headers["cache-control"])
            tag = {"If-None-Match": kept.headers["etag"]}
            ask("GET", f"{line}/{what}?at=5", status=304, token=self.referee, headers=tag)
            # What a running game hides may be shown later: not to be kept unasked.
            self.assertEqual(ask("GET", f"{line}/{what}?at=5").headers["cache-control"],
                             "private, no-cache")
            ask("GET", f"{line}/{what}?at=99999", status=404)
        self.assertEqual(ask("GET", line + "/position?at=x", status=400, wrong=True).json["field"], "at")
        ask("GET", line + "/timeline")
        ask("GET", line + "/luck")
        ask("GET", line + "/luck?format=markdown")
        ask("GET", line + "/diff?from=2&to=5")
        ask("GET", line + "/diff?from=2", status=400, wrong=True)
        ask("GET", f"{self.path}/compare?a={self.main}&b={self.fork}", token=self.referee)
        units = ask("GET", self.path).json["units"]
        self.unit = units[0]["id"]
        page = ask("GET", f"{line}/units/{self.unit}/history?limit=1", token=self.referee).json
        if page["next"] is not None:
            ask("GET", f"{line}/units/{self.unit}/history?after={page['next']}", token=self.referee)
        ask("GET", line + "/units/none/history", status=404)
        ask("GET", line + "/spaces/A1/history")
        ask("GET", f"{line}/why?unit={self.unit}&attribute=at", token=self.referee)
        ask("GET", line + "/why?unit=none", status=400)
        ask("GET", line + "/when?condition=unit:R1.at%20%3D%3D%20A2", token=self.referee)
        ask("GET", line + "/when?condition=unit:nobody.at%20%3D%3D%20A1", status=400)

    def playing(self):
        ask, line = self.ask, self.line
        ask("GET", line + "/legal?side=red", token=self.ann)
        ask("GET", line + "/legal?side=red", status=403, token=self.bo)
        facts = {"facts": [{"type": "UnitMoved", "unit": "R1", "path": ["A1", "A2"]}],
                 "expectedVersion": self.version}
        once = {"Idempotency-Key": key()}
        ask("POST", line + "/facts", facts, 403, token=self.ann)
        done = ask("POST", line + "/facts", facts, token=self.referee, headers=once).json
        self.assertFalse(done["duplicate"])
        again = ask("POST", line + "/facts", facts, token=self.referee, headers=once).json
        self.assertTrue(again["duplicate"])
        behind = ask("POST", line + "/facts", facts, 409, token=self.referee).json
        self.assertEqual(behind["currentVersion"], done["last"])
        del facts["expectedVersion"]
        facts["facts"] = [{"type": "UnitMoved", "unit": "R1", "path": ["A2", "A1"]},
                          {"type": "UnitMoved", "unit": "R1", "colour": "red"}]
        wrong = ask("POST", line + "/facts", facts, 400, token=self.referee).json
        self.assertEqual(wrong["field"], "facts[1].colour")
        ask("GET", line + "/dice")
        made = self.api.service.post("/games", {"system": "eastfront", "scenario": "Edelweiss"})
        self.assertEqual(made.status, 201, made)
        game = made.json
        self.east = "/games/" + game["id"]
        self.east_line = self.east + "/branches/" + game["mainline"]
        self.east_referee = game["tokens"]["referee"]
        self.east_seats = game["tokens"]["seats"]
        self.play_some_orders()
        wrong = {"order": {"type": "nonsense", "side": "axis"}}
        ask("POST", self.east_line + "/orders", wrong, 400, token=self.east_referee)
        stream = self.api.service.client()
        stream.request("GET", line + "/stream")
        response = stream.getresponse()
        self.assertEqual(response.status, 200)
        self.assertIn(b"id: ", response.fp.readline() + response.fp.readline() + response.fp.readline())
        stream.close()
        self.api.asked.setdefault(("get", "/games/{game}/branches/{branch}/stream"), set()).add("200")

    def play_some_orders(self):
        """Any legal order of whoever must decide, until dice were rolled; refusals are answers too."""
        ask, line, token = self.ask, self.east_line, self.east_referee
        sides = ask("GET", self.east).json["sides"]
        refused, rolls, dice = False, [], random.Random(5)
        for number in range(400):
            if number % 10 == 0:
                rolls = ask("GET", line + "/dice?limit=1", token=token).json["rolls"]
            if rolls and refused:
                break
            version = ask("GET", line).json["version"]
            for side in sides:
                orders = ask("GET", f"{line}/legal?side={side}&limit=50", token=token).json["orders"]
                if orders:
                    break
            else:
                break
            order = dice.choice(orders)
            headers = {"Idempotency-Key": key(), "If-Match": f'"{version}"'}
            ask("POST", line + "/orders", {"order": order}, token=token, headers=headers)
            if not refused:
                again = self.api.service.post(line + "/orders", {"order": order}, token=token)
                if again.status == 422:
                    self.assertIn("rule", again.json)
                    refused = True
        self.assertTrue(refused, "no order was refused the second time")
        self.assertTrue(rolls, "no dice were rolled")
        self.roll = rolls[0]["version"]

    def agreements(self):
        ask, line = self.ask, self.east_line
        axis, soviet = self.east_seats["axis"], self.east_seats["soviet"]
        undo = ask("GET", line + "/takeback").json
        self.assertIsNone(undo["proposal"])
        wish = {"to": undo["undo"], "text": "misread the rule"}
        ask("POST", line + "/takeback", wish, 403)
        ask("POST", line + "/takeback", {"to": "then"}, 400, token=axis, wrong=True)
        ask("POST", line + "/takeback", wish, token=axis)
        open_ = ask("GET", line + "/takeback").json["proposal"]
        self.assertEqual((open_["by"], open_["to"]), ("axis", undo["undo"]))
        self.assertEqual(open_["waitingFor"], ["soviet"])
        answer = f"{line}/takeback/{open_['version']}"
        ask("POST", answer, {"agreed": True}, 403)
        before = ask("GET", f"{line}/position?at={undo['undo']}", token=self.east_referee).json
        ask("POST", answer, {"agreed": True, "text": "fine"}, token=soviet)
        after = ask("GET", line + "/position", token=self.east_referee).json
        self.assertEqual(before["position"]["units"], after["position"]["units"])
        ask("POST", answer, {"agreed": True}, 409, token=soviet)
        ask("POST", line + "/rulings", {"text": "as agreed", "rule": "1.0"}, 403, token=axis)
        ask("POST", line + "/rulings", {"text": "as agreed", "rule": "1.0"}, token=self.east_referee)
        study = ask("POST", line + "/study", {"name": "what I know"}, 201, token=axis).json
        ask("GET", "/games/" + study["id"], token=study["tokens"]["referee"])
        ask("GET", line + "/report?audit=false", token=self.east_referee)
        told = ask("GET", line + "/report?audit=false&format=markdown&language=es", token=axis)
        self.assertIn("text/markdown", told.headers["content-type"])
        ask("GET", line + "/report?language=eo", status=400, wrong=True)
        both = f"{self.east}/compare?a={line[-32:]}&b={line[-32:]}&atA=5"
        ask("GET", both, token=axis)
        ask("GET", both + "&format=markdown", token=axis)

    def dice_doors(self):
        """What goes through them is made by the players' own program: tests/live_dice_test.py."""
        ask = self.ask
        ask("GET", self.east_line + "/dice/state", status=400)  # its dice are the service's own
        wish = {"system": "eastfront", "scenario": "Edelweiss", "dice": "live"}
        game = ask("POST", "/games", wish, 201).json
        dice = f"/games/{game['id']}/branches/{game['mainline']}/dice/"
        token = game["tokens"]["seats"]["axis"]
        ask("GET", dice + "state")
        ask("GET", dice + "transcripts", token=game["tokens"]["referee"])
        for door in ("join", "request", "reveal", "unlock", "abandon"):
            answer = self.api.service.post(dice + door, {}, token=token)
            self.assertIn(answer.status, (400, 403, 409), answer)
            ask("POST", dice + door, {}, answer.status, token=token)

    def notes(self):
        ask, notes = self.ask, self.path + "/notes"
        ask("POST", notes, {"text": "x"}, 403)
        note = ask("POST", notes, {"kind": "note", "branch": self.main, "version": 3,
                                   "text": "here it turned", "seen": "everyone"}, 201,
                   token=self.ann).json
        own = ask("POST", notes, {"kind": "bookmark", "branch": self.main, "version": 4,
                                  "text": "mine", "seen": "seat"}, 201, token=self.ann).json
        seen = [n["number"] for n in ask("GET", notes, token=self.ann).json["notes"]]
        self.assertEqual(seen, [note["number"], own["number"]])
        other = [n["number"] for n in ask("GET", notes, token=self.bo).json["notes"]]
        self.assertEqual(other, [note["number"]])
        marks = ask("GET", notes + "?kind=bookmark", token=self.ann).json["notes"]
        self.assertEqual([n["number"] for n in marks], [own["number"]])
        page = ask("GET", notes + "?limit=1", token=self.ann).json
        self.assertEqual(page["next"], note["number"])
        ask("DELETE", f"{notes}/{note['number']}", status=403, token=self.bo)
        ask("DELETE", f"{notes}/{note['number']}", status=204, token=self.ann)
        ask("DELETE", f"{notes}/{note['number']}", status=204, token=self.ann)  # as good as once
        ask("DELETE", f"{notes}/99", status=404, token=self.ann)

    def wait_for(self, path, token=None):
        while True:
            job = self.ask("GET", path, token=token).json
            if job["state"] not in ("waiting", "running"):
                return job
            time.sleep(0.05)

    def jobs(self):
        ask = self.ask
        started = ask("POST", self.path + "/audit", status=202)
        job = self.wait_for(started.headers["location"])
        self.assertEqual(job["state"], "done", job)
        self.assertTrue(job["result"]["clean"], job)
        ask("GET", self.path + "/jobs")
        ask("DELETE", started.headers["location"], status=204)
        ask("GET", started.headers["location"], status=404)
        line, token = self.east_line, self.east_referee
        sweep = {"at": ask("GET", line, token=token).json["version"], "through": "order",
                 "trials": 20, "seed": 7}
        ask("POST", line + "/sweep", sweep, 403)
        ask("POST", line + "/sweep", {"at": 1, "roll": 1}, 400, token=token)
        started = ask("POST", line + "/sweep", sweep, 202, token=token)
        ask("GET", started.headers["location"], status=404)
        job = self.wait_for(started.headers["location"], token)
        self.assertEqual(job["state"], "done", job)
        ask("GET", f"{line}/dice/{self.roll}", token=token)
        ask("GET", f"{line}/dice/1", status=404, token=token)
        started = ask("POST", line + "/sweep", {"roll": self.roll}, 202, token=token)
        self.assertEqual(self.wait_for(started.headers["location"], token)["state"], "done")
        long = {"at": self.roll, "through": "turn", "trials": 10_000_000}
        started = ask("POST", line + "/sweep", long, 202, token=token)
        ask("DELETE", started.headers["location"], status=204, token=token)
        started = ask("POST", line + "/dossier", {"turn": 1}, 202, token=token)
        self.assertEqual(self.wait_for(started.headers["location"], token)["state"], "done")
        ask("GET", line + "/dossier?turn=1", token=token)
        ask("GET", line + "/dossier?turn=1&format=html", token=token)
        ask("GET", line + "/dossier?turn=1&format=markdown", token=token)
        ask("GET", line + "/dossier", status=400, wrong=True)

    def evidence(self):
        ask, path = self.ask, self.path
        ask("GET", path + "/audit")
        ask("GET", path + "/audit?format=html")
        ask("GET", path + "/audit?format=markdown")
        ask("GET", path + "/checkpoint")
        ask("GET", path + "/logkey")
        ask("GET", path + "/proof/inclusion?version=3", status=403)
        size = ask("GET", path + "/proof/inclusion?version=3", token=self.referee).json["size"]
        ask("GET", f"{path}/proof/consistency?from=2&to={size}")
        ask("GET", f"{path}/proof/consistency?from=2&to={size + 1}", status=400)
        ask("GET", self.line + "/events/3/receipt", status=403)
        ask("GET", self.line + "/events/3/receipt", token=self.ann)
        ask("GET", path + "/bundle", status=403, token=self.ann)
        bundle = ask("GET", path + "/bundle", token=self.referee)
        lines = ask("GET", path + "/export", token=self.referee)
        with Service() as other:
            there = Described(other)
            made = there.ask("POST", "/imports", bundle.body, 201).json
            self.assertEqual("/games/" + made["id"], path)
            there.ask("GET", path, token=made["tokens"]["referee"])
            same = there.ask("POST", "/imports", lines.body, 200).json
            self.assertTrue(same["wasThere"])
            self.assertNotIn("tokens", same)
            there.ask("POST", "/imports", bundle.body[:-1], 400)
        for key_, statuses in there.asked.items():
            self.api.asked.setdefault(key_, set()).update(statuses)

    def operation(self):
        ask = self.ask
        ask("GET", "/healthz")
        ask("GET", "/readyz")
        metrics = ask("GET", "/metrics").body.decode()
        self.assertIn('wardiary_requests_total{method="GET",route="/games/{game:id}",status="2xx"}',
                      metrics)
        self.assertRegex(metrics, r"(?m)^wardiary_appends_total [1-9]")
        for line in metrics.splitlines():
            self.assertRegex(line, r'^(# (HELP|TYPE) |[a-z_]+(\{[^{}]*(\{[^{}]*\}[^{}]*)*\})? [0-9.e+-]+$)')
        ask("GET", "/openapi.json")
        ask("GET", "/docs")
        ask("GET", "/admin/tokens", status=403)

    def more(self):
        """What only an administrator may: his first token is made by the command."""
        service = self.api.service
        service.stop()
        token = subprocess.run([str(COMMAND), "token", "admin", "--data", str(service.data)],
                               capture_output=True, text=True, check=True).stdout.strip()
        service.start()
        ask = self.ask
        other = ask("POST", "/admin/tokens", {"label": "deputy"}, 201, token=token).json
        self.assertEqual(len(ask("GET", "/admin/tokens", token=token).json["tokens"]), 2)
        ask("DELETE", "/admin/tokens/" + other["id"], status=204, token=token)
        ask("GET", "/admin/tokens", status=401, token=other["token"])
        ask("GET", self.path + "/tokens", token=token)
        log = service.log_text()
        for secret in (token, other["token"], self.referee, self.ann):
            self.assertNotIn(secret, log)
        line = next(entry for entry in log.splitlines() if '"event":"request"' in entry)
        self.assertIn("id", json.loads(line))


if __name__ == "__main__":
    unittest.main()

import { beforeAll, describe, expect, it } from "vitest";
import type { DiaryEvent } from "../api/types";
import { MockGame } from "../../../../tests/e2e/mock_game.mjs";
import { speak, speech, word } from "../i18n/i18n.svelte";
import { eventWords, kindOf, orderWords, subjects, type Names } from "./words";

const places: Record<string, string> = { "1515": "Rostov", "1615": "Salsk" };
const units: Record<string, string> = { "39Pz": "39th Panzer Corps" };
const names: Names = { unit: (id) => units[id] ?? id, space: (id) => places[id] ?? id, side: (id) => word("side", id) };

beforeAll(() => {
  speech.system = "eastfront";
});

describe("events in words", () => {
  it("tell a move, a roll and an order", () => {
    speak("en");
    expect(eventWords({ version: 1, type: "UnitMoved", unit: "39Pz", path: ["1515", "1615"] }, names)).toBe("39th Panzer Corps: Rostov → Salsk");
    expect(orderWords({ type: "MoveUnit", side: "axis", unit: "39Pz", path: ["1515", "1615"] }, names)).toBe("move 39th Panzer Corps: Rostov → Salsk");
    const roll: DiaryEvent = { version: 2, type: "DiceRolled", roller: "axis", number: 0, purpose: "offensive fire", space: "1515", unit: "39Pz", groups: [{ kind: "dice", count: 3, sides: 6, hitsFrom: 6 }], values: [6, 2, 6], hits: 2, grade: "solo" };
    expect(eventWords(roll, names)).toBe("Axis rolls for offensive fire (39th Panzer Corps): 6 2 6: 2 hits");
  });
  it("use a system's own sentences, and say what those leave out", () => {
    expect(orderWords({ type: "ActivateHQ", hq: "39Pz", blitz: true }, names)).toBe("activate 39th Panzer Corps, Blitz");
    expect(orderWords({ type: "RailMove", unit: "39Pz" }, names)).toBe("move by rail: 39th Panzer Corps");
    expect(orderWords({ type: "LayMines", hex: "1515", n: 2 }, { ...names })).toBe("Lay mines: Rostov, moves 2");
  });
  it("tell them in Spanish", () => {
    speak("es");
    expect(eventWords({ version: 1, type: "UnitPlaced", unit: "39Pz", at: "1515" }, names)).toBe("39th Panzer Corps aparece en Rostov");
    speak("en");
  });
  it("never name a hidden block", () => {
    expect(eventWords({ version: 1, type: "UnitMoved", unit: "?soviet@1515", path: ["1515", "1615"] }, names)).toBe("Hidden block (Soviet): Rostov → Salsk");
    expect(eventWords({ version: 1, type: "Hidden" }, names)).toBe("Something you may not see");
  });
  it("leave nothing unfilled in a whole game", () => {
    const game = new MockGame({ scenario: "Edelweiss", seed: 2, turns: 2 });
    for (const event of game.events as DiaryEvent[]) {
      const text = eventWords(event, names);
      expect(text).not.toMatch(/\{\w+\}|undefined|\[object/);
      expect(text.length).toBeGreaterThan(2);
    }
  });
  it("know what an event is about", () => {
    expect(subjects({ version: 1, type: "OrderIssued", order: { type: "Fire", side: "axis", units: [{ unit: "39Pz", cv: 3 }], hex: "1515" } })).toEqual(["39Pz", "1515"]);
    expect(kindOf({ version: 1, type: "UnitChanged", unit: "39Pz", attribute: "cv", from: 3, to: 2 })).toBe("losses");
    expect(kindOf({ version: 1, type: "UnitChanged", unit: "39Pz", attribute: "fired", from: false, to: true })).toBe("other");
  });
});

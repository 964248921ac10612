import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import en from "./en.json";
import es from "./es.json";
import { speak, speech, SYSTEM_WORDS, t, tn, word } from "./i18n.svelte";

const names = (message: string) => [...message.matchAll(/\{(\w+)\}/g)].map((found) => found[1]).sort();

function sources(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return entry.name === "fairdice" ? [] : sources(path);
    return /\.(svelte|ts)$/.test(entry.name) && !entry.name.includes(".test.") ? [path] : [];
  });
}

describe("the catalogue", () => {
  it("has the same keys in both languages", () => {
    expect(Object.keys(es).sort()).toEqual(Object.keys(en).sort());
  });
  it("fills the same names in both languages", () => {
    for (const [key, message] of Object.entries(en)) {
      expect(names((es as Record<string, string>)[key]!), key).toEqual(names(message));
    }
  });
  it("of every rule system says the same in both languages", () => {
    const systems = new Set(Object.keys(SYSTEM_WORDS).map((key) => key.split("/")[0]!));
    expect(systems).toContain("eastfront");
    for (const system of systems) {
      const english = SYSTEM_WORDS[`${system}/en`]!;
      const spanish = SYSTEM_WORDS[`${system}/es`]!;
      expect(Object.keys(spanish).sort(), system).toEqual(Object.keys(english).sort());
      for (const [key, message] of Object.entries(english)) expect(names(spanish[key]!), `${system} ${key}`).toEqual(names(message));
    }
  });
  it("holds every message the page asks for by name", () => {
    const missing: string[] = [];
    for (const path of sources(fileURLToPath(new URL("..", import.meta.url)))) {
      const text = readFileSync(path, "utf8");
      for (const [, key] of text.matchAll(/\bt\("([^"$]+)"/g)) if (!(key! in en)) missing.push(`${path}: ${key}`);
      for (const [, key] of text.matchAll(/\btn\("([^"$]+)"/g)) if (!(`${key}.other` in en)) missing.push(`${path}: ${key}.other`);
    }
    expect(missing).toEqual([]);
  });
});

describe("words", () => {
  it("are filled, counted and switched", () => {
    speak("en");
    expect(tn("map.units", 1)).toBe("1 unit");
    expect(tn("map.units", 3)).toBe("3 units");
    expect(t("log.only", { name: "Rostov" })).toBe("Only Rostov");
    speak("es");
    expect(tn("map.units", 3)).toBe("3 unidades");
    speak("en");
  });
  it("of the game that is open come before the common ones", () => {
    speech.system = "eastfront";
    expect(word("side", "axis")).toBe("Axis");
    expect(word("phase", "blitz_combat")).toBe("Blitz combat");
    expect(word("phase", "combat")).toBe("Combat");
    speech.system = "";
    expect(word("decision", "fortress_unit")).toBe("Fortress unit");
    expect(word("decision", "fortress_unit", "eastfront")).toBe("choose the supplied fortress unit");
  });
  it("of a rule system the catalogue does not know are made readable", () => {
    expect(word("phase", "victory_check")).toBe("Victory check");
    expect(word("order", "LaunchBarrage")).toBe("Launch barrage");
  });
});

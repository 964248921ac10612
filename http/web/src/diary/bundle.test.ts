import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { readBundle, verifyBundle } from "./bundle";

const golden = (name: string) => new Uint8Array(readFileSync(new URL(`../../../../tests/golden/bundles/${name}.wardiary`, import.meta.url)));

describe("a game's file in the browser", () => {
  it("checks out from the file alone", async () => {
    const report = await verifyBundle(golden("edelweiss"));
    expect(report.findings.filter((one) => one.fault)).toEqual([]);
    expect(report.clean).toBe(true);
    expect(report.rolls).toBeGreaterThan(0);
    expect(report.unproven).toBe(0);
    expect((await verifyBundle(golden("duel"))).clean).toBe(true);
  }, 120_000);

  it("is found out when any byte was changed, wherever it stands", async () => {
    const good = golden("duel");
    for (let i = 1; i <= 40; ++i) {
      const bad = good.slice();
      const at = Math.floor((good.length * i) / 41);
      bad[at]! ^= 1;
      const clean = await verifyBundle(bad).then((report) => report.clean, () => false);
      expect(clean, `byte ${at}`).toBe(false);
    }
  }, 120_000);

  it("is refused with words when it is no bundle, or cut off", () => {
    expect(() => readBundle(new TextEncoder().encode("hello"))).toThrow(/not a bundle/);
    expect(() => readBundle(golden("duel").subarray(0, 3000))).toThrow(/ends at byte/);
  });
});

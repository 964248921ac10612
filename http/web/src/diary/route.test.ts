import { describe, expect, it } from "vitest";
import { readRoute, writeRoute, type Route } from "./route";

describe("the address", () => {
  it("is read as it is written", () => {
    const routes: Route[] = [
      { page: "games" },
      { page: "join", game: "g1", token: "wd_a/b", label: "axis" },
      { page: "game", game: "g1", branch: "b1", at: 812, tab: "dice", focus: "u:39Pz", against: "b2" },
      { page: "game", game: "g1", branch: null, at: "live", tab: "log", focus: null, against: null },
    ];
    for (const route of routes) expect(readRoute(writeRoute(route))).toEqual(route);
  });
  it("forgives what is missing or wrong", () => {
    expect(readRoute("#/game/g1")).toMatchObject({ page: "game", game: "g1", at: "live", tab: "log" });
    expect(readRoute("#/game/g1/b/-5/nonsense")).toMatchObject({ at: "live", tab: "log" });
    expect(readRoute("#/%E0%A4%A")).toEqual({ page: "games" });
    expect(readRoute("")).toEqual({ page: "games" });
  });
});

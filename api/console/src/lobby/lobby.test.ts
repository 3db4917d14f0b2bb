import { beforeEach, describe, expect, it } from "vitest";
import { session } from "../game/session.svelte";
import { groupsOf, type Settings } from "./lay/groups";
import { idsOf, lettersOf } from "./lay/players";
import { Retry } from "./retry";
import { keepKeys, keysAsText } from "./storage";

beforeEach(() => localStorage.clear());

describe("seats of a new game", () => {
  it("have ids from their names, all different, none that means somebody else", () => {
    expect(idsOf(["Ana", "Chloé", "ANA", "Jean-Luc d'Or", "李", "7", "Banker", ""])).toEqual([
      "ana", "chloe", "ana2", "jean_luc_d_or", "seat5", "s_7", "banker2", "seat8",
    ]);
  });

  it("have ids of at most 20 characters, whatever the names", () => {
    const long = "Maximilienne-Alexandrine de la Tour";
    expect(idsOf([long, long, "عبد الرحمن", "🐉", "1234567890123456789012"])).toEqual([
      "maximilienne_alexand", "maximilienne_alexan2", "seat3", "seat4", "s_123456789012345678",
    ]);
  });

  it("have the letters of their tokens: the first free one of the name, else of the alphabet", () => {
    expect(lettersOf(["Ana", "Élodie", "", "Anna", "Ana", "李"])).toEqual(["A", "E", "", "N", "B", "C"]);
  });
});

describe("the keys of a device as a file", () => {
  const banker = { game: "g1", rulebook: "r", title: "Friday", role: "banker" as const, token: "g1.secret" };
  const ana = { game: "g1", rulebook: "r", title: "Friday", role: "player" as const, seat: "ana", name: "Ana", token: "g1.other" };

  it("come back on another device", () => {
    session.keep(banker);
    session.keep(ana);
    const file = keysAsText();
    session.forget("g1");
    expect(session.games()).toEqual([]);
    expect(keepKeys(file)).toBe(2);
    expect(session.of("g1")).toEqual([banker, ana]);
  });

  it("are only taken where each is whole and of its own game", () => {
    const keys = [{ ...banker, token: "g2.secret" }, { ...ana, seat: undefined }, { ...banker, role: "boss" }, "key", null];
    expect(keepKeys(JSON.stringify({ keys }))).toBe(0);
    expect(keepKeys("no JSON")).toBe(0);
    expect(keepKeys("[]")).toBe(0);
    expect(session.games()).toEqual([]);
  });
});

describe("a request that is repeated", () => {
  it("has the same key as long as it asks for the same, and another one after its end", () => {
    const retry = new Retry();
    const first = retry.keyFor({ code: "A" });
    expect(retry.keyFor({ code: "A" })).toBe(first);
    const other = retry.keyFor({ code: "B" });
    expect(other).not.toBe(first);
    retry.done();
    expect(retry.keyFor({ code: "B" })).not.toBe(other);
  });
});

describe("settings", () => {
  it("stand in the rulebook's groups and order, the advanced ones apart, none lost", () => {
    const schema: Settings = {
      properties: {
        fine: { "x-group": "money", "x-order": 3 },
        cash: { "x-group": "money", "x-order": 2 },
        odd: { "x-group": "money", "x-order": 4, "x-advanced": true },
        quick: { "x-group": "game", "x-order": 1 },
        stray: {},
        pot: { "x-group": "house", "x-order": 5, "x-first": true },
      },
      "x-groups": [{ id: "house", title: "House rules" }, { id: "game", title: "The game" }, { id: "money", title: "Money" }],
    };
    expect(groupsOf(schema, "common")).toEqual([
      { id: "game", title: "The game", names: ["quick"] },
      { id: "money", title: "Money", names: ["cash", "fine"] },
      { id: "", title: "", names: ["stray"] },
    ]);
    expect(groupsOf(schema, "first")).toEqual([{ id: "house", title: "House rules", names: ["pot"] }]);
    expect(groupsOf(schema, "advanced")).toEqual([{ id: "money", title: "Money", names: ["odd"] }]);
  });
});

import { describe, expect, test } from "vitest";
import type { Frame, FrameSide } from "../api/types";
import { balancesAfter, positionOf, roundBefore, roundNext, roundStarts, sideAt, ticks, tooMany } from "./moments";

// Two lines before the game, three of round 1, one of round 2, two of round 3.
const rounds = [0, 0, 1, 1, 1, 2, 3, 3];

describe("rounds", () => {
  test("PgUp goes to the beginning of the round, and from there to the round before", () => {
    const starts = roundStarts(rounds);
    expect(starts).toEqual([0, 2, 5, 6]);
    expect([7, 6, 5, 4, 2, 0].map((at) => roundBefore(starts, at))).toEqual([6, 5, 2, 2, 0, 0]);
  });

  test("PgDn goes to the next round, and at the end to the last line", () => {
    const starts = roundStarts(rounds);
    expect([0, 3, 5, 6, 7].map((at) => roundNext(starts, at, rounds.length))).toEqual([2, 5, 6, 7, 7]);
  });

  test("a long game has no more names of rounds than there is room for", () => {
    expect(ticks(rounds, 10)).toEqual([{ at: 2, round: 1 }, { at: 5, round: 2 }, { at: 6, round: 3 }]);
    const long = Array.from({ length: 5000 }, (_, at) => Math.floor(at / 10));
    expect(ticks(long, 12).length).toBeLessThanOrEqual(12);
    expect(ticks(long, 12).length).toBeGreaterThan(6);
  });
});

describe("the line of the address", () => {
  const lines = [1, 2, 3, "5.1", 4, 5, 9];
  test("is found by its name, inserted lines too", () => {
    expect(positionOf(lines, "4")).toBe(4);
    expect(positionOf(lines, "5.1")).toBe(3);
  });
  test("that the viewer may not see leads to the last one before it", () => {
    expect(positionOf(lines, "8")).toBe(5);
    expect(positionOf(lines, "5.2")).toBe(5);
    expect(positionOf(lines, "700")).toBe(6);
  });
  test("that is no line leads nowhere", () => {
    expect(["", "x", "-1", "0"].map((name) => positionOf(lines, name))).toEqual([null, null, null, null]);
    expect(positionOf([], "1")).toBeNull();
  });
});

test("parts of the frames are kept around the moment that is looked at", () => {
  expect(tooMany([0, 1, 2, 30, 31], 30, 3).sort()).toEqual([0, 1]);
  expect(tooMany([4, 5], 4, 3)).toEqual([]);
});

describe("the two histories", () => {
  const side = (text: string): FrameSide => ({ sentences: [text] }) as FrameSide;
  // Line 2 was voided, line 3 was inserted.
  const frames = [
    { recorded: side("1"), corrected: side("1") },
    { recorded: side("2"), corrected: null },
    { recorded: null, corrected: side("3") },
  ] as Frame[];
  const get = (at: number): Frame | undefined => frames[at];

  test("a voided line leaves the board as corrected where it was", () => {
    expect(sideAt(get, 1, "corrected")).toEqual({ side: side("1"), own: false, position: 0 });
    expect(sideAt(get, 1, "recorded")).toEqual({ side: side("2"), own: true, position: 1 });
  });
  test("an inserted line leaves the board as recorded where it was", () => {
    expect(sideAt(get, 2, "recorded")).toEqual({ side: side("2"), own: false, position: 1 });
  });
  test("what is not known yet is asked for", () => {
    expect(sideAt((at) => (at === 2 ? frames[2] : undefined), 2, "recorded")).toEqual({ missing: 1 });
  });
});

test("balances: everything of the seats, of the bank only what changed", () => {
  const after = balancesAfter(
    {
      postings: [{ commodity: "NGD", amount: 90, from: "player:ana", to: "bank" }],
      balances: { bank: { NGD: -1410, house: 30 }, "player:ana": { house: 2, NGD: 1410, "title:x": 0 } },
    },
    { "player:ana": "ana" },
  );
  expect(after).toEqual([
    { account: "player:ana", commodity: "NGD", balance: 1410, change: -90 },
    { account: "player:ana", commodity: "house", balance: 2, change: 0 },
    { account: "bank", commodity: "NGD", balance: -1410, change: 90 },
  ]);
});

test("a balance that fell to nothing is still told", () => {
  const after = balancesAfter(
    { postings: [{ commodity: "title:x", amount: 1, from: "player:ana", to: "bank" }], balances: { "player:ana": {}, bank: { "title:x": 1 } } },
    { "player:ana": "ana" },
  );
  expect(after[0]).toEqual({ account: "player:ana", commodity: "title:x", balance: 0, change: -1 });
});

import { describe, expect, it } from "vitest";
import type { Statistics } from "../../api/types";
import { apart, curvesOf, endsOfRounds, firstOf, flagsOf, looksOf, someOf, ticksOf } from "./curves";

const wealth = (seats: unknown, moments = [1, 2, 3], rounds: (number | null)[] = [null, 1, 1]) =>
  ({ moments, rounds, seats, at: [], parts: [], gini: [] }) as unknown as Statistics["wealth"];

describe("the drawing of worth", () => {
  it("has round numbers around all values", () => {
    expect(ticksOf([0, 2930])).toEqual([0, 1000, 2000, 3000]);
    expect(ticksOf([-450, 900])).toEqual([-500, 0, 500, 1000]);
    expect(ticksOf([])).toEqual([0, 1]);
    expect(ticksOf([7, 7])).toEqual([0, 2, 4, 6, 8]);
  });

  it("begins above nothing if all values are far from it, and with the first round", () => {
    expect(ticksOf([1150, 2350])).toEqual([1000, 1500, 2000, 2500]);
    expect(firstOf(wealth([], [1, 2, 3], [null, null, 1]))).toBe(2);
    expect(firstOf(wealth([], [1, 2], [null, null]))).toBe(0);
  });

  it("draws the open parts of a worth that is hidden, and nothing where nothing is open", () => {
    const curves = curvesOf(
      wealth([
        { seat: "ana", total: [1, 2, 3], parts: {} },
        { seat: "bob", total: null, parts: { cash: [1, 1, 1], titles: [0, 2, 4] } },
        { seat: "cid", total: null, parts: {} },
      ]),
    );
    expect(curves.map(({ seat, values, open }) => ({ seat, values, open }))).toEqual([
      { seat: "ana", values: [1, 2, 3], open: false },
      { seat: "bob", values: [1, 3, 5], open: true },
    ]);
    expect(curves[1]!.of(2)).toBe("statistics/wealth/seats/bob/parts/cash/2 statistics/wealth/seats/bob/parts/titles/2");
  });

  it("knows the last moment of each round", () => {
    expect(endsOfRounds([null, 1, 1, 2, 3, 3])).toEqual([{ at: 2, round: 1 }, { at: 3, round: 2 }, { at: 5, round: 3 }]);
    expect(endsOfRounds([1, 2, 1])).toEqual([{ at: 0, round: 1 }, { at: 1, round: 2 }]);
  });

  it("looks at the ends of rounds, or at some moments, always with the last", () => {
    expect(looksOf(wealth([], [1, 2, 3, 4, 5], [null, 1, 2, 2, 3]), 2)).toEqual([{ at: 1, round: 1 }, { at: 4, round: 3 }]);
    expect(looksOf(wealth([], [7, 8, 9], [null, null, null]), 2).map(({ at }) => at)).toEqual([0, 2]);
    expect(looksOf(wealth([], [1, 2, 3, 4], [1, 2, 3, 1]), 2)).toEqual([{ at: 2, round: 3 }, { at: 3, round: null }]);
    expect(someOf([1, 2, 3, 4, 5, 6, 7], 3)).toEqual([1, 4, 7]);
  });

  it("numbers the largest turning points in the order of the game", () => {
    const points = [{ moment: 9 }, { moment: 2 }, { moment: 5 }];
    const all = { wealth: wealth([], [1, 4, 9]), turning_points: points } as unknown as Statistics;
    expect(flagsOf(all, 2).map(({ of, at }) => [of, at])).toEqual([[1, 0], [0, 2]]);
  });

  it("moves labels apart, inside the drawing, in their order", () => {
    expect(apart([10, 12, 100], 24, 240)).toEqual([10, 34, 100]);
    expect(apart([235, 238], 24, 240)).toEqual([216, 240]);
    expect(apart([50, 49], 24, 240)).toEqual([73, 49]);
  });
});

import { describe, expect, it } from "vitest";
import { apart, endsOfRounds, placeOf, pointsOf, ticksOf } from "./curves";

describe("the drawing of wealth", () => {
  it("has round numbers around all values", () => {
    expect(ticksOf(0, 2930)).toEqual([0, 1000, 2000, 3000]);
    expect(ticksOf(-450, 900)).toEqual([-500, 0, 500, 1000]);
    expect(ticksOf(0, 1)).toEqual([0, 1]);
    expect(ticksOf(0, 15)).toEqual([0, 5, 10, 15]);
  });

  it("leaves the points out between which nothing changes, and keeps every step", () => {
    const curve = { seat: "ana", values: [10, 10, 10, 20, 20, 0] };
    const points = pointsOf(curve, [1, 2, 3, 4, 5, 6], 0, 20, { width: 50, height: 20 });
    expect(points).toBe("0,10 20,10 30,0 40,0 50,20");
  });

  it("does not divide by nothing", () => {
    expect(placeOf(3, 3, 3, 100)).toBe(0);
    expect(pointsOf({ seat: "ana", values: [5] }, [1], 0, 10, { width: 10, height: 10 })).toBe("0,5");
    expect(pointsOf({ seat: "ana", values: [] }, [], 0, 10, { width: 10, height: 10 })).toBe("");
  });

  it("knows the last moment of each round", () => {
    expect(endsOfRounds([null, 1, 1, 2, 3, 3])).toEqual([{ at: 2, round: 1 }, { at: 3, round: 2 }, { at: 5, round: 3 }]);
  });

  it("moves the letters at the ends apart, inside the drawing, in their order", () => {
    expect(apart([10, 12, 100], 24, 240)).toEqual([10, 34, 100]);
    expect(apart([235, 238], 24, 240)).toEqual([216, 240]);
    expect(apart([50, 49], 24, 240)).toEqual([73, 49]);
  });
});

import { describe, expect, it } from "vitest";
import type { Board } from "../api/types";
import { isRing } from "./forms";
import { Lane, ringOf, sidesFor, standsOn, walkAlong, type RingSquare } from "./ring";

function board(count: number, facts: Partial<Board> = {}): Board {
  const places = Array.from({ length: count }, (_, number) => ({ id: `p${number}`, number, name: `P${number}` }));
  return { form: "ring", places, groups: [], marks: [], zones: [], each_seat: [], ...facts } as unknown as Board;
}
const covers = (a: RingSquare, b: RingSquare): boolean =>
  a.x + a.width > b.x + 1e-9 && b.x + b.width > a.x + 1e-9 && a.y + a.height > b.y + 1e-9 && b.y + b.height > a.y + 1e-9;

describe("a ring", () => {
  it.each([8, 9, 14, 15, 40, 61, 200])("of %i squares without sides fills the room, without a square over another", (count) => {
    for (const aspect of [0.8, 1, 1.44, 1.6])
      for (const facts of [{}, { direction: "counter-clockwise", start: "north-west" }, { start: "south-west" }] as const) {
        const squares = [...ringOf(board(count, facts), aspect).values()];
        expect(squares).toHaveLength(count);
        expect(squares.filter(({ corner }) => corner)).toHaveLength(4);
        for (const [at, square] of squares.entries()) {
          expect(square.x).toBeGreaterThanOrEqual(-1e-9);
          expect(square.x + square.width).toBeLessThanOrEqual(1 + 1e-9);
          expect(squares.slice(at + 1).some((second) => covers(square, second))).toBe(false);
          // Neighbours of the journey touch.
          const next = squares[(at + 1) % count]!;
          expect(Math.abs(2 * square.x + square.width - 2 * next.x - next.width)).toBeLessThanOrEqual(square.width + next.width + 1e-9);
          expect(Math.abs(2 * square.y + square.height - 2 * next.y - next.height)).toBeLessThanOrEqual(square.height + next.height + 1e-9);
        }
      }
  });

  it("has its first square at its start, and goes on in its direction", () => {
    const clockwise = ringOf(board(40, { sides: [10, 10, 10, 10] }), 1.44);
    expect(clockwise.get("p0")).toMatchObject({ corner: true, edge: "south" });
    expect(clockwise.get("p1")!.x).toBeLessThan(clockwise.get("p0")!.x);
    expect(clockwise.get("p11")).toMatchObject({ edge: "west", corner: false });
    const back = ringOf(board(40, { sides: [10, 10, 10, 10], direction: "counter-clockwise" }), 1.44);
    expect(back.get("p1")).toMatchObject({ edge: "east", corner: false });
    expect(back.get("p1")!.y).toBeGreaterThan(back.get("p2")!.y);
  });

  it("gives wide edges more squares, and few squares a circle", () => {
    expect(sidesFor(40, 1.6, false)).toEqual([12, 8, 12, 8]);
    expect(sidesFor(15, 1.44, false)).toEqual([4, 4, 4, 3]);
    expect([7, 8].map((count) => isRing(board(count)))).toEqual([false, true]);
  });
});

describe("the lane", () => {
  const room = { width: 888, height: 616 };
  const squares = ringOf(board(40, { sides: [10, 10, 10, 10] }), 1.44);
  const lane = new Lane(squares, room, 17);
  const inLane = ({ x, y, size }: { x: number; y: number; size: number }): boolean =>
    x - size / 2 >= 0.127 * 888 && x + size / 2 <= 0.873 * 888 && y - size / 2 >= 0.145 * 616 && y + size / 2 <= 0.855 * 616;

  it.each([1, 2, 3, 4, 5, 8])("has room for %i tokens before each square, never on a square, and none under another", (count) => {
    for (const place of squares.keys()) {
      const [stands] = standsOn(lane, [{ place, sizes: Array.from({ length: count }, (_, at) => (at === 0 ? 33 : 28)) }]);
      expect(stands).toHaveLength(count);
      expect(stands!.every(inLane)).toBe(true);
      for (const [at, stand] of stands!.entries())
        for (const second of stands!.slice(at + 1)) expect(Math.hypot(stand.x - second.x, stand.y - second.y)).toBeGreaterThan(0.6 * Math.min(stand.size, second.size));
    }
  });

  it("keeps tokens of neighbouring squares apart, in corners too", () => {
    const all = standsOn(lane, ["p9", "p10", "p11", "p12"].map((place) => ({ place, sizes: [28, 28] }))).flat();
    for (const [at, stand] of all.entries()) for (const second of all.slice(at + 1)) expect(Math.hypot(stand.x - second.x, stand.y - second.y)).toBeGreaterThan(15);
  });

  it("leads a way round its corners, by the shorter direction", () => {
    expect(lane.way(["p8", "p12"]).length).toBe(3);
    const [from, turn, to] = lane.way(["p8", "p12"]);
    expect(turn!.y).toBeCloseTo(from!.y);
    expect(turn!.x).toBeCloseTo(to!.x);
    expect(lane.way(["p12", "p8"])[1]).toEqual(turn);
  });

  it("lets a token walk at an even pace, for 60 ms a square and 600 ms at most", () => {
    const points = [{ x: 0, y: 0 }, { x: 30, y: 0 }, { x: 30, y: 90 }];
    const { frames, duration } = walkAlong(points, 40);
    expect(frames.map(({ offset }) => offset)).toEqual([0, 0.25, 1]);
    expect(frames[2]!.transform).toContain("translate(30px, 90px)");
    expect(duration).toBe(180);
    expect(walkAlong(points, 4).duration).toBe(600);
  });
});

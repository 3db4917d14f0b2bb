import { describe, expect, it } from "vitest";
import type { Board } from "../api/types";
import { layOut, neighbour, numbered, stands, standsAbove, type Point, type Spot } from "./layout";

function ring(sides: number[] | undefined, count: number, more: Partial<Board> = {}): Board {
  const places = Array.from({ length: count }, (_, number) => ({ id: `place:${number}`, number, name: `Place ${number}` }));
  return { form: "ring", sides, start: "south-east", direction: "clockwise", places, groups: [], marks: [], zones: [], each_seat: [], ...more } as Board;
}

function area(points: Point[]): number {
  return Math.abs(points.reduce((sum, one, at) => {
    const next = points[(at + 1) % points.length]!;
    return sum + one.x * next.y - next.x * one.y;
  }, 0)) / 2;
}

function within(point: Point, outline: Point[]): boolean {
  let inside = false;
  for (let at = 0, before = outline.length - 1; at < outline.length; before = at++) {
    const [one, other] = [outline[at]!, outline[before]!];
    if (one.y > point.y !== other.y > point.y && point.x < ((other.x - one.x) * (point.y - one.y)) / (other.y - one.y) + one.x) inside = !inside;
  }
  return inside;
}

describe("a ring with four sides", () => {
  it.each([1, 2, 3, 5, 10, 12, 15])("of %i places each covers its frame once, without overlap", (side) => {
    const board = ring([side, side, side, side], side * 4);
    const layout = layOut(board);
    const spots = [...layout.spots.values()];
    expect(spots).toHaveLength(side * 4);
    for (const spot of spots) {
      for (const other of spots) if (other !== spot) expect(within(spot.centre, other.outline)).toBe(false);
      for (const { x, y } of spot.outline) {
        expect(Math.min(x, y)).toBeGreaterThanOrEqual(-0.001);
        expect(Math.max(x, y)).toBeLessThanOrEqual(1000.001);
      }
    }
    if (side > 1) {
      const lane = 46;
      const middle = layout.middle!.width + 2 * lane;
      expect(spots.reduce((sum, spot) => sum + area(spot.outline), 0)).toBeCloseTo(1e6 - middle * middle, 0);
    }
  });

  it("begins where it says and goes the way it says", () => {
    const at = (layout: ReturnType<typeof layOut>, number: number): Point => layout.spots.get(`place:${number}`)!.centre;
    const usual = layOut(ring([10, 10, 10, 10], 40));
    expect(at(usual, 0).x).toBeGreaterThan(900);
    expect(at(usual, 0).y).toBeGreaterThan(900);
    expect(at(usual, 1).x).toBeLessThan(at(usual, 0).x);
    expect(at(usual, 10)).toEqual({ x: expect.closeTo(65.6, 0) as number, y: expect.closeTo(934.4, 0) as number });
    const other = layOut(ring([10, 10, 10, 10], 40, { start: "north-west", direction: "counter-clockwise" }));
    expect(at(other, 0).x).toBeLessThan(100);
    expect(at(other, 0).y).toBeLessThan(100);
    expect(at(other, 1).y).toBeGreaterThan(at(other, 0).y);
    expect(at(other, 1).x).toBe(at(other, 0).x);
  });

  it("goes round without jumps, whatever it starts with", () => {
    for (const start of ["south-east", "south-west", "north-west", "north-east"] as const)
      for (const direction of ["clockwise", "counter-clockwise"] as const) {
        const layout = layOut(ring([10, 10, 10, 10], 40, { start, direction }));
        for (let number = 0; number < 40; number++) {
          const [one, next] = [layout.spots.get(`place:${number}`)!.centre, layout.spots.get(`place:${(number + 1) % 40}`)!.centre];
          expect(Math.hypot(one.x - next.x, one.y - next.y)).toBeLessThan(150);
        }
      }
  });
});

describe("other boards", () => {
  it.each([4, 7, 12, 24, 40, 60])("a circle of %i sectors has none on another", (count) => {
    const spots = [...layOut(ring(undefined, count)).spots.values()];
    for (const spot of spots) {
      expect(within(spot.centre, spot.outline)).toBe(true);
      for (const other of spots) if (other !== spot) expect(within(spot.centre, other.outline)).toBe(false);
    }
  });

  it("draws discs and their edges where a map gives no shapes, and the discs do not touch", () => {
    const places = [
      { id: "a", number: 1, name: "A", at: [100, 100] },
      { id: "b", number: 2, name: "B", at: [200, 100] },
      { id: "c", number: 3, name: "C", at: [100, 400] },
    ];
    const board = { ...ring(undefined, 0), form: "map", box: [500, 500], places, adjacent: [["a", "b"], ["a", "c"]] } as unknown as Board;
    const layout = layOut(board);
    expect(layout.edges).toHaveLength(2);
    const [a, b] = [layout.spots.get("a")!, layout.spots.get("b")!];
    expect(Math.max(...a.outline.map((one) => one.x))).toBeLessThan(Math.min(...b.outline.map((one) => one.x)));
    expect(neighbour(board, layout, "a", "ArrowRight")).toBe("b");
    expect(neighbour(board, layout, "a", "ArrowDown")).toBe("c");
    expect(neighbour(board, layout, "a", "ArrowLeft")).toBe("a");
  });
});

describe("tokens", () => {
  it.each([{ sides: [10, 10, 10, 10] }, { sides: undefined }])("of eight seats stand before a square of a ring, clear of its text and of one another", ({ sides }) => {
    const spots = [...layOut(ring(sides, 40)).spots.values()].filter((spot) => spot.inward);
    expect(spots.length).toBeGreaterThanOrEqual(36);
    for (const spot of spots) for (let count = 1; count <= 8; count++) {
      const { at, radius } = stands(spot, count);
      expect(radius).toBeGreaterThan(10);
      at.forEach((one, index) => {
        for (const edge of spots) expect(within(one, edge.outline)).toBe(false);
        for (const other of at.slice(index + 1)) expect(Math.hypot(one.x - other.x, one.y - other.y)).toBeGreaterThan(2 * radius);
      });
    }
  });

  it("of two squares beside a corner stay apart", () => {
    const spots = [...layOut(ring([10, 10, 10, 10], 40)).spots.values()].filter((spot) => spot.inward).map((spot) => stands(spot, 1));
    spots.forEach((spot, at) => {
      const [token, next] = [spot.at[0]!, spots[(at + 1) % spots.length]!.at[0]!];
      expect(Math.hypot(token.x - next.x, token.y - next.y)).toBeGreaterThan(2 * spot.radius);
    });
  });

  it("of eight seats fit a corner of a ring, and none covers another", () => {
    const spot: Spot = [...layOut(ring([10, 10, 10, 10], 40)).spots.values()][0]!;
    for (let count = 1; count <= 8; count++) {
      const { at, radius } = stands(spot, count);
      expect(radius).toBeGreaterThan(10);
      at.forEach((one, index) => {
        expect(within({ x: one.x - radius, y: one.y }, spot.outline)).toBe(true);
        expect(within({ x: one.x + radius, y: one.y }, spot.outline)).toBe(true);
        for (const other of at.slice(index + 1)) expect(Math.hypot(one.x - other.x, one.y - other.y)).toBeGreaterThan(2 * radius);
      });
    }
  });

  it("have keys of their own, also several of one seat in one place", () => {
    const tokens = [{ seat: "ana" }, { seat: "bob" }, { seat: "ana" }];
    expect(numbered(tokens).map((one) => one.key)).toEqual(["ana 1", "bob 1", "ana 2"]);
  });

  it("stand above the name on a map, beside one another, and leave it free", () => {
    const spot: Spot = [...layOut(ring([10, 10, 10, 10], 40)).spots.values()][1]!;
    const at = standsAbove(spot, 5, 16, 12);
    for (const one of at) expect(one.y + 12).toBeLessThanOrEqual(spot.centre.y - 16);
    at.forEach((one, index) => {
      for (const other of at.slice(index + 1)) expect(Math.hypot(one.x - other.x, one.y - other.y)).toBeGreaterThan(24);
    });
  });
});

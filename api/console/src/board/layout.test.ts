import { describe, expect, it } from "vitest";
import type { Board } from "../api/types";
import { numbered } from "./forms";
import { layOut, neighbour, stands, standsAbove, type Point, type Spot } from "./layout";

function ring(sides: number[] | undefined, count: number, more: Partial<Board> = {}): Board {
  const places = Array.from({ length: count }, (_, number) => ({ id: `place:${number}`, number, name: `Place ${number}` }));
  return { form: "ring", sides, start: "south-east", direction: "clockwise", places, groups: [], marks: [], zones: [], each_seat: [], ...more } as Board;
}

function within(point: Point, outline: Point[]): boolean {
  let inside = false;
  for (let at = 0, before = outline.length - 1; at < outline.length; before = at++) {
    const [one, other] = [outline[at]!, outline[before]!];
    if (one.y > point.y !== other.y > point.y && point.x < ((other.x - one.x) * (point.y - one.y)) / (other.y - one.y) + one.x) inside = !inside;
  }
  return inside;
}

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
  it("of eight seats stand before a square of a circle, clear of its text and of one another", () => {
    const spots = [...layOut(ring(undefined, 40)).spots.values()].filter((spot) => spot.inward);
    expect(spots.length).toBe(40);
    for (const spot of spots) for (let count = 1; count <= 8; count++) {
      const { at, radius } = stands(spot, count);
      expect(radius).toBeGreaterThan(10);
      at.forEach((one, index) => {
        for (const edge of spots) expect(within(one, edge.outline)).toBe(false);
        for (const other of at.slice(index + 1)) expect(Math.hypot(one.x - other.x, one.y - other.y)).toBeGreaterThan(2 * radius);
      });
    }
  });

  it("have keys of their own, also several of one seat in one place", () => {
    const tokens = [{ seat: "ana" }, { seat: "bob" }, { seat: "ana" }];
    expect(numbered(tokens).map((one) => one.key)).toEqual(["ana 1", "bob 1", "ana 2"]);
  });

  it("stand above the name on a map, beside one another, and leave it free", () => {
    const spot: Spot = [...layOut(ring(undefined, 40)).spots.values()][1]!;
    const at = standsAbove(spot, 5, 16, 12);
    for (const one of at) expect(one.y + 12).toBeLessThanOrEqual(spot.centre.y - 16);
    at.forEach((one, index) => {
      for (const other of at.slice(index + 1)) expect(Math.hypot(one.x - other.x, one.y - other.y)).toBeGreaterThan(24);
    });
  });
});

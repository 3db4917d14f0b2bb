import { expect, it } from "vitest";
import { middleIn, overlap, roomIn, standBeside, stretch } from "./plan";

const triangle = [{ x: 0, y: 0 }, { x: 100, y: 0 }, { x: 50, y: 100 }];

it("finds the room of a name inside of a shape, and its middle", () => {
  expect(stretch(triangle, 50)).toEqual([25, 75]);
  expect(stretch(triangle, 120)).toBeNull();
  const room = roomIn(triangle, 20, 60)!;
  // At its lower line, too, the shape is as wide as the room.
  const [left, right] = stretch(triangle, room.y + room.height)!;
  expect(room.x).toBeGreaterThanOrEqual(left - 0.01);
  expect(room.x + room.width).toBeLessThanOrEqual(right + 0.01);
  expect(room.width).toBeGreaterThanOrEqual(60);
  expect(middleIn(room, 60, triangle)).toBeCloseTo(50);
  expect(roomIn(triangle, 120, 10)).toBeNull();
});

it("lets a token stand where it covers no name", () => {
  const name = { x: 40, y: 40, width: 30, height: 20 };
  const frame = { x: 0, y: 0, width: 100, height: 100 };
  const above = standBeside(name, { width: 10, height: 15 }, [name], frame);
  expect(above.y).toBeLessThan(name.y);
  const neighbour = { x: 35, y: 20, width: 40, height: 15 };
  const aside = standBeside(name, { width: 10, height: 15 }, [name, neighbour], frame);
  expect(overlap(aside, name) + overlap(aside, neighbour)).toBe(0);
});

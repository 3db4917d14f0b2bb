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

it("lets tokens stand where they cover no name, in another shape if need be", () => {
  const name = { x: 40, y: 40, width: 30, height: 20 };
  const frame = { x: 0, y: 0, width: 100, height: 100 };
  const token = { width: 10, height: 15 };
  const above = standBeside(name, [token], [name], [], frame).stand;
  expect(above.y).toBeLessThan(name.y);
  const neighbour = { x: 35, y: 20, width: 40, height: 15 };
  const aside = standBeside(name, [token], [name, neighbour], [], frame).stand;
  expect(overlap(aside, name) + overlap(aside, neighbour)).toBe(0);
  const taken = standBeside(name, [token], [name], [above], frame).stand;
  expect(overlap(taken, above)).toBe(0);
  const [row, column] = [{ width: 60, height: 15 }, { width: 10, height: 90 }];
  const around = [{ x: 0, y: 0, width: 70, height: 38 }, { x: 0, y: 62, width: 70, height: 38 }, { x: 0, y: 38, width: 38, height: 24 }];
  expect(standBeside(name, [row, column], [name, ...around], [], frame).shape).toBe(1);
  expect(standBeside(name, [row, column], [name], [], frame).shape).toBe(0);
});

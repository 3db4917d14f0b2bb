import { expect, it } from "vitest";
import { walked } from "./walk";

it("walks along a row and from row to row, past rows without values, and stops at the ends", () => {
  const lengths = [3, 0, 2];
  expect(walked(lengths, null, "ArrowRight")).toEqual([0, 0]);
  expect(walked(lengths, [0, 0], "ArrowRight")).toEqual([0, 1]);
  expect(walked(lengths, [0, 2], "ArrowRight")).toEqual([0, 2]);
  expect(walked(lengths, [0, 2], "ArrowDown")).toEqual([2, 1]);
  expect(walked(lengths, [2, 1], "ArrowDown")).toEqual([2, 1]);
  expect(walked(lengths, [2, 1], "ArrowUp")).toEqual([0, 1]);
  expect(walked(lengths, [0, 1], "Home")).toEqual([0, 0]);
  expect(walked(lengths, [0, 1], "End")).toEqual([0, 2]);
  expect(walked(lengths, [0, 1], "Enter")).toBeNull();
  expect(walked([0], null, "ArrowRight")).toBeNull();
});

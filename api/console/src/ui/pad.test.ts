import { expect, it } from "vitest";
import { pressed, sumOf } from "./pad";

const after = (...keys: string[]): string => keys.reduce(pressed, "");

it("types digits and sums, and erases the last key", () => {
  expect(after("1", "2", "0")).toBe("120");
  expect(after("1", "2", "+", "5")).toBe("12+5");
  expect(after("1", "2", "⌫")).toBe("1");
  expect(sumOf("12+5")).toBe(17);
  expect(sumOf("")).toBe(0);
});

it("begins no number with a zero, and no sum without a number", () => {
  expect(after("0", "00", "+", "5", "+", "+", "0", "7")).toBe("5+7");
});

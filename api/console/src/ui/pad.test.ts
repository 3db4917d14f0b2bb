import { expect, it } from "vitest";
import { added, pressed, quickSums, sumOf } from "./pad";

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

it("adds round amounts to what is typed", () => {
  expect(added(added("", 100), 20)).toBe("100+20");
  expect(added("100+", 20)).toBe("100+20");
  expect(added("123456789012345", 20)).toBe("123456789012345");
});

it("offers round amounts that the purse has", () => {
  expect(quickSums(1240)).toEqual([1, 2, 5, 10].map((times) => times * 10));
  expect(quickSums(956)).toEqual(quickSums(1240));
  expect(quickSums(19)).toEqual([1, 2, 5, 10]);
  expect(quickSums(3)).toEqual([1, 2]);
  expect(quickSums(0)).toEqual([]);
});

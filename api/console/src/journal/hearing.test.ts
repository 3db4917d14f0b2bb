import { expect, it } from "vitest";
import type { Entry } from "../api/types";
import { summedUp } from "./hearing";

const lines = (count: number): Entry[] => Array.from({ length: count }, (_, at) => ({ sentence: `Line ${at + 1}.` }) as Entry);

it("reads out up to three lines that came together", () => {
  expect(summedUp(lines(3))).toBe("Line 1. Line 2. Line 3.");
});

it("sums up more than three, and reads the last one", () => {
  expect(summedUp(lines(9))).toBe("9 new lines. The last: Line 9.");
});

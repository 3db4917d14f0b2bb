import { beforeEach, expect, it } from "vitest";
import { Receipts, squareOf } from "./receipts.svelte";

beforeEach(() => localStorage.clear());
const receipt = (number: number) => ({ number, action: number, sentence: `line ${number}`, at: "2026-11-20T20:00:00Z", written: "signed" });

it("keeps receipts, each once and the newest first, until they are dropped", () => {
  const receipts = new Receipts("g1");
  for (const number of [3, 5, 3]) receipts.keep(receipt(number));
  expect(new Receipts("g1").list.map(({ number }) => number)).toEqual([3, 5]);
  expect(new Receipts("g2").list).toEqual([]);
  receipts.drop(5);
  expect([receipts.has(3), receipts.has(5), new Receipts("g1").list.length]).toEqual([true, false, 1]);
});

it("writes the key, the number and the hash into the square", () => {
  expect(squareOf("log/g1+0a+KEY", 7, "ab".repeat(32)).split("\n")).toEqual(["log/g1+0a+KEY", "7", "ab".repeat(32)]);
});

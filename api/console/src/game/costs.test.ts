import { expect, it } from "vitest";
import type { Names } from "../api/types";
import { costOf } from "./costs";

const names = { commodities: { M: { name: "mark", plural: "marks", symbol: "M", symbol_place: "after" }, chip: { name: "chip", plural: "chips" } } } as unknown as Names;
const costs = [{ commodity: "M", amount: 140 }, { commodity: "chip", amount: 2 }];

const label = { en: "Go", fr: "Aller" };

it.each([
  ["of a move", { costs, free: {}, label }, undefined, "140 M + 2 chips"],
  ["of an option, instead of the move's", { costs, free: {} }, { costs: [{ commodity: "M", amount: 9 }] }, "9 M"],
  ["that the label says", { costs: costs.slice(0, 1), free: {}, label: { en: "Build for 140 M", fr: "Bâtir" } }, undefined, ""],
  ["of a free move", { free: {}, label }, undefined, ""],
  ["of a payment without an amount yet", { costs, free: { amount: { required: true, "x-kind": "amount" } } }, undefined, ""],
  ["of a move with a text beside", { costs, free: { note: { required: false, "x-kind": "text" } }, label }, undefined, "140 M + 2 chips"],
] as const)("is the cost %s", (_, move, option, text) => {
  expect(costOf(names, move as Parameters<typeof costOf>[1], option as Parameters<typeof costOf>[2])).toBe(text);
});

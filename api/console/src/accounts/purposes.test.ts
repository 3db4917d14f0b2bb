import { expect, test } from "vitest";
import type { Statistics } from "../api/types";
import { purposesOf } from "./purposes";

const flows = {
  parties: [],
  purposes: [
    { id: "rent", name: "rents" },
    { id: "loans", name: "loans" },
    { id: "gifts", name: "gifts" },
  ],
  money: [
    { from: "ana", to: "bob", purpose: "rent", amount: 50, times: 1 },
    { from: "bank", to: "ana", purpose: "loans", amount: 300, times: 1 },
    { from: "ana", to: "cleo", purpose: "rent", amount: 20, times: 2 },
    { from: "bob", to: "cleo", purpose: "gifts", amount: 900, times: 1 },
  ],
} as unknown as Statistics["flows"];

test("a seat's money by purpose: what came and went, with its fields, the largest first", () => {
  expect(purposesOf(flows, "ana")).toEqual([
    { id: "loans", name: "loans", received: { amount: 300, of: "statistics/flows/money/1/amount" }, given: { amount: 0, of: "" } },
    {
      id: "rent",
      name: "rents",
      received: { amount: 0, of: "" },
      given: { amount: 70, of: "statistics/flows/money/0/amount statistics/flows/money/2/amount" },
    },
  ]);
});

import { expect, it } from "vitest";
import type { Entry } from "../api/types";
import { debtsIn, isGift } from "./final";

const effect = (account: string, before: number, after: number): object => ({ account, commodity: "coin", before, after });
const entry = (effects: object[], owed: object[] = []): Entry => ({ effects, owed }) as unknown as Entry;

it("finds the seat's own debts, and neither acts nor deposits", () => {
  const debt = { debtor: "ana", amount: 200, status: "open" };
  const others = [{ debtor: "bob", amount: 5, status: "due" }, { debtor: "ana", status: "due" }, { debtor: "ana", amount: 3, status: "laid" }];
  expect(debtsIn(entry([], [debt, ...others]), "ana")).toEqual([debt]);
  expect(debtsIn({ effects: [] } as unknown as Entry, "ana")).toEqual([]);
});

it("tells a gift from an exchange, and from a price of the bank", () => {
  const owners = { "player:ana": "ana", "hand:ana": "ana", "player:bob": "bob" };
  const [pays, brings] = [effect("player:ana", 5, 2), effect("player:bob", 0, 3)];
  expect(isGift(entry([pays, brings]), owners, "ana")).toBe(true);
  expect(isGift(entry([pays, brings, effect("hand:ana", 0, 1)]), owners, "ana")).toBe(false);
  expect(isGift(entry([pays, effect("bank", 0, 3)]), owners, "ana")).toBe(false);
  expect(isGift(entry([pays, brings, effect("auction", 3, 4)]), owners, "ana")).toBe(false);
  expect(isGift(entry([pays, brings]), owners, "bob")).toBe(false);
});

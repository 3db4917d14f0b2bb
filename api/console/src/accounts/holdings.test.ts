import { describe, expect, it } from "vitest";
import type { Names } from "../api/types";
import { byOwner, sorted } from "./holdings";

const names = {
  owners: { "player:ana": "ana", "hand:ana": "ana", "player:bob": "bob" },
  accounts: { "player:ana": "Ana", "hand:ana": "Ana's hand", "player:bob": "Bob", bank: "the bank", tomb: "the tomb" },
  commodities: {
    coin: { name: "Coin", plural: "Coins", class: "money" },
    inn: { name: "Inn", plural: "Inns", class: "title" },
    ale: { name: "Ale", plural: "Ales", class: "goods" },
  },
} as unknown as Names;

describe("accounts by owner", () => {
  const all = { bank: { coin: -5 }, "hand:ana": { ale: 1 }, "player:ana": { coin: 5 }, tomb: { ale: 0 } };
  it("come in the order of turns, then those of nobody", () => {
    expect(byOwner(all, names, ["bob", "ana"]).map((group) => [group.seat, group.accounts.map((one) => one.account)])).toEqual([
      ["bob", ["player:bob"]],
      ["ana", ["player:ana", "hand:ana"]],
      [null, ["bank"]],
    ]);
  });
});

it("shows money first, and nothing of which there is none", () => {
  expect(sorted({ inn: 1, ale: 2, coin: 7, none: 0 }, names)).toEqual([["coin", 7], ["ale", 2], ["inn", 1]]);
});

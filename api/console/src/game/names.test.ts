import { describe, expect, it } from "vitest";
import type { GameState, Names } from "../api/types";
import { speaking } from "../i18n/language.svelte";
import { accountOf, amount, changeOf, heldBy } from "./names";

const names = {
  accounts: { "player:ana": "Ana", "hand:ana": "Ana's hand", "hand:bob": "Bob's hand" },
  owners: { "player:ana": "ana", "hand:ana": "ana", "player:bob": "bob", "hand:bob": "bob" },
  commodities: {
    coin: { name: "coin", plural: "coins", class: "money", symbol: "₦", symbol_place: "before" },
    dose: { name: "Dose", plural: "Doses", class: "drug" },
    mill: { name: "Old Mill", plural: "Old Mill", class: "title" },
  },
} as unknown as Names;

describe("what people call amounts", () => {
  it.each([
    ["coin", 1240, false, "₦1,240"],
    ["coin", -20, false, "−₦20"],
    ["coin", 20, true, "+₦20"],
    ["dose", 1, false, "1 Dose"],
    ["dose", 2, false, "2 Doses"],
    ["mill", 1, false, "Old Mill"],
    ["mill", -1, true, "−1 Old Mill"],
    ["unknown", 3, false, "3 unknown"],
  ])("%s %i (sign: %s) is %s", (commodity, number, sign, told) => {
    expect(amount(names, commodity, number, sign)).toBe(told);
  });

  it("has none in the singular in French", () => {
    expect(amount(names, "dose", 0)).toBe("0 Doses");
    speaking.now = "fr";
    expect(amount(names, "dose", 0)).toBe("0 Dose");
    speaking.now = "en";
  });

  it.each([
    ["coin", 380, 500, "₦380 → ₦500"],
    ["mill", 0, 1, "+ Old Mill"],
    ["mill", 1, 0, "− Old Mill"],
    ["dose", 5, 3, "− 2 Doses"],
  ])("%s from %i to %i is %s", (commodity, before, after, told) => {
    expect(changeOf(names, { commodity, before, after })).toBe(told);
  });

  it("adds what lies in front and in the hand, of one seat alone", () => {
    const state = { accounts: { "player:ana": { coin: 5 }, "hand:ana": { dose: 2, coin: 1 }, "hand:bob": { dose: 9 } } } as unknown as GameState;
    expect(heldBy(state, names, "ana")).toEqual({ coin: 6, dose: 2 });
  });
});

describe("the account of a seat for its money", () => {
  it("is the player's, the account with money, or the only one", () => {
    expect(accountOf(null, names, "ana")).toBe("player:ana");
    const purses = { ...names, owners: { "hand:bob": "bob", "purse:bob": "bob" } } as unknown as Names;
    const state = { accounts: { "hand:bob": { dose: 1 }, "purse:bob": { coin: 3 } } } as unknown as GameState;
    expect(accountOf(state, purses, "bob")).toBe("purse:bob");
    expect(accountOf(null, purses, "bob")).toBe("hand:bob");
    expect(accountOf(null, null, "cid")).toBe("player:cid");
  });
});

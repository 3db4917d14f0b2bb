import { describe, expect, it } from "vitest";
import type { Agreement, Names } from "../api/types";
import { evenAmount, termsFor, tradable, unseen, worthOf } from "./trays";

const names = {
  commodities: {
    "title:x": { name: "X", plural: "X", class: "title", price: 60, tradable: true },
    coin: { name: "coin", plural: "coins", class: "money", tradable: true },
    dose: { name: "dose", plural: "doses", class: "drug", price: 50, tradable: true },
    card: { name: "card", plural: "card", class: "card", tradable: true },
    house: { name: "house", plural: "houses", class: "piece" },
  },
} as unknown as Names;
const party = (seat: string): object => ({ seat, name: seat, letter: seat[0], colour: 0 });
const offer = {
  parties: [party("ana"), party("bob")],
  gives: [
    { from: "ana", to: "bob", commodity: "title:x", amount: 1 },
    { from: "bob", to: "ana", commodity: "coin", amount: 40 },
    { from: "bob", to: "ana", commodity: "coin", amount: 5 },
  ],
  terms: ["no rent"],
} as unknown as Agreement;

describe("an offer", () => {
  it("is one picture, seen by each side from its own", () => {
    const bob = termsFor(offer, "bob")!;
    expect(bob).toEqual({ partner: "ana", gives: { coin: 45 }, gets: { "title:x": 1 }, promises: ["no rent"], lifts: null });
    expect(termsFor(offer, "ana")).toEqual({ ...bob, partner: "bob", gives: bob.gets, gets: bob.gives });
  });

  it("has no two sides for a stranger, or among three", () => {
    expect(termsFor(offer, "cleo")).toBeNull();
    expect(termsFor({ ...offer, parties: [...offer.parties, party("cleo")] } as Agreement, "ana")).toBeNull();
  });
});

describe("a tray", () => {
  it("is worth its money and its list prices, and names what has none", () => {
    expect(worthOf(names, { coin: 45, dose: 2, card: 1, "title:x": 0 })).toEqual({ sum: 145, unpriced: [{ commodity: "card", amount: 1 }] });
  });

  it("tells the money that makes both sides equal, as far as it is there", () => {
    expect(evenAmount(names, { coin: 7 }, { "title:x": 1 }, 100)).toBe(60);
    expect(evenAmount(names, { dose: 1 }, { "title:x": 1 }, null)).toBe(10);
    expect(evenAmount(names, {}, { "title:x": 1 }, 59)).toBeNull();
    expect(evenAmount(names, { dose: 2 }, { "title:x": 1 }, 100)).toBeNull();
  });

  it("has nothing that no deal may move; unseen money may be asked for", () => {
    expect(tradable(names, { house: 3, dose: 2, coin: 9 })).toEqual([{ commodity: "coin", amount: 9 }, { commodity: "dose", amount: 2 }]);
    const theirs = tradable(names, { "title:x": 1 });
    expect(theirs).toEqual([{ commodity: "coin", amount: null }, { commodity: "title:x", amount: 1 }]);
    expect(unseen(names, theirs)).toEqual(["dose", "card"]);
  });
});

import { describe, expect, it } from "vitest";
import type { Agreement, Board, Display, Names, Obligation } from "../api/types";
import { withReleases } from "../game/names";
import { evenAmount, groupsAfter, promisable, releasesFor, termsFor, tradable, unseen, worthOf } from "./trays";

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

it("offers promises to who may make them, and no promise twice", () => {
  const promise = { name: "promise", plural: "promises", class: "promise", tradable: true };
  const promises = { "stay:x": { ...promise, promised: "title:x" }, "note:7": { ...promise, promised: "" }, "note:bob:7": promise };
  const named = { commodities: { ...names.commodities, ...promises } } as unknown as Names;
  const commodities = (held: Record<string, number>): string[] => promisable(named, held).map(({ commodity }) => commodity);
  expect(commodities({})).toEqual(["note:7"]);
  expect(commodities({ "title:x": 1 })).toEqual(["stay:x", "note:7"]);
  expect(commodities({ "title:x": 1, "stay:x": 2 })).toEqual(["note:7"]);
  expect(tradable(named, { "stay:x": 2, "note:bob:7": 40 }).map(({ commodity }) => commodity)).toEqual(["coin", "stay:x", "note:bob:7"]);
  expect(unseen(named, [])).not.toContain("stay:x");
});

it("offers the release from what the other owes, as a thing worth the debt", () => {
  const debt = { debtor: "bob", creditor: "player:ana", amount: 35, release: "debt:7", release_name: "release from a debt of 35" };
  const owed = [debt, { ...debt, debtor: "cleo", release: "debt:8" }, { debtor: "bob", creditor: "bank", amount: 9 }] as Obligation[];
  const owners = { "player:ana": "ana" };
  expect(releasesFor(owed, owners, "ana", "bob")).toEqual({ "debt:7": 1 });
  expect(releasesFor(owed, owners, "bob", "ana")).toEqual({});
  const named = withReleases(names, owed)!;
  expect(tradable(named, { "debt:7": 1 })).toContainEqual({ commodity: "debt:7", amount: 1 });
  expect(unseen(named, [])).not.toContain("debt:8");
  expect(evenAmount(named, {}, { "debt:7": 1 }, 100)).toBe(35);
  expect(withReleases(names, [owed[2]!])).toBe(names);
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

describe("the groups after a deal", () => {
  const place = (id: string, group: string): object => ({ id, name: id.toUpperCase(), group, commodity: `title:${id}` });
  const board = { groups: [{ id: "red", name: "Red" }, { id: "blue", name: "Blue" }], places: [place("a", "red"), place("b", "red"), place("c", "blue"), place("d", "blue")] } as unknown as Board;
  const owned = (owners: Record<string, string>): Display => ({ places: Object.fromEntries(Object.entries(owners).map(([id, owner]) => [id, { owner }])) }) as unknown as Display;
  const after = (owners: Record<string, string>, gives: string[], gets: string[] = []): unknown => {
    const tray = (titles: string[]): Record<string, number> => Object.fromEntries(titles.map((title) => [`title:${title}`, 1]));
    return groupsAfter(board, owned(owners), { gives: tray(gives), gets: tray(gets) }, "ana", "bob");
  };

  it("are told to who gets a title: the whole, or what is lacking", () => {
    expect(after({ a: "ana", b: "bob", c: "ana" }, ["a"])).toEqual([{ seat: "bob", group: "Red", have: 2, of: 2, lacks: [], breaks: false }]);
    expect(after({ a: "ana", b: "cid" }, ["a"])).toEqual([{ seat: "bob", group: "Red", have: 1, of: 2, lacks: ["B"], breaks: false }]);
  });

  it("are told to who breaks a whole one, and no other group is", () => {
    expect(after({ a: "ana", b: "ana", c: "bob" }, ["b"], ["c"])).toEqual([
      { seat: "ana", group: "Red", have: 1, of: 2, lacks: ["B"], breaks: true },
      { seat: "bob", group: "Red", have: 1, of: 2, lacks: ["A"], breaks: false },
      { seat: "ana", group: "Blue", have: 1, of: 2, lacks: ["D"], breaks: false },
    ]);
    expect(after({ a: "ana" }, [])).toEqual([]);
  });
});

import { describe, expect, it } from "vitest";
import type { Board, Display, Seat, Standing } from "../api/types";
import { ranksOf, titlesOf } from "./ranking";

const seats = ["ana", "bob", "cid"].map((seat, colour) => ({ seat, name: seat, letter: seat[0], colour })) as unknown as Seat[];
const standings = (...all: Standing[]) => new Map(all.map((standing) => [standing.seat, standing]));
const order = (...all: Standing[]) => ranksOf(seats, standings(...all)).map(({ seat, place, share }) => [seat.seat, place, share]);

describe("the places at the end", () => {
  it("have winners first, then worth, and who is out at the end, without a place", () => {
    expect(
      order(
        { seat: "ana", status: "out", worth: 0 },
        { seat: "bob", status: "lost", worth: 100, place: 2 },
        { seat: "cid", status: "won", worth: 200, place: 1 },
      ),
    ).toEqual([["cid", 1, 100], ["bob", 2, 50], ["ana", null, 0]]);
  });

  it("leave the heights out where worth did not decide, and a debt has none", () => {
    expect(order({ seat: "ana", status: "won", worth: 10, place: 1 }, { seat: "bob", status: "lost", worth: 40, place: 2 }, { seat: "cid", status: "lost", worth: -5, place: 3 })).toEqual([["ana", 1, 0], ["bob", 2, 0], ["cid", 3, 0]]);
    expect(order({ seat: "ana", status: "won", worth: 10, place: 1 }, { seat: "bob", status: "lost", worth: 5, place: 2 }, { seat: "cid", status: "lost", worth: -5, place: 3 })).toEqual([["ana", 1, 100], ["bob", 2, 50], ["cid", 3, 0]]);
  });

  it("share a place, and are not numbered while a worth is hidden", () => {
    expect(order({ seat: "ana", status: "won", worth: 10, place: 1 }, { seat: "bob", status: "won", worth: 10, place: 1 }, { seat: "cid", status: "lost", worth: 5, place: 3 })).toEqual([["ana", 1, 100], ["bob", 1, 100], ["cid", 3, 50]]);
    expect(order({ seat: "ana", status: "lost", worth: 9, shown: 2 }, { seat: "bob", status: "won", shown: 4 }, { seat: "cid", status: "lost", shown: 1 })).toEqual([["bob", null, 100], ["ana", null, 50], ["cid", null, 25]]);
  });
});

it("knows the titles of a seat, with the colour of their group, and the mortgaged ones", () => {
  const board = { groups: [{ id: "red", colour: "#f00" }], places: [{ id: "1", name: "One", group: "red", commodity: "title:1" }, { id: "2", name: "Two", commodity: "title:2" }, { id: "3", name: "Street" }] } as unknown as Board;
  const display = { places: { 1: { owner: "ana" }, 2: { owner: "ana", lift: 60 }, 3: { owner: "ana" } } } as unknown as Display;
  expect(titlesOf("ana", board, display)).toEqual([{ id: "1", name: "One", colour: "#f00", mortgaged: false }, { id: "2", name: "Two", colour: undefined, mortgaged: true }]);
  expect(titlesOf("bob", board, undefined)).toEqual([]);
});

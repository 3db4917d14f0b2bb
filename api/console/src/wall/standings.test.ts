import { expect, test } from "vitest";
import type { Seat, Standing } from "../api/types";
import { barsOf, isReachable } from "./standings";

const seat = (name: string, colour: number): Seat => ({ seat: name, name, letter: name[0]!.toUpperCase(), colour });
const seats = [seat("ana", 0), seat("bob", 1), seat("chloe", 2)];
const standing = (name: string, figures: Partial<Standing>): [string, Standing] => [name, { seat: name, status: "in_play", ...figures }];

test("the richest has a whole bar, the others their part of it", () => {
  const bars = barsOf(seats, new Map([standing("ana", { worth: 500, shown: 100 }), standing("bob", { shown: 1000 }), standing("chloe", { worth: 250 })]));
  expect(bars.map((bar) => [bar.seat.seat, bar.worth, bar.share])).toEqual([["ana", 500, 50], ["bob", 1000, 100], ["chloe", 250, 25]]);
});

test("who owes more than they own has no bar, and nobody's bar leaves its row", () => {
  const bars = barsOf(seats, new Map([standing("ana", { worth: -300 }), standing("bob", { worth: 0 }), standing("chloe", {})]));
  expect(bars.map((bar) => bar.share)).toEqual([0, 0, 0]);
  expect(bars[2]!.worth).toBeUndefined();
});

test("a seat that left the game altogether has no row", () => {
  expect(barsOf(seats, new Map([standing("bob", { worth: 5 })])).map((bar) => bar.seat.seat)).toEqual(["bob"]);
});

test("a square to scan never leads to the phone itself", () => {
  expect(["localhost", "127.0.0.1", "[::1]", "a.localhost"].map(isReachable)).toEqual([false, false, false, false]);
  expect(["192.168.1.20", "games.example", "[fe80::1]", "127.example"].map(isReachable)).toEqual([true, true, true, true]);
});

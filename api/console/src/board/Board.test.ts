import { cleanup, fireEvent, render, screen } from "@testing-library/svelte";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { Board, Display } from "../api/types";
import type { Game } from "../game/game.svelte";
import { speaking } from "../i18n/language.svelte";
import Fixture from "./Board.fixture.svelte";

let narrow = false;
beforeEach(() => {
  speaking.set("en");
  narrow = false;
  vi.stubGlobal("matchMedia", () => ({ matches: narrow }));
});
afterEach(cleanup);

const seats = [
  { seat: "ana", name: "Ana", letter: "A", colour: 0 },
  { seat: "bob", name: "Bob", letter: "B", colour: 1 },
];

function gameOn(form: Board["form"], count: number, display: Partial<Display> = {}): Game {
  const places = Array.from({ length: count }, (_, number) => ({ id: `p:${number}`, number, name: `Field ${number}`, at: [100 * (number % 10), 100 * Math.floor(number / 10)] }));
  const board = { form, box: [1000, 700], places, groups: [], marks: [], zones: [], each_seat: [] };
  return { me: null, turn: "bob", seats, names: { commodities: {}, groups: {} }, moves: [], board, state: { display: { tokens: [], places: {}, zones: [], notices: [], piles: [], ...display } } } as unknown as Game;
}

it.each([["ring", 4], ["ring", 200], ["map", 23]] as const)("asks for a square of a %s of %i: only possible squares are chosen", async (form, count) => {
  const chosen: string[] = [];
  render(Fixture, { game: gameOn(form, count), choices: new Set(["p:1", "p:3"]), onchoose: (place: string) => void chosen.push(place) });
  const square = (number: number): HTMLElement => screen.getByRole("button", { name: `Field ${number}` });
  // The one tab stop is a possible square; arrows go from there to the next possible square.
  expect(document.querySelector('[tabindex="0"]')).toBe(square(1));
  square(1).focus();
  await fireEvent.keyDown(square(1), { key: "ArrowRight" });
  expect(document.activeElement).toBe(square(3));
  await fireEvent.keyDown(square(3), { key: "Enter" });
  await fireEvent.click(square(2));
  await fireEvent.click(square(1));
  expect(chosen).toEqual(["p:3", "p:1"]);
  expect(square(2).getAttribute("aria-disabled")).toBe("true");
  expect(square(3).getAttribute("aria-disabled")).toBeNull();
});

it("asks with a list on a narrow screen, of the possible squares alone", async () => {
  narrow = true;
  const chosen: string[] = [];
  render(Fixture, { game: gameOn("ring", 40), choices: new Set(["p:7", "p:9"]), onchoose: (place: string) => void chosen.push(place) });
  await fireEvent.click(await screen.findByRole("button", { name: /Field 9/ }));
  expect(chosen).toEqual(["p:9"]);
  expect(screen.getAllByRole("row")).toHaveLength(3);
});

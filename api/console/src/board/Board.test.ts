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
  await screen.findByRole("button", { name: "Field 1" });
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

const everything = (): Game => {
  const game = gameOn("ring", 12);
  const board = game.board as Board;
  Object.assign(board, {
    sides: [3, 3, 3, 3],
    groups: [{ id: "red", name: "Red", colour: "#aa0000", mark: "Re" }],
    marks: [{ id: "mortgage", name: "mortgaged", icon: "mortgage" }, { id: "jailed", name: "in jail" }, { id: "squat", name: "squatted", icon: "squat" }],
    zones: [{ id: "offers", name: "On offer" }],
    each_seat: [{ id: "front", name: "in front" }, { id: "hand", name: "hand", hidden: true }],
  });
  Object.assign(board.places[1]!, { group: "red", prices: { price: 140 } });
  Object.assign(game.names!, {
    commodities: {
      M: { name: "mark", plural: "marks", class: "money", symbol: "M", symbol_place: "after" },
      house: { name: "house", plural: "houses", class: "piece", icon: "house" },
      inn: { name: "inn", plural: "inns", class: "piece" },
      "card:agent": { name: "Muriel", plural: "Muriel", class: "card", group: "agents", price: 4 },
      "card:hero": { name: "Zero", plural: "Zero", class: "card", group: "agents", price: 4 },
    },
    cards: { agent: { name: "Muriel", commodity: "card:agent", group: "agents", text: "Gain 3." } },
    groups: { agents: "Agents" },
  });
  const display: Display = {
    tokens: [{ seat: "ana", place: "p:1", mark: "jailed" }, { seat: "bob", place: "p:4" }, { seat: "bob", place: "p:4" }],
    places: {
      "p:2": { owner: "bob", rent: 90, pieces: [{ commodity: "house", amount: 3 }, { commodity: "inn", amount: 1 }], marks: ["squat"] },
      "p:3": { owner: "ana", rent: 0, lift: 77, marks: ["mortgage"] },
      "p:4": { owner: "ana", rent: 0, rent_per_pip: 10, pieces: [{ veil: "agents", amount: 2 }] },
      "p:5": { pieces: [{ commodity: "card:agent", amount: 1 }] },
    },
    zones: [
      { zone: "offers", items: [{ commodity: "card:agent", amount: 1 }, { commodity: "card:hero", amount: 1 }] },
      { zone: "front", seat: "bob", items: [{ commodity: "M", amount: 12 }, { commodity: "card:hero", face: "down", amount: 1 }] },
      { zone: "hand", seat: "bob", items: [{ veil: "agents", amount: 5 }] },
    ],
    notices: [{ text: "Storm", until: "round 9", rule: "book:VI.2" }],
    piles: [{ id: "chance", name: "Chance", left: 11 }],
  };
  game.state!.display = display;
  return game;
};
const SQUARES = [
  "Field 1, Red, price 140 M; here: Ana (in jail)",
  "Field 2, owned by Bob, rent 90 M, 3 houses, 1 inn, squatted",
  "Field 3, owned by Ana, 77 M to lift the mortgage, mortgaged",
  "Field 4, owned by Ana, rent 10 M × dice, 2 hidden: Agents; here: Bob × 2",
  "Field 5, Muriel",
];
const LISTED = ["Field 1Red", "price 140 M", "Ana (in jail)", "rent 90 M", "3 houses, 1 inn, squatted", "77 M to lift the mortgage", "mortgaged", "rent 10 M × dice", "2 hidden: Agents", "Bob × 2"];
const PUBLIC = ["On offer4 M each", "Muriel", "Zero", "Storm", "until round 9", "Chance 11"];
const OF_SEATS = ["in front", "12 M", "Zero face down", "hand", "5 hidden: Agents"];

it.each([
  ["ring", "drawing", [...SQUARES, ...PUBLIC, "VI.2", ...OF_SEATS]],
  ["map", "drawing", [...SQUARES, ...PUBLIC, "VI.2", ...OF_SEATS]],
  ["table", "drawing", [...PUBLIC, "VI.2", ...OF_SEATS]],
  ["ring", "list", [...LISTED, ...PUBLIC, "VI.2", ...OF_SEATS]],
  ["map", "list", [...LISTED, ...PUBLIC, "VI.2", ...OF_SEATS]],
  ["ring", "wall", [...SQUARES, ...PUBLIC]],
  ["map", "wall", SQUARES],
  ["table", "wall", [...PUBLIC, ...OF_SEATS]],
] as const)("shows everything that lies on a %s: %s", async (form, as, expected) => {
  narrow = as === "list";
  const game = everything();
  game.board!.form = form;
  render(Fixture, { game, plain: as === "wall" });
  if (form !== "map" || as !== "wall") await screen.findByText("On offer");
  if (form !== "table" && as !== "list") await screen.findByLabelText(SQUARES[4]!);
  const spoken = [...document.querySelectorAll("[aria-label]")].map((element) => element.getAttribute("aria-label"));
  const text = [document.body.textContent!, ...spoken].join("\n").replace(/\s+/g, " ");
  for (const words of expected) expect(text).toContain(words);
});

it("keeps a player's own hand out of the board of a phone", async () => {
  const game = everything();
  render(Fixture, { game: Object.assign(game, { me: "bob" }) });
  await screen.findByText("12 M");
  expect(document.body.textContent).not.toContain("hand");
});

it.each([["ring", ".figure"], ["map", ".sign"]] as const)("prints on a square of a %s its price, the rent of a stop now, or the word of a mortgage", async (form, signs) => {
  const game = everything();
  game.board!.form = form;
  render(Fixture, { game });
  await screen.findByLabelText(SQUARES[4]!);
  expect([...document.querySelectorAll(signs)].map((figure) => figure.textContent)).toEqual(["140 M", "90 M", "mortgaged", "10 M × dice"]);
});

it("draws a map of shapes with the cubes of seats, and a card on offer by its number in the list", async () => {
  const game = everything();
  Object.assign(game.board!, { form: "map", face: { weave: "grid", money: { style: "note" }, pieces: { cube: "cube" }, decks: {}, cards: {} } });
  for (const square of game.board!.places) {
    const [x, y] = square.at as [number, number];
    square.shape = [[x, y], [x + 95, y], [x + 95, y + 95], [x, y + 95]];
  }
  Object.assign(game.names!.commodities, { "cube:bob": { name: "cube of Bob", plural: "cubes of Bob", class: "piece" } });
  game.state!.display.places["p:6"] = { owner: "bob", pieces: [{ commodity: "cube:bob", amount: 2 }] };
  render(Fixture, { game });
  const square = (await screen.findAllByRole("button", { name: /^Field 6/ }))[0]!;
  expect([...square.querySelectorAll("text.letter")].map(({ textContent }) => textContent)).toEqual(["B", "B"]);
  expect(screen.getByRole("button", { name: "Field 5, Muriel" }).querySelector(".count")?.textContent).toBe("1");
  expect(document.querySelectorAll(".pin")).toHaveLength(3);
});

it("opens a card with its text, price and square", async () => {
  HTMLDialogElement.prototype.showModal = function (): void { this.open = true; };
  render(Fixture, { game: everything() });
  await fireEvent.click((await screen.findAllByRole("button", { name: "Muriel" }))[0]!);
  const card = await screen.findByRole("dialog", { name: "Muriel" });
  expect(card.textContent!.replace(/\s+/g, " ")).toContain("Gain 3. DeckAgents Price4 M PlaceField 5");
});

it("opens a square with the words for what it does", async () => {
  HTMLDialogElement.prototype.showModal = function (): void { this.open = true; };
  const game = everything();
  game.board!.places[1]!.text = "Stop here: throw again.";
  Object.assign(game, { api: { GET: () => Promise.resolve({ data: { obligations: [] }, response: new Response() }) } });
  render(Fixture, { game });
  await fireEvent.click(await screen.findByLabelText(SQUARES[0]!));
  expect((await screen.findByRole("dialog", { name: "Field 1" })).textContent).toContain("Stop here: throw again.");
});

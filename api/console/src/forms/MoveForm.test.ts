import { cleanup, fireEvent, render, screen } from "@testing-library/svelte";
import { afterEach, beforeEach, expect, it } from "vitest";
import type { ActionRequest, Move } from "../api/types";
import type { Game } from "../game/game.svelte";
import { speaking } from "../i18n/language.svelte";
import Fixture from "./MoveForm.fixture.svelte";
import type { Schema } from "./schema";

beforeEach(() => speaking.set("en"));
afterEach(cleanup);

const schema: Schema = {
  type: "object",
  properties: {
    to: { "x-kind": "seat", type: "string", title: "To" },
    amount: { "x-kind": "amount", type: "integer", title: "Amount" },
    dice: { "x-kind": "list", type: "array", items: { "x-kind": "die", type: "integer" }, title: "Dice" },
    cards: { "x-kind": "list", type: "array", items: { "x-kind": "card", type: "string", title: "Card" }, title: "Cards" },
  },
};
const label = (text: string): { en: string; fr: string } => ({ en: text, fr: text });
const names = {
  commodities: {
    "card:storm": { name: "Storm", class: "card", group: "weather" },
    "card:sun": { name: "Sun", class: "card", group: "weather" },
    "card:gift": { name: "Gift", class: "card", group: "chance" },
    coin: { name: "coin", plural: "coins", class: "money" },
  },
  cards: {}, accounts: {}, places: {}, groups: {},
};
const game = { names, seats: [], catalogue: { kind: () => Promise.resolve({ parameters: schema }) } } as unknown as Game;

function shown(move: object): { asked: ActionRequest | null; update: (move: object) => Promise<void> } {
  const whole = (one: object): Move => ({ id: "m", kind: "k", label: label("Do it"), params: {}, free: {}, ...one }) as unknown as Move;
  const now = { asked: null as ActionRequest | null, update: (next: object) => view.rerender({ move: whole(next) }) };
  const view = render(Fixture, { game, move: whole(move), seat: "ana", tell: (asked: ActionRequest | null) => void (now.asked = asked) });
  return now;
}

const die = { name: "dice", label: label("the dice"), kind: "die", count: 2, sides: 6, parameter: "dice" };
const two = { parameter: "to", options: [{ value: "bob", label: label("Bob"), cost: 40 }, { value: "cleo", label: label("Cleo") }] };

it("is whole when an option is chosen, what is needed is given, and every die was thrown", async () => {
  const now = shown({ choice: two, free: { amount: { required: true } }, draws: [die] });
  await fireEvent.input(await screen.findByLabelText("Amount"), { target: { value: "20*2" } });
  await fireEvent.click(screen.getByLabelText(/Bob/));
  const sides = screen.getAllByRole("radio", { name: "3" });
  expect(sides).toHaveLength(2);
  await fireEvent.click(sides[0]!);
  expect(now.asked).toBeNull();
  await fireEvent.click(sides[1]!);
  expect(now.asked).toEqual({ kind: "k", seat: "ana", params: { to: "bob", amount: 40, dice: [3, 3] } });
});

it("keeps what was chosen and typed when the same move comes again with its options in another order", async () => {
  const now = shown({ choice: two, free: { amount: { required: true } } });
  await fireEvent.input(await screen.findByLabelText("Amount"), { target: { value: "7" } });
  await fireEvent.click(screen.getByLabelText(/Cleo/));
  await now.update({ choice: { ...two, options: two.options.toReversed() }, free: { amount: { required: true, maximum: 9 } } });
  expect(now.asked?.params).toEqual({ to: "cleo", amount: 7 });
});

it("asks for as many cards as are drawn, out of their deck", async () => {
  const now = shown({ draws: [{ ...die, name: "weather", kind: "card", count: 2, parameter: "cards" }] });
  const fields = (await screen.findAllByRole("combobox")) as HTMLSelectElement[];
  expect(fields.map((one) => [...one.options].map((option) => option.text))).toEqual([["Choose …", "Storm", "Sun"], ["Choose …", "Storm", "Sun"]]);
  await fireEvent.change(fields[0]!, { target: { value: "1" } });
  expect(now.asked).toBeNull();
  await fireEvent.change(fields[1]!, { target: { value: "0" } });
  expect(now.asked?.params).toEqual({ cards: ["sun", "storm"] });
});

it("chooses the only option, and is whole at once where nothing else is wanted", async () => {
  const now = shown({ choice: { parameter: "to", options: [two.options[0]] } });
  await screen.findByText("Bob");
  await Promise.resolve();
  expect(now.asked).toEqual({ kind: "k", seat: "ana", params: { to: "bob" } });
});

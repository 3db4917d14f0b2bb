import { cleanup, fireEvent, render, screen, within } from "@testing-library/svelte";
import { afterEach, beforeEach, expect, it } from "vitest";
import type { ActionRequest, Move, Need } from "../api/types";
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

interface Shown {
  asked: ActionRequest | null;
  lacks: string[];
  update: (move: object) => Promise<void>;
  /** Answer a preview with missing draws. */
  miss: (needs: object[]) => Promise<void>;
}

function shown(move: object): Shown {
  const whole = (one: object): Move => ({ id: "m", kind: "k", label: label("Do it"), params: {}, free: {}, ...one }) as unknown as Move;
  const now: Shown = {
    asked: null,
    lacks: [],
    update: (next) => view.rerender({ move: whole(next) }),
    miss: (needs) => view.rerender({ needs: needs as Need[] }),
  };
  const tell = (asked: ActionRequest | null, lacks: string[]): void => void Object.assign(now, { asked, lacks });
  const view = render(Fixture, { game, move: whole(move), seat: "ana", needs: [], tell });
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

it("asks for as many cards as are drawn, out of those that may come: each of them once", async () => {
  const now = shown({ draws: [{ ...die, name: "weather", kind: "card", count: 2, parameter: "cards", deck: "weather", cards: ["storm", "sun"] }] });
  const [first, second] = (await screen.findAllByRole("radiogroup")) as [HTMLElement, HTMLElement];
  const offered = (group: HTMLElement): string[] => within(group).queryAllByRole("radio").map((radio) => radio.closest("label")!.textContent!.trim());
  expect([offered(first), offered(second)]).toEqual([["Storm", "Sun"], ["Storm", "Sun"]]);
  await fireEvent.click(within(first).getByRole("radio", { name: "Sun" }));
  expect(now.asked).toBeNull();
  expect(now.lacks).toEqual(["the dice"]);
  expect(offered(second)).toEqual(["Storm"]);
  await fireEvent.click(within(second).getByRole("radio", { name: "Storm" }));
  expect(now.asked?.params).toEqual({ cards: ["sun", "storm"] });
});

it("asks for the card of the deck that the service misses, and for the next draw after it", async () => {
  const asked = { kind: "k", seat: "ana", params: { to: "bob" } };
  const need = { after: null, kind: "draw", draw: "cards", name: "weather", label: label("the weather"), deck: "weather", count: 1, seat: "ana", why: "", voids: true, values_at: "/params/cards/0" };
  const now = shown({ params: { to: "bob" }, draws: [die] });
  for (const side of await screen.findAllByRole("radio", { name: "3" })) await fireEvent.click(side);
  await now.miss([{ ...need, edit: { ...asked, params: { to: "bob", dice: [3, 3], cards: [null] } } }]);
  const offered = within(screen.getByRole("radiogroup", { name: "the weather" })).getAllByRole("radio");
  expect(offered).toHaveLength(2);
  expect(now.lacks).toEqual(["the weather"]);
  await fireEvent.click(offered[0]!);
  expect(now.asked?.params).toEqual({ to: "bob", dice: [3, 3], cards: ["storm"] });
  await fireEvent.click(screen.getAllByRole("radio", { name: "4" })[0]!);
  expect(screen.queryByRole("radiogroup", { name: "the weather" })).toBeNull();
});

it("chooses the only option, and is whole at once where nothing else is wanted", async () => {
  const now = shown({ choice: { parameter: "to", options: [two.options[0]] } });
  await screen.findByText("Bob");
  await Promise.resolve();
  expect(now.asked).toEqual({ kind: "k", seat: "ana", params: { to: "bob" } });
});

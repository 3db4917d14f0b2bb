import { cleanup, render, screen, within } from "@testing-library/svelte";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { Move } from "../api/types";
import type { Game } from "../game/game.svelte";
import { speaking } from "../i18n/language.svelte";
import Fixture from "./MoveForm.fixture.svelte";
import type { Schema } from "./schema";

beforeEach(() => speaking.set("en"));
afterEach(cleanup);

const many = <T,>(make: (at: number) => [string, T]): Record<string, T> => Object.fromEntries(Array.from({ length: 9 }, (_, at) => make(at)));
const names = {
  commodities: {
    coin: { name: "coin", plural: "coins", class: "money", symbol: "¤" },
    ...many((at) => [`title:t${at}`, { name: `Street ${at}`, plural: "", class: "title", group: "north", price: 40 }]),
    ...many((at) => [`good:${at}`, { name: `Good ${at}`, plural: "", class: "good" }]),
  },
  cards: {
    ...many((at) => [`storm_${at}`, { name: `Storm ${at}`, commodity: `card:storm_${at}`, group: "weather", text: "It rains." }]),
    ...many((at) => [`gift_${at}`, { name: `Gift ${at}`, commodity: `card:gift_${at}`, group: "luck" }]),
  },
  accounts: many((at) => [`player:s${at}`, `Purse ${at}`]),
  places: many((at) => [`square:${at}`, `Square ${at}`]),
  groups: { north: "North", weather: "Weather", luck: "Luck" },
};
const listed = (member: object): Schema => ({ type: "array", items: member, minItems: 1, "x-kind": "list" }) as Schema;
/** A value of each kind that has choices, as the schemas of the games write it; "draw" is a die or a card. */
const VALUES: Record<string, Schema> = {
  seat: { type: "string" }, place: { type: "integer" }, title: { type: "string" }, card: { type: "string" },
  commodity: { type: "string" }, good: { type: "integer" }, account: { type: "string" }, die: { type: "integer", minimum: 1, maximum: 6 },
  draw: { anyOf: [{ type: "integer" }, { type: "string" }] }, action: { anyOf: [{ type: "integer" }, { type: "string" }] },
  rule: { type: "string" }, kind: { type: "string" }, agreement: { type: "string" }, dispute: { type: "string" },
};

function gameOf(schema: Schema): Game {
  const answers: Record<string, object> = {
    agreements: { agreements: [{ id: "12", title: "a loan" }] },
    disputes: { disputes: [{ id: "8", claim: "It was 150" }] },
    rules: { rules: [{ id: "I.1", title: "Payments" }] },
  };
  const get = (path: string): Promise<unknown> => Promise.resolve({ data: answers[path.split("/").at(-1)!], response: new Response() });
  return {
    id: "g", me: null, names, board: null, state: null, entries: { lines: [{ action: 57, sentence: "Ana pays Bob." }] },
    seats: [{ seat: "ana", name: "Ana" }, { seat: "bob", name: "Bob" }],
    api: { GET: get },
    catalogue: {
      rulebook: "r",
      kind: () => Promise.resolve({ parameters: schema }),
      kinds: () => Promise.resolve([{ kind: "pay_it", label: { en: "Pay", fr: "Payer" }, group: { label: "Money", order: 1 } }]),
    },
  } as unknown as Game;
}

async function open(schema: Schema): Promise<HTMLElement> {
  const free = Object.fromEntries(Object.keys(schema.properties!).map((name) => [name, { required: true }]));
  const move = { id: "m", kind: "k", label: { en: "Do it", fr: "Faire" }, params: {}, free } as unknown as Move;
  const { container } = render(Fixture, { game: gameOf(schema), move, seat: "ana", needs: [], tell: () => undefined });
  // Pickers are loaded on their first use, and some choices are read from the service.
  await vi.waitFor(() => expect(container.querySelectorAll("select, [role=listbox], .sides")).toHaveLength(Object.keys(free).length));
  return container;
}

it.each(Object.keys(VALUES))("a %s is chosen from what there is, alone and in a list: nobody types an id", async (kind) => {
  const value = { ...VALUES[kind]!, "x-kind": kind };
  const schema: Schema = { type: "object", properties: { raw_name: { ...value, title: "Title of it" }, raw_list: { ...listed(value), title: "Title of its list" } }, required: [] };
  const form = await open(schema);
  expect(form.querySelectorAll("input:not([type]), input[type=text], textarea")).toHaveLength(0);
  const fields = [...form.querySelectorAll<HTMLElement>("select, [role=listbox], .sides")];
  expect(fields).toHaveLength(2);
  for (const field of fields) expect(within(field).queryAllByRole("option").length + field.querySelectorAll("input[type=radio]").length).toBeGreaterThan(0);
  expect(form.textContent).not.toMatch(/raw_|null|Entry|undefined|[{}[\]]|storm_\d|square:|title:|pay_it/);
});

it("groups the cards of all decks, finds one without its accents, and has the last used first", async () => {
  const schema: Schema = { type: "object", properties: { card: { type: "string", "x-kind": "card", title: "Title of it" } }, required: [] };
  await open(schema);
  const headings = (): string[] => screen.getAllByRole("group").map((group) => group.querySelector("p")?.textContent ?? "").filter(Boolean);
  expect(headings()).toEqual(["Weather", "Luck"]);
  expect(screen.getAllByText("It rains.")).toHaveLength(9);
  screen.getByRole("option", { name: "Gift 4" }).click();
  cleanup();
  await open(schema);
  expect(headings()).toEqual(["Last used", "Weather", "Luck"]);
});

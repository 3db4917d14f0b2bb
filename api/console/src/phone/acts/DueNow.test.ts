import { cleanup, fireEvent, render, screen, waitFor } from "@testing-library/svelte";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { Refused } from "../../api/problems";
import type { ActionRequest, Entry, Move, Problem } from "../../api/types";
import { Game } from "../../game/game.svelte";
import { speaking } from "../../i18n/language.svelte";
import Fixture from "./DueNow.fixture.svelte";

const roll = { id: "roll", kind: "roll", label: { en: "Roll", fr: "Lancer" }, params: {}, free: {}, rank: "due" } as unknown as Move;
let game: Game;
let sent: ActionRequest[];

beforeEach(() => {
  speaking.set("en");
  sent = [];
  game = new Game({ game: "g", rulebook: "r", title: "", role: "player", seat: "ana", token: `g.${Math.random()}` });
  game.preview = vi.fn(() => Promise.resolve({ entry: { sentence: "Ana rolls.", effects: [], events: [], warnings: [] } as unknown as Entry, version: game.version }));
  game.act = vi.fn((asked: ActionRequest) => Promise.resolve((sent.push(asked), {}) as Entry));
});
afterEach(cleanup);

async function button(): Promise<HTMLButtonElement> {
  const found = await screen.findByRole<HTMLButtonElement>("button", { name: "Roll" });
  await waitFor(() => expect(found.disabled).toBe(false));
  return found;
}

it("two touches of a button do once what is due", async () => {
  render(Fixture, { game, move: roll });
  const big = await button();
  await fireEvent.click(big);
  await fireEvent.click(big);
  await waitFor(() => expect(sent.length).toBeGreaterThan(0));
  // A new preview came, but the table still shows the old state: a late touch changes nothing either.
  await waitFor(() => expect(game.preview).toHaveBeenCalledTimes(2));
  await new Promise((resolve) => setTimeout(resolve));
  await fireEvent.click(big);
  await new Promise((resolve) => setTimeout(resolve));
  expect(sent).toEqual([{ kind: "roll", params: {} }]);
});

it("the same may be done again when the game went on, and after a refusal", async () => {
  render(Fixture, { game, move: roll });
  await fireEvent.click(await button());
  game.version = 1;
  game.act = vi.fn(() => Promise.reject(new Refused({ type: "/problems/rule-broken", title: "", status: 409, detail: "not now" } as Problem, 409)));
  await fireEvent.click(await button());
  await waitFor(() => expect(game.act).toHaveBeenCalledOnce());
  await button();
});

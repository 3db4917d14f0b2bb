import { cleanup, fireEvent, render, screen, waitFor } from "@testing-library/svelte";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { Refused } from "../../api/problems";
import type { ActionRequest, Entry, Move, Problem } from "../../api/types";
import { Game } from "../../game/game.svelte";
import { speaking } from "../../i18n/language.svelte";
import Fixture from "./MoveSheet.fixture.svelte";

const label = (text: string): { en: string; fr: string } => ({ en: text, fr: text });
const options = ["Bob", "Cleo"].map((name) => ({ value: name.toLowerCase(), label: label(name) }));
const give = { id: "give", kind: "give", label: label("Give it"), params: {}, free: {}, rank: "usual", choice: { parameter: "to", options } } as unknown as Move;
let game: Game;
let open: boolean;

beforeEach(() => {
  speaking.set("en");
  HTMLDialogElement.prototype.showModal ??= vi.fn();
  game = new Game({ game: "g", rulebook: "r", title: "", role: "player", seat: "ana", token: `g.${Math.random()}` });
  game.catalogue.kind = vi.fn(() => Promise.resolve({ parameters: { properties: { to: { title: "To", type: "string", "x-kind": "seat" } } } })) as never;
  game.preview = vi.fn(({ params }: ActionRequest) =>
    open
      ? Promise.resolve({ entry: { sentence: `Ana gives it to ${String(params?.to)}.`, effects: [], events: [], warnings: [], names: {} } as unknown as Entry, version: game.version })
      : Promise.reject(new Refused({ status: 422, detail: "Bob has the turn" } as Problem, 422)),
  ) as never;
  become(true);
});
afterEach(cleanup);

function become(isOpen: boolean): void {
  open = isOpen;
  game.moves = [{ seat: "ana", moves: isOpen ? [give] : [] }];
  game.version += 1;
}

it("the sheet of a move that is no longer open says why, and keeps the choice for its return", async () => {
  render(Fixture, { game, move: give });
  await fireEvent.click(await screen.findByLabelText("Cleo"));
  const button = (): HTMLButtonElement => screen.getByRole("button", { name: "Give it" });
  await waitFor(() => expect(button().textContent.trim()).toBe("Give it Ana gives it to cleo."));
  become(false);
  await waitFor(() => expect(screen.getByRole("group", { name: /would/i }).textContent).toContain("Bob has the turn"));
  expect(screen.getByText(/cannot be done now/)).toBeTruthy();
  expect(screen.getByLabelText<HTMLInputElement>("Cleo").checked).toBe(true);
  expect(button().disabled).toBe(true);
  become(true);
  await waitFor(() => expect(button().disabled).toBe(false));
  expect(screen.queryByText(/cannot be done now/)).toBeNull();
});

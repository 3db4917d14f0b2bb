// The stored facts about a game's log, and nothing of a forgotten game.

import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Game } from "../game/game.svelte";
import written from "./made.json?raw";
import { Witness } from "./witness.svelte";

const log = JSON.parse(written) as { key: string; checkpoints: string[] };

beforeEach(() => {
  localStorage.clear();
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
});

/** A game with a next checkpoint sent by the test. */
function asked(): { game: Game; send: (note: string) => void } {
  let send: (note: string) => void = () => undefined;
  const note = new Promise<string>((resolve) => (send = resolve));
  const GET = async () => ({ data: await note, response: new Response() });
  return { game: { id: "g1", link: "live", credential: { log }, api: { GET } } as unknown as Game, send };
}

test("the checkpoint that comes is kept for the next one", async () => {
  const { game, send } = asked();
  new Witness(game).look(1);
  await vi.advanceTimersByTimeAsync(0);
  send(log.checkpoints[0]!);
  await vi.runAllTimersAsync();
  expect(JSON.parse(localStorage.getItem("mabligop-log:g1")!)).toEqual({ key: log.key, checkpoint: log.checkpoints[0] });
});

test("a device that was replaced keeps nothing, also where an answer comes later", async () => {
  const { game, send } = asked();
  new Witness(game).look(1);
  await vi.advanceTimersByTimeAsync(0);
  game.link = "closed";
  localStorage.clear();
  send(log.checkpoints[0]!);
  await vi.runAllTimersAsync();
  expect(localStorage.length).toBe(0);
});

// The stored facts about a game's log, and nothing of a forgotten game.

import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Game } from "../game/game.svelte";
import written from "./made.json?raw";
import { Witness } from "./witness.svelte";

interface Signed {
  key: string;
  successions?: string[];
  checkpoint: string;
}
const log = JSON.parse(written) as {
  key: string;
  checkpoints: string[];
  growth: { from: number; to: number; hashes: string[] }[];
  rotation: Signed;
  other: Signed & { changed: string };
};

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

/** A device that knows the log of 8 lines under the first key, and a service that signs under a key of today. */
async function changed(now: Signed, checkpoint = now.checkpoint): Promise<Witness> {
  localStorage.setItem("mabligop-log:g1", JSON.stringify({ key: log.key, checkpoint: log.checkpoints[7] }));
  const answers: Record<string, unknown> = {
    "/api/v1/me": { log: { key: now.key, successions: now.successions ?? [] } },
    "/api/v1/games/{game}/checkpoint": checkpoint,
    "/api/v1/games/{game}/proofs/consistency": log.growth.find(({ from, to }) => from === 8 && to === 13),
  };
  const GET = (path: string) => Promise.resolve({ data: answers[path], response: new Response() });
  const witness = new Witness({ id: "g1", link: "live", credential: { log }, api: { GET } } as unknown as Game);
  witness.look(13);
  await vi.runAllTimersAsync();
  return witness;
}

const kept = (): unknown => JSON.parse(localStorage.getItem("mabligop-log:g1")!);

test("a new key that the old key endorsed is followed without an alarm", async () => {
  const witness = await changed(log.rotation);
  expect(witness.alarm).toBe(null);
  expect(kept()).toEqual({ key: log.rotation.key, checkpoint: log.rotation.checkpoint });
});

test("an endorsement that the old key did not sign is not followed", async () => {
  const [newest, first] = log.rotation.successions!;
  for (const successions of [[newest!], [first!], [], [newest!, `${first!.slice(0, -12)}AAAAAAAAAAA=`]]) {
    const witness = await changed({ ...log.rotation, successions });
    expect(witness.alarm?.what).toBe("key");
    expect(kept()).toEqual({ key: log.key, checkpoint: log.checkpoints[7] });
  }
});

test("under a key that nothing vouches for the journal is compared, and trusted only by hand", async () => {
  const witness = await changed(log.other);
  expect(witness.alarm).toMatchObject({ what: "key", other: { key: log.other.key, continues: true } });
  expect(kept()).toEqual({ key: log.key, checkpoint: log.checkpoints[7] });
  witness.trust();
  expect(witness.alarm).toBe(null);
  expect(kept()).toEqual({ key: log.other.key, checkpoint: log.other.checkpoint });
});

test("another journal under another key is called another one", async () => {
  const witness = await changed(log.other, log.other.changed);
  expect(witness.alarm).toMatchObject({ what: "key", other: { continues: false } });
});

// The table plays again: the banker asks for the next game, and every device takes its own place there.
import { clientFor, data, freshKey } from "../api/client";
import { Refused } from "../api/problems";
import type { Game } from "../game/game.svelte";
import { session, type Credential } from "../game/session.svelte";
import { speaking } from "../i18n/language.svelte";
import { startOf } from "../pages";
import { pathOf } from "../router.svelte";

/** Tell if this device may ask for the next game, or take its place there. The demo's games are everybody's. */
export function mayPlayAgain(game: Game): boolean {
  if (!game.ended || game.credential.demo) return false;
  return game.isBanker || game.state?.continued !== undefined;
}

/** Keys of requests by game: a repeated request after a lost answer happens once. */
const keys = new Map<string, string>();

/** Create the next game of the table (banker), or take the own place in it. Returns the address of the page there. */
export async function playAgain(game: Game): Promise<string> {
  const { role, seat, token } = game.credential;
  const following = game.state?.continued;
  const stored = following === undefined ? undefined : session.of(following).find((key) => key.role === role && key.seat === seat);
  const credential = stored ?? (following === undefined ? await created(game) : undefined) ?? (await joined(game, token));
  session.keep(credential);
  return pathOf(credential.game, startOf(credential.role));
}

/** Create the next game. Returns undefined if another desk was faster: then a place in the game is open. */
async function created({ id, title, credential: { rulebook, role, token } }: Game): Promise<Credential | undefined> {
  try {
    const body = { again: id };
    const { game, tokens, log } = await data(clientFor(token, () => speaking.now).POST("/api/v1/games", { params: { header: keyed(id) }, body }));
    // The players' tokens in the answer are dropped: each phone takes its place with the key of the last game.
    return { game, rulebook, title, role, token: tokens.banker, log };
  } catch (fault) {
    if (fault instanceof Refused && fault.problem.type === "/problems/game-continued") return undefined;
    throw fault;
  }
}

async function joined({ id }: Game, token: string): Promise<Credential> {
  const path = { game: id };
  return data(clientFor(token, () => speaking.now).POST("/api/v1/games/{game}/again", { params: { path, header: keyed(id) } }));
}

function keyed(id: string): { "Idempotency-Key": string } {
  const key = keys.get(id) ?? freshKey();
  keys.set(id, key);
  return { "Idempotency-Key": key };
}

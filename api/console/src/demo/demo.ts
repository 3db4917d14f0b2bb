// The demo of the service: its games, the seats open to everybody, and the steps to try in the current evening.
import { clientFor, data } from "../api/client";
import type { components } from "../api/schema";
import { session, type Credential } from "../game/session.svelte";
import { speaking } from "../i18n/language.svelte";

export type Demo = components["schemas"]["DemoView"];
export type Step = components["schemas"]["DemoStep"];
export type DemoName = components["schemas"]["DemoGame"]["name"];

const api = clientFor(null, () => speaking.now);

export function readDemo(): Promise<Demo> {
  return data(api.GET("/api/v1/demo"));
}

/** Replace this evening by a new evening. Returns the new demo. */
export function beginAgain(game: string): Promise<Demo> {
  return data(api.POST("/api/v1/demo", { body: { again: game } }));
}

/** Return a key of the demo for this device: the stored key, or a new one. Keys of replaced evenings are removed. */
export async function takeSeat(demo: Demo, name: DemoName, role: Credential["role"], seat?: string): Promise<Credential> {
  const game = demo.games.find((demoGame) => demoGame.name === name)!.game;
  const stored = session.of(game).find((candidate) => candidate.role === role && candidate.seat === seat);
  if (stored) return stored;
  const grant = await data(api.POST("/api/v1/demo/seats", { body: { name, role, ...(seat !== undefined && { seat }) } }));
  const current = new Set([...demo.games.map((demoGame) => demoGame.game), grant.game]);
  for (const old of session.games().flat()) if (old.demo && !current.has(old.game)) session.forget(old.game);
  const credential = { ...grant, demo: name } as Credential;
  session.keep(credential);
  return credential;
}

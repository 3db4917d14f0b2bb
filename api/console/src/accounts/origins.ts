// Where an amount comes from, as `GET …/why` tells it.
import { data } from "../api/client";
import type { components } from "../api/schema";
import type { Game } from "../game/game.svelte";

export type Why = components["schemas"]["WhyPage"];
export type Origin = Why["postings"][number];

/** A page of the movements that make up an amount, the newest first. */
export async function why(game: Game, query: Record<string, string>, signal: AbortSignal): Promise<Why> {
  const page = await data(
    game.api.GET("/api/v1/games/{game}/why", { params: { path: { game: game.id }, query: query as never }, signal }),
  );
  return page as unknown as Why;
}

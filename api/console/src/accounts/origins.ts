// The origin of an amount, as `GET …/why` explains it.
import { data } from "../api/client";
import type { components } from "../api/schema";
import type { Game } from "../game/game.svelte";

export type Why = components["schemas"]["WhyPage"];
export type Origin = Why["postings"][number];

/** Read a page of the movements behind an amount, the newest first. */
export async function why(game: Game, query: Record<string, string>, signal: AbortSignal): Promise<Why> {
  const page = await data(
    game.api.GET("/api/v1/games/{game}/why", { params: { path: { game: game.id }, query: query as never }, signal }),
  );
  return page as unknown as Why;
}

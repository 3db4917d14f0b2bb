// The origin of an amount, as `GET …/why` explains it.
import { data } from "../api/client";
import type { components } from "../api/schema";
import type { Game } from "../game/game.svelte";

export type Why = components["schemas"]["WhyPage"];
export type Origin = Why["postings"][number];

/** Name a field of an answer: the request's path and query, then the path of the field in the answer. */
export function fieldOf(path: string, query: Record<string, string>, field: string): string {
  return `${path}?${new URLSearchParams(query)}#${field}`;
}

/** Read a page of the movements behind an amount, the newest first. */
export async function why(game: Game, query: Record<string, string>, signal: AbortSignal): Promise<Why> {
  const page = await data(
    game.api.GET("/api/v1/games/{game}/why", { params: { path: { game: game.id }, query: query as never }, signal }),
  );
  return page as unknown as Why;
}

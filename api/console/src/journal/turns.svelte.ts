// The turn of each line: read once from the replay's index, then noted as the game goes on.
import { data } from "../api/client";
import type { Entry, ReplayIndex } from "../api/types";
import type { Game } from "../game/game.svelte";
import type { Turn } from "./fold";

export class Turns {
  /** The turns before the lines of the index, by line. */
  #before = $state.raw<ReadonlyMap<string, Turn>>(new Map());
  /** The turns after later versions of the game, in their order. */
  #after = $state.raw<readonly { version: number; turn: Turn }[]>([]);
  #readings = 0;

  constructor(private readonly game: Game) {}

  /** Read the index: at the start, and after a correction. Without an answer, the old turns stay. */
  async read(): Promise<void> {
    const reading = ++this.#readings;
    const turns = new Map<string, Turn>();
    let turn: Turn = { seat: null, round: 0 };
    let [cursor, version] = [null as string | null, 0];
    do {
      const index: ReplayIndex = await data(
        this.game.api.GET("/api/v1/games/{game}/replay/index", {
          params: { path: { game: this.game.id }, query: cursor === null ? {} : { cursor } },
        }),
      );
      index.lines.forEach((line, at) => {
        turns.set(String(line), turn);
        turn = { seat: index.seats[index.turns[at]!]?.seat ?? null, round: index.rounds[at]! };
      });
      [cursor, version] = [index.next, index.version];
    } while (cursor !== null);
    if (reading !== this.#readings) return;
    this.#before = turns;
    this.#after = [{ version, turn }, ...this.#after.filter((later) => later.version > version)];
  }

  /** Note the turn of the game's newest version. */
  note(version: number, seat: string | null, round: number): void {
    if (version > (this.#after.at(-1)?.version ?? -1)) this.#after = [...this.#after, { version, turn: { seat, round } }];
  }

  of(line: Pick<Entry, "action" | "number">): Turn | undefined {
    return this.#before.get(String(line.action)) ?? this.#after.findLast(({ version }) => version < line.number)?.turn;
  }
}

const cache = new WeakMap<Game, Turns>();

/** Return the turns of a game, read once for all pages. */
export function turnsOf(game: Game): Turns {
  const turns = cache.get(game) ?? new Turns(game);
  cache.set(game, turns);
  return turns;
}

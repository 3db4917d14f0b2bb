// The lines of the journal that the page holds: the newest, and older ones as they are asked for.
import { data } from "../api/client";
import type { ActionName, Entry } from "../api/types";
import type { Game } from "./game.svelte";

const PAGE = 50;

export class Entries {
  /** In the journal's order, the oldest first. Gaps are possible only before the first. */
  lines = $state.raw<Entry[]>([]);
  /** Whether there are older lines that were not fetched. */
  more = $state(false);
  /** The lines that were rewritten last, and by which version: they are marked for a moment. */
  changed = $state.raw<ReadonlySet<ActionName>>(new Set());

  #older: string | null = null;
  #loading = false;

  constructor(private readonly game: Game) {}

  byName = $derived(new Map(this.lines.map((line) => [String(line.action), line])));

  /** Read the newest lines. Those that came meanwhile by the stream are kept. */
  async start(): Promise<void> {
    const page = await this.page({ order: "newest", limit: PAGE });
    const read = page.actions.toReversed();
    const newest = read.at(-1)?.number ?? 0;
    this.lines = [...read, ...this.lines.filter((line) => line.number > newest)];
    this.#older = page.next;
    this.more = page.next !== null;
  }

  /** Read the page before the first line. */
  async older(): Promise<void> {
    if (this.#older === null || this.#loading) return;
    this.#loading = true;
    try {
      const page = await this.page({ order: "newest", limit: PAGE, cursor: this.#older });
      this.lines = [...page.actions.toReversed(), ...this.lines];
      this.#older = page.next;
      this.more = page.next !== null;
    } finally {
      this.#loading = false;
    }
  }

  /** A page of the journal. Takes the query of `GET …/actions`. */
  async page(query: Record<string, unknown>): Promise<{ actions: Entry[]; next: string | null; previous: string | null }> {
    const page = await data(
      this.game.api.GET("/api/v1/games/{game}/actions", { params: { path: { game: this.game.id }, query: query as never } }),
    );
    return page as unknown as { actions: Entry[]; next: string | null; previous: string | null };
  }

  /** One line: the one held, or fetched. */
  async one(action: ActionName): Promise<Entry> {
    const held = this.byName.get(String(action));
    if (held) return held;
    const { actions } = await this.page({ numbers: String(action) });
    if (!actions[0]) throw new Error(`no line ${action}`);
    return actions[0];
  }

  /** The stream brought a line. */
  add(entry: Entry): void {
    if (this.byName.has(String(entry.action))) return;
    this.lines = [...this.lines, entry];
  }

  /** The stream says that these lines changed: those that are held are fetched again. */
  async rewritten(names: ActionName[]): Promise<void> {
    const held = names.filter((name) => this.byName.has(String(name)));
    this.changed = new Set(names);
    for (let from = 0; from < held.length; from += PAGE) {
      const { actions } = await this.page({ numbers: held.slice(from, from + PAGE).join(","), limit: PAGE });
      const anew = new Map(actions.map((line) => [String(line.action), line]));
      this.lines = this.lines.map((line) => anew.get(String(line.action)) ?? line);
    }
  }
}

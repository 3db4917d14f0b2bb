// The lines of a filter, found by the service: the newest first, older lines on demand.
import type { Entry } from "../api/types";
import type { Entries } from "../game/entries.svelte";

const PAGE = 50;
/** A search by words may give short pages before the end: the maximum of requests for one page. */
const READ = 5;
const HELD = 600;

export class LineSearch {
  /** In the journal's order, the oldest first. */
  lines = $state.raw<Entry[]>([]);
  more = $state(false);
  loading = $state(false);

  #next: string | null = null;
  #ended = false;
  #again = false;

  constructor(
    private readonly entries: Entries,
    private readonly query: Record<string, string>,
  ) {}

  /** Read the newest lines of the filter; earlier lines stay as far as they connect to the new ones. */
  async read(): Promise<void> {
    if (this.loading) {
      this.#again = true;
      return;
    }
    await this.#busy(async () => {
      const { lines, next } = await this.#pages(null);
      const anew = new Set(lines.map((line) => line.action));
      const met = this.lines.findIndex((line) => anew.has(line.action));
      const goesOn = met >= 0;
      const retained = goesOn ? this.lines.slice(0, met) : [];
      this.lines = [...retained, ...lines];
      if (!goesOn || retained.length === 0) this.#next = next;
      this.more = this.#next !== null;
    });
  }

  async older(): Promise<void> {
    if (this.#next === null || this.lines.length >= HELD) return;
    await this.#busy(async () => {
      const { lines, next } = await this.#pages(this.#next);
      this.lines = [...lines, ...this.lines];
      this.#next = next;
      this.more = next !== null && this.lines.length < HELD;
    });
  }

  /** End the search: later lines are of another filter. */
  end(): void {
    this.#ended = true;
  }

  async #busy(read: () => Promise<void>): Promise<void> {
    if (this.loading || this.#ended) return;
    this.loading = true;
    try {
      await read();
    } finally {
      this.loading = false;
    }
    if (this.#again) {
      this.#again = false;
      await this.read();
    }
  }

  async #pages(from: string | null): Promise<{ lines: Entry[]; next: string | null }> {
    const lines: Entry[] = [];
    let next = from;
    for (let read = 0; read < READ && lines.length < PAGE; read++) {
      const page = await this.entries.page({ ...this.query, order: "newest", limit: PAGE, ...(next !== null && { cursor: next }) });
      lines.unshift(...page.actions.toReversed());
      next = page.next;
      if (next === null) break;
    }
    return { lines, next };
  }
}

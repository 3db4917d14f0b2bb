// The lines of the journal held by the page: a part without gaps, at most 600 lines, up to the newest line unless
// somebody reads far back.
import { data, type GameClient } from "../api/client";
import type { ActionName, Entry } from "../api/types";
import { inPlace, insertedBy, isMasked } from "./places";

const PAGE = 50;
/** The number of held lines. Lines beyond are dropped at the far end, and fetched again on demand. */
export const HELD = 600;
const MARKED_MS = 2000;

export interface JournalPage {
  actions: Entry[];
  next: string | null;
  previous: string | null;
  totals?: { count: number; commodities: { commodity: string; name: string; postings: number; amount: number; received?: number; given?: number }[] };
}

export class Entries {
  /** In the order of the history, the oldest first: an inserted line stands at its place in the history. */
  lines = $state.raw<Entry[]>([]);
  /** True if older lines exist that are not held. */
  more = $state(false);
  /** True if newer lines are not held, because somebody reads far back. */
  later = $state(false);
  /** The newest number known to the page. */
  head = $state(0);
  /** The number of corrections during the page's life: pages read again by it. */
  rewrites = $state(0);
  /** The lines rewritten a moment ago, marked for 2 s. */
  changed = $state.raw<ReadonlySet<ActionName>>(new Set());

  /** Lines of the journal by number, without gaps. */
  #loaded: Entry[] = [];
  /** Lines inserted by corrections, by name, wherever they stand. */
  #inserted = new Map<string, Entry>();
  /** The newest line passed to listeners. */
  #announced = 0;
  #loading = false;
  #listeners = new Set<(line: Entry) => void>();
  #marks: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly game: GameClient) {}

  byName = $derived(new Map(this.lines.map((line) => [String(line.action), line])));

  /** Read the newest lines. Lines received meanwhile by the stream are kept. */
  async start(): Promise<void> {
    const { actions } = await this.page({ order: "newest", limit: PAGE });
    const read = actions.toReversed();
    const newest = read.at(-1)?.number ?? 0;
    this.#loaded = [...read, ...this.#loaded.filter((line) => line.number > newest)];
    this.head = Math.max(this.head, newest);
    this.#inserted.clear();
    this.later = false;
    this.#arrange();
    await this.#findInserted(read);
    await this.reach(this.head);
  }

  /** Begin with nothing, after too many missed lines or with another journal. */
  async anew(): Promise<void> {
    [this.#loaded, this.head, this.#announced] = [[], 0, 0];
    await this.start();
  }

  /** Read the page before the first line. */
  async older(): Promise<void> {
    if (!this.more) return;
    const first = this.#loaded[0]!.number;
    await this.#load(Math.max(1, first - PAGE), first - 1, (read) => {
      this.#loaded = [...read, ...this.#loaded];
      if (this.#loaded.length > HELD) {
        this.#loaded.length = HELD;
        this.later = true;
      }
    });
  }

  /** Read the page after the last line, if newer lines were dropped. */
  async newer(): Promise<void> {
    if (!this.later) return;
    const last = this.#loaded.at(-1)!.number;
    await this.#load(last + 1, Math.min(last + PAGE, this.head), (read) => {
      this.#loaded = [...this.#loaded, ...read].slice(-HELD);
      this.later = this.#loaded.at(-1)!.number < this.head;
    });
  }

  /** Hold the newest lines, whatever was read last. */
  async toEnd(): Promise<void> {
    if (this.later) await this.start();
  }

  /** Read the lines up to this version that the stream did not bring. */
  async reach(version: number): Promise<void> {
    this.head = Math.max(this.head, version);
    const last = this.#loaded.at(-1);
    if (last === undefined || this.later || this.#loading || last.number >= version) return;
    // A page with more missed lines begins anew.
    if (version - last.number > PAGE) return this.start();
    await this.#load(last.number + 1, version, (read) => {
      const newest = this.#loaded.at(-1)!.number;
      this.#loaded = [...this.#loaded, ...read.filter((line) => line.number > newest)];
    });
  }

  /** Read a page of the journal. Takes the query of `GET …/actions`. */
  async page(query: Record<string, unknown>, signal?: AbortSignal): Promise<JournalPage> {
    const page = await data(
      this.game.api.GET("/api/v1/games/{game}/actions", {
        params: { path: { game: this.game.id }, query: query as never },
        ...(signal && { signal }),
      }),
    );
    return page as unknown as JournalPage;
  }

  /** Return one line: held, or fetched. */
  async find(action: ActionName): Promise<Entry> {
    const line = this.byName.get(String(action));
    if (line) return line;
    const { actions } = await this.page({ numbers: String(action) });
    if (!actions[0]) throw new Error(`no line ${action}`);
    return actions[0];
  }

  /** Add a line from the stream. */
  add(entry: Entry): void {
    this.head = Math.max(this.head, entry.number);
    if (entry.number > this.#announced) {
      this.#announced = entry.number;
      for (const listener of this.#listeners) listener(entry);
    }
    const last = this.#loaded.at(-1)?.number;
    if (this.later || (last !== undefined && entry.number <= last)) return;
    if (last !== undefined && entry.number > last + 1) {
      // After a failure the lines are read with the next state from the stream.
      this.reach(entry.number).catch(() => undefined);
      return;
    }
    this.#loaded = [...this.#loaded, entry];
    if (this.#loaded.length > HELD + PAGE) this.#loaded = this.#loaded.slice(-HELD);
    this.#arrange();
  }

  /** Listen to each line from the stream. Returns a function that ends the listening. */
  listen(listener: (line: Entry) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Fetch changed and inserted lines again, as far as held. */
  async rewritten(names: ActionName[]): Promise<void> {
    this.rewrites++;
    this.#mark(names);
    const numbers = new Set(this.#loaded.map((line) => line.number));
    await this.#fetch(names.filter((name) => typeof name === "string" || numbers.has(name)));
  }

  #mark(names: ActionName[]): void {
    clearTimeout(this.#marks);
    this.changed = new Set(names);
    this.#marks = setTimeout(() => (this.changed = new Set()), MARKED_MS);
  }

  /** Fetch these lines and replace the held ones. */
  async #fetch(names: readonly ActionName[]): Promise<void> {
    for (let from = 0; from < names.length; from += PAGE) {
      const batch = names.slice(from, from + PAGE);
      const { actions } = await this.page({ numbers: batch.join(","), limit: PAGE });
      const anew = new Map(actions.map((line) => [line.action, line]));
      for (const name of batch) {
        if (typeof name !== "string") continue;
        const line = anew.get(name);
        if (line) this.#inserted.set(name, line);
        else this.#inserted.delete(name);
      }
      this.#loaded = this.#loaded.map((line) => anew.get(line.action) ?? line);
    }
    if (names.length > 0) this.#arrange();
  }

  async #load(first: number, last: number, take: (read: Entry[]) => void): Promise<void> {
    if (this.#loading || last < first) return;
    this.#loading = true;
    try {
      const numbers = Array.from({ length: last - first + 1 }, (_, at) => first + at);
      const { actions } = await this.page({ numbers: numbers.join(","), limit: numbers.length });
      take(actions);
      this.#arrange();
      await this.#findInserted(actions);
    } finally {
      this.#loading = false;
    }
    await this.reach(this.head);
  }

  /** Find inserted lines by the corrections among these lines: the journal's pages have none. */
  async #findInserted(lines: readonly Entry[]): Promise<void> {
    const names = lines.flatMap(insertedBy);
    const masked = lines.filter(isMasked);
    if (masked.length > 0) names.push(...(await this.#visibleOf(masked)));
    await this.#fetch(names.filter((name) => !this.#inserted.has(name)));
  }

  /** Find the visible inserted lines of corrections that the viewer sees in part, from the audit. */
  async #visibleOf(corrections: readonly Entry[]): Promise<string[]> {
    const since = corrections[0]!.recorded_at;
    const names: string[] = [];
    for (const kind of new Set(corrections.map((line) => line.kind))) {
      const page = await data(
        this.game.api.GET("/api/v1/games/{game}/audit", {
          params: { path: { game: this.game.id }, query: { kind, since, limit: 200 } as never },
        }),
      );
      const { lines } = page as unknown as { lines: { correction: { inserted: string[] } | null }[] };
      names.push(...lines.flatMap((line) => line.correction?.inserted ?? []));
    }
    return names;
  }

  #arrange(): void {
    this.lines = inPlace(this.#loaded, this.#inserted);
    this.more = (this.#loaded[0]?.number ?? 1) > 1;
  }
}

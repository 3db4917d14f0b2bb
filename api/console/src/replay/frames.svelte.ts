// The frames of a game around the current moment: fetched in parts, with few parts kept.
import { data, type GameClient } from "../api/client";
import type { ActionName, Frame, ReplayIndex } from "../api/types";
import { PART, tooMany } from "./moments";

export class Frames {
  /** The lines of the history as columns; null before the first answer. */
  index = $state.raw<ReplayIndex | null>(null);
  /** The reason for an empty page. */
  failed = $state("");

  /** Frames by their position in the index. */
  #frames = $state.raw<ReadonlyMap<number, Frame>>(new Map());
  /** The parts held or under way. */
  #requested = new Set<number>();
  /** Frames for an earlier index are useless, whenever they come. */
  #edition = 0;
  #renewals = 0;

  constructor(private readonly game: GameClient) {}

  get(position: number): Frame | undefined {
    return this.#frames.get(position);
  }

  get count(): number {
    return this.index?.lines.length ?? 0;
  }

  /**
   * Read the lines again after a change of the game, a correction, or another language. `reposition` finds the moment
   * in the new lines before they are shown. Returns false if the old lines stay, because the service did not answer.
   */
  async renew(reposition: (index: ReplayIndex) => void): Promise<boolean> {
    const renewal = ++this.#renewals;
    try {
      let index = await this.#readIndex(null);
      for (let next = index.next; next !== null; ) {
        const page = await this.#readIndex(next);
        index = joined(index, page);
        next = page.next;
      }
      if (renewal !== this.#renewals) return true;
      this.#edition++;
      this.#frames = new Map();
      this.#requested.clear();
      reposition(index);
      this.index = index;
      this.failed = "";
      return true;
    } catch (fault) {
      if (renewal !== this.#renewals) return true;
      if (this.index === null) this.failed = String((fault as Error).message);
      return false;
    }
  }

  /** Fetch the frames around a position, and the next ones. */
  want(position: number): void {
    const part = Math.floor(position / PART);
    void this.#fetch(part, part);
    // Near the end of a part the neighbouring part is needed soon.
    const side = position % PART < PART / 4 ? part - 1 : position % PART > (PART * 3) / 4 ? part + 1 : part;
    if (side !== part) void this.#fetch(side, part);
  }

  /** Return the position of the next or previous line about a seat; null if none exists. */
  async about(seat: string, from: number, by: 1 | -1): Promise<number | null> {
    const lines = this.index?.lines ?? [];
    const WIDTH = 50;
    for (let at = from + by; at >= 0 && at < lines.length; at += by * WIDTH) {
      const end = Math.min(lines.length - 1, Math.max(0, at + by * (WIDTH - 1)));
      const matches = await this.#read(lines[Math.min(at, end)]!, lines[Math.max(at, end)]!, WIDTH, seat);
      const first = by === 1 ? matches[0] : matches.at(-1);
      if (first) return lines.indexOf(first.action);
    }
    return null;
  }

  async #fetch(part: number, looked: number): Promise<void> {
    const lines = this.index?.lines;
    const first = part * PART;
    if (!lines || first < 0 || first >= lines.length || this.#requested.has(part)) return;
    const edition = this.#edition;
    this.#requested.add(part);
    try {
      const last = Math.min(first + PART, lines.length) - 1;
      const frames = await this.#read(lines[first]!, lines[last]!, PART);
      if (edition !== this.#edition) return;
      const places = new Map(lines.slice(first, last + 1).map((name, at) => [String(name), first + at]));
      const updated = new Map(this.#frames);
      for (const frame of frames) {
        const position = places.get(String(frame.action));
        if (position !== undefined) updated.set(position, frame);
      }
      for (const gone of tooMany(this.#requested, looked)) {
        this.#requested.delete(gone);
        for (let at = 0; at < PART; at++) updated.delete(gone * PART + at);
      }
      this.#frames = updated;
    } catch {
      // The shown frames stay; the part is requested again at the next look.
      if (edition === this.#edition) this.#requested.delete(part);
    }
  }

  async #read(from: ActionName, to: ActionName, limit: number, follow?: string): Promise<Frame[]> {
    const query = { from: String(from), to: String(to), limit, ...(follow && { follow }) };
    const page = await data(this.game.api.GET("/api/v1/games/{game}/replay", { params: { path: { game: this.game.id }, query } }));
    return page.frames as Frame[];
  }

  async #readIndex(cursor: string | null): Promise<ReplayIndex> {
    const query = cursor === null ? {} : { cursor };
    return (await data(
      this.game.api.GET("/api/v1/games/{game}/replay/index", { params: { path: { game: this.game.id }, query } }),
    )) as ReplayIndex;
  }
}

function joined(first: ReplayIndex, second: ReplayIndex): ReplayIndex {
  return {
    ...second,
    lines: [...first.lines, ...second.lines],
    rounds: [...first.rounds, ...second.rounds],
    turns: [...first.turns, ...second.turns],
    statuses: [...first.statuses, ...second.statuses],
    corrected_by: [...first.corrected_by, ...second.corrected_by],
    corrections: [...first.corrections, ...second.corrections],
  };
}

// The last five entered kinds, each in a fixed slot: a new kind takes the slot used longest ago.
import type { Phrase } from "../api/types";

const PLACES = 5;

interface RecentKind {
  kind: string;
  verb: Phrase;
  used: number;
}

export class Recent {
  places = $state.raw<RecentKind[]>([]);

  constructor(private readonly rulebook: string) {
    try {
      const stored: unknown = JSON.parse(localStorage.getItem(this.#name) ?? "[]");
      if (Array.isArray(stored)) this.places = stored.filter(isKept).slice(0, PLACES);
    } catch {
      // Unreadable or no storage: the row begins empty.
    }
  }

  /** The kinds by their slots, for ",1" to ",5". */
  get kinds(): string[] {
    return this.places.map((slot) => slot.kind);
  }

  /** The kinds, the latest first. */
  get lately(): string[] {
    return this.places.toSorted((a, b) => b.used - a.used).map((slot) => slot.kind);
  }

  use(kind: string, verb: Phrase): void {
    const used = 1 + Math.max(0, ...this.places.map((slot) => slot.used));
    const at = this.places.findIndex((slot) => slot.kind === kind);
    const position = at !== -1 ? at : this.places.length < PLACES ? this.places.length : this.#oldest();
    this.places = this.places.toSpliced(position, 1, { kind, verb, used });
    try {
      localStorage.setItem(this.#name, JSON.stringify(this.places));
    } catch {
      // Without a storage the row lasts as long as the page.
    }
  }

  #oldest(): number {
    return this.places.reduce((oldest, slot, at) => (slot.used < this.places[oldest]!.used ? at : oldest), 0);
  }

  get #name(): string {
    return `mabligop-recent:${this.rulebook}`;
  }
}

function isKept(value: unknown): value is RecentKind {
  const { kind, verb, used } = (value ?? {}) as Partial<RecentKind>;
  return typeof kind === "string" && typeof used === "number" && typeof verb?.en === "string" && typeof verb.fr === "string";
}

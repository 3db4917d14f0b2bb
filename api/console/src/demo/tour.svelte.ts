// The finished steps of the demo on this device. A step waits for the real act, in any order and way.
import type { Step } from "./demo";

const KEPT = "mabligop-tour:";

export type Screen = Step["screen"];

export class Tour {
  steps = $state.raw<Step[]>([]);
  #done = $state.raw<readonly number[]>([]);
  /** True if the steps are put away for good. */
  away = $state(false);
  /** The last finished step. */
  #last = $state<number | null>(null);

  constructor(private readonly game: string, private readonly screen: Screen, private readonly seat: string | null) {
    const stored = read(this.#key);
    this.away = stored === "away";
    this.#done = stored.split(",").filter((part) => /^\d+$/.test(part)).map(Number);
  }

  /** Take the steps of the screen and seat, in the current language. */
  take(all: Step[]): void {
    this.steps = all.filter((step) => step.screen === this.screen && (step.seats.length === 0 || step.seats.includes(this.seat ?? "")));
  }

  /** The position of the first unfinished step; the number of steps if all are finished. */
  at = $derived.by(() => {
    const first = this.steps.findIndex((_, at) => !this.#done.includes(at));
    return first === -1 ? this.steps.length : first;
  });
  isDone(at: number): boolean {
    return this.#done.includes(at);
  }
  count = $derived.by(() => this.steps.filter((_, at) => this.#done.includes(at)).length);
  step = $derived<Step | undefined>(this.steps[this.at]);
  /** The sentence about the last finished step. */
  said = $derived(this.#last === null ? null : (this.steps[this.#last]?.done ?? null));

  /** Finish the step for a line of this kind, written by anybody. */
  line(kind: string): void {
    this.#end((step) => step.kinds.includes(kind));
  }

  /** Finish the step for a page. */
  page(name: string): void {
    this.#end((step) => step.page === name);
  }

  /** Finish the step for a moment of the past. */
  past(): void {
    this.#end((step) => step.past);
  }

  putAway(): void {
    this.away = true;
    write(this.#key, "away");
  }

  #end(is: (step: Step) => boolean): void {
    const at = this.steps.findIndex((step, at) => !this.#done.includes(at) && is(step));
    if (at === -1) return;
    this.#done = [...this.#done, at];
    this.#last = at;
    write(this.#key, this.#done.join(","));
  }

  get #key(): string {
    return `${KEPT}${this.game}:${this.screen}:${this.seat ?? ""}`;
  }
}

function read(key: string): string {
  try {
    return localStorage.getItem(key) ?? "";
  } catch {
    return "";
  }
}

function write(key: string, value: string): void {
  try {
    localStorage.setItem(key, value);
  } catch {
    // The steps are shown again next time.
  }
}

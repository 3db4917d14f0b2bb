// Which steps of the demo are done on this device. A step waits for the real act, in whatever order and way it comes.
import type { Step } from "./demo";

const KEPT = "mabligop-tour:";

export type Screen = Step["screen"];

export class Tour {
  steps = $state.raw<Step[]>([]);
  #done = $state.raw<readonly number[]>([]);
  /** Whether the steps are put away for good. */
  away = $state(false);
  /** The step that was done last. */
  #last = $state<number | null>(null);

  constructor(private readonly game: string, private readonly screen: Screen, private readonly seat: string | null) {
    const stored = read(this.#key);
    this.away = stored === "away";
    this.#done = stored.split(",").filter((part) => /^\d+$/.test(part)).map(Number);
  }

  /** The steps of the screen and seat, in the language of now. */
  take(all: Step[]): void {
    this.steps = all.filter((step) => step.screen === this.screen && (step.seats.length === 0 || step.seats.includes(this.seat ?? "")));
  }

  /** The place of the first step that is not done; the number of steps when all are. */
  at = $derived.by(() => {
    const first = this.steps.findIndex((_, at) => !this.#done.includes(at));
    return first === -1 ? this.steps.length : first;
  });
  isDone(at: number): boolean {
    return this.#done.includes(at);
  }
  count = $derived.by(() => this.steps.filter((_, at) => this.#done.includes(at)).length);
  step = $derived<Step | undefined>(this.steps[this.at]);
  /** What is said of the step that was done last. */
  said = $derived(this.#last === null ? null : (this.steps[this.#last]?.done ?? null));

  /** A line of this kind was written, by whomever. */
  line(kind: string): void {
    this.#end((step) => step.kinds.includes(kind));
  }

  /** A page is shown. */
  page(name: string): void {
    this.#end((step) => step.page === name);
  }

  /** A moment of the past is shown. */
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

// What a wall shows, from the spectator's view: pure functions.
import type { Board, Entry, GameState, Names, Seat } from "../api/types";
import type { Presence } from "../game/game.svelte";

type Awaited = GameState["awaited"][number];

/** A step with all seats from which it is awaited. */
export interface Step {
  label: string;
  seats: string[];
  until?: string | undefined;
  default?: string | undefined;
}

/** Gather the awaited steps: equal steps of several seats are one. The earliest end counts. */
export function stepsOf(awaited: readonly Awaited[]): Step[] {
  const steps = new Map<string, Step>();
  for (const { seat, label, until, default: otherwise } of awaited) {
    const step = steps.get(label);
    if (!step) steps.set(label, { label, seats: [seat], until, default: otherwise });
    else {
      step.seats.push(seat);
      if (until && (!step.until || Date.parse(until) < Date.parse(step.until))) step.until = until;
    }
  }
  return [...steps.values()];
}

/** What takes the whole middle as long as it lasts. */
export type Matter =
  | { sort: "stage"; icon: string; title: string; texts: string[] }
  | { sort: "dispute"; line: Entry }
  | { sort: "card"; name: string; text: string; icon: string | undefined; effect: string | undefined };

/** What parties say in a dispute: a claim, and statements. */
const SAYINGS = ["open_dispute", "add_statement"];

/**
 * Find what takes the middle: a stage outside of the phases of a turn about which the table has a notice, such as an
 * auction; else what the newest line said in a dispute; else the card that it drew.
 */
export function matterOf(state: GameState, board: Board, line: Entry | undefined, names: Names | null): Matter | null {
  const { phase, display } = state;
  if (state.status === "ended") return null;
  const apart = board.phases.length > 0 && !board.phases.some(({ id }) => id === phase.id);
  if (state.status === "play" && apart && display.notices.length > 0) return { sort: "stage", icon: phase.id, title: phase.label, texts: display.notices.map(({ text }) => text) };
  if (line?.status !== "effective") return null;
  if (SAYINGS.includes(line.kind)) return { sort: "dispute", line };
  const card = Object.values(line.draws).flat().flatMap((id) => names?.cards[String(id)] ?? []).at(-1);
  return card ? { sort: "card", name: card.name, text: card.text ?? card.effect?.label ?? "", icon: card.effect?.icon, effect: card.effect?.text } : null;
}

/** Part an amount into its number and a long unit, which is smaller: "37" and " victory points". A sign is no unit. */
export function partsOf(text: string): [number: string, unit: string] {
  const [, number, unit] = /^([−+]?\d[\d\s.,]*\d|[−+]?\d)(\s\D{4,})$/.exec(text) ?? [];
  return number && unit ? [number, unit] : [text, ""];
}

/** Tell if each seat in the game is here, or was: then nobody needs the way in. */
export function allSit(presence: Presence | null, seats: readonly Seat[]): boolean {
  return presence !== null && seats.every(({ seat }) => presence.seats[seat] || presence.left[seat] !== undefined);
}

/** Tell if phones of the network reach an address beyond this computer. */
export function isReachable(hostname: string): boolean {
  return !/^(localhost|.*\.localhost|127(\.\d+){3}|\[?::1\]?)$/.test(hostname);
}

// The two sides of a trade: "100+lamp > b tower". Pure.
import { sumOf, wordsOf, type Item } from "./lexer";
import { bestNamed, index, seatsNamed } from "./naming";
import type { Scene } from "./scene";
import { isNoise } from "./words";

export interface Part {
  amount: number;
  commodity: string;
}

export interface Legs {
  gives: Part[];
  takes: Part[];
  /** The other seat; null if unnamed with several candidates. */
  partner: string | null;
  text: string;
}

/** Read the items as two sides; no reading if something on a side is no part. */
export function parseLegs(items: Item[], scene: Scene, seat: string | undefined): Legs[] {
  const over = items.findIndex((item) => item.kind === "over");
  if (over === -1 || items.slice(over + 1).some((item) => item.kind === "over")) return [];
  const leftSide = side(items.slice(0, over), scene);
  const right = side(items.slice(over + 1), scene);
  const others = scene.seats.filter((candidate) => candidate.seat !== seat);
  const partner = right.seat ?? (others.length === 1 ? others[0]!.seat : null);
  if (partner === seat) return [];
  const text = items.map((item) => item.raw).join(" ");
  return leftSide.parts.flatMap((gives) => right.parts.map((takes) => ({ gives, takes, partner, text }))).slice(0, 4);
}

/** Read a seat and parts; one list of parts for each reading of the names. */
function side(items: Item[], scene: Scene): { seat: string | null; parts: Part[][] } {
  let remaining = items;
  let seat: string | null = null;
  const first = items[0];
  if (first?.kind === "seats" && first.seats.length === 1) [seat, remaining] = [first.seats[0]!, items.slice(1)];
  else if (first?.kind === "word" && !first.quoted) {
    const named = seatsNamed(first.norm, scene.seats, scene.me);
    if (named.length === 1 && named[0]!.length === 1) [seat, remaining] = [named[0]![0]!, items.slice(1)];
  }
  let readings: Part[][] = [[]];
  let at = 0;
  while (at < remaining.length) {
    if (isNoise(remaining[at]!)) {
      at++;
      continue;
    }
    let to = at;
    while (to < remaining.length && remaining[to]!.kind !== "plus") to++;
    const parts = part(remaining.slice(at, to), scene);
    readings = readings.flatMap((reading) => parts.map((choice) => [...reading, choice])).slice(0, 4);
    at = to;
  }
  return { seat, parts: readings };
}

function part(items: Item[], scene: Scene): Part[] {
  const [first, ...others] = items.filter((item) => item.kind !== "word" || !isNoise(item));
  if (first === undefined) return [];
  if (first.kind === "number" && others.length === 0 && !first.times) {
    const amount = sumOf(first.norm);
    const money = moneyIn(scene);
    return amount !== null && money !== null ? [{ amount, commodity: money }] : [];
  }
  // "3 Towers" may be a name that begins with a number; "2 lamp" is two of a name.
  const whole = named(first.kind === "number" && first.times ? [] : [first, ...others], scene);
  if (whole.length > 0) return whole.map((commodity) => ({ amount: 1, commodity }));
  const amount = first.kind === "number" ? sumOf(first.norm) : null;
  return amount === null ? [] : named(others, scene).map((commodity) => ({ amount, commodity }));
}

function named(items: Item[], scene: Scene): string[] {
  const typed = items.flatMap((item) => wordsOf(item.norm));
  return typed.length === 0 ? [] : bestNamed(typed, index(scene.names, "commodity"));
}

function moneyIn(scene: Scene): string | null {
  for (const names of scene.names)
    for (const [id, facts] of Object.entries(names.commodities)) if (facts.class === "money") return id;
  return null;
}

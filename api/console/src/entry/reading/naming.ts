// The fit of a typed word to a verb, a name or a seat. Pure.
import type { Move, Names } from "../../api/types";
import { wordsOf } from "./lexer";
import type { SeatFacts } from "./scene";

const LINKS = new Set(["l", "d", "le", "la", "les", "de", "du", "des", "the", "of", "a", "an"]);

/** Rate the fit to a name. 3: the whole name; 2: whole words; 1: beginnings of words, in their order; 0: no fit. */
export function nameFit(typed: readonly string[], name: string): 0 | 1 | 2 | 3 {
  const words = wordsOf(name);
  let at = 0;
  let whole = true;
  let matched = 0;
  for (const part of typed) {
    if (typed.length > 1 && LINKS.has(part) && !words.includes(part, at)) continue;
    const short = part.length < 2 && !/\d/.test(part);
    const exact = words.indexOf(part, at);
    const position = exact !== -1 ? exact : short || /^\d+$/.test(part) ? -1 : words.findIndex((word, i) => i >= at && word.startsWith(part));
    if (position === -1) return 0;
    // A letter alone is a seat, unless the name is that letter.
    if (short && words.length > 1 && typed.length === 1) return 0;
    if (exact === -1) whole = false;
    if (!LINKS.has(part)) matched++;
    at = position + 1;
  }
  if (matched === 0) return 0;
  if (!whole) return 1;
  return matched === words.filter((word) => !LINKS.has(word)).length ? 3 : 2;
}

/**
 * Rate the fit to the verbs. 3: a verb; 2: the beginning of a verb; 1: similar (at most two letters more, or the same
 * first four); 0: no fit.
 */
export function verbFit(typed: string, verbs: Move["verbs"]): 0 | 1 | 2 | 3 {
  if (typed.length < 2) return 0;
  let best: 0 | 1 | 2 | 3 = 0;
  for (const verb of [...verbs.en, ...verbs.fr].flatMap(wordsOf)) {
    if (verb === typed) return 3;
    if (verb.startsWith(typed)) best = 2;
    else if (best === 0 && similar(typed, verb)) best = 1;
  }
  return best;
}

function similar(typed: string, verb: string): boolean {
  // "fine" is no "fin": a silent letter makes another word of a short verb.
  const isAnother = verb.length < 4 && typed === `${verb}e`;
  if (typed.startsWith(verb) && typed.length <= verb.length + 2 && !isAnother) return true;
  return typed.length >= 4 && verb.length >= 4 && typed.slice(0, 4) === verb.slice(0, 4);
}

/** Find the seats named by a word: one seat, or two by their letters ("cb"). Several results if ambiguous. */
export function seatsNamed(norm: string, seats: readonly SeatFacts[], me?: string | null): string[][] {
  if (norm === "me" || norm === "moi") return me ? [[me]] : [];
  return cached(seatings, seats, norm, () => seatsCalled(norm, seats));
}
const seatings = new WeakMap<object, Map<string, string[][]>>();

function seatsCalled(norm: string, seats: readonly SeatFacts[]): string[][] {
  if (norm.length === 1) return seats.filter((seat) => wordsOf(seat.letter)[0] === norm).map((seat) => [seat.seat]);
  const named = seats.filter((seat) => [seat.name, seat.seat].some((name) => wordsOf(name).some((word) => word.startsWith(norm))));
  const whole = named.filter((seat) => wordsOf(seat.name).join() === norm || seat.name === norm);
  if (whole.length > 0) return whole.map((seat) => [seat.seat]);
  const exact = named.filter((seat) => wordsOf(seat.name).includes(norm) || seat.seat === norm);
  if (named.length > 0) return (exact.length > 0 ? exact : named).map((seat) => [seat.seat]);
  if (norm.length !== 2) return [];
  const both = [...norm].map((letter) => seats.find((seat) => wordsOf(seat.letter)[0] === letter)?.seat);
  return both[0] && both[1] && both[0] !== both[1] ? [[both[0], both[1]]] : [];
}

export type NameClass = "commodity" | "card" | "place" | "account" | "agreement";

/** Collect all ids of a class with their typed names. */
export function namesOf(all: readonly Names[], of: NameClass): Map<string, string[]> {
  const byId = new Map<string, string[]>();
  const add = (id: string, ...names: string[]): void => void byId.set(id, [...(byId.get(id) ?? []), ...names]);
  for (const names of all) {
    if (of === "commodity") for (const [id, commodity] of Object.entries(names.commodities)) add(id, commodity.name, commodity.plural);
    else if (of === "card") for (const [id, card] of Object.entries(names.cards)) add(id, card.name, id.replaceAll("_", " "));
    else if (of === "place") for (const [id, name] of Object.entries(names.places)) add(id, name);
    else if (of === "account") for (const [id, name] of Object.entries(names.accounts)) add(id, name);
  }
  return byId;
}

const indexes = new WeakMap<object, Map<string, Map<string, string[]>>>();

/** Index the names of a class, once for the names of a game. */
export function index(all: readonly Names[], of: NameClass): Map<string, string[]> {
  const first = all[0];
  if (first === undefined) return new Map();
  const maps = indexes.get(first) ?? new Map<string, Map<string, string[]>>();
  indexes.set(first, maps);
  const name = `${of}:${all.length}`;
  let built = maps.get(name);
  if (!built) maps.set(name, (built = namesOf(all, of)));
  return built;
}

/** Return the best fitting ids, at most four; none if nothing fits. */
export function bestNamed(typed: readonly string[], candidates: Map<string, string[]>): string[] {
  return cached(namings, candidates, typed.join(" "), () => fittest(typed, candidates));
}
const namings = new WeakMap<object, Map<string, string[]>>();

/** Return the cached result for the same names or seats and the same text, or compute it. */
function cached<T>(all: WeakMap<object, Map<string, T>>, of: object, text: string, work: () => T): T {
  let results = all.get(of);
  if (results === undefined || results.size > 500) all.set(of, (results = new Map()));
  let result = results.get(text);
  if (result === undefined) results.set(text, (result = work()));
  return result;
}

function fittest(typed: readonly string[], candidates: Map<string, string[]>): string[] {
  let best = 0;
  let ids: string[] = [];
  for (const [id, names] of candidates) {
    const fit = Math.max(...names.map((name) => nameFit(typed, name)));
    if (fit === 0 || fit < best) continue;
    if (fit > best) ids = [];
    best = fit;
    ids.push(id);
  }
  return ids.slice(0, 4);
}

/**
 * Return the possible names of a fixed value of a move: "tall_tower" may be a title, a card, a square, or only itself.
 */
export function calls(names: readonly Names[], parameter: string, value: unknown): string[] {
  if (typeof value !== "string" && typeof value !== "number") return [];
  const id = String(value);
  const labels = [id.replaceAll("_", " ")];
  for (const glossary of names) {
    const commodity = glossary.commodities[id] ?? glossary.commodities[`${parameter}:${id}`];
    if (commodity) labels.push(commodity.name);
    if (glossary.cards[id]) labels.push(glossary.cards[id].name);
    if (glossary.places[id]) labels.push(glossary.places[id]);
  }
  return labels;
}

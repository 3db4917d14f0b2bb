// The parts of the seats in a line: who pays whom, in whatever order people say it. Pure.
import type { Move } from "../../api/types";
import { plain, wordsOf, type Item, type Line } from "./lexer";
import { index, seatsNamed, verbFit } from "./naming";
import type { Scene } from "./scene";
import { BUYING, FILLERS, GETTING, NOISE, PARTS, PAYING, isAccented, type Part } from "./words";

/** One order of the items of a line. */
export interface Phrase {
  items: Item[];
  /** True if another order is as likely: Enter takes the reading only after a choice. */
  unsure: boolean;
}

export interface Payments {
  phrases: Phrase[];
  /** The seat that would pay itself. */
  alone: string | undefined;
}

/** Cut the pieces of a line further, and tell the parts of seats; a lone "a" may be a seat or a small word. */
export function itemsOf(line: Line, scene: Scene): Item[][] {
  const items = seatsWhole(line.pieces.flatMap((piece) => cut(piece, scene)), scene);
  const small = items.map((item, at) => (isSmall(items, at, scene) ? { ...item, norm: "à", raw: "à" } : item));
  const orders = [items, ...(small.some((item, at) => item !== items[at]) ? [small] : [])].map((each) => withParts(each, scene));
  return [...orders, ...orders.flatMap((order) => saleOf(order, scene))];
}

/** Turn "Bob buys it from Ana" into "Ana sells it to Bob". */
function saleOf(items: Item[], scene: Scene): Item[][] {
  const buys = items.findIndex((item) => item.kind === "word" && !item.quoted && BUYING.has(item.norm));
  const seller = items.findIndex((item) => item.part === "from" || item.part === "at");
  const buyer = items.findIndex((item) => item.part === undefined && seatsOf(item, scene).length > 0);
  if (buys === -1 || buyer === -1 || buyer > buys || seller < buys) return [];
  const things = items.filter((_, at) => at !== buyer && at !== seller && at !== buys);
  return [[{ ...items[seller]!, part: "from" }, { ...items[buys]!, norm: "sell" }, ...things, { ...items[buyer]!, part: "to" }]];
}

/** Cut "cb120" into seats and amount, "d'Ana" and "Ana's" into the name and the small word. */
function cut(item: Item, scene: Scene): Item[] {
  if (item.kind !== "word" || item.quoted) return [item];
  const paid = /^(\p{L}{1,2})(\d.*)$/u.exec(item.norm);
  if (paid && /^\d+(?:[+\-*/]\d+)*k?$/.test(paid[2]!)) {
    const letters = [...paid[1]!].map((letter) => seatsNamed(letter, scene.seats)[0]?.[0]);
    if (letters.includes(undefined) || isNameBegun(item.norm, scene)) return [item];
    const middle = item.from + paid[1]!.length;
    return [
      { kind: "seats", raw: paid[1]!, norm: paid[1]!, from: item.from, to: middle, seats: letters as string[] },
      { kind: "number", raw: paid[2]!, norm: paid[2]!, from: middle, to: item.to, times: false },
    ];
  }
  const elided = /^((?:[ldjnsmtc]|qu)')(\p{L}.*)$/u.exec(item.norm);
  const owned = /^(.+)'s$/u.exec(item.norm);
  const at = elided && !FILLERS.has(item.norm) ? elided[1]!.length : owned && isSeat(owned[1]!, scene) ? owned[1]!.length : 0;
  if (at === 0 || isSeat(item.norm, scene)) return [item];
  const halves = [part(item, 0, at), part(item, at, item.norm.length)];
  return owned && !elided ? halves.slice(0, 1) : halves;
}

function part(item: Extract<Item, { kind: "word" }>, from: number, to: number): Item {
  return { ...item, raw: item.raw.slice(from, to), norm: item.norm.slice(from, to), from: item.from + from, to: item.from + to };
}

function isSeat(norm: string, scene: Scene): boolean {
  const words = wordsOf(norm).join(" ");
  return scene.seats.some((seat) => wordsOf(seat.name).join(" ") === words) || (norm.length > 1 && !norm.includes("'") && seatsNamed(norm, scene.seats, scene.me).length > 0);
}

function isNameBegun(norm: string, scene: Scene): boolean {
  for (const of of ["commodity", "card", "place"] as const)
    for (const names of index(scene.names, of).values())
      if (names.some((name) => wordsOf(name).some((word) => word.startsWith(norm) && /\D/.test(word)))) return true;
  return false;
}

/** Join the items of a seat's name of several words: "Ana (2)". */
function seatsWhole(items: Item[], scene: Scene): Item[] {
  const long = scene.seats.map((seat) => ({ seat: seat.seat, words: wordsOf(seat.name) })).filter(({ words }) => words.length > 1);
  if (long.length === 0) return items;
  const joined: Item[] = [];
  for (let at = 0; at < items.length; ) {
    let to = Math.min(items.length, at + 5);
    let seats: string[] = [];
    for (; to > at + 1 && seats.length === 0; to--) {
      const typed = items.slice(at, to).flatMap((item) => wordsOf(item.norm)).join(" ");
      seats = long.filter(({ words }) => words.join(" ") === typed).map(({ seat }) => seat);
    }
    const first = items[seats.length === 1 ? to : at]!;
    const raw = items.slice(at, to + 1).map((item) => item.raw).join(" ");
    joined.push(seats.length === 1 ? { kind: "seats", raw, norm: plain(raw), from: items[at]!.from, to: first.to, seats } : first);
    at = seats.length === 1 ? to + 1 : at + 1;
  }
  return joined;
}

/** Tell if a lone "a" may be no seat: an article, an auxiliary verb, or "à" without its accent. */
function isSmall(items: Item[], at: number, scene: Scene): boolean {
  const [earlier, item, next] = [items[at - 1], items[at]!, items[at + 1]];
  if (item.kind !== "word" || item.norm !== "a" || item.quoted || isAccented(item.raw) || earlier === undefined || next === undefined) return false;
  const named = next.kind === "seats" || (next.kind === "number" && /^\d$/.test(next.norm)) || (next.kind === "word" && (next.norm.length > 2 || seatsNamed(next.norm, scene.seats).length > 0));
  return named && !(next.kind === "word" && next.norm in PARTS) && !(earlier.kind === "word" && earlier.norm in PARTS);
}

function isSilent(item: Item): boolean {
  return item.kind === "word" && (NOISE.has(item.norm) || FILLERS.has(item.norm) || wordsOf(item.norm).length === 0);
}

/** Mark the part of each seat by the small word before it. */
function withParts(items: Item[], scene: Scene): Item[] {
  let part: Part | undefined;
  return items.map((item) => {
    const word = item.kind === "word" && !item.quoted ? partOf(item) : undefined;
    const marked = part !== undefined && seatsOf(item, scene).length > 0 ? { ...item, part } : item;
    if (word !== undefined) part = word;
    else if (!isSilent(item)) part = undefined;
    return marked;
  });
}

function partOf(item: Extract<Item, { kind: "word" }>): Part | undefined {
  return isAccented(item.raw) ? "at" : PARTS[item.norm];
}

/** Return the seats that an item may name, without regard to verbs. */
export function seatsOf(item: Item, scene: Scene): string[][] {
  if (item.kind === "seats") return [item.seats];
  return item.kind === "word" && !item.quoted && !isAccented(item.raw) ? seatsNamed(item.norm, scene.seats, scene.me) : [];
}

/**
 * Order the items of a line as a payment: the payer, then all else, then the payee. No phrase if the line names two
 * payers or two payees, or tells of money got without telling from whom.
 */
export function paymentsOf(items: Item[], move: Move, scene: Scene): Payments {
  const none: Payments = { phrases: [], alone: undefined };
  const verb = move.verbs.en[0] ?? "";
  const seats: Item[] = [];
  const remainder: Item[] = [];
  let subjects = 0;
  let verbs = 0;
  let gets = false;
  for (const [at, item] of items.entries()) {
    const word = item.kind === "word" && !item.quoted ? item.norm : "";
    const seat = seatsOf(item, scene).length > 0;
    if (GETTING.has(word) && !seat && !isModal(items, at)) gets = true;
    const says = (GETTING.has(word) || PAYING.has(word)) && !seat;
    if (says || (word !== "" && wordsOf(word).some((each) => verbFit(each, move.verbs) > (seat ? 2 : 0)))) {
      remainder.push(says ? { ...item, norm: verb } : item);
      verbs++;
    } else if (seat) {
      seats.push(item);
      if (verbs === 0 && item.part === undefined) subjects++;
    } else remainder.push(item);
  }
  const marked = seats.some((item) => item.part !== undefined);
  if (!marked && verbs === 0) return { phrases: [{ items, unsure: false }], alone: aloneIn(seats, scene) };
  const of = (...parts: (Part | undefined)[]): Item[] => seats.filter((item) => parts.includes(item.part));
  const payers = of("from", "by");
  const from = gets && payers.length === 0 ? of("at") : payers;
  const to = gets && payers.length === 0 ? of("to") : of("to", "at");
  const bare = of(undefined);
  if (from.length > 1 || to.length > 1) return none;
  const [payer, payee] = [from[0], to[0]];
  const phrase = (giver: Item | undefined, taker: Item | undefined, unsure = false): Phrase => ({
    items: [...(giver ? [{ ...giver, part: "from" as const }] : []), ...remainder, ...(taker ? [{ ...taker, part: "to" as const }] : [])],
    unsure,
  });
  const payments = (giver: Item | undefined, taker: Item | undefined): Payments => ({
    phrases: [phrase(giver, taker)],
    alone: giver && taker ? aloneIn([giver, taker], scene) : undefined,
  });
  if (payer && payee) return bare.length === 0 ? payments(payer, payee) : none;
  if (payer) {
    // "Bob pays 30 from Ana" has two payers; "Bob gets 30 from Ana" and "pay Bob 30 from Ana" have one.
    if (bare.length > 1 || (subjects > 0 && !gets && verbs > 0 && payer.part === "from")) return none;
    return payments(payer, bare[0]);
  }
  if (gets) return none;
  if (payee) return bare.length > 1 ? none : payments(bare[0], payee);
  if (bare.length === 1 && bare[0]!.kind === "seats" && bare[0]!.seats.length > 1) return { phrases: [{ items: [...bare, ...remainder], unsure: false }], alone: undefined };
  if (bare.length === 0) return { phrases: [phrase(undefined, undefined)], alone: undefined };
  if (bare.length === 1) return subjects > 0 ? payments(bare[0], undefined) : payments(undefined, bare[0]);
  if (bare.length > 2) return none;
  if (subjects === 0) return { phrases: [phrase(bare[0], bare[1], true), phrase(bare[1], bare[0], true)], alone: aloneIn(bare, scene) };
  // "Ana and Bob pay 30" has two payers.
  return subjects === 2 && items.some((item) => item.kind === "plus" || /^(and|et|&)$/.test(item.norm)) ? none : payments(bare[0], bare[1]);
}

/** Tell if the word before a verb only leads to it: "has got to pay", "is paying". */
function isModal(items: Item[], at: number): boolean {
  const [next, second] = [items[at + 1], items[at + 2]];
  return next !== undefined && (next.norm.endsWith("ing") || (next.norm === "to" && second !== undefined && PAYING.has(second.norm)));
}

/** Return the seat that two items name, if both can only be that seat. */
function aloneIn(items: Item[], scene: Scene): string | undefined {
  const named = items.map((item) => seatsOf(item, scene));
  const [first, second] = named;
  if (!first || !second || items.length !== 2 || [first, second].some((seats) => seats.length !== 1 || seats[0]!.length !== 1)) return undefined;
  return first[0]![0] === second[0]![0] ? first[0]![0]! : undefined;
}

// The readings of a line, the best first. Pure: a function of the line and of the scene.
import type { ActionRequest, Move } from "../../api/types";
import { lex, throwOf, wordsOf, type Item, type Line } from "./lexer";
import { fillNeeds } from "./lacking";
import { matches, type Match } from "./match";
import { verbFit } from "./naming";
import { itemsOf, paymentsOf, seatsOf, type Phrase } from "./phrase";
import type { Reading, Resolution, Scene, Want } from "./scene";
import { variantsOf, type Slot, type Variant } from "./slots";
import { isNoise } from "./words";

const SHOWN = 8;
const RANKS = { due: 0, usual: 1, rare: 2 };
const STANDINGS = { complete: 0, choose: 1, incomplete: 2 };

interface Candidate {
  seat: string | undefined;
  move: Move;
  settle: boolean;
}

/** Return the readings of a line. An empty line lists the due moves. */
export function resolve(source: string, scene: Scene): Resolution {
  return resolveLine(lex(source), source, scene);
}

export function resolveLine(line: Line, source: string, scene: Scene): Resolution {
  const nothing: Resolution = { readings: [], best: null, sound: source.length, closed: [] };
  if (line.kind === "command") return nothing;
  if (line.kind === "empty") return dueOnly(scene);
  const orders = itemsOf(line, scene);
  const items = orders[0]!;
  const unordered: Reading[] = [];
  let reached = -1;
  let alone: string | undefined;
  const reach = (at: number): void => void (reached = Math.max(reached, at));
  const kind = kindGiven(line, scene);
  const implied = new Set([...dueSeats(scene), scene.turn ?? undefined, undefined]);
  const payments = new Map<Item[], Map<string, Phrase[]>>();
  const phrasesOf = (order: Item[], move: Move): Phrase[] => {
    if (!move.bare) return [{ items: order, unsure: false }];
    const cached = payments.get(order) ?? new Map<string, Phrase[]>();
    payments.set(order, cached);
    let phrases = cached.get(move.kind);
    if (phrases === undefined) {
      const paid = paymentsOf(order, move, scene);
      alone ??= paid.alone;
      cached.set(move.kind, (phrases = paid.phrases));
    }
    return phrases;
  };
  const seats = actorsNamed(items, scene);
  for (const candidate of candidatesOf(scene, seats)) {
    const { seat, move } = candidate;
    if (kind !== null && move.kind !== kind) continue;
    for (const order of orders)
      for (const phrase of phrasesOf(order, move)) {
        const acting = actorsNamed(phrase.items, scene);
        for (const named of [true, false]) {
          if (named ? seat === undefined || !acting.has(seat) : !candidate.settle && !implied.has(seat)) continue;
          if (candidate.settle && !named && seat !== nextSeat(scene)) continue;
          for (const variant of variantsOf(move, scene.seats.map((player) => player.seat), scene.schemas?.[move.kind]))
            for (const match of matches(variant, { items: phrase.items, scene, seat, named, text: line.text, hasKind: kind !== null, reach }, hasNeeds(scene)))
              unordered.push(...readingsOf(match, variant, candidate, line, phrase, scene));
        }
      }
  }
  const readings = ordered(unordered, scene);
  const sound = readings.length > 0 || items.length === 0 ? source.length : soundTo(items, reached, source);
  return { readings: readings.slice(0, SHOWN), best: bestOf(readings), sound, closed: readings.length > 0 ? [] : closedBy(items, seats, scene), ...(alone !== undefined && readings.length === 0 && { alone }) };
}

/** Collect the seats possibly meant by the line's first seat item. */
function actorsNamed(items: Item[], scene: Scene): Set<string> {
  const seats = new Set<string>();
  for (const item of items) {
    if (item.kind === "over") break;
    for (const named of seatsOf(item, scene)) seats.add(named[0]!);
  }
  return seats;
}

function dueSeats(scene: Scene): string[] {
  return scene.moves.flatMap((seatMoves) => (seatMoves.seat !== undefined && seatMoves.moves.some((move) => move.rank === "due") ? [seatMoves.seat] : []));
}

/** Find the seat after the seat in turn. */
function nextSeat(scene: Scene): string | undefined {
  const at = scene.seats.findIndex((player) => player.seat === scene.turn);
  if (at === -1) return undefined;
  for (let step = 1; step < scene.seats.length; step++) {
    const seat = scene.seats[(at + step) % scene.seats.length]!.seat;
    // A seat without moves is out of the game.
    if (scene.moves.some((seatMoves) => seatMoves.seat === seat && seatMoves.moves.length > 0)) return seat;
  }
  return undefined;
}

/** Collect all open moves, and the throws that the service can reach by taking the timed steps first. */
function candidatesOf(scene: Scene, named: Set<string>): Candidate[] {
  const open = scene.moves.flatMap(({ seat, moves }) => moves.map((move) => ({ seat, move, settle: false })));
  const throwers = new Set(open.filter(({ move }) => throws(move)).map(({ seat }) => seat));
  if (scene.turn === null || throwers.has(scene.turn)) return open;
  for (const move of scene.throws ?? [])
    for (const { seat } of scene.seats)
      if (seat !== scene.turn && !throwers.has(seat) && (named.has(seat) || seat === nextSeat(scene)))
        open.push({ seat, move, settle: true });
  return open;
}

export function throws(move: Move): boolean {
  return move.rank === "due" && (move.draws ?? []).some((draw) => draw.kind === "die") && !move.choice;
}

/** Return the kind that the line gives without a verb. */
function kindGiven(line: Line, scene: Scene): string | null {
  if (line.recent !== null) return scene.recent?.[line.recent - 1] ?? "";
  return null;
}

function hasNeeds(scene: Scene): boolean {
  return Object.keys(scene.needs ?? {}).length > 0;
}

function readingsOf(match: Match, variant: Variant, candidate: Candidate, line: Line, { items, unsure }: Phrase, scene: Scene): Reading[] {
  const { seat, move, settle } = candidate;
  const { params, wants } = paramsOf(match, variant);
  const request: ActionRequest = { kind: move.kind, params, ...(seat !== undefined && { seat }), ...(settle && { settle: true }) };
  const reading: Reading = {
    key: "",
    seat,
    move,
    request,
    standing: "incomplete",
    wants,
    filled: match.filled.filter((part) => part.text !== ""),
    verb: match.verb,
    named: match.acted,
    due: move.rank === "due" && !settle,
  };
  const lacks = scene.needs?.[JSON.stringify(request)];
  if (wants.length === 0 && lacks) {
    const filled = fillNeeds(request, lacks, items.slice(match.needsFrom), scene);
    if (filled === null) return [];
    reading.request = filled.request;
    reading.wants = filled.wants;
    reading.filled = [...reading.filled, ...filled.filled];
  } else if (match.needsFrom < items.length) return [];
  if (line.waived !== null) reading.request = { ...reading.request, override: { reason: line.waived } };
  const standing = standingOf(match, reading, settle, line, items, scene);
  if (standing === null) return [];
  reading.standing = unsure && standing === "complete" ? "choose" : standing;
  // Two moves with the same action are one reading; their missing values may differ.
  reading.key = JSON.stringify([seat ?? "", reading.wants.length > 0 ? move.id : move.kind, reading.request.params, settle]);
  return [reading];
}

function paramsOf(match: Match, variant: Variant): { params: Record<string, unknown>; wants: Want[] } {
  const params: Record<string, unknown> = { ...variant.fixed };
  const wants: Want[] = [];
  const free = new Set(variant.slots.map((slot) => slot.parameter));
  for (const [name, value] of Object.entries(match.option?.params ?? {})) if (!free.has(name)) params[name] = value;
  for (const slot of variant.slots) {
    const value = match.values.get(slot);
    if (value !== undefined) {
      const count = Array.isArray(value) ? value.length : 1;
      if (slot.count !== undefined && count < slot.count) wants.push({ kind: slot.kind, word: slot.of, count });
      params[slot.parameter] = slot.kind === "cards" && !slot.list ? (value as string[])[0] : value;
      continue;
    }
    const example = match.option?.params?.[slot.parameter] ?? slot.example;
    // An optional value is filled from the example if the example is the only possible value; else the value must be
    // typed.
    if (!slot.required && (example === undefined || !["amount", "seat", "legs", "flag"].includes(slot.kind))) continue;
    if (!slot.required && (slot.kind === "flag" || (slot.maximum !== undefined && example === slot.maximum))) params[slot.parameter] = example;
    else wants.push({ kind: slot.kind === "choice" ? choiceKind(slot) : slot.kind, word: slot.parameter });
  }
  return { params, wants };
}

function choiceKind(slot: Slot): string {
  const labels = slot.options!.every((option) => typeof option.value === "string" && option.label.en === option.label.fr);
  return labels && (slot.parameter === "to" || slot.options!.every((option) => option.params === undefined && option.cost === undefined)) ? "choice" : "name";
}

/** Rule 4: rate the standing of a line without a verb. Null: no standing. */
function standingOf(match: Match, reading: Reading, settle: boolean, line: Line, items: Item[], scene: Scene): Reading["standing"] | null {
  const whole = reading.wants.length === 0;
  if (match.verb > 0) return whole ? "complete" : "incomplete";
  const { move } = reading;
  const onlySeats = line.text === null && items.every((item) => item.kind === "seats" || isNoise(item) || (item.kind === "word" && match.filled.every((part) => part.kind === "seat") && !match.picked));
  if (onlySeats) {
    if (!match.acted || match.filled.length > 0 || !reading.due) return null;
    const due = scene.moves.find((seatMoves) => seatMoves.seat === reading.seat)!.moves.filter((candidate) => candidate.rank === "due");
    return whole ? (due.length === 1 && !move.final ? "complete" : "choose") : "incomplete";
  }
  if (settle) {
    if (!match.filled.some((part) => part.kind === "dice")) return null;
    // Another reading of the same digits makes the throw a reading to choose.
    return whole ? "complete" : "incomplete";
  }
  // "64 for Ana" is a throw of Ana, or money for Ana.
  if (move.rank === "due") return !whole ? "incomplete" : match.received ? "choose" : "complete";
  if (move.bare && match.amounts.length > 0) {
    if (!whole) return "incomplete";
    // With two players the other seat needs no name; an amount alone is a slip more often than a payment.
    const toWhom = match.picked || match.filled.some((part) => part.kind === "seat");
    const isSaid = items.some((item) => item.part !== undefined);
    return !toWhom || (!isSaid && match.amounts.some((amount) => couldBeThrown(amount, scene))) ? "choose" : "complete";
  }
  const isNamed = match.picked || match.filled.some((part) => part.kind === "name" || part.kind === "text" || part.kind === "legs");
  return isNamed ? (whole ? "choose" : "incomplete") : null;
}

/** Tell if an amount has as many digits as a throw of the game, none above the sides. */
function couldBeThrown(amount: string, scene: Scene): boolean {
  const open = scene.moves.flatMap((seatMoves) => seatMoves.moves.filter(throws));
  return [...open, ...(scene.throws ?? [])].some((move) =>
    (move.draws ?? []).some((draw) => draw.kind === "die" && throwOf(amount, draw.count, draw.sides ?? 6)?.length === draw.count),
  );
}

function ordered(readings: Reading[], scene: Scene): Reading[] {
  const byKey = new Map<string, Reading>();
  for (const reading of readings) {
    const earlier = byKey.get(reading.key);
    if (!earlier || STANDINGS[reading.standing] < STANDINGS[earlier.standing] || reading.verb > earlier.verb) byKey.set(reading.key, reading);
  }
  let all = [...byKey.values()];
  // The first seat is the actor if the action does not need the seat as a parameter.
  const acted = new Set(all.filter((reading) => reading.named && reading.standing === "complete").map((reading) => reading.move.kind));
  all = all.filter((reading) => reading.named || !acted.has(reading.move.kind));
  // A throw after settled steps is only to choose if the digits may mean something else.
  const ambiguous = all.some((reading) => !reading.request.settle && reading.standing === "choose" && reading.move.bare);
  if (ambiguous) all = all.map((reading) => (reading.request.settle && reading.standing === "complete" ? { ...reading, standing: "choose" as const } : reading));
  if (all.some((reading) => reading.standing !== "incomplete" && !reading.request.settle && reading.due)) all = all.filter((reading) => !reading.request.settle);
  const recent = scene.recent ?? [];
  const lately = (reading: Reading): number => (recent.includes(reading.move.kind) ? recent.indexOf(reading.move.kind) : recent.length);
  return all
    .map((reading, at) => ({ reading, at }))
    .sort((a, b) => compare(tier(a.reading, scene), tier(b.reading, scene)) || lately(a.reading) - lately(b.reading) || a.at - b.at)
    .map(({ reading }) => reading);
}

function tier(reading: Reading, scene: Scene): number[] {
  const due = dueSeats(scene);
  // The first die of the due throw comes before an amount that nobody asked for.
  const begun = reading.standing === "incomplete" && reading.due && reading.filled.some((part) => part.kind === "dice");
  return [
    begun ? 0.5 : STANDINGS[reading.standing],
    -reading.verb,
    reading.seat !== undefined && due.includes(reading.seat) ? 0 : reading.seat === scene.turn ? 1 : 2,
    RANKS[reading.move.rank],
    reading.standing === "incomplete" ? reading.wants.length : 0,
  ];
}

function compare(a: number[], b: number[]): number {
  for (let at = 0; at < a.length; at++) if (a[at] !== b[at]) return a[at]! - b[at]!;
  return 0;
}

function bestOf(readings: Reading[]): Reading | null {
  const [first, second] = readings;
  if (first?.standing !== "complete") return null;
  if (second?.standing !== "complete") return first;
  const scene = { seats: [], moves: [], turn: null, names: [] };
  const [a, b] = [tier(first, scene), tier(second, scene)];
  const same = first.seat === second.seat ? compare(a, b) === 0 : first.verb === second.verb && a[3] === b[3];
  return same ? null : first;
}

function soundTo(items: Item[], reached: number, source: string): number {
  if (reached < 0) return items[0]!.from;
  return reached >= items.length ? source.length : items[reached]!.from;
}

/** Find the kinds that the line names and that no seat may do now. */
function closedBy(items: Item[], seats: Set<string>, scene: Scene): Resolution["closed"] {
  const words = items.filter((item) => item.kind === "word" && !isNoise(item)).flatMap((item) => wordsOf(item.norm));
  const seat = [...seats][0] ?? scene.turn ?? undefined;
  const open = new Set(scene.moves.flatMap((seatMoves) => (seatMoves.seat === undefined || seatMoves.seat === seat ? seatMoves.moves.map((move) => move.kind) : [])));
  return (scene.kinds ?? [])
    .filter(({ kind }) => !open.has(kind))
    .map((kind) => ({ kind, fit: Math.max(0, ...words.map((word) => verbFit(word, kind.verbs))) }))
    .filter(({ fit }) => fit >= 2)
    .sort((a, b) => b.fit - a.fit)
    .slice(0, 3)
    .map(({ kind }) => ({ kind, seat }));
}

/**
 * Read an empty line: the due moves, those of the seats first. If a single seat is awaited, or
 * the seat in turn has a single step to take, Enter performs the first of its moves, if complete and not final.
 */
function dueOnly(scene: Scene): Resolution {
  // A turn with nothing left but its end waits for the answers of the others.
  const isOver = (moves: readonly Move[]): boolean => {
    const due = moves.filter((move) => move.rank === "due");
    return due.length === 1 && due[0]!.confirm !== undefined && !throws(due[0]!);
  };
  const over = scene.moves.some(({ seat, moves }) => seat === scene.turn && isOver(moves));
  const of = (seat: string | undefined): number => (seat === undefined ? 2 : seat === scene.turn && !over ? 0 : seat === scene.turn ? 1.5 : 1);
  const due = scene.moves
    .flatMap(({ seat, moves }) => moves.filter((move) => move.rank === "due").map((move) => ({ seat, move, settle: false })))
    .sort((a, b) => of(a.seat) - of(b.seat));
  const line = lex("");
  const all = due.flatMap((candidate) => {
    const variant = variantsOf(candidate.move, scene.seats.map((player) => player.seat))[0]!;
    const match: Match = { values: new Map(), option: null, verb: 3, filled: [], acted: false, picked: false, needsFrom: 0, amounts: [], light: false, label: { words: 0, begun: false }, subject: false, received: false };
    return readingsOf(match, variant, candidate, line, { items: [], unsure: false }, scene);
  });
  const readings = [...new Map(all.map((reading) => [reading.key, reading])).values()];
  // Optional moves of the banker, such as letting the clock run, do not keep Enter from the only step of a seat.
  const steps = due.some((step) => step.seat !== undefined) ? due.filter((step) => step.seat !== undefined) : due;
  const seats = steps.map((step) => step.seat);
  // The only step of the turn comes before answers of the other seats to offers.
  const leads = new Set(seats).size === 1 || (!over && scene.turn !== null && seats.filter((seat) => seat === scene.turn).length === 1);
  const only = leads && readings[0]?.standing === "complete" && !readings[0].move.final;
  return {
    readings: readings.map((reading, at) => (reading.standing === "complete" && !(only && at === 0) ? { ...reading, standing: "choose" as const } : reading)).slice(0, SHOWN),
    best: only ? readings[0]! : null,
    sound: 0,
    closed: [],
  };
}

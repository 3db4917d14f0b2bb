// Lines to show: examples that work now, and the right line nearest to a line with a slip. Pure.
import type { Move } from "../../api/types";
import type { Part } from "./legs";
import { lex, plain, wordsOf, type Piece } from "./lexer";
import { calls } from "./naming";
import { resolve } from "./resolve";
import type { Scene } from "./scene";
import { variantsOf, type Slot, type Variant } from "./slots";
import { GETTING, PARTS, PAYING } from "./words";

const EXAMPLES = 3;
const RANKS = { due: 0, usual: 1, rare: 2 };
/** Words before the amount, the receiver and a name, in the order of the language. */
const TO = { en: "to", fr: "à" };
const PAID = [30, 20, 10, 5, 2, 1];

/** Return up to three lines that Enter would take now, each of another kind. Each has a single meaning. */
export function examples(scene: Scene): string[] {
  const lines: string[] = [];
  const kinds = new Set<string>();
  for (const { seat, move } of offered(scene)) {
    if (lines.length === EXAMPLES) break;
    if (kinds.has(move.kind)) continue;
    const line = exampleOf(seat, move, scene);
    if (line === null) continue;
    kinds.add(move.kind);
    lines.push(line);
  }
  return lines;
}

/** Return the moves of the seats: due before usual, the seat in turn before the others. */
function offered(scene: Scene): { seat: string; move: Move }[] {
  return scene.moves
    .flatMap(({ seat, moves }) => (seat === undefined ? [] : moves.map((move) => ({ seat, move }))))
    .filter(({ move }) => !move.final)
    .sort((a, b) => order(a, scene) - order(b, scene));
}

function order({ seat, move }: { seat: string; move: Move }, scene: Scene): number {
  return RANKS[move.rank] * 4 + (move.bare ? 0 : 2) + (seat === scene.turn ? 0 : 1);
}

/** Write a line for a move, first without its seat; null if no such line has exactly this meaning. */
function exampleOf(seat: string, move: Move, scene: Scene): string | null {
  const language = scene.language ?? "en";
  const variant = variantsOf(move, scene.seats.map((player) => player.seat), scene.schemas?.[move.kind])[0]!;
  const verb = move.verbs[language][0];
  const name = scene.seats.find((player) => player.seat === seat)?.name ?? seat;
  if (verb === undefined) return null;
  for (const quotes of [false, true]) {
    const open = valuesOf(variant, seat, scene, quotes);
    if (open === null) return null;
    const values = [...fixedNames(variant, scene, quotes), ...open];
    const actor = quotes ? `"${name}"` : name;
    const acting = [`${actor} ${acted(verb, language)}`, `${actor} ${verb}`];
    // A payment names both: who pays whom.
    for (const start of move.bare ? acting : [verb, ...acting]) {
      const line = [start, ...values].join(" ");
      if (means(line, seat, move, scene)) return line;
    }
  }
  return null;
}

/** Write a verb with its subject: "pays", "passes", "paye", "enchérit", "vend". */
function acted(verb: string, language: "en" | "fr"): string {
  if (language === "en") return `${verb}${/(s|x|ch|sh)$/.test(verb) ? "es" : "s"}`;
  return verb.replace(/(e|i)?(?:r|re)$/, (_, vowel?: string) => (vowel === "i" ? "it" : (vowel ?? "")));
}

function means(line: string, seat: string, move: Move, scene: Scene): boolean {
  const { best, readings } = resolve(line, scene);
  return best !== null && best.seat === seat && best.move.kind === move.kind && readings.length === 1;
}

/** Return the words for the open parameters; null if one of them has no short words. */
function valuesOf(variant: Variant, seat: string, scene: Scene, quotes: boolean): string[] | null {
  const sides = sidesOf(variant, scene, quotes);
  if (sides !== null) return sides;
  const values: string[] = [];
  // The amount stands before its receiver: "pay 30 to Ana".
  const slots = [...variant.slots].sort((a, b) => Number(isReceiver(a, scene)) - Number(isReceiver(b, scene)));
  for (const slot of slots) {
    if (!slot.required) continue;
    const value = valueOf(slot, variant.move, seat, scene, quotes);
    if (value === null) return null;
    values.push(value);
  }
  return values;
}

/** Return the names of the things that the move is about: "buy MP7 Studio". */
function fixedNames({ fixed }: Variant, scene: Scene, quotes: boolean): string[] {
  return Object.entries(fixed).flatMap(([parameter, value]) => {
    const name = calls(scene.names, parameter, value)[1];
    return name === undefined ? [] : [quotes || /^\d/.test(name) ? `"${name}"` : name];
  });
}

/** Write the two sides of an example trade: "100 > Ana Tower"; null for a move without sides. */
function sidesOf({ slots }: Variant, scene: Scene, quotes: boolean): string[] | null {
  const legs = slots.filter((slot) => slot.kind === "legs");
  const to = slots.find((slot) => slot.kind === "seat")?.example;
  const partner = scene.seats.find((player) => player.seat === to);
  const [give, ask] = ["give", "ask"].map((side) => (legs.find((slot) => slot.parameter === side)?.example as Part[] | undefined)?.[0]);
  if (!give || !ask || !partner) return null;
  return [partOf(give, scene, quotes), ">", quotes ? `"${partner.name}"` : partner.name, partOf(ask, scene, quotes)];
}

function partOf({ amount, commodity }: Part, scene: Scene, quotes: boolean): string {
  const facts = scene.names.find((names) => names.commodities[commodity])?.commodities[commodity];
  if (facts === undefined || facts.class === "money") return String(amount);
  const name = quotes ? `"${facts.name}"` : facts.name;
  return amount === 1 ? name : `${amount} ${name}`;
}

function isReceiver(slot: Slot, scene: Scene): boolean {
  return slot.kind === "seat" || slot.kind === "seats" || scene.seats.some((player) => player.seat === slot.options?.[0]?.value);
}

function valueOf(slot: Slot, move: Move, seat: string, scene: Scene, quotes: boolean): string | null {
  const language = scene.language ?? "en";
  const quoted = (name: string): string => (quotes || /^\d/.test(name) ? `"${name}"` : name);
  if (slot.kind === "dice") return Array.from({ length: slot.count! }, (_, at) => Math.max(1, Math.min(slot.sides!, 5) - 2 * at)).join(" ");
  if (slot.kind === "amount") return amountOf(slot, move);
  if (isReceiver(slot, scene)) {
    const others = slot.options?.map((option) => option.value) ?? scene.seats.map((player) => player.seat);
    const to = scene.seats.find((player) => player.seat !== seat && others.includes(player.seat));
    return to ? `${slot.kind === "seats" ? "" : `${TO[language]} `}${quoted(to.name)}` : null;
  }
  const [option] = slot.kind === "choice" ? slot.options! : [];
  return option ? quoted(option.label[language]) : null;
}

function amountOf(slot: Slot, move: Move): string | null {
  const { minimum = 1, maximum = Infinity } = move.free[slot.parameter] ?? {};
  const usual = move.bare ? PAID.find((amount) => amount >= minimum && amount <= maximum) : undefined;
  const amount = usual ?? slot.example;
  return typeof amount === "number" ? String(amount) : null;
}

/** Find the right line nearest to a line without a meaning: slips of the keys in verbs and names; null if none is near. */
export function nearest(text: string, scene: Scene): string | null {
  if (text.trim() === "" || resolve(text, scene).readings.length > 0) return null;
  const words = wordsInUse(scene);
  const pieces = lex(text).pieces.filter((piece) => piece.kind === "word" && /^\p{L}{2,}$/u.test(piece.norm));
  const slips = pieces.map((piece) => ({ piece, words: nearTo(piece.norm, words) })).filter(({ words: near }) => near.length > 0);
  for (const first of slips) {
    for (const word of first.words) {
      const line = replaced(text, first.piece, word);
      if (isRight(line, scene)) return line;
    }
  }
  for (const [at, first] of slips.entries())
    for (const second of slips.slice(at + 1))
      for (const word of first.words.slice(0, 2))
        for (const correction of second.words.slice(0, 2)) {
          // The later word first: the places of the earlier word stay.
          const line = replaced(replaced(text, second.piece, correction), first.piece, word);
          if (isRight(line, scene)) return line;
        }
  return ofSameVerb(pieces, scene);
}

function isRight(line: string, scene: Scene): boolean {
  return resolve(line, scene).best !== null;
}

function replaced(text: string, piece: Piece, word: string): string {
  return `${text.slice(0, piece.from)}${word}${text.slice(piece.to)}`;
}

/** Return the example of a move that the line names, if the rest of the line makes no sense. */
function ofSameVerb(pieces: Piece[], scene: Scene): string | null {
  const typed = new Set(pieces.map((piece) => piece.norm));
  for (const { seat, move } of offered(scene)) {
    const verbs = formsOf(move).flatMap((verb) => wordsOf(verb));
    const line = verbs.some((verb) => typed.has(verb) || nearTo(verb, [...typed]).length > 0) ? exampleOf(seat, move, scene) : null;
    if (line !== null) return line;
  }
  return null;
}

/** Return the verbs of a move as typed: "pay", "pays", "payer", "paye". */
function formsOf(move: Move): string[] {
  return [...move.verbs.en.flatMap((verb) => [verb, acted(verb, "en")]), ...move.verbs.fr.flatMap((verb) => [verb, acted(verb, "fr")])];
}

/** Collect the verbs, seats and names in use, as people write them. */
function wordsInUse(scene: Scene): string[] {
  const moves = scene.moves.flatMap((seatMoves) => seatMoves.moves);
  const options = moves.flatMap((move) => move.choice?.options ?? []).flatMap((option) => [option.label.en, option.label.fr]);
  const names = [...scene.seats.map((player) => player.name), ...options].flatMap((name) => name.match(/\p{L}{3,}/gu) ?? []);
  const paying = moves.some((move) => move.bare) ? [...PAYING, ...GETTING, ...Object.keys(PARTS)].filter((word) => word.length > 3) : [];
  return [...new Set([...names, ...moves.flatMap(formsOf), ...paying])];
}

/** Return the words within one slip, two in a long word, the nearest first. */
function nearTo(typed: string, words: string[]): string[] {
  const limit = typed.length < 3 ? 0 : typed.length < 6 ? 1 : 2;
  return words
    .map((word) => ({ word, far: distance(typed, plain(word), limit) }))
    .filter(({ far }) => far > 0 && far <= limit)
    .sort((a, b) => a.far - b.far)
    .slice(0, 3)
    .map(({ word }) => word);
}

/** Count the slips between two words: a letter left out, added, changed, or two letters in the wrong order. */
function distance(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) > limit) return limit + 1;
  let earlier: number[] = [];
  let previous = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const changed = previous[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1);
      row[j] = Math.min(previous[j]! + 1, row[j - 1]! + 1, changed);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) row[j] = Math.min(row[j]!, earlier[j - 2]! + 1);
    }
    [earlier, previous] = [previous, row];
  }
  return previous[b.length]!;
}

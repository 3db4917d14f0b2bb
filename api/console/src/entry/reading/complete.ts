// Completions of the last word of the line: verbs, seats and names in open moves. Pure.
import { lex, plain, wordsOf } from "./lexer";
import { resolve } from "./resolve";
import type { Reading, Scene } from "./scene";

const SHOWN = 8;

export interface Completion {
  /** The replacement of the word. */
  text: string;
  /** The start of the word in the line. */
  from: number;
}

/**
 * Return at most eight completions of the word before the end of the line; for an empty word, of the next missing
 * value.
 */
export function completions(line: string, scene: Scene): Completion[] {
  if (line.trim() === "" || /^\s*[/#]/.test(line)) return [];
  const word = /[^\s+>]*$/.exec(line)![0];
  const from = line.length - word.length;
  const start = line.slice(0, from);
  if (word !== "" && !/^[\p{L}"]/u.test(word)) return [];
  const typed = plain(word.replace(/^"/, ""));
  const readings = resolve(start.trim() === "" ? "" : start, scene).readings;
  const names = [...readings.flatMap((reading) => optionNames(reading, scene)), ...(word === "" ? [] : verbsAndSeats(start, scene))];
  const matches = new Set<string>();
  for (const name of names) {
    if (matches.size >= SHOWN) break;
    if (typed === "" || plain(name).startsWith(typed) || wordsOf(name).some((part) => part.startsWith(typed))) matches.add(name);
  }
  return [...matches].map((text) => ({ text: needsQuotes(text) ? `"${text}"` : text, from }));
}

/** Return the options of a choice that a reading still needs. */
function optionNames(reading: Reading, scene: Scene): string[] {
  const { choice } = reading.move;
  if (!choice || !reading.wants.some((want) => want.word === choice.parameter)) return [];
  return choice.options.map((option) => option.label[scene.language ?? "en"]);
}

function verbsAndSeats(start: string, scene: Scene): string[] {
  const language = scene.language ?? "en";
  const actor = lex(start).pieces.length > 0;
  const ranks = { due: 0, usual: 1, rare: 2 };
  const moves = scene.moves
    .filter((seatMoves) => actor || seatMoves.seat === scene.turn || seatMoves.moves.some((move) => move.rank === "due"))
    .flatMap((seatMoves) => seatMoves.moves)
    .sort((a, b) => ranks[a.rank] - ranks[b.rank] || (a.group?.order ?? 0) - (b.group?.order ?? 0));
  return [...moves.flatMap((move) => move.verbs[language].slice(0, 1)), ...scene.seats.map((seat) => seat.name)];
}

/** Tell if a name needs quotation marks to be read as a name: digits, an apostrophe at its beginning. */
function needsQuotes(name: string): boolean {
  return /[+>!"#?]|^\d|^'/.test(name);
}

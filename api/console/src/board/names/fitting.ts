// The size and the lines of the names on a board: one size for nearly all, smaller or shorter for the others. A name is cut
// only if none of its forms has room, and so that it differs from the others.
import { DEPTHS, lettersOf, lineOf, partsOf, type Depth } from "./breaks";

/** A text with its room in pixels, and shorter forms of it. */
export interface Words {
  name: string;
  short?: string | undefined;
  /** Further forms, each shorter than the one before. */
  forms?: readonly string[] | undefined;
  width: number;
  height: number;
}
export interface Fitted {
  /** The lines, with "\n" between them. */
  text: string;
  /** In pixels. */
  size: number;
  /** The height of a line, in sizes. */
  line: number;
  /** True if it is the name as the board has it. */
  whole: boolean;
}
/** The width of a text in letters of one pixel. */
export type Measure = (text: string) => number;

const LINES = 5;
/** The share of the common size down to which a name shrinks before it is broken or shortened further. */
const LEAST = 0.86;
/** The share of the names that fit in the common size. */
const MOST_FIT = 0.9;
/** The number of letters that a cut name keeps. */
const KEPT = 3;

/** Break a text into lines for a room at a size; null if it has no room. */
export function linesIn(text: string, size: number, { width, height }: Pick<Words, "width" | "height">, measure: Measure, depth: Depth = "words"): string[] | null {
  const lines: string[] = [];
  const [wide, most] = [width / size, Math.min(LINES, Math.floor(height / (size * lineOf(text)) + 0.001))];
  let [line, end] = ["", ""];
  for (const part of partsOf(text, depth)) {
    if (line !== "" && measure((line + part.text).trimEnd() + part.end) > wide) {
      lines.push(line.trimEnd() + end);
      line = "";
    }
    line += part.text;
    end = part.end;
    if (lines.length >= most || measure(line.trimEnd() + end) > wide) return null;
  }
  return [...lines, line.trimEnd()];
}

export function fits(text: string, size: number, words: Words, measure: Measure): boolean {
  return linesIn(text, size, words, measure, "compounds") !== null;
}

/** Find the size in which nine of ten names fit, between bounds in pixels; `all` gives the rooms of the names at a size. */
export function commonSize(all: (size: number) => readonly Words[], measure: Measure, least: number, most: number): number {
  for (let size = most; size > least; size -= 0.25) {
    const rooms = all(size);
    if (rooms.filter((words) => fits(words.name, size, words, measure)).length >= rooms.length * MOST_FIT) return size;
  }
  return least;
}

/**
 * Fit a name at about the common size, and not below `floor`: the whole name, broken at words, then in compounds; its short
 * form; the whole name broken between syllables; shorter forms. Null if none has room.
 */
export function fitted(words: Words, common: number, measure: Measure, floor = 0): Fitted | null {
  const { name, short = name, forms = [] } = words;
  const least = Math.min(common, Math.max(common * LEAST, floor));
  const [brief, ...briefer] = forms;
  const tries: [string, Depth][] = [[name, "words"], [name, "compounds"], [short, "words"]];
  if (brief !== undefined) tries.push([brief, "compounds"]);
  tries.push([name, "syllables"]);
  for (const form of [brief ?? name, ...briefer, short]) tries.push(...DEPTHS.map((depth): [string, Depth] => [form, depth]));
  for (const [text, depth] of tries)
    for (let size = common; size >= least; size -= 0.25) {
      const lines = linesIn(text, size, words, measure, depth);
      if (lines) return { text: lines.join("\n"), size, line: lineOf(text), whole: text === name };
    }
  return null;
}

/** Cut a name so that it fills its room: its beginning in as many lines as there are; null for fewer letters than make a word. */
export function cut(words: Words, size: number, measure: Measure): Fitted | null {
  const form = (words.forms?.at(-1) ?? words.short ?? words.name).replace(/\.$/u, "");
  const line = lineOf(form);
  const rows = Math.min(LINES, Math.floor(words.height / (size * line) + 0.001));
  const wide = words.width / size;
  const letters = lettersOf(form);
  const lines: string[] = [];
  let used = 0;
  while (lines.length < rows && used < letters.length) {
    const last = lines.length === rows - 1;
    const room = (text: string): boolean => measure(text.trimEnd()) <= wide;
    let count = 0;
    while (used + count < letters.length && room(letters.slice(used, used + count + 1).join("") + (last && used + count + 1 < letters.length ? "…" : ""))) count++;
    if (count === 0) {
      if (lines.length > 0) lines.push("");
      break;
    }
    lines.push(letters.slice(used, used + count).join("").trim());
    used += count;
  }
  if (used < letters.length) lines.push(`${lines.pop() ?? ""}…`);
  return used >= Math.min(KEPT, letters.length) ? { text: lines.join("\n"), size, line, whole: false } : null;
}

/** Return the words of names that were cut to the same text, each without the beginning that all of them share. */
export function apart(same: readonly Words[]): Words[] {
  const letters = same.map(({ name, forms }) => lettersOf(forms?.at(-1) ?? name));
  let shared = 0;
  while (letters.every((of) => of[shared] !== undefined && of[shared] === letters[0]![shared])) shared++;
  return same.map((words, at) => ({ ...words, forms: [`…${letters[at]!.slice(shared).join("")}`] }));
}

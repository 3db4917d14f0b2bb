// The size of the names on a board: one size for nearly all, smaller or shorter for the others, and none is ever cut.

/** A text with its room in pixels. */
export interface Words {
  name: string;
  short?: string | undefined;
  width: number;
  height: number;
}
export interface Fitted {
  text: string;
  /** In pixels. */
  size: number;
}
/** The width of a text in letters of one pixel. */
export type Measure = (text: string) => number;

const LINE = 1.1;
const LINES = 3;
/** The share of the common size down to which a name shrinks before its short form is taken. */
const LEAST = 0.86;
/** The share of the names that fit in the common size. */
const MOST_FIT = 0.9;

/** Break a text at spaces and hyphens into lines of a width, in letters of one pixel. */
function linesIn(text: string, width: number, measure: Measure): { count: number; widest: number } {
  let [count, line, widest] = [1, "", 0];
  for (const word of text.split(/(?<=[ \u00ad-])/)) {
    widest = Math.max(widest, measure(word.trimEnd()));
    if (line !== "" && measure((line + word).trimEnd()) > width) [count, line] = [count + 1, word];
    else line += word;
  }
  return { count, widest };
}

export function fits(text: string, size: number, { width, height }: Words, measure: Measure): boolean {
  const { count, widest } = linesIn(text, width / size, measure);
  return count <= LINES && count * size * LINE <= height && widest * size <= width;
}

/** Find the size in which nine of ten names fit, between bounds in pixels; `all` gives the rooms of the names at a size. */
export function commonSize(all: (size: number) => readonly Words[], measure: Measure, least: number, most: number): number {
  for (let size = most; size > least; size -= 0.25) {
    const rooms = all(size);
    if (rooms.filter((words) => fits(words.name, size, words, measure)).length >= rooms.length * MOST_FIT) return size;
  }
  return least;
}

/** Fit a name at about the common size, and not below `floor`: the whole name, else its short form. Null if neither has room. */
export function fitted(words: Words, common: number, measure: Measure, floor = 0): Fitted | null {
  const least = Math.min(common, Math.max(common * LEAST, floor));
  for (const text of words.short && words.short !== words.name ? [words.name, words.short] : [words.name])
    for (let size = common; size >= least; size -= 0.25) if (fits(text, size, words, measure)) return { text, size };
  // A word too long for its square breaks once, before the name is left to the card of the square.
  const broken = (words.short ?? words.name).replace(/\S{8,}/gu, (word) => `${word.slice(0, Math.ceil(word.length / 2))}\u00ad${word.slice(Math.ceil(word.length / 2))}`);
  return fits(broken, least, words, measure) ? { text: broken, size: least } : null;
}

// Where a name may break: at spaces, between the words of scripts without spaces, in compounds, and between syllables.

/** A part of a name. If a line ends after it, `end` is added: a hyphen within a word. */
export interface Part {
  text: string;
  end: "" | "-";
}
/** How far into words a name may break: at words alone, in compounds, between syllables too. */
export const DEPTHS = ["words", "compounds", "syllables"] as const;
export type Depth = (typeof DEPTHS)[number];

/** Scripts written without spaces. Each sign of the first may end a line. */
const SIGNS = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;
const UNSPACED = /[\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;
/** Scripts with signs above and below the letters. */
const TALL = /[\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Tamil}\p{Script=Telugu}\p{Script=Arabic}]/u;
const SYLLABIC = /^[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}\p{M}'’.,]+$/u;

/** The last parts of place names that are one word with what precedes. */
const ENDS =
  /^(\p{L}{3,}?)(stra(?:ß|ss)e|str\.|straat|allee|platz|plein|gasse|gatan?|gade|markt|br(?:ü|ue)cke|damm|ufer|bahnhof|hof|berg|burg|park|garten|ring|stieg|graben|kirche|insel|feld|stadt|haus|werke?|chaussee|promenade|weg|torget|torg|vej|tor)$/iu;
const VOWELS = /[aeiouyäöüáéíóúàèìòùâêîôûãõåæøœëïýąęěůűőаеёиоуыэюяіїєαεηιουωάέήίόύώ]/i;
/** Consonants that stay together. */
const TOGETHER = /(?:sch|ch|ck|ph|th|qu|gn|[bcdfgkptv][lr]|[бвгдкпт][рл])$/i;

const segmenters = new Map<string, Intl.Segmenter>();
function segments(text: string, granularity: "grapheme" | "word"): string[] {
  const segmenter = segmenters.get(granularity) ?? new Intl.Segmenter(undefined, { granularity });
  segmenters.set(granularity, segmenter);
  return [...segmenter.segment(text)].map(({ segment }) => segment);
}

/** Return the letters of a text, each with its signs. */
export function lettersOf(text: string): string[] {
  return segments(text, "grapheme");
}

/** The height of a line, in sizes of the text. */
export function lineOf(text: string): number {
  return TALL.test(text) ? 1.4 : SIGNS.test(text) ? 1.15 : 1.1;
}

/** Divide a name into parts between which a line may end. The parts together are the name. */
export function partsOf(name: string, depth: Depth): Part[] {
  return name.split(/(?<=[\s\u00ad/–-])(?=.)/u).flatMap((word) => partsOfWord(word, depth));
}

function partsOfWord(word: string, depth: Depth): Part[] {
  if (word.endsWith("\u00ad")) return [{ text: word.slice(0, -1), end: "-" }];
  if (SIGNS.test(word)) return open(segments(word, depth === "words" ? "word" : "grapheme"));
  if (UNSPACED.test(word)) return open(segments(word, "word"));
  const bare = word.trimEnd();
  if (depth === "words" || !SYLLABIC.test(bare)) return [{ text: word, end: "" }];
  const [, first, last] = ENDS.exec(bare) ?? [];
  const pieces = first && last ? [first, last] : [bare];
  const broken = depth === "compounds" ? pieces : pieces.flatMap(syllables);
  return broken.map((text, at) => (at === broken.length - 1 ? { text: text + word.slice(bare.length), end: "" } : { text, end: "-" }));
}

/** Keep signs that close with what they close, and signs that open with what follows. */
function open(pieces: string[]): Part[] {
  const parts: Part[] = [];
  for (const text of pieces) {
    const last = parts.at(-1);
    if (last && (/^[\p{Pe}\p{Pf}\p{Po}\p{M}\s]/u.test(text) || /[\p{Ps}\p{Pi}]$/u.test(last.text))) last.text += text;
    else parts.push({ text, end: "" });
  }
  return parts;
}

/** Divide a word before the consonants with which a syllable begins; no piece is shorter than two letters. */
function syllables(word: string): string[] {
  const breaks: number[] = [];
  let vowel = -1;
  for (let at = 0; at < word.length; at++) {
    if (!VOWELS.test(word[at]!)) continue;
    const consonants = word.slice(vowel + 1, at);
    if (vowel >= 0 && consonants !== "" && !/[ьъй']$/i.test(consonants)) breaks.push(at - (TOGETHER.exec(consonants)?.[0].length ?? 1));
    vowel = at;
  }
  const places = breaks.filter((at, index) => at >= 2 && word.length - at >= 3 && at - (breaks[index - 1] ?? 0) >= 2);
  return [0, ...places].map((from, index) => word.slice(from, places[index]));
}

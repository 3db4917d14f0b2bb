// Shorter forms of the names of a board: what several names have in common is shortened or left out, and what differs
// stays. Pure: equal names give equal forms.
import { lettersOf } from "./breaks";

/** The number of letters that a form keeps. */
const LEAST = 3;

/** The shorter forms of a name, the longest first; no two names of a board share a form. */
export type Forms = ReadonlyMap<string, readonly string[]>;

/** Return the shorter forms of each name. */
export function formsOf(names: readonly string[]): Forms {
  const all = [...new Set(names)];
  const words = all.map((name) => name.split(/\s+/));
  const firsts = counted(words.flatMap((of) => (of.length > 1 ? [of[0]!] : [])));
  const lasts = counted(words.flatMap((of) => (of.length > 1 ? [of.at(-1)!] : [])));
  const endings = counted(words.flatMap((of) => ending(of.at(-1)!) ?? []));
  const shortened = words.map((of) =>
    of
      .map((word, at) => {
        if (of.length > 1 && ((at === 0 && firsts.get(key(word))! > 1) || (at === of.length - 1 && lasts.get(key(word))! > 1))) return brief(word);
        const end = at === of.length - 1 ? ending(word) : undefined;
        return end !== undefined && endings.get(key(end))! > 1 ? word.slice(0, -end.length) + brief(end) : word;
      })
      .join(" "),
  );
  const starts = counted(words.flatMap((of) => of.slice(0, -1).map((_, at) => of.slice(0, at + 1).join(" "))));
  const tails = counted(words.flatMap((of) => of.slice(1).map((_, at) => of.slice(at + 1).join(" "))));
  const bare = words.map((of) => without(of, starts, tails));
  return new Map(all.map((name, at) => [name, [...new Set([unique(shortened, at), unique(bare, at)])].filter((form) => form !== undefined && form !== name) as string[]]));
}

const key = (word: string): string => word.toLocaleLowerCase();

function counted(words: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const word of words) counts.set(key(word), (counts.get(key(word)) ?? 0) + 1);
  return counts;
}

function unique(forms: readonly string[], at: number): string | undefined {
  return forms.some((form, index) => index !== at && form === forms[at]) ? undefined : forms[at];
}

/** The ending of a compound that streets and squares have in many languages. */
function ending(word: string): string | undefined {
  return /^\p{L}{3,}?(stra(?:ß|ss)e|straat|allee|platz|plein|gasse|gatan|chaussee)$/iu.exec(word)?.[1];
}

/** Shorten a word to its beginning with a dot: "straße" to "str.", "улица" to "ул.", "Boulevard" to "Boul.". */
function brief(word: string): string {
  const bare = word.replace(/[.,]$/u, "");
  const short = /^(?:[^aeiouyаеёиоуыэюяäöüéèâêî]{2,}|[^aeiouyаеёиоуыэюяäöüéèâêî]?[aeiouyаеёиоуыэюяäöüéèâêî]+[^aeiouyаеёиоуыэюяäöüéèâêî]+)/iu.exec(bare)?.[0];
  return short && /^[\p{Script=Latin}\p{Script=Cyrillic}]+$/u.test(short) && short.length < bare.length - 1 ? `${short}.` : word;
}

/** Leave out the words at the beginning, and else at the end, that a further name has too. */
function without(words: readonly string[], starts: ReadonlyMap<string, number>, tails: ReadonlyMap<string, number>): string {
  const enough = (form: string): boolean => lettersOf(form.replace(/[^\p{L}\p{M}]/gu, "")).length >= LEAST;
  for (let from = words.length - 1; from > 0; from--) {
    const remainder = words.slice(from).join(" ");
    if (starts.get(key(words.slice(0, from).join(" ")))! > 1 && enough(remainder)) return remainder;
  }
  for (let to = 1; to < words.length; to++) {
    const remainder = words.slice(0, to).join(" ");
    if (tails.get(key(words.slice(to).join(" ")))! > 1 && enough(remainder)) return remainder;
  }
  return words.join(" ");
}

// The sentence of a recorded line with its values as blanks. Pure.
import type { Part } from "../docket/sentence";

/** More words between two blanks, or after the last, tell of a result. */
const FEW_WORDS = 3;

/**
 * Cut a recorded sentence at its values. `values` has the text of each parameter; `tells` finds results in a text: they
 * would be wrong with other values. A result at the end is left out. Returns null for a result before a blank, and for a
 * sentence without a value, or with one in several places.
 */
export function wordingOf(sentence: string, values: Record<string, string>, tells: (text: string) => boolean): Part[] | null {
  const isLong = (text: string): boolean => text.split(/[^\p{L}]+/u).filter(Boolean).length > FEW_WORDS;
  const blanks = Object.entries(values)
    .flatMap(([blank, text]) => placesOf(sentence, text).map((at) => ({ blank, at, end: at + text.length })))
    .sort((a, b) => a.at - b.at);
  if (blanks.length === 0 || new Set(blanks.map(({ blank }) => blank)).size < blanks.length) return null;
  const parts: Part[] = [];
  let end = 0;
  for (const { blank, at, end: next } of blanks) {
    const text = sentence.slice(end, at);
    if (at < end || tells(text) || (end > 0 && isLong(text))) return null;
    parts.push(...(text === "" ? [] : [{ text }]), { blank });
    end = next;
  }
  const tail = sentence.slice(end);
  return [...parts, { text: tells(tail) || isLong(tail) ? "." : tail }];
}

/** Find a text in a sentence, as whole words. */
function placesOf(sentence: string, text: string): number[] {
  if (text === "") return [];
  const exact = text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  return [...sentence.matchAll(new RegExp(`(?<![\\p{L}\\p{N}])${exact}(?![\\p{L}\\p{N}])`, "gu"))].map(({ index }) => index);
}

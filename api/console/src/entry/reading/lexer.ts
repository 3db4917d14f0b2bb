// A line of the entry, cut into pieces. Pure: knows the grammar, and nothing of a game.

import type { Part } from "./words";

export type Piece =
  | { kind: "number"; raw: string; norm: string; from: number; to: number; times: boolean }
  | { kind: "word"; raw: string; norm: string; from: number; to: number; quoted: boolean }
  | { kind: "ref"; raw: string; norm: string; from: number; to: number; action: string }
  | { kind: "plus" | "over"; raw: string; norm: string; from: number; to: number };

/** A piece, or seats split from their amount. */
export type Item = (Piece | { kind: "seats"; raw: string; norm: string; from: number; to: number; seats: string[] }) & {
  /** The part of a seat in a payment, by the word before it. */
  part?: Part;
};

export interface Line {
  kind: "empty" | "command" | "amend" | "move";
  /** The words of a command, without the slash. */
  command: string[];
  /** The target of an amendment: "57", "30.1"; null for the newest throw. */
  amended: string | null;
  /** ",3": the third of the last kinds. */
  recent: number | null;
  pieces: Piece[];
  /** The text after an apostrophe. */
  text: string | null;
  /** The text after "!": the reason to waive the refusing rule; "" without a reason. */
  waived: string | null;
  /** "?" at the end: only explain. */
  explains: boolean;
}

/** Remove accents and case; every character keeps its position if the text has no ligatures. */
export function plain(text: string): string {
  return text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase().replaceAll("œ", "oe").replaceAll("’", "'");
}

/** Split a name into words: "l'Étoile" is l and etoile. */
export function wordsOf(text: string): string[] {
  let words = cut.get(text);
  if (words === undefined) {
    words = (plain(text).match(/[\p{L}\p{N}]+/gu) ?? []).map((word) => word.replace(/^0+(?=\d)/, ""));
    if (cut.size > 5000) cut.clear();
    cut.set(text, words);
  }
  return words;
}
const cut = new Map<string, string[]>();

const SUM = /^\d+(?:[+\-*/]\d+)*k?(?![\p{L}\p{N}]|\.\p{N})/u;
// "1,200", and with the narrow spaces that this page writes itself.
const GROUPED = /^\d{1,3}(?:[,\u00a0\u202f]\d{3})+(?![\p{L}\p{N}]|\.\p{N})/u;
// Signs between words, signs of money at a number, and the end of a sentence.
const SKIPPED = /^(?:[,;:]|\.(?!\p{N})|!{2,}\s*$|\p{Sc}(?=\s?\p{N}|\s|$))/u;
const ARROW = /^(?:[-=]+>|[→⇒])/;
const THROW = /^\d+(?:\.\d+)+(?![\p{L}\p{N}])/u;
const TIMES = /^\d+x(?![\p{L}\p{N}])/iu;
const REF = /^#(\d+(?:\.\d+)?)/;
// "b120", "cb3*40": one or two letters and a sum; the resolver knows if the letters are seats.
const PAID = /^\p{L}{1,2}\d+(?:[+\-*/]\d+)*k?(?![\p{L}\p{N}.])/iu;
const WORD = /^(?:(?![-=]+>|[→⇒])[^\s+>!"#,;:])+/u;

/** Cut a line into pieces. Never throws. */
export function lex(source: string): Line {
  const line: Line = {
    kind: "move",
    command: [],
    amended: null,
    recent: null,
    pieces: [],
    text: null,
    waived: null,
    explains: false,
  };
  if (source.trim() === "") return { ...line, kind: "empty" };
  const command = /^\s*\/(.*)$/s.exec(source);
  if (command) return { ...line, kind: "command", command: command[1]!.trim().split(/\s+/).filter(Boolean) };

  let at = 0;
  const amend = /^\s*(?:#(\d+(?:\.\d+)?))?\s*=/.exec(source);
  if (amend) {
    line.kind = "amend";
    line.amended = amend[1] ?? null;
    at = amend[0].length;
  }
  const recent = /^\s*,(\d)/.exec(source.slice(at));
  if (recent) {
    line.recent = Number(recent[1]);
    at += recent[0].length;
  }
  while (at < source.length) {
    const tail = source.slice(at);
    const space = /^\s+/.exec(tail) ?? SKIPPED.exec(tail);
    if (space) {
      at += space[0].length;
      continue;
    }
    const starts = at === 0 || /[\s+>]/.test(source[at - 1]!);
    if (starts && (tail[0] === "'" || tail[0] === "’")) {
      line.text = tail.slice(1).trim();
      return line;
    }
    if (tail[0] === "!") {
      line.waived = tail.slice(1).trim();
      return line;
    }
    if (/^\?\s*$/.test(tail)) {
      line.explains = true;
      return line;
    }
    const piece = pieceAt(tail, at);
    line.pieces.push(piece);
    at = piece.to;
  }
  return line;
}

function pieceAt(tail: string, from: number): Piece {
  const of = (raw: string): { raw: string; norm: string; from: number; to: number } => ({
    raw,
    norm: plain(raw),
    from,
    to: from + raw.length,
  });
  if (tail[0] === "+") return { kind: "plus", ...of("+") };
  const arrow = ARROW.exec(tail);
  if (arrow) return { kind: "word", ...of(arrow[0]), norm: "→", quoted: false };
  if (tail[0] === ">") return { kind: "over", ...of(">") };
  const quoted = /^"([^"]*)"?/.exec(tail);
  if (quoted) return { kind: "word", ...of(quoted[0]), norm: plain(quoted[1]!), quoted: true };
  const ref = REF.exec(tail);
  if (ref) return { kind: "ref", ...of(ref[0]), action: ref[1]! };
  const times = TIMES.exec(tail);
  if (times) return { kind: "number", ...of(times[0]), norm: times[0].slice(0, -1), times: true };
  const grouped = GROUPED.exec(tail);
  if (grouped) return { kind: "number", ...of(grouped[0]), norm: grouped[0].replace(/\D/g, ""), times: false };
  const number = THROW.exec(tail) ?? SUM.exec(plain(tail.slice(0, 40)));
  if (number) return { kind: "number", ...of(tail.slice(0, number[0].length)), times: false };
  const word = PAID.exec(tail)?.[0] ?? WORD.exec(tail)?.[0] ?? tail[0]!;
  // A question mark at the end of the line belongs to the line; a full stop ends the word.
  const bare = word.replace(/[?.]+$/, "") || word;
  return { kind: "word", ...of(bare), quoted: false };
}

/** Compute a sum: terms of products, "k" for a thousand. Null if the result is no whole number, or too large. */
export function sumOf(text: string): number | null {
  const thousand = text.endsWith("k");
  const sum = thousand ? text.slice(0, -1) : text;
  if (!/^\d+([+\-*/]\d+)*$/.test(sum)) return null;
  let total = 0;
  for (const [, sign, term] of sum.matchAll(/(^|[+-])(\d+(?:[*/]\d+)*)/g)) {
    let value = 1;
    for (const [, by, factor] of term!.matchAll(/(^|[*/])(\d+)/g)) {
      if (by === "/") value /= Number(factor);
      else value *= Number(factor);
    }
    total += sign === "-" ? -value : value;
  }
  const whole = thousand ? total * 1000 : total;
  return Number.isSafeInteger(whole) && whole >= 0 ? whole : null;
}

/**
 * Read the digits of a throw: "53" is 5 and 3, "12.4" is 12 and 4, "12" with dice of 20 sides is 12. Null: not a throw.
 */
export function throwOf(text: string, count: number, sides: number): number[] | null {
  const dice = text.includes(".")
    ? text.split(".").map(Number)
    : /^\d+$/.test(text)
      ? sides > 9
        ? [Number(text)]
        : [...text].map(Number)
      : null;
  if (dice === null || dice.length > count || dice.some((die) => die < 1 || die > sides)) return null;
  return dice;
}

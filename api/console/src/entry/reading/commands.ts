// "/undo", "/go 57", "/go accounts": the commands of the line, in both languages. Pure.
import { nameFit } from "./naming";
import { plain, wordsOf } from "./lexer";
import type { SeatFacts } from "./scene";

export type Command =
  | { does: "undo" | "redo"; action?: number }
  | { does: "pause" | "cover" | "help" }
  | { does: "go"; line: string }
  | { does: "open"; page: string }
  | { does: "find"; words: string }
  | { does: "where" | "why"; seat: string }
  | { does: "unknown"; word: string };

const WORDS: Record<string, string[]> = {
  undo: ["undo", "annuler"],
  redo: ["redo", "refaire"],
  pause: ["pause", "resume", "reprendre"],
  go: ["go", "aller"],
  find: ["find", "chercher", "trouver"],
  where: ["where", "ou"],
  why: ["why", "pourquoi"],
  cover: ["cover", "couvrir"],
  help: ["help", "aide"],
};

/** Parse a command; the beginning of its word is enough if no other command begins alike. */
export function commandOf(words: readonly string[], seats: readonly SeatFacts[]): Command {
  const word = plain(words[0] ?? "");
  const operands = words.slice(1);
  const exact = Object.keys(WORDS).filter((name) => WORDS[name]!.includes(word));
  const begun = word === "" ? [] : Object.keys(WORDS).filter((name) => WORDS[name]!.some((form) => form.startsWith(word)));
  const does = exact[0] ?? (begun.length === 1 ? begun[0] : undefined);
  const unknown: Command = { does: "unknown", word: words[0] ?? "" };
  if (does === "undo" || does === "redo") {
    const action = /^#?(\d+)$/.exec(operands[0] ?? "");
    return action ? { does, action: Number(action[1]) } : { does };
  }
  if (does === "pause" || does === "cover" || does === "help") return { does };
  if (does === "go") {
    if (/^#?\d+(\.\d+)?$/.test(operands[0] ?? "")) return { does, line: operands[0]!.replace("#", "") };
    return operands[0] ? { does: "open", page: plain(operands[0]) } : unknown;
  }
  if (does === "find") return operands.length > 0 ? { does, words: operands.join(" ") } : unknown;
  if (does === "where" || does === "why") {
    const name = plain(operands[0] ?? "");
    const seat = seats.find((candidate) => plain(candidate.letter) === name || (name !== "" && nameFit(wordsOf(name), candidate.name) > 0));
    return seat ? { does, seat: seat.seat } : unknown;
  }
  return unknown;
}

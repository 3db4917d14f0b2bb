// What each word of a line is in a reading: a seat, the verb, a name, an amount. For marks below the words.
import { verbFit, seatsNamed } from "./naming";
import type { Line } from "./lexer";
import type { Reading, Scene } from "./scene";
import { isNoise } from "./words";

export interface Word {
  from: number;
  to: number;
  kind: "seat" | "verb" | "name" | "amount";
  /** The seat meant, or the name as the reading has it. */
  of?: string | undefined;
}

/** Tell the kinds of the words of a line in a reading. Words passed over have none. */
export function kindsOf(line: Line, reading: Reading, scene: Scene): Word[] {
  const seats = new Set([reading.seat, ...reading.filled.flatMap(({ kind, value }) => (kind === "seat" ? [value] : []))]);
  const names = reading.filled.filter(({ kind }) => kind === "name" || kind === "card");
  return line.pieces.flatMap((piece): Word[] => {
    const at = { from: piece.from, to: piece.to };
    if (piece.kind === "number") return [{ ...at, kind: "amount" }];
    if (piece.kind !== "word" || isNoise(piece)) return [];
    const seat = seatsNamed(piece.norm, scene.seats, scene.me).flat().find((named) => seats.has(named));
    if (seat !== undefined) return [{ ...at, kind: "seat", of: seat }];
    return [verbFit(piece.norm, reading.move.verbs) > 0 || names.length === 0 ? { ...at, kind: "verb" } : { ...at, kind: "name", of: names[0]!.text }];
  });
}

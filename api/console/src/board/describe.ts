// The description of a square in words: for screen readers, the list, and the square's card.
import type { Board, BoardPlace, Display, Names, Seat } from "../api/types";
import { amount, commodityName } from "../game/names";
import { boardTexts as t } from "./texts";

export interface SquareFacts {
  place: BoardPlace;
  group: string | null;
  owner: Seat | null;
  /** Pieces and marks, in words. */
  on: string[];
  here: Seat[];
}

export function describe(board: Board, display: Display, seats: readonly Seat[], names: Names | null, square: BoardPlace): SquareFacts {
  const lies = display.places[square.id];
  const seat = (id: string | undefined): Seat | null => seats.find((candidate) => candidate.seat === id) ?? null;
  const pieces = (lies?.pieces ?? []).map((piece) =>
    piece.commodity ? amount(names, piece.commodity, piece.amount) : t().hidden(String(piece.amount), veilName(names, piece.veil)),
  );
  const marks = (lies?.marks ?? []).map((mark) => board.marks.find((candidate) => candidate.id === mark)?.name ?? mark);
  return {
    place: square,
    group: board.groups.find((group) => group.id === square.group)?.name ?? null,
    owner: seat(lies?.owner),
    on: [...pieces, ...marks],
    here: seats.filter((player) => display.tokens.some((token) => token.place === square.id && token.seat === player.seat)),
  };
}

/** Describe a square: "Nuketown, rose, owned by Ana, 3 houses; here: Bruno". */
export function sentence(facts: SquareFacts): string {
  const parts = [facts.place.name, facts.group, facts.owner && t().ownedBy(facts.owner.name), ...facts.on].filter(Boolean);
  return parts.join(", ") + (facts.here.length > 0 ? `; ${t().here(facts.here.map((seat) => seat.name).join(", "))}` : "");
}

export function veilName(names: Names | null, veil: string | undefined): string {
  return veil ? (names?.groups[veil] ?? commodityName(names, veil)) : "?";
}

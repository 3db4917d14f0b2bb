// What a place says of itself in words: for screen readers, the list, and the place's card.
import type { Board, BoardPlace, Display, Names, Seat } from "../api/types";
import { amount, commodityName } from "../game/names";
import { boardTexts as t } from "./texts";

export interface Told {
  place: BoardPlace;
  group: string | null;
  owner: Seat | null;
  /** Pieces and marks, in words. */
  on: string[];
  here: Seat[];
}

export function tell(board: Board, display: Display, seats: readonly Seat[], names: Names | null, place: BoardPlace): Told {
  const lies = display.places[place.id];
  const seat = (id: string | undefined): Seat | null => seats.find((one) => one.seat === id) ?? null;
  const pieces = (lies?.pieces ?? []).map((piece) =>
    piece.commodity ? amount(names, piece.commodity, piece.amount) : t().hidden(String(piece.amount), veilName(names, piece.veil)),
  );
  const marks = (lies?.marks ?? []).map((mark) => board.marks.find((one) => one.id === mark)?.name ?? mark);
  return {
    place,
    group: board.groups.find((one) => one.id === place.group)?.name ?? null,
    owner: seat(lies?.owner),
    on: [...pieces, ...marks],
    here: seats.filter((one) => display.tokens.some((token) => token.place === place.id && token.seat === one.seat)),
  };
}

/** "Nuketown, rose, owned by Ana, 3 houses; here: Bruno". */
export function sentence(told: Told): string {
  const parts = [told.place.name, told.group, told.owner && t().ownedBy(told.owner.name), ...told.on].filter(Boolean);
  return parts.join(", ") + (told.here.length > 0 ? `; ${t().here(told.here.map((seat) => seat.name).join(", "))}` : "");
}

export function veilName(names: Names | null, veil: string | undefined): string {
  return veil ? (names?.groups[veil] ?? commodityName(names, veil)) : "?";
}

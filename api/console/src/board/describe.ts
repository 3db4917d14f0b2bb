// The description of a square in words: for screen readers, the drawing, the list, and the square's card.
import type { Board, BoardPlace, Display, Names, Seat } from "../api/types";
import { amount, commodityName, moneyOf } from "../game/names";
import { figure } from "../i18n/language.svelte";
import { boardTexts as t } from "./texts";

type Lies = Display["places"][string];

/** The figure of a square: its price, the rent of a stop now, or the word for a place without rent. */
export interface Figure {
  sort: "price" | "rent" | "mark";
  text: string;
  /** The figure without the sign of the money, for narrow squares. */
  brief: string;
  /** The field of the API: its path in the board or the display. */
  of: string;
  /** The figure with its word: "rent ₦90". */
  words: string;
}

export interface SquareFacts {
  place: BoardPlace;
  group: string | null;
  owner: Seat | null;
  /** The field of what lies there. */
  now: string;
  figure: Figure | null;
  /** Pieces and marks, in words. */
  on: string[];
  /** The seats with a token there, each with the words for the token: "Ana (in prison)". */
  here: { seat: Seat; words: string }[];
}

export function describe(board: Board, display: Display, seats: readonly Seat[], names: Names | null, square: BoardPlace, of = "display"): SquareFacts {
  const lies = display.places[square.id];
  const marked = (mark: string): string => board.marks.find((candidate) => candidate.id === mark)?.name ?? mark;
  return {
    place: square,
    group: board.groups.find((group) => group.id === square.group)?.name ?? null,
    owner: seats.find(({ seat }) => seat === lies?.owner) ?? null,
    now: `${of}/places/${square.id}`,
    figure: figureOf(board, lies, names, square, `${of}/places/${square.id}`),
    on: [...(lies?.pieces ?? []).map((piece) => pieceName(names, piece)), ...(lies?.marks ?? []).map(marked)],
    here: seats.flatMap((seat) => {
      const tokens = display.tokens.filter((token) => token.place === square.id && token.seat === seat.seat);
      if (tokens.length === 0) return [];
      const marks = [...new Set(tokens.flatMap((token) => (token.mark ? [marked(token.mark)] : [])))];
      const count = tokens.length > 1 ? ` × ${tokens.length}` : "";
      return [{ seat, words: seat.name + count + (marks.length > 0 ? ` (${marks.join(", ")})` : "") }];
    }),
  };
}

function figureOf(board: Board, lies: Lies | undefined, names: Names | null, { id, prices }: BoardPlace, now: string): Figure | null {
  const money = moneyOf(names);
  const sum = (number: number): string => (money ? amount(names, money, number) : String(number));
  const printed = `board/places/${id}/prices`;
  const plain = (sort: "price" | "rent", number: number, of: string): Figure => ({ sort, of, text: sum(number), brief: figure(number), words: t()[sort](sum(number)) });
  if (lies?.lift !== undefined) {
    const text = board.marks.find(({ id, icon }) => icon === "mortgage" && lies.marks?.includes(id))?.name ?? "";
    return { sort: "mark", of: `${now}/lift`, text, brief: text, words: t().lift(sum(lies.lift)) };
  }
  if (lies?.rent_per_pip) {
    const text = t().perPip(sum(lies.rent_per_pip));
    return { sort: "rent", of: `${now}/rent_per_pip`, text, brief: `× ${figure(lies.rent_per_pip)}`, words: t().rent(text) };
  }
  if (lies?.rent !== undefined) return plain("rent", lies.rent, `${now}/rent`);
  if (lies?.owner !== undefined) return null;
  if (prices?.price !== undefined) return plain("price", prices.price, `${printed}/price`);
  return prices?.amount === undefined ? null : { ...plain("price", prices.amount, `${printed}/amount`), words: sum(prices.amount) };
}

/** Describe a square: "Nuketown, rose, owned by Ana, rent ₦450, 3 houses; here: Bruno". */
export function sentence({ place, group, owner, figure, on, here }: SquareFacts): string {
  const parts = [place.name, group, owner && t().ownedBy(owner.name), figure?.words, ...on].filter(Boolean);
  return parts.join(", ") + (here.length > 0 ? `; ${t().here(here.map(({ words }) => words).join(", "))}` : "");
}

type Piece = { commodity?: string; veil?: string; amount: number };

/** Name some pieces with their number: "3 houses", "2 hidden: card". */
export function pieceName(names: Names | null, { commodity, veil, amount: number }: Piece): string {
  return commodity ? amount(names, commodity, number) : t().hidden(String(number), veil ? (names?.groups[veil] ?? commodityName(names, veil)) : "?");
}

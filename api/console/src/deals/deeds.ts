// The deed of a title as lines of text, from the board: its rents, with the rent of now, its buildings, its mortgage.
import type { Game } from "../game/game.svelte";
import { amount, commodityName, moneyOf } from "../game/names";
import { boardTexts } from "../board/texts";
import { dealTexts as t } from "./texts";

interface Row {
  label: string;
  text: string;
  now?: boolean;
  of?: string;
}

export interface DeedCard {
  name: string;
  colour: string | undefined;
  mark: string | undefined;
  pieces: string[];
  rows: Row[];
  mortgaged: Row | undefined;
  /** What a visitor pays now, or the mark of a mortgage; for a deed with a single line. */
  row: Row | undefined;
}

/** Return the deed of a title; null for a thing without a printed deed. */
export function deedOf(game: Game, commodity: string): DeedCard | null {
  const { board, names } = game;
  const money = moneyOf(names);
  const square = board?.places.find((candidate) => candidate.commodity === commodity);
  if (!board || !square?.deed || money === null) return null;
  const { deed } = square;
  const lies = game.state?.display.places[square.id];
  const group = board.groups.find(({ id }) => id === square.group);
  const sum = (number: number): string => amount(names, money, number);
  const printed = `board/places/${square.id}/deed`;
  const rows: Row[] = deed.rents.map((rent, at) => ({
    label: rent.label,
    text: rent.amount !== undefined ? sum(rent.amount) : boardTexts().perPip(sum(rent.per_pip ?? 0)),
    of: `${printed}/rents/${at}/${rent.amount !== undefined ? "amount" : "per_pip"}`,
    now: rent.amount !== undefined && rent.amount === lies?.toll?.amount,
  }));
  const { building, mortgage } = deed;
  if (building) rows.push({ label: commodityName(names, building.commodity), text: sum(building.price), of: `${printed}/building/price` });
  if (mortgage !== undefined) rows.push({ label: t().mortgage, text: sum(mortgage), of: `${printed}/mortgage` });
  const icons = board.face.pieces as Record<string, string>;
  const mortgaged = lies?.lift === undefined ? undefined : { label: `${t().mortgaged}, ${t().lift}`, text: sum(lies.lift), of: `display/places/${square.id}/lift` };
  const toll = lies?.toll;
  const text = toll?.amount === undefined ? toll?.text : sum(toll.amount);
  return {
    name: square.name,
    colour: group?.colour,
    mark: group?.mark,
    pieces: (lies?.pieces ?? []).flatMap((piece) => Array<string>(Math.min(5, piece.amount)).fill(icons[piece.commodity ?? ""] ?? "house")),
    rows,
    mortgaged,
    row: mortgaged ?? (text === undefined ? undefined : { label: t().rentNow, text, ...(toll?.amount !== undefined && { of: `display/places/${square.id}/toll/amount` }) }),
  };
}

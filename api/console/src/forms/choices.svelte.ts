// The choices of a field: the names of the game, its agreements and disputes, its kinds of action and rules.
import { getContext, setContext } from "svelte";
import { data } from "../api/client";
import type { MoveOption, Names } from "../api/types";
import { theGameIfAny, type Game } from "../game/game.svelte";
import { translate } from "../i18n/language.svelte";
import type { Field } from "./schema";

export interface Choice {
  value: string | number;
  label: string;
  /** The heading of the choice in a long list. */
  group?: string;
}

/** The class of commodities for a field of this kind. */
const CLASSES: Record<string, string> = { title: "title", card: "card" };
const CONTEXT = Symbol("choices");

export class Choices {
  #fetched = $state.raw<Record<string, Choice[]>>({});
  #requested = new Set<string>();

  /** `options` are the options of moves, by parameter. */
  constructor(
    private readonly game: Game | null,
    private readonly options: () => Record<string, MoveOption[]>,
  ) {}

  get knowsGame(): Game | null {
    return this.game;
  }

  /** Return the choices of a field; null for a free text. */
  of(field: Field, parameter: string): Choice[] | null {
    const offered = this.options()[parameter];
    if (offered) {
      const simple = offered.filter((option) => typeof option.value === "string" || typeof option.value === "number");
      if (simple.length > 0) return simple.map((option) => ({ value: option.value as string | number, label: translate(option.label) }));
    }
    const names = this.game?.names;
    if (!this.game || !names) return null;
    const kind = field.kind;
    if (kind === "seat") return this.game.seats.map(({ seat, name }) => ({ value: seat, label: name }));
    if (kind === "account") return Object.entries(names.accounts).map(([value, label]) => ({ value, label }));
    if (kind === "place") return placesOf(names.places);
    if (kind === "card" && Object.keys(names.cards).length > 0) return cardsIn(names).map(({ value, label }) => ({ value, label }));
    if (kind === "draw") return [...[1, 2, 3, 4, 5, 6].map((side) => ({ value: side, label: String(side) })), ...cardsIn(names).map(({ value, label }) => ({ value, label }))];
    if (kind === "good") return numbered(names, kind);
    if (kind === "commodity" || kind in CLASSES) {
      const commodityClass = CLASSES[kind];
      const fit = Object.entries(names.commodities).filter(([, commodity]) => commodityClass === undefined || commodity.class === commodityClass);
      return fit.map(([id, commodity]) => {
        const group = commodity.group === undefined ? undefined : names.groups[commodity.group];
        return { value: bare(id, kind), label: commodity.name, ...(group !== undefined && { group }) };
      });
    }
    if (kind === "kind") return this.#once("kinds", () => kindsOf(this.game!));
    if (kind === "agreement") return this.#once(`agreements ${field.collection ?? ""}`, () => agreementsOf(this.game!, field.collection));
    if (kind === "dispute") return this.#once("disputes", () => disputesOf(this.game!));
    return null;
  }

  #once(name: string, read: () => Promise<Choice[]>): Choice[] | null {
    const fetched = this.#fetched[name];
    if (fetched) return fetched;
    if (!this.#requested.has(name)) {
      this.#requested.add(name);
      read().then(
        (choices) => (this.#fetched = { ...this.#fetched, [name]: choices }),
        () => this.#requested.delete(name),
      );
    }
    return null;
  }
}

/** Collect all named cards, each with its deck as the group. */
function cardsIn(names: Names): { value: string; label: string; group: string | undefined }[] {
  const cardEntries = Object.entries(names.cards);
  if (cardEntries.length > 0) {
    return cardEntries.map(([id, card]) => ({ value: bare(id, "card"), label: card.name, group: names.commodities[card.commodity ?? id]?.group }));
  }
  const cards = Object.entries(names.commodities).filter(([, commodity]) => commodity.class === "card");
  return cards.map(([id, commodity]) => ({ value: bare(id, "card"), label: commodity.name, group: commodity.group }));
}

/** Return the cards of a deck as options of a draw; none if the names do not list the deck. */
export function cardsOf(game: Game, deck: string): MoveOption[] {
  const cards = game.names ? cardsIn(game.names).filter((card) => card.group === deck) : [];
  return cards.map(({ value, label }) => ({ value, label: { en: label, fr: label } }));
}

/** Collect things that parameters name by the number in the id: "good:4" is 4. */
function numbered(names: Names, kind: string): Choice[] {
  return Object.entries(names.commodities)
    .filter(([id]) => id.startsWith(`${kind}:`))
    .map(([id, commodity]) => ({ value: Number(bare(id, kind)), label: commodity.name }));
}

/** Remove the word before the colon: parameters name a title and a card without the word. */
function bare(id: string, kind: string): string {
  return id.startsWith(`${kind}:`) ? id.slice(kind.length + 1) : id;
}

function placesOf(places: Record<string, string>): Choice[] {
  return Object.entries(places)
    .map(([id, name]) => ({ value: Number(id.split(":").at(-1)), label: name }))
    .filter(({ value }) => Number.isInteger(value))
    .sort((a, b) => a.value - b.value)
    .map(({ value, label }) => ({ value, label: `${value} · ${label}` }));
}

async function kindsOf(game: Game): Promise<Choice[]> {
  const kinds = await game.catalogue.kinds();
  return kinds
    .toSorted((a, b) => a.group.order - b.group.order)
    .map(({ kind, label, group }) => ({ value: kind, label: translate(label), group: group.label }));
}

async function agreementsOf(game: Game, collection: string | undefined): Promise<Choice[]> {
  const query = { status: "open", limit: 50, ...(collection !== undefined && { collection }) };
  const read = await data(
    game.api.GET("/api/v1/games/{game}/agreements", { params: { path: { game: game.id }, query: query as never } }),
  );
  const agreements = read.agreements as unknown as { id: string; title: string }[];
  return agreements.map(({ id, title }) => ({ value: id, label: `${id} · ${title}` }));
}

async function disputesOf(game: Game): Promise<Choice[]> {
  const read = await data(game.api.GET("/api/v1/games/{game}/disputes", { params: { path: { game: game.id } } }));
  const disputes = read.disputes as unknown as { id: string; claim: string }[];
  return disputes.map(({ id, claim }) => ({ value: id, label: `${id} · ${claim}` }));
}

export interface World {
  choices: Choices;
  /** The pointers of fields with an invalid text. */
  wrong: Set<string>;
  faultAt: (pointer: string) => string | undefined;
}

export function provideWorld(world: World): World {
  setContext(CONTEXT, world);
  return world;
}

export function theWorld(): World {
  return getContext<World>(CONTEXT);
}

export function gameHere(): Game | null {
  return theGameIfAny();
}

// The choices of a field: the names of the game, its agreements and disputes, its kinds of action and rules.
import { getContext, setContext } from "svelte";
import { data } from "../api/client";
import type { Names } from "../api/types";
import { theGameIfAny, type Game } from "../game/game.svelte";
import { translate } from "../i18n/language.svelte";
import { formTexts } from "./texts";
import { amount, moneyOf } from "../game/names";
import type { Choice } from "./pick/picking";
import type { Field } from "./schema";

/** The class of commodities for a field of this kind. */
const CLASSES: Record<string, string> = { title: "title", card: "card" };
/** Kinds of values that only moves know: an open question, its answers, a debt. */
const OFFERED = new Set(["choice", "question", "answer", "disruption"]);
const CONTEXT = Symbol("choices");

export class Choices {
  #fetched = $state.raw<Record<string, Choice[]>>({});
  #requested = new Set<string>();

  /** `options` are the possible values of parameters, if a move knows them. */
  constructor(
    private readonly game: Game | null,
    private readonly options: () => Record<string, Choice[]>,
  ) {}

  get knowsGame(): Game | null {
    return this.game;
  }

  /** Return the choices of a field; null for a free text. */
  of(field: Field, parameter: string): Choice[] | null {
    const offered = this.options()[parameter];
    if (offered) return offered;
    const names = this.game?.names;
    if (!this.game || !names) return null;
    const kind = field.kind;
    if (kind === "seat") return this.game.seats.map(({ seat, name }) => ({ value: seat, label: name }));
    if (kind === "account") return Object.entries(names.accounts).map(([value, label]) => ({ value, label }));
    if (kind === "place") return placesOf(names.places);
    if (kind === "card" && hasCards(names)) return cardsIn(names, field.group);
    if (kind === "draw") return [...sides(6), ...cardsIn(names)];
    if (kind === "die") return sides(field.shape.is === "number" ? (field.shape.to ?? 6) : 6);
    if (kind === "good") return numbered(names, kind);
    if (kind === "commodity" || kind in CLASSES) return thingsIn(names, kind);
    if (kind === "kind") return this.#once("kinds", () => kindsOf(this.game!));
    if (kind === "agreement") return this.#once(`agreements ${field.collection ?? ""}`, () => agreementsOf(this.game!, field.collection));
    if (kind === "action") return this.#lines();
    if (kind === "rule") return this.#once("rules", () => rulesOf(this.game!));
    if (kind === "dispute") return this.#once("disputes", () => disputesOf(this.game!));
    return OFFERED.has(kind) ? offeredIn(this.game.moves, parameter) : null;
  }

  /** The newest lines of the journal, by number and sentence. */
  #lines(): Choice[] {
    return (this.game?.entries.lines ?? []).toReversed().map(({ action, sentence }) => ({ value: action, label: `${action} · ${sentence}` }));
  }

  /** Name the list of a field's choices, for the last used. */
  listOf(field: Field, parameter: string): string {
    return `${this.game?.id ?? ""} ${field.kind || parameter}`;
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

/** Collect the values that moves offer for a parameter, each once. */
function offeredIn(moves: Game["moves"], parameter: string): Choice[] {
  const offers = moves.flatMap((seat) => seat.moves).filter(({ choice }) => choice?.parameter === parameter);
  const byValue = new Map(offers.flatMap(({ choice }) => choice!.options.map(({ value, label }) => [value as string | number, translate(label)] as const)));
  return [...byValue].map(([value, label]) => ({ value, label }));
}

function hasCards(names: Names): boolean {
  return Object.keys(names.cards).length > 0;
}

/** The sides of a die; none for a die with so many that a number is typed. */
function sides(count: number): Choice[] {
  return count > 20 ? [] : Array.from({ length: count }, (_, at) => ({ value: at + 1, label: String(at + 1), group: formTexts().die }));
}

/** Collect all named cards of a deck, or of all decks: each with its deck as the group, and its text. */
export function cardsIn(names: Names, deck?: string): Choice[] {
  const heading = (group: string | undefined): Pick<Choice, "group"> => (group === undefined ? {} : { group: names.groups[group] ?? group });
  const cards = Object.entries(names.cards).map(([id, card]) => ({ id, card, group: card.group ?? names.commodities[card.commodity]?.group }));
  if (cards.length > 0) {
    return cards
      .filter((entry) => deck === undefined || entry.group === deck)
      .map(({ id, card, group }) => ({
        value: bare(id, "card"),
        label: card.name,
        // Within one deck, cards are told apart by what they do.
        ...(deck !== undefined && card.effect ? { group: card.effect.label } : heading(group)),
        ...(card.text && { detail: card.text }),
        ...(card.effect && { icon: card.effect.icon }),
        ...(card.effect?.text && { effect: card.effect.text }),
      }));
  }
  return Object.entries(names.commodities)
    .filter(([, commodity]) => commodity.class === "card" && (deck === undefined || commodity.group === deck))
    .map(([id, { name, group }]) => ({ value: bare(id, "card"), label: name, ...heading(group) }));
}

/** Collect the cards that may come in a draw: those that the service lists, or the whole deck. */
export function cardsOf(game: Game, { deck, cards }: { deck?: string | null; cards?: readonly string[] }): Choice[] {
  const all = game.names && deck ? cardsIn(game.names, deck) : [];
  return cards ? all.filter(({ value }) => cards.includes(String(value))) : all;
}

/** Return the value of a square for a field of this kind: the number of the place, or its title. */
export function valueAt(game: Game | null, kind: string, place: string): string | number | undefined {
  if (kind === "place") return Number(place.split(":").at(-1));
  const commodity = game?.board?.places.find(({ id }) => id === place)?.commodity;
  return kind === "title" && commodity !== undefined ? bare(commodity, kind) : undefined;
}

/** Collect commodities: titles with their group and price, weapons, goods. */
function thingsIn(names: Names, kind: string): Choice[] {
  const sort = CLASSES[kind];
  const money = moneyOf(names);
  return Object.entries(names.commodities)
    .filter(([, commodity]) => sort === undefined || commodity.class === sort)
    .map(([id, commodity]) => {
      const group = commodity.group === undefined ? undefined : names.groups[commodity.group];
      return {
        value: bare(id, kind),
        label: commodity.name,
        ...(group !== undefined && { group }),
        ...(commodity.price !== undefined && money !== null && { hint: amount(names, money, commodity.price) }),
      };
    });
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

async function rulesOf(game: Game): Promise<Choice[]> {
  const register = await data(game.api.GET("/api/v1/games/{game}/rules", { params: { path: { game: game.id } } }));
  return register.rules.map(({ id, title }) => ({ value: id, label: `${id} · ${title}` }));
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

import { readFileSync } from "node:fs";
import { cleanup, render } from "@testing-library/svelte";
import { tick } from "svelte";
import { afterEach, expect, it } from "vitest";
import type { Game } from "../game/game.svelte";
import { speaking } from "../i18n/language.svelte";
import Fixture from "./Kind.fixture.svelte";
import { begunAs, fieldOf, type Schema } from "./schema";

type Named = Record<string, object>;
interface Table {
  game: string;
  language: "en" | "fr";
  names: { seats: object[]; accounts: Named; cards: Record<string, { group?: string }>; commodities: Record<string, { class: string }>; places: Named };
  forms: Record<string, Schema>;
}

/** The forms of every kind of action, and the names, as the service gives them (`tests/console/forms.py`). */
const tables = JSON.parse(readFileSync("src/forms/made.json", "utf8")) as Table[];
/** The kinds of values that people type; all others are chosen. */
const TYPED = new Set(["text", "amount", "quantity"]);
/** The most sides of a die that are shown. */
const SIDES = 20;
/** The kinds of values that only moves know. */
const OFFERED = new Set(["choice", "question", "answer", "disruption"]);
/** The most options of a plain list, with the line for none. */
const FEW = 8;
/** Parameters by language: equal ones of several kinds and games are opened once. */
const opened = new Set<string>();

afterEach(cleanup);

/** Fill a value with one item for each list, and with each variant of a union. */
function whole(source: Schema, root: Schema): unknown {
  const { shape } = fieldOf(source, root);
  if (shape.is === "object") return Object.fromEntries(shape.properties.map(([name, member]) => [name, whole(member, root)]));
  if (shape.is === "union") return begun(source, root)[0];
  if (shape.is === "list") return fieldOf(shape.item, root).shape.is === "union" ? begun(shape.item, root) : [whole(shape.item, root)];
  if (shape.is === "map") return { ana: whole(shape.item, root) };
  return undefined;
}

function begun(union: Schema, root: Schema): unknown[] {
  const { shape } = fieldOf(union, root);
  if (shape.is !== "union") return [];
  return shape.variants.map((variant) => ({ ...(whole(variant.schema, root) as object), ...begunAs(variant, shape.by, root) }));
}

/** Count the values that people may type. */
function typed(source: Schema, root: Schema): number {
  const { shape, kind } = fieldOf(source, root);
  const sum = (members: Schema[]): number => members.reduce((count, member) => count + typed(member, root), 0);
  if (shape.is === "object") return sum(shape.properties.map(([, member]) => member));
  if (shape.is === "union") return sum([shape.variants[0]!.schema]);
  if (shape.is === "list") {
    const item = fieldOf(shape.item, root).shape;
    return item.is === "union" ? sum(item.variants.map((variant) => variant.schema)) : typed(shape.item, root);
  }
  if (shape.is === "map") return typed(shape.item, root);
  if (shape.is === "tuple") return sum(shape.items);
  const isMany = kind === "die" && shape.is === "number" && (shape.to ?? 0) > SIDES;
  return isMany || (TYPED.has(kind) && (shape.is === "text" || shape.is === "number")) ? 1 : 0;
}

const few = (named: Named): Named => Object.fromEntries(Object.entries(named).slice(0, FEW));

function gameOf({ names: all, forms }: Table): Game {
  // A picker looks alike with fewer things.
  const kinds = [...new Set(Object.values(all.commodities).map((commodity) => commodity.class))];
  const commodities = Object.fromEntries(kinds.flatMap((sort) => Object.entries(all.commodities).filter(([, commodity]) => commodity.class === sort).slice(0, FEW)));
  const decks = [...new Set(Object.values(all.cards).map((card) => card.group))];
  const cards = Object.fromEntries(decks.flatMap((deck) => Object.entries(all.cards).filter(([, card]) => card.group === deck).slice(0, FEW)));
  const names = { ...all, accounts: few(all.accounts), cards, places: few(all.places), commodities };
  const answers: Record<string, object> = {
    agreements: { agreements: [{ id: "12", title: "Ana · Bob" }] },
    disputes: { disputes: [{ id: "8", claim: "150 · 20" }] },
    rules: { rules: [{ id: "I.1", title: "A" }] },
  };
  const options = ["a", "b"].map((value) => ({ value, label: { en: value.toUpperCase(), fr: value.toUpperCase() } }));
  const asked = Object.values(forms).flatMap((form) => Object.entries(form.properties ?? {}).filter(([, member]) => OFFERED.has(String(member["x-kind"]))));
  const moves = [{ seat: "ana", moves: asked.map(([parameter]) => ({ choice: { parameter, options } })) }];
  return {
    id: "g", me: null, names, board: null, state: null, seats: names.seats, moves, entries: { lines: [{ action: 57, sentence: "Ana · Bob" }] },
    api: { GET: (path: string) => Promise.resolve({ data: answers[path.split("/").at(-1)!], response: new Response() }) },
    catalogue: {
      rulebook: "r",
      kind: (kind: string) => Promise.resolve({ parameters: forms[kind] }),
      kinds: () => Promise.resolve(Object.entries(forms).map(([kind, { title }]) => ({ kind, label: { en: title, fr: title }, group: { label: "A", order: 1 } }))),
    },
  } as unknown as Game;
}

const FIELDS = "input, select, textarea, [role=radiogroup], [role=listbox]";

/** Name a field as a screen reader does. */
function nameOf(field: Element): string {
  const byId = field.getAttribute("aria-labelledby") ?? "";
  const label = field.getAttribute("aria-label") ?? document.getElementById(byId)?.textContent ?? "";
  if (label) return label;
  return document.querySelector(`label[for="${field.id}"]`)?.textContent ?? field.closest("label")?.textContent ?? "";
}

/** Find what a form must not show. */
function faults(form: Element, most: number): string[] {
  const fields = [...form.querySelectorAll(FIELDS)];
  const told = [form.textContent, ...[...form.querySelectorAll("[aria-label], [placeholder], [title]")].flatMap((element) => ["aria-label", "placeholder", "title"].map((name) => element.getAttribute(name) ?? ""))];
  const inputs = form.querySelectorAll("textarea, input:not([type=checkbox], [type=radio], [type=search])");
  const shown = told.flatMap((text) => [...text.matchAll(/\S*(?:\w_\w|null\b|undefined|\[object|NaN|Entry \d|Entrée \d|[{}[\]]|\w:\w)\S*/g)].map(([words]) => `shows ${words}`));
  return [
    ...new Set(shown),
    ...fields.filter((field) => !/^\P{L}*[\p{Lu}\p{Lo}\d]/u.test(nameOf(field).trim())).map((field) => `names a field “${nameOf(field).trim()}” (${field.outerHTML.slice(0, 80)})`),
    ...[...form.querySelectorAll("legend, label")].filter((label) => label.textContent.trim() === "").map(() => "has an empty label"),
    ...[...form.querySelectorAll("select")].filter((select) => select.options.length > FEW).map((select) => `has ${select.options.length} options for ${nameOf(select)}`),
    ...(inputs.length > most ? [`has ${inputs.length} texts to type, not ${most}: ${[...inputs].map(nameOf).join(", ")}`] : []),
  ];
}

it.each(tables.map((table) => [table.game, table.language, table] as const))("every form of %s in %s is in words, with a picker for each choice", async (_, language, table) => {
  speaking.set(language);
  const game = gameOf(table);
  const all: string[] = [];
  for (const [kind, form] of Object.entries(table.forms)) {
    const anew = Object.entries(form.properties ?? {}).filter(([name, member]) => {
      const key = JSON.stringify([language, name, member, JSON.stringify(member).includes("$ref") && form.$defs]);
      return !opened.has(key) && opened.add(key);
    });
    if (anew.length === 0) continue;
    const schema = { ...form, properties: Object.fromEntries(anew) };
    const { container } = render(Fixture, { game, schema, value: whole(schema, schema) as Record<string, unknown> });
    for (let round = 0; round < 4; round++) {
      await Promise.resolve();
      await tick();
    }
    all.push(...faults(container, typed(schema, schema)).map((fault) => `${kind}: ${fault}`));
    cleanup();
  }
  expect(all).toEqual([]);
});

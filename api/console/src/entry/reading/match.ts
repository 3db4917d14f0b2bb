// One move against the pieces of a line: every way in which the pieces fill the open parameters. Pure.
import type { MoveOption, Names } from "../../api/types";
import { plain, sumOf, throwOf, wordsOf, type Item } from "./lexer";
import { parseLegs, type Legs } from "./legs";
import { bestNamed, calls, index, nameFit, seatsNamed, verbFit, type NameClass } from "./naming";
import type { Filled, Scene } from "./scene";
import type { Slot, Variant } from "./slots";
import { BANK, FILLERS, LIGHT, PAYING, isNoise, type Part } from "./words";

export interface Asking {
  items: Item[];
  scene: Scene;
  /** The seat of the move; undefined for the banker. */
  seat: string | undefined;
  /** True if the line names that seat. */
  named: boolean;
  text: string | null;
  /** The kind comes from elsewhere (",3", or the kind of the amended line): no verb is needed. */
  hasKind: boolean;
  /** Called with the item up to which the line made sense. */
  reach(at: number): void;
}

export interface Match {
  values: Map<Slot, unknown>;
  option: MoveOption | null;
  verb: number;
  filled: Filled[];
  /** The actor was named. */
  acted: boolean;
  /** A fixed value or a word of the label was typed. */
  picked: boolean;
  /** The first item of the values that the service still lacks. */
  needsFrom: number;
  /** Numbers taken as amounts. */
  amounts: string[];
  /** Words passed over that mean nothing without a verb. */
  light: boolean;
  /** Words of the label; with its first word they name the move. */
  label: { words: number; begun: boolean };
  /** A seat stood before the verb as the subject. */
  subject: boolean;
  /** The actor stood behind "to" or "for". */
  received: boolean;
}

const MOST = 6;
const STEPS = 600;

/** Find the ways in which the items fill a variant, the preferred first; none if an item is left over. */
export function matches(variant: Variant, asking: Asking, loose: boolean): Match[] {
  const results: Match[] = [];
  let steps = 0;
  const slots = variant.slots;
  const start: Match = {
    values: new Map(),
    option: null,
    verb: asking.hasKind ? 3 : 0,
    filled: [],
    acted: false,
    picked: false,
    needsFrom: asking.items.length,
    amounts: [],
    light: false,
    label: { words: 0, begun: false },
    subject: false,
    received: false,
  };
  const takesSeat = slots.some((slot) => slot.kind === "seat" || slot.kind === "seats" || (slot.kind === "choice" && slot.options!.some((option) => isSeat(option.value))));
  const legs = asking.items.some((item) => item.kind === "over");
  if (legs && !slots.some((slot) => slot.kind === "legs")) return [];
  step(0, start);
  return results;

  function step(at: number, state: Match): void {
    if (results.length >= MOST || ++steps > STEPS) return;
    asking.reach(at);
    const item = asking.items[at];
    if (item === undefined) return finish(state);
    if (item.kind === "seats") return seatsAt(at + 1, item.seats, state, item.part);
    if (isNoise(item)) {
      const size = results.length;
      step(at + 1, state);
      if (results.length > size) return;
    }
    if (legs && tradeAt(at, state)) return;
    if (!legs && state.verb > 0 && isTradeBegun(at)) return finish({ ...state, filled: [...state.filled, begun(at)] });
    const count = results.length;
    if (item.kind === "word") wordAt(at, item, state);
    else if (item.kind === "number") numberAt(at, item, state);
    else if (item.kind === "ref") refAt(at, item.action, state);
    if (results.length === count && item.kind === "word" && !item.quoted) fillerAt(at, item.norm, state);
    // Values that the service still lacks may follow a complete action.
    if (loose && results.length === count && item.kind !== "over") finish({ ...state, needsFrom: at });
  }

  /** Pass over a word without a meaning of its own. */
  function fillerAt(at: number, norm: string, state: Match): void {
    const light = LIGHT.has(norm) || (BANK.has(norm) && !takesSeat);
    if (light || FILLERS.has(norm) || isUnit(at) || slots.some((slot) => slot.parameter === norm))
      step(at + 1, { ...state, light: state.light || light });
  }

  /** Tell if a word is the game's money beside a number: "30 NegoDollars". */
  function isUnit(at: number): boolean {
    const item = asking.items[at];
    if (item?.kind !== "word" || ![at - 1, at + 1].some((beside) => asking.items[beside]?.kind === "number")) return false;
    return moneyWords(asking.scene.names).has(item.norm);
  }

  function finish(unrated: Match): void {
    const { label } = unrated;
    const state = unrated.verb === 0 && label.begun && label.words > 1 ? { ...unrated, verb: 1 } : unrated;
    if (asking.named && !state.acted) return;
    if (state.verb === 0 && (label.words > 0 || (state.light && !state.filled.some((part) => part.kind === "dice")))) return;
    if (asking.text === null) return void results.push(state);
    const texts = slots.filter((slot) => (slot.kind === "text" || slot.kind === "texts") && !state.values.has(slot));
    const slot =
      texts.find((candidate) => candidate.required) ?? texts.find((candidate) => candidate.example !== undefined) ?? texts[0];
    if (slot === undefined) return;
    const value = slot.kind === "texts" ? [asking.text] : asking.text;
    if (asking.text !== "") results.push(take(state, slot, value, { kind: "text", text: asking.text, value }));
    else results.push(state);
  }

  function take(state: Match, slot: Slot, value: unknown, filled: Filled, option?: MoveOption): Match {
    const values = new Map(state.values).set(slot, value);
    return { ...state, values, filled: [...state.filled, filled], ...(option && { option }) };
  }

  function wordAt(at: number, item: Extract<Item, { kind: "word" }>, state: Match): void {
    const count = results.length;
    const fit = item.quoted ? 0 : Math.max(0, ...wordsOf(item.norm).map((word) => verbFit(word, variant.move.verbs)));
    // "Bob accepts" is never the acceptance of Bob's offer.
    const asVerb = (size = 1, rating = fit): void => void (rating > 0 && !state.subject && step(at + size, { ...state, verb: Math.max(state.verb, rating) }));
    const next = asking.items[at + 1];
    // "pay back" is "payback".
    if (!item.quoted && next?.kind === "word" && verbFit(item.norm.replace(/s$/, "") + next.norm, variant.move.verbs) === 3) return asVerb(2, 3);
    // A whole verb is a verb; the beginning of a verb may as well begin a name.
    if (fit === 3 && state.verb < 3) asVerb();
    if (results.length > count) return;
    namesAt(at, state);
    if (!item.quoted)
      for (const seats of seatsNamed(item.norm, asking.scene.seats, asking.scene.me)) seatsAt(at + 1, seats, state, item.part);
    if (fit < 3 || state.verb === 3) asVerb();
    if (results.length > count) return;
    for (const slot of slots)
      if (slot.kind === "flag" && !state.values.has(slot) && item.norm.length >= 3 && plain(slot.parameter).startsWith(item.norm))
        step(at + 1, take(state, slot, true, { kind: "name", text: item.raw, value: true }));
    if (results.length === count && !item.quoted) labelAt(at, item.norm, state);
  }

  /** Take a word of the move's label; before the verb it waits for the verb. */
  function labelAt(at: number, norm: string, state: Match): void {
    const labels = [variant.move.label.en, variant.move.label.fr].map(wordsOf);
    const fits = (word = ""): boolean => word.startsWith(norm) || (PAYING.has(norm) && PAYING.has(word)) || (word.length > 2 && norm.startsWith(word) && norm.length < word.length + 3);
    // "Pay Bob" is a label, too: a seat is never a mere word of it.
    if (norm.length < 3 || state.subject || seatsNamed(norm, asking.scene.seats).length > 0 || !labels.some((words) => words.some(fits))) return;
    const begun = labels.some(([first]) => fits(first));
    const label = state.verb > 0 ? state.label : { words: state.label.words + 1, begun: state.label.begun || begun };
    step(at + 1, { ...state, picked: state.picked || state.verb > 0, label });
  }

  function seatsAt(next: number, seats: string[], state: Match, part?: Part): void {
    const [seat, ...others] = seats;
    if (seat === undefined) return step(next, state);
    const on = (match: Match): void => (others.length > 0 ? seatsAt(next, others, match) : step(next, match));
    const receives = part === "to" || part === "at";
    if (asking.named && !state.acted) {
      if (seat === asking.seat && !(receives && (takesSeat || variant.move.bare))) on({ ...state, acted: true, received: receives });
      return;
    }
    if (seat === asking.seat || (variant.move.bare && part === "from")) return;
    const text = asking.scene.seats.find((candidate) => candidate.seat === seat)?.name ?? seat;
    const filled: Filled = { kind: "seat", text, value: seat };
    const subject = state.subject || (!asking.named && state.verb === 0 && !receives);
    for (const slot of slots) {
      if (slot.kind === "seats") {
        const values = (state.values.get(slot) as string[] | undefined) ?? [];
        if (!values.includes(seat)) return on({ ...take(state, slot, [...values, seat], filled), subject });
      }
      if (state.values.has(slot)) continue;
      if (slot.kind === "seat") return on({ ...take(state, slot, seat, filled), subject });
      const option = slot.kind === "choice" ? slot.options!.find((candidate) => candidate.value === seat) : undefined;
      if (option) return on({ ...take(state, slot, seat, filled, option), subject });
    }
    if (Object.values(variant.fixed).includes(seat)) on({ ...state, subject, picked: true, filled: [...state.filled, filled] });
  }

  function numberAt(at: number, item: Extract<Item, { kind: "number" }>, state: Match): void {
    const dice = slots.find((slot) => slot.kind === "dice");
    if (dice) {
      const values = (state.values.get(dice) as number[] | undefined) ?? [];
      const thrown = throwOf(item.norm, dice.count! - values.length, dice.sides!);
      if (thrown) {
        const value = [...values, ...thrown];
        const filled = state.filled.filter((part) => part.kind !== "dice");
        return step(at + 1, take({ ...state, filled }, dice, value, { kind: "dice", text: value.join(" "), value }));
      }
    }
    const count = results.length;
    const sum = sumOf(item.norm);
    const isMoney = isUnit(at + 1);
    for (const slot of slots) {
      if (isMoney || state.values.has(slot)) continue;
      const option = slot.kind === "choice" ? slot.options!.find((candidate) => isNumbered(candidate.value, item.norm)) : undefined;
      if (option) step(at + 1, take(state, slot, option.value, { kind: "name", text: option.label[asking.scene.language ?? "en"], value: option.value }, option));
    }
    if (results.length > count) return;
    if (!isMoney) namesAt(at, state);
    if (results.length > count) return;
    const slot = slots.find((candidate) => candidate.kind === "amount" && !state.values.has(candidate));
    if (slot && sum !== null) amountAt(at + 1, slot, item.norm, state);
    if (results.length > count) return;
    const wide = slot && wideAmount(at);
    if (wide) amountAt(wide.to, slot, wide.norm, state);
    // "the tax of 20,000" repeats the price of the label.
    const priced = [variant.move.label.en, variant.move.label.fr].some((label) => (label.match(/\d[\d\s,.]*/g) ?? []).some((price) => price.replace(/\D/g, "") === item.norm));
    if (results.length === count && priced && state.verb > 0) step(at + 1, { ...state, picked: true });
  }

  function amountAt(next: number, slot: Slot, norm: string, state: Match): void {
    const sum = sumOf(norm);
    if (sum === null) return;
    const match = take(state, slot, sum, { kind: "amount", text: String(sum), value: sum, ...(slot.of !== "amount" && { counts: true }) });
    step(next, { ...match, amounts: [...state.amounts, norm] });
  }

  /** Read an amount with spaces in it: "1 200", "30 + 12". */
  function wideAmount(at: number): { norm: string; to: number } | null {
    const [first, second, third] = asking.items.slice(at);
    if (first?.kind === "number" && second?.kind === "number" && /^\d{1,3}$/.test(first.norm) && /^\d{3}$/.test(second.norm)) return { norm: first.norm + second.norm, to: at + 2 };
    if (second?.kind === "plus" && third?.kind === "number") return { norm: `${first!.norm}+${third.norm}`, to: at + 3 };
    return null;
  }

  /** Find the longest names at an item, for every slot that takes a name. */
  function namesAt(at: number, state: Match): void {
    let end = at;
    while (end < asking.items.length && end < at + 6 && ["word", "number"].includes(asking.items[end]!.kind)) end++;
    for (let to = end; to > at; to--) {
      const span = asking.items.slice(at, to);
      const typed = span.flatMap((item) => wordsOf(item.norm));
      if (typed.length === 0) return;
      // "draw a card": the verb itself names no card.
      const meant = typed.filter((word) => word.length > 1);
      const item = asking.items[at]!;
      if (meant.length === 1 && !(item.kind === "word" && item.quoted) && verbFit(meant[0]!, variant.move.verbs) === 3) continue;
      // A number alone is a name only as a whole word of the name.
      const count = results.length;
      for (const slot of slots) if (!state.values.has(slot) || slot.kind === "cards") named(slot, typed, to, state);
      if (results.length > count) return;
      if (typed.some((word) => word.length > 1) && isFixed(typed)) {
        step(to, { ...state, picked: true, filled: [...state.filled, { kind: "name", text: span.map((item) => item.raw).join(" "), value: null }] });
        if (results.length > count) return;
      }
    }
  }

  function named(slot: Slot, typed: string[], to: number, state: Match): void {
    if (slot.kind === "choice") {
      let best = 0;
      let fitting: MoveOption[] = [];
      for (const option of slot.options!) {
        if (isSeat(option.value)) continue;
        const called = [option.label.en, option.label.fr, typeof option.value === "string" ? option.value.replaceAll("_", " ") : ""];
        const fit = Math.max(...called.map((name) => nameFit(typed, name)));
        if (fit === 0 || fit < best) continue;
        if (fit > best) fitting = [];
        best = fit;
        fitting.push(option);
      }
      for (const option of fitting.slice(0, 4))
        step(to, take(state, slot, option.value, { kind: "name", text: option.label[asking.scene.language ?? "en"], value: option.value }, option));
    } else if (slot.kind === "name") {
      const of = slot.of === "title" ? "commodity" : (slot.of as NameClass);
      for (const id of bestNamed(typed, index(asking.scene.names, of)))
        step(to, take(state, slot, slot.of === "title" ? id.replace(/^title:/, "") : id, { kind: "name", text: index(asking.scene.names, of).get(id)?.[0] ?? id, value: id }));
    } else if (slot.kind === "cards") {
      const values = (state.values.get(slot) as string[] | undefined) ?? [];
      if (values.length >= slot.count!) return;
      for (const id of cardsNamed(asking.scene, typed, slot.deck))
        step(to, take(state, slot, [...values, id], { kind: "card", text: index(asking.scene.names, "card").get(id)?.[0] ?? id, value: id }));
    }
  }

  function isFixed(typed: string[]): boolean {
    return Object.entries(variant.fixed).some(
      ([parameter, value]) =>
        !isSeat(value) && calls(asking.scene.names, parameter, value).some((name) => nameFit(typed, name) > 0),
    );
  }

  function isSeat(value: unknown): boolean {
    return asking.scene.seats.some((seat) => seat.seat === value);
  }

  function refAt(at: number, action: string, state: Match): void {
    if (Object.values(variant.fixed).some((value) => String(value) === action)) return step(at + 1, { ...state, picked: true });
    const value = action.includes(".") ? action : Number(action);
    for (const slot of slots) {
      const filled: Filled = { kind: "name", text: `#${action}`, value };
      if (slot.kind === "choice") {
        const option = slot.options!.find((candidate) => String(candidate.value) === action);
        if (option && !state.values.has(slot)) return step(at + 1, take(state, slot, option.value, filled, option));
      } else if (slot.kind === "refs" && slot.parameter === "actions") {
        const values = (state.values.get(slot) as unknown[] | undefined) ?? [];
        return step(at + 1, take(state, slot, [...values, value], filled));
      } else if (slot.kind === "ref" && !state.values.has(slot)) {
        return step(at + 1, take(state, slot, slot.of === "agreement" ? action : value, filled));
      }
    }
  }

  /** "100+lamp > b tower": all further items are the two sides. */
  function tradeAt(at: number, state: Match): boolean {
    if (isActing(asking.items[at]!)) return false;
    for (const traded of parseLegs(asking.items.slice(at), asking.scene, asking.seat)) fillLegs(traded, state);
    return true;
  }

  /** "deal 100+lamp": the first side, as far as typed. */
  function isTradeBegun(at: number): boolean {
    const [first, ...others] = asking.items.slice(at);
    return slots.some((slot) => slot.kind === "legs") && !isActing(first!) && [first!, ...others].every((item) => ["number", "word", "plus"].includes(item.kind));
  }

  function begun(at: number): Filled {
    const text = asking.items.slice(at).map((item) => item.raw).join(" ");
    return { kind: "legs", text, value: null };
  }

  /** Tell if an item is a seat or the verb, before the sides. */
  function isActing(item: Item): boolean {
    if (item.kind !== "word") return item.kind === "seats";
    const isVerb = wordsOf(item.norm).some((word) => verbFit(word, variant.move.verbs) > 0);
    return isVerb || seatsNamed(item.norm, asking.scene.seats, asking.scene.me).length > 0;
  }

  function fillLegs(traded: Legs, state: Match): void {
    let match = state;
    const all = slots.filter((slot) => slot.kind === "legs");
    const partner = traded.partner;
    for (const slot of all) {
      const example = (slot.example as Record<string, unknown>[] | undefined)?.[0] ?? {};
      const both = "giver" in example;
      const sides = both
        ? [
            ...traded.gives.map((part) => ({ ...part, giver: asking.seat, taker: partner })),
            ...traded.takes.map((part) => ({ ...part, giver: partner, taker: asking.seat })),
          ]
        : slot.parameter === "give"
          ? traded.gives
          : traded.takes;
      match = take(match, slot, sides, { kind: "legs", text: slot === all[0] ? traded.text : "", value: sides });
    }
    const to = slots.find((slot) => slot.kind === "seat" && !match.values.has(slot));
    if (to && partner !== null) match = take(match, to, partner, { kind: "seat", text: partner, value: partner });
    step(asking.items.length, match);
  }
}

function isNumbered(value: unknown, norm: string): boolean {
  return (typeof value === "number" || typeof value === "string") && String(value) === norm;
}

/** Find the cards named by a text, the cards of the deck first. */
export function cardsNamed(scene: Scene, typed: string[], deck?: string | null): string[] {
  const cards = index(scene.names, "card");
  const ofDeck = new Map([...cards].filter(([id]) => scene.names.some((names) => names.cards[id]?.group === deck)));
  return bestNamed(typed, ofDeck.size > 0 ? ofDeck : cards);
}

/** Collect the words for the game's money. */
function moneyWords(all: readonly Names[]): Set<string> {
  const key = all[0] ?? NO_NAMES;
  let words = units.get(key);
  if (words === undefined) {
    const money = all.flatMap((names) => Object.values(names.commodities).filter((facts) => facts.class === "money"));
    units.set(key, (words = new Set(money.flatMap((facts) => [plain(facts.symbol ?? ""), ...wordsOf(facts.name), ...wordsOf(facts.plural)]))));
  }
  return words;
}
const NO_NAMES = {};
const units = new WeakMap<object, Set<string>>();

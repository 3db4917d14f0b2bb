// Many choices as groups: a search without accents, the last used first. Pure functions.
import { SvelteMap } from "svelte/reactivity";

export interface Choice {
  value: string | number;
  label: string;
  /** The heading of the choice in a long list. */
  group?: string;
  /** A price, beside the label. */
  hint?: string;
  /** A sentence below the label: the text of a card. */
  detail?: string;
  icon?: string;
  /** The effect in short, at the end of the row: "+₦100". */
  effect?: string;
  /** The same thing in another list, if `value` is a place in a list. */
  key?: string;
}

export interface Group {
  name: string;
  choices: Choice[];
}

/** The limit of plain choices: more are a list with a search. */
export const FEW = 7;
/** The limit of choices shown without a search. */
export const MOST = 120;
const LAST = 3;
const used = new SvelteMap<string, readonly string[]>();

/** Write a text without accents and in small letters. */
export function plain(text: string): string {
  return text.normalize("NFD").replace(/\p{Diacritic}/gu, "").replaceAll("œ", "oe").replaceAll("æ", "ae").toLowerCase();
}

function keyOf(choice: Choice): string {
  return choice.key ?? String(choice.value);
}

/** Note the use of a choice. `list` is the kind of things in a game. The notes end with the page. */
export function use(list: string, choice: Choice): void {
  const key = keyOf(choice);
  used.set(list, [key, ...(used.get(list) ?? []).filter((other) => other !== key)].slice(0, LAST));
}

/**
 * Arrange choices in groups, in the order of their first choice. `last` is the heading of the last used, which come
 * first without a search. Each word of a search must occur in the label, the group or the detail.
 */
export function arranged(choices: readonly Choice[], search: string, list: string, last: string): Group[] {
  const words = plain(search).split(/\s+/).filter(Boolean);
  const fit = choices.filter((choice) => {
    const text = plain(`${choice.label} ${choice.group ?? ""} ${choice.detail ?? ""}`);
    return words.every((word) => text.includes(word));
  });
  const groups = new Map<string, Choice[]>();
  for (const choice of fit) groups.set(choice.group ?? "", [...(groups.get(choice.group ?? "") ?? []), choice]);
  const recent = words.length > 0 ? [] : (used.get(list) ?? []).flatMap((key) => choices.find((choice) => keyOf(choice) === key) ?? []);
  return [
    ...(recent.length > 0 ? [{ name: last, choices: recent }] : []),
    ...[...groups].map(([name, members]) => ({ name, choices: members })),
  ];
}

/** Return the first choices of all groups; the groups themselves if they have no more. */
export function first(groups: Group[], most: number): Group[] {
  let room = most;
  const fit = groups.map((group) => {
    const choices = group.choices.slice(0, Math.max(0, room));
    room -= group.choices.length;
    return { ...group, choices };
  });
  return room >= 0 ? groups : fit.filter((group) => group.choices.length > 0);
}

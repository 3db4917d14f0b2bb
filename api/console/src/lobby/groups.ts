// The settings of a rulebook in groups and order, the common ones apart from the advanced ones.
import type { Schema } from "../forms/schema";

export interface Group {
  id: string;
  title: string;
  names: string[];
}

export type Settings = Schema & { "x-groups"?: { id: string; title: string }[] };

/** The groups that have settings of this sort, in the rulebook's order. */
export function groupsOf(settings: Settings, advanced: boolean): Group[] {
  const members = Object.entries(settings.properties ?? {}).filter(([, one]) => (one["x-advanced"] ?? false) === advanced);
  const inOrder = members.toSorted(([, one], [, other]) => (one["x-order"] ?? 0) - (other["x-order"] ?? 0));
  const known = settings["x-groups"] ?? [];
  const groups = known.map(({ id, title }) => ({ id, title, names: inOrder.filter(([, one]) => one["x-group"] === id).map(([name]) => name) }));
  const ids = new Set(known.map(({ id }) => id));
  const others = inOrder.filter(([, one]) => !ids.has(one["x-group"] ?? "")).map(([name]) => name);
  return [...groups, { id: "", title: "", names: others }].filter((one) => one.names.length > 0);
}

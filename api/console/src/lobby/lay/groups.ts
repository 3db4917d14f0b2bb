// The settings of a rulebook in groups and order: the commonest house rules, the common, the advanced.
import type { Schema } from "../../forms/schema";

export interface Group {
  id: string;
  title: string;
  names: string[];
}

export type Settings = Schema & { "x-groups"?: { id: string; title: string }[] };

export type Sort = "first" | "common" | "advanced";

const sortOf = (member: Schema): Sort => (member["x-first"] ? "first" : member["x-advanced"] ? "advanced" : "common");

/** Return the groups with settings of this sort, in the rulebook's order. */
export function groupsOf(settings: Settings, sort: Sort): Group[] {
  const members = Object.entries(settings.properties ?? {}).filter(([, member]) => sortOf(member) === sort);
  const inOrder = members.toSorted(([, a], [, b]) => (a["x-order"] ?? 0) - (b["x-order"] ?? 0));
  const sections = settings["x-groups"] ?? [];
  const groups = sections.map(({ id, title }) => ({ id, title, names: inOrder.filter(([, member]) => member["x-group"] === id).map(([name]) => name) }));
  const ids = new Set(sections.map(({ id }) => id));
  const others = inOrder.filter(([, member]) => !ids.has(member["x-group"] ?? "")).map(([name]) => name);
  return [...groups, { id: "", title: "", names: others }].filter((group) => group.names.length > 0);
}

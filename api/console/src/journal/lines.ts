// A line in short. Pure functions of the line and the game's names.
import type { ActionName, Entry, EventLine, Names } from "../api/types";
import { moneyOf } from "../game/names";

/**
 * Return the change of money of a line: of the given account, of the line's seat, else of the only owner with a change.
 */
export function moneyChange(line: Entry, names: Names | null, account?: string): { commodity: string; number: number; of: string } | null {
  const money = moneyOf(names);
  if (names === null || money === null) return null;
  const changes = line.effects.filter((effect) => effect.commodity === money && effect.after !== effect.before);
  const ofAccount = changes.find((change) => change.account === account);
  const owned = changes.filter((change) => names.owners[change.account] !== undefined);
  const result = ofAccount ?? owned.find((change) => names.owners[change.account] === line.seat) ?? (owned.length === 1 ? owned[0] : undefined);
  if (!result) return null;
  return { commodity: money, number: result.after - result.before, of: `actions/${line.action}/effects/${line.effects.indexOf(result)}` };
}

/** Return the events of a line that count: restated, or recorded. A line out of force keeps the recorded events. */
export function eventsOf(line: Entry): readonly EventLine[] {
  return line.status === "restated" && line.restated.length > 0 ? line.restated : line.events;
}

/** Tell if the line counts in the current game. */
export function counts(line: Pick<Entry, "status">): boolean {
  return line.status === "effective" || line.status === "restated";
}

/** Return the main rule of a line: of the first event with postings, else of its first event. */
export function ruleOf(line: Entry): string | null {
  const events = eventsOf(line);
  return (events.find((event) => event.postings.length > 0) ?? events[0])?.rule ?? null;
}

/** Return the rules of a line, each once. */
export function rulesOf(line: Entry): string[] {
  return [...new Set(eventsOf(line).map((event) => event.rule))];
}

/** Return the accounts of a line's postings, each once. */
export function accountsOf(line: Entry): string[] {
  return [...new Set(eventsOf(line).flatMap((event) => event.postings.flatMap((posting) => [posting.from, posting.to])))];
}

/** Return the recorded texts that no longer count: replaced by restated events. */
export function recordedOf(line: Entry): string {
  if (line.status !== "restated") return "";
  const restatedTexts = new Set(line.restated.map((event) => event.text));
  return line.events
    .filter((event) => event.text !== "" && !restatedTexts.has(event.text))
    .map((event) => event.text)
    .join(" ");
}

/** Return the differing part of the recorded texts: without the common words at the beginning. */
export function struckOf(line: Entry): string {
  const recorded = recordedOf(line).split(" ");
  const current = line.sentence.split(" ");
  const same = recorded.findIndex((word, at) => word !== current[at]);
  return recorded.slice(Math.max(0, same)).join(" ");
}

/** Return the name of a line from the fragment of an address; null for other fragments. */
export function lineIn(hash: string): ActionName | null {
  if (!/^[1-9]\d{0,14}(\.[1-9]\d{0,5})?$/.test(hash)) return null;
  return hash.includes(".") ? hash : Number(hash);
}

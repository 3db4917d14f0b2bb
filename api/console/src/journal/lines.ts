// What a line says in short. Pure functions of the line and the game's names.
import type { ActionName, Entry, EventLine, Names } from "../api/types";
import { moneyOf } from "../game/names";

/**
 * The change of money that a line stands for: that of the account asked for, of its seat, else of the only owner whose
 * money it changed.
 */
export function moneyChange(line: Entry, names: Names | null, account?: string): { commodity: string; number: number } | null {
  const money = moneyOf(names);
  if (names === null || money === null) return null;
  const changes = line.effects.filter((effect) => effect.commodity === money && effect.after !== effect.before);
  const ofAccount = changes.find((change) => change.account === account);
  const owned = changes.filter((change) => names.owners[change.account] !== undefined);
  const result = ofAccount ?? owned.find((change) => names.owners[change.account] === line.seat) ?? (owned.length === 1 ? owned[0] : undefined);
  return result ? { commodity: money, number: result.after - result.before } : null;
}

/** The events of a line that count: as restated, or as recorded. A line that does not count keeps those recorded. */
export function eventsOf(line: Entry): readonly EventLine[] {
  return line.status === "restated" && line.restated.length > 0 ? line.restated : line.events;
}

/** Whether what the line tells counts in the game as it is now. */
export function counts(line: Pick<Entry, "status">): boolean {
  return line.status === "effective" || line.status === "restated";
}

/** The rule that a line is known by: of the first event that moved something, else of its first event. */
export function ruleOf(line: Entry): string | null {
  const events = eventsOf(line);
  return (events.find((event) => event.postings.length > 0) ?? events[0])?.rule ?? null;
}

/** The rules of a line, each once. */
export function rulesOf(line: Entry): string[] {
  return [...new Set(eventsOf(line).map((event) => event.rule))];
}

/** The accounts between which a line moved something, each once. */
export function accountsOf(line: Entry): string[] {
  return [...new Set(eventsOf(line).flatMap((event) => event.postings.flatMap((posting) => [posting.from, posting.to])))];
}

/** What was recorded and does not count any more: the texts of the recorded events that the restated ones replace. */
export function recordedOf(line: Entry): string {
  if (line.status !== "restated") return "";
  const restatedTexts = new Set(line.restated.map((event) => event.text));
  return line.events
    .filter((event) => event.text !== "" && !restatedTexts.has(event.text))
    .map((event) => event.text)
    .join(" ");
}

/** The part of what was recorded that differs: without the words with which both begin. */
export function struckOf(line: Entry): string {
  const recorded = recordedOf(line).split(" ");
  const current = line.sentence.split(" ");
  const same = recorded.findIndex((word, at) => word !== current[at]);
  return recorded.slice(Math.max(0, same)).join(" ");
}

/** The name of a line out of the fragment of an address; null for other fragments. */
export function lineIn(hash: string): ActionName | null {
  if (!/^[1-9]\d{0,14}(\.[1-9]\d{0,5})?$/.test(hash)) return null;
  return hash.includes(".") ? hash : Number(hash);
}

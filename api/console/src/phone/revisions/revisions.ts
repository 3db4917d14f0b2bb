// The corrections and rulings that changed what a seat holds. Pure.
import type { Entry } from "../../api/types";
import { correctedBy } from "../../game/places";

export interface Revision {
  line: Entry;
  effects: Entry["effects"];
}

/** Tell if a line is a ruling with remedies of its own, such as a fine or a sum from the bank. */
const isRemedy = (line: Entry): boolean => line.events.some(({ data }) => (data as { ruling?: unknown } | null)?.ruling !== undefined);

/** Return the revisions after a number of the journal that changed the holdings of a seat, the oldest first. */
export function revisionsOf(lines: readonly Entry[], owners: Readonly<Record<string, string>>, seat: string, since: number): Revision[] {
  return lines.flatMap((line) => {
    if (line.number <= since || (correctedBy(line) === null && !isRemedy(line))) return [];
    const effects = line.effects.filter(({ account, before, after }) => before !== after && owners[account] === seat);
    return effects.length > 0 ? [{ line, effects }] : [];
  });
}

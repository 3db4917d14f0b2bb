// What a party says in a dispute, out of the lines of the game. Pure.
import type { Entry } from "../api/types";

export interface Saying {
  /** Whether the dispute begins with it. */
  opens: boolean;
  text: string;
  /** The first contested line, if it is among the lines. */
  cited: string | undefined;
  /** Whether a correction is asked for. */
  edits: boolean;
}

/** Read the claim, or the statement, that a line makes in a dispute. */
export function sayingOf(line: Entry, lines: readonly Entry[]): Saying {
  const opens = line.kind === "open_dispute";
  const words = line.params as { claim?: string; text?: string; dispute?: string; edits?: unknown[] };
  const opening = opens ? line : lines.find(({ action, kind }) => kind === "open_dispute" && String(action) === words.dispute);
  const contested = (opening?.params as { actions?: number[] } | undefined)?.actions?.[0];
  const cited = lines.find(({ action }) => action === contested)?.sentence;
  return { opens, text: words.claim ?? words.text ?? line.sentence, cited, edits: (words.edits ?? []).length > 0 };
}

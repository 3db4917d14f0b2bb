// New lines as one sentence for a screen reader.
import type { Entry } from "../api/types";
import { hearingTexts as t } from "./hearingTexts";

const MOST = 3;

/** Sum up the lines of a second: their sentences, or their number and the last sentence. */
export function summedUp(lines: readonly Entry[]): string {
  if (lines.length <= MOST) return lines.map((line) => line.sentence).join(" ");
  return t().more(lines.length, lines.at(-1)!.sentence);
}

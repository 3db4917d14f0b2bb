// The preview of a correction as a tree: the direct effect of an edit, and the later lines that change.
import type { ActionName, Preview } from "../api/types";

export type Mark = "voided" | "restated" | "inserted" | "undone" | "restored";
export const SIGNS: Record<Mark, string> = { voided: "✗", restated: "~", inserted: "+", undone: "−", restored: "↺" };

export interface Outcome {
  action: ActionName;
  mark: Mark;
  seat: string | null;
  sentence: string;
  /** The former sentence of the line, if the sentence changes. */
  was?: string;
  why?: { rule: string; text: string };
  /** The line in between that caused the change. */
  because: ActionName | null;
  /** True if the game itself takes the step. */
  bySystem?: boolean;
}

export interface Branch {
  cause: number | null;
  action: ActionName | null;
  text: string;
  /** The changes of the edited line itself. */
  own: Outcome[];
  follows: Outcome[];
}

/** Build the tree with the causes in their order. Outcomes without a cause stand in their own branch, the first. */
export function treeOf(preview: Preview): Branch[] {
  const outcomes = outcomesOf(preview);
  const remaining = new Map(outcomes.map((outcome) => [String(outcome.action), outcome]));
  const take = (name: ActionName): Outcome[] => {
    const outcome = remaining.get(String(name));
    remaining.delete(String(name));
    return outcome ? [outcome] : [];
  };
  // A line under two causes stands under the first.
  const branches = preview.causes.map((cause): Branch => ({
    cause: cause.cause,
    action: cause.action,
    text: cause.text,
    own: take(cause.action),
    follows: cause.follows.flatMap(take),
  }));
  const others = outcomes.filter((outcome) => remaining.has(String(outcome.action)));
  return others.length > 0 ? [{ cause: null, action: null, text: "", own: [], follows: others }, ...branches] : branches;
}

function outcomesOf(preview: Preview): Outcome[] {
  const plain = (mark: Mark) => (line: Preview["undone"][number]): Outcome => ({
    action: line.action, mark, seat: line.seat, sentence: line.sentence, because: null,
  });
  return [
    ...preview.undone.map(plain("undone")),
    ...preview.restored.map(plain("restored")),
    ...preview.restated.map((line): Outcome => ({
      action: line.action, mark: "restated", seat: line.seat, sentence: line.sentence, because: line.because,
      ...(line.was !== line.sentence && { was: line.was }),
    })),
    ...preview.voided.map((line): Outcome => ({
      action: line.action, mark: "voided", seat: line.seat, sentence: line.sentence, because: line.because, why: line.why,
    })),
    ...preview.inserted.map((line): Outcome => ({
      action: line.action, mark: "inserted", seat: line.seat, sentence: line.sentence, because: line.because, bySystem: line.by === "system",
    })),
  ];
}

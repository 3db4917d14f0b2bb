// "=54" and "#57=cb120": a line of the journal as it should have been. Pure.
import type { ActionName, ActionRequest, Entry, Kind, Move } from "../../api/types";
import { lex, throwOf, type Line } from "./lexer";
import { resolveLine } from "./resolve";
import type { Scene } from "./scene";

export interface Amendment {
  action: ActionName;
  edits: Record<string, unknown>[];
}

/** Find the line to amend: the named line, or the newest effective line with dice. */
export function amendedLine(line: Line, lines: readonly Entry[]): Entry | null {
  if (line.amended !== null) return lines.find((entry) => String(entry.action) === line.amended) ?? null;
  return lines.findLast((entry) => (entry.status === "effective" || entry.status === "restated") && diceOf(entry) !== null) ?? null;
}

/** Build the edits of a correction to the text; null while the text is no whole action. */
export function amend(source: string, scene: Scene, amended: Entry): Amendment | null {
  const line = lex(source);
  const edits = rethrown(line, amended) ?? replaced(line, source, scene, amended);
  return edits && { action: amended.action, edits };
}

/** Find the parameter with the dice of an entry. */
export function diceOf(entry: Entry): { parameter: string; dice: number[] } | null {
  for (const [parameter, value] of Object.entries((entry.params ?? {}) as Record<string, unknown>))
    if (Array.isArray(value) && value.length > 0 && value.every((die) => Number.isInteger(die)))
      if (Object.values(entry.draws).some((drawn) => drawn.join() === value.join())) return { parameter, dice: value as number[] };
  return null;
}

function rethrown(line: Line, amended: Entry): Record<string, unknown>[] | null {
  const old = diceOf(amended);
  if (old === null || line.text !== null || line.pieces.length === 0) return null;
  const dice: number[] = [];
  for (const piece of line.pieces) {
    const sides = Math.max(6, ...old.dice);
    const thrown = piece.kind === "number" ? throwOf(piece.norm, old.dice.length - dice.length, sides) : null;
    if (thrown === null) return null;
    dice.push(...thrown);
  }
  if (dice.length !== old.dice.length) return null;
  return [{ op: "replace", action: amended.action, params: { ...givenParams(amended), [old.parameter]: dice } }];
}

function replaced(line: Line, source: string, scene: Scene, amended: Entry): Record<string, unknown>[] | null {
  const resolution = resolveLine({ ...line, kind: "move" }, source, { ...scene, throws: [] });
  const same = resolution.readings.filter((candidate) => candidate.wants.length === 0 && candidate.move.kind === amended.kind);
  const reading = same.length === 1 ? same[0]! : resolution.best;
  if (reading === null || reading === undefined) return null;
  const request: ActionRequest = reading.request;
  if (request.kind === amended.kind && (request.seat ?? null) === amended.seat)
    return [{ op: "replace", action: amended.action, params: request.params }];
  return [
    { op: "drop", action: amended.action },
    { op: "insert", after: amended.action, action: { kind: request.kind, params: request.params, ...(request.seat !== undefined && { seat: request.seat }) } },
  ];
}

/** Return the given parameters: null means left out. */
function givenParams(entry: Entry): Record<string, unknown> {
  return Object.fromEntries(Object.entries((entry.params ?? {}) as Record<string, unknown>).filter(([, value]) => value !== null));
}

/** Build the move of an entry with dice, for another throw of the same kind. */
export function throwLike(entry: Entry, kind: Kind): Move {
  const { parameter, dice } = diceOf(entry)!;
  const schema = (kind.parameters.properties as Record<string, { anyOf?: Items[] } & Items> | undefined)?.[parameter];
  const sides = [schema, ...(schema?.anyOf ?? [])].find((branch) => branch?.items?.maximum !== undefined)?.items?.maximum ?? 6;
  const { label, verbs, group, rules, bare, final } = kind;
  const draws: Move["draws"] = [{ name: parameter, label, kind: "die", count: dice.length, sides, parameter }];
  return { id: kind.kind, kind: kind.kind, label, verbs, group, rules, bare, final, draws, params: {}, free: {}, only: false, rank: "due" };
}

interface Items {
  items?: { maximum?: number };
}

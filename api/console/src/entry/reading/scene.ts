// The input and the answer of the resolver. Plain data: nothing in here asks the service.
import type { ActionRequest, Entry, Language, Move, Names, Seat, SeatMoves } from "../../api/types";

export type SeatFacts = Pick<Seat, "seat" | "letter" | "name">;

/** The facts of a game for the resolver. */
export interface Scene {
  moves: SeatMoves[];
  seats: SeatFacts[];
  /** The seat in turn. */
  turn: string | null;
  /** The names of everything, in one language or in both. */
  names: Names[];
  /** The language of the page, for shown texts; English if left out. */
  language?: Language;
  /** The seat of a banker who plays, for "me". */
  me?: string | null;
  /** The last kinds, the latest first. */
  recent?: string[];
  /** Moves that throw dice, as last offered to a seat: a throw may be typed before the previous turn ended. */
  throws?: Move[];
  /** The missing values of complete actions, as reported by the service, by the action's JSON. */
  needs?: Record<string, Lack[]>;
  /** The JSON Schemas of the parameters of kinds, as far as fetched. */
  schemas?: Record<string, Record<string, unknown>>;
  /** Kinds of the catalogue, for kinds not open to any seat now. */
  kinds?: ClosedKind[];
  /** The line under amendment. */
  amended?: Entry | null;
}

export interface Lack {
  kind: "die" | "card" | "answer";
  label: string;
  deck: string | null;
  count: number;
  /** The whole action with nulls for the missing values, and the pointer of the first null (RFC 6901). */
  edit: Record<string, unknown>;
  at: string;
}

export type ClosedKind = Pick<Move, "kind" | "label" | "verbs">;

/** A missing value of a reading. `word` is the parameter or the label of the draw. */
export interface Want {
  kind: string;
  word: string;
  /** For dice and lists: the number of values already there. */
  count?: number;
}

export type Standing = "complete" | "choose" | "incomplete";

/** One possible meaning of a line. */
export interface Reading {
  /** The key of the reading, stable while the line grows. */
  key: string;
  seat: string | undefined;
  move: Move;
  request: ActionRequest;
  /** "choose": complete, but Enter takes the reading only after a choice. */
  standing: Standing;
  wants: Want[];
  /** The filled values, for people: names, amounts, dice. */
  filled: Filled[];
  /** 3 exact, 2 prefix, 1 similar, 0 no verb. */
  verb: number;
  /** True if the line names the actor's seat. */
  named: boolean;
  /** True if the game waits for the action. */
  due: boolean;
}

export interface Filled {
  kind: "seat" | "amount" | "dice" | "name" | "card" | "text" | "legs";
  text: string;
  value: unknown;
  /** True for a number of things, rounds or minutes: no money. */
  counts?: boolean;
}

export interface Resolution {
  readings: Reading[];
  /** The reading that Enter performs: the best complete reading, if no other is as good. */
  best: Reading | null;
  /** The position from which the line makes no sense; its length if all makes sense. */
  sound: number;
  /** Kinds that the line names and that are not open now, with the meant seat. */
  closed: { kind: ClosedKind; seat: string | undefined }[];
  /** The seat that the line has pay itself. */
  alone?: string;
}

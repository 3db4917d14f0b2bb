// What the resolver is told of a game, and what it answers. Plain data: nothing here asks the service.
import type { ActionRequest, Entry, Language, Move, Names, Seat, SeatMoves } from "../api/types";

export type SeatFacts = Pick<Seat, "seat" | "letter" | "name">;

/** What the resolver knows. */
export interface Scene {
  moves: SeatMoves[];
  seats: SeatFacts[];
  /** Whose turn it is. */
  turn: string | null;
  /** The names of everything, in one language or in both. */
  names: Names[];
  /** The language of the page, for what is shown; English if left out. */
  language?: Language;
  /** The seat of a banker who plays, for "me". */
  me?: string | null;
  /** The last kinds, the latest first. */
  recent?: string[];
  /** Moves that throw dice, as they were when a seat had them last: a throw may be typed before the turn before it ended. */
  throws?: Move[];
  /** What a complete action still lacks, as the service said of it, by the action's JSON. */
  needs?: Record<string, Lack[]>;
  /** The JSON Schemas of the parameters of kinds, as far as they were fetched. */
  schemas?: Record<string, Record<string, unknown>>;
  /** Kinds of the catalogue, for what no seat may do now. */
  kinds?: ClosedKind[];
  /** The line that an amendment is of. */
  amended?: Entry | null;
}

export interface Lack {
  kind: "die" | "card" | "answer";
  label: string;
  deck: string | null;
  count: number;
  /** The whole action with nulls for what lacks, and the place of the first of them (RFC 6901). */
  edit: Record<string, unknown>;
  at: string;
}

export type ClosedKind = Pick<Move, "kind" | "label" | "verbs">;

/** What is missing in a reading. `word` is the parameter or the label of the draw. */
export interface Want {
  kind: string;
  word: string;
  /** For dice and lists: how many are there already. */
  count?: number;
}

export type Standing = "complete" | "choose" | "incomplete";

/** One thing that a line may mean. */
export interface Reading {
  /** The same reading keeps its key while the line grows. */
  key: string;
  seat: string | undefined;
  move: Move;
  request: ActionRequest;
  /** "choose": complete, but Enter takes it only after it was chosen. */
  standing: Standing;
  wants: Want[];
  /** What was filled in, for people: names, amounts, dice. */
  filled: Filled[];
  /** 3 exact, 2 prefix, 1 similar, 0 no verb. */
  verb: number;
  /** Whether the line names the seat whose action it is. */
  named: boolean;
  /** Whether the game waits for it. */
  due: boolean;
}

export interface Filled {
  kind: "seat" | "amount" | "dice" | "name" | "card" | "text" | "legs";
  text: string;
  value: unknown;
}

export interface Resolution {
  readings: Reading[];
  /** The one that Enter performs: the best complete one, if no other is as good. */
  best: Reading | null;
  /** Where the line stops making sense; its length if it does not. */
  sound: number;
  /** Kinds that the line names and that are not open now, with the seat that was meant. */
  closed: { kind: ClosedKind; seat: string | undefined }[];
}

// Short names for the shapes of the API, from the types generated from its description.
import type { components } from "./schema";

type Schemas = components["schemas"];

export type Entry = Schemas["EntryFacts"];
export type EventLine = Schemas["EventFacts"];
export type Posting = Schemas["PostingView"];
export type Effect = Schemas["Effect"];
export type Way = Schemas["Way"];
export type Move = Schemas["MoveFacts"];
export type FreeParameter = Schemas["FreeParameter"];
export type MoveOption = Schemas["Option"];
export type Draw = Schemas["WantedDraw"];
export type Obstacle = Schemas["ObstacleFacts"];
/** The moves of one seat; without `seat`, the banker's moves for no seat. */
export type SeatMoves = { seat?: string; moves: Move[] };
export type GameState = Schemas["GameState"];
export type Seat = Schemas["SeatView"];
export type Standing = Schemas["StandingView"];
export type Awaited = Schemas["AwaitedView"];
export type Clock = Schemas["ClockView"];
export type Display = Schemas["Display"];
export type Board = Schemas["GameBoard"];
export type BoardPlace = Schemas["BoardPlace"];
export type Obligation = Schemas["ObligationView"];
export type Names = Schemas["GlossaryView"];
export type Agreement = Schemas["AgreementFacts"];
export type Preview = Schemas["Preview"];
export type Need = Schemas["NeedView"];
export type Dispute = Schemas["DisputeView"];
export type Ruling = Schemas["RulingView"];
export type LineTouches = Schemas["LineTouchesAnswer"];
export type Frame = Schemas["Frame"];
export type FrameSide = Schemas["FrameSide"];
export type ReplayIndex = Schemas["ReplayIndex"];
export type Rule = Schemas["RuleView"];
export type Kind = Schemas["ActionView"];
export type Statistics = Schemas["Statistics"];
export type Wealth = Schemas["Wealth"];
export type Summary = Schemas["GameSummary"];
export type Me = Schemas["Me"];
export type Problem = Schemas["ProblemDetails"];
export type Joined = Schemas["JoinedGame"];
export type Phrase = Schemas["Phrase"];
/** The name of an action: 57, or "60.1" for an action inserted by correction 60. */
export type ActionName = number | string;
export type Language = "en" | "fr";
export type Status = Entry["status"];

/** An action as sent to the service. */
export interface ActionRequest {
  kind: string;
  params?: Record<string, unknown>;
  seat?: string;
  override?: { reason: string };
  settle?: boolean;
  dry_run?: boolean;
}

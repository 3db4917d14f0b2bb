// Failures of a request, distinguished by the page's reaction.
import type { Problem } from "./types";

/** The base of all failures. `problem` has the sentence for people, if the service gave one. */
export class Failure extends Error {
  constructor(
    readonly problem: Problem,
    readonly status: number,
  ) {
    super(problem.detail);
    this.name = new.target.name;
  }
}
/** The rules or the shape refuse the request: never retried automatically (400, 403, 404, 409, 422). */
export class Refused extends Failure {}
/** The game went on since the preview (412). */
export class Stale extends Failure {}
/** The token is no longer in force (401). */
export class Gone extends Failure {}
/** The service asks to wait (429, 503) for a number of `seconds`. */
export class Busy extends Failure {
  constructor(
    problem: Problem,
    status: number,
    readonly seconds: number,
  ) {
    super(problem, status);
  }
}
/** No answer, or an answer that leaves open if the action was accepted (network, 5xx). */
export class Lost extends Failure {
  constructor(detail: string, status = 0) {
    super({ type: "/problems/internal-error", title: "", status, detail } as Problem, status);
  }
}

/** Build the failure of an answer. `body` is the content of the answer, if the content was JSON. */
export function failureOf(response: Response, body: unknown): Failure {
  const status = response.status;
  const problem = isProblem(body) ? body : undefined;
  if (problem === undefined) return new Lost(`HTTP ${status}`, status);
  if (status === 401) return new Gone(problem, status);
  if (status === 412) return new Stale(problem, status);
  if (status === 429 || status === 503) {
    return new Busy(problem, status, Number(response.headers.get("Retry-After") ?? 1) || 1);
  }
  return status >= 500 ? new Lost(problem.detail, status) : new Refused(problem, status);
}

function isProblem(body: unknown): body is Problem {
  return typeof body === "object" && body !== null && "detail" in body && "type" in body;
}

/** Tell if a preview is impossible only because the service throws or draws with the action itself. */
export function isAhead(fault: unknown): boolean {
  return fault instanceof Failure && fault.problem.type === "/problems/chance-ahead";
}

/** The refusal of a device on which the most actions wait already. */
export class TooMany extends Error {}

// Requests to the service: token, language and key of each request, and problems as exceptions.
import createClient, { type Client, type FetchResponse, type Middleware } from "openapi-fetch";
import type { paths } from "./schema";
import { health } from "./health.svelte";
import { failureOf, Lost } from "./problems";
import type { Language } from "./types";

/** The address of the API, from index.html. */
export const base = document.querySelector<HTMLMetaElement>('meta[name="api"]')?.content ?? "/api/v1";

const PREFIX = "/api/v1";
/** The time limits of an answer: a read is repeated after its limit; a write may have been stored. */
const LOOK_MS = 5_000;
const LONG_MS = 15_000;
/** Requests that go through a whole game take longer. */
const LONG = /\/(audit|export|replay|statistics|why)\b/;

export type Api = Client<paths>;

/** An open game, as far as requests need it. */
export interface GameClient {
  readonly id: string;
  readonly api: Api;
}

/** Create a client with a token. `speaks` gives the language of each request; `covered`: with the rights of a spectator. */
export function clientFor(token: string | null, speaks: () => Language, covered = false): Api {
  // The paths of the types begin with the base path.
  const client = createClient<paths>({ baseUrl: base.slice(0, -PREFIX.length) || location.origin, fetch: patient });
  const headers: Middleware = {
    onRequest({ request }) {
      if (token !== null) request.headers.set("Authorization", `Bearer ${token}`);
      request.headers.set("Accept-Language", speaks());
      if (covered) request.headers.set("View-As", "spectator");
      return request;
    },
  };
  client.use(headers);
  return client;
}

async function patient(request: Request): Promise<Response> {
  const looks = request.method === "GET" || (await request.clone().text()).includes('"dry_run":true');
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(), looks && !LONG.test(request.url) ? LOOK_MS : LONG_MS);
  try {
    const answer = await fetch(request, { signal: AbortSignal.any([request.signal, late.signal]) });
    health.busy = false;
    return answer;
  } catch (fault) {
    if (!late.signal.aborted) throw fault;
    health.busy = true;
    throw new DOMException("no answer came in time", "TimeoutError");
  } finally {
    // An answer that has begun may take its time.
    clearTimeout(timer);
  }
}

/** Return the content of an answer. Throws a `Failure`; an abort by the caller is thrown as it is. */
export async function data<T extends Record<string | number, unknown>, O, M extends `${string}/${string}`>(
  response: Promise<FetchResponse<T, O, M>>,
): Promise<NonNullable<FetchResponse<T, O, M>["data"]>> {
  return (await answered(response)).data;
}

/** Read the version of the game from an answer's entity tag: `W/"57-9f86d081884c-…"`. */
export function versionOf(response: Response): number {
  return Number(/^W\/"(\d+)/.exec(response.headers.get("ETag") ?? "")?.[1]);
}

/** Return the content of an answer, as `data` does, with the headers. */
export async function answered<T extends Record<string | number, unknown>, O, M extends `${string}/${string}`>(
  response: Promise<FetchResponse<T, O, M>>,
): Promise<{ data: NonNullable<FetchResponse<T, O, M>["data"]>; response: Response }> {
  let answer: FetchResponse<T, O, M>;
  try {
    answer = await response;
  } catch (fault) {
    if (fault instanceof DOMException && fault.name === "AbortError") throw fault;
    throw new Lost(String(fault));
  }
  if (answer.error !== undefined || !answer.response.ok) throw failureOf(answer.response, answer.error);
  return { data: answer.data as NonNullable<FetchResponse<T, O, M>["data"]>, response: answer.response };
}

/** Create an Idempotency-Key: 128 random bits. */
export function freshKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

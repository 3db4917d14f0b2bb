// Requests to the service: the token, the language and the key of each, and problems as exceptions.
import createClient, { type Client, type FetchResponse, type Middleware } from "openapi-fetch";
import type { paths } from "./schema";
import { failureOf, Lost } from "./problems";
import type { Language } from "./types";

/** Where the API is: index.html says it. */
export const base = document.querySelector<HTMLMetaElement>('meta[name="api"]')?.content ?? "/api/v1";

const PREFIX = "/api/v1";
const PATIENCE_MS = 15_000;

export type Api = Client<paths>;

/** A client with this token. `speaks` gives the language of each request. */
export function clientFor(token: string | null, speaks: () => Language): Api {
  // The paths of the types begin with the base path.
  const client = createClient<paths>({ baseUrl: base.slice(0, -PREFIX.length) || location.origin, fetch: patient });
  const headers: Middleware = {
    onRequest({ request }) {
      if (token !== null) request.headers.set("Authorization", `Bearer ${token}`);
      request.headers.set("Accept-Language", speaks());
      return request;
    },
  };
  client.use(headers);
  return client;
}

async function patient(request: Request): Promise<Response> {
  return fetch(request, { signal: AbortSignal.any([request.signal, AbortSignal.timeout(PATIENCE_MS)]) });
}

/** The content of an answer. Throws a `Failure`; an abort by the caller is thrown as it is. */
export async function data<T extends Record<string | number, unknown>, O, M extends `${string}/${string}`>(
  asked: Promise<FetchResponse<T, O, M>>,
): Promise<NonNullable<FetchResponse<T, O, M>["data"]>> {
  let answer: FetchResponse<T, O, M>;
  try {
    answer = await asked;
  } catch (fault) {
    if (fault instanceof DOMException && fault.name === "AbortError") throw fault;
    throw new Lost(String(fault));
  }
  if (answer.error !== undefined || !answer.response.ok) throw failureOf(answer.response, answer.error);
  return answer.data as NonNullable<FetchResponse<T, O, M>["data"]>;
}

/** A fresh Idempotency-Key: 128 bits. */
export function freshKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

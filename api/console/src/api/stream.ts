// The live stream of a game: read with `fetch`, because an EventSource cannot send a token.
import { base } from "./client";
import { MessageParser, type Message } from "./lines";
import type { Language } from "./types";

export type Link = "connecting" | "live" | "late" | "lost" | "closed";

export interface Following {
  game: string;
  token: string;
  language: Language;
  moves: boolean;
  /** What a message brings. Throwing reopens the stream from the last good id, with a whole state. */
  tell(message: Message): void;
  /** The time of the service, to the second, as soon as it answers: a heartbeat comes only after a silence. */
  clock(at: number): void;
  /** The hash of the entry of this number, where it is known: the service then notices that the journal is another one. */
  leaf(id: string): string | undefined;
  link(link: Link): void;
}

const SILENT_MS = 20_000;
const WAITS_S = [1, 2, 4, 8, 15];

/** Follow a game until `stop` of the result is called, or the token is in force no more. */
export function follow(asked: Following): { stop(): void; again(): void } {
  let last: string | null = null;
  let failures = 0;
  let stopped = false;
  let open: AbortController | null = null;
  let waiting: ReturnType<typeof setTimeout> | undefined;

  async function once(): Promise<void> {
    const cut = (open = new AbortController());
    let silence = setTimeout(() => cut.abort(), SILENT_MS);
    try {
      const query = new URLSearchParams({ with: asked.moves ? "state,moves" : "state", language: asked.language });
      const answer = await fetch(`${base}/games/${encodeURIComponent(asked.game)}/stream?${query}`, {
        headers: { Authorization: `Bearer ${asked.token}`, ...(last !== null && { "Last-Event-ID": known(last) }) },
        cache: "no-store",
        signal: cut.signal,
      });
      if (answer.status === 401 || answer.status === 404) return close();
      if (!answer.ok || answer.body === null) throw new Error(`HTTP ${answer.status}`);
      const date = Date.parse(answer.headers.get("Date") ?? "");
      if (!Number.isNaN(date)) asked.clock(date);
      const parser = new MessageParser();
      const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
      for (;;) {
        const { done, value } = await reader.read();
        if (done) break;
        clearTimeout(silence);
        silence = setTimeout(() => cut.abort(), SILENT_MS);
        for (const message of parser.push(value)) {
          if (message.event === "closed") return close();
          asked.tell(message);
          if (message.id !== "") last = message.id;
          if (failures !== 0 || message.event === "state") asked.link("live");
          failures = 0;
        }
      }
    } catch {
      // Whatever broke it: the stream is opened again below.
    } finally {
      clearTimeout(silence);
      cut.abort();
    }
    if (!stopped) {
      asked.link(failures === 0 ? "late" : "lost");
      const seconds = WAITS_S[Math.min(failures++, WAITS_S.length - 1)]!;
      waiting = setTimeout(() => void once(), seconds * (750 + Math.random() * 500));
    }
  }

  function known(id: string): string {
    const leaf = asked.leaf(id);
    return leaf ? `${id}-${leaf.slice(0, 12)}` : id;
  }

  function close(): void {
    stop();
    asked.link("closed");
  }

  function stop(): void {
    stopped = true;
    clearTimeout(waiting);
    open?.abort();
    window.removeEventListener("online", hurry);
    document.removeEventListener("visibilitychange", hurry);
  }

  /** Try at once what waits to be tried again. */
  function hurry(): void {
    if (stopped || failures === 0 || document.visibilityState === "hidden") return;
    clearTimeout(waiting);
    open?.abort();
    failures = Math.min(failures, 1);
    waiting = setTimeout(() => void once(), 0);
  }

  window.addEventListener("online", hurry);
  document.addEventListener("visibilitychange", hurry);
  asked.link("connecting");
  void once();
  return { stop, again: () => open?.abort() };
}

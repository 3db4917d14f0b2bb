// The live stream of a game: read with `fetch`, because an EventSource cannot send a token.
import { base } from "./client";
import { MessageParser, type Message } from "./lines";
import { takeSlot } from "./slots";
import type { Language } from "./types";

export type Link = "connecting" | "live" | "late" | "lost" | "closed";

export interface Following {
  game: string;
  token: string;
  /** True for the stream of a covered page, with the rights of a spectator. */
  covered: boolean;
  language: Language;
  moves: boolean;
  /** Take a message. Throwing reopens the stream from the last good id, with a whole state. */
  tell(message: Message): void;
  /** Take the time of the service, to the second, from the first answer: a heartbeat comes only after a silence. */
  clock(at: number): void;
  /** Return the hash of the entry with this number, if known: the service then notices a replaced journal. */
  leaf(id: string): string | undefined;
  /** Tell if a hidden page needs the stream. */
  needed(): boolean;
  /** Called now and then during sleep: the title of a hidden page names the player in turn. */
  glance(): void;
  link(link: Link): void;
}

const SILENT_MS = 20_000;
/** The time until a hidden page gives its stream back. */
const GRACE_MS = 5_000;
const GLANCE_EVERY_MS = 30_000;
/** A page in view again reports itself late unless a message came by then. */
const BACK_MS = 1_000;
/** Without a slot: the interval between looks, and the time limit of a look. */
const LOOK_EVERY_MS = 2_000;
const LOOK_MS = 1_000;
const WAITS_S = [1, 2, 4, 8, 15];

/**
 * Follow a game until `stop` of the result is called, or the token is no longer in force.
 *
 * A hidden page gives its connection back, and resumes from the last id when visible again. If other pages of the
 * browser hold all connections for streams, the page looks every two seconds.
 */
export function follow(feed: Following): { stop(): void; again(): void } {
  let last: string | null = null;
  let failures = 0;
  let stopped = false;
  let open: AbortController | null = null;
  let waiting: ReturnType<typeof setTimeout> | undefined;
  let hiding: ReturnType<typeof setTimeout> | undefined;
  let late: ReturnType<typeof setTimeout> | undefined;
  let asleep = false;
  let glances: ReturnType<typeof setInterval> | undefined;

  async function once(): Promise<void> {
    const cut = (open = new AbortController());
    const giveBack = await takeSlot();
    const look = giveBack === null ? setTimeout(() => cut.abort(), LOOK_MS) : undefined;
    let complete = false;
    let silence = setTimeout(() => cut.abort(), SILENT_MS);
    try {
      const query = new URLSearchParams({ with: feed.moves ? "state,moves" : "state", language: feed.language });
      const answer = await fetch(`${base}/games/${encodeURIComponent(feed.game)}/stream?${query}`, {
        headers: { Authorization: `Bearer ${feed.token}`, ...(feed.covered && { "View-As": "spectator" }), ...(last !== null && { "Last-Event-ID": resumeId(last) }) },
        cache: "no-store",
        signal: cut.signal,
      });
      if (answer.status === 401 || answer.status === 404) return close();
      if (!answer.ok || answer.body === null) throw new Error(`HTTP ${answer.status}`);
      const date = Date.parse(answer.headers.get("Date") ?? "");
      if (!Number.isNaN(date)) feed.clock(date);
      const parser = new MessageParser();
      const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
      for (;;) {
        const { done, value } = await reader.read();
        if (done) break;
        clearTimeout(silence);
        silence = setTimeout(() => cut.abort(), SILENT_MS);
        clearTimeout(late);
        for (const message of parser.push(value)) {
          if (message.event === "closed") return close();
          feed.tell(message);
          if (message.id !== "") last = message.id;
          if (failures !== 0 || message.event === "state") feed.link("live");
          failures = 0;
          // The presence message is the last one for newcomers.
          complete ||= message.event === "presence";
        }
        if (look !== undefined && complete) break;
      }
    } catch {
      // After any error the stream is opened again below.
    } finally {
      clearTimeout(silence);
      clearTimeout(look);
      cut.abort();
      giveBack?.();
    }
    // Another stream was begun, or none is needed.
    if (open !== cut) return;
    if (look !== undefined && complete) waiting = setTimeout(() => void once(), LOOK_EVERY_MS);
    else {
      feed.link(failures === 0 ? "late" : "lost");
      const seconds = WAITS_S[Math.min(failures++, WAITS_S.length - 1)]!;
      waiting = setTimeout(() => void once(), seconds * (750 + Math.random() * 500));
    }
  }

  function resumeId(id: string): string {
    const leaf = feed.leaf(id);
    return leaf ? `${id}-${leaf.slice(0, 12)}` : id;
  }

  function close(): void {
    stop();
    feed.link("closed");
  }

  function stop(): void {
    stopped = true;
    clearTimeout(hiding);
    clearInterval(glances);
    end();
    window.removeEventListener("online", hurry);
    document.removeEventListener("visibilitychange", turn);
    document.removeEventListener("resume", turn);
    document.removeEventListener("freeze", sleep);
  }

  /** Retry at once instead of waiting. */
  function hurry(): void {
    if (stopped || asleep || failures === 0 || document.visibilityState === "hidden") return;
    failures = Math.min(failures, 1);
    begin();
  }

  function end(): void {
    clearTimeout(waiting);
    clearTimeout(late);
    open?.abort();
    open = null;
  }

  function begin(): void {
    end();
    waiting = setTimeout(() => void once(), 0);
  }

  /** React to a page shown or hidden. */
  function turn(): void {
    clearTimeout(hiding);
    if (stopped) return;
    if (document.visibilityState === "hidden") hiding = setTimeout(() => feed.needed() || sleep(), GRACE_MS);
    else if (asleep) {
      asleep = false;
      clearInterval(glances);
      failures = 0;
      begin();
      late = setTimeout(() => feed.link("late"), BACK_MS);
    } else hurry();
  }

  function sleep(): void {
    asleep = true;
    end();
    clearInterval(glances);
    glances = setInterval(feed.glance, GLANCE_EVERY_MS);
  }

  window.addEventListener("online", hurry);
  document.addEventListener("visibilitychange", turn);
  document.addEventListener("resume", turn);
  document.addEventListener("freeze", sleep);
  feed.link("connecting");
  turn();
  void once();
  return { stop, again: () => open?.abort() };
}

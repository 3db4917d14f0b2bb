import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Message } from "./lines";
import { follow, type Link } from "./stream";

/** A service with answers from the test: each request of the stream waits in `asked`. */
class Service {
  asked: { url: string; lastEventId: string | null; say(text: string): void; break(): void; silent: AbortSignal }[] = [];
  status = 200;

  fetch = (url: string, { headers, signal }: { headers: Record<string, string>; signal: AbortSignal }): Promise<Response> => {
    if (this.status === 0) return Promise.reject(new TypeError("no network"));
    if (this.status !== 200) return Promise.resolve(new Response(null, { status: this.status }));
    let say!: (text: string) => void;
    let end!: () => void;
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        say = (text) => controller.enqueue(new TextEncoder().encode(text));
        end = () => controller.error(new Error("cut"));
        signal.addEventListener("abort", () => controller.error(new DOMException("aborted", "AbortError")));
      },
    });
    this.asked.push({ url, lastEventId: headers["Last-Event-ID"] ?? null, say, break: end, silent: signal });
    return Promise.resolve(new Response(body, { status: 200, headers: { Date: "Fri, 20 Nov 2026 20:00:07 GMT" } }));
  };
}

const entry = (id: number): string => `id: ${id}\nevent: entry\ndata: {"number":${id}}\n\n`;

describe("following a game", () => {
  let service: Service;
  let heard: Message[];
  let links: Link[];
  let following: ReturnType<typeof follow>;
  let fails: boolean;
  const leaves = new Map<string, string>();
  let clocks: number[];
  let needed: boolean;
  let glances: number;

  beforeEach(() => {
    vi.useFakeTimers();
    service = new Service();
    heard = [];
    links = [];
    fails = false;
    leaves.clear();
    clocks = [];
    needed = false;
    glances = 0;
    vi.stubGlobal("fetch", service.fetch);
    following = follow({
      game: "g1",
      token: "secret",
      covered: false,
      language: "fr",
      moves: true,
      tell: (message) => {
        if (fails) throw new Error("a patch of another state");
        heard.push(message);
      },
      clock: (at) => clocks.push(at),
      leaf: (id) => leaves.get(id),
      needed: () => needed,
      glance: () => void glances++,
      link: (link) => links.push(link),
    });
  });

  afterEach(() => {
    following.stop();
    seen("visible");
    vi.useRealTimers();
    vi.unstubAllGlobals();
  });

  const settle = (): Promise<unknown> => vi.advanceTimersByTimeAsync(1);

  function seen(state: DocumentVisibilityState): void {
    Object.defineProperty(document, "visibilityState", { value: state, configurable: true });
    document.dispatchEvent(new Event("visibilitychange"));
  }

  it("gives its connection back when nobody sees the page, and goes on at once when it is seen again", async () => {
    await settle();
    service.asked[0]!.say(entry(7));
    await settle();
    seen("hidden");
    await vi.advanceTimersByTimeAsync(4_900);
    expect(service.asked[0]!.silent.aborted).toBe(false);
    await vi.advanceTimersByTimeAsync(200);
    expect(service.asked[0]!.silent.aborted).toBe(true);
    await vi.advanceTimersByTimeAsync(600_000);
    expect(service.asked).toHaveLength(1);
    // Its title still names the player in turn.
    expect(glances).toBe(20);
    expect(links).not.toContain("late");
    seen("visible");
    await settle();
    expect(service.asked[1]!.lastEventId).toBe("7");
    service.asked[1]!.say(entry(8));
    await vi.advanceTimersByTimeAsync(5_000);
    expect(glances).toBe(20);
    expect(heard.map((message) => message.id)).toEqual(["7", "8"]);
    expect(links).not.toContain("late");
    expect(service.asked).toHaveLength(2);
  });

  it("says that it is late when the page is seen again and nothing comes", async () => {
    await settle();
    service.asked[0]!.say(entry(7));
    await settle();
    document.dispatchEvent(new Event("freeze"));
    expect(service.asked[0]!.silent.aborted).toBe(true);
    document.dispatchEvent(new Event("resume"));
    await vi.advanceTimersByTimeAsync(1_100);
    expect(links.at(-1)).toBe("late");
  });

  it("stays for who looks away for a moment, and where it is needed unseen", async () => {
    await settle();
    service.asked[0]!.say(entry(7));
    seen("hidden");
    await vi.advanceTimersByTimeAsync(3_000);
    seen("visible");
    await vi.advanceTimersByTimeAsync(3_000);
    expect(service.asked[0]!.silent.aborted).toBe(false);
    needed = true;
    seen("hidden");
    await vi.advanceTimersByTimeAsync(10_000);
    expect(service.asked[0]!.silent.aborted).toBe(false);
    expect(service.asked).toHaveLength(1);
  });

  it("looks every two seconds while other pages have all connections of the streams", async () => {
    following.stop();
    const held = new Set(["mabligop-stream-0", "mabligop-stream-1", "mabligop-stream-2", "mabligop-stream-3"]);
    vi.stubGlobal("navigator", {
      locks: {
        request: async (name: string, _: object, use: (lock: object | null) => unknown) => use(held.has(name) ? null : { name }),
      },
    });
    following = follow({ game: "g1", token: "secret", covered: true, language: "en", moves: false, tell: (message) => heard.push(message), clock: () => {}, leaf: () => undefined, needed: () => false, glance: () => {}, link: (link) => links.push(link) });
    await settle();
    const here = "id: 7\nevent: presence\ndata: {}\n\n";
    service.asked[1]!.say("id: 7\nevent: state\ndata: {}\n\n" + here);
    await settle();
    expect(service.asked[1]!.silent.aborted).toBe(true);
    expect(links.at(-1)).toBe("live");
    await vi.advanceTimersByTimeAsync(2_000);
    expect(service.asked[2]!.lastEventId).toBe("7");
    // A look that hears nothing ends by itself.
    await vi.advanceTimersByTimeAsync(1_100);
    expect(service.asked[2]!.silent.aborted).toBe(true);
    expect(links.at(-1)).toBe("late");
    held.clear();
    await vi.advanceTimersByTimeAsync(2_000);
    service.asked[3]!.say(here);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(service.asked[3]!.silent.aborted).toBe(false);
    expect(service.asked).toHaveLength(4);
  });

  it("learns the time of the service from its answer", async () => {
    await settle();
    expect(clocks).toEqual([Date.parse("2026-11-20T20:00:07Z")]);
  });

  it("says of which journal the last entry was, where it knows", async () => {
    await settle();
    leaves.set("5", "0123456789abcdef".repeat(4));
    service.asked[0]!.say(entry(5));
    await settle();
    service.asked[0]!.break();
    await vi.advanceTimersByTimeAsync(2000);
    expect(service.asked[1]!.lastEventId).toBe("5-0123456789ab");
  });

  it("comes back with the last id after a break, and misses nothing", async () => {
    await settle();
    expect(service.asked[0]!.url).toContain("/games/g1/stream?with=state%2Cmoves&language=fr");
    expect(service.asked[0]!.url).not.toContain("secret");
    service.asked[0]!.say('id: 4\nevent: state\ndata: {"state":{}}\n\n' + entry(5));
    await settle();
    expect(links).toEqual(["connecting", "live"]);
    service.asked[0]!.break();
    await vi.advanceTimersByTimeAsync(2000);
    expect(service.asked[1]!.lastEventId).toBe("5");
    service.asked[1]!.say(entry(6));
    await settle();
    expect(heard.map((message) => message.id)).toEqual(["4", "5", "6"]);
    expect(links.at(-1)).toBe("live");
  });

  it("takes 20 seconds of silence for a break", async () => {
    await settle();
    service.asked[0]!.say(entry(1));
    await vi.advanceTimersByTimeAsync(19_900);
    expect(service.asked[0]!.silent.aborted).toBe(false);
    await vi.advanceTimersByTimeAsync(3000);
    expect(service.asked).toHaveLength(2);
  });

  it("waits longer and longer while the service is gone, and hurries when the device is online again", async () => {
    service.status = 0;
    await settle();
    service.asked[0]!.break();
    await vi.advanceTimersByTimeAsync(40_000);
    expect(links.at(-1)).toBe("lost");
    service.status = 200;
    window.dispatchEvent(new Event("online"));
    await settle();
    expect(service.asked).toHaveLength(2);
  });

  it("asks for the last good message again when one could not be taken", async () => {
    await settle();
    service.asked[0]!.say(entry(1));
    await settle();
    fails = true;
    service.asked[0]!.say(entry(2));
    await settle();
    fails = false;
    await vi.advanceTimersByTimeAsync(2000);
    expect(service.asked[1]!.lastEventId).toBe("1");
  });

  it("ends when the token is in force no more", async () => {
    await settle();
    service.asked[0]!.say("id: 1\nevent: closed\ndata: {}\n\n");
    await vi.advanceTimersByTimeAsync(60_000);
    expect(links.at(-1)).toBe("closed");
    expect(service.asked).toHaveLength(1);
  });

  it("ends when the service does not know the token any more", async () => {
    await settle();
    service.status = 401;
    service.asked[0]!.break();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(links.at(-1)).toBe("closed");
  });
});

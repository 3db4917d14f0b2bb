import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Message } from "./lines";
import { follow, type Link } from "./stream";

/** A service whose answers the test gives: each request of the stream waits in `asked`. */
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

  beforeEach(() => {
    vi.useFakeTimers();
    service = new Service();
    heard = [];
    links = [];
    fails = false;
    leaves.clear();
    clocks = [];
    vi.stubGlobal("fetch", service.fetch);
    following = follow({
      game: "g1",
      token: "secret",
      language: "fr",
      moves: true,
      tell: (message) => {
        if (fails) throw new Error("a patch of another state");
        heard.push(message);
      },
      clock: (at) => clocks.push(at),
      leaf: (id) => leaves.get(id),
      link: (link) => links.push(link),
    });
  });

  afterEach(() => {
    following.stop();
    vi.useRealTimers();
    vi.unstubAllGlobals();
  });

  const settle = (): Promise<unknown> => vi.advanceTimersByTimeAsync(1);

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

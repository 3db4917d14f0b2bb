// One open game, seen with one credential: state, moves and presence from the stream, and acting.
import { getContext, setContext } from "svelte";
import { answered, clientFor, data, freshKey, versionOf, type Api } from "../api/client";
import type { Message } from "../api/lines";
import { follow, type Link } from "../api/stream";
import type { ActionRequest, Board, Entry, GameState, Move, Names, Seat, SeatMoves, Standing } from "../api/types";
import { speaking } from "../i18n/language.svelte";
import { Catalogue } from "./catalogue.svelte";
import { Entries } from "./entries.svelte";
import { withReleases } from "./names";
import { patched } from "./patch";
import type { Credential } from "./session.svelte";
import { session } from "./session.svelte";

export interface Presence {
  banker: boolean;
  seats: Record<string, boolean>;
  spectators: number;
  /** The start of the absence of once connected seats: a phone in a pocket, a hidden tab. */
  left: Record<string, string>;
}

const CONTEXT = Symbol("game");

export class Game {
  readonly id: string;
  readonly api: Api;
  readonly entries: Entries;
  /** A listener to every message of the stream: its kind and its content. */
  ear?: (event: string, content: unknown) => void;
  readonly catalogue: Catalogue;

  /** The version on the page: the version of the last message. */
  version = $state(0);
  state = $state.raw<GameState | null>(null);
  /** The moves visible to the credential: of all seats for a banker. */
  moves = $state.raw<SeatMoves[]>([]);
  presence = $state.raw<Presence | null>(null);
  link = $state<Link>("connecting");
  /** The start of the stream's break (milliseconds of the device's clock); null while live. */
  lostSince = $state<number | null>(null);
  /** The service's clock less the device's, in milliseconds. */
  skew = $state(0);
  #named = $state.raw<Names | null>(null);
  readonly names = $derived(withReleases(this.#named, this.state?.obligations ?? []));
  board = $state.raw<Board | null>(null);
  title = $state("");
  /** The newest own line, as long as a page offers to undo it. */
  acted = $state.raw<Entry | null>(null);

  #stream: ReturnType<typeof follow> | null = null;
  /** Ends after all requested names were read. */
  #naming: Promise<unknown> = Promise.resolve();

  readonly credential: Credential;

  /** `covered`: with the rights of a spectator, whatever the credential, and without a seat. */
  constructor(
    credential: Credential,
    readonly covered = false,
  ) {
    this.credential = covered ? { ...credential, role: "spectator" } : credential;
    this.id = credential.game;
    this.title = credential.title;
    this.api = clientFor(credential.token, () => speaking.now, covered);
    this.entries = new Entries(this);
    this.catalogue = new Catalogue(this.api, credential.rulebook, credential.game);
  }

  /** The seats in the order of turns, and by id. */
  seats = $derived<Seat[]>(this.state?.seats ?? []);
  seatsById = $derived(new Map(this.seats.map((seat) => [seat.seat, seat])));
  standings = $derived(new Map<string, Standing>((this.state?.standings ?? []).map((standing) => [standing.seat, standing])));
  /** The seat of the credential; null for a banker and the wall. */
  get me(): string | null {
    return this.covered ? null : (this.credential.seat ?? null);
  }

  get isBanker(): boolean {
    return this.credential.role === "banker";
  }

  ended = $derived(this.state?.status === "ended");
  /** The seat in turn. A turn whose time is over is over, although its end is written with the next entry only. */
  turn = $derived.by<string | null>(() => {
    const { due, turn } = this.state ?? {};
    return due ? ((due.then?.turn as string | undefined) ?? null) : (turn?.seat ?? null);
  });
  due = $derived(this.moves.flatMap((seat) => seat.moves.filter((move) => move.rank === "due").map((move) => ({ seat: seat.seat, move }))));

  seat(id: string | null | undefined): Seat | undefined {
    return id ? this.seatsById.get(id) : undefined;
  }

  /** Return the moves of a seat; for `undefined` the banker's moves without a seat. */
  movesOf(seat: string | undefined): Move[] {
    return this.moves.find((seatMoves) => seatMoves.seat === seat)?.moves ?? [];
  }

  /**
   * Return the milliseconds until an instant (RFC 3339), by the time of the game: the service's clock may have been set
   * back.
   */
  until(instant: string, time = Date.now()): number {
    return Date.parse(instant) - (time + this.skew + (this.state?.ahead ?? 0) * 1000);
  }

  start(): void {
    void this.#readOnce();
    this.#follow();
  }

  stop(): void {
    this.#stream?.stop();
    this.#stream = null;
  }

  /** Read the stream and all fetched data again after a change of the language. */
  speakAgain(): void {
    this.stop();
    this.board = null;
    this.catalogue.clear();
    this.start();
  }

  /** Perform an action. Throws a `Failure`. `version` makes the action fail if the game went on (412). */
  async act(request: ActionRequest, { key = freshKey(), version }: { key?: string; version?: number } = {}): Promise<Entry> {
    const entry = await data(
      this.api.POST("/api/v1/games/{game}/actions", {
        params: { path: { game: this.id }, header: headers({ "Idempotency-Key": key, "If-Match": tag(version) }) },
        body: request as never,
      }),
    );
    return (this.acted = entry as unknown as Entry);
  }

  /**
   * Preview an action and its version. Throws a `Failure`, and `AbortError` after an abort. Due timed steps come before
   * the entry: its number does not give the version.
   */
  async preview(request: ActionRequest, signal?: AbortSignal): Promise<{ entry: Entry; version: number }> {
    const { data: entry, response } = await answered(
      this.api.POST("/api/v1/games/{game}/actions", {
        params: { path: { game: this.id } },
        body: { ...request, dry_run: true } as never,
        ...(signal && { signal }),
      }),
    );
    return { entry: entry as unknown as Entry, version: versionOf(response) };
  }

  async #readOnce(): Promise<void> {
    const path = { params: { path: { game: this.id } } };
    await Promise.allSettled([
      this.#readNames(),
      data(this.api.GET("/api/v1/games/{game}/board", path)).then((board) => (this.board = board as unknown as Board)),
      data(this.api.GET("/api/v1/games/{game}", path)).then((summary) => (this.title = summary.title)),
      this.entries.start(),
    ]);
  }

  /** Read the names: at the start, and for each line about something unnamed, because names may grow with the game. */
  #readNames(isNeeded: () => boolean = () => true): Promise<unknown> {
    // One after the other: names in a pending answer are not requested again.
    return (this.#naming = this.#naming.then(async () => {
      if (!isNeeded()) return;
      this.#named = (await data(
        this.api.GET("/api/v1/games/{game}/names", { params: { path: { game: this.id } } }),
      )) as unknown as Names;
    }).catch(() => undefined));
  }

  #follow(): void {
    this.#stream = follow({
      game: this.id,
      token: this.credential.token,
      covered: this.covered,
      language: speaking.now,
      moves: this.credential.role !== "spectator",
      tell: (message) => this.#hear(message),
      clock: (at) => this.#learn(at),
      // A page with a part in shared throws answers even while hidden.
      needed: () => this.ear !== undefined,
      glance: () => void this.#glance(),
      leaf: (id) => this.entries.byName.get(id)?.receipt.leaf,
      link: (link) => this.#linked(link),
    });
  }

  /** Read the due moves of the seat while the stream sleeps. */
  async #glance(): Promise<void> {
    if (this.me === null) return;
    const read = this.api.GET("/api/v1/games/{game}/moves", { params: { path: { game: this.id } } });
    const answer = await data(read).catch(() => null);
    if (answer) this.moves = movesIn(answer as unknown as Record<string, unknown>, this.me);
  }

  #linked(link: Link): void {
    if (link === "live") this.lostSince = null;
    else if (this.lostSince === null && (link === "late" || link === "lost")) this.lostSince = Date.now();
    this.link = link;
    // The device was replaced: its token opens nothing any more.
    if (link === "closed") session.forget(this.id, this.credential.token);
  }

  /** Set the service's clock, to the second: better knowledge stays. */
  #learn(at: number): void {
    const skew = at + 500 - Date.now();
    if (Math.abs(skew - this.skew) > 1000) this.skew = skew;
  }

  #hear({ event, data: raw, id }: Message): void {
    const content = raw as Record<string, unknown>;
    if (event === "state") this.#hearState(content);
    else if (event === "moves") this.moves = movesIn(content, this.me);
    else if (event === "entry") {
      const entry = content as unknown as Entry;
      this.entries.add(entry);
      void this.#readNames(() => this.#isNew(entry));
    } else if (event === "rewritten") void this.entries.rewritten(content.numbers as number[]);
    else if (event === "gap") void this.entries.anew();
    else if (event === "presence") this.presence = content as unknown as Presence;
    else if (event === "heartbeat") this.skew = Date.parse(content.at as string) - Date.now();
    if (id !== "") this.version = Number(id);
    // Lines may have come between the first page of the journal and the beginning of the stream.
    if (event === "state") this.entries.reach(this.version).catch(() => undefined);
    this.ear?.(event, raw);
  }

  #hearState(content: Record<string, unknown>): void {
    if ("state" in content) this.state = content.state as GameState;
    else if (this.state === null || content.since !== this.state.version) throw new Error("a patch of another state");
    else this.state = patched(this.state, content.patch);
  }

  /** Tell if an entry is about an account or a commodity without a name yet. */
  #isNew(entry: Entry): boolean {
    if (this.#named === null) return true;
    const { accounts, commodities } = this.#named;
    return entry.effects.some((effect) => !(effect.account in accounts) || !(effect.commodity in commodities));
  }
}

function movesIn(content: Record<string, unknown>, me: string | null): SeatMoves[] {
  if (Array.isArray(content.seats)) return content.seats as SeatMoves[];
  return [{ seat: (content.seat as string | undefined) ?? me ?? undefined, moves: content.moves as Move[] }];
}

function tag(version: number | undefined): string | undefined {
  return version === undefined ? undefined : `W/"${version}"`;
}

function headers<T extends Record<string, string | undefined>>(all: T): T {
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined)) as T;
}

/** Hand the game down to the components of its page. */
export function provideGame(game: () => Game): void {
  setContext(CONTEXT, game);
}

/**
 * Return the game of the page. Call it during the creation of a component; read the result's value in markup and
 * effects.
 */
export function theGame(): Game {
  return getContext<() => Game>(CONTEXT)();
}

/** Return the game of the page, or null on pages outside of a game. */
export function theGameIfAny(): Game | null {
  return getContext<(() => Game) | undefined>(CONTEXT)?.() ?? null;
}

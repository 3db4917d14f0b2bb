// The invitations and keys of a game, for its banker. Codes are told once, so the page keeps those that it has made.
import { SvelteMap } from "svelte/reactivity";
import { clientFor, data } from "../api/client";
import type { components } from "../api/schema";
import type { Game } from "../game/game.svelte";
import { session } from "../game/session.svelte";
import { speaking } from "../i18n/language.svelte";
import { Retry } from "./retry";

export type Invited = components["schemas"]["InvitationView"];
export type Code = components["schemas"]["InvitationCreated"];
export type Token = components["schemas"]["IssuedToken"];
/** Whom an invitation is for: a seat, a wall, or a second desk. */
export type Target = { seat: string } | { role: "banker" | "spectator" };

/** Codes by invitation, as long as the page is loaded. They are kept nowhere else. */
const codes = new SvelteMap<string, Code>();

export class Invitations {
  open = $state.raw<Invited[]>([]);
  tokens = $state.raw<Token[]>([]);
  read = $state(false);

  #path: { params: { path: { game: string } } };
  #retries = new Map<string, Retry>();

  constructor(private readonly game: Game) {
    this.#path = { params: { path: { game: game.id } } };
  }

  /** When the game was made: its first keys are as old. Those of seats nobody has ever held. */
  #began = $derived(this.tokens.map((token) => token.created_at).sort()[0] ?? "");

  async load(): Promise<void> {
    const [invitations, tokens] = await Promise.all([
      data(this.game.api.GET("/api/v1/games/{game}/invitations", this.#path)),
      data(this.game.api.GET("/api/v1/games/{game}/tokens", this.#path)),
    ]);
    this.open = invitations.invitations;
    this.tokens = tokens.tokens;
    this.read = true;
  }

  codeOf(invitation: Invited): Code | undefined {
    return codes.get(invitation.id);
  }

  /** The newest open invitation of a target. */
  openFor(target: Target): Invited | undefined {
    return this.open.findLast((invitation) => ("seat" in target ? invitation.seat === target.seat : invitation.role === target.role));
  }

  /** The key that a seat's device holds; none as long as nobody joined. */
  heldBy(seat: string): Token | undefined {
    return this.tokens.find((token) => token.seat === seat && token.revoked_at === null && token.created_at !== this.#began);
  }

  /** The keys that devices hold: not those that were let go when the game was made. */
  get held(): Token[] {
    return this.tokens.filter((token) => token.revoked_at === null && (token.yours || token.created_at !== this.#began));
  }

  async invite(target: Target): Promise<Code> {
    const name = JSON.stringify(target);
    const retry = this.#retries.get(name) ?? new Retry();
    this.#retries.set(name, retry);
    const created = await data(
      this.game.api.POST("/api/v1/games/{game}/invitations", {
        params: { ...this.#path.params, header: { "Idempotency-Key": retry.keyFor(target) } },
        body: target,
      }),
    );
    retry.done();
    codes.set(created.id, created);
    await this.load();
    return created;
  }

  async withdraw(invitation: Invited): Promise<void> {
    const params = { path: { game: this.game.id, invitation: invitation.id } };
    await data(this.game.api.DELETE("/api/v1/games/{game}/invitations/{invitation}", { params }));
    codes.delete(invitation.id);
    await this.load();
  }

  async revoke(token: Token): Promise<void> {
    const params = { path: { game: this.game.id, token: token.id } };
    await data(this.game.api.DELETE("/api/v1/games/{game}/tokens/{token}", { params }));
    await this.load();
  }

  /** Play a seat on this device, too: an invitation that this device takes itself. */
  async playHere(seat: string): Promise<void> {
    const { code } = await this.invite({ seat });
    const api = clientFor(null, () => speaking.now);
    session.keep(await data(api.POST("/api/v1/join", { body: { code } })));
    await this.load();
  }
}

// The invitations and keys of a game, for its banker. A code is sent once, so the page keeps its own codes.
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
/** The target of an invitation: a seat, a wall, or a second desk. */
export type Target = { seat: string } | { role: "banker" | "spectator" };

/** Codes by invitation, as long as the page is loaded. They are stored nowhere else. */
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

  /** The creation of the game, and of its first keys. Nobody has ever held the first keys of seats. */
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

  /** Return the newest open invitation of a target. */
  openFor(target: Target): Invited | undefined {
    return this.open.findLast((invitation) => ("seat" in target ? invitation.seat === target.seat : invitation.role === target.role));
  }

  /** Return the key of a seat's device; undefined before anybody joined. */
  heldBy(seat: string): Token | undefined {
    return this.tokens.find((token) => token.seat === seat && token.revoked_at === null && token.created_at !== this.#began);
  }

  /** The keys on devices, without the dropped keys from the creation of the game. */
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

  /** Play a seat on this device, too: by an invitation that this device uses itself. */
  async playHere(seat: string): Promise<void> {
    const { code } = await this.invite({ seat });
    const api = clientFor(null, () => speaking.now);
    session.keep(await data(api.POST("/api/v1/join", { body: { code } })));
    await this.load();
  }
}

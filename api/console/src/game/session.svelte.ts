// What this device holds: the credentials of games, and preferences. Nothing of a game's content is kept.
import type { Joined } from "../api/types";

/**
 * A token of one game: whose it is. As `POST /join` answers, and made from `POST /games`. The key of the game's log came
 * with it, unless it was kept before such keys were told. `code` is the used code that it was changed for: it opens
 * nothing any more, but its link may be opened again. `demo` is which game of the demo it is of.
 */
export type Credential = Omit<Joined, "log"> & Partial<Pick<Joined, "log">> & { code?: string; demo?: "evening" | "finished" };

const PREFIX = "mabligop:";
const CHOSEN = "mabligop-as:";

class Session {
  /** Counts the changes of credentials, so that lists follow them. */
  #changes = $state(0);

  /** The credentials of a game on this device, the banker's first. */
  of(game: string): Credential[] {
    void this.#changes;
    try {
      const stored: unknown = JSON.parse(localStorage.getItem(PREFIX + game) ?? "[]");
      const all = (Array.isArray(stored) ? stored : [stored]).filter(isCredential).filter((credential) => credential.game === game);
      return all.sort((a, b) => ORDER.indexOf(a.role) - ORDER.indexOf(b.role));
    } catch {
      return [];
    }
  }

  /** The games of this device, the last joined first. */
  games(): Credential[][] {
    void this.#changes;
    const games: Credential[][] = [];
    for (let at = 0; at < localStorage.length; at++) {
      const key = localStorage.key(at)!;
      if (!key.startsWith(PREFIX)) continue;
      const credentials = this.of(key.slice(PREFIX.length));
      if (credentials.length > 0) games.push(credentials);
    }
    return games;
  }

  /** The credential that this code was changed for on this device, however the code is written. */
  openedBy(code: string): Credential | undefined {
    return this.games().flat().find((credential) => credential.code !== undefined && plain(credential.code) === plain(code));
  }

  /** Keep a credential. It takes the place of an earlier one of the same role and seat. */
  keep(credential: Credential): void {
    const others = this.of(credential.game).filter(
      (stored) => stored.role !== credential.role || stored.seat !== credential.seat,
    );
    this.#write(credential.game, [...others, credential]);
  }

  /** Erase one credential of a game, or all of them. */
  forget(game: string, token?: string): void {
    this.#write(
      game,
      token === undefined ? [] : this.of(game).filter((credential) => credential.token !== token),
    );
  }

  /** The credential that a page uses: one of the roles that the page is for, the one chosen last first. */
  credentialFor(game: string, roles: readonly Credential["role"][]): Credential | undefined {
    const fit = this.of(game).filter((credential) => roles.includes(credential.role));
    const chosen = sessionStorage.getItem(CHOSEN + game);
    return fit.find((credential) => nameOf(credential) === chosen) ?? fit[0];
  }

  /** Use this credential where several fit, as long as the tab is open. */
  choose(credential: Credential): void {
    sessionStorage.setItem(CHOSEN + credential.game, nameOf(credential));
    this.#changes++;
  }

  #write(game: string, credentials: Credential[]): void {
    if (credentials.length === 0) localStorage.removeItem(PREFIX + game);
    else localStorage.setItem(PREFIX + game, JSON.stringify(credentials));
    this.#changes++;
  }
}

const ORDER = ["banker", "player", "spectator"];

function plain(code: string): string {
  return code.replace(/[\s\-\u2010-\u2015]+/g, "").toUpperCase();
}

function nameOf(credential: Credential): string {
  return `${credential.role}:${credential.seat ?? ""}`;
}

function isCredential(value: unknown): value is Credential {
  return typeof value === "object" && value !== null && "token" in value && "role" in value && "game" in value;
}

export const session = new Session();

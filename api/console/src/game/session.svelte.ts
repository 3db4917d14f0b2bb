// The storage of this device: credentials of games, and preferences. No content of a game is stored.
import type { Joined } from "../api/types";

/**
 * A token of one game, for a role and seat. From the answer of `POST /join`, or built from `POST /games`. `log` is the
 * key of the game's log; credentials from before such keys have none. `code` is the used invitation code: the code
 * opens nothing any more, but its link may be opened again. `demo` names the game of the demo.
 */
export type Credential = Omit<Joined, "log"> & Partial<Pick<Joined, "log">> & { code?: string; demo?: "evening" | "finished" };

const PREFIX = "mabligop:";
const CHOSEN = "mabligop-as:";

class Session {
  /** The count of changes of credentials, so that lists follow. */
  #changes = $state(0);

  /** Return the credentials of a game on this device, the banker's first. */
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

  /** Return the games of this device, the last joined first. */
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

  /** Find the credential from this code on this device, in any spelling of the code. */
  openedBy(code: string): Credential | undefined {
    return this.games().flat().find((credential) => credential.code !== undefined && plain(credential.code) === plain(code));
  }

  /** Store a credential. It replaces an earlier credential of the same role and seat. */
  keep(credential: Credential): void {
    const others = this.of(credential.game).filter(
      (stored) => stored.role !== credential.role || stored.seat !== credential.seat,
    );
    this.#write(credential.game, [...others, credential]);
  }

  /** Erase one credential of a game, or all credentials. */
  forget(game: string, token?: string): void {
    this.#write(
      game,
      token === undefined ? [] : this.of(game).filter((credential) => credential.token !== token),
    );
  }

  /** Return the credential for a page: of one of the page's roles, the last chosen first. */
  credentialFor(game: string, roles: readonly Credential["role"][]): Credential | undefined {
    const fit = this.of(game).filter((credential) => roles.includes(credential.role));
    const chosen = sessionStorage.getItem(CHOSEN + game);
    return fit.find((credential) => nameOf(credential) === chosen) ?? fit[0];
  }

  /** Prefer this credential among several, as long as the tab is open. */
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

// The router: the path decides on the page; links inside the console change the path without loading.

import { pageChanged } from "./ui/touch/settling";

export interface Route {
  /** "home", "new", "join", or a page of a game: "desk", "journal", "play/pay", "accounts/player:ana"… */
  page: string;
  game: string | null;
  query: URLSearchParams;
  hash: string;
}

function read(): Route {
  const { pathname, search, hash } = location;
  const query = new URLSearchParams(search);
  const part = hash.slice(1);
  const [first, game, ...segments] = pathname.slice(1).split("/").map(decoded);
  if (first === "g" && game) return { page: segments.join("/").replace(/\/$/, ""), game, query, hash: part };
  return { page: first || "home", game: null, query, hash: part };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

class Router {
  route = $state.raw<Route>(read());
  #path = location.pathname;
  #entry = entryOf(history.state);
  /** The scroll positions of pages left, by their entries in the history. */
  #places = new Map<number, number[]>();

  constructor() {
    window.addEventListener("popstate", (event) => this.#turn(entryOf(event.state)));
    window.addEventListener("hashchange", () => this.reread());
    document.addEventListener("click", (event) => this.#follow(event));
  }

  /** Go to a path of the console, "/g/…/journal?seat=ana#57". */
  go(path: string, how: { replace?: boolean } = {}): void {
    const entry = how.replace ? this.#entry : Date.now();
    if (how.replace) history.replaceState({ entry }, "", path);
    else history.pushState({ entry }, "", path);
    this.#turn(entry);
  }

  reread(): void {
    this.route = read();
    pageChanged();
  }

  /** Show another entry of the history: a new page begins at its top, and a page left returns to its place. */
  #turn(entry: number): void {
    const [left, title] = [this.#path, document.querySelector("h1")];
    this.#places.set(this.#entry, scrollers().map((box) => box.scrollTop));
    const places = entry === this.#entry ? undefined : this.#places.get(entry);
    [this.#entry, this.#path] = [entry, location.pathname];
    this.reread();
    if (this.#path !== left) void this.#arrive(entry, title, places ?? []);
  }

  /** Scroll, and give the focus to the title of the page, as the page comes; whatever the reader does ends it. */
  async #arrive(entry: number, title: Element | null, places: number[]): Promise<void> {
    const hands = new AbortController();
    for (const kind of ["wheel", "touchstart", "keydown", "pointerdown"]) addEventListener(kind, () => hands.abort(), { signal: hands.signal, capture: true });
    for (let frame = 0; frame < FRAMES && entry === this.#entry && !hands.signal.aborted; frame++) {
      scrollers().forEach((box, at) => (box.scrollTop = places[at] ?? 0));
      const heading = document.querySelector("h1");
      if (heading !== title && (document.activeElement === document.body || document.activeElement?.matches("a"))) heading?.focus({ preventScroll: true });
      await new Promise(requestAnimationFrame);
    }
    hands.abort();
  }

  #follow(event: MouseEvent): void {
    if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey) return;
    const link = (event.target as Element | null)?.closest?.("a");
    if (!link || link.target || link.hasAttribute("download") || link.origin !== location.origin) return;
    // Files of the service (documentation, exports) are loaded as they are.
    if (!/^\/($|new$|join$|g\/)/.test(link.pathname)) return;
    event.preventDefault();
    this.go(link.pathname + link.search + link.hash);
  }
}

/** The frames in which a page gets its content. */
const FRAMES = 40;

function entryOf(state: unknown): number {
  return (state as { entry?: number } | null)?.entry ?? 0;
}

/** The window, and the part of a frame that scrolls. */
function scrollers(): Element[] {
  return [document.documentElement, document.querySelector("#main")].filter((box) => box !== null);
}

export const router = new Router();

/** Build the path of a page of a game. Parts are encoded, except the separators of `page`. */
export function pathOf(game: string, page = "", query?: Record<string, string>, hash?: string | number): string {
  const parts = page.split("/").map((part) => encodeURIComponent(part).replaceAll("%3A", ":"));
  const search = query && Object.keys(query).length > 0 ? `?${new URLSearchParams(query)}` : "";
  return `/g/${encodeURIComponent(game)}${page ? `/${parts.join("/")}` : ""}${search}${hash === undefined ? "" : `#${hash}`}`;
}

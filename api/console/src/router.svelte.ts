// The router: the path decides on the page; links inside the console change the path without loading.

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

  constructor() {
    window.addEventListener("popstate", () => this.reread());
    window.addEventListener("hashchange", () => this.reread());
    document.addEventListener("click", (event) => this.#follow(event));
  }

  /** Go to a path of the console, "/g/…/journal?seat=ana#57". */
  go(path: string, how: { replace?: boolean } = {}): void {
    if (how.replace) history.replaceState(null, "", path);
    else history.pushState(null, "", path);
    this.reread();
  }

  reread(): void {
    this.route = read();
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

export const router = new Router();

/** Build the path of a page of a game. Parts are encoded, except the separators of `page`. */
export function pathOf(game: string, page = "", query?: Record<string, string>, hash?: string | number): string {
  const parts = page.split("/").map((part) => encodeURIComponent(part).replaceAll("%3A", ":"));
  const search = query && Object.keys(query).length > 0 ? `?${new URLSearchParams(query)}` : "";
  return `/g/${encodeURIComponent(game)}${page ? `/${parts.join("/")}` : ""}${search}${hash === undefined ? "" : `#${hash}`}`;
}

// The rulebook's kinds of action, and the rules with the settings of the game, fetched on demand.
import { data, type Api } from "../api/client";
import type { Kind, Rule } from "../api/types";

export class Catalogue {
  #kinds: Promise<Kind[]> | null = null;
  #schemas = new Map<string, Promise<Kind>>();
  #rules = new Map<string, Promise<Rule>>();

  constructor(
    private readonly api: Api,
    readonly rulebook: string,
    private readonly game: string,
  ) {}

  /** Return all kinds of action with one request. */
  kinds(): Promise<Kind[]> {
    return (this.#kinds ??= data(
      this.api.GET("/api/v1/rulebooks/{rulebook}/actions", { params: { path: { rulebook: this.rulebook } } }),
    ).then((catalogue) => catalogue.actions as unknown as Kind[]));
  }

  /** Return one kind with the JSON Schema of its parameters. */
  kind(kind: string): Promise<Kind> {
    return this.#once(this.#schemas, kind, () =>
      data(
        this.api.GET("/api/v1/rulebooks/{rulebook}/actions/{kind}", {
          params: { path: { rulebook: this.rulebook, kind } },
        }),
      ).then((details) => details as unknown as Kind),
    );
  }

  /** Return a rule of the register, with its text. */
  rule(rule: string): Promise<Rule> {
    return this.#once(this.#rules, rule, () =>
      data(
        this.api.GET("/api/v1/games/{game}/rules/{rule}", { params: { path: { game: this.game, rule } } }),
      ).then((details) => details as unknown as Rule),
    );
  }

  /** Forget everything after a change of the language. */
  clear(): void {
    this.#kinds = null;
    this.#schemas.clear();
    this.#rules.clear();
  }

  #once<T>(cache: Map<string, Promise<T>>, name: string, ask: () => Promise<T>): Promise<T> {
    let pending = cache.get(name);
    if (!pending) {
      pending = ask();
      cache.set(name, pending);
      // A failed request is repeated next time.
      pending.catch(() => cache.delete(name));
    }
    return pending;
  }
}

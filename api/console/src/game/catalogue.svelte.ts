// What a rulebook says of its kinds of action and its rules, fetched when a form or a page needs it.
import { data, type Api } from "../api/client";
import type { Kind, Rule } from "../api/types";

export class Catalogue {
  #kinds: Promise<Kind[]> | null = null;
  #schemas = new Map<string, Promise<Kind>>();
  #rules = new Map<string, Promise<Rule>>();

  constructor(
    private readonly api: Api,
    readonly rulebook: string,
  ) {}

  /** All kinds of action, without their schemas' details being asked for one by one. */
  kinds(): Promise<Kind[]> {
    return (this.#kinds ??= data(
      this.api.GET("/api/v1/rulebooks/{rulebook}/actions", { params: { path: { rulebook: this.rulebook } } }),
    ).then((catalogue) => catalogue.actions as unknown as Kind[]));
  }

  /** One kind with the JSON Schema of its parameters. */
  kind(kind: string): Promise<Kind> {
    return this.#once(this.#schemas, kind, () =>
      data(
        this.api.GET("/api/v1/rulebooks/{rulebook}/actions/{kind}", {
          params: { path: { rulebook: this.rulebook, kind } },
        }),
      ).then((details) => details as unknown as Kind),
    );
  }

  /** A rule of the register, with its text. */
  rule(rule: string): Promise<Rule> {
    return this.#once(this.#rules, rule, () =>
      data(
        this.api.GET("/api/v1/rulebooks/{rulebook}/rules/{rule}", {
          params: { path: { rulebook: this.rulebook, rule } },
        }),
      ).then((details) => details as unknown as Rule),
    );
  }

  /** Forget everything, because the language changed. */
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
      // What failed is asked again next time.
      pending.catch(() => cache.delete(name));
    }
    return pending;
  }
}

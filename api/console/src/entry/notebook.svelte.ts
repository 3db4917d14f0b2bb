// Lines typed while the service was away, in order; and entries in repeated sending.

export class Notebook {
  /** Lines that wait for another look. */
  lines = $state.raw<string[]>([]);
  /** Entries without an answer yet, by their keys. */
  waiting = $state.raw<{ key: string; line: string }[]>([]);
  /** The line taken out for a look. */
  #current: string | null = null;

  constructor(private readonly game: string) {
    try {
      const stored: unknown = JSON.parse(sessionStorage.getItem(this.#name) ?? "[]");
      if (Array.isArray(stored)) this.lines = stored.filter((line) => typeof line === "string");
    } catch {
      // Unreadable: the notebook begins empty.
    }
  }

  add(line: string): void {
    this.#write([...this.lines, line]);
  }

  /** Take the first line for a look. The line stays noted until entered or removed. */
  take(): string {
    this.#current = this.lines[0] ?? null;
    return this.#current ?? "";
  }

  /** Settle the taken line after its entry. */
  settle(): void {
    if (this.#current !== null && this.lines[0] === this.#current) this.#write(this.lines.slice(1));
    this.#current = null;
  }

  /** Leave the taken line, cleared from the entry line: the line stays noted. */
  leave(): void {
    this.#current = null;
  }

  remove(at: number): void {
    this.#write(this.lines.toSpliced(at, 1));
  }

  wait(key: string, line: string): void {
    if (!this.waiting.some((entry) => entry.key === key)) this.waiting = [...this.waiting, { key, line }];
  }

  arrived(key: string): void {
    this.waiting = this.waiting.filter((entry) => entry.key !== key);
  }

  #write(lines: string[]): void {
    this.lines = lines;
    try {
      sessionStorage.setItem(this.#name, JSON.stringify(lines));
    } catch {
      // Without a storage the notebook lasts as long as the page.
    }
  }

  get #name(): string {
    return `mabligop-noted:${this.game}`;
  }
}

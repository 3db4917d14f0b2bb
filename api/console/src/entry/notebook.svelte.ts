// Lines that were typed while the service was away, in order; and entries that are being sent again.

export class Notebook {
  /** Lines that wait to be looked at again. */
  lines = $state.raw<string[]>([]);
  /** Entries without an answer yet, by their keys. */
  waiting = $state.raw<{ key: string; line: string }[]>([]);
  /** The line that was taken out to be looked at. */
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

  /** The first line, to be looked at. It stays noted until it is entered or taken back. */
  take(): string {
    this.#current = this.lines[0] ?? null;
    return this.#current ?? "";
  }

  /** The line that was taken out was entered. */
  settle(): void {
    if (this.#current !== null && this.lines[0] === this.#current) this.#write(this.lines.slice(1));
    this.#current = null;
  }

  /** The line that was taken out was cleared: it stays noted. */
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

// The receipts that this device keeps of a game: each a signed text, with the sentence of its line.
import type { ActionName } from "../api/types";

const PREFIX = "mabligop-receipts:";

export interface KeptReceipt {
  number: number;
  action: ActionName;
  sentence: string;
  at: string;
  /** The whole signed receipt. */
  written: string;
}

export class Receipts {
  list = $state.raw<readonly KeptReceipt[]>([]);

  constructor(private readonly game: string) {
    try {
      const stored: unknown = JSON.parse(localStorage.getItem(PREFIX + game) ?? "[]");
      if (Array.isArray(stored)) this.list = stored as KeptReceipt[];
    } catch {
      // Without a storage the list lasts as long as the page.
    }
  }

  has(number: number): boolean {
    return this.list.some((receipt) => receipt.number === number);
  }

  /** Keep a receipt, the newest first. */
  keep(receipt: KeptReceipt): void {
    this.#write([receipt, ...this.list.filter(({ number }) => number !== receipt.number)]);
  }

  drop(number: number): void {
    this.#write(this.list.filter((receipt) => receipt.number !== number));
  }

  #write(list: readonly KeptReceipt[]): void {
    this.list = list;
    try {
      localStorage.setItem(PREFIX + this.game, JSON.stringify(list));
    } catch {
      // See above.
    }
  }
}

const open = new Map<string, Receipts>();

/** Return the receipts of a game on this device. */
export function receiptsOf(game: string): Receipts {
  const receipts = open.get(game) ?? new Receipts(game);
  open.set(game, receipts);
  return receipts;
}

/** Return the text of a receipt's square: number, hash and key are enough for a check against the journal's export. */
export function squareOf(key: string, number: number, leaf: string): string {
  return [`${key}`, `${number}`, leaf].join("\n");
}

// Other parts of the page write into the entry line: a click on a move, a place, a line.

let write: ((text: string) => void) | null = null;

/** Put a text into the entry line and go there. Does nothing where the page has no entry line. */
export function fillEntry(text: string): void {
  write?.(text);
}

/** The entry line takes texts as long as it is in the page; call the result when it leaves. */
export function takeTexts(taker: (text: string) => void): () => void {
  write = taker;
  return () => {
    if (write === taker) write = null;
  };
}

// Writing into the entry line from other parts of the page: a click on a move, a square, a line.

let write: ((text: string) => void) | null = null;

/** Put a text into the entry line and go there. Does nothing on a page without an entry line. */
export function fillEntry(text: string): void {
  write?.(text);
}

/** Let the entry line take texts while on the page; call the result on leaving. */
export function takeTexts(taker: (text: string) => void): () => void {
  write = taker;
  return () => {
    if (write === taker) write = null;
  };
}

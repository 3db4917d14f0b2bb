// Whole things only: a box without room for all of its content goes down by levels until what is left has room.

/** The level at which everything is shown. */
export const FIRST = 0;

/** Set the least level, from 0, at which the content of a box fits: `data-level` of the box, for its styles. */
export function level(box: HTMLElement, most: number): void {
  const fits = (): boolean => box.scrollHeight <= box.clientHeight + 1 && box.scrollWidth <= box.clientWidth + 1;
  for (let at = FIRST; at <= most; at++) {
    box.dataset.level = String(at);
    if (fits()) return;
  }
}

/** Keep a box at its least level, whatever its size and its content become. */
export function levels(most: number): (box: HTMLElement) => () => void {
  return (box) => {
    const set = (): void => level(box, most);
    const sizes = new ResizeObserver(set);
    sizes.observe(box);
    // Levels are attributes, which are not watched.
    const texts = new MutationObserver(set);
    texts.observe(box, { childList: true, characterData: true, subtree: true });
    set();
    return () => (sizes.disconnect(), texts.disconnect());
  };
}

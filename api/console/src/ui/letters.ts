// Keys in forms. Letters in a group of buttons, as in a menu: a letter leads to the next button that begins with it.

const plain = (text: string): string => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();

/** Attach the letters to a group. A button with `data-letter` is pressed by its letter. */
export function markLetters(group: HTMLElement): () => void {
  function press(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || !/^\p{L}$/u.test(event.key)) return;
    const letter = plain(event.key);
    const buttons = [...group.querySelectorAll<HTMLButtonElement>("button")];
    const at = buttons.findIndex((button) => button === document.activeElement);
    const order = [...buttons.slice(at + 1), ...buttons.slice(0, at + 1)];
    const exact = order.find((button) => button.dataset.letter !== undefined && plain(button.dataset.letter) === letter);
    const next = exact ?? order.find((button) => plain(button.textContent.replace(/^\P{L}+/u, "")).startsWith(letter));
    if (!next) return;
    event.preventDefault();
    next.focus();
    if (exact) exact.click();
  }
  group.addEventListener("keydown", press);
  return () => group.removeEventListener("keydown", press);
}

/** Enter sends the form of a text, as everywhere; Shift and Enter begin a line. */
export function sendByEnter(event: KeyboardEvent & { currentTarget: HTMLTextAreaElement }): void {
  if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
  event.preventDefault();
  event.currentTarget.form?.requestSubmit();
}

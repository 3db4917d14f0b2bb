// The unit of drawings: a sixteenth of the page's text size, so that drawings grow with the text.

/** Return the pixels of a unit. */
export function unitOf(element: Element | undefined): number {
  const size = element ? parseFloat(getComputedStyle(element.ownerDocument.documentElement).fontSize) : 16;
  return (size || 16) / 16;
}

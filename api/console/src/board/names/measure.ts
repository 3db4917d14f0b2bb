// The widths of texts, measured in the letters of the page.
import type { Measure } from "./fitting";

/** Measure texts as an element writes them, in this weight; null where nothing can be drawn. */
export function measureIn(box: Element, weight: number): Measure | null {
  const pen = document.createElement("canvas").getContext?.("2d");
  if (!pen) return null;
  pen.font = `${weight} 100px ${getComputedStyle(box).fontFamily}`;
  const widths = new Map<string, number>();
  return (text) => {
    const width = widths.get(text) ?? pen.measureText(text).width / 100;
    widths.set(text, width);
    return width;
  };
}

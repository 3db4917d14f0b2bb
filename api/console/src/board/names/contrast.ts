// Black or white on a colour of a board, whichever is read better.

const linear = (part: number): number => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);

/** The luminance of a colour as #RRGGBB, 0 to 1 (WCAG 2). */
export function luminanceOf(colour: string): number {
  const [red, green, blue] = [1, 3, 5].map((at) => linear(parseInt(colour.slice(at, at + 2), 16) / 255));
  return 0.2126 * red! + 0.7152 * green! + 0.0722 * blue!;
}

/** The colour of text on a colour: one of both has a contrast of 4.5 on every colour. */
export function onColour(colour: string): "#000" | "#fff" {
  return (luminanceOf(colour) + 0.05) ** 2 > 1.05 * 0.05 ? "#000" : "#fff";
}

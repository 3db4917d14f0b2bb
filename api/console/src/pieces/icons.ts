// The sheet of icons: a picture, loaded beside the pages. Without it the names stand alone.
import sheet from "./icons.svg?url";

/** The address of the whole sheet. */
export const sheetHref = sheet;

/** Return the address of an icon for `use`; an unknown name draws nothing. */
export function iconHref(name: string): string {
  return `${sheet}#${name}`;
}

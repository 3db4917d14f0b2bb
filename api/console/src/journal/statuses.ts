// The states of a line, in words.
import { texts } from "../i18n/language.svelte";

export const statusTexts = texts(
  { effective: "in force", undone: "undone", restated: "played again", voided: "no longer possible" } as Record<string, string>,
  { effective: "en vigueur", undone: "annulée", restated: "rejouée", voided: "devenue impossible" },
);

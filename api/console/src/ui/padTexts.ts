import { texts } from "../i18n/language.svelte";

export const padTexts = texts({ pad: "Digits", erase: "Delete a digit", plus: "plus" }, { pad: "Chiffres", erase: "Effacer un chiffre", plus: "plus" });

import { texts } from "../i18n/language.svelte";

export const padTexts = texts({ erase: "Delete a digit", plus: "plus" }, { erase: "Effacer un chiffre", plus: "plus" });

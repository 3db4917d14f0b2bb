import { texts } from "../../i18n/language.svelte";

export const revisionTexts = texts(
  { title: "What you have was put right", dismiss: "Understood" },
  { title: "Vos avoirs ont été rectifiés", dismiss: "Compris" },
);

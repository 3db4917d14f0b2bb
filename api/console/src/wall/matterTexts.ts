import { texts } from "../i18n/language.svelte";

export const matterTexts = texts(
  {
    contests: (name: string) => `${name} contests`,
    answers: (name: string) => `${name} answers`,
    asked: "A correction is asked for.",
    card: (name: string | undefined) => (name ? `${name} draws a card` : "A card"),
  },
  {
    contests: (name: string) => `${name} conteste`,
    answers: (name: string) => `${name} répond`,
    asked: "Une correction est demandée.",
    card: (name: string | undefined) => (name ? `${name} tire une carte` : "Une carte"),
  },
);

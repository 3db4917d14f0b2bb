import { texts } from "../i18n/language.svelte";

export const middleTexts = texts(
  {
    middle: "The game now",
    round: (round: number) => `Round ${round}`,
    turnOf: (turn: number, count: number) => `turn ${turn} of ${count}`,
    dice: "The newest throw",
    correct: (sentence: string) => `Correct: ${sentence}`,
    further: (count: number) => `+ ${count} more`,
    dueNow: "Due now",
    onEmpty: "on an empty line",
    nothing: "Nothing is due.",
    dues: "What ends next",
    decks: "Decks",
    until: (end: string) => `until ${end}`,
    titles: (name: string) => `Titles of ${name}`,
  },
  {
    middle: "La partie maintenant",
    round: (round: number) => `Round ${round}`,
    turnOf: (turn: number, count: number) => `tour ${turn} sur ${count}`,
    dice: "Le dernier lancer",
    correct: (sentence: string) => `Corriger : ${sentence}`,
    further: (count: number) => (count > 1 ? `+ ${count} autres` : "+ 1 autre"),
    dueNow: "À faire",
    onEmpty: "sur une ligne vide",
    nothing: "Rien n'est dû.",
    dues: "Ce qui finit bientôt",
    decks: "Paquets",
    until: (end: string) => `jusqu'à ${end}`,
    titles: (name: string) => `Titres : ${name}`,
  },
);

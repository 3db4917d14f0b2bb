import { texts } from "../i18n/language.svelte";

export const againTexts = texts(
  {
    withTable: "Play again with this table",
    again: "Play again",
    lost: "No answer came. Try again: no game is laid twice.",
    locked: "This service asks for its own key: lay the table on the page “New game”.",
  },
  {
    withTable: "Rejouer avec cette table",
    again: "Rejouer",
    lost: "Aucune réponse. Réessayer : aucune partie n'est installée deux fois.",
    locked: "Ce service demande sa propre clé : installer la table à la page « Nouvelle partie ».",
  },
);

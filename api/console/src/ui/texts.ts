import { texts } from "../i18n/language.svelte";

export const uiTexts = texts(
  {
    close: "Close",
    loading: "Loading …",
    unloaded: "This page could not be loaded: the service does not answer.",
    again: "Try again",
    pages: "Pages of the list",
    newer: "Newer",
    older: "Older",
    previous: "Previous",
    next: "Next",
    hold: "keep pressed",
    sure: "This cannot be taken back.",
    yes: "Yes",
    notYet: "Not yet",
  },
  {
    close: "Fermer",
    loading: "Chargement …",
    unloaded: "Cette page n'a pas pu être chargée : le service ne répond pas.",
    again: "Réessayer",
    pages: "Pages de la liste",
    newer: "Plus récent",
    older: "Plus ancien",
    previous: "Précédente",
    next: "Suivante",
    hold: "rester appuyé",
    sure: "On ne pourra pas revenir dessus.",
    yes: "Oui",
    notYet: "Pas encore",
  },
);

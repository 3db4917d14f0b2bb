import { texts } from "../i18n/language.svelte";

export const coverTexts = texts(
  {
    why: "Money, cards, offers and drafts are not on this page. It shows what the wall shows.",
    peek: "Hold to peek",
    see: "Touch to see what it does. Closed, it is covered again.",
    alone: "Cover this device by itself: after a minute without touch, face down, or put away",
  },
  {
    why: "Argent, cartes, offres et brouillons ne sont pas sur cette page. Elle montre ce que montre le mur.",
    peek: "Tenir pour regarder",
    see: "Touchez pour voir l'effet. Une fois fermé, tout est de nouveau couvert.",
    alone: "Couvrir cet appareil tout seul : après une minute sans le toucher, face contre table, ou rangé",
  },
);

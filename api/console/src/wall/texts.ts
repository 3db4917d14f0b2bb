import { texts } from "../i18n/language.svelte";

export const wallTexts = texts(
  {
    wins: (names: string, n: number) => (n === 1 ? `${names} has won` : `${names} have won`),
    standings: "Standings",
    lines: "Last lines",
    waiting: "Waiting for",
    banker: "Banker",
    further: (n: number) => `and ${n} more`,
    join: "Join the game",
    joinHow: "Scan, then type the banker's code",
    joinHere: "Open this page by the computer's address in the network: then a square to scan stands here.",
    full: "Full screen",
    tools: "This page",
    setup: "The game has not begun",
  },
  {
    wins: (names: string, n: number) => (n === 1 ? `${names} a gagné` : `${names} ont gagné`),
    standings: "Classement",
    lines: "Dernières lignes",
    waiting: "On attend",
    banker: "Banquier",
    further: (n: number) => `et ${n} de plus`,
    join: "Rejoindre la partie",
    joinHow: "Scannez, puis tapez le code du banquier",
    joinHere: "Ouvrez cette page par l'adresse de l'ordinateur dans le réseau : un carré à scanner se trouvera ici.",
    full: "Plein écran",
    tools: "Cette page",
    setup: "La partie n'a pas commencé",
  },
);

import { texts } from "../i18n/language.svelte";

export const pieceTexts = texts(
  {
    die: (face: number) => `die: ${face}`,
    mortgaged: (name: string) => `${name}, mortgaged`,
    owner: (name: string) => `owner: ${name}`,
    pieces: (number: number) => `buildings: ${number}`,
    times: (number: number) => `${number} times`,
    faceDown: "card face down",
    left: (number: number) => `${number} left`,
    now: "now",
  },
  {
    die: (face: number) => `dé : ${face}`,
    mortgaged: (name: string) => `${name}, hypothéqué`,
    owner: (name: string) => `propriétaire : ${name}`,
    pieces: (number: number) => `constructions : ${number}`,
    times: (number: number) => `${number} fois`,
    faceDown: "carte face cachée",
    left: (number: number) => (number < 2 ? `reste ${number}` : `restent ${number}`),
    now: "maintenant",
  },
);

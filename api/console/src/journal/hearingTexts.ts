import { counted, texts } from "../i18n/language.svelte";

export const hearingTexts = texts(
  {
    more: (n: number, last: string) => `${counted(n, "new line", "new lines")}. The last: ${last}`,
    yourTurn: (move: string) => `Your turn: ${move}`,
  },
  {
    more: (n: number, last: string) => `${counted(n, "nouvelle ligne", "nouvelles lignes")}. La dernière : ${last}`,
    yourTurn: (move: string) => `À vous : ${move}`,
  },
);

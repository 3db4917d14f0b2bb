import { texts } from "../i18n/language.svelte";

export const boardTexts = texts(
  {
    board: "Board",
    list: "List",
    drawing: "Board",
    ownedBy: (name: string) => `owned by ${name}`,
    here: (names: string) => `here: ${names}`,
    price: (amount: string) => `price ${amount}`,
    rent: (amount: string) => `rent ${amount}`,
    perPip: (amount: string) => `${amount} × dice`,
    lift: (amount: string) => `${amount} to lift the mortgage`,
    until: (end: string) => `until ${end}`,
    round: (round: number) => `round ${round}`,
    hidden: (number: string, veil: string) => `${number} hidden: ${veil}`,
  },
  {
    board: "Plateau",
    list: "Liste",
    drawing: "Plateau",
    ownedBy: (name: string) => `à ${name}`,
    here: (names: string) => `ici : ${names}`,
    price: (amount: string) => `prix ${amount}`,
    rent: (amount: string) => `loyer ${amount}`,
    perPip: (amount: string) => `${amount} × dés`,
    lift: (amount: string) => `${amount} pour lever l'hypothèque`,
    until: (end: string) => `jusqu'à ${end}`,
    round: (round: number) => `round ${round}`,
    hidden: (number: string, veil: string) => `face cachée : ${number} (${veil})`,
  },
);

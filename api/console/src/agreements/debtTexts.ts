import { counted, texts } from "../i18n/language.svelte";
import { au } from "../i18n/quoting";

export const debtTexts = texts(
  {
    title: "Who owes whom",
    none: "Nobody owes anything.",
    youOwe: (creditor: string) => `You owe ${creditor}`,
    owes: (debtor: string, creditor: string) => `${debtor} owes ${creditor}`,
    isOwed: (creditor: string) => `Owed to ${creditor}, by whom is not known yet`,
    you: "you",
    somebody: "somebody",
    since: (line: number) => `since line ${line}`,
    dueNow: (time: string, follows: string) => `To be paid now${time && `, until ${time}`}: ${follows}`,
    later: (time: string, follows: string) => `Not due yet${time && `, until ${time}`}: ${follows}`,
    pay: "Pay now",
    payPart: "Pay now, all or a part",
    own: (count: number, sum: string) => (count === 1 ? `You owe ${sum}` : `You owe ${sum} (${count} debts)`),
    table: (count: number) => counted(count, "debt is open", "debts are open"),
  },
  {
    title: "Qui doit à qui",
    none: "Personne ne doit rien.",
    youOwe: (creditor: string) => `Vous devez ${au(creditor)}`,
    owes: (debtor: string, creditor: string) => `${debtor} doit ${au(creditor)}`,
    isOwed: (creditor: string) => `Dû ${au(creditor)}, on ne sait pas encore par qui`,
    you: "vous",
    somebody: "quelqu'un",
    since: (line: number) => `depuis la ligne ${line}`,
    dueNow: (time: string, follows: string) => `À payer maintenant${time && `, avant ${time}`} : ${follows}`,
    later: (time: string, follows: string) => `Pas encore dû${time && `, avant ${time}`} : ${follows}`,
    pay: "Payer maintenant",
    payPart: "Payer maintenant, tout ou partie",
    own: (count: number, sum: string) => (count < 2 ? `Vous devez ${sum}` : `Vous devez ${sum} (${count} dettes)`),
    table: (count: number) => counted(count, "dette est ouverte", "dettes sont ouvertes"),
  },
);

import { texts } from "../../i18n/language.svelte";

export const contestTexts = texts(
  {
    contest: (line: string | number) => `Contest line ${line}`,
    claim: "What is wrong?",
    claimRules: "Rules that it breaks",
    ready: "Ready sentences",
    claims: ["This did not happen.", "The amount is wrong.", "Somebody else did this.", "A rule was forgotten."],
    for: "For",
    wish: "What should be instead?",
    wishes: {
      none: "The banker decides",
      drop: "This line did not happen",
      replace: "It should have been …",
    } as Record<string, string>,
    wishedAs: (kind: string) => `What should have been: ${kind}`,
    lost: "No answer. Sending again is safe: it is made once.",
    send: "Open the dispute",
    sent: (id: string | number) => `Dispute ${id} is open.`,
    toDispute: "To the dispute",
  },
  {
    contest: (line) => `Contester la ligne ${line}`,
    claim: "Qu'est-ce qui ne va pas ?",
    claimRules: "Règles qu'elle enfreint",
    ready: "Phrases toutes prêtes",
    claims: ["Cela n'a pas eu lieu.", "Le montant est faux.", "C'est quelqu'un d'autre qui l'a fait.", "Une règle a été oubliée."],
    for: "Pour",
    wish: "Que faudrait-il à la place ?",
    wishes: {
      none: "Le banquier décide",
      drop: "Cette ligne n'a pas eu lieu",
      replace: "Cela aurait dû être …",
    },
    wishedAs: (kind) => `Ce qui aurait dû être : ${kind}`,
    lost: "Pas de réponse. Renvoyer est sans risque : cela n'est fait qu'une fois.",
    send: "Ouvrir le litige",
    sent: (id: string | number) => `Le litige ${id} est ouvert.`,
    toDispute: "Au litige",
  },
);

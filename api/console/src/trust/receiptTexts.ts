import { texts } from "../i18n/language.svelte";

export const receiptTexts = texts(
  {
    title: (number: number) => `Receipt ${number}`,
    square: "Square to scan: the key of the journal, the number and the fingerprint of this line",
    hash: "Fingerprint",
    check: "Whoever changes the line later gets another fingerprint. The square holds it with the key of this journal.",
    keep: "Keep on this device",
    drop: "Kept · take out",
    file: "Save as a file",
    print: "Print",
    printSheet: "Print on A6",
    mine: "Receipts on this device",
    none: "No receipt is kept here. Open a line and touch “Receipt”.",
    dropOf: (number: number) => `Take out receipt ${number}`,
  },
  {
    title: (number: number) => `Reçu ${number}`,
    square: "Carré à scanner : la clé du journal, le numéro et l'empreinte de cette ligne",
    hash: "Empreinte",
    check: "Si quelqu'un change la ligne plus tard, l'empreinte devient une autre. Le carré la garde avec la clé de ce journal.",
    keep: "Garder sur cet appareil",
    drop: "Gardé · retirer",
    file: "Enregistrer en fichier",
    print: "Imprimer",
    printSheet: "Imprimer en A6",
    mine: "Reçus sur cet appareil",
    none: "Aucun reçu n'est gardé ici. Ouvrir une ligne et toucher « Reçu ».",
    dropOf: (number: number) => `Retirer le reçu ${number}`,
  },
);

// The small words of both languages: who gives, who gets, and the words without a meaning of their own.
import { wordsOf } from "./lexer";

const set = (words: string): ReadonlySet<string> => new Set(words.split(" "));

/** Words passed over wherever they stand. */
export const NOISE = set("to for at from of with and the an au aux pour de du des chez avec et le la les un une by par vers & l' d' qu'");

/** Words passed over where nothing else fits: courtesy, auxiliary verbs, possessives, places, reasons of a payment. */
export const FILLERS = set(
  "please thanks thank you ok now then also just must should shall will has have had needs need his her its their him it " +
    "this that on in into onto rent money cash bucks dollars euros euro dollar " +
    "s'il te vous plait svp stp merci il elle faut que doit doivent ont son sa ses leur leurs sur dans part " +
    "loyer argent balles maintenant alors puis back",
);

/** Verbs that say nothing without a noun: "takes a loan", "fait 5 et 3". */
export const LIGHT = set("take takes took prend prends prendre make makes do does did fait faire is est");

/** "Bob buys it from Ana" is Ana's sale to Bob. */
export const BUYING = set("buy buys bought buying achete achetes acheter achetent");

export const BANK = set("bank banque");

/** Verbs of payments besides those of the game: the subject pays. */
export const PAYING = set(
  "pay pays paid paying gives gave transfer transfers transferred send sends sent hand hands handed owe owes wire wires " +
    "paie paies paient paye payes payee verse verser verses vire virer virement transfere transferer envoie envoyer file filer " +
    "doit doivent devoir reverse reverser rembourse rembourser rend rendre donne donner",
);

/** Verbs of payments whose subject gets the money. Without a payer they tell nothing. */
export const GETTING = set(
  "get gets got receive receives received collect collects collected take takes took is was are " +
    "recoit recois recoivent recevoir recu pris touche touchent toucher encaisse encaisser prend prends prenez prendre recupere recuperer " +
    "obtient est sont",
);

/** The word before a seat tells its part. "à" tells the payer only behind a verb of getting: "prends 30 à Bob". */
export const PARTS: Readonly<Record<string, Part>> = {
  from: "from", de: "from", du: "from", "d'": "from",
  by: "by", par: "by",
  to: "to", for: "to", pour: "to", vers: "to", "→": "to",
  à: "at", au: "at", chez: "at",
};

export type Part = "from" | "by" | "to" | "at";

/** Tell if a word is "à", which without its accent is a seat's letter. */
export function isAccented(raw: string): boolean {
  return /^à$/i.test(raw.normalize("NFC"));
}

/** Tell if an item may be passed over. "à" may; "a" may be a seat. */
export function isNoise(item: { kind: string; raw: string; norm: string; quoted?: boolean }): boolean {
  if (item.kind === "plus") return true;
  if (item.kind !== "word" || item.quoted) return false;
  return NOISE.has(item.norm) || isAccented(item.raw) || wordsOf(item.norm).length === 0;
}

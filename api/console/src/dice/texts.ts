import { texts } from "../i18n/language.svelte";
import { de } from "../i18n/quoting";

export const diceTexts = texts(
  {
    together: "Thrown together by",
    service: "the service",
    missing: "did not take part",
    again: (number: number) => `From the same throw as an earlier line (throw ${number})`,
    closed: "The service opens its value at the end, because of what was drawn.",
    number: (number: number) => `throw ${number}`,
    unthrown: (seats: string) => `The table threw, because no value came from ${seats}.`,
    seen: "I have seen it",
    odd: {
      kept: (number: number) => `This device kept its value for throw ${number} back: the journal does not show the throws before it.`,
      left: (number: number) => `Throw ${number} leaves your value out, although the service took it in time.`,
      other: (number: number) => `The journal says that throw ${number} was asked for at another moment than it was.`,
    },
  },
  {
    together: "Lancé ensemble par",
    service: "le service",
    missing: "n'a pas pris part",
    again: (number: number) => `Du même lancer qu'une ligne précédente (lancer ${number})`,
    closed: "Le service ouvre sa valeur à la fin, à cause de ce qui a été tiré.",
    number: (number: number) => `lancer ${number}`,
    unthrown: (seats: string) => `La table a lancé, car aucune valeur n'est venue ${de(seats)}.`,
    seen: "J'ai vu",
    odd: {
      kept: (number: number) => `Cet appareil a gardé sa valeur du lancer ${number} : le journal ne montre pas les lancers d'avant.`,
      left: (number: number) => `Le lancer ${number} laisse votre valeur de côté, bien que le service l'ait prise à temps.`,
      other: (number: number) => `Le journal dit que le lancer ${number} a été demandé à un autre moment qu'il ne l'a été.`,
    },
  },
);

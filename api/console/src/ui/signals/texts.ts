import { texts } from "../../i18n/language.svelte";

export const signalTexts = texts(
  { sounds: { banker: "Sounds at this desk", player: "Sounds, and a short vibration, on this phone", spectator: "Sounds" } },
  { sounds: { banker: "Sons à ce bureau", player: "Sons, et une courte vibration, sur ce téléphone", spectator: "Sons" } },
);

// The remaining time in words, by one rule on every page. Pure functions.
import { counted, texts } from "../i18n/language.svelte";

const HOUR = 3600;
const DAY = 24 * HOUR;

const remainingTexts = texts(
  { hours: (hours: number, minutes: string) => `${hours} h ${minutes} min`, days: (days: number) => counted(days, "day", "days"), over: "time is over", left: (time: string) => `${time} left` },
  { hours: (hours: number, minutes: string) => `${hours} h ${minutes} min`, days: (days: number) => counted(days, "jour", "jours"), over: "temps écoulé", left: (time: string) => `encore ${time}` },
);

/** Return the whole seconds of a time in milliseconds: a begun second counts, and there is no time below zero. */
export function secondsOf(milliseconds: number): number {
  return Math.max(0, Math.ceil(milliseconds / 1000));
}

/** Format a remaining time: "3:42" below an hour, "2 h 05 min" below two days, "2 days" above. */
export function remaining(seconds: number): string {
  if (seconds <= 0) return remainingTexts().over;
  if (seconds < HOUR) return `${Math.floor(seconds / 60)}:${twoDigits(seconds % 60)}`;
  if (seconds < 2 * DAY) return remainingTexts().hours(Math.floor(seconds / HOUR), twoDigits(Math.floor((seconds % HOUR) / 60)));
  return remainingTexts().days(Math.floor(seconds / DAY));
}

/** Format a remaining time with its word: "3:42 left". */
export function timeLeft(seconds: number): string {
  return seconds <= 0 ? remainingTexts().over : remainingTexts().left(remaining(seconds));
}

function twoDigits(number: number): string {
  return String(number).padStart(2, "0");
}

import type { Result, Summary } from "../model/result.ts";
import { labels, personStates } from "./states.ts";
import type { State } from "./states.ts";

/** good: done. news: there is something to look at. warn: a person is needed. bad: it did not work. */
export type Tone = "good" | "news" | "warn" | "bad";

const tones: Readonly<Record<Result["exitCode"], Tone>> = {
  0: "good",
  1: "bad",
  2: "news",
  3: "bad",
  4: "warn",
  5: "warn",
  6: "warn",
  7: "bad",
  8: "warn",
  64: "bad",
};

export function toneOf(result: Result): Tone {
  const tone = tones[result.exitCode];
  if (tone !== "good") return tone;
  if (personStates.some((state) => result.summary[state] > 0)) return "warn";
  return result.command === "diff" && total(result.summary, changing) > 0 ? "news" : "good";
}

const changing: readonly State[] = ["create", "update", "replace", "adopt", "delete"];

/** For a command that has no headline of its own. */
export function headlineOf(summary: Summary): string {
  const person = total(summary, personStates);
  const parts = changing
    .filter((state) => summary[state] > 0)
    .map((state) => `${summary[state].toLocaleString("en")} ${labels[state]}`);
  const changes = parts.length === 0 ? "Nothing to change" : parts.join(", ");
  return person === 0
    ? `${changes}.`
    : `${changes}; ${person.toLocaleString("en")} ${person === 1 ? "needs" : "need"} a person.`;
}

function total(summary: Summary, of: readonly State[]): number {
  return of.reduce((sum, state) => sum + summary[state], 0);
}

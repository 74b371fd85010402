import { exitExplanations, signalExplanations } from "../../model/codes/exits.ts";
import { codes, explanationOf } from "../../model/codes/index.ts";
import type { Explanation } from "../../model/codes/index.ts";
import { stateExplanations } from "../../model/codes/states.ts";
import { exitCodes } from "../../model/result.ts";
import { didYouMean } from "../../plan/nearest.ts";
import { wrap } from "../../report/columns.ts";
import type { Io, Output } from "../io.ts";
import { inWords } from "../in-words.ts";
import { UsageError } from "../usage-error.ts";

/** What stands in a report or a log, and is no code of a diagnostic or one that ferry ends with. */
const others = new Map(Object.entries({ ...signalExplanations, ...stateExplanations }));

/** What a code means, why it comes about, what to do; without a code all of them, a line each. */
export function runExplain(io: Io, code: string | undefined): number {
  if (code === undefined) {
    io.stdout.write(listed(io.stdout));
    return exitCodes.done;
  }
  const found = exits().find(([number]) => number === code)?.[1] ?? others.get(code) ?? explanationOf(code);
  if (found === undefined)
    throw new UsageError(
      `there is no code "${code}"`,
      didYouMean(code, [...Object.keys(codes), ...Object.keys(stateExplanations)]) ??
        "All of them: ferry explain",
    );
  const { means, why, act } = found;
  const lines = [`${code}: ${means}`, `  Why:         ${why}`, `  What to do:  ${act}`];
  io.stdout.write(`${inWords(lines.join("\n"), io.stdout)}\n`);
  return exitCodes.done;
}

/** Every exit code with its explanation, smallest first. */
function exits(): readonly (readonly [string, Explanation])[] {
  const names = Object.keys(exitCodes) as (keyof typeof exitCodes)[];
  return names.map((name) => [String(exitCodes[name]), exitExplanations[name]] as const);
}

function listed({ isTerminal, columns }: Output): string {
  const table = (entries: readonly (readonly [string, Explanation])[]): string => {
    const width = Math.max(...entries.map(([code]) => code.length));
    const margin = width + "    ".length;
    return entries
      .flatMap(([code, { means }]) => {
        const [first = "", ...rest] = isTerminal ? wrap(means, Math.max(20, columns - margin)) : [means];
        return [
          `  ${code.padEnd(width)}  ${first}\n`,
          ...rest.map((more) => `${" ".repeat(margin)}${more}\n`),
        ];
      })
      .join("");
  };
  const known = Object.entries<Explanation>(codes).sort(([one], [other]) => one.localeCompare(other));
  return `Exit codes:\n${table(exits())}\nWords for objects:\n${table(Object.entries(stateExplanations))}\nCodes of diagnostics:\n${table(known)}\nMore about one: ferry explain CODE\n`;
}

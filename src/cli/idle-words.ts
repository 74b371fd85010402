import { UsageError } from "./usage-error.ts";

/** What an action of a command heeds: so many words behind it, and these flags of those that not all of them heed. */
export interface Heeded {
  readonly words: number;
  readonly flags: readonly string[];
}

/** Who says more than an action heeds takes it for done: the second of two files, or the flag that was to narrow it. */
export function refuseIdle(
  command: string,
  action: string,
  said: { readonly words: readonly string[]; readonly flags: Readonly<Record<string, unknown>> },
  actions: Readonly<Record<string, Heeded>>,
): void {
  const heeded = actions[action];
  if (heeded === undefined) return;
  const one = `${command} ${action}`;
  const more = said.words[heeded.words];
  if (more !== undefined)
    throw new UsageError(
      `${one}: "${more}" is one word too many`,
      "Nothing was done. Leave it out, or look at what the command takes with --help.",
    );
  const known = new Set(Object.values(actions).flatMap(({ flags }) => flags));
  const idle = [...known].find((flag) => said.flags[flag] !== undefined && !heeded.flags.includes(flag));
  if (idle === undefined) return;
  const others = Object.entries(actions).flatMap(([name, { flags }]) => (flags.includes(idle) ? [name] : []));
  throw new UsageError(
    `${flagName(idle)} says nothing with ${one}`,
    `Nothing was done. It goes with ${others.join(", ")}.`,
  );
}

const places: ReadonlySet<string> = new Set(["workDir", "mappingsDir", "envFile", "out", "diff", "snapshot"]);

/** A variable of the shell that is not set leaves an empty place: it would be the folder in which the command runs, and another mapping. */
export function refuseNoPlace(flags: object): void {
  const empty = Object.entries(flags).find(([name, value]) => places.has(name) && value === "");
  if (empty === undefined) return;
  throw new UsageError(
    `${flagName(empty[0])} names no file and no folder`,
    "Is a variable of the shell not set? Name one, or leave the flag out.",
  );
}

function flagName(name: string): string {
  return `--${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

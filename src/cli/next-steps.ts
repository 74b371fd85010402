import { resolve } from "node:path";
import type { CommonFlags } from "./flags.ts";

/** What a command line said of where things are: the next one has to say it again. */
export interface Said {
  /** The plan as it was typed, and what it is called. */
  readonly plan: string;
  readonly name: string;
  /** Where it was found. */
  readonly path: string;
  readonly cwd: string;
  readonly command: string;
  readonly flags: CommonFlags;
}

/** They look at, or change, what the plan selects: what narrowed one of them narrows the next. */
const selecting = new Set(["export", "diff", "apply", "sync", "verify"]);

/**
 * The commands to run next, so that they work as they are: with the plan as this one was told of it, and with the flags
 * without which they would not find what they need, or would do more than was looked at.
 */
export function nextSteps(steps: readonly string[], said: Said): readonly string[] {
  return steps.map((step) => stepFrom(step, said));
}

function stepFrom(step: string, said: Said): string {
  const { name, flags } = said;
  // An explanation may stand behind a command.
  const [, head = "", command = "", rest = "", behind = ""] =
    /^(ferry ([\w-]+) )(.*?)(\s{2,}\(.*)?$/s.exec(step) ?? [];
  if (rest !== name && !rest.startsWith(`${name} `)) return step;
  const narrowed = selecting.has(said.command) && selecting.has(command);
  const more = [
    ...(narrowed ? flagOf("--kinds", flags.kinds?.join(",")) : []),
    ...(narrowed ? (flags.include ?? []).flatMap((one) => flagOf("--include", one)) : []),
    ...(narrowed ? (flags.exclude ?? []).flatMap((one) => flagOf("--exclude", one)) : []),
    ...flagOf("--env-file", flags.envFile),
    ...flagOf("--work-dir", flags.workDir === "plans" ? undefined : flags.workDir),
    ...flagOf("--mappings-dir", flags.mappingsDir === "mappings" ? undefined : flags.mappingsDir),
  ];
  return `${head}${planWord(said)}${rest.slice(name.length)}${more.join("")}${behind}`;
}

/** The name alone is found in plans/ only. */
function planWord({ plan, name, path, cwd }: Said): string {
  const byName = ["yaml", "yml", "json"].map((ending) => resolve(cwd, "plans", `${name}.${ending}`));
  return byName.includes(resolve(path)) ? name : quoted(plan);
}

function flagOf(flag: string, value: string | undefined): readonly string[] {
  return value === undefined ? [] : [` ${flag} ${quoted(value)}`];
}

/** As a shell takes it for one word. */
function quoted(word: string): string {
  return /^[\w@%+=:,./\\-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}

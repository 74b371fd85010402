import type { Option } from "@commander-js/extra-typings";
import { Command, InvalidArgumentError } from "@commander-js/extra-typings";
import type { Action } from "../model/change.ts";
import { didYouMean } from "../plan/nearest.ts";
import { namedMappings, usualMappings } from "./mappings-elsewhere.ts";

/** The flags that every command on a plan takes. */
export interface CommonFlags {
  readonly json?: true | undefined;
  readonly format?: Format | undefined;
  readonly kinds?: string[] | undefined;
  readonly include?: string[] | undefined;
  readonly exclude?: string[] | undefined;
  readonly concurrency?: number | undefined;
  readonly timeout?: string | undefined;
  readonly workDir: string;
  readonly mappingsDir: string;
  readonly envFile?: string | undefined;
  readonly verbose: number;
  readonly logFormat: "text" | "json";
  readonly color: boolean;
  readonly input: boolean;
}

export const formats = ["text", "json", "markdown", "html"] as const;
export type Format = (typeof formats)[number];
const logFormats = ["text", "json"] as const;

/** What a command is not told by the one above it. */
export const helpHint = "(add --help for what there is)";

/** Above those that a command has of its own, as the library calls them. */
const ownFlags = "Options:";

/** What a command alone has is what its help is asked for: the flags that all of them take stand behind it. */
function ownFirst<T extends Command | Option>(
  _all: readonly T[],
  visible: readonly T[],
  groupOf: (item: T) => string,
): Map<string, T[]> {
  const groups = [...Map.groupBy(visible, groupOf)];
  return new Map(groups.sort(([one], [other]) => Number(other === ownFlags) - Number(one === ownFlags)));
}

/** A command that takes a plan and the common flags. */
export function planCommand(name: string, summary: string) {
  return new Command(name)
    .summary(summary)
    .description(summary)
    .showHelpAfterError(helpHint)
    .configureHelp({ groupItems: ownFirst })
    .argument("<plan>", "a plan file, or the name of one in plans/")
    .optionsGroup("Options of every command on a plan:")
    .option("--json", "print one JSON document, also on failure")
    .option("--format <format>", `how to print the result: ${formats.join(", ")}`, choice(formats))
    .option("--kinds <kinds>", "only these kinds, separated by commas; may be repeated", list)
    .option(
      "--include <selector>",
      "only what matches the pattern (* and ? are wildcards); kind:pattern narrows that kind and leaves the others whole; may be repeated",
      repeated,
    )
    .option("--exclude <selector>", "leave out what matches; may be repeated", repeated)
    .option("--concurrency <n>", "most requests in flight for each environment", between(1, 64))
    .option("--timeout <time>", "longest time for one request, such as 60s")
    .option("--work-dir <folder>", "where snapshots, diffs and reports go", "plans")
    .option(
      "--mappings-dir <folder>",
      "where mappings and the journal are kept",
      namedMappings,
      usualMappings,
    )
    .option("--env-file <file>", "read environment variables from a file such as .env")
    .option(
      "-v, --verbose",
      "tell more; -vv for every request, and for the stack trace of an error",
      (_value, before: number) => before + 1,
      0,
    )
    .option("--log-format <format>", "log lines on stderr as text or json", choice(logFormats), "text")
    .option("--no-color", "no colours (also NO_COLOR)")
    .option("--no-input", "never ask")
    .optionsGroup(ownFlags);
}

/** Several values in one flag, several flags, or both. */
export function list(value: string, before: string[] = []): string[] {
  const items = value.split(",").map((item) => item.trim());
  return [...before, ...items.filter((item) => item !== "")];
}

/** One value a flag: one that takes several would swallow the plan's name behind it. */
export function repeated(value: string, before: string[] = []): string[] {
  return [...before, value];
}

/** The parser carries what it takes, for the shells' completions. */
export function choice<const T extends string>(
  choices: readonly T[],
): ((value: string) => T) & { readonly choices: readonly T[] } {
  const parse = (value: string): T => {
    const found = choices.find((one) => one === value);
    if (found !== undefined) return found;
    const hint = didYouMean(value, choices);
    throw new InvalidArgumentError(
      `Allowed choices are ${choices.join(", ")}.${hint === undefined ? "" : `\n(${hint})`}`,
    );
  };
  return Object.assign(parse, { choices });
}

const reds = ["blocked", "manual", "drift", "conflict", "none"] as const;

/** `--fail-on blocked,drift`: what of that which waits for a person makes the run end with 4. */
export function failOn(value: string, before: Action[] = []): Action[] {
  const words = list(value).map(choice(reds));
  return [...before, ...words.filter((word) => word !== "none")];
}
failOn.choices = reds;

export function failOnFlag(otherwise: "all of them" | "none") {
  return [
    "--fail-on <states>",
    `which objects that wait for a person make it end with exit code 4: ${reds.join(", ")}; separated by commas (without it: ${otherwise})`,
  ] as const;
}

export function whole(value: string): number {
  if (!/^\d+$/.test(value)) throw new InvalidArgumentError("It must be a whole number.");
  return Number(value);
}

export function between(least: number, most: number): (value: string) => number {
  return (value) => {
    const number = whole(value);
    if (number >= least && number <= most) return number;
    throw new InvalidArgumentError(`It must be a whole number from ${least} to ${most}.`);
  };
}

/** A counting flag has no argument, so its type says `true` where its value is always a number. */
export function counted<T extends { readonly verbose: number | true }>(
  flags: T,
): Omit<T, "verbose"> & { readonly verbose: number } {
  return { ...flags, verbose: Number(flags.verbose) };
}

/** 0 to 100, with decimals. */
export function percent(value: string): number {
  const number = /^\d+(?:\.\d+)?$/.test(value) ? Number(value) : Number.NaN;
  if (number >= 0 && number <= 100) return number;
  throw new InvalidArgumentError("It must be a number from 0 to 100.");
}

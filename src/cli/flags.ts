import { Command, InvalidArgumentError, Option } from "@commander-js/extra-typings";

/** The flags that every command on a plan takes (DESIGN, section 7). */
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

/** A command that takes a plan and the common flags. */
export function planCommand(name: string, summary: string) {
  return new Command(name)
    .summary(summary)
    .description(summary)
    .argument("<plan>", "a plan file, or the name of one in plans/")
    .option("--json", "print one JSON document, also on failure")
    .addOption(new Option("--format <format>", "how to print the result").choices(formats))
    .option("--kinds <kinds>", "only these kinds, separated by commas", list)
    .option(
      "--include <selector...>",
      "only what matches, as kind:pattern or pattern (* and ? are wildcards)",
    )
    .option("--exclude <selector...>", "leave out what matches")
    .option("--concurrency <n>", "most requests in flight for each environment", between(1, 64))
    .option("--timeout <time>", "longest time for one request, such as 60s")
    .option("--work-dir <folder>", "where snapshots, diffs and reports go", "plans")
    .option("--mappings-dir <folder>", "where mappings and the journal are kept", "mappings")
    .option("--env-file <file>", "read environment variables from a file such as .env")
    .option(
      "-v, --verbose",
      "tell more; -vv for every request and stack traces",
      (_value, before: number) => before + 1,
      0,
    )
    .addOption(
      new Option("--log-format <format>", "log lines on stderr as text or JSON")
        .choices(["text", "json"] as const)
        .default("text" as const),
    )
    .option("--no-color", "no colours (also NO_COLOR)")
    .option("--no-input", "never ask");
}

export function list(value: string): string[] {
  return value
    .split(",")
    .map((item) => item.trim())
    .filter((item) => item !== "");
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

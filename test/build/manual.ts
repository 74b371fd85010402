import { commandLine } from "../../src/cli/program.ts";
import { exitExplanations } from "../../src/model/codes/exits.ts";
import { exitCodes } from "../../src/model/result.ts";
import { Screen } from "../cli/support/screen.ts";

type Program = ReturnType<typeof commandLine>;
type Sub = Program["commands"][number];

/** The command line as `--help` tells it, with nobody to run it. */
export function programOf(version: string): Program {
  const { io } = new Screen({ cwd: "/" });
  return commandLine({ io, version: () => version }, async () => {});
}

/** `man ferry`, of the very texts that `--help` prints. */
export function manualPage(program: Program, version: string): string {
  const commands = program.commands;
  const shared = sharedFlags(commands);
  return [
    `.TH FERRY 1 "" "urn-ferry ${roff(version)}" "User commands"`,
    ".SH NAME",
    `ferry \\- ${roff(program.description().replace(/\.$/, "").replace(/^M/, "m"))}`,
    ".SH SYNOPSIS",
    ".B ferry",
    ".I command",
    "[arguments] [options]",
    ".SH COMMANDS",
    ...commands.flatMap((command) => section(command, shared)),
    ".SH COMMON OPTIONS",
    `Of ${[...shared.takenBy].map((name) => `\\fB${roff(name)}\\fR`).join(", ")}:`,
    ...shared.options.flatMap(option),
    ".SH EXIT STATUS",
    ...(Object.keys(exitCodes) as (keyof typeof exitCodes)[]).flatMap((name) => {
      const { means, act } = exitExplanations[name];
      return [".TP", `\\fB${exitCodes[name]}\\fR`, roff(`${means} ${act === "Nothing." ? "" : act}`.trim())];
    }),
    ".SH EXAMPLES",
    ...example(helpOf(program)),
    ".SH SEE ALSO",
    "\\fBferry explain\\fR tells more about each exit code and each code of a diagnostic.",
    "",
  ].join("\n");
}

interface Shared {
  readonly options: Sub["options"];
  readonly names: ReadonlySet<string>;
  readonly takenBy: ReadonlySet<string>;
}

/** The flags of all commands that take a plan: said once. */
function sharedFlags(commands: readonly Sub[]): Shared {
  const taking = commands.filter((command) => command.options.some(({ long }) => long === "--work-dir"));
  const [first, ...others] = taking;
  const options = (first?.options ?? []).filter((option) =>
    others.every((command) => command.options.some(({ flags }) => flags === option.flags)),
  );
  return {
    options,
    names: new Set(options.map(({ flags }) => flags)),
    takenBy: new Set(taking.map((command) => command.name())),
  };
}

function section(command: Sub, shared: Shared): readonly string[] {
  const own = command.options.filter(
    ({ flags }) => !shared.takenBy.has(command.name()) || !shared.names.has(flags),
  );
  const description = command.description();
  return [
    `.SS ferry ${roff(command.name())} ${roff(command.usage().replace("[options] ", "").replace("[options]", ""))}`,
    roff(
      `${description.charAt(0).toUpperCase()}${description.slice(1)}${/[.!]$/.test(description) ? "" : "."}`,
    ),
    ...own.flatMap(option),
    ...example(helpOf(command)),
  ];
}

function option({ flags, description }: Sub["options"][number]): readonly string[] {
  return [".TP", `\\fB${roff(flags)}\\fR`, roff(description)];
}

function helpOf(command: Pick<Sub, "configureOutput" | "outputHelp">): string {
  let text = "";
  command.configureOutput({ writeOut: (part) => (text += part), getOutHelpWidth: () => 100 });
  command.outputHelp();
  return text;
}

/** What stands under the flags, as it stands there. */
function example(help: string): readonly string[] {
  const [, text] = /\nExamples:\n([\s\S]*?)(?:\n\n|\n*$)/.exec(help) ?? [];
  return text === undefined ? [] : [".PP", "Examples:", ".nf", ...text.split("\n").map(roff), ".fi"];
}

/** Nothing of a text is taken for a request, and a hyphen is one that can be copied. */
function roff(text: string): string {
  const escaped = text.replaceAll("\\", "\\e").replaceAll("-", "\\-");
  return /^[.']/.test(escaped) ? `\\&${escaped}` : escaped;
}

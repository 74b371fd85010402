import { scenarioNames } from "../../emulator/scenarios/index.ts";
import { registry } from "../../kinds/index.ts";
import { codes } from "../../model/codes/index.ts";
import { exitCodes } from "../../model/result.ts";

/** What may stand in a place of the command line. */
export type Values =
  /** `list`: several of them, with commas between. */
  { readonly words: readonly string[]; readonly list?: boolean } | "plan" | "file" | "folder" | "text";

export interface FlagWords {
  /** `--yes`, `-y`. */
  readonly names: readonly string[];
  readonly summary: string;
  readonly repeats: boolean;
  /** Absent: it takes no value. */
  readonly takes?: { readonly name: string; readonly values: Values };
}

export interface CommandWords {
  readonly name: string;
  readonly summary: string;
  readonly flags: readonly FlagWords[];
  readonly places: readonly { readonly name: string; readonly values: Values; readonly repeats: boolean }[];
}

/** What is read of the library's commands. */
export interface Commands {
  readonly commands: readonly {
    name(): string;
    summary(): string;
    readonly options: readonly {
      readonly long?: string | undefined;
      readonly short?: string | undefined;
      readonly flags: string;
      readonly description: string;
      readonly required: boolean;
      readonly optional: boolean;
      readonly parseArg?: unknown;
    }[];
    readonly registeredArguments: readonly {
      name(): string;
      readonly description: string;
      readonly variadic: boolean;
    }[];
  }[];
}

/** The command line as shells need it, from the one place where it is defined. */
export function commandWords({ commands }: Commands): readonly CommandWords[] {
  const known = commands.map((command) => ({
    name: command.name(),
    summary: command.summary(),
    flags: [
      ...command.options.map((option): FlagWords => {
        const names = [option.long, option.short].filter((name) => name !== undefined);
        const name = /[<[](.*?)[>\]]/.exec(option.flags)?.[1] ?? "value";
        const flag = {
          names,
          summary: option.description,
          repeats: /may be repeated|-vv/.test(option.description),
        };
        if (!option.required && !option.optional) return flag;
        const values = choicesOf(option.parseArg) ?? valuesOf(name);
        const isList = typeof values !== "string" && /separated by commas/.test(option.description);
        return { ...flag, takes: { name, values: isList ? { ...values, list: true } : values } };
      }),
      helpFlag,
    ],
    places: command.registeredArguments.map((argument) => ({
      name: argument.name(),
      values: oneOf(argument.description) ?? valuesOf(argument.name()),
      repeats: argument.variadic,
    })),
  }));
  const names = { name: "command", values: { words: known.map(({ name }) => name) }, repeats: false };
  return [...known, { name: "help", summary: helpFlag.summary, flags: [helpFlag], places: [names] }];
}

/** The library adds it to each command, and a command of that name beside the others. */
const helpFlag: FlagWords = {
  names: ["--help", "-h"],
  summary: "display help for command",
  repeats: false,
};

/** The parser of a flag that takes one of a few words carries them. */
function choicesOf(parse: unknown): Values | undefined {
  if (typeof parse !== "function" || !("choices" in parse) || !Array.isArray(parse.choices)) return undefined;
  return { words: parse.choices.map(String) };
}

/** An argument that is one of a few words is described by them: `list | show | set`. */
function oneOf(description: string): Values | undefined {
  return /^[\w-]+(?: \| [\w-]+)+$/.test(description) ? { words: description.split(" | ") } : undefined;
}

function valuesOf(name: string): Values {
  switch (name) {
    case "plan":
    case "file":
    case "folder":
      return name;
    case "kind":
    case "kinds":
      return { words: registry.selectable() };
    case "scenario":
      return { words: scenarioNames.map((scenario) => scenario.replace(/N$/, "1000")) };
    case "code":
      return { words: [...Object.values(exitCodes).map(String), ...Object.keys(codes)] };
    default:
      return "text";
  }
}

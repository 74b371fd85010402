import { resolve } from "node:path";
import type { AppliedChange } from "../model/change.ts";
import type { Diagnostic } from "../model/diagnostic.ts";
import { literal } from "../model/literal.ts";
import type { Result } from "../model/result.ts";
import { shellWord } from "../model/shell-word.ts";
import { become } from "../model/packed/change-list.ts";
import { adviceFor, personStates, stateOf } from "../report/states.ts";
import type { CommonFlags } from "./flags.ts";
import { usualMappings } from "./mappings-elsewhere.ts";

/** What a command line said of where things are: the next one has to say it again. */
export interface Said {
  /** The plan as it was typed, and what it is called. */
  readonly plan: string;
  readonly name: string;
  /** Where it was found. */
  readonly path: string;
  readonly cwd: string;
  readonly command: string;
  readonly flags: CommonFlags & Deciding;
}

/** What decides what a run does, or how it ends, beside what the plan says. */
export interface Deciding {
  readonly diff?: string | undefined;
  readonly snapshot?: string | undefined;
  readonly allowDelete?: true | undefined;
  readonly maxDeletes?: number | undefined;
  readonly failOn?: readonly string[] | undefined;
  readonly cancel?: true | undefined;
  readonly dryRun?: true | undefined;
}

/** They look at, or change, what the plan selects: what narrowed one of them narrows the next. */
const selecting = new Set(["export", "diff", "apply", "sync", "verify"]);

/**
 * The commands to run next, so that they work as they are: with the plan as this one was told of it, and with the flags
 * without which they would not find what they need, or would do more than was looked at.
 */
export function nextSteps(steps: readonly string[], said: Said): readonly string[] {
  const words = wordsFor(said);
  return steps.map((step) => (isCommand(step, said) ? stepFrom(step, said) : words(step)));
}

/** One command and nothing else. What is to be mended first is a sentence, which may name commands on its way. */
function isCommand(step: string, { name }: Said): boolean {
  const [first, ...others] = step.matchAll(namedBy(name));
  return first?.index === 0 && others.length === 0;
}

function stepFrom(step: string, said: Said): string {
  const { name } = said;
  // An explanation may stand behind a command.
  const [, head = "", command = "", rest = "", behind = ""] =
    /^(ferry ([\w-]+) )(.*?)(\s{2,}\(.*)?$/s.exec(step) ?? [];
  if (rest !== name && !rest.startsWith(`${name} `)) return step;
  return `${head}${planWord(said)}${rest.slice(name.length)}${moreFor(command, said)}${deciding(command, rest, said)}${behind}`;
}

/** What the next command line has to say besides. */
function moreFor(command: string, { command: own, flags }: Said, isSelected = false): string {
  return [
    ...(!isSelected && selecting.has(own) && selecting.has(command) ? [narrowing(flags)] : []),
    ...(isLasting(flags.envFile) ? flagOf("--env-file", flags.envFile) : []),
    ...flagOf("--work-dir", flags.workDir === "plans" ? undefined : flags.workDir),
    ...flagOf("--mappings-dir", flags.mappingsDir === usualMappings ? undefined : flags.mappingsDir),
  ].join("");
}

/**
 * Whoever goes on with a run does what it was to do, and nothing else. Not `--yes`: to be asked once more does no harm. A dry run says
 * nothing of what is done, and a rollback all of it itself.
 */
function deciding(command: string, step: string, { command: own, flags }: Said): string {
  if (command !== own || !["apply", "sync"].includes(own) || flags.dryRun === true) return "";
  const said: readonly (readonly [flag: string, words: readonly string[]])[] = [
    ["--diff", flagOf("--diff", flags.diff)],
    ["--snapshot", flagOf("--snapshot", flags.snapshot)],
    ["--allow-delete", flags.allowDelete === true ? [" --allow-delete"] : []],
    ["--max-deletes", flagOf("--max-deletes", flags.maxDeletes?.toString())],
    ["--fail-on", flagOf("--fail-on", flags.failOn?.join(","))],
    ["--cancel", flags.cancel === true ? [" --cancel"] : []],
  ];
  return said.flatMap(([flag, words]) => (step.includes(` ${flag}`) ? [] : words)).join("");
}

/** What a shell has opened for one command is not there for the next. */
function isLasting(path = ""): boolean {
  return !/^\/(?:dev|proc)\//.test(path);
}

/** The commands that a text names with this plan, or without knowing which it is. */
function namedBy(name: string): RegExp {
  return new RegExp(`(ferry ([\\w-]+) )(?:${literal(name)}|PLAN)(?![\\w.-]*\\w)`, "gu");
}

/** The same of the commands that a sentence names. */
function wordsFor(said: Said): (text: string, isOfDiff?: boolean) => string {
  const { name } = said;
  const isSaid =
    planWord(said) === name &&
    ["diff", "mappings"].every((command) => moreFor(command, said) === "") &&
    deciding(said.command, "", said) === "";
  const named = namedBy(name);
  return (text, isOfDiff = false) =>
    isSaid && !text.includes("PLAN")
      ? text
      : text.replaceAll(named, (all: string, head: string, command: string, at: number) => {
          // What the sentence says behind it belongs to it as well.
          const [rest = ""] = /^[^`]*?(?=`|ferry |$)/su.exec(text.slice(at + all.length)) ?? [];
          return `${head}${planWord(said)}${moreFor(command, said, isOfDiff)}${deciding(command, rest, said)}`;
        });
}

/**
 * The same of the commands that a result's own words name: in what it advises, object by object, and once for all that have a cause in
 * common. Who gives the advice may not know the plan, and says `PLAN`.
 */
export function withAdvice<T extends Pick<Result, "changes" | "diagnostics">>(result: T, said: Said): T {
  const words = wordsFor(said);
  const told = (found: Diagnostic): Diagnostic => {
    const { suggestion, summary, code, cause } = found;
    // What an approved diff was made with is not what this command line says.
    const isOfDiff = code === "diff-moved";
    if (suggestion === undefined && cause?.suggestion === undefined && !summary.includes("PLAN"))
      return found;
    return {
      ...found,
      summary: words(summary, isOfDiff),
      ...(suggestion === undefined ? {} : { suggestion: words(suggestion, isOfDiff) }),
      ...(cause?.suggestion === undefined
        ? {}
        : { cause: { ...cause, suggestion: words(cause.suggestion, isOfDiff) } }),
    };
  };
  const changes = become(result.changes, (change) => {
    const isAdvised = ({ suggestion, cause }: Diagnostic): boolean =>
      suggestion !== undefined || cause?.suggestion !== undefined;
    if (change.diagnostics.some(isAdvised)) return { ...change, diagnostics: change.diagnostics.map(told) };
    const advice = generalAdvice(change, said, words);
    return advice === undefined ? change : { ...change, diagnostics: [...change.diagnostics, advice] };
  });
  return { ...result, changes, diagnostics: result.diagnostics.map(told) };
}

/**
 * What a report says of an object for which nobody has any advice: who makes the report knows no more of the plan than its name. Undefined
 * where that is enough.
 */
function generalAdvice(
  change: AppliedChange,
  { name, command }: Said,
  words: (text: string) => string,
): Diagnostic | undefined {
  const state = stateOf(change);
  if (!personStates.includes(state)) return undefined;
  const suggestion = words(adviceFor(state, "PLAN", command));
  if (suggestion === adviceFor(state, name, command)) return undefined;
  const { kind, source, target, diagnostics, reason: summary } = change;
  const { urn = "", name: called = "" } = source ?? target ?? {};
  const { severity, code }: Pick<Diagnostic, "severity" | "code"> =
    diagnostics.at(-1) ?? ({ severity: "error", code: "blocked" } as const);
  return { severity, code, coordinate: { kind, urn, name: called }, summary, suggestion };
}

/** The flags that narrow what the plan selects, as a shell takes them; empty where none does. */
export function narrowing({ kinds, include = [], exclude = [] }: CommonFlags): string {
  return [
    ...flagOf("--kinds", kinds?.join(",")),
    ...include.flatMap((one) => flagOf("--include", one)),
    ...exclude.flatMap((one) => flagOf("--exclude", one)),
  ].join("");
}

/** The name alone is found in plans/ only. */
function planWord({ plan, name, path, cwd }: Said): string {
  const byName = ["yaml", "yml", "json"].map((ending) => resolve(cwd, "plans", `${name}.${ending}`));
  return byName.includes(resolve(path)) ? name : shellWord(plan);
}

function flagOf(flag: string, value: string | undefined): readonly string[] {
  return value === undefined ? [] : [` ${flag} ${shellWord(value)}`];
}

import { shorten } from "../model/display.ts";
import { exitCodes } from "../model/result.ts";
import type { RunOnRecord } from "../operations/kept-runs.ts";
import type { MappingDetails } from "../operations/mappings.ts";
import type { DoubtDetails } from "../operations/resolve.ts";
import type { SuggestedPairs, Suggestion } from "../operations/suggest.ts";
import type { StatusDetails } from "../operations/status.ts";
import type { CommonFlags } from "./flags.ts";

/** Rows of one group that a person sees at once. */
const most = 20;

/** Machines get everything; a person gets counts and the first of each group, unless all is asked for. */
export function isForMachines({ json, format }: Pick<CommonFlags, "json" | "format">): boolean {
  return json === true || format === "json";
}

const outcomes: Readonly<Record<number, string>> = {
  0: "done",
  1: "failed",
  2: "changes to make",
  3: "sign-in or permission",
  4: "done in part",
  5: "interrupted",
  6: "in doubt",
  7: "not as expected",
  8: "locked",
  64: "wrong usage",
};

/** How a run ended, or not, that has no report. */
const endings = {
  killed: "killed",
  "at-work": "at work",
  open: "killed, or still at work",
} as const;

/** One run in a line: which, when it began, who, what it came to, how many of what. */
export function runLine(of: RunOnRecord): string {
  const { run, at, command, by, exitCode, ending, declined, done, summary } = of;
  if (at === undefined || exitCode === undefined) return `${run}: no report was kept`;
  const counts = Object.entries(summary ?? {})
    .filter(([, count]) => count > 0)
    .map(([action, count]) => `${amount(count)} ${action === "inDoubt" ? "in doubt" : action}`);
  const who = by === undefined ? "" : ` by ${by.job ?? `${by.user}@${by.host}`}`;
  const code = declined === true ? "declined" : (outcomes[exitCode] ?? `exit ${exitCode}`);
  const how = ending === undefined ? code : endings[ending];
  // The counts are of what there was to do.
  const made = done === undefined ? [] : [`${amount(done)} made of`];
  const told = `${[how, ...made].join(", ")}${made.length > 0 ? " " : counts.length > 0 ? ", " : ""}${counts.join(", ")}`;
  const why = ending === undefined && stopped.has(exitCode) ? reasonOf(of) : "";
  return `${at.slice(0, 16).replace("T", " ")} ${command ?? ""}${who}: ${told} (${run})${why}`;
}

/** What it could not go on for, which no count says. */
function reasonOf({ headline = "", declined }: RunOnRecord): string {
  return headline === "" || declined === true ? "" : `: ${shorten(headline, 160)}`;
}

const stopped: ReadonlySet<number> = new Set([exitCodes.failed, exitCodes.permission]);

/** The last ones, a line each; how many there are before them is said first, as the last one stands at the end. */
export function briefRuns(runs: readonly RunOnRecord[], all: boolean): readonly string[] {
  const shown = (all ? runs : runs.slice(-most)).map(runLine);
  const older = runs.length - shown.length;
  return older === 0 ? shown : [`… ${amount(older)} older; --all shows them`, ...shown];
}

/** Counts of kinds and states, then what is not done. */
export function briefStatus(details: StatusDetails, all: boolean): object {
  const { counts, inDoubt, tables, unfinished, interrupted, runs, isLocked, lastLockHolder } = details;
  return {
    ...(Object.keys(counts).length === 0
      ? {}
      : {
          objects: Object.entries(counts).map(([kind, count]) => ({
            kind,
            mapped: amount(count.mapped),
            unfinished: amount(count.unfinished),
            "in doubt": amount(count.inDoubt),
          })),
        }),
    ...(tables.length === 0 ? {} : { tables }),
    "in doubt": firstOf(inDoubt, all),
    unfinished: firstOf(
      unfinished.map(
        ({ kind, name, target, left }) => `${kind} "${name}" (${target}): ${left} is to be done`,
      ),
      all,
    ),
    "to be continued": interrupted,
    runs: runs.map(runLine),
    ...(lastLockHolder === undefined
      ? {}
      : { [isLocked === true ? "lock holder" : "last lock holder"]: lastLockHolder }),
  };
}

/** Counts of kinds and origins, then each kind with a line for each pair. */
export function briefMappings({ mappings }: MappingDetails, all: boolean): object {
  const kinds = [...new Set(mappings.map(({ kind }) => kind))];
  const origins = [...new Set(mappings.map(({ origin }) => origin))].sort();
  const groups = kinds.map((kind) => ({ kind, rows: mappings.filter((row) => row.kind === kind) }));
  if (groups.length === 0) return {};
  return {
    pairs: groups.map(({ kind, rows }) => ({
      kind,
      all: amount(rows.length),
      ...Object.fromEntries(
        origins.map((origin) => [origin, amount(rows.filter((row) => row.origin === origin).length)]),
      ),
    })),
    ...Object.fromEntries(
      groups.map(({ kind, rows }) => [
        kind,
        firstOf(
          rows.map(({ name, origin, source, target }) => `"${name}" (${origin}): ${source} -> ${target}`),
          all,
        ),
      ]),
    ),
  };
}

/** A line a pair with both names, the best first; those that are alike in all stand together. */
export function briefSuggestions({ suggestions, ambiguous }: SuggestedPairs, all: boolean): object {
  const pairOf = ({ name, targetName }: Suggestion): string =>
    name === targetName ? `"${name}"` : `"${name}" -> "${targetName}"`;
  const equal = suggestions.filter(({ differing }) => differing.length === 0);
  const kinds = [...Map.groupBy(equal, ({ kind }) => kind)];
  const differ = suggestions.filter(({ differing }) => differing.length > 0);
  return {
    ...(kinds.length === 0
      ? {}
      : {
          "the same on both sides": kinds.map(([kind, rows]) => {
            const shown = all ? rows : rows.slice(0, fewNames);
            const more =
              rows.length > shown.length ? `, … and ${amount(rows.length - shown.length)} more` : "";
            return `${kind} (${amount(rows.length)}): ${shown.map(pairOf).join(", ")}${more}`;
          }),
        }),
    ...(differ.length === 0
      ? {}
      : {
          "the same name": firstOf(
            differ.map(
              (one) =>
                `${one.kind} ${pairOf(one)}: ${Math.round(one.similarity * 100)} % equal, differs in ${one.differing.slice(0, fewFields).join(", ")}${one.differing.length > fewFields ? ", …" : ""}`,
            ),
            all,
          ),
        }),
    ...(ambiguous.length === 0
      ? {}
      : {
          ambiguous: firstOf(
            ambiguous.map(({ kind, name, reason }) => `${kind} "${name}": ${reason}`),
            all,
          ),
        }),
  };
}

/** What a person has to decide, each with what it may be; what the next apply settles by itself is only counted. */
export function briefDoubts(details: DoubtDetails): object {
  const asked = details.inDoubt.filter(({ settlesItself }) => !settlesItself);
  const others = details.inDoubt.length - asked.length;
  return {
    "to be decided": asked.map(({ what, candidates }) => ({
      what,
      "may be": candidates.map(
        ({ urn, name, sameContent }) =>
          `"${name}" (${urn}), ${sameContent ? "the same content" : "other content"}`,
      ),
    })),
    ...(others === 0
      ? {}
      : {
          "the next apply settles":
            others === 1
              ? "1 operation, nobody has to decide"
              : `${amount(others)} operations, nobody has to decide`,
        }),
    ...(details.abandoned === undefined
      ? {}
      : {
          abandoned: details.abandoned.map(
            ({ kind, name, source, step, at }) =>
              `${kind} "${name}" (${source}): its ${step}, on ${at.slice(0, 10)}`,
          ),
        }),
  };
}

const fewNames = 10;
const fewFields = 4;

/** The first rows of a group, and how many there are behind them. */
function firstOf(rows: readonly string[], all: boolean): readonly string[] {
  if (all || rows.length <= most) return rows;
  return [...rows.slice(0, most), `… and ${amount(rows.length - most)} more; --all shows them`];
}

function amount(value: number): string {
  return value.toLocaleString("en");
}

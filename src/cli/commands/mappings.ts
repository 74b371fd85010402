import { dirname, resolve } from "node:path";
import { z } from "zod";
import { listMappings, removeMappings, setMappings, showMapping } from "../../operations/mappings.ts";
import type { Pair } from "../../operations/refuse-pair.ts";
import { mergeMappings } from "../../operations/merge-mappings.ts";
import type { Migration } from "../../operations/migration.ts";
import { suggestMappings } from "../../operations/suggest.ts";
import { display } from "../../model/display.ts";
import type { Result } from "../../model/result.ts";
import { shellWord } from "../../model/shell-word.ts";
import { plural } from "../../model/plural.ts";
import { readJsonFile, StoreError, writeJsonFile } from "../../store/index.ts";
import { didYouMean } from "../../plan/nearest.ts";
import { briefMappings, briefSuggestions, isForMachines } from "../brief.ts";
import type { CommonFlags } from "../flags.ts";
import type { Heeded } from "../idle-words.ts";
import { refuseIdle } from "../idle-words.ts";
import { inTurn } from "../in-turn.ts";
import type { Io } from "../io.ts";
import type { Kept } from "../out-file.ts";
import { outFile } from "../out-file.ts";
import { runOnPlan } from "../session.ts";
import { UsageError } from "../usage-error.ts";

export interface MappingFlags extends CommonFlags {
  readonly kind?: string | undefined;
  readonly out?: string | undefined;
  readonly snapshot?: string | undefined;
  readonly minSimilarity?: number | undefined;
  readonly all?: true | undefined;
  readonly force?: true | undefined;
  readonly base?: string | undefined;
}

export const mappingActions = [
  "list",
  "show",
  "set",
  "remove",
  "suggest",
  "import",
  "export",
  "merge",
] as const;

const heeded: Readonly<Record<(typeof mappingActions)[number], Heeded>> = {
  list: { words: 1, flags: ["kind", "kinds", "all"] },
  show: { words: 1, flags: [] },
  set: { words: 2, flags: ["kind", "force"] },
  remove: { words: Infinity, flags: [] },
  suggest: {
    words: 0,
    flags: ["kinds", "include", "exclude", "all", "out", "snapshot", "minSimilarity"],
  },
  import: { words: 1, flags: [] },
  export: { words: 1, flags: ["kind", "kinds"] },
  merge: { words: 2, flags: ["base", "out"] },
};

/** A file of pairs; what `suggest --out` and `export` write, `import` reads. */
const pairsSchema = z.looseObject({
  pairs: z.array(
    z.looseObject({
      kind: z.string().optional(),
      source: z.string(),
      target: z.string(),
      name: z.string().optional(),
    }),
  ),
});

export async function runMappings(
  io: Io,
  plan: string,
  action: string,
  args: readonly string[],
  flags: MappingFlags,
): Promise<number> {
  // Nobody is asked where files are looked at or changed, and what there is not needs no variables either.
  const offline = action === "set" ? flags.force === true : action !== "suggest";
  return runOnPlan({ io, command: "mappings", plan, flags, offline }, async ({ migration, kept, clear }) => {
    refuseIdle("mappings", action, { words: args, flags: { ...flags } }, heeded);
    switch (action) {
      case "list":
        return list(migration, args[0], flags);
      case "show":
        return showMapping(migration, required(args, 0, "the URN to show", "show URN"));
      case "set":
        return set(
          migration,
          {
            kind: flags.kind,
            source: required(args, 0, "a source URN", "set SOURCE TARGET"),
            target: required(args, 1, "a target URN", "set SOURCE TARGET"),
          },
          flags,
        );
      case "remove":
        required(args, 0, "a source URN", "remove SOURCE...");
        return removeMappings(migration, args);
      case "suggest":
        return suggest(io, migration, kept, flags, clear);
      case "import":
        return importPairs(io, migration, required(args, 0, "a file of pairs", "import FILE"));
      case "export":
        return exportPairs(io, migration, kept, required(args, 0, "a file to write", "export FILE"), flags);
      case "merge":
        return merge(io, migration, kept, args, flags);
      default:
        throw new UsageError(
          `mappings: there is no "${action}"`,
          didYouMean(action, mappingActions) ?? `It is one of ${mappingActions.join(", ")}.`,
        );
    }
  });
}

async function list(migration: Migration, text: string | undefined, flags: MappingFlags): Promise<Result> {
  const result = await listMappings(migration, { kind: flags.kind, kinds: flags.kinds, text });
  if (isForMachines(flags)) return result;
  return { ...result, details: briefMappings(result.details, flags.all === true) };
}

/** One pair is looked up on both sides; the many of a file are not, which is said. */
async function set(migration: Migration, pair: Pair, flags: MappingFlags): Promise<Result> {
  return setMappings(migration, [pair], { check: flags.force !== true });
}

async function importPairs(io: Io, migration: Migration, file: string): Promise<Result> {
  const { pairs } = await readPairs(resolve(io.cwd, file));
  const result = await setMappings(migration, pairs, { inFile: true });
  const summary = "whether the objects exist was not checked: many pairs would be as many requests";
  const suggestion = "The next `ferry diff PLAN` tells what is not there.";
  return {
    ...result,
    diagnostics: [...result.diagnostics, { severity: "info", code: "pair-unchecked", summary, suggestion }],
  };
}

/** A person has made the file, or made it into this: there may be nothing to restore. */
async function readPairs(path: string): Promise<z.infer<typeof pairsSchema>> {
  try {
    return await readJsonFile(path, pairsSchema);
  } catch (error) {
    if (!(error instanceof StoreError) || !["bad-json", "bad-shape"].includes(error.code)) throw error;
    const suggestion =
      'A file of pairs is JSON: { "pairs": [ { "source": "urn:...", "target": "urn:..." } ] }, as `ferry mappings PLAN suggest --out FILE` and `ferry mappings PLAN export FILE` write it. Files of a mapping are brought together by `ferry mappings PLAN merge OURS THEIRS`.';
    throw new StoreError(error.code, error.path, error.message, suggestion, error);
  }
}

/** On a terminal each suggestion is accepted one by one; with --out they go to a file to be edited and imported. */
async function suggest(
  io: Io,
  migration: Migration,
  kept: Kept,
  flags: MappingFlags,
  clear: () => void,
): Promise<Result> {
  const out = flags.out === undefined ? undefined : outFile(io, flags.out, kept);
  const snapshot = flags.snapshot === undefined ? undefined : resolve(io.cwd, flags.snapshot);
  const result = await suggestMappings(migration, { snapshot });
  const least = (flags.minSimilarity ?? 0) / 100;
  const found = result.details.suggestions.filter(({ similarity }) => similarity >= least);
  if (out !== undefined) {
    await writeJsonFile(out, { pairs: found });
    return {
      ...result,
      headline: `${plural(found.length, "suggestion")} in ${flags.out ?? out}: take out what is wrong, then import it.`,
      next: [`ferry mappings ${migration.plan.name} import ${shellWord(flags.out ?? out)}`],
    };
  }
  const { ambiguous } = result.details;
  const shown: Result = isForMachines(flags)
    ? { ...result, details: { ...result.details, suggestions: found } }
    : { ...result, details: briefSuggestions({ suggestions: found, ambiguous }, flags.all === true) };
  if (!io.interactive || !flags.input || flags.json === true || found.length === 0) return shown;
  clear();
  const accepted: Pair[] = [];
  const ask = inTurn(io, "To stop and keep what was accepted, type q.");
  for (const { kind, name, targetName, source, target, similarity, differing } of found) {
    const differs =
      differing.length === 0 ? "nothing differs" : `differing: ${differing.slice(0, 6).join(", ")}`;
    io.stderr.write(
      `\n${kind} "${display(name)}"${name === targetName ? "" : ` -> "${display(targetName)}"`}, ${Math.round(similarity * 100)} % equal, ${display(differs)}\n  ${display(source)}\n  ${display(target)}\n`,
    );
    const question = "Accept this pair? y, n, or q to stop: ";
    const answer = (await migration.asks(async () => ask(question))).trim();
    if (answer === "q") break;
    if (answer === "y") accepted.push({ kind, name, source, target });
  }
  return accepted.length === 0 ? shown : setMappings(migration, accepted);
}

async function exportPairs(
  io: Io,
  migration: Migration,
  kept: Kept,
  file: string,
  { kind, kinds }: MappingFlags,
): Promise<Result> {
  const path = outFile(io, file, kept);
  const result = await listMappings(migration, { kind, kinds });
  const pairs = result.details.mappings;
  await writeJsonFile(path, { pairs });
  return { ...result, headline: `${plural(pairs.length, "pair")} in ${file}`, details: undefined };
}

/** Two branches' versions of one file: `git` calls it for each, as a merge driver. */
async function merge(
  io: Io,
  migration: Migration,
  kept: Kept,
  args: readonly string[],
  flags: MappingFlags,
): Promise<Result> {
  const at = (file: string): string => resolve(io.cwd, file);
  const ours = at(required(args, 0, "a mapping file, and another one to merge with it", "merge OURS THEIRS"));
  const theirs = at(required(args, 1, "a second mapping file", "merge OURS THEIRS"));
  const base = flags.base === undefined ? undefined : at(flags.base);
  const out = flags.out === undefined ? undefined : outFile(io, flags.out, kept, { isMapping: true });
  const live = out !== undefined && dirname(out) === kept.places.mapping;
  return mergeMappings(migration, { ours, theirs, base, out }, { live, shown: flags.out });
}

function required(args: readonly string[], index: number, what: string, whole: string): string {
  const value = args[index];
  if (value === undefined)
    throw new UsageError(`mappings: it needs ${what}`, `Write it as: ferry mappings PLAN ${whole}`);
  return value;
}

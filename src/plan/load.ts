import { existsSync, readFileSync } from "node:fs";
import { basename, dirname, extname, join, resolve } from "node:path";
import { LineCounter, parseDocument } from "yaml";
import type { Plan, Selector } from "../model/plan.ts";
import { brokenYaml } from "./broken-yaml.ts";
import { describe } from "./describe.ts";
import { interpolate } from "./interpolate.ts";
import { located } from "./locate.ts";
import { didYouMean } from "./nearest.ts";
import { PlanError } from "./plan-error.ts";
import type { PlanProblem } from "./plan-error.ts";
import type { PlanFile } from "./schema.ts";
import { planSchema } from "./schema.ts";

export interface LoadOptions {
  /** A path, or a name found in `plans/`. */
  readonly plan: string;
  /** A relative path starts here; the folder of the process when left out. */
  readonly cwd?: string;
  readonly folder: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The kinds that a plan may select. */
  readonly selectable: readonly string[];
}

export interface LoadedPlan {
  readonly plan: Plan;
  readonly path: string;
  /** What must never be shown. */
  readonly secrets: readonly string[];
}

/** Reads and checks a plan; all its problems are told at once. Throws PlanError. */
export function loadPlan(options: LoadOptions): LoadedPlan {
  const path = find(options);
  const lines = new LineCounter();
  const text = read(path);
  const document = parseDocument(text, { lineCounter: lines, uniqueKeys: true, prettyErrors: false });
  const broken = brokenYaml(text, document.errors, lines);
  if (broken !== undefined) throw new PlanError(path, [broken]);

  const raw: unknown = document.toJS();
  const found: PlanProblem[] = [];
  const filled = interpolate(raw, options.env, found);
  const parsed = planSchema.safeParse(filled);
  if (parsed.success) found.push(...wrongKinds(parsed.data, options.selectable), ...oneSide(parsed.data));
  const problems = found.map((problem) => located(problem, document, lines));
  if (!parsed.success)
    problems.push(...parsed.error.issues.flatMap((issue) => describe(issue, document, lines)));
  if (problems.length > 0 || !parsed.success) throw new PlanError(path, problems);
  const plan = toPlan(parsed.data, path);
  return { plan, path, secrets: [plan.source.clientSecret, plan.target.clientSecret] };
}

function find({ plan, cwd = "", folder }: LoadOptions): string {
  const places = [
    resolve(cwd, plan),
    ...["", ".yaml", ".yml", ".json"].map((end) => join(folder, `${plan}${end}`)),
  ];
  const found = places.find(
    (place) => existsSync(place) && [".yaml", ".yml", ".json"].includes(extname(place)),
  );
  if (found !== undefined) return found;
  throw new PlanError(plan, [
    {
      path: "",
      summary: `there is no plan "${plan}": neither a .yaml, .yml or .json file of that path nor one of that name in ${folder}`,
      suggestion: `Write one: ferry init ${join(folder, `${basename(plan, extname(plan))}.yaml`)}`,
    },
  ]);
}

function read(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new PlanError(path, [{ path: "", summary: `it cannot be read: ${why}` }]);
  }
}

/** A selector of a kind that is not selected would do nothing, and nobody would notice. */
function wrongKinds({ select }: PlanFile, selectable: readonly string[]): readonly PlanProblem[] {
  const selectors = (["include", "exclude"] as const).flatMap((list) =>
    select[list].flatMap((selector, index) => {
      const kind = selector.kind ?? selector.kinds;
      return kind === undefined ? [] : [[`select.${list}[${index}].kind`, kind] as const];
    }),
  );
  const used = [
    ...select.kinds.map((kind, index) => [`select.kinds[${index}]`, kind] as const),
    ...selectors,
  ];
  return used.flatMap(([path, kind]) => {
    if (!selectable.includes(kind)) {
      const suggestion = didYouMean(kind, selectable) ?? `Kinds: ${selectable.join(", ")}.`;
      return [{ path, summary: `there is no kind "${kind}"`, suggestion }];
    }
    if (select.kinds.includes(kind)) return [];
    const summary = `"${path}": the kind ${kind} is not selected`;
    return [{ path, summary, suggestion: `Add ${kind} to select.kinds, or take this selector out.` }];
  });
}

/** The source is never written: it cannot be the target too. */
function oneSide({ source, target }: PlanFile): readonly PlanProblem[] {
  const address = (url: string): string => new URL(url).href.replace(/\/+$/, "");
  if (source.name === target.name) {
    const summary = `source and target are both named "${source.name}"`;
    return [
      {
        path: "target.name",
        summary,
        suggestion: "Name each environment: the names tell their files apart.",
      },
    ];
  }
  if (address(source.baseUrl) !== address(target.baseUrl) || source.realm !== target.realm) return [];
  const summary = "source and target are the same environment";
  return [{ path: "target", summary, suggestion: "Correct baseUrl or realm of one of them." }];
}

function toPlan(file: PlanFile, path: string): Plan {
  return {
    name: basename(path, extname(path)),
    source: { ...file.source, authUrl: file.source.authUrl ?? file.source.baseUrl },
    target: withoutUndefined({ ...file.target, authUrl: file.target.authUrl ?? file.target.baseUrl }),
    select: {
      kinds: file.select.kinds,
      include: file.select.include.map((selector) => toSelector(selector, path)),
      exclude: file.select.exclude.map((selector) => toSelector(selector, path)),
      dependencies: file.select.dependencies,
    },
    pairing: file.pairing,
    policy: file.policy,
    limits: {
      concurrency: file.limits.concurrency,
      requestTimeoutMs: file.limits.requestTimeout,
      quietPeriodMs: file.limits.quietPeriod,
      answerSizeBytes: file.limits.answerSize,
    },
  };
}

function toSelector(selector: PlanFile["select"]["include"][number], path: string): Selector {
  const kind = selector.kind ?? selector.kinds;
  const urns = [
    ...(selector.urns ?? []),
    ...(selector.file === undefined ? [] : urnsOf(selector.file, path)),
  ];
  return {
    ...(kind === undefined ? {} : { kind }),
    ...(selector.name === undefined ? {} : { name: selector.name }),
    ...(selector.urns === undefined && selector.file === undefined ? {} : { urns }),
  };
}

/** A file of URNs, one a line; empty lines and those with # are passed over. */
function urnsOf(file: string, plan: string): readonly string[] {
  return read(resolve(dirname(plan), file))
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "" && !line.startsWith("#"));
}

function withoutUndefined<T extends { confirm?: string | undefined }>(
  value: T,
): Omit<T, "confirm"> & { confirm?: string } {
  const { confirm, ...rest } = value;
  return confirm === undefined ? rest : { ...rest, confirm };
}

import { existsSync, readFileSync } from "node:fs";
import { basename, dirname, extname, join, resolve } from "node:path";
import { LineCounter, isMap, isSeq, parseDocument } from "yaml";
import type { Document } from "yaml";
import type { z } from "zod";
import type { Plan, Selector } from "../model/plan.ts";
import { interpolate } from "./interpolate.ts";
import { planKeys } from "./keys.ts";
import { didYouMean } from "./nearest.ts";
import { PlanError } from "./plan-error.ts";
import type { PlanProblem } from "./plan-error.ts";
import type { PlanFile } from "./schema.ts";
import { planSchema } from "./schema.ts";

export interface LoadOptions {
  /** A path, or a name found in `plans/`. */
  readonly plan: string;
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
  const document = parseDocument(read(path), { lineCounter: lines, uniqueKeys: true });
  const problems: PlanProblem[] = document.errors.map((error) => ({
    path: "",
    line: lines.linePos(error.pos[0]).line,
    summary: error.message.split("\n")[0] ?? error.message,
  }));
  if (problems.length > 0) throw new PlanError(path, problems);

  const raw: unknown = document.toJS();
  const filled = interpolate(raw, options.env, problems);
  const parsed = planSchema.safeParse(filled);
  if (!parsed.success)
    problems.push(...parsed.error.issues.flatMap((issue) => describe(issue, document, lines)));
  if (parsed.success) problems.push(...unknownKinds(parsed.data, options.selectable));
  if (problems.length > 0 || !parsed.success) throw new PlanError(path, problems);
  const plan = toPlan(parsed.data, path);
  return { plan, path, secrets: [plan.source.clientSecret, plan.target.clientSecret] };
}

function find({ plan, folder }: LoadOptions): string {
  const places = [
    resolve(plan),
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

function describe(issue: z.core.$ZodIssue, document: Document, lines: LineCounter): readonly PlanProblem[] {
  const path = issue.path
    .map((part) => (typeof part === "number" ? `[${part}]` : `.${String(part)}`))
    .join("")
    .replace(/^\./, "");
  const keyList = planKeys[issue.path.filter((part) => typeof part !== "number").join(".")] ?? [];
  if (issue.code === "unrecognized_keys") {
    return issue.keys.map((key) => {
      const line = lineOf(document, lines, [...issue.path, key]);
      const suggestion = didYouMean(key, keyList) ?? `Known keys here: ${keyList.join(", ")}.`;
      const full = path === "" ? key : `${path}.${key}`;
      return {
        path: full,
        summary: `unknown key "${full}"`,
        suggestion,
        ...(line === undefined ? {} : { line }),
      };
    });
  }
  const line = lineOf(document, lines, issue.path);
  const missing = issue.code === "invalid_type" && /received undefined/.test(issue.message);
  const summary = missing ? `"${path}" is missing` : `"${path}": ${issue.message}`;
  return [{ path, summary, ...(line === undefined ? {} : { line }) }];
}

function lineOf(document: Document, lines: LineCounter, path: readonly PropertyKey[]): number | undefined {
  let node: unknown = document.contents;
  let position: number | undefined;
  for (const part of path) {
    if (isMap(node)) {
      const pair = node.items.find(
        (item) => String((item.key as { value?: unknown } | null)?.value ?? item.key) === String(part),
      );
      const range = (pair?.key as { range?: readonly number[] } | undefined)?.range;
      position = range?.[0] ?? position;
      node = pair?.value;
    } else if (isSeq(node)) {
      node = node.items[Number(part)];
      position = (node as { range?: readonly number[] } | undefined)?.range?.[0] ?? position;
    } else {
      break;
    }
  }
  return position === undefined ? undefined : lines.linePos(position).line;
}

function unknownKinds(file: PlanFile, selectable: readonly string[]): readonly PlanProblem[] {
  const used = [
    ...file.select.kinds.map((kind) => ["select.kinds", kind] as const),
    ...[...file.select.include, ...file.select.exclude].flatMap((selector) => {
      const kind = selector.kind ?? selector.kinds;
      return kind === undefined ? [] : [["select", kind] as const];
    }),
  ];
  return used
    .filter(([, kind]) => !selectable.includes(kind))
    .map(([path, kind]) => ({
      path,
      summary: `there is no kind "${kind}"`,
      suggestion: didYouMean(kind, selectable) ?? `Kinds: ${selectable.join(", ")}.`,
    }));
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

import { existsSync, readdirSync, statSync } from "node:fs";
import { dirname, extname, join, relative, resolve } from "node:path";
import { addressText } from "../model/address.ts";
import { display } from "../model/display.ts";
import type { Limits, Pairing, Plan, PlanEnvironment, Policy, Selector, Selection } from "../model/plan.ts";
import { planSecrets } from "../model/plan.ts";
import { shellWord } from "../model/shell-word.ts";
import { someOf } from "../model/some-of.ts";
import { wrongValue } from "../model/wrong-value.ts";
import { bareVariables } from "./bare-variables.ts";
import { excerpt } from "./broken-yaml.ts";
import { describe } from "./describe.ts";
import { fitting } from "./fitting.ts";
import { interpolate } from "./interpolate.ts";
import { located } from "./locate.ts";
import { didYouMean } from "./nearest.ts";
import { parsePlan } from "./parse.ts";
import { PlanError } from "./plan-error.ts";
import type { PlanProblem } from "./plan-error.ts";
import { planName, planNameProblem } from "./plan-name.ts";
import { readText } from "./read-text.ts";
import type { PlanFile, PlanForm } from "./schema.ts";
import { planForm } from "./schema.ts";
import type { PlanPart, PlanSection } from "./section.ts";
import { withSelectors } from "./selectors.ts";
import { urnLists } from "./urn-lists.ts";
import { variablesTogether } from "./variables-together.ts";

export interface LoadOptions {
  /** A path, or a name found in `plans/`. */
  readonly plan: string;
  /** A relative path starts here; the folder of the process when left out. */
  readonly cwd?: string;
  readonly folder: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The kinds that a plan may select. */
  readonly selectable: readonly string[];
  /** What the kinds let a plan say beside what the engine does. */
  readonly sections: readonly PlanSection[];
  /** Nothing is going to be sent: what a person signs in with need not be set. */
  readonly offline?: boolean;
}

export interface LoadedPlan {
  readonly plan: Plan;
  readonly path: string;
  /** What must never be shown. */
  readonly secrets: readonly string[];
  /** What this text would say in the plan's place. Throws PlanError. */
  readonly check: (text: string) => { readonly plan: Plan };
}

/**
 * Reads and checks a plan; all its problems are told at once, and none of them quotes a value: any may be a secret
 * that lost its place. Throws PlanError, and nothing else.
 */
export function loadPlan(options: LoadOptions): LoadedPlan {
  const path = find(options);
  const misnamed = planNameProblem(path);
  if (misnamed !== undefined) throw new PlanError(path, [misnamed]);
  const read = readText(path);
  if ("why" in read) throw new PlanError(path, [{ path: "", summary: `${display(path)} ${read.why}` }]);
  const check = (text: string): Understood => {
    try {
      return understand(path, text, options);
    } catch (error) {
      if (error instanceof PlanError) throw error;
      // Its own words are not passed on: they come from a library, and may quote the plan.
      const summary = "it cannot be understood, for a reason that may quote it and is not shown";
      throw new PlanError(path, [{ path: "", summary }], path);
    }
  };
  return { ...check(read.text), check };
}

type Understood = Omit<LoadedPlan, "check">;

function understand(path: string, text: string, options: LoadOptions): Understood {
  const form = planForm(options.sections);
  const words = [...new Set(Object.values(form.keys).flat())];
  const refused = (problems: readonly PlanProblem[]): PlanError =>
    new PlanError(path, withLines(variablesTogether(problems), text, words), path);
  const literal = form.sections.flatMap((section) => section.literal ?? []);
  const whole = parsePlan(text, words, literal);
  if ("summary" in whole) throw refused([whole]);
  const { document, lines, value } = whole;
  const found: PlanProblem[] = [];
  const filled = interpolate(value, options.env, found, options.offline === true);
  // What a variable holds may look like anything.
  found.push(...bareVariables(value));
  const parsed = form.schema.safeParse(withSelectors(filled), { error: wrongValue });
  if (!parsed.success) {
    const { issues } = parsed.error;
    const unset = new Set(found.flatMap(({ path: at, variable }) => (variable === undefined ? [] : [at])));
    const wrong = issues
      .flatMap((issue) => describe(issue, document, lines, form.keys))
      // Two checks of one value may ask for the same.
      .filter(
        ({ path: at, summary }, index, all) =>
          !unset.has(at) && all.findIndex((one) => one.path === at && one.summary === summary) === index,
      );
    const rest = fitting(filled, issues, form);
    const meant = rest === undefined ? [] : meaning(rest.file, form, path, options.selectable).problems;
    found.push(...meant.filter(({ path: at }) => rest?.isOfWrong(at) === false));
    throw refused([...found.map((problem) => located(problem, document, lines)), ...wrong]);
  }
  // The parts that kinds have keys in are put together when the program runs: their types are with the kinds.
  const file = parsed.data as unknown as PlanFile;
  const { plan, problems } = meaning(file, form, path, options.selectable);
  found.push(...problems);
  if (found.length > 0) throw refused(found.map((problem) => located(problem, document, lines)));
  return { plan, path, secrets: planSecrets(plan) };
}

/** What a plan of the right form says, and what is wrong with that. */
function meaning(
  file: PlanFile,
  form: PlanForm,
  path: string,
  selectable: readonly string[],
): { readonly plan: Plan; readonly problems: readonly PlanProblem[] } {
  const lists = urnLists(file, path);
  const plan = toPlan(file, form, path, lists.urns);
  const problems = [
    ...wrongKinds(file, selectable),
    ...oneSide(file),
    ...form.sections.flatMap((section) => section.check?.(plan) ?? []),
    ...lists.problems,
  ];
  return { plan, problems };
}

/** The line itself shows where; of many problems the first few. */
function withLines(
  problems: readonly PlanProblem[],
  text: string,
  words: readonly string[],
): readonly PlanProblem[] {
  const most = 5;
  return problems.map((problem, index) => {
    const { line, column } = problem;
    if (problem.excerpt !== undefined || line === undefined || column === undefined || index >= most)
      return problem;
    return { ...problem, excerpt: excerpt(text, { line, column }, words) };
  });
}

function find({ plan, cwd = "", folder }: LoadOptions): string {
  const endings = ["", ".yaml", ".yml", ".json"];
  // A name alone is one of the folder: no file that happens to lie about is taken for a plan of that name.
  const isPath = /[\\/]/.test(plan);
  const places = [
    ...endings.slice(0, isPath ? endings.length : 1).map((end) => resolve(cwd, `${plan}${end}`)),
    ...endings.map((end) => join(folder, `${plan}${end}`)),
  ];
  const isThere = (place: string): boolean =>
    existsSync(place) && [".yaml", ".yml", ".json"].includes(extname(place));
  const found = places.find(isThere);
  if (found !== undefined) return found;
  // What is there is not to be written anew.
  const namesake = endings.map((end) => join(folder, `${planName(plan)}${end}`)).find(isThere);
  const isMeant =
    namesake === undefined ? aboveIt(isPath ? undefined : cwd, plan) : `Did you mean ${namesake}?`;
  // The folder of a plan's work stands beside the plan, and shells complete its name.
  if (plan !== "" && isFolder(resolve(cwd, plan)))
    throw new PlanError(plan, [
      {
        path: "",
        summary: `${display(plan)} is a folder, and no plan`,
        suggestion: isMeant ?? nameOneOf(folder),
      },
    ]);
  const fresh = join(folder, `${planName(plan)}.yaml`);
  throw new PlanError(plan, [
    {
      path: "",
      summary: `there is no plan "${plan}": neither a .yaml, .yml or .json file of that path nor one of that name in ${folder}`,
      suggestion:
        didYouMean(plan, plansIn(folder)) ??
        isMeant ??
        // Where a variable of a script was empty there is no name to write one under.
        (planNameProblem(fresh) === undefined
          ? `Write one: ferry init ${shellWord(fresh)}`
          : nameOneOf(folder)),
    },
  ]);
}

/** Who is in a folder of the project, plans/ for one, names a plan that stands above, and would be told to write it anew. */
function aboveIt(cwd: string | undefined, plan: string): string | undefined {
  if (cwd === undefined || cwd === "" || plan === "") return undefined;
  for (let at = resolve(cwd); dirname(at) !== at;) {
    at = dirname(at);
    if (plansIn(join(at, "plans")).includes(planName(plan)))
      return `Run it in the plan's own folder: cd ${shellWord(relative(cwd, at))}`;
  }
  return undefined;
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}

function nameOneOf(folder: string): string {
  const plans = plansIn(folder);
  return plans.length === 0
    ? "Write a plan: ferry init plans/prod.yaml"
    : `Name a plan: ${someOf(plans.toSorted(), 5)} in ${folder}`;
}

/** The names of the plans in the folder; none where it cannot be read. */
function plansIn(folder: string): readonly string[] {
  try {
    const names = readdirSync(folder).filter((name) => [".yaml", ".yml", ".json"].includes(extname(name)));
    return names.filter((name) => planNameProblem(name) === undefined).map(planName);
  } catch {
    return [];
  }
}

/** A selector of a kind that is not selected would do nothing, and nobody would notice. */
function wrongKinds(
  { select, acknowledged, policy }: PlanFile,
  selectable: readonly string[],
): readonly PlanProblem[] {
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
  const ignored = Object.keys(policy["ignoreFields"] ?? {});
  const named = [
    ...acknowledged.map(({ kind }, index) => [`acknowledged[${index}].kind`, kind] as const),
    ...ignored.map((kind) => [`policy.ignoreFields.${kind}`, kind] as const),
  ];
  const known = named.flatMap(([path, kind]) => {
    if (selectable.includes(kind)) return [];
    const suggestion = didYouMean(kind, selectable) ?? `Kinds: ${selectable.join(", ")}.`;
    return [{ path, summary: `"${path}": there is no such kind`, suggestion }];
  });
  const wrong = used.flatMap(([path, kind]) => {
    if (!selectable.includes(kind)) {
      const suggestion = didYouMean(kind, selectable) ?? `Kinds: ${selectable.join(", ")}.`;
      return [{ path, summary: `"${path}": there is no such kind`, suggestion }];
    }
    if (select.kinds.includes(kind)) return [];
    const summary = `"${path}": the kind ${kind} is not selected`;
    return [{ path, summary, suggestion: `Add ${kind} to select.kinds, or take this selector out.` }];
  });
  return [...wrong, ...known];
}

/**
 * The source is never written: it cannot be the target too. Two addresses of one environment that do not look alike
 * are found out when both sides are read.
 */
function oneSide({ source, target }: PlanFile): readonly PlanProblem[] {
  if (source.name === target.name) {
    const summary = "source and target have the same name";
    return [
      {
        path: "target.name",
        summary,
        suggestion: "Name each environment: the names tell their files apart.",
      },
    ];
  }
  if (addressText(source.baseUrl) !== addressText(target.baseUrl) || source.realm !== target.realm) return [];
  const summary = "source and target are the same environment";
  return [{ path: "target", summary, suggestion: "Correct baseUrl or realm of one of them." }];
}

function toPlan(
  file: PlanFile,
  form: PlanForm,
  path: string,
  lists: ReadonlyMap<object, readonly string[]>,
): Plan {
  const { select } = file;
  // Each setting gives what the interface of its part says of it: the compiler saw to that where both stand.
  return {
    ...(settingsIn("top", { ...file }, form) as unknown as Plan),
    name: planName(path),
    source: toEnvironment(file.source),
    target: {
      ...toEnvironment(file.target),
      ...(file.target.confirm === undefined ? {} : { confirm: file.target.confirm }),
    },
    select: {
      ...(settingsIn("select", select, form) as unknown as Selection),
      kinds: select.kinds,
      include: select.include.map((selector) => toSelector(selector, lists.get(selector))),
      exclude: select.exclude.map((selector) => toSelector(selector, lists.get(selector))),
      dependencies: select.dependencies,
    },
    pairing: settingsIn("pairing", file.pairing, form) as unknown as Pairing,
    policy: settingsIn("policy", file.policy, form) as unknown as Policy,
    limits: settingsIn("limits", file.limits, form) as unknown as Limits,
    ...(file.acknowledged.length === 0 ? {} : { acknowledged: file.acknowledged }),
  };
}

/** By the program's words; what was left out and has no default is not there. */
function settingsIn(
  part: PlanPart,
  written: Readonly<Record<string, unknown>>,
  { table }: PlanForm,
): Readonly<Record<string, unknown>> {
  const values = table[part].map((placed) => [placed.key, written[placed.written]] as const);
  return Object.fromEntries(values.filter(([, value]) => value !== undefined));
}

function toSelector(
  selector: PlanFile["select"]["include"][number],
  listed: readonly string[] | undefined,
): Selector {
  const kind = selector.kind ?? selector.kinds;
  return {
    ...(kind === undefined ? {} : { kind }),
    ...(selector.name === undefined ? {} : { name: selector.name }),
    ...(selector.urns === undefined && listed === undefined
      ? {}
      : { urns: [...(selector.urns ?? []), ...(listed ?? [])] }),
  };
}

function toEnvironment(file: PlanFile["source"]): PlanEnvironment {
  const { name, baseUrl, authUrl = baseUrl, realm, clientId, clientSecret, masterData } = file;
  const platform = { name, baseUrl, authUrl, realm, clientId, clientSecret };
  return masterData === undefined ? platform : { ...platform, masterData };
}

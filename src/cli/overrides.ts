import { registry } from "../kinds/index.ts";
import type { Plan, Selector } from "../model/plan.ts";
import { didYouMean } from "../plan/nearest.ts";
import { selectorFrom } from "../plan/selectors.ts";
import { duration } from "../plan/values.ts";
import type { CommonFlags } from "./flags.ts";
import { UsageError } from "./usage-error.ts";

const narrowing = ["kinds", "include", "exclude"] as const;

/** Commands that are about something else than what the plan selects, with what each of them is about, and what narrows it. */
const others: Readonly<Record<string, { readonly about: string; readonly heeds: readonly string[] }>> = {
  status: { about: "all that the journal and the reports know", heeds: ["kinds"] },
  resolve: { about: "all that is in doubt", heeds: [] },
  rollback: { about: "all that the run did", heeds: [] },
  flow: { about: "flows of the service", heeds: [] },
  runs: { about: "whole runs", heeds: [] },
  decide: { about: "the object that is named behind the plan", heeds: [] },
  ack: { about: "the object that is named behind the plan", heeds: [] },
};

/** Who says what a command is to be kept to, and is not heeded, has more done than he asked for. */
function refuseUnheeded(command: string, flags: CommonFlags): void {
  const other = others[command];
  if (other === undefined) return;
  const unheeded = narrowing.find((name) => flags[name] !== undefined && !other.heeds.includes(name));
  if (unheeded === undefined) return;
  throw new UsageError(
    `--${unheeded} does not narrow ferry ${command}, which is about ${other.about}`,
    `Nothing was done. Run it without --${unheeded}.`,
  );
}

/** Who asks for two formats gets one of them, and takes it for the other. */
function refuseTwoFormats({ json, format }: CommonFlags): void {
  if (json !== true || format === undefined || format === "json") return;
  throw new UsageError(
    `--json and --format ${format} ask for two formats, and one is printed`,
    "Nothing was done. Leave one of them out.",
  );
}

/** The plan as the flags change it: what a flag says wins. */
export function overridden(plan: Plan, flags: CommonFlags, command: string): Plan {
  refuseTwoFormats(flags);
  refuseUnheeded(command, flags);
  const kinds = flags.kinds ?? plan.select.kinds;
  if (kinds.length === 0) throw new UsageError("--kinds names no kind");
  for (const kind of kinds) {
    if (registry.selectable().includes(kind)) continue;
    const known = registry.selectable();
    throw new UsageError(
      `--kinds: there is no kind "${kind}"`,
      didYouMean(kind, known) ?? `Kinds: ${known.join(", ")}.`,
    );
  }
  const isNarrower = plan.select.kinds.some((kind) => !kinds.includes(kind));
  const narrowed = (selector: Selector): Selector =>
    isNarrower && selector.kind === undefined ? { ...selector, mayBeIdle: true } : selector;
  const select = {
    ...plan.select,
    kinds,
    // Selectors of the plan for kinds that the flag leaves out have nothing to match any more.
    include: [
      ...plan.select.include.filter((selector) => fits(selector, kinds)).map(narrowed),
      ...(flags.include ?? []).map((text) => comparedBy(command, selectorOf(text, kinds), kinds)),
    ],
    exclude: [
      ...plan.select.exclude.filter((selector) => fits(selector, kinds)).map(narrowed),
      ...(flags.exclude ?? []).map((text) => comparedBy(command, selectorOf(text, kinds), kinds)),
    ],
  };
  const timeout = flags.timeout === undefined ? undefined : duration.safeParse(flags.timeout);
  if (timeout?.success === false)
    throw new UsageError(`--timeout ${flags.timeout}: write a time such as 60s or 2m, at most 24h`);
  return {
    ...plan,
    select,
    limits: {
      ...plan.limits,
      ...(flags.concurrency === undefined ? {} : { concurrency: flags.concurrency }),
      ...(timeout === undefined ? {} : { requestTimeoutMs: timeout.data }),
    },
  };
}

function fits(selector: Selector, kinds: readonly string[]): boolean {
  return selector.kind === undefined || kinds.includes(selector.kind);
}

function selectorOf(text: string, selected: readonly string[]): Selector {
  const selector = selectorFrom(text);
  const { kind } = selector;
  if (kind === undefined || selected.includes(kind)) return selector;
  if (registry.selectable().includes(kind)) throw new UsageError(`"${text}": ${kind} are not selected`);
  const suggestion = didYouMean(kind, registry.selectable()) ?? `Kinds: ${registry.selectable().join(", ")}.`;
  throw new UsageError(`"${text}": there is no kind "${kind}"`, suggestion);
}

/**
 * What is said to `ferry parity` without a kind is about what it compares: of other kinds nothing is read there, so that a
 * pattern that fits nothing would pass for one that is about them.
 */
function comparedBy(command: string, selector: Selector, selected: readonly string[]): Selector {
  const compared = registry.moved().find(({ evaluated }) => evaluated !== undefined)?.selectedAs;
  if (command !== "parity" || selector.kind !== undefined || compared === undefined) return selector;
  return selected.includes(compared) ? { ...selector, kind: compared } : selector;
}

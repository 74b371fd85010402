import { registry } from "../kinds/index.ts";
import type { Plan, Selector } from "../model/plan.ts";
import { didYouMean } from "../plan/nearest.ts";
import { selectorFrom } from "../plan/selectors.ts";
import { duration } from "../plan/values.ts";
import type { CommonFlags } from "./flags.ts";
import { UsageError } from "./usage-error.ts";

/** The plan as the flags change it: what a flag says wins. */
export function overridden(plan: Plan, flags: CommonFlags): Plan {
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
      ...(flags.include ?? []).map((text) => selectorOf(text, kinds)),
    ],
    exclude: [
      ...plan.select.exclude.filter((selector) => fits(selector, kinds)).map(narrowed),
      ...(flags.exclude ?? []).map((text) => selectorOf(text, kinds)),
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

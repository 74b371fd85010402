import type { Both } from "../../model/parity.ts";
import type { InstanceParts, MonitorParts } from "./monitor-parts.ts";
import type { EvaluationResult, InstanceResult } from "./parse.ts";
import { uuidOf } from "../../model/urn.ts";

/** What of the target stands for what of the source. */
export interface Twins {
  /** The key of a sub-entity of the monitor. */
  key(source: string): string | undefined;
  /** A rule or term. */
  urn(source: string): string | undefined;
}

interface Sided {
  readonly evaluation: EvaluationResult;
  readonly parts: MonitorParts;
}

export interface Matched {
  readonly pairs: readonly Both<InstanceResult>[];
  readonly notes: readonly string[];
}

/**
 * Rule instances of both sides: those that people made by their keys in the mapping; those that terms brought, which are
 * not moved, by the twins of their rule and terms, and by the names of what they read.
 */
export function matchInstances(source: Sided, target: Sided, twins: Twins): Matched {
  const left = new Map(target.evaluation.instances.map((instance) => [instance.urn, instance]));
  const notes: string[] = [];
  const pairs = source.evaluation.instances.map((instance): Both<InstanceResult> => {
    const parts = source.parts.instances.get(instance.urn);
    const fitting = [...left.values()].filter((other) =>
      fits(instance, parts, other, target.parts.instances.get(other.urn), twins),
    );
    const [twin] = fitting;
    if (twin === undefined) return { source: instance };
    if (fitting.length > 1)
      notes.push(
        `${fitting.length} rule instances of the target may be "${instance.name}"; the first one is compared`,
      );
    left.delete(twin.urn);
    return { source: instance, target: twin };
  });
  return { pairs: [...pairs, ...[...left.values()].map((instance) => ({ target: instance }))], notes };
}

function fits(
  instance: InstanceResult,
  parts: InstanceParts | undefined,
  other: InstanceResult,
  otherParts: InstanceParts | undefined,
  twins: Twins,
): boolean {
  const byKey = twins.key(uuidOf(instance.urn));
  if (byKey !== undefined) return byKey === uuidOf(other.urn);
  if (parts?.terms === undefined || otherParts?.terms === undefined) return false;
  if (twins.urn(instance.ruleUrn) !== other.ruleUrn) return false;
  const wanted = new Set(parts.terms.map(({ urn }) => twins.urn(urn)));
  const shares = otherParts.terms.some(({ urn }) => wanted.has(urn));
  return shares && instance.attributes.every((name) => other.attributes.includes(name));
}

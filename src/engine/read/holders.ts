import type { Found } from "../../kinds/kind.ts";
import type { Registry } from "../../kinds/registry.ts";
import { urnType } from "../../model/urn.ts";
import { isGiven, standsAlone } from "../facets/standing.ts";

/** What is known of one environment, or of a snapshot of it. */
interface Known {
  /** What there is of a moved kind. */
  urns(kind: string): Iterable<string>;
  /** A given thing, as far as it was read. */
  find(kind: string, urn: string): Found | undefined;
}

/** The moved object that a given thing stands in; undefined for all others. */
export type HolderOf = (urn: string) => string | undefined;

/**
 * Who refers to a column of an SQL item refers to that item, and brings it along. Undefined where nothing is moved that
 * given things stand in: nobody has to look.
 */
export function holderIn(registry: Registry, known: Known): HolderOf | undefined {
  const born = new Map(
    registry
      .moved()
      .flatMap((kind) =>
        standsAlone(kind)
          ? (kind.births?.kinds ?? []).map((name) => [name, new Set(known.urns(kind.name))] as const)
          : [],
      )
      .filter(([, holders]) => holders.size > 0),
  );
  if (born.size === 0) return undefined;
  return (urn) => {
    const kind = registry.givenOf(urnType(urn) ?? "");
    const holders = born.get(kind?.name ?? "");
    if (!isGiven(kind) || holders === undefined) return undefined;
    const record = known.find(kind.name, urn);
    const holder = record === undefined ? undefined : kind.partOf?.(record);
    return holder !== undefined && holders.has(holder) ? holder : undefined;
  };
}

import { standsAlone } from "../facets/standing.ts";
import type { MappingEntry } from "../../model/mapping.ts";
import { oldOneLeft } from "./displaced.ts";
import type { Context, Draft } from "./draft.ts";

/**
 * With a word on the twin before this one, where that is there beside it: it was left when this one took its place, or it has come back
 * (a backup, a right that was missing). What the journal tells of is told by that (`displaced.ts`).
 */
export function withFormerTwin(made: Draft, row: MappingEntry | undefined, { input }: Context): Draft {
  const { kind } = made.node;
  const old = row?.former?.target;
  if (old === undefined || old === row?.target) return made;
  const { mapping, target, displaced = [] } = input;
  const isThere = standsAlone(kind) && target.snapshot.has(kind.name, old);
  if (!isThere || mapping.claimedBy(old) !== undefined) return made;
  if (displaced.some(({ entry }) => entry.target === old)) return made;
  const { change } = made;
  const summary = `${change.target?.urn ?? "another object"} has taken its place, and it is there still`;
  const named = { kind: kind.name, urn: old, name: target.snapshot.name(kind.name, old) };
  const told = oldOneLeft("warning", named, summary);
  return { ...made, change: { ...change, diagnostics: [...change.diagnostics, told] } };
}

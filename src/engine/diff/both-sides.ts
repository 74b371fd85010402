import { fingerprint } from "../../model/canonical.ts";
import type { FieldChange } from "../../model/change.ts";
import type { Difference } from "../../model/difference.ts";
import { unlabelled } from "../../model/difference.ts";
import type { Json } from "../../model/json.ts";
import { tokensOf } from "../../model/json.ts";
import { withKeys } from "../../model/pair-keys.ts";
import { otherContent } from "../../model/part-places.ts";
import { subEntityKeys } from "../../model/sub-entity.ts";
import { differenceOf } from "../facets/content.ts";
import { namesItsParts } from "../facets/standing.ts";
import type { Comparison } from "./compare.ts";
import { compareWith } from "./compare.ts";
import { addedThere } from "./added-there.ts";
import type { Context } from "./draft.ts";
import { lapsedIn, pointersOf, touches } from "./kept.ts";
import type { Node } from "./node.ts";
import { takesTheirs } from "./theirs-within.ts";

/** Both sides against what was last applied: who has changed what since then. */
export interface Since {
  readonly source: Difference;
  readonly target: Difference;
  /** Keys of parts that both sides have, and what was last applied has not: somebody has made them anew. Who changed them is not known. */
  readonly unknown: ReadonlySet<string>;
}

/** Undefined where what was last applied is not known here, or is not what the mapping says. */
export function sinceApplied(node: Node, now: Comparison, { input, resolver }: Context): Since | undefined {
  const { kind, urn, entry } = node;
  if (entry === undefined || entry.target !== node.target) return undefined;
  const last = input.applied?.get(kind.name, urn);
  if (last === undefined || last.print !== entry.targetFingerprint) return undefined;
  const base = withKeys(last.tree, node.keys);
  const known = subEntityKeys(base);
  const options = { shape: kind.shape, keys: { ...node.keys, ...now.keys }, nameOf: resolver.names.label };
  const { targetOnly } = input.plan.policy;
  return {
    source: differenceOf(kind, now.tree, base, { ...options, targetOnly }),
    target: differenceOf(kind, base, now.target, { ...options, targetOnly: "remove" }),
    unknown: new Set(Object.values(now.keys).filter((key) => !known.has(key))),
  };
}

/** The fields of a difference with what was there when it was last applied, and who has changed it. */
export function withBase(
  difference: Pick<Difference, "fields" | "labelled">,
  since: Since | undefined,
  node: Node,
  context: Context,
): readonly FieldChange[] {
  const { fields } = difference;
  if (since === undefined) return fields;
  // A part without a name may be the second of its map in one comparison, and the first in another.
  const source = since.source.fields.map((field) => ({ field, at: unlabelled(field.path, since.source) }));
  const target = since.target.fields.map(({ path }) => unlabelled(path, since.target));
  return fields.map((field) => {
    const here = unlabelled(field.path, difference);
    const atSource = source.find(({ at }) => at === here)?.field;
    const isAtTarget = target.some((at) => touches(at, here));
    const value = atSource === undefined ? field.to : atSource.from;
    const isAtSource = source.some(({ at }) => touches(at, here));
    const movedAt = isAtSource === isAtTarget ? "both" : isAtSource ? "source" : "target";
    return { ...field, base: shown(field.path, value, node, context), movedAt };
  });
}

/** With references by name, as the other two versions have them. */
function shown(
  path: string,
  value: Json | undefined,
  node: Node,
  { resolver }: Context,
): NonNullable<FieldChange["base"]> {
  if (value === undefined) return {};
  const { to = value, toName } = resolver.names.field({ path, to: value }, node);
  return { value: to, ...(toName === undefined ? {} : { name: toName }) };
}

/**
 * The comparison in which each side keeps what it alone has changed; undefined where a field was changed on both, or
 * where nobody knows.
 */
export function merged(node: Node, now: Comparison, since: Since, context: Context): Comparison | undefined {
  const atSource = pointersOf(since.source.patch);
  // What the target was to keep was changed there, and what somebody added was made there, however long ago.
  const atTarget = [
    ...pointersOf(since.target.patch),
    ...lapsedIn(now.row, now),
    ...addedThere(now, context.input.plan.policy),
    ...takesTheirs(now, context.input.plan.policy),
  ];
  const keep: string[] = [];
  for (const pointer of pointersOf(now.difference.patch)) {
    const isUnknown = tokensOf(pointer).some((token) => since.unknown.has(token));
    const source = isUnknown || atSource.some((other) => touches(pointer, other));
    const target = isUnknown || atTarget.some((other) => touches(pointer, other));
    if (source === target) return undefined;
    if (target) keep.push(pointer);
  }
  const both = compareWith(node, node.target ?? "", context.input, context.resolver, [
    ...Object.keys(now.kept),
    ...keep,
  ]);
  return namesTradeParts(node, both) ? undefined : both;
}

/**
 * What both sides would then say in all is the same, but not of which part: somebody has swapped the names of two, and whoever maps one
 * of them would be led to the other one by the next run.
 */
function namesTradeParts({ kind }: Node, { wanted, tree, sourceFingerprint }: Comparison): boolean {
  if (!namesItsParts(kind) || fingerprint(wanted, kind.shape) !== sourceFingerprint) return false;
  return otherContent(wanted, tree, kind.shape).size > 0;
}

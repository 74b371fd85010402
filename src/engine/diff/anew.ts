import { fingerprint } from "../../model/canonical.ts";
import type { Json, JsonObject, MutableJson } from "../../model/json.ts";
import { isArray, isObject, own, setOwn } from "../../model/json.ts";
import { strip } from "../../model/shape.ts";
import { translated } from "../facets/translated.ts";
import { isUrn, isUuid } from "../../model/urn.ts";
import type { Comparison } from "./compare.ts";
import type { DiffInput } from "./input.ts";
import type { Node } from "./node.ts";
import type { Resolver } from "./resolver.ts";

/** The fingerprints of both sides as they would be if what they refer to still stood where it did. */
export interface Before {
  readonly sourceFingerprint: string;
  readonly targetFingerprint: string;
}

/**
 * Objects that are created anew stand under new URNs. Whoever refers to them has other content by that on both sides
 * (the service takes references to what is deleted out), and nobody has changed it: so the sides are compared with the
 * former URNs in the place of the new ones. Undefined where nothing of the kind is referred to.
 */
export function beforeAnew(
  node: Node,
  now: Comparison,
  input: DiffInput,
  resolver: Resolver,
): Before | undefined {
  const { kind } = node;
  const former = new Set<string>();
  const body = strip(input.source.body(kind.name, node.urn), kind.shape);
  const said = translated(kind, body, resolver.formerLookup(now.keys, former)).tree;
  if (former.size === 0) return undefined;
  const tree = kind.adapt?.(said, input.plan.policy, now.target, resolver.types) ?? said;
  const mentions = (value: Json): boolean => {
    const text = JSON.stringify(value);
    return [...former].some((id) => text.includes(id));
  };
  return {
    sourceFingerprint: fingerprint(tree, kind.shape),
    targetFingerprint: fingerprint(restored(now.target, tree, mentions), kind.shape),
  };
}

/** With the references that the target has lost. Whether that is all it has lost, its fingerprint tells. */
function restored(target: JsonObject, tree: JsonObject, mentions: (value: Json) => boolean): JsonObject {
  const result: MutableJson = { ...target };
  for (const [field, value] of Object.entries(tree)) {
    const there = own(target, field);
    // A part goes with what it is about; of other fields only what was deleted is taken out by the service.
    const isPart = there === undefined && isUuid(field);
    if (!isPart && isObject(value) && (there === undefined || isObject(there))) {
      if (there !== undefined || mentions(value))
        setOwn(result, field, restored(there ?? {}, value, mentions));
    } else if (isArray(value) && (there === undefined || isArray(there))) {
      const lost = value.filter((item) => mentions(item) && there?.includes(item) !== true);
      if (lost.length > 0) setOwn(result, field, [...(there ?? []), ...lost]);
    } else if (there === undefined && !isProse(value) && mentions(value)) setOwn(result, field, value);
  }
  return result;
}

/** What mentions something in passing stays when that is deleted: where it is gone, somebody has taken it out. */
function isProse(value: Json): boolean {
  return typeof value === "string" && !isUrn(value) && !isUuid(value);
}

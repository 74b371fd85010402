import type { Json, JsonObject } from "../../model/json.ts";
import { fromEntries, isArray, isObject, own } from "../../model/json.ts";
import type { MappingEntry } from "../../model/mapping.ts";
import type { Misfit } from "../../kinds/kind.ts";
import type { DiffInput } from "./input.ts";
import type { Node } from "./node.ts";
import type { Resolver } from "./resolver.ts";

interface Sides {
  readonly row: MappingEntry | undefined;
  readonly sourceFingerprint: string;
  /** The source in the target's words, before policies. */
  readonly said: JsonObject;
}

/**
 * What was brought to the target, and the source has cleared since, and the target's model does not let be written by now: it has it
 * still, and cannot be asked for it. Known only while what was last applied is.
 */
export function notCleared(
  node: Node,
  { row, sourceFingerprint, said }: Sides,
  input: DiffInput,
  resolver: Resolver,
): readonly Misfit[] {
  const { kind, urn } = node;
  const { memberwise = [] } = kind.shape;
  const there = input.asked?.target.get(kind.name);
  if (row?.sourceFingerprint === undefined || row.sourceFingerprint === sourceFingerprint) return [];
  if (kind.misfits === undefined || memberwise.length === 0 || there === undefined) return [];
  const last = input.applied?.get(kind.name, urn);
  if (last === undefined || last.print !== row.targetFingerprint) return [];
  const here = input.asked?.source.get(kind.name);
  const isLost = (name: string, ours: JsonObject): boolean =>
    !there.has(name) && here?.has(name) !== false && isUnset(own(ours, name));
  return memberwise.flatMap((field) => {
    const [before, now] = [own(last.tree, field), own(said, field)];
    const ours = isObject(now) ? now : {};
    if (!isObject(before)) return [];
    const lost = Object.entries(before).filter(([name, value]) => !isUnset(value) && isLost(name, ours));
    if (lost.length === 0) return [];
    const found = kind.misfits?.({ ...said, [field]: fromEntries(lost) }, resolver.types) ?? [];
    return found.filter(({ place }) => place?.[0] === field);
  });
}

/** The service may show what is not set as null, or as an empty list. */
function isUnset(value: Json | undefined): boolean {
  return value === undefined || value === null || (isArray(value) && value.length === 0);
}

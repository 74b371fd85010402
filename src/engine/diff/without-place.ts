import type { JsonObject } from "../../model/json.ts";
import { pointerOf } from "../../model/json.ts";
import type { MappingEntry } from "../../model/mapping.ts";
import { valueAt } from "./first-contact.ts";
import type { DiffInput } from "./input.ts";
import { type Kept, ofNothing, printAt, touches } from "./kept.ts";
import type { Node } from "./node.ts";
import type { Resolver } from "./resolver.ts";

/** What the plan lets be left out, since the target has no place for it, and the target says there. */
export interface WithoutPlace {
  /** What never came from the source: it is not taken away when the source clears its own. */
  readonly left: readonly string[];
  /** What the target was to keep: what was decided holds until there is a place again, and the source's word can be compared. */
  readonly kept: Kept;
  /**
   * What was brought, and somebody has changed at the target since: nobody has been asked about that. Each with a print of what the
   * source said when it was brought, and of nothing where it says something else by now, so that both sides have changed it.
   */
  readonly theirs: Kept;
}

interface Sides {
  readonly row: MappingEntry | undefined;
  /** The source in the target's words, before policies. */
  readonly said: JsonObject;
  readonly target: JsonObject;
  readonly targetFingerprint: string;
}

export function withoutPlace(
  { kind, urn }: Node,
  { row, said, target, targetFingerprint }: Sides,
  { plan, applied }: DiffInput,
  { types }: Resolver,
): WithoutPlace {
  if (plan.policy.missingProperty !== "drop") return nothing;
  const pointers = (kind.misfits?.(said, types) ?? []).flatMap(({ place }) =>
    place === undefined || valueAt(target, place) === undefined ? [] : [pointerOf(place)],
  );
  if (pointers.length === 0) return nothing;
  const before = row?.sourceFingerprint === undefined ? undefined : row;
  const last = before === undefined ? undefined : applied?.get(kind.name, urn);
  const brought = last?.print === before?.targetFingerprint ? last?.tree : undefined;
  const isAsLeft = before?.targetFingerprint === targetFingerprint;
  const isIn = (pointer: string, some: readonly string[]): boolean =>
    some.some((other) => touches(pointer, other));
  const kept = Object.entries(before?.kept ?? {}).filter(([pointer]) => isIn(pointer, pointers));
  const left: string[] = [];
  const theirs: [string, string][] = [];
  for (const pointer of pointers) {
    if (isIn(pointer, Object.keys(before?.kept ?? {}))) continue;
    const print = brought === undefined ? "" : printAt(brought, pointer);
    // Nobody has touched what a run has brought there.
    const isOurs = isAsLeft ? before !== undefined : print !== "" && printAt(target, pointer) === print;
    if (isIn(pointer, before?.left ?? []) || (!isOurs && print === "")) left.push(pointer);
    else if (!isOurs) theirs.push([pointer, printAt(said, pointer) === print ? print : ofNothing]);
  }
  return { left, kept: Object.fromEntries(kept), theirs: Object.fromEntries(theirs) };
}

const nothing: WithoutPlace = { left: [], kept: {}, theirs: {} };

/** For a row that is written though nobody has decided on these: as soon as there is a place again somebody is asked. */
export function toBeAsked(theirs: Kept): Kept {
  return Object.fromEntries(Object.keys(theirs).map((pointer) => [pointer, ofNothing]));
}

import type { Change } from "../../model/change.ts";
import { keyText } from "../../model/key.ts";
import { lookedUp } from "../../model/packed/looked-up.ts";
import type { DiffInput } from "./input.ts";
import type { Node } from "./node.ts";

const nothing: readonly never[] = [];

/** What those of one kind share. */
export interface AllOfKind extends Pick<DiffInput, "mapping" | "target"> {
  readonly kind: string;
}

interface Kept {
  /** Of its row in the mapping. */
  readonly place: number;
  readonly all: AllOfKind;
}

/** Each field, from what is known of the object. */
const fields: { readonly [Name in keyof Change]?: (kept: Kept) => Change[Name] } = {
  id: (kept) => keyText(kept.all.kind, urnOf(kept)),
  action: () => "unchanged",
  kind: ({ all }) => all.kind,
  source(kept) {
    const urn = urnOf(kept);
    return { urn, name: kept.all.mapping.nameOf(kept.all.kind, urn) ?? "" };
  },
  target(kept) {
    const { kind, mapping, target } = kept.all;
    const urn = urnOf(kept);
    const there = mapping.targetOf(kind, urn) ?? "";
    const isThere = target.snapshot.has(kind, there);
    const name = isThere ? target.snapshot.name(kind, there) : mapping.nameOf(kind, urn);
    return { urn: there, name: name ?? "" };
  },
  reason: () => "both sides are as they should be",
  fields: () => nothing,
  diagnostics: () => nothing,
  dependsOn: () => nothing,
};
const names = Object.keys(fields);

function urnOf({ place, all: { kind, mapping } }: Kept): string {
  return mapping.sourceAt(kind, place);
}

const make = lookedUp<Change, Kept>({
  names: () => names,
  field: (kept, name) => (Object.hasOwn(fields, name) ? fields[name as keyof Change]?.(kept) : undefined),
});

/**
 * The change of an object that is as it should be, and whose row says all that is known of it, what it is called
 * included. Nobody does more with it than count it, and in a run without changes there is nothing else: it holds a number,
 * and looks the rest up.
 */
export function asItShouldBe({ urn }: Pick<Node, "urn">, all: AllOfKind): Change {
  return make({ place: all.mapping.placeOf(all.kind, urn), all });
}

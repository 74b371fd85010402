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
  readonly urn: string;
  readonly name: string;
  readonly all: AllOfKind;
}

/** Each field, from what is known of the object. */
const fields: { readonly [Name in keyof Change]?: (kept: Kept) => Change[Name] } = {
  id: ({ urn, all }) => keyText(all.kind, urn),
  action: () => "unchanged",
  kind: ({ all }) => all.kind,
  source: ({ urn, name }) => ({ urn, name }),
  target({ urn, name, all: { kind, mapping, target } }) {
    const row = mapping.get(kind, urn);
    const there = row?.target ?? "";
    const isThere = target.snapshot.has(kind, there);
    return { urn: there, name: isThere ? target.snapshot.name(kind, there) : (row?.name ?? name) };
  },
  reason: () => "both sides are as they should be",
  fields: () => nothing,
  diagnostics: () => nothing,
  dependsOn: () => nothing,
};
const names = Object.keys(fields);

const make = lookedUp<Change, Kept>({
  names: () => names,
  field: (kept, name) => (Object.hasOwn(fields, name) ? fields[name as keyof Change]?.(kept) : undefined),
});

/**
 * The change of an object that is as it should be, and whose row says all that is known of it. Nobody does more with it
 * than count it, and in a run without changes there is nothing else: it holds a name, and looks the rest up.
 */
export function asItShouldBe({ urn, name }: Pick<Node, "urn" | "name">, all: AllOfKind): Change {
  return make({ urn, name, all });
}

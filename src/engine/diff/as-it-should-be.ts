import type { Change, Named } from "../../model/change.ts";
import { keyText } from "../../model/key.ts";
import type { Common, Numbered } from "../../model/packed/change-list.ts";
import { lookedUpBy } from "../../model/packed/looked-up.ts";
import type { DiffInput } from "./input.ts";
import type { Node } from "./node.ts";

const nothing: readonly never[] = [];

/** What those of one kind share; a number is the place of a row in the mapping. */
export class AllOfKind implements Common {
  readonly kind: string;
  readonly mapping: DiffInput["mapping"];
  readonly target: DiffInput["target"];

  constructor(kind: string, { mapping, target }: Pick<DiffInput, "mapping" | "target">) {
    this.kind = kind;
    this.mapping = mapping;
    this.target = target;
  }

  one(number: number): Change {
    return make({ common: this, number });
  }
}

interface Kept extends Numbered {
  readonly common: AllOfKind;
}

/**
 * Each field, from what is known of the object. What it is called is looked up by itself: that of the target stands in a file, and
 * many ask for its URN, while next to nobody asks for that.
 */
const make = lookedUpBy<Change, Kept>({
  id: (kept) => keyText(kept.common.kind, urnOf(kept)),
  action: () => "unchanged",
  kind: ({ common }) => common.kind,
  source(kept) {
    const { kind, mapping } = kept.common;
    const urn = urnOf(kept);
    return named({ urn, name: () => mapping.nameOf(kind, urn) });
  },
  target(kept) {
    const { kind, mapping, target } = kept.common;
    const urn = urnOf(kept);
    const there = mapping.targetOf(kind, urn) ?? "";
    const isThere = (): boolean => target.snapshot.has(kind, there);
    return named({
      urn: there,
      name: () => (isThere() ? target.snapshot.name(kind, there) : mapping.nameOf(kind, urn)),
    });
  },
  reason: () => "both sides are as they should be",
  fields: () => nothing,
  diagnostics: () => nothing,
  dependsOn: () => nothing,
});

/** An object with a getter of its own costs many times as much as one that looks its fields up. */
const named = lookedUpBy<Named, { readonly urn: string; readonly name: () => string | undefined }>({
  urn: ({ urn }) => urn,
  name: ({ name }) => name() ?? "",
});

function urnOf({ number, common: { kind, mapping } }: Kept): string {
  return mapping.sourceAt(kind, number);
}

/**
 * The change of an object that is as it should be, and whose row says all that is known of it, what it is called
 * included. Nobody does more with it than count it, and in a run without changes there is nothing else: it holds a number,
 * and looks the rest up.
 */
export function asItShouldBe({ urn }: Pick<Node, "urn">, all: AllOfKind): Change {
  return all.one(all.mapping.placeOf(all.kind, urn));
}

import type { Change, Named } from "../../model/change.ts";
import { keyText } from "../../model/key.ts";
import type { DiffInput } from "./input.ts";
import type { Node } from "./node.ts";

const nothing: readonly never[] = [];

/** What those of one kind share. */
export interface AllOfKind extends Pick<DiffInput, "mapping" | "target"> {
  readonly kind: string;
}

/**
 * The change of an object that is as it should be, and whose row says all that is known of it. Nobody does more with it
 * than count it, and in a run without changes there is nothing else: it holds a name, and looks the rest up.
 */
export class AsItShouldBe implements Change {
  readonly #urn: string;
  readonly #name: string;
  readonly #all: AllOfKind;

  constructor({ urn, name }: Pick<Node, "urn" | "name">, all: AllOfKind) {
    this.#urn = urn;
    this.#name = name;
    this.#all = all;
  }

  get id(): string {
    return keyText(this.kind, this.#urn);
  }

  get action(): "unchanged" {
    return "unchanged";
  }

  get kind(): string {
    return this.#all.kind;
  }

  get source(): Named {
    return { urn: this.#urn, name: this.#name };
  }

  get target(): Named {
    const { mapping, target } = this.#all;
    const row = mapping.get(this.kind, this.#urn);
    const urn = row?.target ?? "";
    const isThere = target.snapshot.has(this.kind, urn);
    return { urn, name: isThere ? target.snapshot.name(this.kind, urn) : (row?.name ?? this.#name) };
  }

  get reason(): string {
    return "both sides are as they should be";
  }

  get fields(): readonly never[] {
    return nothing;
  }

  get diagnostics(): readonly never[] {
    return nothing;
  }

  get dependsOn(): readonly never[] {
    return nothing;
  }

  /** An object of its own, for whoever makes another change of it. */
  toJSON(): Change {
    const { id, action, kind, source, target, reason, fields, diagnostics, dependsOn } = this;
    return { id, action, kind, source, target, reason, fields, diagnostics, dependsOn };
  }
}

/** To be taken apart: what looks its fields up has none of its own. */
export function wholeChange(change: Change): Change {
  return change instanceof AsItShouldBe ? change.toJSON() : change;
}

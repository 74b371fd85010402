import type { MovedKind } from "../../kinds/kind.ts";
import { urnType } from "../../model/urn.ts";
import type { SnapshotReader } from "../../store/index.ts";

/**
 * Of some kinds the plan says which types are listed, and nobody knows them by name but the metadata model. What is of a
 * type that no list has shown may be there all the same: another plan brings it.
 */
export class ListedTypes {
  readonly #side: SnapshotReader;
  readonly #seen = new Map<string, ReadonlySet<string>>();

  constructor(side: SnapshotReader) {
    this.#side = side;
  }

  /** Whether one of this kind with this URN would have been listed. */
  has({ name, urnTypes }: Pick<MovedKind, "name" | "urnTypes">, urn: string): boolean {
    if (!this.#side.kinds().includes(name)) return false;
    return urnTypes.length > 0 || this.#of(name).has(urnType(urn) ?? "");
  }

  #of(kind: string): ReadonlySet<string> {
    const known = this.#seen.get(kind);
    if (known !== undefined) return known;
    const types = new Set(Array.from(this.#side.urns(kind), (urn) => urnType(urn) ?? ""));
    this.#seen.set(kind, types);
    return types;
  }
}

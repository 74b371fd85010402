import { createHash } from "node:crypto";
import type { JsonObject } from "../../../src/model/json.ts";
import { formatUrn, type Urn, urnType, uuidOf } from "../../../src/model/urn.ts";
import type { SnapshotObject } from "../../../src/store/index.ts";

/**
 * One environment as a table in memory. Whatever stands in it goes by a label: a label gives another URN on each side,
 * so that what is said of both sides is written once, and nothing is equal by chance.
 */
export class Table {
  readonly tenant: string;
  readonly #rows = new Map<string, Map<string, SnapshotObject>>();
  readonly #labels = new Map<string, string>();
  readonly #given = new Map<Urn, string>();

  constructor(tenant: string) {
    this.tenant = tenant;
  }

  /** `type` is area and type, as in `catalog:term`. */
  urn(type: string, label: string): Urn {
    const [area = "", name = ""] = type.split(":");
    return formatUrn({
      namespace: "data",
      tenant: this.tenant,
      area,
      type: name,
      uuid: this.key(`${type} ${label}`),
    });
  }

  /** The key of a sub-entity. */
  key(label: string): string {
    const hash = createHash("sha1").update(`${this.tenant} ${label}`).digest("hex");
    const uuid = [8, 12, 16, 20, 32]
      .map((end, index) => hash.slice([0, 8, 12, 16, 20][index], end))
      .join("-");
    this.#labels.set(uuid, label);
    return uuid;
  }

  /** What a key of this side is called on both. */
  labelOf(key: string): string {
    const label = this.#labels.get(key);
    if (label === undefined) throw new Error(`${this.tenant} knows no ${key}`);
    return label;
  }

  /** A thing that is given: it exists on both sides and is never written. */
  given(type: string, label: string): Urn {
    const urn = this.urn(type, label);
    this.#given.set(urn, label);
    return urn;
  }

  /** Those that were mentioned, by URN. */
  givens(): ReadonlyMap<Urn, string> {
    return this.#given;
  }

  put(kind: string, urn: string, name: string, body: JsonObject): void {
    const rows = this.#rows.get(kind) ?? new Map<string, SnapshotObject>();
    this.#rows.set(kind, rows.set(urn, { urn, name, body }));
  }

  drop(kind: string, urn: string): void {
    this.#rows.get(kind)?.delete(urn);
  }

  rows(kind: string): readonly SnapshotObject[] {
    return [...(this.#rows.get(kind)?.values() ?? [])];
  }
}

/** The same thing on the other side. */
export function acrossTo(other: Table, side: Table, urn: string): Urn {
  const type = urnType(urn) ?? "";
  return other.urn(type, side.labelOf(uuidOf(urn)).slice(type.length + 1));
}

import type { MovedKind } from "../../kinds/kind.ts";
import type { JsonObject } from "../../model/json.ts";

/** Names of fields, by kind: those that no document names, say. */
export class FieldsByKind {
  readonly #fields = new Map<string, Set<string>>();

  add(kind: string, field: string): void {
    const known = this.#fields.get(kind);
    if (known === undefined) this.#fields.set(kind, new Set([field]));
    else known.add(field);
  }

  /** Those of a body that its kind does not know. */
  addUnrecognised(kind: MovedKind, body: JsonObject): void {
    for (const field of Object.keys(body)) if (!kind.shape.known.includes(field)) this.add(kind.name, field);
  }

  toJSON(): Record<string, string[]> {
    return Object.fromEntries([...this.#fields].map(([kind, fields]) => [kind, [...fields].sort()]));
  }
}

import type { MovedKind } from "../../kinds/kind.ts";
import type { JsonObject } from "../../model/json.ts";
import { strip } from "../../model/shape.ts";

/** Names of fields, by kind: those that no document names, say. */
export class FieldsByKind {
  readonly #fields = new Map<string, Set<string>>();

  add(kind: string, field: string): void {
    const known = this.#fields.get(kind);
    if (known === undefined) this.#fields.set(kind, new Set([field]));
    else known.add(field);
  }

  /** Those of a body that its kind does not know. One in which nothing stands is neither sent nor compared. */
  addUnrecognised({ name: kind, shape }: MovedKind, body: JsonObject): void {
    for (const [field, value] of Object.entries(body)) {
      if (shape.known.includes(field) || this.#fields.get(kind)?.has(field) === true) continue;
      if (Object.hasOwn(strip({ [field]: value }, shape), field)) this.add(kind, field);
    }
  }

  toJSON(): Record<string, string[]> {
    return Object.fromEntries([...this.#fields].map(([kind, fields]) => [kind, [...fields].sort()]));
  }
}

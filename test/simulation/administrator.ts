import type { Tenant } from "../../src/emulator/index.ts";
import type { Urn } from "../../src/model/urn.ts";
import type { Books } from "./books.ts";
import { ModelChanges } from "./model-changes.ts";

interface Rows {
  values(): Iterable<{ readonly urn: Urn }>;
  get(urn: string): unknown;
  put(row: never): unknown;
  delete(urn: string): boolean;
}

const areas = ["catalog", "data-quality"] as const;

/** What a tenant holds of what is moved. */
function shelvesOf({ terms, rules, monitors, dashboards, folders, entities }: Tenant): readonly Rows[] {
  return [terms, rules, monitors, dashboards, folders, entities];
}

/** Of those shelves: rules and monitors. */
const hasParts: ReadonlySet<number> = new Set([1, 2]);

/**
 * Somebody who looks after an environment: takes permissions away and gives them back, changes the metadata model, and
 * brings back the target as it was when the story began.
 */
export class Administrator {
  readonly #books: Books;
  readonly #backup: readonly (readonly { readonly urn: Urn }[])[];

  readonly #models: { readonly source: ModelChanges; readonly target: ModelChanges };

  constructor(books: Books) {
    this.#books = books;
    this.#models = { source: new ModelChanges(books.source), target: new ModelChanges(books.target) };
    this.#backup = shelvesOf(books.target).map((rows) => [...rows.values()]);
  }

  /** Types and properties that a side's model has otherwise than at the beginning. */
  otherwise(side: "source" | "target"): ReadonlySet<string> {
    return this.#models[side].otherwise;
  }

  /** In words. */
  act(side: "source" | "target", how: string, object: number, value: number): string | undefined {
    const tenant = side === "source" ? this.#books.source : this.#books.target;
    const area = areas[value % areas.length] ?? "catalog";
    switch (how) {
      case "forbid": {
        const isRead = side === "source" || value % 4 === 0;
        tenant.restrict(area, isRead ? { read: false } : { write: false });
        return `an administrator forbids to ${isRead ? "read" : "write"} ${area} at the ${side}`;
      }
      case "permit":
        this.#permit(tenant);
        return `an administrator permits everything at the ${side}`;
      case "model":
        return `an administrator ${this.#models[side].change(object, value)} at the ${side}`;
      case "restore":
        if (side === "source") return undefined;
        this.#restore();
        return "an administrator restores the target as it was at the beginning";
      default:
        return undefined;
    }
  }

  /** Calm comes. */
  rest(): void {
    for (const side of ["source", "target"] as const) {
      this.#permit(this.#books[side]);
      this.#models[side].rest();
    }
  }

  /** Of an SQL item that stays: there is none without one. */
  #isQuery({ urn }: { readonly urn: Urn }): boolean {
    const { entities, items } = this.#books.target;
    const entity = entities.get(urn);
    return entity?.concreteType === "dslQuery" && items.get(entity.parentUrn ?? "") !== undefined;
  }

  #permit(tenant: Tenant): void {
    for (const area of areas) tenant.restrict(area, { read: true, write: true });
  }

  #restore(): void {
    for (const [index, rows] of shelvesOf(this.#books.target).entries()) {
      const before = new Map((this.#backup[index] ?? []).map((row) => [row.urn, row]));
      const isHeld = (urn: Urn): boolean => this.#books.target.items.bucket(`parent:${urn}`).length > 0;
      for (const row of rows.values())
        if (!before.has(row.urn) && !isHeld(row.urn) && !this.#isQuery(row)) rows.delete(row.urn);
      // Parts that came and went stand under other keys by now: what has parts is brought back where it is gone.
      for (const [urn, row] of before)
        if (rows.get(urn) !== row && (!hasParts.has(index) || rows.get(urn) === undefined))
          rows.put(row as never);
    }
  }
}

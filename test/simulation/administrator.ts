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

/** What a tenant holds of what is moved: SQL items with their columns come first, since other things lie over them. */
function shelvesOf(tenant: Tenant): readonly Rows[] {
  const { items, attributes, rules, monitors, terms, dashboards, folders, entities } = tenant;
  return [items, attributes, rules, monitors, terms, dashboards, folders, entities];
}

/** Of those shelves: items and columns, of which what came since stays. */
const onlyCome: ReadonlySet<number> = new Set([0, 1]);

/** And rules and monitors: parts that came and went stand under other keys by now, so that only what is gone is brought back. */
const onlyGone: ReadonlySet<number> = new Set([...onlyCome, 2, 3]);

type Backup = readonly (readonly { readonly urn: Urn }[])[];

function backupOf(tenant: Tenant): Backup {
  return shelvesOf(tenant).map((rows) => [...rows.values()]);
}

/** Of SQL items that stay, however deep they lie in it. */
function isHeld(tenant: Tenant, urn: Urn): boolean {
  if (tenant.items.bucket(`parent:${urn}`).length > 0) return true;
  return [...tenant.folders.valuesIn(`parent:${urn}`)].some((folder) => isHeld(tenant, folder.urn));
}

/** Of an SQL item that stays: there is none without one. */
function isQuery({ entities, items }: Tenant, { urn }: { readonly urn: Urn }): boolean {
  const entity = entities.get(urn);
  return entity?.concreteType === "dslQuery" && items.get(entity.parentUrn ?? "") !== undefined;
}

/**
 * Somebody who looks after an environment: takes permissions away and gives them back, changes the metadata model, and
 * brings back either side as it was when the story began.
 */
export class Administrator {
  readonly #books: Books;
  readonly #backups: { readonly source: Backup; readonly target: Backup };

  readonly #models: { readonly source: ModelChanges; readonly target: ModelChanges };

  constructor(books: Books) {
    this.#books = books;
    this.#models = { source: new ModelChanges(books.source), target: new ModelChanges(books.target) };
    this.#backups = { source: backupOf(books.source), target: backupOf(books.target) };
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
        this.#restore(tenant, this.#backups[side]);
        return `an administrator restores the ${side} as it was at the beginning`;
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

  #permit(tenant: Tenant): void {
    for (const area of areas) tenant.restrict(area, { read: true, write: true });
  }

  #restore(tenant: Tenant, backup: Backup): void {
    for (const [index, rows] of shelvesOf(tenant).entries()) {
      const before = new Map((backup[index] ?? []).map((row) => [row.urn, row]));
      for (const row of onlyCome.has(index) ? [] : rows.values())
        if (!before.has(row.urn) && !isHeld(tenant, row.urn) && !isQuery(tenant, row)) rows.delete(row.urn);
      for (const [urn, row] of before)
        if (rows.get(urn) !== row && (!onlyGone.has(index) || rows.get(urn) === undefined))
          rows.put(row as never);
    }
  }
}

import { display } from "../../model/display.ts";
import type { Diagnostic } from "../../model/diagnostic.ts";
import { text } from "../../model/json.ts";
import type { StoredRecord } from "../../service/index.ts";
import { preloaded } from "../../service/index.ts";
import { someOf } from "../../model/some-of.ts";

/** What a plan says of an entity. */
interface Names {
  readonly origins: readonly string[];
  readonly roles: readonly string[];
  readonly isFiltered?: boolean;
}

/** Where relations may lead. */
interface Ends {
  /** Entities whose records the plan moves, where that is for the whole of it to say. */
  readonly moved?: ReadonlySet<string>;
  /** Entities that it names after this one, where a relation is made with its record and never afterwards. */
  readonly later?: ReadonlySet<string>;
}

/** So many origins are kept that nobody has named. */
const mostKept = 100;
/** So many names are told. */
const mostTold = 10;

/**
 * What a plan names and only records can tell: whether any has such an origin, whether relations are shown, and where
 * they lead. A word that is misspelt would look like a source without records.
 */
export class SeenRecords {
  readonly #entity: string;
  readonly #where: string;
  readonly #names: Names;
  readonly #origins = new Set<string>();
  readonly #roles = new Set<string>();
  /** By role, the entity that it leads to. */
  readonly #ends = new Map<string, string>();
  #isWhole = false;
  #count = 0;

  constructor(entity: string, where: string, names: Names) {
    this.#entity = entity;
    this.#where = where;
    this.#names = names;
  }

  note(record: StoredRecord): void {
    this.#count += 1;
    const { origin } = record;
    if (origin !== undefined && (this.#origins.size < mostKept || this.#names.origins.includes(origin)))
      this.#origins.add(origin);
    for (const role of this.#names.roles) {
      // A role of the logical model leads to one entity: of a million records nobody has to look at each.
      if (this.#ends.has(role)) continue;
      const others = preloaded(record, role);
      if (others === undefined) continue;
      this.#roles.add(role);
      const [entity] = others.flatMap(({ body }) => text(body, "type") ?? []);
      if (entity !== undefined) this.#ends.set(role, entity);
    }
  }

  /** All of them were read, from the first one on. */
  end(): void {
    this.#isWhole = true;
  }

  diagnostics({ moved, later }: Ends): readonly Diagnostic[] {
    // Of none there is nothing that a name could be missed among.
    if (!this.#isWhole || this.#count === 0) return [];
    const { origins, roles } = this.#names;
    const found: Diagnostic[] = [];
    const without = origins.filter((origin) => !this.#origins.has(origin));
    if (without.length > 0)
      found.push({
        severity: "warning",
        code: "row-none",
        summary: `${this.#entity}: no record of ${this.#where}${this.#names.isFiltered === true ? " that passes the filter" : ""} has the origin ${without.map(display).join(", ")}`,
        suggestion: `Correct origins under records.masterData in the plan. Origins there: ${told(this.#origins)}.`,
      });
    for (const role of roles) {
      if (!this.#roles.has(role))
        found.push({
          severity: "warning",
          code: "row-none",
          summary: `${this.#entity}: no record of ${this.#where} shows its relations ${display(role)}: either none has any, or the server shows them where they are not known, and then none of them moves`,
          suggestion: `Look at one with GET /instance/${this.#entity}?preload=${role}&count=1; without relations, take ${role} out of relationships.`,
        });
      const end = this.#ends.get(role);
      if (end === undefined) continue;
      if (later?.has(end) === true)
        found.push({
          severity: "warning",
          code: "row-relation-later",
          summary: `${this.#entity}: relations ${display(role)} lead to ${display(end)}, which the plan names after it: a relation is made with its record, and those whose other end is not there yet are refused`,
          suggestion: `Name ${display(end)} before ${this.#entity} under records.masterData.`,
        });
      if (moved?.has(end) === false)
        found.push({
          severity: "warning",
          code: "row-relation-elsewhere",
          summary: `${this.#entity}: relations ${display(role)} lead to ${display(end)}, of which the plan moves nothing: those whose other end is not at the target are refused`,
          suggestion: `Name ${display(end)} under records.masterData, or take ${role} out of relationships.`,
        });
    }
    return found;
  }
}

function told(names: ReadonlySet<string>): string {
  return names.size === 0 ? "none" : someOf(Array.from(names, display), mostTold);
}

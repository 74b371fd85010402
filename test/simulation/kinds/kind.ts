import type { Tenant } from "../../../src/emulator/index.ts";
import type { JsonObject } from "../../../src/emulator/json.ts";
import type { Urn } from "../../../src/model/urn.ts";
import type { Given } from "../../properties/estates/given.ts";
import type { Dice } from "../dice.ts";
import type { How } from "../story.ts";

export type PlainName =
  | "folders"
  | "sql-items"
  | "entities"
  | "item-metadata"
  | "attribute-metadata"
  | "stewardship"
  | "term-denylist";

/** Where a tenant keeps what a kind is about: whoever changes something there is noticed. */
export interface Shelf {
  readonly rows: Rows | Map<Urn, Urn>;
  /** Which object of the kind has changed with this row; nothing where it is none. */
  readonly of: (urn: string, row: JsonObject | undefined) => string | undefined;
}

export interface Rows {
  get(urn: string): unknown;
  put(value: never): unknown;
  delete(urn: string): boolean;
}

/** What the simulation must know of a kind without drafts, one file each: a line in `index.ts` brings it into every history. */
export interface SimulatedKind<Plan = unknown> {
  readonly name: PlainName;
  /**
   * It lies over something and has no URN of its own: here it goes by its name and the URN of that. There are as many
   * as there are of that, and most of them say nothing.
   */
  readonly isOver: boolean;
  /** It is only added to. */
  readonly isList?: true;
  /** What it is about is there whether it is selected or not: what must be there before. */
  readonly prepare?: (tenant: Tenant, given: Given) => void;
  /** What there is of it, as plain data. */
  readonly draw: (dice: Dice) => readonly Plan[];
  readonly seed: (tenant: Tenant, given: Given, plans: readonly Plan[]) => void;
  readonly shelves: (tenant: Tenant) => readonly Shelf[];
  /** Those that say something. */
  readonly urns: (tenant: Tenant) => readonly string[];
  /** What it says; undefined where it is not there. */
  readonly body: (tenant: Tenant, urn: string) => JsonObject | undefined;
  /** By which it would be found again. */
  readonly label: (tenant: Tenant, body: JsonObject, urn: string) => string;
  /** What a colleague does to one of them. */
  readonly hows: readonly How[];
  /** In place of what it says; where it has none yet, under this URN. */
  readonly put: (tenant: Tenant, urn: string, body: JsonObject) => void;
  readonly change: (tenant: Tenant, body: JsonObject, value: number, given: Given) => JsonObject;
  readonly named?: (body: JsonObject, name: string) => JsonObject;
  /** Of what lies in a folder, or has a parent: in another one; undefined where there is none. */
  readonly moved?: (tenant: Tenant, body: JsonObject, value: number, given: Given) => JsonObject | undefined;
  readonly create?: (tenant: Tenant, given: Given, name: string, value: number) => void;
  readonly remove?: (tenant: Tenant, urn: string) => void;
  /** The service would refuse to delete it. */
  readonly isHeld?: (tenant: Tenant, urn: string) => boolean;
  /** What a colleague may write over, of what says nothing yet. */
  readonly places?: (given: Given, tenant: Tenant) => readonly Urn[];
  /** Requests that write it, as templates. */
  readonly writes: readonly string[];
}

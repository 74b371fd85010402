import type { Tenant } from "../../../src/emulator/index.ts";
import type { JsonObject } from "../../../src/emulator/json.ts";
import type { Urn } from "../../../src/model/urn.ts";
import type { Given } from "../../properties/estates/given.ts";
import type { Dice } from "../dice.ts";
import type { How } from "../story.ts";

/** What the simulation must know of a kind without drafts, one file each: a line in `index.ts` brings it into every history. */
export interface SimulatedKind<Plan = unknown> {
  readonly name: string;
  /** What there is of it, as plain data. */
  readonly draw: (dice: Dice) => readonly Plan[];
  readonly seed: (tenant: Tenant, given: Given, plans: readonly Plan[]) => void;
  readonly rows: (tenant: Tenant) => Rows;
  /** By which it would be found again. */
  readonly label: (tenant: Tenant, body: JsonObject) => string;
  /** What a colleague does to one of them. */
  readonly hows: readonly How[];
  readonly change: (tenant: Tenant, body: JsonObject, value: number) => JsonObject;
  readonly create: (tenant: Tenant, given: Given, name: string, value: number) => Urn;
  /** The service would refuse to delete it. */
  readonly isHeld: (tenant: Tenant, urn: string) => boolean;
  /** Requests that write it, as templates. */
  readonly writes: readonly string[];
}

export interface Rows {
  get(urn: string): (JsonObject & { readonly urn: Urn }) | undefined;
  put(value: never): unknown;
  delete(urn: string): boolean;
  has(urn: string): boolean;
  values(): Iterable<JsonObject & { readonly urn: Urn }>;
}

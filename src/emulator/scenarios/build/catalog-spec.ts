import type { JsonObject } from "../../json.ts";

/** A value, or what it refers to: `to("items/CUSTOMER")`. */
export type Value = string | number | boolean | readonly string[] | Reference;

interface Reference {
  readonly refers: string | readonly string[];
}

/** `terms/<key>`, `items/<key>`, `attributes/<item key>.<name>`, `entities/<key>`. */
export function to(place: string): Value {
  return { refers: place };
}

export function toAll(...places: readonly string[]): Value {
  return { refers: places };
}

export type Values = Readonly<Record<string, Value>>;

/** Plain text; or rich text, written as text with `{term key}` where a term is mentioned. */
interface Described {
  readonly description?: string;
  readonly rich?: string;
}

export interface FolderSpec {
  readonly key: string;
  readonly name: string;
  /** The key of a source, or `folders/<key>`. */
  readonly in: string;
  readonly description?: string;
  readonly extra?: Values;
}

export interface SqlItemSpec extends Described {
  readonly key: string;
  readonly name: string;
  readonly folder: string;
  readonly connection: string;
  readonly query: string;
}

export interface ItemMetadataSpec extends Described {
  readonly item: string;
  readonly aliases?: readonly JsonObject[];
  readonly extra?: Values;
}

export interface AttributeMetadataSpec extends Described {
  /** `<item key>.<name>` */
  readonly attribute: string;
  readonly extra?: Values;
}

export interface EntitySpec extends Described {
  readonly key: string;
  readonly type: string;
  /** The property that holds it: of the entity of this key, else of the metadata root. */
  readonly as: string;
  readonly in?: string;
  readonly values: Values;
}

export interface CatalogSpec {
  readonly folders: readonly FolderSpec[];
  readonly sqlItems: readonly SqlItemSpec[];
  readonly items: readonly ItemMetadataSpec[];
  readonly attributes: readonly AttributeMetadataSpec[];
  readonly entities: readonly EntitySpec[];
  /** What a place refers to, and the name of its group. */
  readonly stewards: Readonly<Record<string, string>>;
  /** Attribute, and terms that detection must not assign to it. */
  readonly denied: Readonly<Record<string, readonly string[]>>;
}

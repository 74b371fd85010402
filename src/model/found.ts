import type { JsonObject } from "./json.ts";

/** An object as it was read. */
export interface Found {
  readonly urn: string;
  readonly name: string;
  readonly body: JsonObject;
}

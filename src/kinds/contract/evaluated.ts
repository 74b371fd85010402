import type { JsonObject } from "../../model/json.ts";
import type { ReadClient } from "../../service/index.ts";

/** Where the results are of what is evaluated (document 2, "Data-quality results"). */
export interface Evaluated {
  /** URN of the catalog item that it is evaluated over. */
  item(body: JsonObject): string | undefined;
  /** It holds nothing that a run would evaluate. */
  isIdle(body: JsonObject): boolean;
  /** What it is called, where its own name says which one it is. */
  called?(body: JsonObject): string | undefined;
  /** All of them with their items and what each is called, where the kind's own listing does not show or name them. */
  elsewhere?(
    client: ReadClient,
  ): AsyncIterable<{ readonly urn: string; readonly item: string; readonly name: string }>;
}

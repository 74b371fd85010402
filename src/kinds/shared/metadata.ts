import type { JsonObject } from "../../model/json.ts";
import { fromEntries, own, text } from "../../model/json.ts";
import type { Shape } from "../../model/shape.ts";
import type { ReadClient, WriteClient } from "../../service/index.ts";
import type { Listed, Step } from "../kind.ts";
import { about } from "./batch.ts";
import type { TypeDefinition } from "./model.ts";
import { withCleared } from "./model.ts";
import { single } from "./single.ts";

/** What people write over something that was imported: the same for items and for attributes but for its fields. */
export interface Metadata {
  /** Field of our body that names the thing. */
  readonly over: string;
  readonly fields: readonly string[];
  /** All fields of the thing that the documents name. */
  readonly named: ReadonlySet<string>;
}

export function metadataShape({ over, fields }: Pick<Metadata, "over" | "fields">): Shape {
  return {
    known: [over, ...fields],
    serverOwned: [],
    fixed: [over],
    sets: ["/aliases"],
    memberwise: ["extraProperties"],
  };
}

/** The part of an item or attribute that people wrote. */
export function metadataOf(thing: JsonObject, { over, fields, named }: Metadata): Listed {
  const urn = text(thing, "urn") ?? "";
  const said = fields.flatMap((field) => {
    const value = own(thing, field);
    return value === undefined ? [] : [[field, value] as const];
  });
  const unnamed = Object.keys(thing).filter((field) => !named.has(field));
  const listed = { urn, name: text(thing, "name") ?? "", body: fromEntries([[over, urn], ...said]) };
  return unnamed.length === 0 ? listed : { ...listed, unnamed };
}

export function metadataPatch(options: {
  readonly metadata: Metadata;
  readonly types: readonly TypeDefinition[];
  readonly read: (client: ReadClient, urn: string) => Promise<JsonObject | undefined>;
  readonly send: (client: WriteClient, urn: string, body: JsonObject) => Promise<JsonObject>;
}): Step {
  const { metadata, types, read, send } = options;
  return single({
    name: "patch",
    effect: "changes",
    settle: "by-reading",
    async send(client, item) {
      return {
        state: "done",
        target: about(await send(client, item.target ?? "", withCleared(item.body, types)), item),
      };
    },
    async readBack(client, item) {
      const thing = await read(client, item.target ?? "");
      return thing === undefined ? undefined : metadataOf(thing, metadata).body;
    },
  });
}

import { z } from "zod";
import type { Json, JsonObject } from "../../model/json.ts";
import type { Party } from "../../model/mapping.ts";
import { digestOf } from "../content-digest.ts";
import { partySchema } from "./party.ts";

/**
 * `manifest.json` of a snapshot, two spaces of indentation, a line feed at the end. A folder without it is no
 * snapshot: it is written last, and the folder gets its name when it is complete.
 */
export interface Manifest {
  readonly format: number;
  /** Name and version of the tool. */
  readonly tool: string;
  /** When the export began; ISO 8601. */
  readonly at: string;
  readonly party: Party;
  readonly kinds: Readonly<Record<string, ManifestKind>>;
  /**
   * Of party, kinds and notes, without times, tool and file digests: two exports of one state have the same,
   * whatever the order in which the service listed it.
   */
  readonly digest: string;
  readonly notes: Json;
}

export interface ManifestKind {
  readonly count: number;
  /** False when the listing failed, was cut or was forbidden: nothing may follow from an absence then. */
  readonly complete: boolean;
  readonly reason?: string;
  /** Members of its memberwise fields that the environment was asked for, in order; of others nothing is known. */
  readonly asked?: readonly string[];
  /** No list shows these: there are those alone that were read one by one. */
  readonly unlisted?: true;
  /** Of the bytes of `<kind>.ndjson`. */
  readonly sha256: string;
  /** Of the objects, whatever their order. */
  readonly content: string;
}

export const manifestName = "manifest.json";

export const manifestVersion: z.ZodType<{ readonly format: number }> = z.looseObject({
  format: z.number().int().min(1),
});

const json: z.ZodType<Json> = z.custom<Json>((value) => value !== undefined);
export const manifestSchema: z.ZodType<Manifest> = z.looseObject({
  format: z.number(),
  tool: z.string(),
  at: z.string(),
  party: partySchema,
  kinds: z.record(
    z.string().regex(/^[a-z]+(?:-[a-z]+)*$/, "the name of a kind has lower-case letters and hyphens only"),
    z.looseObject({
      count: z.number().int().min(0),
      complete: z.boolean(),
      reason: z.string().exactOptional(),
      asked: z.array(z.string()).exactOptional(),
      unlisted: z.literal(true).exactOptional(),
      sha256: z.string(),
      content: z.string(),
    }),
  ),
  digest: z.string(),
  notes: json,
});

export function manifestDigest({ party, kinds, notes }: Pick<Manifest, "party" | "kinds" | "notes">): string {
  const content: Record<string, JsonObject> = {};
  for (const [kind, { count, complete, reason, content: digest }] of Object.entries(kinds)) {
    content[kind] = { count, complete, reason: reason ?? null, content: digest };
  }
  const { name, baseUrl, tenant } = party;
  return digestOf({ party: { name, baseUrl, tenant }, kinds: content, notes });
}

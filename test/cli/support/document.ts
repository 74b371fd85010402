import { z } from "zod";
import { exitCodes } from "../../../src/model/result.ts";

/**
 * The JSON result, of which pipelines depend on every key. Closed: a key that nobody agreed on is as
 * wrong as one that is missing.
 */
const named = z.strictObject({ urn: z.string(), name: z.string() });
const count = z.int().min(0);

const diagnostic = z.strictObject({
  severity: z.enum(["error", "warning", "info"]),
  code: z.string().regex(/^[a-z0-9]+(-[a-z0-9]+)*$/),
  coordinate: z.strictObject({ kind: z.string(), urn: z.string(), name: z.string() }).optional(),
  pointer: z.string().optional(),
  summary: z.string().min(1),
  detail: z.string().optional(),
  suggestion: z.string().optional(),
});

const change = z
  .strictObject({
    id: z.string(),
    action: z.enum([
      "create",
      "update",
      "replace",
      "adopt",
      "delete",
      "blocked",
      "manual",
      "drift",
      "conflict",
    ]),
    outcome: z.enum(["done", "failed", "blocked", "in-doubt", "withheld", "begun", "not-started"]).optional(),
    left: z.string().optional(),
    kind: z.string(),
    source: named.optional(),
    target: named.optional(),
    reason: z.string().min(1),
    acknowledged: z.strictObject({ reason: z.string(), until: z.string().optional() }).optional(),
    inBrief: z.literal(true).optional(),
    records: z
      .strictObject({
        create: count,
        update: count,
        delete: count,
        unchanged: count,
        blocked: count,
        drift: count,
        conflict: count,
        manual: count,
        overwrites: count,
        failed: count,
        inDoubt: count,
        done: count,
        samples: z.array(z.looseObject({ action: z.string(), name: z.string() })),
        file: z.string().regex(/^records\/[a-z0-9-]+\.ndjson$/),
        digest: z.string(),
        waiting: z.string(),
      })
      .optional(),
    finding: z.string().optional(),
    fields: z.array(
      z.strictObject({
        path: z.string().regex(/^(\/.*)?$/s),
        from: z.json().optional(),
        fromName: z.string().optional(),
        to: z.json().optional(),
        toName: z.string().optional(),
        base: z.strictObject({ value: z.json().optional(), name: z.string().optional() }).optional(),
        movedAt: z.enum(["source", "target", "both"]).optional(),
      }),
    ),
    diagnostics: z.array(diagnostic),
    dependsOn: z.array(z.string()),
    pulledInBy: z.strictObject({ kind: z.string(), ...named.shape }).optional(),
  })
  .refine(({ source, target }) => source !== undefined || target !== undefined, "neither source nor target");

const party = z.strictObject({ name: z.string(), baseUrl: z.string(), tenant: z.string() });

const schema = z.strictObject({
  version: z.string().regex(/^\d+\.\d+\.\d+/),
  command: z.string(),
  plan: z.string(),
  run: z.string().optional(),
  source: party.optional(),
  target: party.optional(),
  exitCode: z.literal(Object.values(exitCodes)),
  headline: z.string().optional(),
  summary: z.strictObject({
    create: count,
    update: count,
    replace: count,
    adopt: count,
    delete: count,
    unchanged: count,
    blocked: count,
    manual: count,
    drift: count,
    conflict: count,
    failed: count,
    inDoubt: count,
    acknowledged: count,
  }),
  consequences: z
    .array(
      z.strictObject({
        key: z.enum(["delete", "overwrite", "replace", "start"]),
        count,
        text: z.string(),
        names: z.array(z.string()),
      }),
    )
    .optional(),
  changes: z.array(change),
  diagnostics: z.array(diagnostic),
  requests: z.strictObject({
    source: z.strictObject({ reads: count }),
    target: z.strictObject({ reads: count, writes: count }),
  }),
  durationMs: z.number().min(0),
  next: z.array(z.string()).optional(),
  details: z.json().optional(),
});

export type ResultDocument = z.output<typeof schema>;

/** Throws unless the text is one such document and nothing else. */
export function documentOf(stdout: string): ResultDocument {
  return schema.parse(JSON.parse(stdout));
}

import { z } from "zod";
import type { JournalRecord } from "../../model/journal.ts";
import { wrongValue } from "../../model/wrong-value.ts";

/**
 * Loose on purpose: a newer version of the tool may add fields and types of record without a new format. What
 * is checked is what replay relies on. The records that come out are the raw ones, because zod would reorder
 * fields and lose one named `__proto__`.
 */
const entry = z.looseObject({ name: z.string(), target: z.string(), origin: z.string() }).nullable();

const outcomeItem = z.discriminatedUnion("result", [
  z.looseObject({ source: z.string(), result: z.literal("done"), entry }),
  z.looseObject({ source: z.string(), result: z.literal("not-done"), reason: z.string() }),
  z.looseObject({ source: z.string(), result: z.literal("doubt"), reason: z.string() }),
  z.looseObject({ source: z.string(), result: z.literal("accepted"), handle: z.string() }),
  z.looseObject({ source: z.string(), result: z.literal("abandoned"), reason: z.string() }),
]);

const schemas: Readonly<Record<JournalRecord["type"], z.ZodType>> = {
  run: z.looseObject({ run: z.string(), at: z.string(), command: z.string() }),
  baseline: z.looseObject({ run: z.string(), kind: z.string(), uuids: z.array(z.string()) }),
  intent: z.looseObject({
    run: z.string(),
    op: z.string(),
    kind: z.string(),
    step: z.string(),
    items: z.array(z.looseObject({ source: z.string(), name: z.string() })),
  }),
  outcome: z.looseObject({ op: z.string(), items: z.array(outcomeItem) }),
  entry: z.looseObject({ run: z.string(), kind: z.string(), source: z.string(), entry }),
  table: z.looseObject({ run: z.string(), kind: z.string(), table: z.string(), name: z.string() }),
  rows: z.looseObject({
    run: z.string(),
    op: z.string(),
    rows: z.array(
      z.looseObject({ key: z.string(), name: z.string(), action: z.enum(["create", "update", "delete"]) }),
    ),
  }),
  "rows-done": z.looseObject({
    op: z.string(),
    rows: z.array(
      z.discriminatedUnion("result", [
        z.looseObject({ key: z.string(), result: z.literal("done") }),
        z.looseObject({ key: z.string(), result: z.literal("sent"), target: z.string() }),
        z.looseObject({ key: z.string(), result: z.enum(["not-done", "doubt"]), reason: z.string() }),
      ]),
    ),
  }),
  "rows-held": z.looseObject({
    review: z.looseObject({ urn: z.string(), name: z.string() }),
    keys: z.array(z.string()),
  }),
  note: z.looseObject({
    kind: z.string(),
    table: z.string(),
    name: z.string(),
    severity: z.enum(["info", "warning"]),
    text: z.string(),
  }),
  end: z.looseObject({ run: z.string(), exitCode: z.number() }),
};

export type Checked =
  | { readonly record: JournalRecord }
  /** A type of record that this version does not know. */
  | { readonly unknown: string }
  | { readonly problem: string };

export function checkRecord(value: unknown): Checked {
  const type = typeof value === "object" && value !== null && "type" in value ? value.type : undefined;
  if (typeof type !== "string" || type === "header") return { problem: "it is no record" };
  if (!isKnown(type)) return { unknown: type };
  const checked = schemas[type].safeParse(value, { error: wrongValue });
  if (checked.success) return { record: value as JournalRecord };
  const issue = checked.error.issues[0];
  return {
    problem: `its ${issue?.path.join(".") ?? "content"} is not as expected (${issue?.message ?? "unknown"})`,
  };
}

function isKnown(type: string): type is JournalRecord["type"] {
  return Object.hasOwn(schemas, type);
}

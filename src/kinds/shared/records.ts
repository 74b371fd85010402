import { z } from "zod";
import type { PlanSection } from "../../plan/section.ts";
import { duration } from "../../plan/values.ts";

const table = z.strictObject({
  table: z.string().min(1).describe("The table's name at the source."),
  targetTable: z.string().min(1).optional().describe("Its name at the target; the same when left out."),
  key: z.array(z.string().min(1)).min(1).describe("The columns by which a row is known."),
  publish: z
    .enum(["direct", "review", "approve"])
    .default("direct")
    .describe("What is written is published at once, put up for review, or reviewed and approved."),
});

const entity = z.string().min(1).describe("The entity, by its name on both servers.");
const filter = z
  .record(z.string(), z.union([z.string(), z.number(), z.boolean()]))
  .default({})
  .describe("Only records with these values, by column; * stands for anything.");
const relationships = z
  .array(z.string().min(1))
  .default([])
  .describe(
    "Relations by their role, made when both ends are there; of masters when the record is made. Where a record has one parent only, the source's relation moves it there from whichever it has at the target; where that is somebody else's word it is told.",
  );
const columns = (standard: string) =>
  z
    .array(z.string().min(1))
    .min(1)
    .default([standard])
    .describe("The columns that are moved; * stands for anything, and what is computed is never sent.");
const overrides = z
  .boolean()
  .default(false)
  .describe(
    "Overrides count, too, also those of what the server works out (std_, cmo_): a request for each record on both sides. Those of masters can be read alone. Without it the values below them are moved: a request for each record that is new or differs.",
  );
const activity = z
  .boolean()
  .default(false)
  .describe(
    "What is inactive at the source becomes so at the target. Without it such a record is told, and not made there.",
  );
const view = z
  .string()
  .min(1)
  .describe("The master view: of masters, and of instances where ferry diff --identify is to look.");

const instances = z.strictObject({
  layer: z
    .literal("instance")
    .describe("Instances, which sources have sent, or masters, which people have authored."),
  entity,
  view: view.optional(),
  origins: z
    .record(z.string().min(1), z.string().min(1))
    .default({})
    .describe("Which origin of the source is which of the target; without one all are moved as they are."),
  columns: columns("src_*"),
  filter,
  relationships,
  overrides,
  activity,
});

const masters = z.strictObject({
  layer: z
    .literal("master")
    .describe("Instances, which sources have sent, or masters, which people have authored."),
  entity,
  view,
  key: z.array(z.string().min(1)).min(1).describe("The columns by which a master is known on both servers."),
  columns: columns("cmo_*"),
  filter,
  authored: z
    .literal("all")
    .optional()
    .describe("Without a filter: that no record of the view is merged from instances."),
  relationships,
  overrides,
  activity,
});

const schema = z
  .strictObject({
    referenceData: z.array(table).default([]).describe("The tables of reference data."),
    masterData: z
      .array(z.discriminatedUnion("layer", [instances, masters]))
      .default([])
      .describe("The entities of master data."),
    remove: z
      .boolean()
      .default(false)
      .describe("Rows that only the target has are removed, under --allow-delete."),
  })
  .prefault({})
  .describe("Tables and entities whose rows are moved.");

export type RecordsPlan = Readonly<z.output<typeof schema>>;
type EntityPlan = RecordsPlan["masterData"][number];
export type InstancePlan = Extract<EntityPlan, { readonly layer: "instance" }>;
export type MasterPlan = Extract<EntityPlan, { readonly layer: "master" }>;
export type TablePlan = RecordsPlan["referenceData"][number];

/** A share of rows, such as 1%; without a limit every row may be bad. */
const share = z
  .string("write none, or a share such as 1%")
  .regex(/^(none|\d+(\.\d+)?%)$/, "write none, or a share such as 1%")
  .transform((text) => (text === "none" ? 1 : Number.parseFloat(text) / 100))
  .refine((value) => value <= 1, "write none, or a share of at most 100%");

declare module "../../model/plan.ts" {
  interface Plan {
    /** Tables and entities whose rows are moved. */
    readonly records: RecordsPlan;
  }
  interface Limits {
    /** Of the rows of a table: more that cannot be sent, and the run stops. */
    readonly badRows: number;
    /** How long what was published may take to show. */
    readonly publishWaitMs: number;
  }
}

/** One setting that all kinds with rows share. */
export const recordsSettings = {
  top: { records: { schema } },
  literal: ["filter"],
  limits: {
    badRows: {
      schema: share
        .prefault("none")
        .describe(
          "Of the rows of a table: when more cannot be sent, such as 1%, the run stops; none is no limit.",
        ),
    },
    publishWaitMs: {
      schema: duration.prefault("2m").describe("How long what was published may take to show."),
      written: "publishWait",
    },
  },
} satisfies PlanSection;

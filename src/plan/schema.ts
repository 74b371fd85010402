import { z } from "zod";
import type { Acknowledged } from "../model/plan.ts";
import { keysOf } from "./keys.ts";
import type { Placed, PlanPart, PlanSection, SettingsTable } from "./section.ts";
import { settingsTable } from "./section.ts";
import { duration, size } from "./values.ts";

/** Environment names become folder names. */
const slug = z
  .string()
  .regex(
    /^[A-Za-z0-9](?:[A-Za-z0-9._-]{0,62}[A-Za-z0-9])?$/,
    "use letters, digits, dots, dashes and underscores only, starting and ending with a letter or digit",
  );

/** What stands in an address is shown and kept with every run: a user name or password has no place there. */
const address = z
  .url({ protocol: /^https?$/, error: "use an address such as https://dev.example.com" })
  .refine((text) => {
    const url = URL.parse(text);
    return url === null || [url.username, url.password, url.search, url.hash].every((part) => part === "");
  }, "leave out user name, password, query and fragment: https://dev.example.com");

const environment = {
  name: slug,
  baseUrl: address,
  authUrl: address.optional(),
  realm: z.string().min(1),
  clientId: z.string().min(1),
  clientSecret: z.string().min(1),
  masterData: z
    .strictObject({
      baseUrl: address,
      // Basic authentication ends the name at the first colon.
      username: z.string().regex(/^[^:]+$/, "a user name has no colon in it"),
      password: z.string().min(1),
    })
    .optional(),
};

const selector = z.strictObject({
  kind: z.string().optional(),
  kinds: z.string().optional(),
  name: z.string().optional(),
  urns: z.array(z.string()).optional(),
  file: z.string().optional(),
});

const acknowledged = z
  .strictObject({
    kind: z.string(),
    name: z.string().optional(),
    urn: z.string().optional(),
    reason: z.string().min(1),
    until: z
      .string()
      .regex(/^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])$/, "write a day such as 2027-03-31")
      .optional(),
    print: z.string().optional(),
  })
  .refine(
    ({ name, urn }) => (name === undefined) !== (urn === undefined),
    "say which: name (a pattern) or urn, one of them",
  );

/** What the engine itself asks of a plan; the rest is said by the kinds. */
const own = {
  policy: {
    adopt: { schema: z.enum(["identical", "by-name", "never"]).default("identical") },
    drift: { schema: z.enum(["report", "overwrite"]).default("report") },
    conflict: { schema: z.enum(["report", "source-wins"]).default("report") },
    missingTarget: { schema: z.enum(["report", "recreate"]).default("report") },
    targetOnly: { schema: z.enum(["keep", "remove"]).default("keep") },
    replace: { schema: z.enum(["manual", "allow"]).default("manual") },
  },
  limits: {
    concurrency: { schema: z.int().min(1).max(64).default(8) },
    requestTimeoutMs: { schema: duration.prefault("60s"), written: "requestTimeout" },
    quietPeriodMs: { schema: duration.prefault("90s"), written: "quietPeriod" },
    answerSizeBytes: { schema: size.prefault("64MB"), written: "answerSize" },
  },
} satisfies PlanSection;

const select = {
  kinds: z.array(z.string()).min(1).default(["terms", "rules", "monitors", "dashboards"]),
  include: z.array(selector).default([]),
  exclude: z.array(selector).default([]),
  dependencies: z.enum(["include", "mapped-only"]).default("include"),
};

const selectKeys = z.strictObject(select);

/** A plan as it is written, defaults filled in; what kinds have put into its parts is known by the table alone. */
export interface PlanFile {
  readonly source: z.output<z.ZodObject<typeof environment>>;
  readonly target: PlanFile["source"] & { readonly confirm?: string | undefined };
  readonly select: z.output<typeof selectKeys> & Part;
  readonly pairing: Part;
  readonly policy: Part;
  readonly limits: Part;
  readonly acknowledged: readonly Acknowledged[];
}

type Part = Readonly<Record<string, unknown>>;

export interface PlanForm {
  /** The plan file as a person writes it; unknown keys are errors. */
  readonly schema: ReturnType<typeof schemaOf>;
  readonly table: SettingsTable;
  /** The keys that each part may have, by its path: for "did you mean". */
  readonly keys: Readonly<Record<string, readonly string[]>>;
  readonly sections: readonly PlanSection[];
}

const forms = new WeakMap<readonly PlanSection[], PlanForm>();

/** What a plan may say where these sections are known: made once for each list of them. */
export function planForm(sections: readonly PlanSection[]): PlanForm {
  const known = forms.get(sections);
  if (known !== undefined) return known;
  const table = settingsTable([own, ...sections]);
  const schema = schemaOf(table);
  const form = { schema, table, keys: keysOf(schema), sections };
  forms.set(sections, form);
  return form;
}

function schemaOf(table: SettingsTable) {
  const part = (name: PlanPart): Readonly<Record<string, z.ZodType>> => shapeOf(table[name], {});
  return z.strictObject({
    version: z.literal(1, "this version of ferry reads plans of version 1"),
    source: z.strictObject(environment),
    target: z.strictObject({ ...environment, confirm: z.string().optional() }),
    select: z.strictObject(shapeOf(table.select, select)).prefault({}),
    pairing: z.strictObject(part("pairing")).prefault({}),
    policy: z.strictObject(part("policy")).prefault({}),
    acknowledged: z.array(acknowledged).default([]),
    limits: z.strictObject(part("limits")).prefault({}),
    ...part("top"),
  });
}

/** The keys of a part, each behind the one that it names. */
function shapeOf(
  placed: readonly Placed[],
  before: Readonly<Record<string, z.ZodType>>,
): Readonly<Record<string, z.ZodType>> {
  const shape = Object.entries(before);
  for (const { written, setting } of placed) {
    const behind = shape.findIndex(([key]) => key === setting.after) + 1;
    shape.splice(behind === 0 ? shape.length : behind, 0, [written, setting.schema]);
  }
  return Object.fromEntries(shape);
}

import { z } from "zod";
import { display } from "../model/display.ts";
import type { Acknowledged } from "../model/plan.ts";
import { keysOf } from "./keys.ts";
import type { Placed, PlanPart, PlanSection, SettingsTable } from "./section.ts";
import { settingsTable } from "./section.ts";
import { duration, isDay, size } from "./values.ts";

/** Environment names become folder names. */
const slug = z
  .string()
  .max(64, "is too long: a name of an environment has 64 characters at most")
  .regex(
    /^[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?$/,
    "use letters, digits, dots, dashes and underscores only, starting and ending with a letter or digit",
  );

/** What stands in an address is shown and kept with every run: a user name or password has no place there. */
const address = z
  .url({ protocol: /^https?$/, error: "use an address such as https://dev.example.com" })
  .refine((text) => {
    const url = URL.parse(text);
    return url === null || [url.username, url.password, url.search, url.hash].every((part) => part === "");
  }, "leave out user name, password, query and fragment: https://dev.example.com");

/** What is typed comes without the blanks around it. Nothing at all is what the Enter key alone gives: it confirms nothing. */
const typed = z
  .string()
  .refine(
    (word) => word !== "" && word.trim() === word && display(word) === word,
    "write a word that can be typed: on one line, not empty, without blanks around it",
  );

const environment = {
  name: slug.describe("What this environment is called: it names the folder in mappings/."),
  baseUrl: address.describe("Its address, such as https://dev.example.com."),
  authUrl: address.optional().describe("Where tokens come from; baseUrl when left out."),
  realm: z.string().min(1).describe("The tenant's name."),
  clientId: z
    .string()
    .min(1)
    .describe("The API client. Keep it in an environment variable: ${DEV_CLIENT_ID}."),
  clientSecret: z
    .string()
    .min(1)
    .describe("The API client's secret. Keep it in an environment variable: ${DEV_CLIENT_SECRET}."),
  masterData: z
    .strictObject({
      baseUrl: address.describe("Address of the master-data server."),
      // Basic authentication ends the name at the first colon.
      username: z
        .string()
        .regex(/^[^:]+$/, "a user name has no colon in it")
        .describe("Who signs in there."),
      password: z.string().min(1).describe("Keep it in an environment variable."),
    })
    .optional()
    .describe("The master-data server of this environment, where there is one."),
};

/** One side of a plan. */
export const environmentForm = z.strictObject(environment);

const selector = z.strictObject({
  kind: z
    .string()
    .optional()
    .describe("Objects, or tables, of this kind only; without it those of every kind."),
  kinds: z.string().optional().describe("The same as kind."),
  name: z.string().optional().describe("A pattern for names: * stands for any run of characters, ? for one."),
  urns: z.array(z.string()).optional().describe("These objects, by their URNs at the source."),
  file: z.string().optional().describe("A file beside the plan with one URN a line."),
});

const acknowledged = z
  .strictObject({
    kind: z.string().describe("The kind of the object."),
    name: z
      .string()
      .optional()
      .describe("A pattern for names: * stands for any run of characters, ? for one. Either this or urn."),
    urn: z.string().optional().describe("One object, by its URN at the source."),
    reason: z.string().min(1).describe("Why it is accepted; shown with it."),
    until: z
      .string()
      .regex(/^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])$/, "write a day such as 2027-03-31")
      .refine(isDay, "write a day such as 2027-03-31")
      .optional()
      .describe("The last day on which it holds."),
    print: z
      .string()
      .optional()
      .describe(
        "What the object was when it was accepted; written by `ferry ack`. A changed one is not covered.",
      ),
  })
  .refine(
    ({ name, urn }) => (name === undefined) !== (urn === undefined),
    "say which: name (a pattern) or urn, one of them",
  );

/** What the engine itself asks of a plan; the rest is said by the kinds. */
const own = {
  policy: {
    adopt: {
      schema: z
        .enum(["identical", "by-name", "never"])
        .default("identical")
        .describe(
          "An object of the same name at the target: taken as the twin if its content is the same, by its name alone, or never.",
        ),
    },
    drift: {
      schema: z
        .enum(["report", "overwrite"])
        .default("report")
        .describe("Somebody changed it at the target since the last apply."),
    },
    conflict: {
      schema: z
        .enum(["report", "source-wins", "merge"])
        .default("report")
        .describe(
          "It changed on both sides since the last apply; merge brings together what each side alone has changed.",
        ),
    },
    missingTarget: {
      schema: z
        .enum(["report", "recreate"])
        .default("report")
        .describe("The twin was removed at the target."),
    },
    targetOnly: {
      schema: z
        .enum(["keep", "remove"])
        .default("keep")
        .describe("Parts of an object that only the target has."),
    },
    replace: {
      schema: z
        .enum(["manual", "allow"])
        .default("manual")
        .describe(
          "It changed, and the service offers no update: a person does it, or a new object takes its place.",
        ),
    },
    ignoreFields: {
      schema: z
        .record(
          z.string(),
          z.array(
            z
              .string()
              .regex(/^(?:[^/]+|(?:\/[^/]+)+)$/, "write a field, or a pointer such as /schedule/nextRun"),
          ),
        )
        .default({})
        .describe(
          "By kind, fields that no document names and that the service fills itself: they are neither compared nor sent.",
        ),
      after: "missingProperty",
    },
  },
  limits: {
    concurrency: {
      schema: z.int().min(1).max(64).default(8).describe("Most requests in flight for each environment."),
    },
    requestTimeoutMs: {
      schema: duration.prefault("60s").describe("The longest time for one request, such as 60s or 2m."),
      written: "requestTimeout",
    },
    quietPeriodMs: {
      schema: duration
        .prefault("90s")
        .describe(
          "How long a create, or the start of a flow, whose answer was lost waits before it may be sent again: longer than the service may be late with it and its lists may lag, both together.",
        ),
      written: "quietPeriod",
    },
    answerSizeBytes: {
      schema: size.prefault("64MB").describe("No answer is read beyond it, packed or unpacked."),
      written: "answerSize",
    },
  },
} satisfies PlanSection;

const select = {
  kinds: z
    .array(z.string())
    .min(1)
    .default(["terms", "rules", "monitors", "dashboards"])
    .describe("What is moved."),
  include: z.array(selector).default([]).describe("Only what matches one of these."),
  exclude: z.array(selector).default([]).describe("Leave out what matches one of these."),
  dependencies: z
    .enum(["include", "mapped-only"])
    .default("include")
    .describe("What the selected objects refer to comes along, or must be mapped already."),
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
    version: z
      .literal(1, {
        error: ({ input }) =>
          input === "1"
            ? "it is written as a number, without quotes: version: 1"
            : "this version of ferry reads plans of version 1",
      })
      .describe("The version of the form of plans."),
    source: environmentForm.describe("The environment that is read, and never written."),
    target: z
      .strictObject({
        ...environment,
        confirm: typed.optional().describe("What a person types before anything is written."),
      })
      .describe("The environment that is written."),
    select: z.strictObject(shapeOf(table.select, select)).prefault({}).describe("What to move."),
    pairing: z
      .strictObject(part("pairing"))
      .prefault({})
      .describe("What exists on both sides and is called otherwise; `ferry doctor` prints it."),
    policy: z.strictObject(part("policy")).prefault({}).describe("How to decide where sides differ."),
    acknowledged: z
      .array(acknowledged)
      .default([])
      .describe("What a person knows and accepts: counted by itself, and no reason for a run to be red."),
    limits: z.strictObject(part("limits")).prefault({}).describe("Times, sizes and numbers."),
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

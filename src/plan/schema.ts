import { z } from "zod";

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
};

const units = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 } as const;

/** Longer than this no timer can wait, and nobody wants to. */
const longest = units.h * 24;

/** `60s`, `2m`, `500ms`; a bare number is seconds. Milliseconds inside. */
export const duration = z
  .union([
    z.number().positive(),
    z.string().regex(/^\d+(\.\d+)?(ms|s|m|h)$/, "write a time such as 60s, 2m or 500ms"),
  ])
  .transform((value) => {
    if (typeof value === "number") return Math.round(value * 1_000);
    const unit = /[a-z]+$/.exec(value)?.[0] as keyof typeof units;
    return Math.round(Number.parseFloat(value) * units[unit]);
  })
  .refine((ms) => ms > 0 && ms <= longest, "write a time of more than nothing and at most 24h");

const sizes = { KB: 1_024, MB: 1_024 ** 2, GB: 1_024 ** 3 } as const;

/** An answer becomes one text, and no text of the platform is longer than this. */
const largestAnswer = 500 * sizes.MB;

/** `64MB`, `512KB`, `0.25GB`, in steps of 1,024. Bytes inside. */
const size = z
  .string("write a size such as 64MB, 512KB or 0.25GB")
  .regex(/^\d+(\.\d+)?(KB|MB|GB)$/, "write a size such as 64MB, 512KB or 0.25GB")
  .transform((value) => Math.round(Number.parseFloat(value) * sizes[value.slice(-2) as keyof typeof sizes]))
  .refine(
    (bytes) => bytes >= sizes.KB && bytes <= largestAnswer,
    "write a size of at least 1KB and at most 500MB",
  );

const pattern = z.string().refine(isExpression, "this is not a regular expression");

function isExpression(value: string): boolean {
  try {
    void new RegExp(value, "u");
    return true;
  } catch {
    return false;
  }
}

const selector = z.strictObject({
  kind: z.string().optional(),
  kinds: z.string().optional(),
  name: z.string().optional(),
  urns: z.array(z.string()).optional(),
  file: z.string().optional(),
});

const empty = {} as const;

/** The plan file as a person writes it; unknown keys are errors. */
export const planSchema = z.strictObject({
  version: z.literal(1, "this version of ferry reads plans of version 1"),
  source: z.strictObject(environment),
  target: z.strictObject({ ...environment, confirm: z.string().optional() }),
  select: z
    .strictObject({
      kinds: z.array(z.string()).min(1).default(["terms", "rules", "monitors", "dashboards"]),
      include: z.array(selector).default([]),
      exclude: z.array(selector).default([]),
      dependencies: z.enum(["include", "mapped-only"]).default("include"),
    })
    .prefault(empty),
  pairing: z
    .strictObject({
      sources: z.record(z.string(), z.string()).default({}),
      connections: z.record(z.string(), z.string()).default({}),
      paths: z.array(z.strictObject({ pattern, replace: z.string() })).default([]),
      groups: z.record(z.string(), z.uuid()).default({}),
    })
    .prefault(empty),
  policy: z
    .strictObject({
      adopt: z.enum(["identical", "by-name", "never"]).default("identical"),
      drift: z.enum(["report", "overwrite"]).default("report"),
      conflict: z.enum(["report", "source-wins"]).default("report"),
      missingTarget: z.enum(["report", "recreate"]).default("report"),
      schedules: z.enum(["keep", "disable"]).default("keep"),
      targetOnly: z.enum(["keep", "remove"]).default("keep"),
      missingGroup: z.enum(["block", "drop"]).default("block"),
      replace: z.enum(["manual", "allow"]).default("manual"),
      termLinks: z.enum(["pending", "done"]).default("pending"),
    })
    .prefault(empty),
  limits: z
    .strictObject({
      concurrency: z.int().min(1).max(64).default(8),
      requestTimeout: duration.prefault("60s"),
      quietPeriod: duration.prefault("90s"),
      answerSize: size.prefault("64MB"),
    })
    .prefault(empty),
});

export type PlanFile = z.output<typeof planSchema>;

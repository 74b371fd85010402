import { z } from "zod";
import type { Json, JsonObject } from "../model/json.ts";
import { isArray, isObject, own, plainNumber, text } from "../model/json.ts";

/** The body is JSON but not what the document says; the message names the place, never the value. */
export class WrongShape extends Error {
  override readonly name = "WrongShape";
}

/**
 * A check of the few fields the client itself relies on. All other fields are nobody's business here: the
 * caller gets the raw object, since a schema library reorders keys and drops `__proto__`.
 */
export type Shape = (body: Json | undefined) => JsonObject;

/** `isFine`: what is surely of that shape, told without a copy of it: bodies are large, and nearly all of them are fine. */
function shape(schema: z.ZodType, isFine: (body: JsonObject) => boolean = () => false): Shape {
  return (body) => {
    if (!isObject(body)) throw new WrongShape(body === undefined ? "it is empty" : "it is no JSON object");
    if (isFine(body)) return body;
    const result = schema.safeParse(body);
    if (result.success) return body;
    const issue = result.error.issues[0];
    const place = issue === undefined ? "" : issue.path.map(String).join("/");
    throw new WrongShape(
      `/${place} ${issue?.code === "invalid_type" ? `is no ${issue.expected}` : "is not valid"}`,
    );
  };
}

const named = z.looseObject({ urn: z.string().min(1) });
const meta = z.looseObject({
  next: z.string().min(1).nullish(),
  total: z.preprocess(plainNumber, z.number().int().nonnegative().nullish()),
});

export const anyObject: Shape = shape(z.looseObject({}));
export const withUrn: Shape = shape(named, hasText("urn"));
export const definition: Shape = shape(z.looseObject({ name: z.string().min(1) }), hasText("name"));
/** `{ meta, data }` of every list; without meta nobody could tell whether the list is complete. */
export const listOfUrns: Shape = shape(z.looseObject({ meta, data: z.array(named) }), isListOf("urn"));
export const listOfDefinitions: Shape = shape(
  z.looseObject({ meta, data: z.array(z.looseObject({ name: z.string().min(1) })) }),
  isListOf("name"),
);
/** Document 3, "Directory"; what is listed under `uris` differs from version to version. */
export const directory: Shape = shape(
  z.looseObject({ name: z.string(), version: z.string(), rwmode: z.enum(["RW", "RO"]) }),
);
export const createdList: Shape = shape(z.looseObject({ data: z.array(named) }));
export const flowStarted: Shape = shape(z.looseObject({ workflowUrn: z.string().min(1) }));
/** Document 2, "Reference data". */
export const reviewRequested: Shape = shape(z.looseObject({ reviewDatasetUrn: z.string().min(1) }));
export const approved: Shape = shape(
  z.looseObject({ affectedRecordCount: z.preprocess(plainNumber, z.number().int().nonnegative()) }),
);
export const cancelled: Shape = shape(
  z.looseObject({ workflows: z.array(z.looseObject({ urn: z.string() })) }),
);

function hasText(field: string): (body: JsonObject) => boolean {
  return (body) => (text(body, field) ?? "") !== "";
}

function isListOf(field: string): (body: JsonObject) => boolean {
  const isFine = hasText(field);
  return (body) => {
    const [about, data] = [own(body, "meta"), own(body, "data")];
    if (!isObject(about) || !isArray(data)) return false;
    const [next, total] = [own(about, "next") ?? null, own(about, "total") ?? null];
    const isNext = next === null || (typeof next === "string" && next !== "");
    const isTotal = total === null || (Number.isSafeInteger(total) && Number(total) >= 0);
    return isNext && isTotal && data.every((item) => isObject(item) && isFine(item));
  };
}

const counts = z.looseObject({
  passedCount: z.preprocess(plainNumber, z.number().nonnegative()),
  failedCount: z.preprocess(plainNumber, z.number().nonnegative()),
});
/** Document 2, "Data-quality results"; what is in the lists of an evaluation is looked at by who compares. */
export const bulkOfResults: Shape = shape(
  z.looseObject({
    data: z.array(
      z.looseObject({
        catalogItemUrn: z.string(),
        dqMonitorUrn: z.string(),
        workflowUrn: z.string().min(1),
        overallQuality: counts.nullish(),
      }),
    ),
  }),
);
export const listOfRuns: Shape = shape(
  z.looseObject({ data: z.array(z.looseObject({ workflowUrn: z.string().min(1) })) }),
);
export const runResults: Shape = shape(z.looseObject({ dqEvaluationState: z.string().min(1) }));
export const evaluation: Shape = shape(z.looseObject({ overallQuality: counts }));
export const sampleHeaders: Shape = shape(z.looseObject({ headers: z.array(z.looseObject({})) }));
export const listOfSamples: Shape = shape(z.looseObject({ data: z.array(z.looseObject({})) }));
export const batchResults: Shape = shape(
  z.looseObject({
    results: z.array(
      z.looseObject({
        id: z.string().nullish(),
        status: z.string().min(1),
        data: z.looseObject({}).nullish(),
        error: z.looseObject({}).nullish(),
      }),
    ),
  }),
);
const tokenSchema = z.looseObject({
  // Anything else cannot travel in a header.
  access_token: z.string().regex(/^[\u0021-\u007e]+$/u),
  expires_in: z.number().nonnegative(),
});
export const tokenAnswer: Shape = shape(tokenSchema);

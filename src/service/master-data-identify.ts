import { z } from "zod";
import type { Json, JsonObject } from "../model/json.ts";
import { child, isArray, isObject, own, plainNumber, text } from "../model/json.ts";
import { check, digits, toRecord } from "./master-data-records.ts";
import type { StoredRecord } from "./master-data-records.ts";
import { WrongShape } from "./shapes.ts";

/** One record as its source would send it (document 3, "Identify and search"). */
export interface IdentifyInput {
  readonly sourceSystem: string;
  readonly record: {
    /** Source attributes only: the server computes the others. */
    readonly attributes: JsonObject;
    readonly relationships?: Readonly<Record<string, readonly { readonly attributes: JsonObject }[]>>;
  };
}

/** A master that a record would join, or might belong to. */
export interface Match {
  readonly masterId: string | undefined;
  /** The instance that it is like. */
  readonly relatedId: string | undefined;
  readonly quality: number | undefined;
  readonly rule: string | undefined;
  /** Absent in the short form, which is given beyond a number of proposals. */
  readonly record: StoredRecord | undefined;
}

export interface Identified {
  /** Undefined when only proposal rules match. */
  readonly match: Match | undefined;
  readonly proposals: readonly Match[];
  readonly body: JsonObject;
}

const number = z.preprocess(plainNumber, z.number()).nullish();
const word = z.string().nullish();
const matchMetadata = z.looseObject({
  matchRelatedId: number,
  matchQuality: number,
  matchRuleName: word,
});
const identified = z.looseObject({
  matchMetadata: matchMetadata.nullish(),
  record: z.looseObject({}).nullish(),
  proposals: z
    .array(
      z.union([
        z.looseObject({ matchMetadata, record: z.looseObject({}) }),
        matchMetadata.extend({ masterId: z.preprocess(plainNumber, z.number()) }),
      ]),
    )
    .nullish(),
});

const parts = ["matchMetadata", "record", "proposals"] as const;

/** Undefined when nothing matches: "the output is nothing". */
export function toIdentified(answer: Json | undefined): Identified | undefined {
  const isNothing = answer === undefined || answer === null || (isArray(answer) && answer.length === 0);
  if (isNothing) return undefined;
  const body = check(identified, answer);
  const list = own(body, "proposals");
  const proposals = isArray(list) ? list.filter((entry) => isObject(entry)).map(toMatch) : [];
  const match = child(body, "record") === undefined ? undefined : toMatch(body);
  // "The output is nothing" when nothing matches: whatever else says neither says something that is not known.
  const isKnown = Object.keys(body).length === 0 || parts.some((name) => Object.hasOwn(body, name));
  if (!isKnown) throw new WrongShape("it holds neither a match nor proposals");
  const metadata = Object.values(child(body, "matchMetadata") ?? {});
  if (match === undefined && metadata.some((said) => said !== null))
    throw new WrongShape("it tells of a match, and not which record that is");
  return match === undefined && proposals.length === 0 ? undefined : { match, proposals, body };
}

function toMatch(entry: JsonObject): Match {
  const said = child(entry, "matchMetadata") ?? entry;
  const found = child(entry, "record");
  const record = found === undefined ? undefined : toRecord(found);
  const quality = plainNumber(own(said, "matchQuality"));
  return {
    masterId: record?.id ?? digits(own(entry, "masterId")),
    relatedId: digits(own(said, "matchRelatedId")),
    quality: typeof quality === "number" ? quality : undefined,
    rule: text(said, "matchRuleName"),
    record,
  };
}

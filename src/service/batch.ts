import type { JsonObject } from "../model/json.ts";
import { child, isArray, isObject, own, text } from "../model/json.ts";
import type { Path } from "./address.ts";
import type { Answer, Writer } from "./call.ts";
import type { Problem } from "./error.ts";
import { checkSize } from "./requests.ts";
import { batchResults } from "./shapes.ts";

/** One entry of a 207 answer (document 1, Batch rules), as received. */
export interface BatchResult {
  readonly id?: string;
  /** `OK` on success; otherwise such as `VALIDATION_ERROR`. */
  readonly status: string;
  readonly data?: JsonObject;
  readonly error?: Problem;
}

/** In the order received and with as many entries as received: an item that is missing is in doubt. */
export interface BatchAnswer {
  readonly results: readonly BatchResult[];
}

/** POST `{ data: items }`. Throws ServiceError for the request as a whole; failed items are results. */
export async function batch(writer: Writer, at: Path, items: readonly JsonObject[]): Promise<BatchAnswer> {
  checkSize(items, at);
  return await writer.write({ method: "POST", at, body: { data: items } }, toAnswer);
}

function toAnswer(answer: Answer): BatchAnswer {
  const results = own(batchResults(answer.body), "results");
  const entries = isArray(results) ? results.filter((entry) => isObject(entry)) : [];
  return { results: entries.map((entry) => toResult(entry, answer)) };
}

function toResult(entry: JsonObject, answer: Answer): BatchResult {
  const id = text(entry, "id");
  const data = child(entry, "data");
  const raw = child(entry, "error");
  return {
    ...(id === undefined ? {} : { id }),
    status: text(entry, "status") ?? "",
    ...(data === undefined ? {} : { data }),
    ...(raw === undefined ? {} : { error: answer.problem(raw) ?? {} }),
  };
}

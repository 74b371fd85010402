import type { JsonObject } from "../model/json.ts";
import { at } from "./address.ts";
import type { Reader } from "./call.ts";
import { pages } from "./pages.ts";
import type { Page } from "./pages.ts";
import { readOne, unlessNotFound } from "./requests.ts";
import { withUrn } from "./shapes.ts";

export interface WorkflowState {
  readonly body: JsonObject;
  /** While PENDING or RUNNING: how long to wait before asking again, milliseconds. */
  readonly retryAfterMs?: number;
}

export interface RunQuery {
  /** Such as RUNNING. */
  readonly status?: string;
  readonly type?: string;
  readonly name?: string;
}

/** Document 2, base `/api/processing/v1`. All throw ServiceError; undefined only for the service's own 404. */
export interface ProcessingReads {
  workflow(urn: string): Promise<WorkflowState | undefined>;
  workflows(query?: RunQuery): AsyncIterable<Page>;
  /** Without a workflow: the jobs of all. */
  jobs(query?: RunQuery & { readonly workflow?: string }): AsyncIterable<Page>;
  job(urn: string): Promise<JsonObject | undefined>;
}

export function processingReads(reader: Reader): ProcessingReads {
  return {
    workflow: (urn) =>
      unlessNotFound(
        reader.read(
          { method: "GET", at: at`/api/processing/v1/workflows/${urn}` },
          ({ body, retryAfterMs }) => ({
            body: withUrn(body),
            ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
          }),
        ),
      ),
    workflows: ({ status, type, name } = {}) =>
      pages(reader, { at: at`/api/processing/v1/workflows`, query: { status, type, name } }),
    jobs: ({ workflow, status, type, name } = {}) =>
      pages(reader, { at: at`/api/processing/v1/jobs`, query: { workflow, status, type, name } }),
    job: (urn) => readOne(reader, at`/api/processing/v1/jobs/${urn}`, withUrn),
  };
}

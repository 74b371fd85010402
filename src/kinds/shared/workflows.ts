import type { JsonObject } from "../../model/json.ts";
import { isArray, isObject, own, text } from "../../model/json.ts";
import type { ReadClient, WriteClient } from "../../service/index.ts";
import { ServiceError } from "../../service/index.ts";
import type { ServiceRun, StepAnswer } from "../kind.ts";
import { isAnswered, isLost } from "./answers.ts";

/** Asked again after so long where the service does not say (milliseconds); it does while a run is under way. */
const usualWait = 5_000;
/** Reasons of failed jobs that are told; how many there are besides is told as far as it is known. */
const mostReasons = 5;

const failedText = "it FAILED";

/** Its work went wrong; one that was cancelled or skipped did none. */
export function wentWrong(reason: string): boolean {
  return reason.startsWith(failedText);
}

/**
 * How a workflow stands (document 2, "Workflow" and "Job"). FINISHED is done; FAILED, CANCELED and SKIPPED end it
 * without; a state that nobody has documented is asked about again.
 */
export async function pollWorkflow(client: ReadClient, handle: string): Promise<StepAnswer> {
  const found = await client.processing.workflow(handle);
  if (found === undefined)
    return { state: "refused", reason: `the workflow ${handle} does not exist any more`, missing: true };
  const { body, retryAfterMs } = found;
  const status = text(body, "status") ?? "";
  switch (status) {
    case "FINISHED":
      return { state: "done", target: handle };
    case "FAILED":
      return { state: "refused", reason: `${failedText}: ${await reasonsOf(client, handle, body)}` };
    case "CANCELED":
    case "SKIPPED":
      return { state: "refused", reason: `it was ${status}` };
    default:
      return { state: "accepted", handle, waitMs: retryAfterMs ?? usualWait };
  }
}

/**
 * The failed jobs with their reasons; where the jobs say nothing, or cannot be read, what the workflow says. That it FAILED is
 * known without them.
 */
async function reasonsOf(client: ReadClient, handle: string, workflow: JsonObject): Promise<string> {
  const { jobs, total, unread } = await failedJobs(client, handle);
  const errors = own(workflow, "errors");
  const said = (isArray(errors) ? errors : []).filter(isObject).flatMap((entry) => reasonIn(entry) ?? []);
  if (jobs.some(({ reason }) => reason !== undefined) || (jobs.length > 0 && said.length === 0)) {
    const told = jobs.map(({ name, reason }) => `${name}: ${reason ?? "no reason given"}`);
    return cut(told, total);
  }
  if (said.length > 0) return cut(said, said.length);
  return unread === undefined
    ? "the service gives no reason"
    : `why is not known, since its jobs cannot be read: ${unread}`;
}

/** `all`: how many there are, where that is known. */
function cut(told: readonly string[], all: number | undefined): string {
  const shown = told.slice(0, mostReasons);
  const left = Math.max(told.length, all ?? 0) - shown.length;
  if (left === 0) return shown.join("; ");
  const more = all === undefined ? "others" : `${left} more`;
  return `${shown.join("; ")}; and ${more}, which the web application of the target shows`;
}

interface FailedJobs {
  /** Enough of them to be told. */
  readonly jobs: readonly { readonly name: string; readonly reason: string | undefined }[];
  /** How many there are, where the service says it. */
  readonly total?: number | undefined;
  readonly unread?: string;
}

async function failedJobs(client: ReadClient, handle: string): Promise<FailedJobs> {
  const jobs: { name: string; reason: string | undefined }[] = [];
  let total: number | undefined;
  try {
    for await (const page of client.processing.jobs({ workflow: handle, status: "FAILED" })) {
      total = page.total ?? total;
      for (const job of page.items) {
        const error = own(job, "error");
        const reason = isObject(error) ? reasonIn(error) : undefined;
        jobs.push({ name: text(job, "name") ?? text(job, "urn") ?? "a job", reason });
      }
      // One beyond those that are told: that there are more is known then, also where the service does not count them.
      if (jobs.length > mostReasons) break;
    }
  } catch (error) {
    const isUnread = error instanceof ServiceError && (isAnswered(error) || isLost(error));
    if (!isUnread) throw error;
    return { jobs, total, unread: error.message };
  }
  return { jobs, total };
}

/** The names of the fields are not documented: what reads like a reason. */
function reasonIn(error: JsonObject): string | undefined {
  for (const key of ["reason", "failureReason", "message", "detail"]) {
    const found = text(error, key);
    if (found !== undefined && found !== "") return found;
  }
  return undefined;
}

/** Jobs that have ended, of those that are known by now. */
export async function jobsOf(
  client: ReadClient,
  handle: string,
): Promise<{ readonly done: number; readonly known: number }> {
  let [done, known] = [0, 0];
  for await (const { items } of client.processing.jobs({ workflow: handle })) {
    known += items.length;
    done += items.filter((job) => !["PENDING", "RUNNING"].includes(text(job, "status") ?? "")).length;
  }
  return { done, known };
}

export async function cancelWorkflow(client: WriteClient, handle: string): Promise<boolean> {
  const outcomes = await client.processing.cancelWorkflows([handle]);
  return outcomes.some((outcome) => text(outcome, "urn") === handle && own(outcome, "cancelled") === true);
}

export function toServiceRun(body: JsonObject, urn: string): ServiceRun {
  const [name, status, startedAt] = [
    text(body, "name"),
    text(body, "status") ?? text(body, "processingState"),
    text(body, "startedAt"),
  ];
  return {
    urn,
    ...(name === undefined ? {} : { name }),
    ...(status === undefined ? {} : { status }),
    ...(startedAt === undefined ? {} : { startedAt }),
  };
}

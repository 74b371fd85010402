import type { JsonObject } from "../../model/json.ts";
import { isArray, isObject, own, text } from "../../model/json.ts";
import type { ReadClient, WriteClient } from "../../service/index.ts";
import { ServiceError } from "../../service/index.ts";
import type { ServiceRun, StepAnswer } from "../kind.ts";
import { isAnswered, isLost } from "./answers.ts";

/** Asked again after so long where the service does not say (milliseconds); it does while a run is under way. */
const usualWait = 5_000;
/** Reasons of failed jobs that are told; all of them are in the web application. */
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
  const { reasons, unread } = await failedJobs(client, handle);
  const errors = own(workflow, "errors");
  const said = (isArray(errors) ? errors : []).filter(isObject).flatMap((entry) => reasonIn(entry) ?? []);
  const all = reasons.length === 0 ? said : reasons;
  if (all.length > 0) return all.slice(0, mostReasons).join("; ");
  return unread === undefined
    ? "the service gives no reason"
    : `why is not known, since its jobs cannot be read: ${unread}`;
}

interface FailedJobs {
  readonly reasons: readonly string[];
  readonly unread?: string;
}

async function failedJobs(client: ReadClient, handle: string): Promise<FailedJobs> {
  const reasons: string[] = [];
  try {
    for await (const { items } of client.processing.jobs({ workflow: handle, status: "FAILED" })) {
      for (const job of items) {
        const error = own(job, "error");
        const reason = isObject(error) ? reasonIn(error) : undefined;
        reasons.push(`${text(job, "name") ?? text(job, "urn") ?? "a job"}: ${reason ?? "no reason given"}`);
      }
      if (reasons.length >= mostReasons) break;
    }
  } catch (error) {
    const isUnread = error instanceof ServiceError && (isAnswered(error) || isLost(error));
    if (!isUnread) throw error;
    return { reasons, unread: error.message };
  }
  return { reasons };
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

import type { Urn } from "../../model/urn.ts";
import type { Json, JsonObject } from "../json.ts";
import { notFound } from "../problem.ts";
import type { RunStatus, Workflow } from "../state.ts";
import type { Tenant } from "../tenant.ts";

interface NewRun {
  readonly type: string;
  readonly name: string;
  readonly subject: Readonly<Record<string, Json>>;
}

/** A run starts PENDING and moves on each time it is looked at, so that tests need no clock. */
export function startWorkflow(tenant: Tenant, run: NewRun): Workflow {
  const urn = tenant.newUrn("processing:workflow");
  return tenant.workflows.put({
    urn,
    ...run,
    owner: "api-client",
    status: "PENDING",
    startedAt: tenant.timestamp(),
    jobUrn: tenant.newUrn("processing:job"),
    looksLeft: tenant.quirks.workflowLooks,
    outcome: tenant.quirks.workflowOutcome,
  });
}

export function isUnderWay(status: RunStatus): boolean {
  return status === "PENDING" || status === "RUNNING";
}

/** What a look at the workflow shows: PENDING first, then RUNNING, then how it ended. */
export function lookAt(tenant: Tenant, urn: Urn): Workflow {
  const workflow = tenant.workflows.get(urn);
  if (workflow === undefined) throw notFound(`Workflow ${urn} does not exist.`);
  if (!isUnderWay(workflow.status)) return workflow;
  if (workflow.looksLeft === 0) return end(tenant, workflow, workflow.outcome);
  tenant.workflows.put({ ...workflow, status: "RUNNING", looksLeft: workflow.looksLeft - 1 });
  return workflow;
}

function end(tenant: Tenant, workflow: Workflow, status: RunStatus): Workflow {
  return tenant.workflows.put({
    ...workflow,
    status,
    finishedAt: tenant.timestamp(),
    ...(status === "FAILED" && { failure: "The data source did not answer." }),
  });
}

/** Only a run under way can be canceled. */
export function cancel(tenant: Tenant, urn: string): boolean {
  const workflow = tenant.workflows.get(urn);
  if (workflow === undefined || !isUnderWay(workflow.status)) return false;
  end(tenant, workflow, "CANCELED");
  return true;
}

function times(run: Workflow): JsonObject {
  const { startedAt, finishedAt } = run;
  if (finishedAt === undefined) return { startedAt };
  return { startedAt, finishedAt };
}

/** Fields of the entries of `errors` are not shown in the documents: jobUrn and reason. */
export function showWorkflow(workflow: Workflow): JsonObject {
  const { urn, type, name, owner, status, failure, jobUrn, finishedAt, startedAt } = workflow;
  const duration = finishedAt === undefined ? 0 : Date.parse(finishedAt) - Date.parse(startedAt);
  const errors = failure === undefined ? [] : [{ jobUrn, reason: failure }];
  return { urn, type, name, owner, status, ...times(workflow), duration, errors };
}

/** Each workflow is made of one job here. */
export function showJob(workflow: Workflow): JsonObject {
  const { jobUrn, type, name, status, startedAt, failure } = workflow;
  const job: JsonObject = { urn: jobUrn, type, name, status, submittedAt: startedAt, ...times(workflow) };
  return failure === undefined ? job : { ...job, error: { reason: failure } };
}

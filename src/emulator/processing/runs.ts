import type { Urn } from "../../model/urn.ts";
import { asText, type Json, type JsonObject } from "../json.ts";
import { notFound } from "../problem.ts";
import type { Job, RunOutcome, RunStatus, Workflow } from "../state.ts";
import type { Tenant } from "../tenant.ts";

interface NewRun {
  readonly type: string;
  readonly name: string;
  readonly subject: Readonly<Record<string, Json>>;
  /** What it is made of, in order. */
  readonly jobs: readonly string[];
}

/**
 * A run starts PENDING. It moves on each time it is looked at, so that tests need no clock; where the tenant says how
 * long runs take, by the clock.
 */
export function startWorkflow(tenant: Tenant, run: NewRun): Workflow {
  const { workflowLooks, workflowMilliseconds, workflowOutcome } = tenant.quirks;
  const { jobs: names, ...fields } = run;
  const urn = tenant.newUrn("processing:workflow");
  const startedAt = tenant.timestamp();
  const jobs = names.map((name) => ({ urn: tenant.newUrn("processing:job"), name }));
  const began = tenant.clock();
  const workflow: Workflow = {
    urn,
    ...fields,
    owner: "api-client",
    status: "PENDING",
    startedAt,
    jobs,
    looks: workflowLooks,
    looksLeft: workflowLooks,
    outcome: "FINISHED",
    ...(workflowMilliseconds !== undefined && { began, until: began + workflowMilliseconds }),
  };
  const outcome = typeof workflowOutcome === "function" ? workflowOutcome(workflow) : workflowOutcome;
  return put(tenant, { ...workflow, outcome });
}

/** A run that ended before anybody looked. */
export function finishedWorkflow(tenant: Tenant, run: NewRun, outcome: RunOutcome): Workflow {
  const started = startWorkflow(tenant, run);
  return outcome === "never" ? put(tenant, { ...started, outcome }) : end(tenant, started, outcome);
}

export function isUnderWay(status: RunStatus): boolean {
  return status === "PENDING" || status === "RUNNING";
}

/** What a look at the workflow shows: PENDING first, then RUNNING, then how it ended. */
export function lookAt(tenant: Tenant, urn: Urn): Workflow {
  passTime(tenant);
  const workflow = tenant.workflows.get(urn);
  if (workflow === undefined) throw notFound(`Workflow ${urn} does not exist.`);
  if (!isUnderWay(workflow.status) || workflow.until !== undefined) return workflow;
  if (workflow.looksLeft === 0 && workflow.outcome !== "never")
    return end(tenant, workflow, workflow.outcome);
  put(tenant, { ...workflow, status: "RUNNING", looksLeft: Math.max(0, workflow.looksLeft - 1) });
  return workflow;
}

/** What the clock has brought about since somebody asked last. */
export function passTime(tenant: Tenant): void {
  const now = tenant.clock();
  for (const run of tenant.workflows.values()) {
    if (!isUnderWay(run.status) || run.until === undefined || run.began === undefined) continue;
    if (now >= run.until && run.outcome !== "never") end(tenant, run, run.outcome);
    else if (now >= run.began + (run.until - run.began) / 10 && run.status === "PENDING")
      put(tenant, { ...run, status: "RUNNING" });
  }
}

function end(tenant: Tenant, workflow: Workflow, status: RunStatus): Workflow {
  const ended = put(tenant, {
    ...workflow,
    status,
    finishedAt: tenant.timestamp(),
    ...(status === "FAILED" && { failure: workflow.fault ?? "The data source did not answer." }),
  });
  if (status === "FINISHED") bring(tenant, ended);
  return ended;
}

/** A flow that imports has found what there is behind the connection by now. */
function bring(tenant: Tenant, { subject }: Workflow): void {
  const { configurationUrn, connectionUrn } = subject;
  const configuration = tenant.flowConfigurations.get(asText(configurationUrn));
  if (configuration === undefined) return;
  const { actions } = JSON.parse(configuration.configuration) as { readonly actions: readonly string[] };
  if (actions.includes("IMPORT")) tenant.imports.get(asText(connectionUrn) as Urn)?.();
}

/** Only a run under way can be canceled. */
export function cancel(tenant: Tenant, urn: string): boolean {
  passTime(tenant);
  const workflow = tenant.workflows.get(urn);
  if (workflow === undefined || !isUnderWay(workflow.status)) return false;
  end(tenant, workflow, "CANCELED");
  return true;
}

/** The jobs of a run are done one after the other; the last one is the one that fails. */
function put(tenant: Tenant, run: Workflow): Workflow {
  const done = jobsDone(tenant, run);
  for (const [index, { urn, name }] of run.jobs.entries()) {
    const isCurrent = index === done;
    const status = jobStatus(run, index, done);
    const hasBegun = index < done || (isCurrent && run.status !== "PENDING");
    tenant.jobs.put({
      urn,
      workflowUrn: run.urn,
      type: run.type,
      name: `${run.name}: ${name}`,
      status,
      submittedAt: run.startedAt,
      ...(hasBegun && { startedAt: run.startedAt }),
      ...(hasBegun && run.finishedAt !== undefined && { finishedAt: run.finishedAt }),
      ...(status === "FAILED" && run.failure !== undefined && { reason: run.failure }),
    });
  }
  return tenant.workflows.put(run);
}

function jobsDone(tenant: Tenant, run: Workflow): number {
  const all = run.jobs.length;
  if (run.status === "PENDING") return 0;
  if (run.status === "FINISHED") return all;
  if (run.status === "FAILED") return all - 1;
  const { began, until, looks, looksLeft } = run;
  const part =
    began === undefined || until === undefined
      ? (looks - looksLeft) / (looks + 1)
      : (tenant.clock() - began) / (until - began);
  return Math.min(all - 1, Math.max(0, Math.floor(all * part)));
}

function jobStatus({ status }: Workflow, index: number, done: number): RunStatus {
  if (index < done) return "FINISHED";
  if (status === "PENDING" || (status === "RUNNING" && index > done)) return "PENDING";
  return status;
}

/** Fields of the entries of `errors` are not shown in the documents: jobUrn and reason. */
export function showWorkflow(workflow: Workflow): JsonObject {
  const { urn, type, name, owner, status, failure, jobs, finishedAt, startedAt } = workflow;
  const duration = finishedAt === undefined ? 0 : Date.parse(finishedAt) - Date.parse(startedAt);
  const errors = failure === undefined ? [] : [{ jobUrn: jobs.at(-1)?.urn ?? urn, reason: failure }];
  const times: JsonObject = finishedAt === undefined ? { startedAt } : { startedAt, finishedAt };
  return { urn, type, name, owner, status, ...times, duration, errors };
}

export function showJob({ workflowUrn: _workflow, reason, ...job }: Job): JsonObject {
  return reason === undefined ? { ...job } : { ...job, error: { reason } };
}

import type { Urn } from "../../model/urn.ts";
import { type Call, ok, pathUrn, routesOf } from "../http/call.ts";
import type { JsonObject } from "../json.ts";
import { page } from "../paging.ts";
import { notFound } from "../problem.ts";
import { isUnderWay, startWorkflow } from "../processing/runs.ts";
import type { Workflow } from "../state.ts";
import { monitorAt } from "./monitors.ts";

const base = "/catalog-items/:item/dq-monitors/:monitor/processings";

/** Only the published version of a monitor runs (document 2, Update rules 6). */
function monitorUrn(call: Call): Urn {
  const name = call.params["monitor"] ?? "";
  const row = monitorAt(
    call.tenant,
    pathUrn(call, "item"),
    name === "primary" ? name : pathUrn(call, "monitor"),
  );
  if (row.published === undefined) throw notFound(`Monitor ${row.urn} has no published version.`);
  return row.urn;
}

function showRun(run: Workflow): JsonObject {
  const processingState = isUnderWay(run.status)
    ? "RUNNING"
    : run.status === "FINISHED"
      ? "FINISHED"
      : "ERROR";
  const { startedAt, subject } = run;
  return { workflowUrn: run.urn, ...subject, startedAt, processingState };
}

function runOf(call: Call): Workflow {
  const monitor = monitorUrn(call);
  const name = call.params["workflow"] ?? "";
  const runs = call.tenant.workflows.valuesIn(`subject:${monitor}`);
  const run = name === "latest" ? runs.at(-1) : runs.find((found) => found.urn === name);
  if (run === undefined) throw notFound(`Run ${name} of monitor ${monitor} does not exist.`);
  return run;
}

export const processingStartRoutes = routesOf("data-quality", "/api/data-quality/v1", {
  // Page 04; the status is not shown there: 202, as for the start of a documentation flow.
  [`POST ${base}`]: (call) => {
    const dqMonitorUrn = monitorUrn(call);
    const catalogItemUrn = pathUrn(call, "item");
    const subject = { dqMonitorUrn, catalogItemUrn };
    const { urn } = startWorkflow(call.tenant, { type: "DQ-JOB", name: "DQ evaluation", subject });
    const run = `${call.baseUrl}/api/data-quality/v1/catalog-items/${catalogItemUrn}/dq-monitors/${dqMonitorUrn}`;
    const polling = { href: `${call.baseUrl}/api/processing/v1/workflows/${urn}` };
    return { status: 202, body: { polling, result: { href: `${run}/processings/${urn}/results` } } };
  },
  [`GET ${base}`]: (call) => {
    const monitor = monitorUrn(call);
    return page(call, {
      name: `processings ${monitor}`,
      collection: call.tenant.workflows,
      key: `subject:${monitor}`,
      sortable: { startedAt: (run) => run.startedAt },
      render: showRun,
    });
  },
  [`GET ${base}/:workflow/results`]: (call) => {
    const run = runOf(call);
    const states: Readonly<Record<string, string>> = { PENDING: "ENQUEUED", CANCELED: "SKIPPED" };
    const link = { dqEvaluationLink: `${call.baseUrl}/web/monitors/${monitorUrn(call)}` };
    return ok({ workflowUrn: run.urn, dqEvaluationState: states[run.status] ?? run.status, ...link });
  },
});

import type { Urn } from "../../model/urn.ts";
import { type Call, pathUrn, routesOf } from "../http/call.ts";
import type { JsonObject } from "../json.ts";
import { page } from "../paging.ts";
import { notFound } from "../problem.ts";
import { isUnderWay, passTime, startWorkflow } from "../processing/runs.ts";
import type { Workflow } from "../state.ts";
import { evaluatesNothing, rememberInputs } from "./evaluation/runs.ts";
import { monitorAt } from "./monitors.ts";

export const processingsPath = "/catalog-items/:item/dq-monitors/:monitor/processings";

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

/** `latest` is the most recently started run, finished or not. */
export function runOf(call: Call): Workflow {
  passTime(call.tenant);
  const monitor = monitorUrn(call);
  const name = call.params["workflow"] ?? "";
  const runs = call.tenant.workflows.valuesIn(`subject:${monitor}`);
  if (name !== "latest") pathUrn(call, "workflow");
  const run =
    name === "latest"
      ? runs.toSorted((one, other) => (one.startedAt < other.startedAt ? -1 : 1)).at(-1)
      : runs.find((found) => found.urn === name);
  if (run === undefined) throw notFound(`Run ${name} of monitor ${monitor} does not exist.`);
  return run;
}

export const processingStartRoutes = routesOf("data-quality", "/api/data-quality/v1", {
  // Page 04; the status is not shown there: 202, as for the start of a documentation flow.
  [`POST ${processingsPath}`]: (call) => {
    const { tenant } = call;
    if (!tenant.quirks.startsEvaluations)
      throw notFound(`There is no POST ${processingsPath} at ${tenant.name}.`);
    const dqMonitorUrn = monitorUrn(call);
    const catalogItemUrn = pathUrn(call, "item");
    const subject = { dqMonitorUrn, catalogItemUrn };
    const run = startWorkflow(tenant, {
      type: "DQ-JOB",
      name: "DQ evaluation",
      subject,
      jobs: ["Read", "Evaluate"],
    });
    const monitor = tenant.monitors.get(dqMonitorUrn)?.published;
    if (monitor !== undefined) {
      const inputs = rememberInputs(tenant, run, monitor);
      const { failure } = inputs;
      if (failure !== undefined) tenant.workflows.put({ ...run, outcome: "FAILED", fault: failure });
      else if (evaluatesNothing(inputs) && tenant.quirks.skipsEmptyRuns)
        tenant.workflows.put({ ...run, outcome: "SKIPPED" });
    }
    const { urn } = run;
    const path = `${call.baseUrl}/api/data-quality/v1/catalog-items/${catalogItemUrn}/dq-monitors/${dqMonitorUrn}`;
    const polling = { href: `${call.baseUrl}/api/processing/v1/workflows/${urn}` };
    return { status: 202, body: { polling, result: { href: `${path}/processings/${urn}/results` } } };
  },
  [`GET ${processingsPath}`]: (call) => {
    passTime(call.tenant);
    const monitor = monitorUrn(call);
    return page(call, {
      name: `processings ${monitor}`,
      collection: call.tenant.workflows,
      key: `subject:${monitor}`,
      sortable: { startedAt: (run) => run.startedAt },
      render: showRun,
    });
  },
});

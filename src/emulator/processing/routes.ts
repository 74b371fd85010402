import { bodyObject, type Call, ok, pathUrn, queryUrn, routesOf } from "../http/call.ts";
import { isArray } from "../json.ts";
import { page } from "../paging.ts";
import { invalid, notFound } from "../problem.ts";
import type { Workflow } from "../state.ts";
import { cancel, isUnderWay, lookAt, showJob, showWorkflow } from "./runs.ts";

/** The filters that workflows and jobs share: status, type, name; jobs have workflow besides. */
function filterOf(call: Call): { readonly name: string; readonly test: (run: Workflow) => boolean } {
  const wanted = ["status", "type", "name"].map((key) => call.query.get(key));
  const [status, type, name] = wanted;
  const workflow = queryUrn(call, "workflow");
  return {
    name: JSON.stringify([...wanted, workflow]),
    test: (run) =>
      (status === null || run.status === status) &&
      (type === null || run.type === type) &&
      (name === null || run.name === name) &&
      (workflow === undefined || run.urn === workflow),
  };
}

export const processingRoutes = routesOf("processing", "/api/processing/v1", {
  "GET /workflows/:urn": (call) => {
    const workflow = lookAt(call.tenant, pathUrn(call));
    const answer = ok(showWorkflow(workflow));
    if (!isUnderWay(workflow.status)) return answer;
    return { ...answer, headers: { "Retry-After": String(call.tenant.quirks.workflowRetryAfter) } };
  },
  "GET /workflows": (call) =>
    page(call, {
      name: "workflows",
      collection: call.tenant.workflows,
      key: "",
      sortable: { startedAt: (run) => run.startedAt },
      defaultSort: "-startedAt",
      filter: filterOf(call),
      backward: true,
      render: showWorkflow,
    }),
  "POST /workflows/cancel": (call) => {
    const workflows = bodyObject(call)["workflows"];
    if (!isArray(workflows) || !workflows.every((urn) => typeof urn === "string")) {
      throw invalid("workflows must be an array of URNs.", "#/workflows");
    }
    return ok({ workflows: workflows.map((urn) => ({ urn, cancelled: cancel(call.tenant, urn) })) });
  },
  "GET /jobs": (call) =>
    page(call, {
      name: "jobs",
      collection: call.tenant.workflows,
      key: "",
      sortable: { submittedAt: (run) => run.startedAt },
      defaultSort: "-submittedAt",
      filter: filterOf(call),
      backward: true,
      render: showJob,
    }),
  "GET /jobs/:urn": (call) => {
    const urn = pathUrn(call);
    for (const workflow of call.tenant.workflows.values())
      if (workflow.jobUrn === urn) return ok(showJob(workflow));
    throw notFound(`Job ${urn} does not exist.`);
  },
});

import { bodyObject, type Call, ok, pathUrn, queryUrn, routesOf } from "../http/call.ts";
import { isArray } from "../json.ts";
import { page } from "../paging.ts";
import { invalid, notFound } from "../problem.ts";
import type { Job, Workflow } from "../state.ts";
import { cancel, isUnderWay, lookAt, passTime, showJob, showWorkflow } from "./runs.ts";

/** The filters that workflows and jobs share: status, type, name. */
function filterOf(call: Call): {
  readonly name: string;
  readonly test: (run: Pick<Workflow | Job, "status" | "type" | "name">) => boolean;
} {
  const wanted = ["status", "type", "name"].map((key) => call.query.get(key));
  const [status, type, name] = wanted;
  return {
    name: JSON.stringify(wanted),
    test: (run) =>
      (status === null || run.status === status) &&
      (type === null || run.type === type) &&
      (name === null || run.name === name),
  };
}

export const processingRoutes = routesOf("processing", "/api/processing/v1", {
  "GET /workflows/:urn": (call) => {
    const workflow = lookAt(call.tenant, pathUrn(call));
    const answer = ok(showWorkflow(workflow));
    if (!isUnderWay(workflow.status)) return answer;
    return { ...answer, headers: { "Retry-After": String(call.tenant.quirks.workflowRetryAfter) } };
  },
  "GET /workflows": (call) => {
    passTime(call.tenant);
    return page(call, {
      name: "workflows",
      collection: call.tenant.workflows,
      key: "",
      sortable: { startedAt: (run) => run.startedAt },
      defaultSort: "-startedAt",
      filter: filterOf(call),
      backward: true,
      render: showWorkflow,
    });
  },
  "POST /workflows/cancel": (call) => {
    const workflows = bodyObject(call)["workflows"];
    if (!isArray(workflows) || !workflows.every((urn) => typeof urn === "string")) {
      throw invalid("workflows must be an array of URNs.", "#/workflows");
    }
    return ok({ workflows: workflows.map((urn) => ({ urn, cancelled: cancel(call.tenant, urn) })) });
  },
  "GET /jobs": (call) => {
    passTime(call.tenant);
    const workflow = queryUrn(call, "workflow");
    return page(call, {
      name: `jobs ${workflow ?? ""}`,
      collection: call.tenant.jobs,
      key: workflow === undefined ? "" : `workflow:${workflow}`,
      sortable: { submittedAt: (job) => job.submittedAt },
      defaultSort: "-submittedAt",
      filter: filterOf(call),
      backward: true,
      render: showJob,
    });
  },
  "GET /jobs/:urn": (call) => {
    passTime(call.tenant);
    const urn = pathUrn(call);
    const job = call.tenant.jobs.get(urn);
    if (job === undefined) throw notFound(`Job ${urn} does not exist.`);
    return ok(showJob(job));
  },
});

import type { Urn } from "../../model/urn.ts";
import { Checker, checkTenant } from "../check.ts";
import { bodyObject, routesOf } from "../http/call.ts";
import { page } from "../paging.ts";
import { notFound } from "../problem.ts";
import { startWorkflow } from "../processing/runs.ts";

/** Document 1, "Documentation flows". */
export const flowRoutes = routesOf("catalog", "/api/catalog/v1/documentation-flow", {
  "GET /configurations": (call) =>
    page(call, {
      name: "documentation-flow",
      collection: call.tenant.flowConfigurations,
      key: "",
      render: (configuration) => ({ ...configuration }),
    }),
  "POST /start": (call) => {
    const { tenant } = call;
    const body = bodyObject(call);
    const checker = new Checker();
    checkTenant(body, tenant.name, "#", checker);
    const wellFormed = (): boolean => true;
    checker.reference(body["configurationUrn"], wellFormed, "a configuration", "#/configurationUrn");
    checker.reference(body["connectionUrn"], wellFormed, "a connection", "#/connectionUrn");
    checker.optional(body, "paths", "strings", "#", false);
    checker.refuseIfFailed();
    const configuration = tenant.flowConfigurations.get(body["configurationUrn"] as Urn);
    const connectionUrn = body["connectionUrn"] as Urn;
    // 404 when the configuration or the connection does not exist.
    if (configuration === undefined) throw notFound("The configuration does not exist.");
    if (tenant.typeOf(connectionUrn) !== "connection") throw notFound("The connection does not exist.");
    const workflow = startWorkflow(tenant, {
      type: "DOCUMENTATION_FLOW",
      name: configuration.name,
      subject: { configurationUrn: configuration.urn, connectionUrn, paths: body["paths"] ?? [] },
      jobs: (JSON.parse(configuration.configuration) as { readonly actions: readonly string[] }).actions,
    });
    return { status: 202, body: { workflowUrn: workflow.urn } };
  },
});

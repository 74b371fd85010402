import type { Urn } from "../../model/urn.ts";
import { Checker, checkTenant } from "../check.ts";
import { bodyObject, created, ok, pathUrn, routesOf } from "../http/call.ts";
import { isArray, type JsonObject, without } from "../json.ts";
import { page } from "../paging.ts";
import { notFound } from "../problem.ts";
import type { Dashboard, DraftType, Versioned } from "../state.ts";
import type { Tenant } from "../tenant.ts";
import { putDraft, putPublished } from "./versions.ts";

/** Creates a draft; name is needed to publish only, as with monitors. No list shows drafts. */
export function createDashboard(tenant: Tenant, body: JsonObject): Dashboard {
  const checker = new Checker();
  if ("name" in body) checker.requiredText(body, "name", "#");
  checker.optional(body, "description", "string", "#", true);
  checker.optional(body, "dqMonitorUrns", "array", "#", false);
  checkTenant(body, tenant.name, "#", checker);
  const monitors = isArray(body["dqMonitorUrns"]) ? body["dqMonitorUrns"] : [];
  const isPublished = (urn: Urn): boolean => tenant.monitors.get(urn)?.published !== undefined;
  for (const [index, urn] of monitors.entries()) {
    checker.reference(urn, isPublished, "a published monitor", `#/dqMonitorUrns/${index}`);
  }
  checker.refuseIfFailed();
  const fields = without(body, ["urn", "draftType"]);
  if (fields["description"] === null) delete fields["description"];
  const draft: Dashboard = {
    urn: tenant.newUrn("data-quality:dq-dashboard"),
    ...fields,
    dqMonitorUrns: monitors,
  };
  putDraft(tenant.dashboards, { urn: draft.urn }, draft);
  return draft;
}

export function publishDashboard(tenant: Tenant, urn: Urn): Dashboard {
  const row = tenant.dashboards.get(urn);
  if (row === undefined) throw notFound(`Dashboard ${urn} does not exist.`);
  if (row.draft === undefined) return publishedDashboard(tenant, urn);
  const { draft } = row;
  if (row.draftType === "DELETE") tenant.dashboards.delete(urn);
  else {
    const checker = new Checker();
    checker.requiredText(draft, "name", "#");
    checker.refuseIfFailed();
    putPublished(tenant.dashboards, urn, draft);
  }
  return draft;
}

function publishedDashboard(tenant: Tenant, urn: string): Dashboard {
  const dashboard = tenant.dashboards.get(urn)?.published;
  if (dashboard === undefined) throw notFound(`Dashboard ${urn} does not exist.`);
  return dashboard;
}

/** Undocumented: a deleted monitor leaves the dashboards that showed it. */
export function forgetMonitor(tenant: Tenant, monitorUrn: Urn): void {
  const strip = (dashboard: Dashboard): Dashboard => {
    const monitors = isArray(dashboard["dqMonitorUrns"]) ? dashboard["dqMonitorUrns"] : [];
    return { ...dashboard, dqMonitorUrns: monitors.filter((urn) => urn !== monitorUrn) };
  };
  const shows = (dashboard?: Dashboard): boolean => {
    const monitors = dashboard?.["dqMonitorUrns"];
    return isArray(monitors) && monitors.includes(monitorUrn);
  };
  for (const row of tenant.dashboards.values()) {
    if (!shows(row.published) && !shows(row.draft)) continue;
    tenant.dashboards.put({
      ...row,
      ...(row.published !== undefined && { published: strip(row.published) }),
      ...(row.draft !== undefined && { draft: strip(row.draft) }),
    });
  }
}

function showDashboard(dashboard: Dashboard, draftType: DraftType): JsonObject {
  const { urn, ...fields } = dashboard;
  return { urn, draftType, ...fields };
}

/** Of rules and monitors the documents say that published versions alone are read, and of dashboards they do not. */
function shownDashboard(
  { quirks }: Tenant,
  { published, draft, draftType }: Versioned<Dashboard>,
): JsonObject | undefined {
  if (published !== undefined) return showDashboard(published, "NONE");
  if (draft === undefined || quirks.newDashboards === "hidden") return undefined;
  return showDashboard(draft, draftType);
}

/** PATCH and DELETE of dashboards are not known (page 04), so they do not exist here. */
export const dashboardRoutes = routesOf("data-quality", "/api/data-quality/v1", {
  "GET /dq-dashboards": (call) =>
    page(call, {
      name: "dq-dashboards",
      collection: call.tenant.dashboards,
      key: call.tenant.quirks.newDashboards === "shown" ? "any" : "",
      render: (row) => shownDashboard(call.tenant, row) ?? null,
    }),
  "GET /dq-dashboards/:urn": (call) => {
    const row = call.tenant.dashboards.get(pathUrn(call));
    const shown = row === undefined ? undefined : shownDashboard(call.tenant, row);
    if (shown === undefined) throw notFound(`Dashboard ${pathUrn(call)} does not exist.`);
    return ok(shown);
  },
  "POST /dq-dashboards": (call) =>
    created(showDashboard(createDashboard(call.tenant, bodyObject(call)), "NEW")),
  "POST /dq-dashboards/:urn/publish": (call) => {
    const urn = pathUrn(call);
    return ok(showDashboard(publishDashboard(call.tenant, urn), "NONE"));
  },
});

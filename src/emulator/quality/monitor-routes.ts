import { isUrn } from "../../model/urn.ts";
import { independentBatch } from "../batch.ts";
import { bodyObject, type Call, created, noContent, ok, pathUrn, queryUrn, routesOf } from "../http/call.ts";
import { type Listing, page } from "../paging.ts";
import { invalid } from "../problem.ts";
import type { Monitor, Versioned } from "../state.ts";
import type { Tenant } from "../tenant.ts";
import {
  changeMonitor,
  createMonitor,
  deleteMonitor,
  monitorAt,
  publishMonitor,
  readMonitor,
  showMonitor,
} from "./monitors.ts";

import { isPrimary } from "./primary.ts";

const one = "/catalog-items/:item/dq-monitors/:monitor";

function monitorOf(call: Call): Versioned<Monitor> {
  const item = pathUrn(call, "item");
  const name = call.params["monitor"] ?? "";
  return monitorAt(call.tenant, item, name === "primary" ? name : pathUrn(call, "monitor"));
}

/** Those that people made. */
function withoutPrimaries(tenant: Tenant): NonNullable<Listing<Versioned<Monitor>>["filter"]> {
  return {
    name: "without primaries",
    test: ({ published }) => published !== undefined && !isPrimary(tenant, published),
  };
}

export const monitorRoutes = routesOf("data-quality", "/api/data-quality/v1", {
  // Latest published versions only.
  "GET /dq-monitors": (call) => {
    const item = queryUrn(call, "catalogItemUrn");
    return page(call, {
      name: `dq-monitors ${item ?? ""}`,
      collection: call.tenant.monitors,
      key: item === undefined ? "" : `item:${item}`,
      ...(call.tenant.quirks.listsPrimaries ? {} : { filter: withoutPrimaries(call.tenant) }),
      render: (row) => (row.published === undefined ? null : showMonitor(call.tenant, row.published, "NONE")),
    });
  },
  "POST /catalog-items/:item/dq-monitors": (call) => {
    const options = { publish: false, taken: new Set<string>() };
    const { row, value, merge } = createMonitor(
      call.tenant,
      pathUrn(call, "item"),
      bodyObject(call),
      options,
    );
    return created(merge.withCorrelation(showMonitor(call.tenant, value, row.draftType)));
  },
  [`GET ${one}`]: (call) => ok(readMonitor(call.tenant, monitorOf(call), call.query.get("version"))),
  [`PATCH ${one}`]: (call) => {
    const { row, value, merge } = changeMonitor(call.tenant, monitorOf(call), bodyObject(call));
    return ok(merge.withCorrelation(showMonitor(call.tenant, value, row.draftType)));
  },
  [`POST ${one}/publish`]: (call) =>
    ok(showMonitor(call.tenant, publishMonitor(call.tenant, monitorOf(call)), "NONE")),
  [`DELETE ${one}`]: (call) => {
    deleteMonitor(call.tenant, monitorOf(call));
    return noContent;
  },
  // Batch-created monitors skip the draft stage.
  "POST /dq-monitors/batch/create": (call) => {
    const taken = new Set<string>();
    return independentBatch(call, (item, pointer) => {
      const { catalogItemUrn } = item;
      if (typeof catalogItemUrn !== "string" || !isUrn(catalogItemUrn)) {
        throw invalid("catalogItemUrn is required and must be a URN.", `${pointer}/catalogItemUrn`);
      }
      const { value, merge } = createMonitor(call.tenant, catalogItemUrn, item, { publish: true, taken });
      return { urn: value.urn, ...merge.correlationIds() };
    });
  },
});

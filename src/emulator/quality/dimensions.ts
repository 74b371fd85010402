import { routesOf } from "../http/call.ts";
import { page } from "../paging.ts";

/** Page 04, "Paths that fill gaps": published dimensions and transformations, forward cursors. */
export const dimensionRoutes = routesOf("data-quality", "/api/data-quality/v1", {
  "GET /dq-dimensions": (call) =>
    page(call, {
      name: "dq-dimensions",
      collection: call.tenant.dimensions,
      key: "",
      render: ({ urn, name, results }) => ({ urn, name, results: results.map((result) => ({ ...result })) }),
    }),
  "GET /transformations": (call) =>
    page(call, {
      name: "transformations",
      collection: call.tenant.transformations,
      key: "",
      render: (transformation) => ({ ...transformation }),
    }),
});

import { assignmentRoutes } from "./catalog/assignments.ts";
import { attributeRoutes } from "./catalog/attributes.ts";
import { flowRoutes } from "./catalog/documentation-flow.ts";
import { entityRoutes } from "./catalog/entity-routes.ts";
import { folderRoutes } from "./catalog/folders.ts";
import { itemRoutes } from "./catalog/items.ts";
import { modelRoutes } from "./catalog/model-routes.ts";
import { stewardshipRoutes } from "./catalog/stewardship.ts";
import { termRoutes } from "./catalog/terms.ts";
import type { Route } from "./http/call.ts";
import { processingRoutes } from "./processing/routes.ts";
import { dashboardRoutes } from "./quality/dashboards.ts";
import { dimensionRoutes } from "./quality/dimensions.ts";
import { monitorRoutes } from "./quality/monitor-routes.ts";
import { processingStartRoutes } from "./quality/processings.ts";
import { resultRoutes } from "./quality/results.ts";
import { ruleRoutes } from "./quality/rules.ts";
import { referenceDataRoutes } from "./reference-data/routes.ts";

/** Every interface that is emulated on the port of the platform. */
export const allRoutes: readonly Route[] = [
  ...termRoutes,
  ...attributeRoutes,
  ...assignmentRoutes,
  ...itemRoutes,
  ...folderRoutes,
  ...entityRoutes,
  ...modelRoutes,
  ...flowRoutes,
  ...stewardshipRoutes,
  ...processingRoutes,
  ...ruleRoutes,
  ...monitorRoutes,
  ...processingStartRoutes,
  ...resultRoutes,
  ...dashboardRoutes,
  ...dimensionRoutes,
  ...referenceDataRoutes,
];

import { attributeMetadata } from "./attribute-metadata.ts";
import { attributes } from "./attributes.ts";
import { catalogItems } from "./catalog-items.ts";
import { connections } from "./connections.ts";
import { dashboards } from "./dashboards.ts";
import { detectionRules } from "./detection-rules.ts";
import { dimensions } from "./dimensions.ts";
import { documentationFlows } from "./documentation-flows.ts";
import { entities } from "./entities.ts";
import { evaluationRuns } from "./evaluation-runs.ts";
import { folders } from "./folders.ts";
import { groups } from "./groups.ts";
import { itemMetadata } from "./item-metadata.ts";
import { locations } from "./locations.ts";
import { masterData } from "./master-data.ts";
import { monitors } from "./monitors.ts";
import { primaryMonitors } from "./primary-monitors.ts";
import { referenceData } from "./reference-data.ts";
import { Registry } from "./registry.ts";
import { rules } from "./rules.ts";
import { sources } from "./sources.ts";
import { sqlItems } from "./sql-items.ts";
import { stewardship } from "./stewardship.ts";
import { termAssignments } from "./term-assignments.ts";
import { termDenylist } from "./term-denylist.ts";
import { terms } from "./terms.ts";
import { transformations } from "./transformations.ts";

/** Every kind, one line each; what others refer to comes first. */
export const registry: Registry = new Registry([
  sources,
  connections,
  locations,
  catalogItems,
  attributes,
  groups,
  detectionRules,
  dimensions,
  transformations,
  folders,
  sqlItems,
  terms,
  entities,
  rules,
  monitors,
  primaryMonitors,
  dashboards,
  termAssignments,
  termDenylist,
  itemMetadata,
  attributeMetadata,
  stewardship,
  referenceData,
  documentationFlows,
  evaluationRuns,
  masterData,
]);

/** What these have merged into the plan's types: declarations keep no import of a value, and would lose it. */
// oxlint-disable unicorn/require-module-specifiers -- nothing is exported, and all that is merged comes along
export type {} from "./catalog-items.ts";
export type {} from "./connections.ts";
export type {} from "./documentation-flows.ts";
export type {} from "./entities.ts";
export type {} from "./groups.ts";
export type {} from "./shared/monitor.ts";
export type {} from "./shared/records.ts";
export type {} from "./sources.ts";
export type {} from "./sql-items.ts";
export type {} from "./stewardship.ts";
export type {} from "./term-assignments.ts";

/**
 * Puts ready-made objects into a tenant, as an import or the web application would. References are checked as
 * the interface checks them: a seed that is wrong throws the refusal.
 */
export {
  linkRuleToTerm,
  type NewItem,
  type NewTerm,
  seedAssignment,
  seedAttribute,
  seedCatalogItem,
  seedDenylist,
  type SeededItem,
  seedItemAssignment,
  seedStewardship,
  seedTerm,
} from "./seed/catalog.ts";
export {
  seedConnection,
  seedDetectionRule,
  seedDimension,
  seedEntity,
  seedFlowConfiguration,
  seedFolder,
  seedGroup,
  seedLocation,
  seedMetadataProperty,
  seedMetadataType,
  seedSource,
  seedTransformation,
} from "./seed/given.ts";
export {
  leaveDashboardDraft,
  leaveMonitorDraft,
  leaveRuleDraft,
  seedDashboard,
  type Seeded,
  type SeedState,
  seedMonitor,
  seedPrimaryMonitor,
  seedRule,
} from "./seed/quality.ts";

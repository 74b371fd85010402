/**
 * Puts ready-made objects into a tenant, as an import or the web application would. References are checked as
 * the interface checks them: a seed that is wrong throws the refusal.
 */
export {
  type NewItem,
  runQuery,
  seedAttribute,
  seedCatalogItem,
  type SeededItem,
  withoutPrimaryMonitor,
} from "./seed/items.ts";
export {
  changeMetadataProperty,
  changeMetadataType,
  removeMetadataProperty,
  removeMetadataType,
  seedMetadataProperty,
  seedMetadataType,
} from "./seed/model.ts";
export {
  linkRuleToTerm,
  type NewTerm,
  seedAssignment,
  seedDenylist,
  seedItemAssignment,
  seedStewardship,
  seedTerm,
} from "./seed/terms.ts";
export { seedImport, seedProtection, seedRun, seedTable } from "./seed/runs.ts";
export {
  seedConnection,
  seedDetectionRule,
  seedDimension,
  seedEntity,
  seedFlowConfiguration,
  seedFolder,
  seedGroup,
  seedLocation,
  seedSource,
  seedTransformation,
} from "./seed/given.ts";
export {
  decideReview,
  draftRecord,
  editRecord,
  putUpForReview,
  removeRecord,
  seedRecord,
  seedReferenceTable,
} from "./seed/reference-data.ts";
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

import type { Shape } from "./sub-entities.ts";

const thresholds: Shape = { urn: { field: "urn", type: "data-quality:dq-threshold" } };

/** Document 2, "Data-quality monitor" and "Rule instance"; ruleName and nextRun are filled by the server. */
export const monitorShape: Shape = {
  ignored: ["urn", "catalogItemUrn", "draftType", "termRuleInstances"],
  maps: {
    manualRuleInstances: {
      urn: { field: "ruleInstanceUrn", type: "data-quality:rule-instance" },
      ignored: ["ruleName"],
      maps: {
        dqThresholds: thresholds,
        mappings: {},
        connectedMappings: {},
        parameterValues: { ignored: ["ruleParameterName"] },
      },
    },
    exportDefinitions: {},
    joinConfigurations: { maps: { foreignKeyPairs: {} } },
    overallDqThresholds: thresholds,
  },
  objects: {
    schedule: { ignored: ["nextRun"] },
    profilingConfiguration: {},
    anomalyDetectionConfiguration: {},
    invalidSamplesConfiguration: {},
  },
};

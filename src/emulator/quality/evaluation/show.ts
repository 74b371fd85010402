import type { Urn } from "../../../model/urn.ts";
import { asText, compact, type JsonObject } from "../../json.ts";
import type { Workflow } from "../../state.ts";
import type { Tenant } from "../../tenant.ts";
import { entriesOf } from "../sub-entities.ts";
import type { Counts, Evaluation, InstanceOutcome, Quality } from "./evaluate.ts";
import { findingsOf } from "./findings.ts";

function counts({ passedCount, failedCount }: Counts): JsonObject {
  return { passedCount, failedCount };
}

function dimensionResults({ dimensions }: Quality): JsonObject[] {
  return dimensions.map(({ dimension: { name, urn, results }, ruleInstanceCount, ...rest }) => ({
    dimension: { name, urn, results: results.map((result) => ({ ...result })) },
    ...counts(rest),
    ruleInstanceCount,
  }));
}

/** In place of the nested dimension its URN alone (document 2, results, Rules 2). */
export function bulkDimensions({ dimensions }: Quality): JsonObject[] {
  return dimensions.map(({ dimension: { urn }, ruleInstanceCount, ...rest }) => ({
    dimensionUrn: urn,
    ...counts(rest),
    ruleInstanceCount,
  }));
}

/** Document 2, "Data-quality results". */
export function showEvaluation(
  tenant: Tenant,
  run: Workflow,
  evaluation: Evaluation,
  options: { readonly attributeUrns: ReadonlySet<string> | undefined; readonly web: string },
): JsonObject {
  const { attributeUrns, web } = options;
  const monitor = tenant.runInputs.get(run.urn)?.monitor;
  const item = asText(run.subject["catalogItemUrn"]);
  const attributes = evaluation.attributes.filter(
    ({ attribute }) => attributeUrns === undefined || attributeUrns.has(attribute.urn),
  );
  const exports = entriesOf(monitor, "exportDefinitions").filter(([, { enabled }]) => enabled !== false);
  return compact({
    workflowUrn: run.urn,
    overallQuality: counts(evaluation.overall),
    dimensionResults: dimensionResults(evaluation),
    overallDqFindings:
      monitor === undefined
        ? []
        : findingsOf(tenant, run, monitor, "overallDqThresholds", ({ overall }) => overall),
    catalogItemLink: `${web}/items/${item}`,
    dqEvaluationResultsLink: `${web}/runs/${run.urn}`,
    invalidSamplesLink: `${web}/runs/${run.urn}/samples`,
    invalidRecordsExportResults:
      exports.length === 0
        ? undefined
        : exports.map(([key, definition]) => ({
            success: true,
            message: `${evaluation.invalid.length} records`,
            location: `exports/${key}.${asText(definition["format"]).toLowerCase()}`,
            link: `${web}/exports/${key}`,
          })),
    dqAttributeResults: attributes.map((outcome) => ({
      attributeUrn: outcome.attribute.urn,
      attributeName: outcome.attribute.name,
      overallQuality: counts(outcome.overall),
      dimensionResults: dimensionResults(outcome),
      ruleInstanceResults: outcome.instances.map((instance) => showInstance(tenant, run, instance)),
    })),
  });
}

function showInstance(tenant: Tenant, run: Workflow, outcome: InstanceOutcome): JsonObject {
  const { instance, results, explanations } = outcome;
  const ruleInstanceUrn = asText(instance.body["ruleInstanceUrn"]);
  const flags = new Map(instance.dimension.results.map((result) => [result.urn, result]));
  return {
    ruleInstanceUrn,
    ruleUrn: instance.rule.urn,
    ruleInstanceName: asText(instance.body["ruleInstanceName"]) || instance.rule.name,
    ruleName: instance.rule.name,
    results: [...results].map(([urn, count]) => {
      const result = flags.get(urn);
      return {
        count,
        result: {
          name: result?.name ?? "",
          passedOverallResult: result?.passedOverallResult ?? true,
          urn,
        },
      };
    }),
    explanations: [...explanations].map(([key, count]) => ({
      urn: tenant.urnFor("data-quality:explanation", key),
      name: instance.conditions.find((condition) => condition.key === key)?.explanation ?? "",
      count,
    })),
    dqFindings: findingsOf(tenant, run, instance.body, "dqThresholds", (evaluation) =>
      evaluation.instances.find((other) => other.instance.key === instance.key),
    ),
  };
}

/** Which column a person may not see: what was said of it, else what its terms say. */
export function protectionOf(tenant: Tenant, attributeUrn: Urn): string {
  const said = tenant.protections.get(attributeUrn);
  if (said !== undefined) return said;
  const terms = tenant.attributes.get(attributeUrn)?.termAssignments ?? [];
  const isSecret = terms.some(({ termUrn }) => tenant.terms.get(termUrn)?.published?.type === "securityTerm");
  return isSecret ? "CLASSIFIED" : "UNCLASSIFIED";
}

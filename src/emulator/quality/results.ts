import { isUrn } from "../../model/urn.ts";
import { bodyObject, type Call, ok, routesOf } from "../http/call.ts";
import { asText, child, isArray, isObject, type JsonObject } from "../json.ts";
import { pageOfArray } from "../paging.ts";
import { invalid, notFound } from "../problem.ts";
import type { RunInputs, Workflow } from "../state.ts";
import type { Tenant } from "../tenant.ts";
import type { Evaluation, InstanceOutcome } from "./evaluation/evaluate.ts";
import { evaluationOf, evaluationState } from "./evaluation/runs.ts";
import { bulkDimensions, protectionOf, showEvaluation } from "./evaluation/show.ts";
import { cell } from "./evaluation/table.ts";
import { processingsPath, runOf } from "./processings.ts";

const results = `${processingsPath}/:workflow/results`;
const samples = `${results}/dq-evaluation/invalid-samples`;

interface Evaluated {
  readonly run: Workflow;
  readonly inputs: RunInputs;
  readonly evaluation: Evaluation;
}

/** 404 for a run without evaluation (document 2, "Errors"). */
function evaluated(call: Call): Evaluated {
  const run = runOf(call);
  const evaluation = evaluationOf(call.tenant, run);
  const inputs = call.tenant.runInputs.get(run.urn);
  if (evaluation === undefined || inputs === undefined)
    throw notFound(`Run ${run.urn} has no evaluation results.`);
  return { run, inputs, evaluation };
}

/** Repeatable, a malformed one is refused; without one all attributes. */
function wantedAttributes(call: Call): ReadonlySet<string> | undefined {
  const urns = call.query.getAll("attributeUrns");
  const wrong = urns.find((urn) => !isUrn(urn));
  if (wrong !== undefined) throw invalid(`attributeUrns must be URNs, not ${wrong}.`);
  return urns.length === 0 ? undefined : new Set(urns);
}

/** The sample of invalid records is taken where the monitor asks for one. */
function sampleSize({ monitor }: RunInputs): number {
  const { enabled, sampleSize: size } = child(monitor, "invalidSamplesConfiguration");
  return enabled === true && typeof size === "number" ? size : 0;
}

function sample({ inputs, evaluation }: Evaluated, row: number): JsonObject {
  return {
    recordId: `${row + 1}`,
    values: inputs.attributes.map((attribute) => cell(inputs.table, attribute, row)),
    invalidRuleInstances: evaluation.instances
      .filter(({ failed }) => failed.has(row))
      .map((outcome) => ({
        ruleInstanceUrn: asText(outcome.instance.body["ruleInstanceUrn"]),
        explanation: explanationOf(outcome, row),
      })),
  };
}

function explanationOf({ instance, failed }: InstanceOutcome, row: number): string {
  return instance.conditions[failed.get(row) ?? -1]?.explanation ?? "";
}

/** The latest completed run that evaluated; a pair without one is omitted (document 2, results, Rules 2). */
function bulkEntry(tenant: Tenant, catalogItemUrn: string, dqMonitorUrn: string): JsonObject[] {
  const run = tenant.workflows
    .valuesIn(`subject:${dqMonitorUrn}`)
    .filter(({ subject, status }) => subject["catalogItemUrn"] === catalogItemUrn && status === "FINISHED")
    .toSorted((one, other) => (one.startedAt < other.startedAt ? -1 : 1))
    .findLast((candidate) => evaluationOf(tenant, candidate) !== undefined);
  const evaluation = run === undefined ? undefined : evaluationOf(tenant, run);
  if (run === undefined || evaluation === undefined) return [];
  const { passedCount, failedCount } = evaluation.overall;
  return [
    {
      catalogItemUrn,
      dqMonitorUrn,
      workflowUrn: run.urn,
      processingStartedAt: run.startedAt,
      processingFinishedAt: run.finishedAt ?? run.startedAt,
      overallQuality: { passedCount, failedCount },
      dimensionResults: bulkDimensions(evaluation),
    },
  ];
}

function pairOf(entry: unknown, index: number): readonly [string, string] {
  const pointer = `#/filter/${index}`;
  if (!isObject(entry)) throw invalid("A pair must be an object.", pointer);
  const [item, monitor] = ["catalogItemUrn", "dqMonitorUrn"].map((field) => {
    const value = asText(entry[field]);
    if (!isUrn(value)) throw invalid(`${field} is required and must be a URN.`, `${pointer}/${field}`);
    return value;
  });
  return [item ?? "", monitor ?? ""];
}

/** Document 2, "Data-quality results". */
export const resultRoutes = routesOf("data-quality", "/api/data-quality/v1", {
  [`GET ${results}`]: (call) => {
    const run = runOf(call);
    const dqEvaluationState = call.tenant.quirks.evaluationState?.(run) ?? evaluationState(call.tenant, run);
    // Absent when the run did no evaluation.
    const link =
      dqEvaluationState === "SKIPPED" ? {} : { dqEvaluationLink: `${call.baseUrl}/web/runs/${run.urn}` };
    return ok({ workflowUrn: run.urn, dqEvaluationState, ...link });
  },
  [`GET ${results}/dq-evaluation`]: (call) => {
    const attributeUrns = wantedAttributes(call);
    const { run, evaluation } = evaluated(call);
    return ok(showEvaluation(call.tenant, run, evaluation, { attributeUrns, web: `${call.baseUrl}/web` }));
  },
  [`GET ${samples}/headers`]: (call) => {
    const { inputs } = evaluated(call);
    return ok({
      headers: inputs.attributes.map(({ urn, name, dataType, columnType }) => ({
        attributeUrn: urn,
        attributeName: name,
        dataType,
        columnType,
        protection: protectionOf(call.tenant, urn),
      })),
    });
  },
  [`GET ${samples}`]: (call) => {
    const found = evaluated(call);
    const rows = found.evaluation.invalid.slice(0, sampleSize(found.inputs));
    const answer = pageOfArray(call, `samples ${found.run.urn}`, rows, (row) => sample(found, row));
    const { meta, data } = bodyOf(answer.body);
    // meta holds the cursor alone here.
    const next = isObject(meta) ? meta["next"] : undefined;
    return ok({ data: data ?? [], meta: next === undefined ? {} : { next } });
  },
  "QUERY /results/dq-evaluation/bulk": (call) => {
    const { filter } = bodyObject(call);
    if (!isArray(filter)) throw invalid("filter is required and must be an array.", "#/filter");
    if (filter.length > 100)
      throw invalid(`filter must have up to 100 pairs, not ${filter.length}.`, "#/filter");
    const pairs = filter.map(pairOf);
    return ok({ data: pairs.flatMap(([item, monitor]) => bulkEntry(call.tenant, item, monitor)) });
  },
});

function bodyOf(body: unknown): JsonObject {
  return isObject(body) ? body : {};
}

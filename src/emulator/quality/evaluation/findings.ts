import { asText, type JsonObject } from "../../json.ts";
import type { Workflow } from "../../state.ts";
import type { Tenant } from "../../tenant.ts";
import { entriesOf } from "../sub-entities.ts";
import type { Counts, Evaluation } from "./evaluate.ts";
import { evaluationOf } from "./runs.ts";

/** Passed of all, in per cent; nothing evaluated counts as passed. */
function percent({ passedCount, failedCount }: Counts): number {
  const all = passedCount + failedCount;
  return all === 0 ? 100 : (100 * passedCount) / all;
}

function breached(threshold: JsonObject, counts: Counts | undefined): boolean {
  const { value } = threshold;
  return counts !== undefined && typeof value === "number" && percent(counts) < value;
}

/**
 * ACTIVE while the threshold is breached, CLOSED when it was by an earlier run and is no longer (document 2,
 * "Data-quality results"). The number stands in the text alone.
 */
export function findingsOf(
  tenant: Tenant,
  run: Workflow,
  holder: JsonObject,
  map: "overallDqThresholds" | "dqThresholds",
  countsIn: (evaluation: Evaluation) => Counts | undefined,
): JsonObject[] {
  const current = evaluationOf(tenant, run);
  const now = current === undefined ? undefined : countsIn(current);
  return entriesOf(holder, map).flatMap(([key, threshold]) => {
    const isActive = breached(threshold, now);
    const wasActive = earlier(tenant, run).some((evaluation) => breached(threshold, countsIn(evaluation)));
    if (!isActive && !wasActive) return [];
    const shown = now === undefined ? "" : percent(now).toFixed(2);
    return [
      {
        findingUrn: tenant.urnFor("data-quality:dq-finding", key),
        thresholdUrn: asText(threshold["urn"]),
        status: isActive ? "ACTIVE" : "CLOSED",
        summary: `Quality is ${shown} %, the threshold is ${JSON.stringify(threshold["value"])} %.`,
      },
    ];
  });
}

function earlier(tenant: Tenant, run: Workflow): Evaluation[] {
  const runs = tenant.workflows.valuesIn(`subject:${asText(run.subject["dqMonitorUrn"])}`);
  return runs
    .filter(({ startedAt, status }) => status === "FINISHED" && startedAt < run.startedAt)
    .flatMap((other) => evaluationOf(tenant, other) ?? []);
}

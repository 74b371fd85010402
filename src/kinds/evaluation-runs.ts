import type { JsonObject } from "../model/json.ts";
import { child, text } from "../model/json.ts";
import { isUrn } from "../model/urn.ts";
import type { ReadClient } from "../service/index.ts";
import type { ActionKind, ServiceRun, Step } from "./kind.ts";
import { single } from "./shared/single.ts";
import { cancelWorkflow, pollWorkflow, toServiceRun, wentWrong } from "./shared/workflows.ts";

/** Runs of one monitor that are looked at: what was started before these has ended long ago. */
const mostSeen = 100;

const start: Step = single({
  name: "start",
  effect: "starts",
  settle: "by-listing",
  async send(client, { body }) {
    const answer = await client.quality.startEvaluation(itemIn(body), monitorIn(body));
    const handle = handleIn(answer);
    return handle === undefined
      ? { state: "unknown", reason: "the answer to the start names no workflow" }
      : { state: "accepted", handle, waitMs: 0 };
  },
  poll: (client, _item, handle) => pollWorkflow(client, handle),
  ifAbsent: {
    code: "evaluation-not-offered",
    reason: "this service does not offer to start an evaluation (404 to POST .../processings)",
    suggestion: "Run the monitors in the web application of the target, then: ferry parity PLAN",
  },
});

/** An evaluation of a monitor, started by hand (page 04: its path is in none of the documents). */
export const evaluationRuns: ActionKind = {
  name: "evaluation-runs",
  selectedAs: "evaluation-runs",
  mode: "action",
  urnTypes: [],
  anyServes: true,
  start,
  seen: async (client, body) => (await runsOf(client, body)).map(({ urn }) => urn),
  seenSince: async (client, body, before) =>
    (await runsOf(client, body)).filter(({ urn }) => !before.has(urn)),
  cancel: cancelWorkflow,
  wentWrong,
};

async function runsOf(client: ReadClient, body: JsonObject): Promise<readonly ServiceRun[]> {
  const place = { item: itemIn(body), monitor: monitorIn(body) };
  return ((await client.quality.latestRuns(place, mostSeen)) ?? []).flatMap((run) => {
    const urn = text(run, "workflowUrn");
    return urn === undefined ? [] : [toServiceRun(run, urn)];
  });
}

function itemIn(body: JsonObject): string {
  return text(body, "catalogItemUrn") ?? "";
}

function monitorIn(body: JsonObject): string {
  return text(body, "dqMonitorUrn") ?? "";
}

/** `polling.href` is the address of a workflow: its last step is the URN. */
function handleIn(answer: JsonObject): string | undefined {
  const polling = child(answer, "polling");
  const href = polling === undefined ? undefined : text(polling, "href");
  const path = href?.split(/[?#]/u)[0] ?? "";
  try {
    const urn = decodeURIComponent(path.split("/").at(-1) ?? "");
    return isUrn(urn) ? urn : undefined;
  } catch {
    return undefined;
  }
}

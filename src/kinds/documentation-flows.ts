import { z } from "zod";
import type { JsonObject } from "../model/json.ts";
import { text } from "../model/json.ts";
import type { PlanSection } from "../plan/section.ts";
import { duration } from "../plan/values.ts";
import type { Page, ReadClient } from "../service/index.ts";
import type { ActionKind, ServiceRun, Step } from "./kind.ts";
import { single } from "./shared/single.ts";
import { cancelWorkflow, jobsOf, pollWorkflow, toServiceRun, wentWrong } from "./shared/workflows.ts";

/** A flow that a plan asks for, by the target's names or URNs. */
export interface PlannedFlow {
  readonly configuration: string;
  readonly connection: string;
  /** Absent: the whole connection. */
  readonly paths?: readonly string[] | undefined;
  /** `when-changed`: only when the run has written something. */
  readonly run: "always" | "when-changed";
}

export interface PlannedFlows {
  /** Awaited before the target is read. */
  readonly before: readonly PlannedFlow[];
  /** Started when everything is applied. */
  readonly after: readonly PlannedFlow[];
}

declare module "../model/plan.ts" {
  interface Plan {
    readonly flows?: PlannedFlows | undefined;
  }
  interface Limits {
    /** How long a run waits for one workflow of the service. */
    readonly workflowMs: number;
  }
}

const flow = (run: z.ZodType<PlannedFlow["run"]>) =>
  z.strictObject({
    configuration: z.string().min(1).describe("The documentation flow: its name or URN at the target."),
    connection: z.string().min(1).describe("The connection it runs on: its name or URN at the target."),
    paths: z
      .array(z.string().min(1))
      .min(1)
      .optional()
      .describe("The paths it runs on; the whole connection when left out."),
    run,
  });

/** Nothing is written before the first ones that they could follow upon. */
const runsBefore = z.enum(["always"]).default("always").describe("In every run.");
const runsAfter = z
  .enum(["when-changed", "always"])
  .default("when-changed")
  .describe("In every run, or only in one that has written something.");

const flows = z
  .strictObject({
    before: z
      .array(flow(runsBefore))
      .default([])
      .describe(
        "Started and awaited before the target is read: what an import brings can be paired at once.",
      ),
    after: z.array(flow(runsAfter)).default([]).describe("Started when everything is applied."),
  })
  .optional()
  .describe("Documentation flows that apply and sync start at the target.");

const settings = {
  top: { flows: { schema: flows } },
  limits: {
    workflowMs: {
      schema: duration.prefault("2h").describe("How long a run waits for one workflow of the service."),
      written: "workflow",
      after: "attributesWait",
    },
  },
} satisfies PlanSection;

/** Document 2: runs of monitors have this type; those of flows have one that is not documented. */
const monitorRun = "DQ-JOB";

/** States of a run that has not ended (document 2, "Workflow"). */
const statesUnderWay = ["PENDING", "RUNNING"] as const;

const start: Step = single({
  name: "start",
  effect: "starts",
  settle: "by-listing",
  async send(client, { body }) {
    const { known: _known, ...sent } = body;
    const answer = await client.catalog.startDocumentationFlow(sent);
    return { state: "accepted", handle: text(answer, "workflowUrn") ?? "", waitMs: 0 };
  },
  poll: (client, _item, handle) => pollWorkflow(client, handle),
});

/**
 * How a run is called is not documented. One that is called just as another flow is not of this one; any other may be.
 */
async function notOfOthers(
  client: ReadClient,
  { configurationUrn }: JsonObject,
  runs: readonly ServiceRun[],
): Promise<readonly ServiceRun[]> {
  const others = new Set<string>();
  let own: string | undefined;
  for await (const { items } of client.catalog.documentationFlowConfigurations())
    for (const configuration of items) {
      const name = text(configuration, "name") ?? "";
      if (text(configuration, "urn") === configurationUrn) own = name;
      else others.add(name);
    }
  return runs.filter(({ name }) => name === undefined || name === own || !others.has(name));
}

/** Of these the URNs, page by page. */
async function* urnsOf(pages: AsyncIterable<Page>): AsyncGenerator<readonly string[], void, undefined> {
  for await (const { items } of pages) yield items.flatMap((body) => text(body, "urn") ?? []);
}

async function* pagesUnderWay(client: ReadClient): AsyncGenerator<Page, void, undefined> {
  for (const status of statesUnderWay) yield* client.processing.workflows({ status });
}

/** Document 1, "Documentation flows": asynchronous runs on a connection that import, detect terms, profile. */
export const documentationFlows: ActionKind = {
  name: "documentation-flows",
  selectedAs: "documentation-flows",
  mode: "action",
  urnTypes: [],
  settings,
  start,
  async seen(client) {
    const pages: (readonly string[])[] = [];
    // The newest first (document 2): a page of them, whatever they are runs of.
    for await (const newest of urnsOf(client.processing.workflows())) {
      pages.push(newest);
      break;
    }
    // Where nothing has ever run, nothing is under way: whoever asks looks again.
    if (pages.flat().length === 0) return [];
    // `seenSince` asks for these as well, and some of them have begun long before the newest.
    for await (const page of urnsOf(pagesUnderWay(client))) pages.push(page);
    const twice = pages.find((page) => new Set(page).size < page.length);
    return twice ?? [...new Set(pages.flat())];
  },
  async seenSince(client, body, before) {
    const found = new Map<string, ServiceRun>();
    const take = (run: JsonObject): boolean => {
      const urn = text(run, "urn") ?? "";
      if (before.has(urn)) return false;
      if (text(run, "type") !== monitorRun) found.set(urn, toServiceRun(run, urn));
      return true;
    };
    for await (const { items } of client.processing.workflows()) if (items.map(take).includes(false)) break;
    // One that has not begun may have no time to be sorted by.
    for await (const { items } of pagesUnderWay(client)) for (const run of items) take(run);
    return found.size === 0 ? [] : notOfOthers(client, body, [...found.values()]);
  },
  async underWay(client) {
    const found = new Map<string, ServiceRun>();
    for await (const { items } of pagesUnderWay(client))
      for (const run of items) {
        const urn = text(run, "urn") ?? "";
        if (text(run, "type") !== monitorRun) found.set(urn, toServiceRun(run, urn));
      }
    return [...found.values()];
  },
  progress: jobsOf,
  cancel: cancelWorkflow,
  wentWrong,
};

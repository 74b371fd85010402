import { z } from "zod";
import { printOf } from "../../model/canonical.ts";
import type { JsonObject } from "../../model/json.ts";
import { child, isObject, own, text } from "../../model/json.ts";
import type { Policy } from "../../model/plan.ts";
import type { Shape } from "../../model/shape.ts";
import { correlatedKeys } from "../../model/sub-entity.ts";
import type { PlanSection } from "../../plan/section.ts";
import type { ReadClient } from "../../service/index.ts";
import type { DraftWithin, Feed, Found, Remark, Step, StepItem } from "../kind.ts";
import { itemsOf } from "./found.ts";
import { about } from "./batch.ts";
import { single } from "./single.ts";
import { withToldAlone } from "./told-alone.ts";

declare module "../../model/plan.ts" {
  interface Policy {
    readonly schedules: "keep" | "disable";
  }
}

export const monitorSettings = {
  policy: {
    schedules: {
      schema: z
        .enum(["keep", "disable"])
        .default("keep")
        .describe("Schedules of monitors: as at the source, or off until a person turns them on."),
      after: "missingTarget",
    },
  },
} satisfies PlanSection;

/** What primary and other monitors share (document 2, "Data-quality monitor" and "Data-quality monitors"). */
export const monitorShape: Shape = {
  known: [
    "urn",
    "catalogItemUrn",
    "draftType",
    "name",
    "schedule",
    "profilingConfiguration",
    "anomalyDetectionConfiguration",
    "invalidSamplesConfiguration",
    "manualRuleInstances",
    "termRuleInstances",
    "exportDefinitions",
    "joinConfigurations",
    "overallDqThresholds",
  ],
  serverOwned: [
    "/urn",
    "/draftType",
    "/termRuleInstances",
    "/schedule/nextRun",
    "/manualRuleInstances/*/ruleInstanceUrn",
    // Copies of the rule's own names.
    "/manualRuleInstances/*/ruleName",
    "/manualRuleInstances/*/parameterValues/*/ruleParameterName",
  ],
  fixed: ["catalogItemUrn"],
  instants: [["schedule", "startAt"]],
  fixedInSubEntity: ["/manualRuleInstances/*/ruleUrn"],
  labels: [
    "name",
    "ruleInstanceName",
    "ruleAttributeUrn",
    "ruleParameterUrn",
    "connectedCatalogItemUrn",
    "localAttributeUrn",
    "ruleUrn",
    "severity",
  ],
};

/** What a monitor is set up with: "fields returned by retrieve" (document 2), and no word of the list. */
const setUp = monitorShape.known.filter(
  (field) => !["urn", "catalogItemUrn", "draftType", "name"].includes(field),
);

/** One listing holds primary and other monitors; the catalog item tells which is which. */
export const monitorFeed: Feed = {
  name: "dq-monitors",
  pages: (client) =>
    withToldAlone(itemsOf(client.quality.monitors({})), [setUp], (monitor) =>
      client.quality.monitor(text(monitor, "catalogItemUrn") ?? "", text(monitor, "urn") ?? ""),
    ),
};

export const monitorAddress = ["catalogItemUrn"] as const;

export const byCatalogItem = {
  kind: "catalog-items",
  urn: (body: JsonObject): string | undefined => text(body, "catalogItemUrn"),
};

export function isPrimary(
  body: JsonObject,
  given: (kind: string, urn: string) => Found | undefined,
): boolean {
  const item = given("catalog-items", text(body, "catalogItemUrn") ?? "");
  const primary = item === undefined ? undefined : child(item.body, "primaryDqMonitor");
  return primary !== undefined && text(primary, "urn") === text(body, "urn");
}

/**
 * The steps of an update. PATCH opens a draft on the published version or goes on top of an open one; publishing
 * makes it count (document 2, "Monitor draft types", "Update rules" 6).
 */
export function monitorUpdate(address: (item: StepItem) => string): readonly [Step, Step] {
  const item = (stepItem: StepItem): string => text(stepItem.whole, "catalogItemUrn") ?? "";
  const patch = single({
    name: "patch",
    effect: "changes",
    settle: "by-reading",
    send: async (client, stepItem) => {
      const body = await client.quality.patchMonitor(item(stepItem), address(stepItem), stepItem.body);
      return { state: "done", target: about(body, stepItem), keys: correlatedKeys(body), body };
    },
    readBack: async (client, stepItem) =>
      (await client.quality.monitor(item(stepItem), address(stepItem), { version: "DRAFT" })) ??
      (await client.quality.monitor(item(stepItem), address(stepItem))),
  });
  const publish = single({
    name: "publish",
    effect: "releases",
    settle: "repeat",
    send: async (client, stepItem) => {
      const body = await client.quality.publishMonitor(item(stepItem), address(stepItem));
      return { state: "done", target: about(body, stepItem), ...(body === undefined ? {} : { body }) };
    },
    readBack: (client, stepItem) => client.quality.monitor(item(stepItem), address(stepItem)),
  });
  return [patch, publish];
}

/** Not DELETE and not RESURRECT (document 2, "Monitor draft types"). */
export function isChangeDraft(draft: JsonObject): boolean {
  const type = text(draft, "draftType");
  return type !== "DELETE" && type !== "RESURRECT";
}

/** The open draft of a monitor. What the service answers when there is none is not shown: 404 or the published one. */
export async function openDraft(
  client: ReadClient,
  target: Found,
  address: string,
): Promise<JsonObject | undefined> {
  const draft = await client.quality.monitor(text(target.body, "catalogItemUrn") ?? "", address, {
    version: "DRAFT",
  });
  const type = draft === undefined ? undefined : text(draft, "draftType");
  return type === undefined || type === "NONE" ? undefined : draft;
}

/** The same of an item's primary monitor, where it says something else than what is published. */
export async function draftOfPrimary(client: ReadClient, item: string): Promise<DraftWithin | undefined> {
  const primary: Found = { urn: "", name: "", body: { catalogItemUrn: item } };
  const draft = await openDraft(client, primary, "primary");
  if (draft === undefined) return undefined;
  const published = await client.quality.monitor(item, "primary");
  const isNothing =
    published !== undefined &&
    isChangeDraft(draft) &&
    printOf(draft, monitorShape) === printOf(published, monitorShape);
  return isNothing ? undefined : { what: "primary monitor", urn: text(draft, "urn") ?? item };
}

/**
 * `policy.schedules: disable`: monitors do not run until a person turns them on at the target, where the switch stays as it
 * is. A schedule without a switch is not one that somebody turned on: the source's word on it never takes that place.
 */
export function adaptSchedule(tree: JsonObject, policy: Policy, target: JsonObject | undefined): JsonObject {
  const schedule = child(tree, "schedule");
  if (policy.schedules === "keep" || schedule === undefined) return tree;
  return { ...tree, schedule: { ...schedule, enabled: isOn(target) } };
}

function isOn(monitor: JsonObject | undefined): boolean {
  const schedule = monitor === undefined ? undefined : child(monitor, "schedule");
  return schedule !== undefined && own(schedule, "enabled") === true;
}

/** By what is sent, whatever the policy has made of it. */
export function scheduleRemark(
  tree: JsonObject,
  _policy: Policy,
  target: JsonObject | undefined,
): readonly Remark[] {
  const schedule = child(tree, "schedule");
  if (schedule === undefined || !isOn(tree) || isOn(target)) return [];
  return [
    {
      severity: "warning",
      code: "schedule-starts",
      pointer: "/schedule/enabled",
      summary: `its schedule (${text(schedule, "cronExpression") ?? "no expression"}) starts running at the target at once`,
      afterwards: `its schedule (${text(schedule, "cronExpression") ?? "no expression"}) started running at the target`,
      suggestion: "Set policy.schedules to disable if it should wait for a person.",
    },
  ];
}

/** The rules that terms have brought: the instances are the service's own, the links to the terms are people's. */
export function termRules(body: JsonObject): JsonObject {
  const instances = Object.values(child(body, "termRuleInstances") ?? {});
  return {
    rules: instances.flatMap((instance) => (isObject(instance) ? (text(instance, "ruleUrn") ?? []) : [])),
  };
}

/** No rule instance is switched on, neither of people's nor of terms': a run of it is SKIPPED (document 2). */
export function isIdle(body: JsonObject): boolean {
  const instances = ["manualRuleInstances", "termRuleInstances"].flatMap((map) =>
    Object.values(child(body, map) ?? {}),
  );
  return instances.every((instance) => isObject(instance) && own(instance, "enabled") === false);
}

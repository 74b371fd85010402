import { text } from "../model/json.ts";
import type { EntityKind, Step } from "./kind.ts";
import { itemNotShown } from "./checks/item-not-shown.ts";
import { schedulesStart } from "./checks/schedules-start.ts";
import { pairAnswers, pointedInData, withId, withUrn } from "./shared/batch.ts";
import { listed } from "./shared/found.ts";
import {
  adaptSchedule,
  byCatalogItem,
  isChangeDraft,
  isIdle,
  isPrimary,
  monitorAddress,
  monitorFeed,
  monitorSettings,
  monitorShape,
  monitorUpdate,
  openDraft,
  scheduleRemark,
  termRules,
} from "./shared/monitor.ts";
import { deletion } from "./shared/single.ts";

const create: Step = {
  name: "create",
  effect: "creates",
  atMost: 100,
  atomic: false,
  settle: "by-listing",
  async send(client, items) {
    const answer = await client.quality.createMonitors(items.map(withId));
    return pairAnswers(items, answer).map(withUrn);
  },
  blame: pointedInData,
};

const remove = deletion(async (client, item) =>
  client.quality.deleteMonitor(text(item.whole, "catalogItemUrn") ?? "", item.target ?? ""),
);

/** Monitors that people made; an item's primary monitor is a kind of its own. */
export const monitors: EntityKind = {
  name: "monitors",
  selectedAs: "monitors",
  mode: "entity",
  urnTypes: ["data-quality:dq-monitor"],
  settings: monitorSettings,
  shape: monitorShape,
  feed: monitorFeed,
  addressedBy: monitorAddress,
  isChangeDraft,
  classifyBy: byCatalogItem,
  accept: (body, given) => (isPrimary(body, given) ? undefined : listed(body)),
  one: (client, urn, whole) => client.quality.monitor(text(whole, "catalogItemUrn") ?? "", urn),
  refersTo: ["rules", "catalog-items", "attributes"],
  naturalKey: (body) => [text(body, "catalogItemUrn") ?? "", text(body, "name") ?? ""],
  leansOn: termRules,
  adapt: adaptSchedule,
  remarks: scheduleRemark,
  checks: [itemNotShown, schedulesStart],
  evaluated: { item: byCatalogItem.urn, isIdle, called: (body) => text(body, "name") },
  create: [create],
  update: monitorUpdate((item) => item.target ?? ""),
  remove,
  draft: (client, target) => openDraft(client, target, target.urn),
};

import { child, text } from "../model/json.ts";
import type { ReadClient } from "../service/index.ts";
import type { Found, OverlayKind } from "./kind.ts";
import { schedulesStart } from "./checks/schedules-start.ts";
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
import { termLinks } from "./shared/term-links.ts";

function called(item: Pick<Found, "name">): string {
  return `${item.name} (primary)`;
}

/** Items name their primary monitors, which `GET /dq-monitors` need not show (it is not documented). */
async function* elsewhere(
  client: ReadClient,
): AsyncGenerator<{ urn: string; item: string; name: string }, void, undefined> {
  for await (const { items } of client.catalog.catalogItems()) {
    for (const body of items) {
      const [item, primary] = [text(body, "urn"), child(body, "primaryDqMonitor")];
      const urn = primary === undefined ? undefined : text(primary, "urn");
      if (item !== undefined && urn !== undefined) yield { urn, item, name: called(listed(body)) };
    }
  }
}

/**
 * The monitor that every catalog item has: patched and published under the literal `primary`, never created or
 * deleted (document 2, Migration rules 3 and 8).
 */
export const primaryMonitors: OverlayKind = {
  name: "primary-monitors",
  selectedAs: "monitors",
  mode: "overlay",
  urnTypes: ["data-quality:dq-monitor"],
  settings: monitorSettings,
  shape: monitorShape,
  feed: monitorFeed,
  addressedBy: monitorAddress,
  isChangeDraft,
  classifyBy: byCatalogItem,
  accept(body, given) {
    if (!isPrimary(body, given)) return undefined;
    // They are all called the same; the item tells which is which.
    const item = given("catalog-items", text(body, "catalogItemUrn") ?? "");
    const found = listed(body);
    return { ...found, name: item === undefined ? found.name : called(item) };
  },
  refersTo: ["rules", "catalog-items", "attributes"],
  over: { kinds: ["catalog-items"], urn: byCatalogItem.urn },
  locate: (item) => {
    const primary = child(item.body, "primaryDqMonitor");
    return primary === undefined ? undefined : text(primary, "urn");
  },
  called,
  fetch: (client, item) => client.quality.monitor(item.urn, "primary"),
  leansOn: termRules,
  adapt: adaptSchedule,
  remarks: scheduleRemark,
  isLookedInto: (body) => termLinks(body).length > 0,
  checks: [schedulesStart],
  evaluated: { item: byCatalogItem.urn, isIdle, elsewhere },
  update: monitorUpdate(() => "primary"),
  draft: (client, target) => openDraft(client, target, "primary"),
};

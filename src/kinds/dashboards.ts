import type { JsonObject } from "../model/json.ts";
import { text } from "../model/json.ts";
import type { Shape } from "../model/shape.ts";
import type { ByHand, EntityKind } from "./kind.ts";
import { about, withUrn } from "./shared/batch.ts";
import { itemsOf, listed } from "./shared/found.ts";
import { single } from "./shared/single.ts";
import { withToldAlone } from "./shared/told-alone.ts";

const shape: Shape = {
  known: ["urn", "draftType", "name", "description", "dqMonitorUrns"],
  serverOwned: ["/urn", "/draftType"],
};

const create = single({
  name: "create",
  effect: "creates",
  settle: "by-listing",
  send: async (client, item) => {
    const body = await client.quality.createDashboard(item.body);
    const target = text(body, "urn");
    const name = text(body, "name");
    if (name !== undefined && name !== text(item.body, "name"))
      return { state: "unknown", reason: "the answer names another dashboard in its place" };
    return withUrn({ state: "done", ...(target === undefined ? {} : { target }), body });
  },
});

const publish = single({
  name: "publish",
  effect: "releases",
  settle: "repeat",
  send: async (client, item) => {
    const body = await client.quality.publishDashboard(item.target ?? "");
    return { state: "done", target: about(body, item) };
  },
  readBack: (client, item) => client.quality.dashboard(item.target ?? ""),
});

/**
 * That the list holds published versions alone is said of rules and monitors, and not of dashboards; what is published is all that
 * is moved (document 2, "Migration rules" 5), and all that people see.
 */
function notPublished(body: JsonObject, side: "source" | "target"): ByHand | undefined {
  const type = text(body, "draftType") ?? "NONE";
  if (type === "NONE") return undefined;
  return {
    code: "not-published",
    reason: `the ${side} shows a draft of it, and nothing that is published`,
    suggestion:
      side === "source"
        ? "Publish it at the source, and run again; or leave it out with select.exclude."
        : "Publish or discard the draft in the web application of the target, and run again.",
  };
}

/** Dashboards (document 2, "Endpoints used for migration"). Neither PATCH nor DELETE is known (page 04). */
export const dashboards: EntityKind = {
  name: "dashboards",
  selectedAs: "dashboards",
  mode: "entity",
  urnTypes: ["data-quality:dq-dashboard", "data-quality:dashboard"],
  shape,
  feed: {
    name: "dq-dashboards",
    pages: (client) =>
      withToldAlone(itemsOf(client.quality.dashboards()), [["dqMonitorUrns"]], (dashboard) =>
        client.quality.dashboard(text(dashboard, "urn") ?? ""),
      ),
  },
  accept: listed,
  one: (client, urn) => client.quality.dashboard(urn),
  refersTo: ["monitors", "primary-monitors"],
  naturalKey: (body) => [text(body, "name") ?? ""],
  byHand: (body) => notPublished(body, "source"),
  hidden: (body) => notPublished(body, "target"),
  create: [create, publish],
  update: undefined,
  remove: undefined,
  hiddenWhenNew: "an unpublished dashboard draft may be left at the target that no list shows",
};

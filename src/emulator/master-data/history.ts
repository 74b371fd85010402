import { type Answer, ok } from "../http/call.ts";
import type { Call, Place, Route } from "./call.ts";
import { instanceOf, instancePlace, masterOf, masterPlace, onlyParameters, routesOf } from "./call.ts";
import { listed } from "./lists.ts";
import { dateOf } from "./master-data.ts";
import { typesOf } from "./preload.ts";
import { badRequest, wrongUrl } from "./problems.ts";
import { namesOf } from "./reads.ts";
import type { InstanceRow, MasterRow } from "./rows.ts";
import { attributesOf, showVersion } from "./show.ts";

/** Document 3, "History": available only when the server is configured with it, and not there otherwise. */
export const historyRoutes: readonly Route[] = [
  ...routesOf("instance", {
    "GET /history": (call) => {
      const { instance, master } = call.data.historised;
      if (instance.size + master.size === 0) throw wrongUrl("History is not configured.");
      return namesOf(
        call,
        [...new Set([...instance, ...master])].map((name) => ({ name })),
        "history",
      );
    },
    "GET /instance/:entity/history/metadata": (call) => metadata(call, instancePlace(call)),
    "GET /instance/:entity/:id/history": instanceHistory,
    "GET /instance/:entity/:origin/:sourceId/history": instanceHistory,
  }),
  ...routesOf("master", {
    "GET /master/:view/:entity/history/metadata": (call) => metadata(call, masterPlace(call)),
    "GET /master/:view/:entity/:id/history": (call) => {
      const place = masterPlace(call);
      configured(call, place);
      return versions(call, masterOf(call, place), attributesOf(place));
    },
  }),
];

function instanceHistory(call: Call): Answer {
  const place = instancePlace(call);
  configured(call, place);
  return versions(call, instanceOf(call, place));
}

function configured({ data }: Call, { layer, entity }: Place): void {
  if (!data.historised[layer].has(entity)) throw wrongUrl(`History of ${entity} is not configured.`);
}

function metadata(call: Call, place: Place): Answer {
  onlyParameters(call, []);
  configured(call, place);
  const types = typesOf(place);
  const columns = attributesOf(place).map((name) => ({ name, type: types.get(name) ?? "STRING" }));
  return ok({ name: place.entity, columns });
}

/**
 * Newest first. What holds at some moment of the time that is asked for is shown. What `at` means is not documented, but that it
 * limits the result: here what held at that moment, of what else is asked for.
 */
function versions(call: Call, row: InstanceRow | MasterRow, shown?: readonly string[]): Answer {
  onlyParameters(call, ["from", "to", "at"]);
  const at = moment(call.query.get("at"));
  const from = Math.max(moment(call.query.get("from")) ?? -Infinity, at ?? -Infinity);
  const to = Math.min(moment(call.query.get("to")) ?? Infinity, at ?? Infinity);
  const all = row.history ?? [];
  const found = all.flatMap((version, index) => {
    const until = all[index + 1]?.from;
    const isOver = until !== undefined && Date.parse(dateOf(until)) <= from;
    if (isOver || Date.parse(dateOf(version.from)) > to) return [];
    return [showVersion(row, version, until, shown)];
  });
  return ok(listed(call, found.reverse()));
}

function moment(text: string | null): number | undefined {
  if (text === null) return undefined;
  const time = /^\d{4}-\d\d-\d\dT/.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(time)) throw badRequest(`${text} is no ISO 8601 timestamp.`);
  return time;
}

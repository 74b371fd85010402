import { type Answer, ok } from "../http/call.ts";
import type { Call, Route } from "./call.ts";
import {
  emptyBody,
  instanceOf,
  instancePlace,
  masterOf,
  masterPlace,
  onlyParameters,
  routesOf,
} from "./call.ts";
import { badRequest, failed, Refusal } from "./problems.ts";
import type { InstanceRow, MasterRow } from "./rows.ts";
import { isActive } from "./values.ts";
import { changeActivity } from "./write.ts";

/** Undefined takes the override away. */
const changes = { activate: true, deactivate: false, "remove-activity": undefined };

/** Document 3, "Activate and deactivate". */
export const activityRoutes: readonly Route[] = Object.entries(changes).flatMap(([name, activity]) => [
  ...routesOf("instance", {
    [`PUT /instance/:entity/:id/${name}`]: (call) =>
      answer(call, activity, () => instanceOf(call, instancePlace(call))),
  }),
  ...routesOf("master", {
    [`PUT /master/:view/:entity/:id/${name}`]: (call) =>
      answer(call, activity, () => masterOf(call, masterPlace(call))),
  }),
]);

function answer(call: Call, activity: boolean | undefined, find: () => InstanceRow | MasterRow): Answer {
  onlyParameters(call, []);
  emptyBody(call);
  const row = orBadRequest(find);
  if (activity === undefined && row.activity === undefined)
    throw failed(`Record ${row.id} has no activity override.`);
  // Nothing is set over the source's word where the status stays as it is. What is active without an override is not
  // shown: what the source says.
  const isChanged = activity === undefined || isActive(row, call.data) !== activity;
  if (isChanged) changeActivity(call.data, row, activity);
  const [origin, source_id] = "origin" in row ? [row.origin, row.sourceId] : [null, null];
  return ok({ id: row.id, origin, source_id, recordChange: isChanged ? "UPDATE" : "NONE" });
}

/** "Nonexistent view, entity or record (or invalid ids) returns 400" here. */
function orBadRequest<T>(find: () => T): T {
  try {
    return find();
  } catch (error) {
    throw error instanceof Refusal && error.status === 404 ? badRequest(error.message) : error;
  }
}

import { type Answer, ok } from "../http/call.ts";
import { entryOf, isArray, isObject, type Json, type JsonObject } from "../json.ts";
import type { Call, InstancePlace, Place, Route } from "./call.ts";
import {
  bodyObject,
  emptyBody,
  instanceOf,
  instancePlace,
  masterOf,
  masterPlace,
  onlyFields,
  onlyParameters,
  routesOf,
} from "./call.ts";
import { misfit } from "./model.ts";
import { badRequest, wrongUrl } from "./problems.ts";
import type { InstanceRow, MasterRow } from "./rows.ts";
import { masterValues, ownValues } from "./values.ts";
import { dropOverrides, setOverrides } from "./write.ts";

/** "Empty" is what setting and removing return. */
const empty: Answer = { status: 200 };

/** Document 3, "Overrides". Those of masters can be read; how they are set is not shown. */
export const overrideRoutes: readonly Route[] = [
  ...routesOf("instance", {
    "GET /instance/:entity/:id/override": showOfInstance,
    "GET /instance/:entity/:id/override/:attribute": showOfInstance,
    "PUT /instance/:entity/:id/override/:attribute": (call) => {
      const place = instancePlace(call);
      const name = columnIn(call, place);
      const body = bodyObject(call);
      onlyFields(body, ["value"], "The body");
      return set(call, place, [{ attributeName: name, value: body["value"] }]);
    },
    "PUT /instance/:entity/:id/override": (call) => {
      const body = bodyObject(call);
      onlyFields(body, ["overrides"], "The body");
      const list = body["overrides"];
      if (!isArray(list) || list.length === 0) throw badRequest("overrides must be an array of overrides.");
      return set(call, instancePlace(call), list);
    },
    "DELETE /instance/:entity/:id/override/:attribute": (call) => {
      onlyParameters(call, []);
      emptyBody(call);
      const place = instancePlace(call);
      const name = columnIn(call, place);
      dropOverrides(call.data, instanceOf(call, place), [name]);
      return empty;
    },
    "DELETE /instance/:entity/:id/override": (call) => {
      onlyParameters(call, []);
      emptyBody(call);
      dropOverrides(call.data, instanceOf(call, instancePlace(call)));
      return empty;
    },
  }),
  ...routesOf("master", {
    "GET /master/:view/:entity/:id/override": showOfMaster,
    "GET /master/:view/:entity/:id/override/:attribute": showOfMaster,
  }),
];

function showOfInstance(call: Call): Answer {
  onlyParameters(call, []);
  const place = instancePlace(call);
  const row = instanceOf(call, place);
  const below: InstanceRow = { ...row };
  delete below.overrides;
  return ok({
    recordType: "instance",
    entityType: place.entity,
    recordId: row.id,
    overrides: listOf(call, place, row, ownValues(call.data, below)),
  });
}

function showOfMaster(call: Call): Answer {
  onlyParameters(call, []);
  const place = masterPlace(call);
  const row = masterOf(call, place);
  const below: MasterRow = { ...row };
  delete below.overrides;
  return ok({
    recordType: "master",
    entityType: place.entity,
    recordId: row.id,
    overrides: listOf(call, place, row, masterValues(call.data, below)),
    viewName: place.view,
  });
}

/** The value is the one from before the override. */
function listOf(call: Call, place: Place, row: InstanceRow | MasterRow, below: JsonObject): Json[] {
  const wanted = call.params["attribute"] === undefined ? undefined : columnIn(call, place);
  return Object.keys(row.overrides ?? {})
    .filter((name) => wanted === undefined || name === wanted)
    .map((attributeName) => ({ attributeName, value: entryOf(below, attributeName) ?? null }));
}

function columnsOf(place: Place): readonly { readonly name: string }[] {
  return place.layer === "instance" ? [...place.model.columns, ...place.model.computed] : place.model.columns;
}

function columnIn({ params }: Call, place: Place): string {
  const { attribute = "" } = params;
  if (!columnsOf(place).some(({ name }) => name === attribute))
    throw wrongUrl(`There is no column ${attribute}.`);
  return attribute;
}

function set(
  call: Call,
  place: InstancePlace,
  list: readonly (Json | { attributeName: string; value: Json | undefined })[],
): Answer {
  onlyParameters(call, []);
  const row = instanceOf(call, place);
  const values: JsonObject = {};
  for (const entry of list) {
    if (!isObject(entry)) throw badRequest("An override has attributeName and value.");
    onlyFields(entry, ["attributeName", "value"], "An override");
    const { attributeName, value } = entry;
    const columns = [...place.model.columns, ...place.model.computed];
    const column = columns.find(({ name }) => name === attributeName);
    if (column === undefined || value === undefined)
      throw badRequest(`An override needs a column and a value: ${JSON.stringify(entry)}.`);
    const why = misfit(column, value);
    if (why !== undefined) throw badRequest(why);
    values[column.name] = value;
  }
  setOverrides(call.data, row, values);
  return empty;
}

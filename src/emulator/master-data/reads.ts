import { type Answer, ok } from "../http/call.ts";
import { isArray, isNumber, type Json, type JsonObject } from "../json.ts";
import type { Call, Place, Route } from "./call.ts";
import {
  bodyObject,
  instanceOf,
  instancePlace,
  masterOf,
  masterPlace,
  onlyParameters,
  routesOf,
} from "./call.ts";
import { listRecords, searchRecords } from "./lists.ts";
import type { MasterData } from "./master-data.ts";
import { rolesOf } from "./model.ts";
import { badRequest, wrongUrl } from "./problems.ts";
import { attributesOf, showInstance, showMaster } from "./show.ts";
import { typesOf } from "./preload.ts";

/** Document 3, "Read" and search. */
export const readRoutes: readonly Route[] = [
  ...routesOf("instance", {
    "GET /instance": (call) => namesOf(call, call.data.model.entities, "instance"),
    "GET /instance/:entity": (call) => listRecords(call, instancePlace(call)),
    "GET /instance/:entity/metadata": (call) => metadataOf(call, instancePlace(call)),
    "READ /instance/:entity/search": (call) => search(call, instancePlace(call)),
  }),
  ...routesOf("master", {
    "GET /master": (call) => namesOf(call, call.data.model.views, "master"),
    "GET /master/:view": (call) => {
      const { view = "" } = call.params;
      const found = call.data.model.views.find(({ name }) => name === view);
      if (found === undefined) throw wrongUrl(`There is no master view ${view}.`);
      return namesOf(call, found.entities, `master/${view}`);
    },
    "GET /master/:view/:entity": (call) => listRecords(call, masterPlace(call)),
    "GET /master/:view/:entity/metadata": (call) => metadataOf(call, masterPlace(call)),
    "READ /master/:view/:entity/search": (call) => search(call, masterPlace(call)),
  }),
];

/** After all others: anything may be an id. */
export const recordRoutes: readonly Route[] = [
  ...routesOf("instance", {
    "GET /instance/:entity/:id": oneInstance,
    "GET /instance/:entity/:origin/:sourceId": oneInstance,
  }),
  ...routesOf("master", {
    "GET /master/:view/:entity/:id": oneMaster,
    "GET /master/:view/:entity/:origin/:sourceId": oneMaster,
  }),
];

function oneInstance(call: Call): Answer {
  onlyParameters(call, []);
  return ok(showInstance(call.data, instanceOf(call, instancePlace(call))));
}

function oneMaster(call: Call): Answer {
  onlyParameters(call, []);
  const place = masterPlace(call);
  return ok(showMaster(call.data, masterOf(call, place), attributesOf(place)));
}

function search(call: Call, place: Place): Answer {
  onlyParameters(call, ["offset", "count"]);
  const wanted = Object.entries(bodyObject(call)).map(([name, value]) => {
    const values = isArray(value) ? value : [value];
    const isWanted = (one: Json): boolean => one !== null && (typeof one !== "object" || isNumber(one));
    if (values.length === 0 || !values.every(isWanted))
      throw badRequest(`${name} must have a value, or an array of values.`);
    if (values.some((one) => typeof one === "string" && one.includes(",")))
      throw badRequest(`A value with a comma cannot be used in a request: ${name}.`);
    return [name, values] as const;
  });
  if (wanted.length === 0) throw badRequest("At least one attribute must be named.");
  return searchRecords(call, place, wanted);
}

/** The shape of lists of entities and views is not shown. */
export function namesOf(call: Call, things: readonly { readonly name: string }[], path: string): Answer {
  onlyParameters(call, []);
  const { data, baseUrl } = call;
  const names = things.map(({ name }) => name);
  switch (data.quirks.names) {
    case "texts":
      return ok(names);
    case "other":
      return ok({ _links: Object.fromEntries(names.map((name) => [name, { href: `/${path}/${name}` }])) });
    default:
      return ok(names.map((name) => ({ name, uri: `${baseUrl}/api/rest/${path}/${name}` })));
  }
}

/** Columns, relationships, ways to access a record: the shape is not shown. */
function metadataOf(call: Call, place: Place): Answer {
  onlyParameters(call, []);
  const { data } = call;
  const { metadata } = data.quirks;
  if (metadata === "absent") throw wrongUrl("There is nothing at this address.");
  const types = typesOf(place);
  const columns = attributesOf(place).map((name): JsonObject => ({
    name,
    type: types.get(name) ?? "STRING",
  }));
  if (metadata === "other") return ok({ entity: { attributes: columns } });
  return ok({
    name: place.entity,
    columns,
    relationships: relationshipsOf(data, place),
    access: accessOf(place),
  });
}

function relationshipsOf(data: MasterData, place: Place): JsonObject[] {
  const roles = rolesOf(data.model, place.entity);
  const reachable =
    place.layer === "instance"
      ? roles
      : [
          ...roles.filter(({ entity }) => data.masterModel(place.view, entity) !== undefined),
          ...(data.entityModel(place.entity) === undefined
            ? []
            : [{ name: "instances", entity: place.entity }]),
        ];
  return reachable.map(({ name, entity }) => ({ name, entity }));
}

function accessOf(place: Place): Json[] {
  const base =
    place.layer === "instance" ? `/instance/${place.entity}` : `/master/${place.view}/${place.entity}`;
  return [`${base}/{id}`, `${base}/{origin}/{sourceId}`];
}

import { isObject, type Json, type JsonObject } from "../json.ts";
import type { Place } from "./call.ts";
import { parseConditions, type Test } from "./conditions.ts";
import type { MasterData } from "./master-data.ts";
import { rolesOf } from "./model.ts";
import { badRequest } from "./problems.ts";
import type { InstanceRow, MasterRow } from "./rows.ts";
import { attributesOf, showRow } from "./show.ts";
import { instanceValue, masterValue, membersOf, systemColumns } from "./values.ts";

type AnyRow = InstanceRow | MasterRow;

/** One relationship to load from records of a place, and what to load from there. */
interface Step {
  readonly name: string;
  readonly place: Place;
  readonly follow: (row: AnyRow) => AnyRow[];
  test: Test | undefined;
  readonly next: Step[];
}

/** Loads relationships into what a record shows; where they stand is not shown: under `relationships`, by name. */
export type Preload = (row: AnyRow, shown: JsonObject) => JsonObject;

/** Names, paths such as `addresses.instances`, and either with filters in parentheses. */
export function preloadOf(data: MasterData, place: Place, text: string | null): Preload {
  const steps: Step[] = [];
  for (const part of text === null ? [] : partsOf(text)) addPath(data, place, steps, part);
  return (row, shown) => load(data, steps, row, shown);
}

/** Commas outside parentheses separate. */
function partsOf(text: string): string[] {
  const parts = text.match(/[^,()]+(?:\([^()]*\))?/g) ?? [];
  if (parts.join(",") !== text) throw badRequest(`preload=${text} cannot be read.`);
  return parts;
}

function addPath(data: MasterData, from: Place, steps: Step[], part: string): void {
  const [, path = "", filter] = /^([^()]+)(?:\(([^()]*)\))?$/.exec(part.trim()) ?? [];
  let place = from;
  let level = steps;
  let last: Step | undefined;
  for (const name of path.split(".")) {
    last = level.find((step) => step.name === name);
    if (last === undefined) {
      last = stepOf(data, place, name);
      level.push(last);
    }
    ({ place, next: level } = last);
  }
  if (last === undefined || filter === undefined) return;
  const types = typesOf(place);
  last.test = parseConditions(filter, (column) => types.get(column));
}

function stepOf(data: MasterData, place: Place, name: string): Step {
  const found = place.layer === "instance" ? fromInstance(data, place, name) : fromMaster(data, place, name);
  if (found === undefined) throw badRequest(`${place.entity} has no relationship ${name}.`);
  return { ...found, name, test: undefined, next: [] };
}

type Way = Pick<Step, "place" | "follow">;

function fromInstance(
  data: MasterData,
  { entity }: Extract<Place, { layer: "instance" }>,
  name: string,
): Way | undefined {
  const role = rolesOf(data.model, entity).find((one) => one.name === name);
  const model = data.entityModel(role?.entity ?? "");
  const table = data.instances(role?.entity ?? "");
  if (role === undefined || model === undefined || table === undefined) return undefined;
  return {
    place: { layer: "instance", entity: role.entity, model, table },
    follow: (row) =>
      ("origin" in row ? related(row, role.relationship.name, role.leadsUp) : []).flatMap(
        (id) => table.get(id) ?? [],
      ),
  };
}

/** `instances` leads to what a master was merged from. */
function fromMaster(
  data: MasterData,
  { view, entity }: Extract<Place, { layer: "master" }>,
  name: string,
): Way | undefined {
  if (name === "instances") {
    const model = data.entityModel(entity);
    const table = data.instances(entity);
    if (model === undefined || table === undefined) return undefined;
    const place: Place = { layer: "instance", entity, model, table };
    return { place, follow: (row) => ("members" in row ? membersOf(data, row) : []) };
  }
  const role = rolesOf(data.model, entity).find((one) => one.name === name);
  const model = data.masterModel(view, role?.entity ?? "");
  const table = data.masters(role?.entity ?? "");
  if (role === undefined || model === undefined || table === undefined) return undefined;
  const instances = data.instances(role.entity);
  return {
    place: { layer: "master", view, entity: role.entity, model, table },
    follow: (row) => {
      if (!("members" in row)) return [];
      const ids = membersOf(data, row)
        .flatMap((member) => related(member, role.relationship.name, role.leadsUp))
        .flatMap((id) => instances?.get(id)?.masterId ?? []);
      return [...new Set([...ids, ...related(row, role.relationship.name, role.leadsUp)])].flatMap(
        (id) => table.get(id) ?? [],
      );
    },
  };
}

function related(row: AnyRow, relationship: string, leadsUp: boolean): readonly number[] {
  if (leadsUp) {
    const parent = row.parents?.get(relationship);
    return parent === undefined ? [] : [parent];
  }
  return row.children?.get(relationship) ?? [];
}

function load(data: MasterData, steps: readonly Step[], row: AnyRow, shown: JsonObject): JsonObject {
  if (steps.length === 0) return shown;
  const relationships: JsonObject = isObject(shown["relationships"]) ? shown["relationships"] : {};
  for (const step of steps) {
    const rows = step.follow(row).filter((one) => step.test === undefined || step.test(valueOf(data, one)));
    relationships[step.name] = rows.map((one) => load(data, step.next, one, showRow(data, step.place, one)));
  }
  return { ...shown, relationships };
}

export function valueOf(data: MasterData, row: AnyRow): (column: string) => Json | undefined {
  return (column) => ("origin" in row ? instanceValue(data, row, column) : masterValue(data, row, column));
}

/** Columns that records of a place can be filtered and sorted by, with their types. */
export function typesOf(place: Place): ReadonlyMap<string, string> {
  const { model, layer } = place;
  const named: [string, string][] = attributesOf(place).map((name) => [name, "STRING"]);
  const own = layer === "instance" ? [...place.model.columns, ...place.model.computed] : model.columns;
  return new Map([
    ...named,
    ...own.map(({ name, type }): [string, string] => [name, type]),
    ...systemColumns[layer].map((name): [string, string] => [name, "SYSTEM"]),
  ]);
}

import { memberField, without } from "../../model/fields.ts";
import type { ExactNumber, Json, JsonObject } from "../../model/json.ts";
import { child, fromEntries, isExact, own, text } from "../../model/json.ts";
import { markedUrn } from "../../model/translate.ts";
import { isUrn } from "../../model/urn.ts";
import type { Misfit, ModelTypes } from "../kind.ts";
import type { Model, PropertyDefinition, TypeDefinition } from "./model.ts";
import { isEmbedded, isListed } from "./model.ts";
import { holdingIn } from "./parent-property.ts";

/** Where something is to stand: the metadata model there, and what it may refer to. */
export interface Place {
  readonly model: Model;
  readonly types: ModelTypes;
}

/** The same of an entity, with what a person says of the property of its parent: `parentType/type` to that. */
export interface EntityPlace extends Place {
  readonly parentProperties: Readonly<Record<string, string>>;
}

/** What of an entity the model of the environment where it is to stand has no place for. */
export function misfitsOf(body: JsonObject, place: EntityPlace): readonly Misfit[] {
  const name = text(body, "concreteType") ?? "";
  const type = place.model.get(name);
  if (type === undefined) return [withoutType(name)];
  if (!type.editable)
    return [
      { about: `the type ${name}`, reason: `there the service makes things of the type ${name} itself` },
    ];
  return [...parentMisfits(body, type, place), ...valueMisfits(body, "properties", type, place)];
}

/**
 * The property of its parent holds no such children. Where the model names none that does, it may say nothing of them, and a
 * person's word counts.
 */
function parentMisfits(body: JsonObject, type: TypeDefinition, place: EntityPlace): readonly Misfit[] {
  const [parentUrn, property] = [text(body, "parentUrn"), text(body, "parentProperty")];
  if (property === undefined || property.startsWith("?")) return [];
  if (parentUrn === undefined) return rootMisfits(property, type, place);
  const parent = place.model.get(place.types.exact(parentUrn) ?? "");
  if (parent === undefined) return [];
  const holding = holdingIn(parent, type);
  const isSaid = own(place.parentProperties, `${parent.name}/${type.name}`) === property;
  if (holding.includes(property) || (holding.length === 0 && isSaid)) return [];
  const about = `the property ${property} of ${parent.name}`;
  const why = whyHoldsNone(parent.properties.get(property), place);
  if (why === undefined) return [];
  const reason =
    why === ""
      ? `its metadata model has no property ${property} of ${parent.name} to hold it`
      : `there ${about} ${why}`;
  const suggestion = `Correct pairing.parentProperties in the plan: "${parent.name}/${type.name}": ${holding.join(" or ")}`;
  return [{ about, reason, ...(holding.length === 0 ? {} : { suggestion }) }];
}

/** Empty where there is no such property; of one that holds children nobody knows of what it is the service's to judge. */
function whyHoldsNone(property: PropertyDefinition | undefined, { model }: Place): string | undefined {
  if (property === undefined) return "";
  if (!isEmbedded(property)) return "holds no children";
  return model.has(property.of) ? `holds things of the type ${property.of}` : undefined;
}

/** Nothing of the type stands at the root of that model. Where that says nothing of any place, it is the service's to judge. */
function rootMisfits(
  property: string,
  type: TypeDefinition,
  { model, parentProperties }: EntityPlace,
): readonly Misfit[] {
  const paths = [type, ...type.supers.flatMap((name) => model.get(name) ?? [])].flatMap(
    ({ nodePaths }) => nodePaths,
  );
  const isThere = paths.length === 0 || paths.some((path) => path.replace(/^\//, "") === property);
  if (isThere || own(parentProperties, `/${type.name}`) === property) return [];
  const about = `the place ${property} of ${type.name} at the root`;
  return [{ about, reason: `its metadata model has no ${property} at its root to hold a ${type.name}` }];
}

/** Nothing of the type can stand there. */
export function withoutType(name: string): Misfit {
  return { about: `the type ${name}`, reason: `its metadata model has no type ${name}` };
}

/**
 * The same of the extra properties of something that is known as more than an entity. Where the model does not name its type at
 * all (`type` is what that is called) no property of it can be asked for, so none is written: what it says beside them has an
 * interface of its own, and travels.
 */
export function extraMisfits(
  body: JsonObject,
  type: TypeDefinition | string,
  place: Place,
): readonly Misfit[] {
  const field = "extraProperties";
  if (typeof type !== "string") return valueMisfits(body, field, type, place);
  const said = Object.entries(child(body, field) ?? {}).filter(([, value]) => value !== null);
  return said.map(([name]) => ({
    about: `the property ${name} of ${type}`,
    place: [field, name],
    reason: `its metadata model has no type ${type}`,
  }));
}

function valueMisfits(
  body: JsonObject,
  field: string,
  type: TypeDefinition,
  place: Place,
): readonly Misfit[] {
  return Object.entries(child(body, field) ?? {}).flatMap(([name, value]): Misfit[] => {
    if (value === null) return [];
    const about = `the property ${name} of ${type.name}`;
    const why = whyUnfit(type.properties.get(name), value, place);
    return why === undefined
      ? []
      : [
          {
            about,
            place: [field, name],
            reason:
              why === ""
                ? `its metadata model has no property ${name} of ${type.name}`
                : `there ${about} ${why}`,
          },
        ];
  });
}

/** Empty where there is no such property. */
function whyUnfit(property: PropertyDefinition | undefined, value: Json, place: Place): string | undefined {
  if (property === undefined) return "";
  if (!property.editable) return "is read-only";
  if (isEmbedded(property)) return "holds children and no value";
  const isList = Array.isArray(value);
  const wantsList = isListed(property);
  if (isList !== wantsList) return `is ${wantsList ? "a list" : "one value"}`;
  const said: readonly Json[] = isList ? value : [value];
  if (property.type.endsWith("_REFERENCE")) {
    if (!said.every(isReference)) return "refers to something";
    const [stranger] = said.flatMap((one) => strangerTo(property.of, one, place) ?? []);
    return stranger === undefined ? undefined : `refers to the type ${property.of}, and not to ${stranger}`;
  }
  if (said.some(isReference)) return `is of the type ${property.of}, and no reference`;
  return said.every((one) => fits(property.of, one)) ? undefined : `is of the type ${property.of}`;
}

/** What a reference leads to, where that is not of the type; what nobody can tell is the service's to judge. */
function strangerTo(wanted: string, value: string, { model, types }: Place): string | undefined {
  if (!model.has(wanted)) return undefined;
  const is = (type: string): boolean => type === wanted || model.get(type)?.supers.includes(wanted) === true;
  const general = types.general(value);
  if (general !== undefined && is(general)) return undefined;
  const exact = types.exact(value);
  if (exact !== undefined && model.has(exact)) return is(exact) ? undefined : exact;
  const isKnown = general !== undefined && model.has(general);
  return isKnown && model.get(wanted)?.supers.includes(general) !== true ? general : undefined;
}

/** Also to what is still to be created. */
function isReference(value: Json): value is string {
  return typeof value === "string" && isUrn(markedUrn(value) ?? value);
}

function fits(scalarType: string, value: Json): boolean {
  const wanted = scalarType.replace("[]", "").toLowerCase();
  const isNumber = typeof value === "number" || isExact(value);
  if (wanted === "boolean") return typeof value === "boolean";
  if (["integer", "int", "long"].includes(wanted)) return isNumber && isWhole(value);
  if (["double", "float", "number", "decimal"].includes(wanted)) return isNumber;
  // How a time is written no document says: as a text, or as the number of its milliseconds.
  if (["date", "datetime"].includes(wanted)) return isNumber || typeof value === "string";
  return typeof value === "string" || !["string", "text"].includes(wanted);
}

/** Numbers travel as they were written. */
function isWhole(value: number | ExactNumber): boolean {
  return Number.isInteger(typeof value === "number" ? value : Number(value.rawJSON));
}

/** As the plan says: what has no place is left out, and the rest travels. What the target has there is its own. */
export function withoutMisfits(
  tree: JsonObject,
  misfits: readonly Misfit[],
  target: JsonObject | undefined,
): JsonObject {
  const places = misfits.flatMap(({ place }) => (place === undefined ? [] : [place]));
  const rest = without(
    tree,
    places.map((place) => memberField(...place)),
  );
  const kept = places.flatMap(([field, name]) => {
    const there = own(child(target ?? {}, field) ?? {}, name);
    return there === undefined ? [] : [{ field, name, there }];
  });
  const filled = [...new Set(kept.map(({ field }) => field))].map((field): [string, Json] => {
    const mine = kept.filter((one) => one.field === field).map(({ name, there }) => [name, there] as const);
    return [field, fromEntries([...Object.entries(child(rest, field) ?? {}), ...mine])];
  });
  return filled.length === 0 ? rest : { ...rest, ...fromEntries(filled) };
}

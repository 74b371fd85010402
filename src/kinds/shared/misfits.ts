import { memberField, without } from "../../model/fields.ts";
import type { JsonObject } from "../../model/json.ts";
import { child, text } from "../../model/json.ts";
import type { Misfit } from "../kind.ts";
import type { Model } from "./model.ts";
import { isEmbedded } from "./model.ts";

/** What of an entity the model of the environment where it is to stand has no place for. */
export function misfitsOf(body: JsonObject, model: Model): readonly Misfit[] {
  const name = text(body, "concreteType") ?? "";
  const type = model.get(name);
  if (type === undefined)
    return [{ about: `the type ${name}`, reason: `its metadata model has no type ${name}` }];
  if (!type.editable)
    return [
      { about: `the type ${name}`, reason: `there the service makes things of the type ${name} itself` },
    ];
  const values = child(body, "properties") ?? {};
  return Object.entries(values).flatMap(([field, value]): Misfit[] => {
    if (value === null) return [];
    const about = `the property ${field} of ${name}`;
    const place = ["properties", field] as const;
    const property = type.properties.get(field);
    if (property === undefined)
      return [{ about, place, reason: `its metadata model has no property ${field} of ${name}` }];
    if (!property.editable) return [{ about, place, reason: `there ${about} is read-only` }];
    if (isEmbedded(property)) return [{ about, place, reason: `there ${about} holds children and no value` }];
    const isList = Array.isArray(value);
    const wantsList = property.type.startsWith("ARRAY_") || property.of.endsWith("[]");
    if (isList !== wantsList)
      return [{ about, place, reason: `there ${about} is ${wantsList ? "a list" : "one value"}` }];
    const said = scalarOf(isList ? value[0] : value);
    return property.type !== "SCALAR" || value === undefined || said === undefined || fits(property.of, said)
      ? []
      : [{ about, place, reason: `there ${about} is of the type ${property.of}` }];
  });
}

function scalarOf(value: unknown): "string" | "number" | "boolean" | undefined {
  if (typeof value === "string" || typeof value === "boolean") return typeof value as "string" | "boolean";
  // Numbers travel as they were written.
  return value === undefined || value === null ? undefined : "number";
}

function fits(scalarType: string, said: "string" | "number" | "boolean"): boolean {
  const wanted = scalarType.replace("[]", "").toLowerCase();
  if (wanted === "boolean") return said === "boolean";
  if (["integer", "int", "long", "double", "float", "number", "decimal"].includes(wanted))
    return said === "number";
  return said === "string" || !["string", "text", "date", "datetime"].includes(wanted);
}

/** As the plan says: what has no place is left out, and the rest travels. */
export function withoutMisfits(tree: JsonObject, misfits: readonly Misfit[]): JsonObject {
  const fields = misfits.flatMap(({ place }) => (place === undefined ? [] : [memberField(...place)]));
  return without(tree, fields);
}

import type { ReadClient } from "../../service/index.ts";
import type { Misfit } from "../kind.ts";
import type { Model, PropertyDefinition, TypeDefinition } from "./model.ts";
import { isEmbedded, isListed, modelOf, typesOf } from "./model.ts";

/**
 * What the target's metadata model lacks of these types and those that extend them, whether anything has a value in it
 * or not: before the first object is read. Throws what the clients throw.
 */
export async function modelGaps(
  source: ReadClient,
  target: ReadClient,
  names: readonly string[],
): Promise<readonly Misfit[]> {
  const [from, to] = await Promise.all([modelOf(source), modelOf(target)]);
  const types = new Set(names.flatMap((name) => typesOf(from, name)));
  return [...types].flatMap((type) => gapsOf(type, to));
}

function gapsOf(type: TypeDefinition, to: Model): readonly Misfit[] {
  const there = to.get(type.name);
  const about = `the type ${type.name}`;
  if (there === undefined) return [{ about, reason: `its metadata model has no type ${type.name}` }];
  if (type.editable && !there.editable)
    return [{ about, reason: `there the service makes things of the type ${type.name} itself` }];
  return [...type.properties.values()].flatMap((property): Misfit[] => {
    if (!property.editable || isEmbedded(property)) return [];
    const what = `the property ${property.name} of ${type.name}`;
    const why = otherwise(property, there.properties.get(property.name), to);
    return why === undefined ? [] : [{ about: what, reason: `there ${what} ${why}` }];
  });
}

function otherwise(
  here: PropertyDefinition,
  there: PropertyDefinition | undefined,
  to: Model,
): string | undefined {
  if (there === undefined) return "is missing";
  if (!there.editable) return "is read-only";
  if (isListed(here) !== isListed(there)) return `is ${isListed(there) ? "a list" : "one value"}`;
  // It takes more there than it holds here.
  if (here.type === there.type && to.get(here.of)?.supers.includes(there.of) === true) return undefined;
  if (here.type !== there.type || here.of !== there.of)
    return `is of the type ${there.of}, and not ${here.of}`;
  return undefined;
}

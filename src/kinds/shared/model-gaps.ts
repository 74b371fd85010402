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
  return [...typesIn(from, names)].flatMap((type) => gapsOf(type, to));
}

/** The same, and what they stand in. */
export async function modelAndPlaceGaps(
  source: ReadClient,
  target: ReadClient,
  names: readonly string[],
): Promise<readonly Misfit[]> {
  const [from, to] = await Promise.all([modelOf(source), modelOf(target)]);
  const types = typesIn(from, names);
  return [...[...types].flatMap((type) => gapsOf(type, to)), ...placeGaps(types, from, to)];
}

function typesIn(model: Model, names: readonly string[]): ReadonlySet<TypeDefinition> {
  return new Set(names.flatMap((name) => typesOf(model, name)));
}

/** Properties in which things of these types stand, whatever they are properties of, and that hold none of them there. */
function placeGaps(types: ReadonlySet<TypeDefinition>, from: Model, to: Model): readonly Misfit[] {
  const held = new Set([...types].flatMap(({ name, supers }) => [name, ...supers]));
  return [...from.values()].flatMap((parent) => {
    const there = to.get(parent.name);
    if (there === undefined) return [];
    return [...parent.properties.values()].flatMap((property): Misfit[] => {
      // What a type has from the one that it extends is told of that.
      const isInherited = parent.supers.some(
        (name) => from.get(name)?.properties.has(property.name) === true,
      );
      if (!isEmbedded(property) || !held.has(property.of) || isInherited) return [];
      const about = `the property ${property.name} of ${parent.name}`;
      const suggestion = "What stands in it is blocked. Add it to the metadata model there.";
      const twin = there.properties.get(property.name);
      if (twin === undefined) return [{ about, reason: `there ${about} is missing`, suggestion }];
      return isEmbedded(twin) ? [] : [{ about, reason: `there ${about} holds no children`, suggestion }];
    });
  });
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

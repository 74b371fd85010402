import type { JsonObject } from "../../model/json.ts";
import { text } from "../../model/json.ts";
import type { ByHand, TypeOf } from "../kind.ts";
import type { Model, TypeDefinition } from "./model.ts";
import { isEmbedded } from "./model.ts";

/** What the property of a parent is worked out by: the environment's model, and the plan's words. */
interface Known {
  readonly model: Model;
  /** `parentType/type` to the property. */
  readonly parentProperties: Readonly<Record<string, string>>;
}

/** The property of a parent that holds a child; a word that is never sent where that is not clear (`notClear`). */
export function parentProperty(
  model: Model,
  type: TypeDefinition,
  parentType: string,
  said: Readonly<Record<string, string>>,
): string {
  const found = fittingProperties(model, type, parentType, said);
  const [first] = found;
  return found.length === 1 && first !== undefined ? first : `?${parentType}/${type.name}?${found.join("|")}`;
}

/** What a person is told where it is not clear. */
export function notClear(property: string): ByHand | undefined {
  if (!property.startsWith("?")) return undefined;
  const [, word = "", names = ""] = property.split("?");
  const fitting = names.split("|").filter((name) => name !== "");
  return {
    action: "blocked",
    code: "parent-property",
    reason:
      fitting.length === 0
        ? "the metadata model names no property of its parent that could hold it"
        : `the metadata model leaves several properties of its parent that could hold it: ${fitting.join(", ")}`,
    suggestion: `Say which one it is under pairing.parentProperties in the plan: "${word}": ${fitting[0] ?? "<property>"}`,
  };
}

/**
 * The properties of a parent that may hold a child, best first; one when there is no doubt. The plan's word counts
 * first, then the embedding properties of the parent's type whose type is the child's or one that it extends, then the
 * end of the child's own node path ("/sources/folders": folders), then the only one that is not read-only.
 */
function fittingProperties(
  model: Model,
  type: TypeDefinition,
  parentType: string,
  said: Readonly<Record<string, string>>,
): readonly string[] {
  const word = `${parentType}/${type.name}`;
  const chosen = Object.hasOwn(said, word) ? said[word] : undefined;
  if (chosen !== undefined) return [chosen];
  const ends = endsOf(type, parentType === "");
  const parent = model.get(parentType);
  if (parent === undefined) return ends;
  const names = holdingIn(parent, type);
  if (names.length <= 1) return names.length === 1 ? names : ends.filter((end) => parent.properties.has(end));
  const both = names.filter((name) => ends.includes(name));
  if (both.length === 1) return both;
  // A read-only property is one that the service computes or delegates: what is created stands in another one.
  const written = names.filter((name) => parent.properties.get(name)?.editable === true);
  return written.length === 1 ? written : names;
}

/** In which property it stands no request tells: of what stands there already it is not asked again. */
export function whereItStands(tree: JsonObject, target: JsonObject | undefined): JsonObject {
  const there = text(target ?? {}, "parentProperty");
  return there === undefined || there === text(tree, "parentProperty")
    ? tree
    : { ...tree, parentProperty: there };
}

/** An entity with whatever the property of its parent may have been by another plan, or another model. */
export function asKnownBefore(
  body: JsonObject,
  typeOf: TypeOf,
  { model, parentProperties }: Known,
): readonly JsonObject[] {
  const type = model.get(text(body, "concreteType") ?? "");
  if (type === undefined) return [];
  const parentUrn = text(body, "parentUrn");
  const parentType = parentUrn === undefined ? "" : typeOf(parentUrn);
  const parents = parentType === undefined ? holdersOf(type, { model, parentProperties }) : [parentType];
  const names = new Set(
    parents.flatMap((name) => {
      const parent = model.get(name);
      return [
        parentProperty(model, type, name, parentProperties),
        parentProperty(model, type, name, {}),
        ...(parent === undefined ? [] : holdingIn(parent, type)),
        ...endsOf(type, name === ""),
      ];
    }),
  );
  return [...names].map((property) => ({ ...body, parentProperty: property }));
}

/** The types that may be the parent of one, where nothing shows which it is: the plan does not select it. */
function holdersOf(type: TypeDefinition, { model, parentProperties }: Known): readonly string[] {
  return [...model.values()].flatMap((parent) =>
    holdingIn(parent, type).length > 0 || Object.hasOwn(parentProperties, `${parent.name}/${type.name}`)
      ? [parent.name]
      : [],
  );
}

/** Properties of a type that hold children of another one, as the model names them. */
export function holdingIn(parent: TypeDefinition, type: TypeDefinition): readonly string[] {
  const line = new Set([type.name, ...type.supers]);
  return [...parent.properties.values()]
    .filter((property) => isEmbedded(property) && line.has(property.of))
    .map(({ name }) => name);
}

/** Where an entity stands, if that is a property of its parent that holds one child only. */
export function onlyRoom(body: JsonObject, typeOf: TypeOf, known: Known): string | undefined {
  const { model } = known;
  const parent = text(body, "parentUrn") ?? "";
  const name = text(body, "parentProperty") ?? "";
  const parentType = typeOf(parent);
  const type = model.get(text(body, "concreteType") ?? "");
  const types = parentType === undefined && type !== undefined ? holdersOf(type, known) : [parentType ?? ""];
  const held = types.flatMap((one) => model.get(one)?.properties.get(name) ?? []);
  const isOnly = held.length > 0 && held.every((property) => property.type === "SINGLE_EMBEDDED");
  return isOnly ? `${parent} ${name}` : undefined;
}

/** Under the root a path has one segment, and below a parent more. */
function endsOf({ nodePaths }: TypeDefinition, isAtRoot: boolean): readonly string[] {
  const paths = nodePaths.map((path) => path.split("/").filter((segment) => segment !== ""));
  const fitting = paths.filter(({ length }) => (length === 1) === isAtRoot);
  const ends = (fitting.length > 0 ? fitting : paths).map((segments) => segments.at(-1) ?? "");
  return [...new Set(ends)].filter((end) => end !== "");
}

import type { Model, TypeDefinition } from "./model.ts";
import { isEmbedded } from "./model.ts";

/**
 * The properties of a parent that may hold a child, best first; one when there is no doubt. The plan's word counts
 * first, then the embedding properties of the parent's type whose type is the child's or one that it extends, then the
 * end of the child's own node path ("/sources/folders": folders).
 */
export function parentProperty(
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
  return both.length === 1 ? both : names;
}

/** Properties of a type that hold children of another one, as the model names them. */
export function holdingIn(parent: TypeDefinition, type: TypeDefinition): readonly string[] {
  const line = new Set([type.name, ...type.supers]);
  return [...parent.properties.values()]
    .filter((property) => isEmbedded(property) && line.has(property.of))
    .map(({ name }) => name);
}

/** The property of its parent in which something stands, where that holds one child only; undefined where it holds more. */
export function onlyRoom(
  model: Model,
  parentType: string | undefined,
  property: string | undefined,
): string | undefined {
  const held = model.get(parentType ?? "")?.properties.get(property ?? "");
  return held?.type === "SINGLE_EMBEDDED" ? held.name : undefined;
}

/** Under the root a path has one segment, and below a parent more. */
function endsOf({ nodePaths }: TypeDefinition, isAtRoot: boolean): readonly string[] {
  const paths = nodePaths.map((path) => path.split("/").filter((segment) => segment !== ""));
  const fitting = paths.filter(({ length }) => (length === 1) === isAtRoot);
  const ends = (fitting.length > 0 ? fitting : paths).map((segments) => segments.at(-1) ?? "");
  return [...new Set(ends)].filter((end) => end !== "");
}

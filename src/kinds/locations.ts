import type { JsonObject } from "../model/json.ts";
import { child, text, textsIn } from "../model/json.ts";
import type { ReadClient } from "../service/index.ts";
import type { Found, GivenKind, NotKnown } from "./kind.ts";
import { toFound } from "./shared/found.ts";
import { listOrNotKnown } from "./shared/not-known.ts";
import { placeTraits } from "./shared/place-traits.ts";
import { wholeList } from "./shared/whole-list.ts";

/**
 * Databases and schemas that a metadata import has made (document 1, "Folder": "unlike locations, which are created by
 * metadata import"), paired by (source, path) after the plan's renames. They have no list of their own and a type in the
 * metadata model; the whole list is read, since a location is known by what it stands in.
 */
export const locations: GivenKind = {
  name: "locations",
  selectedAs: "locations",
  mode: "given",
  urnTypes: ["catalog:location"],
  modelType: "location",
  after: ["sources"],
  madeInPlace: true,
  ...wholeList(list, (found, urns) => found.filter(({ urn }) => urns.has(urn))),
  // The nearest of what it stands in that is paired decides where it is looked for: a person may have paired a database.
  sourceKeys({ body }, context) {
    const place = pathOf(body);
    const above = aboveOf(body);
    const depth = above.findIndex((urn) => context.twin(urn) !== undefined);
    const twin = depth < 0 ? undefined : context.twin(above[depth] ?? "");
    if (twin === undefined) return [];
    // What the plan says is called otherwise there is not taken for what has the old path.
    const below = place.slice(place.length - depth - 1).map((part) => context.rename(part));
    return [key(twin, below)];
  },
  targetKeys({ body }) {
    const place = pathOf(body);
    return aboveOf(body).map((urn, depth) => key(urn, place.slice(place.length - depth - 1)));
  },
  traits({ body }, words) {
    const place = pathOf(body);
    return placeTraits(aboveOf(body).at(-1), place, [place.map((part) => words.rename(part))], words);
  },
  partOf: (record) => aboveOf(record.body).at(-1),
  advice:
    "Import the location at the target, or pair it: add a rename under pairing.paths, its source under pairing.sources, or run `ferry mappings PLAN set <source urn> <target urn>`.",
};

async function list(client: ReadClient): Promise<readonly Found[] | NotKnown> {
  const answer = await listOrNotKnown(
    client.catalog.entities({ entityType: "location", properties: ["name"] }),
    "documented",
  );
  return "notKnown" in answer ? answer : placed(answer);
}

/** Each with its path from the source on, and with all that it stands in, the closest first and the source last. */
function placed(entities: readonly JsonObject[]): readonly Found[] {
  const byUrn = new Map(entities.map((entity) => [text(entity, "urn") ?? "", entity]));
  return entities.map((entity) => {
    const path: string[] = [];
    const above: string[] = [];
    const passed = new Set<JsonObject>();
    for (let at: JsonObject | undefined = entity; at !== undefined && !passed.has(at);) {
      passed.add(at); // A circle cannot be, and would not end.
      path.unshift(text(child(at, "properties") ?? {}, "name") ?? "");
      const parent = text(at, "parentUrn");
      if (parent !== undefined) above.push(parent);
      at = byUrn.get(parent ?? "");
    }
    const { urn } = toFound(entity);
    return { urn, name: path.at(-1) ?? "", body: { urn, path, above } };
  });
}

function pathOf(body: JsonObject): readonly string[] {
  return textsIn(body, "path");
}

function aboveOf(body: JsonObject): readonly string[] {
  return textsIn(body, "above");
}

function key(source: string, path: readonly string[]): string {
  return JSON.stringify([source, ...path]);
}

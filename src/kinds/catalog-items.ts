import { z } from "zod";
import type { JsonObject } from "../model/json.ts";
import { child, isArray, isObject, own, text } from "../model/json.ts";
import type { PlanSection } from "../plan/section.ts";
import { rename } from "../plan/values.ts";
import type { ReadClient } from "../service/index.ts";
import type { Found, GivenKind, PairingContext } from "./kind.ts";
import { all, chunks, itemsOf, toFound } from "./shared/found.ts";
import { isPlacedInFolder } from "./shared/in-folder.ts";
import { placeTraits } from "./shared/place-traits.ts";

declare module "../model/plan.ts" {
  interface Pairing {
    /** Renames of paths and names, in the order in which they are tried. */
    readonly paths: readonly { readonly pattern: string; readonly replace: string }[];
  }
}

const settings = {
  pairing: {
    paths: {
      schema: z.array(rename).default([]).describe("Renames of catalog paths and names, applied in order."),
    },
  },
} satisfies PlanSection;

/**
 * Tables, files and SQL items, paired by (source, path, name) after the plan's renames. They are looked up by a
 * filter of up to a hundred values at a time: the few that are referred to, never the whole catalog.
 */
export const catalogItems: GivenKind = {
  name: "catalog-items",
  selectedAs: "catalog-items",
  mode: "given",
  urnTypes: ["catalog:catalog-item"],
  modelType: "catalogItem",
  settings,
  after: ["sources"],
  madeInPlace: true,
  read: (client, urns) => lookUp(client, "urn", urns),
  async *all(client) {
    const everything = client.catalog.filterCatalogItems({ name: { isNotNull: true } }, {});
    for await (const page of itemsOf(everything)) yield page.map(toFound);
  },
  candidates: (client, records, context) => lookUp(client, "name", namesOf(records, context)),
  foresee({ client, rename, stop }) {
    const names = new Set<string>();
    const waiting: string[] = [];
    let begun: Promise<readonly Found[]>[] = [];
    return {
      read: (other, urns) => lookUp(other, "urn", urns),
      async candidates(other, records, context) {
        const [asked, left] = [begun, new Set(waiting.splice(0))];
        begun = [];
        const rest = [...namesOf(records, context)].filter(
          (name) => asked.length === 0 || left.has(name) || !names.has(name),
        );
        const found = await Promise.all([...asked, lookUp(other, "name", rest)]);
        return found.flat();
      },
      certain({ records }) {
        for (const name of namesOf(records, { rename })) {
          if (names.has(name)) continue;
          names.add(name);
          waiting.push(name);
        }
        // Full requests only: what is left over goes with what comes later.
        while (waiting.length >= atOnce && !stop.aborted) {
          const asked = lookUp(client, "name", waiting.splice(0, atOnce));
          asked.catch(() => undefined); // Thrown to whoever asks for the candidates.
          begun.push(asked);
        }
      },
    };
  },
  sourceKeys(record, context) {
    const source = sourceUrn(record.body);
    const twin = source === undefined ? undefined : context.twin(source);
    const names = namesThere(record, context);
    // A known source must match; an unknown one (its list is not documented) leaves path and name to decide.
    return placesThere(record, context).flatMap((place) =>
      names.map((name) => key(record, twin ?? "*", place, name)),
    );
  },
  targetKeys: (record) => [
    key(record, sourceUrn(record.body) ?? "*", path(record.body), record.name),
    key(record, "*", path(record.body), record.name),
  ],
  // Path and name alone do not lead into a source that is known to be another one.
  isElsewhere(record, { body }, context) {
    const [source, there] = [sourceUrn(record.body), sourceUrn(body)];
    if (source === undefined || there === undefined || context.twin(source) !== undefined) return false;
    return context.isOther?.(source, there) === true;
  },
  sort,
  traits(record, words) {
    const fits = namesThere(record, words);
    return [
      ...placeTraits(sourceUrn(record.body), path(record.body), placesThere(record, words), words),
      { label: "name", value: record.name, fits, under: "paths" },
    ];
  },
  askedByName: true,
  partOf: (record) => sourceUrn(record.body),
  advice:
    "Import the item at the target, or pair it: add a rename under pairing.paths, its source under pairing.sources, or run `ferry mappings PLAN set <source urn> <target urn>`.",
};

/** Values of one filter. */
const atOnce = 100;

function namesOf(
  records: readonly Found[],
  words: { readonly rename: (text: string) => string },
): Set<string> {
  return new Set(records.flatMap(({ name }) => [name, words.rename(name)]));
}

async function lookUp(
  client: ReadClient,
  field: "urn" | "name",
  values: Iterable<string>,
): Promise<readonly Found[]> {
  const reads = chunks(values, atOnce).map(async (chunk) =>
    all(client.catalog.filterCatalogItems({ [field]: { in: chunk } }, {})),
  );
  return (await Promise.all(reads)).flat().map(toFound);
}

function sourceUrn(body: JsonObject): string | undefined {
  const source = child(body, "source");
  return source === undefined ? undefined : text(source, "urn");
}

/** originPath for imported items, the names of the folders for SQL items (closest first, as the service orders them). */
function path(body: JsonObject): readonly string[] {
  const origin = text(body, "originPath");
  if (origin !== undefined && origin !== "") return [origin];
  return ["folders", "locations"].flatMap((field) => {
    const parts = own(body, field);
    return isArray(parts) ? parts.map((part) => (isObject(part) ? (text(part, "name") ?? "") : "")) : [];
  });
}

type Words = Pick<PairingContext, "rename">;

/**
 * What the plan says is called otherwise there is not taken for what has the old path: that is a copy of it, or left behind. The path of an
 * SQL item are its folders, which are moved under the names that they have.
 */
function placesThere({ body }: Found, { rename }: Words): readonly (readonly string[])[] {
  const place = path(body);
  const renamed = place.map((part) => rename(part));
  return isPlacedInFolder(body) ? [renamed, place] : [renamed];
}

/** The same of its name, unless the path, as the plan has it, says that name: a rule for the one may fit the other by chance. */
function namesThere({ name, body }: Found, { rename }: Words): readonly string[] {
  const isSaid = path(body).some((part) => rename(part).split("/").at(-1) === name);
  return [...new Set([rename(name), ...(isPlacedInFolder(body) || isSaid ? [name] : [])])];
}

/** The query of an SQL item is people's, and it can be deleted; of an imported one neither is true. */
function sort({ body }: Found): string {
  return isPlacedInFolder(body) ? "SQL item" : "imported item";
}

/** The folder of an SQL item may be called as the path of an imported one is. */
function key(record: Found, source: string, place: readonly string[], name: string): string {
  return JSON.stringify([sort(record), source, ...place, name]);
}

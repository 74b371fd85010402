import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Json, JsonObject, Tenant } from "../../src/emulator/index.ts";
import { isObject } from "../../src/emulator/json.ts";
import { demoPairing, demoQueries } from "../../src/emulator/scenarios/index.ts";
import type { Urn } from "../../src/model/urn.ts";
import { type Api, at, catalog, signIn } from "../emulator/support.ts";
import { catalogMeaningOf, compareMeanings, meaningOf, type Meaning } from "../support/meaning.ts";
import { disturbed, leaves } from "../support/meaning/disturb.ts";
import { comparedFields, documented, type Resource } from "../support/meaning/documented.ts";
import { noRenames } from "../support/meaning/given.ts";
import { catalogKinds } from "../support/plan.ts";
import { world, type World } from "../support/world.ts";
import { run } from "./support.ts";

/**
 * That the comparison by meaning leaves out no field that document 1 names, and no property that the model does: of
 * each the demo has a value, and another value at the target is seen.
 */
const select = {
  kinds: catalogKinds,
  entityTypes: ["dataProduct", "dataContract", "outputPort", "qualityIssue", "issueComment"],
};

/** A part of a row at the target that can be put otherwise. */
interface Place {
  readonly value: Json;
  readonly put: (value: Json) => void;
}

let demo: World;
let source: Tenant;
let target: Tenant;
let meant: readonly [Meaning, Meaning];

beforeAll(async () => {
  demo = await world("demo");
  [source, target] = [demo.emulator.tenant("dev"), demo.emulator.tenant("prod")];
  await run(demo, { select });
  const terms = meaningOf(source, demoPairing);
  const isTerm = ({ label }: { readonly label: string }): boolean => label.startsWith("term ");
  meant = [
    { ...terms, things: terms.things.filter(isTerm) },
    catalogMeaningOf(source, demoPairing, demoQueries),
  ];
  expect(noticed()).toEqual(itsOwn);
});
afterAll(async () => demo.close());

/** An alias of which the source says nothing stays at the target. */
const itsOwn = [expect.stringContaining("GL_ENTRY differs: /0/aliases")];

function noticed(): readonly string[] {
  const [terms, rest] = meant;
  return [
    ...compareMeanings(terms, meaningOf(target, noRenames)),
    ...compareMeanings(rest, catalogMeaningOf(target, noRenames, [])),
  ].filter((line) => !line.endsWith("is at the target only"));
}

/** The fields of a row, as the state of the emulated service has them. */
function fieldsOf<T extends { readonly urn: string }>(
  rows: Iterable<T>,
  field: keyof T & string,
  put: (row: T, value: Json) => void,
): Place[] {
  return [...rows].flatMap((row) => {
    const value = row[field] as Json | undefined;
    return value === undefined || leaves(value).length === 0
      ? []
      : [{ value, put: (other: Json) => put(row, other) }];
  });
}

/** What the target has of itself nobody compares. */
const others = /Finance reports|Month-end close|weather service|GL_ENTRY|LEDGER|Driven, not planned/;

function stewardsOf(isOne: (urn: Urn) => boolean): Place[] {
  const groups = new Set(target.stewards.values());
  return [...target.stewards].flatMap(([urn, group]) => {
    const isOther = others.test(JSON.stringify(target.entities.get(urn) ?? ""));
    if (!isOne(urn) || isOther || target.items.get(urn)?.name === "driver") return [];
    const another = [...groups].find((other) => other !== group) ?? group;
    return [
      {
        value: group,
        put: (value: Json) => void target.stewards.set(urn, value === group ? group : another),
      },
    ];
  });
}

const isSql = (urn: Urn): boolean => target.folders.has(target.items.get(urn)?.parentUrn ?? urn);
const queries = (): Place[] => fieldsOf(target.entities.valuesIn("type:dslQuery"), "properties", putEntity);
const putEntity = (row: { readonly urn: Urn }, properties: Json): void => {
  const entity = target.entities.get(row.urn);
  if (entity !== undefined && isObject(properties)) target.entities.put({ ...entity, properties });
};

/** Where the values of a documented field stand at the target. */
function placesOf(resource: Resource, field: string): Place[] {
  const { terms, attributes, items, folders, entities } = target;
  switch (resource) {
    case "Term": {
      if (field === "effectiveStewardship") return stewardsOf((urn) => terms.has(urn));
      return [...terms.values()].flatMap((row) => {
        const value = row.published?.[field];
        if (row.published === undefined || value === undefined || leaves(value).length === 0) return [];
        const { published } = row;
        return [
          { value, put: (other) => void terms.put({ ...row, published: { ...published, [field]: other } }) },
        ];
      });
    }
    case "Attribute":
      return fieldsOf(
        attributes.values(),
        field as "description",
        (row, value) => void attributes.put({ ...row, [field]: value }),
      );
    case "CatalogItem":
    case "SqlItem": {
      if (field === "effectiveStewardship") return stewardsOf((urn) => items.has(urn));
      if (field === "query") return queries();
      const name = field === "folderUrn" ? "parentUrn" : field;
      const rows = [...items.values()].filter(({ urn }) => isSql(urn) === (resource === "SqlItem"));
      return fieldsOf(rows, name as "description", (row, value) => void items.put({ ...row, [name]: value }));
    }
    case "Folder":
      return fieldsOf(folders.values(), field, (row, value) => void folders.put({ ...row, [field]: value }));
    case "Entity": {
      if (field === "effectiveStewardship") return stewardsOf((urn) => entities.has(urn));
      const rows = [...entities.values()].filter(({ concreteType }) => isEntity(concreteType));
      return fieldsOf(
        rows,
        field as "parentProperty",
        (row, value) => void entities.put({ ...row, [field]: value }),
      );
    }
  }
}

function isEntity(type: string): boolean {
  return select.entityTypes.some((name) => target.model.isA(type, name));
}

/** Whether another value at some place is seen; whatever was there stands there again. */
function isSeen({ value, put }: Place): boolean {
  const [first = []] = leaves(value);
  const { whole } = disturbed({ whole: value }, ["whole", ...first], "change");
  put(whole ?? null);
  const isNoticed = noticed().length > itsOwn.length;
  put(value);
  return isNoticed;
}

const isTheirs = ({ value }: Place): boolean => others.test(JSON.stringify(value));

test.each(comparedFields())("%s.%s is in the demo, and another value of it is seen", (resource, field) => {
  const places = placesOf(resource, field).filter((place) => !isTheirs(place));
  expect(places.length).toBeGreaterThan(0);
  expect(places.slice(0, 12).some(isSeen)).toBe(true);
});

describe("properties that the metadata model names", () => {
  const bearers = ["term", "catalogItem", "attribute", "folder", ...select.entityTypes];
  /** Fields of their own, which the table above has. */
  const plain = new Set(["name", "description"]);

  function valuesOf(type: string, name: string): Place[] {
    const { terms, items, attributes, folders, entities, model } = target;
    const found: Place[] = [];
    const look = (values: JsonObject, put: (values: JsonObject) => void): void => {
      const value = values[name];
      if (value !== undefined && leaves(value).length > 0)
        found.push({ value, put: (other) => put({ ...values, [name]: other }) });
    };
    for (const row of terms.values()) {
      const { published } = row;
      if (published !== undefined && model.isA(published.type, type))
        look(published.extraProperties, (extraProperties) => {
          terms.put({ ...row, published: { ...published, extraProperties } });
        });
    }
    for (const row of items.values())
      if (model.isA(row.type, type))
        look(row.extraProperties, (extraProperties) => void items.put({ ...row, extraProperties }));
    if (type === "attribute")
      for (const row of attributes.values())
        look(row.extraProperties, (extraProperties) => void attributes.put({ ...row, extraProperties }));
    if (type === "folder")
      for (const row of folders.values())
        look(row.extraProperties, (extraProperties) => void folders.put({ ...row, extraProperties }));
    for (const row of entities.values())
      if (isEntity(row.concreteType) && model.isA(row.concreteType, type))
        look(row.properties, (properties) => putEntity(row, properties));
    return found;
  }

  test("of each that can be written the demo has a value, and another one is seen", () => {
    const unseen: string[] = [];
    let count = 0;
    for (const { name: type, properties } of target.model.all()) {
      if (!bearers.some((bearer) => target.model.isA(type, bearer))) continue;
      for (const { name, editable, type: sort } of properties) {
        if (!editable || sort.endsWith("_EMBEDDED") || (plain.has(name) && !isEntity(type))) continue;
        count += 1;
        const places = valuesOf(type, name).filter((place) => !isTheirs(place));
        if (!places.slice(0, 12).some(isSeen)) unseen.push(`${type}.${name}: ${places.length} values`);
      }
    }
    expect(unseen).toEqual([]);
    expect(count).toBeGreaterThan(50);
  });
});

describe("the service shows no field that the table does not name", () => {
  let api: Api;
  beforeAll(async () => {
    api = await signIn(demo.emulator);
  });

  const names = (type: string): string =>
    [...new Set(source.model.all().filter(({ name }) => source.model.isA(name, type)))]
      .flatMap(({ name }) => source.model.properties(name))
      .filter(({ type: sort }) => !sort.endsWith("_EMBEDDED"))
      .map(({ name }) => name)
      .filter((name, index, all) => all.indexOf(name) === index)
      .join();
  const both = "include=effectiveCriticality,effectiveStewardship";
  const rows: readonly (readonly [Resource, () => string])[] = [
    ["Term", () => `/terms?${both}&extraProperties=owner`],
    ["Attribute", () => "/attributes?include=effectiveCriticality&extraProperties=sensitive"],
    ["CatalogItem", () => `/catalog-items?${both}&extraProperties=personalData`],
    ["Folder", () => "/folders?extraProperties=costCentre"],
    [
      "Entity",
      () =>
        `/entities?entityType=dataProduct&include=effectiveStewardship&properties=${names("dataProduct")}`,
    ],
  ];

  test.each(rows)("%s", async (resource, path) => {
    const shown = new Set<string>();
    let after = "";
    do {
      const { status, body } = await api.get(`${catalog}${path()}&size=100${after}`);
      expect(status).toBe(200);
      for (const one of at(body, "data") as readonly JsonObject[])
        for (const field of Object.keys(one)) shown.add(field);
      const next = at(body, "meta.next");
      after = typeof next === "string" ? `&after=${encodeURIComponent(next)}` : "";
    } while (after !== "");
    expect(shown.size).toBeGreaterThan(4);
    expect([...shown].filter((field) => !Object.hasOwn(documented[resource], field))).toEqual([]);
  });
});

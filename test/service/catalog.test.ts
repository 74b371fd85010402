import { describe, expect, onTestFinished, test } from "vitest";
import type { Emulator } from "../../src/emulator/index.ts";
import { startEmulator } from "../../src/emulator/index.ts";
import { scenario } from "../../src/emulator/scenarios/index.ts";
import type { JsonObject } from "../../src/model/json.ts";
import { child, text } from "../../src/model/json.ts";
import type { Page, WriteClient } from "../../src/service/index.ts";
import { openWriteClient } from "../../src/service/index.ts";
import { collect, serviceError, setup } from "./support.ts";

/** The demo's source over real HTTP: what the client can do with the rest of the catalog, method by method. */
async function demo(): Promise<{ readonly emulator: Emulator; readonly client: WriteClient }> {
  const emulator = await startEmulator();
  onTestFinished(() => emulator.close());
  scenario("demo")?.prepare(emulator);
  const client = openWriteClient(
    {
      name: "dev",
      baseUrl: emulator.baseUrl("dev"),
      realm: "dev",
      clientId: "dev-client",
      clientSecret: "dev-secret",
    },
    setup().options,
  );
  onTestFinished(async () => client.close());
  return { emulator, client };
}

async function all(pages: AsyncIterable<Page>): Promise<readonly JsonObject[]> {
  return (await collect(pages)).flatMap(({ items }) => items);
}

function urnOf(body: JsonObject | undefined): string {
  return text(body ?? {}, "urn") ?? "";
}

async function named(client: WriteClient, entityType: string, name: string): Promise<JsonObject | undefined> {
  const entities = await all(client.catalog.entities({ entityType, properties: ["name"] }));
  return entities.find((entity) => text(child(entity, "properties") ?? {}, "name") === name);
}

describe("the rest of the catalog, as the client sees it", () => {
  test("folders: listed without a parent, made, changed, gone", async () => {
    const { client } = await demo();
    const folders = await all(client.catalog.folders({ extraProperties: ["costCentre"] }));
    expect(folders.map((folder) => text(folder, "name"))).toEqual([
      "Analytics",
      "Customer",
      "Campaigns",
      "Operations",
      "Täglich",
    ]);
    expect(folders[0]).toMatchObject({ extraProperties: { costCentre: "4711" } });
    const parentUrn = urnOf(folders[0]);
    const made = await client.catalog.createFolder({ name: "New", parentUrn, newField: { kept: [1] } });
    expect(made).toMatchObject({ name: "New", parentUrn, newField: { kept: [1] } });
    await client.catalog.patchFolder(urnOf(made), { extraProperties: { archived: true } });
    const read = await client.catalog.folder(urnOf(made), { extraProperties: ["archived"] });
    expect(read).toMatchObject({ newField: { kept: [1] }, extraProperties: { archived: true } });
    expect(await client.catalog.deleteFolder(urnOf(made))).toBe("deleted");
    expect(await client.catalog.folder(urnOf(made))).toBeUndefined();
  });

  test("SQL items: all queries in one list; attributes are looked for until they are there", async () => {
    const { emulator, client } = await demo();
    const queries = await all(client.catalog.entities({ entityType: "dslQuery", properties: ["query"] }));
    expect(queries).toHaveLength(2);
    const item = await client.catalog.catalogItem(text(queries[1] ?? {}, "parentUrn") ?? "");
    const properties = child(queries[1] ?? {}, "properties") ?? {};
    const [folder] = (item?.["folders"] ?? []) as readonly JsonObject[];
    emulator.tenant("dev").quirks.queryAttributes = { afterReads: 1 };
    const made = await client.catalog.createCatalogItem({
      type: "dslQueryCatalogItem",
      name: "Again",
      query: text(properties, "query") ?? "",
      connectionUrn: urnOf(child(item ?? {}, "connection")),
      folderUrn: urnOf(folder),
    });
    const attributes = async (): Promise<readonly JsonObject[]> =>
      all(client.catalog.attributes({ catalogItemUrn: urnOf(made) }));
    expect(await attributes()).toEqual([]);
    expect(await attributes()).toHaveLength(5);
    await client.catalog.patchCatalogItem(urnOf(made), { aliases: [{ type: "X_ASSET_ID", value: "1" }] });
    const inFolder = await all(client.catalog.catalogItems({ parentUrn: urnOf(folder) }));
    expect(inFolder.map((each) => text(each, "name"))).toEqual(["Deliveries per day", "Again"]);
    expect(inFolder[1]).toMatchObject({ aliases: [{ type: "X_ASSET_ID", value: "1" }] });
    expect(await client.catalog.deleteCatalogItem(urnOf(made))).toBe("deleted");
    expect(await all(client.catalog.catalogItems())).toHaveLength(42);
    emulator.tenant("dev").quirks.allQueries = "refused";
    const refused = await serviceError(all(client.catalog.entities({ entityType: "dslQuery" })));
    expect(refused).toMatchObject({ kind: "refused" });
  });

  test("entities: one by one and in batches, of which those that create and patch are atomic", async () => {
    const { client } = await demo();
    const product = await named(client, "dataProduct", "Customer 360");
    const parentUrn = urnOf(product);
    const port = { concreteType: "outputPort", parentUrn, parentProperty: "ports" };
    const made = await client.catalog.createEntity({ ...port, properties: { name: "One" } });
    expect(made).toMatchObject({ parentUrn, rootSuperType: "outputPort", properties: { name: "One" } });
    expect(await client.catalog.patchEntity(urnOf(made), { name: "Two", format: null })).toMatchObject({
      properties: { name: "Two", format: null },
    });
    const { results } = await client.catalog.createEntities([
      { id: "good", ...port, properties: { name: "Three" } },
      { id: "bad", ...port, properties: { colour: "red" } },
    ]);
    expect(results.map(({ id, status }) => [id, status === "OK"])).toEqual([
      ["good", false],
      ["bad", false],
    ]);
    expect(results[1]?.error?.errors?.[0]?.pointer).toBe("#/data/1/properties/colour");
    expect(await client.catalog.deleteEntity(urnOf(made))).toBe("deleted");
    expect(await client.catalog.deleteEntity(urnOf(made))).toBe("absent");
    const deleted = await client.catalog.deleteEntities([{ urn: urnOf(made) }]);
    expect(deleted.results).toMatchObject([{ status: "RESOURCE_NOT_FOUND" }]);
  });

  test("stewardship: read where it is asked for, set in a batch, and perhaps not offered at all", async () => {
    const { emulator, client } = await demo();
    const include = ["effectiveStewardship"];
    const group = urnOf(await named(client, "group", "Supply domain"));
    const product = await named(client, "dataProduct", "Customer 360");
    const entityUrn = urnOf(product);
    const ports = await all(
      client.catalog.entities({ entityType: "outputPort", parentUrn: entityUrn, include }),
    );
    expect(ports[0]).toMatchObject({ effectiveStewardship: { originUrn: entityUrn } });
    const change = { id: "a", entityUrn, groupUrn: group, previousStewardAccessLevel: "viewMetadata" };
    const { results } = await client.catalog.manageStewardship([change]);
    expect(results).toMatchObject([{ id: "a", status: "OK", data: { entityUrn } }]);
    expect(await client.catalog.entity(entityUrn, { include })).toMatchObject({
      effectiveStewardship: { groupUrn: group, originUrn: entityUrn },
    });
    emulator.tenant("dev").quirks.absent = ["/api/catalog/v1/stewardship"];
    const refused = await serviceError(client.catalog.manageStewardship([change]));
    expect(refused).toMatchObject({ kind: "not-found", arrived: "no" });
  });

  test("attributes: description, extra properties by name, and the denylist", async () => {
    const { client } = await demo();
    const [term] = await all(client.catalog.terms());
    const [attribute] = await all(client.catalog.attributes());
    const attributeUrn = urnOf(attribute);
    await client.catalog.patchAttribute(attributeUrn, {
      description: "New",
      extraProperties: { sensitive: false, derivedFrom: [attributeUrn] },
    });
    const { results } = await client.catalog.addToDenylist([{ attributeUrn, termUrns: [urnOf(term)] }]);
    expect(results).toMatchObject([{ status: "OK" }]);
    const wanted = { extraProperties: ["sensitive", "derivedFrom", "maxAgeDays"] };
    expect(await client.catalog.attribute(attributeUrn, wanted)).toMatchObject({
      description: "New",
      termDetectionDenylist: [{ termUrn: urnOf(term) }],
      extraProperties: { sensitive: false, derivedFrom: [attributeUrn], maxAgeDays: null },
    });
  });
});

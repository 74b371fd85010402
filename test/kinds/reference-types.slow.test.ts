import { describe, expect, test } from "vitest";
import { changeMetadataProperty, seedMetadataProperty } from "../../src/emulator/seed.ts";
import { setMappings } from "../../src/operations/mappings.ts";
import { seedFolder, seedTerm } from "../diff/support/content.ts";
import { editTerm } from "../diff/support/web.ts";
import { editEntity, editItem, seedProduct, seedSqlItem } from "./support/catalog.ts";
import { changeOf, fresh, type Place } from "./support/place.ts";

const plan = {
  select: {
    kinds: ["terms", "folders", "sql-items", "entities", "item-metadata"],
    entityTypes: ["dataProduct"],
  },
};
const dropping = { ...plan, policy: { missingProperty: "drop" } } as const;

/** The property refers to something else at the target than at the source. */
function elsewhere({ target }: Place, type: string, name: string, entityName: string): void {
  changeMetadataProperty(target.tenant, type, name, { entityName });
}

interface Found {
  readonly at: Place;
  /** What has the reference. */
  readonly concerned: string;
  readonly reason: string;
}

const cases: Readonly<Record<string, () => Promise<Found>>> = {
  async "an entity to a given thing, where the target wants a term"() {
    const at = await fresh();
    const concerned = seedProduct(at.source, "Sales", { mainItem: at.source.item("CUSTOMER") });
    elsewhere(at, "dataProduct", "mainItem", "term");
    return {
      at,
      concerned,
      reason: "the property mainItem of dataProduct refers to the type term, and not to catalogItem",
    };
  },
  async "an entity to a term that is created in this run, where the target wants another type of term"() {
    const at = await fresh();
    const domain = seedTerm(at.source, "Domain");
    const concerned = seedProduct(at.source, "Sales", { domain });
    elsewhere(at, "dataProduct", "domain", "securityTerm");
    return {
      at,
      concerned,
      reason: "the property domain of dataProduct refers to the type securityTerm, and not to businessTerm",
    };
  },
  async "an entity to entities in a list, where the target wants others"() {
    const at = await fresh();
    const upstream = [seedProduct(at.source, "Orders")];
    const concerned = seedProduct(at.source, "Sales", { upstream });
    elsewhere(at, "dataProduct", "upstream", "qualityIssue");
    return {
      at,
      concerned,
      reason: "the property upstream of dataProduct refers to the type qualityIssue, and not to dataProduct",
    };
  },
  async "a term to a term, where the target wants an item"() {
    const at = await fresh();
    for (const [side, entityName] of [
      [at.source, "term"],
      [at.target, "catalogItem"],
    ] as const)
      seedMetadataProperty(side.tenant, "term", { name: "seeAlso", type: "ARRAY_REFERENCE", entityName });
    const other = seedTerm(at.source, "Other");
    const concerned = seedTerm(at.source, "One");
    editTerm(at.source, concerned, { extraProperties: { seeAlso: [other] } });
    return {
      at,
      concerned,
      reason: "the property seeAlso of businessTerm refers to the type catalogItem, and not to businessTerm",
    };
  },
  async "an SQL item to a term of another type"() {
    const at = await fresh();
    const concerned = seedSqlItem(at.source, "Active", seedFolder(at.source, "Views"));
    editItem(at.source, concerned, {
      extraProperties: { classification: seedTerm(at.source, "Secret", { type: "securityTerm" }) },
    });
    elsewhere(at, "catalogItem", "classification", "policyTerm");
    return {
      at,
      concerned,
      reason:
        "the property classification of dslQueryCatalogItem refers to the type policyTerm, and not to securityTerm",
    };
  },
  async "an imported item to a term of another type"() {
    const at = await fresh();
    const concerned = at.source.item("CUSTOMER");
    editItem(at.source, concerned, {
      extraProperties: { classification: seedTerm(at.source, "Secret", { type: "securityTerm" }) },
    });
    elsewhere(at, "catalogItem", "classification", "policyTerm");
    return {
      at,
      concerned,
      reason:
        "the property classification of catalogItem refers to the type policyTerm, and not to securityTerm",
    };
  },
};

describe.each(Object.entries(cases))("a reference from %s", (_name, arrange) => {
  test("is found before anything is sent, once", async () => {
    const { at, concerned, reason } = await arrange();
    const result = await at.apply(plan);
    expect(result.exitCode).toBe(4);
    const change = changeOf(result, concerned);
    expect(change).toMatchObject({ action: "blocked", reason: `prod: there ${reason}` });
    expect(change.diagnostics).toMatchObject([{ code: "not-in-the-model" }]);
    const refused = at.world.emulator.log.entries.filter(({ status }) => status >= 400);
    expect(refused).toEqual([]);
  });

  test("is left out where the plan says so, and nothing is to be done afterwards", async () => {
    const { at, concerned } = await arrange();
    const result = await at.apply(dropping);
    expect(result.exitCode).toBe(0);
    expect(result.changes.find(({ source }) => source?.urn === concerned)?.outcome ?? "done").toBe("done");
    expect(result.diagnostics.filter(({ code }) => code === "property-dropped")).toHaveLength(1);
    const again = await at.apply(dropping);
    expect(at.writes()).toEqual([]);
    expect(again.exitCode).toBe(0);
  });
});

test("a reference to a term whose twin is of another type is what it is at the target", async () => {
  const at = await fresh();
  const domain = seedTerm(at.source, "Domain");
  const product = seedProduct(at.source, "Sales", { domain });
  const twin = seedTerm(at.target, "Domain", { type: "securityTerm" });
  await setMappings(at.world.migration(), [{ source: domain, target: twin }]);
  const said = changeOf(await at.diff(plan), product);
  expect(said.reason).toBe(
    "prod: there the property domain of dataProduct refers to the type businessTerm, and not to securityTerm",
  );
  const result = await at.apply(dropping);
  expect(changeOf(result, product)).toMatchObject({ outcome: "done" });
  expect(result.diagnostics.filter(({ code }) => code === "property-dropped")).toHaveLength(1);
});

test("a reference that leads to something below the type that the target wants is none", async () => {
  const at = await fresh();
  const domain = seedTerm(at.source, "Domain");
  const product = seedProduct(at.source, "Sales", { domain, mainItem: at.source.item("CUSTOMER") });
  elsewhere(at, "dataProduct", "domain", "term");
  // What an item is beyond an item nobody knows here: the service judges that.
  elsewhere(at, "dataProduct", "mainItem", "tableCatalogItem");
  const said = changeOf(await at.diff(plan), product);
  expect(said).toMatchObject({ action: "create" });
  editEntity(at.source, product, { mainItem: null });
  expect(changeOf(await at.apply(plan), product)).toMatchObject({ outcome: "done" });
});

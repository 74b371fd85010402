import type { Tenant } from "../../../src/emulator/index.ts";
import * as seed from "../../../src/emulator/seed.ts";
import type { Urn } from "../../../src/model/urn.ts";

/** The given things of these estates: the same on both sides, in another order and under other ids. */
export const itemNames = ["CUSTOMER", "ORDER", "PRODUCT"];
export const attributeNames = ["ID", "EMAIL", "PHONE"];
export const dimensions = [
  { name: "Validity", results: ["Valid", "Invalid"] },
  { name: "Uniqueness", results: ["Unique", "Not Unique"] },
];
const transformations = ["STRING", "INTEGER"];
const detectionRules = ["finds email", "finds phone"];

export interface Given {
  readonly item: (index: number) => Urn;
  readonly primary: (item: number) => Urn;
  readonly attribute: (item: number, index: number) => Urn;
  readonly dimension: (index: number) => Urn;
  readonly result: (dimension: number, index: number) => Urn;
  readonly transformation: (index: number) => Urn;
  readonly detectionRule: (index: number) => Urn;
  readonly group: Urn;
  /** Every URN, by what it is: the same names on both sides. */
  readonly all: ReadonlyMap<string, Urn>;
}

export function seedGiven(tenant: Tenant, reversed: boolean): Given {
  const all = new Map<string, Urn>();
  const ordered = <T>(list: readonly T[]): readonly T[] => (reversed ? list.toReversed() : list);
  for (const name of ["related", "broader"]) {
    const type = name === "related" ? "ARRAY_REFERENCE" : "SINGLE_REFERENCE";
    seed.seedMetadataProperty(tenant, "term", { name, type, entityName: "term" });
  }
  seed.seedMetadataProperty(tenant, "term", { name: "owner" });
  for (const { name, results } of ordered(dimensions)) {
    const listed = ordered(results).map((result) => ({
      name: result,
      passedOverallResult: result === results[0],
    }));
    const dimension = seed.seedDimension(tenant, { name, results: listed });
    all.set(`dimension ${name}`, dimension.urn);
    for (const result of dimension.results) all.set(`result ${name} ${result.name}`, result.urn);
  }
  for (const type of ordered(transformations)) {
    all.set(
      `transformation ${type}`,
      seed.seedTransformation(tenant, { name: "trim", inputDataType: type }).urn,
    );
  }
  for (const name of ordered(detectionRules))
    all.set(`detection ${name}`, seed.seedDetectionRule(tenant, { name }).urn);
  const group = seed.seedGroup(tenant, { name: "stewards" }).urn;
  all.set("group", group);
  const source = seed.seedSource(tenant, { name: "warehouse" }).urn;
  all.set("source warehouse", source);
  const location = seed.seedLocation(tenant, { name: "SALES", parentUrn: source }).urn;
  for (const name of ordered(itemNames)) {
    const attributes = ordered(attributeNames);
    const { item, ...seeded } = seed.seedCatalogItem(tenant, {
      name,
      parentUrn: location,
      originPath: `SALES/${name}`,
      attributes,
    });
    all.set(`item ${name}`, item.urn);
    all.set(`primary ${name}`, seeded.primaryMonitor.urn);
    for (const attribute of Object.values(seeded.attributes))
      all.set(`attribute ${name} ${attribute.name}`, attribute.urn);
  }
  const named = (what: string, names: readonly string[], index: number): Urn => {
    const urn = all.get(`${what} ${names[index % names.length] ?? ""}`);
    if (urn === undefined) throw new Error(`there is no ${what} ${index}`);
    return urn;
  };
  return {
    item: (index) => named("item", itemNames, index),
    primary: (index) => named("primary", itemNames, index),
    attribute: (item, index) =>
      named(`attribute ${itemNames[item % itemNames.length] ?? ""}`, attributeNames, index),
    dimension: (index) =>
      named(
        "dimension",
        dimensions.map(({ name }) => name),
        index,
      ),
    result(dimension, index) {
      const { name, results } = dimensions[dimension % dimensions.length] ?? { name: "", results: [] };
      return named(`result ${name}`, results, index);
    },
    transformation: (index) => named("transformation", transformations, index),
    detectionRule: (index) => named("detection", detectionRules, index),
    group,
    all,
  };
}

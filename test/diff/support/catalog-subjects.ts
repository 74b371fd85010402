import { seedAssignment, seedDenylist, seedGroup, seedStewardship } from "../../../src/emulator/seed.ts";
import type { Attribute } from "../../../src/emulator/state.ts";
import type { Urn } from "../../../src/model/urn.ts";
import {
  editEntity,
  editItem,
  removeOne,
  removeSqlItem,
  seedProduct,
  seedSqlItem,
} from "../../kinds/support/catalog.ts";
import { seedFolder, seedTerm } from "./content.ts";
import { bare, writeOver } from "./metadata.ts";
import { type Side, wanted } from "./side.ts";
import type { Subject } from "./subjects.ts";
import * as web from "./web.ts";

/** The rest of the catalog (document 1), a kind each. */

const item = "catalog-items/:urn";

const folders: Subject = {
  kind: "folders",
  select: ["folders"],
  create: ["POST folders"],
  update: ["PATCH folders/:urn"],
  remove: ["DELETE folders/:urn"],
  prepare: () => {},
  seed: (side, name) => seedFolder(side, name),
  edit: (side, urn, mark) => web.editFolder(side, urn, { description: mark }),
  drop: web.removeFolder,
};

const sqlItems: Subject = {
  kind: "sql-items",
  select: ["folders", "sql-items"],
  create: ["POST catalog-items"],
  update: [`PATCH ${item}`],
  remove: [`DELETE ${item}`],
  prepare: (source) => void seedFolder(source, "Views"),
  seed: (side, name) => seedSqlItem(side, name, side.folder("Views")),
  edit: (side, urn, mark) => editItem(side, urn, { description: mark }),
  drop: removeSqlItem,
};

const entities: Subject = {
  kind: "entities",
  select: ["entities"],
  entityTypes: ["dataProduct"],
  create: ["POST entities/batch/create"],
  update: ["POST entities/batch/patch"],
  remove: ["POST entities/batch/delete"],
  prepare: () => {},
  seed: (side, name) => seedProduct(side, name),
  edit: (side, urn, mark) => editEntity(side, urn, { description: mark }),
  drop: removeOne,
};

/** The names stand for what people write over: it is there on both sides, and its twin is known by that. */
const items: Readonly<Record<string, string>> = { Subject: "CUSTOMER", Neighbour: "SALES_ORDER" };
const itemOf = (side: Side, name: string): Urn => side.item(items[name] ?? "");
const columnOf = (side: Side, name: string): Urn =>
  side.attribute("CUSTOMER", name === "Subject" ? "EMAIL" : "CUSTOMER_ID");

const words = {
  create: [],
  remove: [],
  prepare: (source: Side, target: Side): void => {
    for (const side of [source, target]) bare(side);
  },
  edit: (side: Side, urn: Urn, mark: string): void => writeOver(side, urn, { description: mark }),
} as const;

const itemMetadata: Subject = {
  ...words,
  kind: "item-metadata",
  select: ["item-metadata"],
  update: [`PATCH ${item}`],
  seed(side, name) {
    const aliases = [{ type: "VENDOR_ASSET_ID", value: name }];
    writeOver(side, itemOf(side, name), { description: `What ${name} holds`, aliases });
    return itemOf(side, name);
  },
  drop: web.removeItem,
  twin: (side) => itemOf(side, "Subject"),
};

const attributeMetadata: Subject = {
  ...words,
  kind: "attribute-metadata",
  select: ["attribute-metadata"],
  update: ["PATCH attributes/:urn"],
  seed(side, name) {
    const extraProperties = { sensitive: true };
    writeOver(side, columnOf(side, name), { description: `What ${name} says`, extraProperties });
    return columnOf(side, name);
  },
  drop: ({ tenant }, urn) => void tenant.attributes.delete(urn),
  twin: (side) => columnOf(side, "Subject"),
};

/** Somebody else, on both sides, for each way to name one. */
const others = ["changed at the source", "changed at the target"];

const stewardship: Subject = {
  kind: "stewardship",
  select: ["stewardship"],
  create: [],
  update: ["POST stewardship/batch/manage"],
  remove: [],
  prepare(source, target) {
    for (const { tenant } of [source, target]) for (const name of others) seedGroup(tenant, { name });
  },
  seed(side, name) {
    const entityUrn = itemOf(side, name);
    seedStewardship(side.tenant, { entityUrn, groupUrn: side.group("Data stewards") });
    return entityUrn;
  },
  edit: (side, entityUrn, mark) => seedStewardship(side.tenant, { entityUrn, groupUrn: side.group(mark) }),
  drop: web.removeItem,
  twin: (side) => itemOf(side, "Subject"),
};

/** The terms of a column are taken away, or another one stands in their place. */
function links(
  kind: string,
  route: string,
  field: "termAssignments" | "termDetectionDenylist",
  add: (side: Side, attributeUrn: Urn, termUrn: Urn) => unknown,
): Subject {
  const drop = ({ tenant }: Side, urn: Urn): void => {
    const attribute: Attribute = wanted(tenant.attributes.get(urn), urn);
    tenant.attributes.put({ ...attribute, [field]: [] });
  };
  return {
    kind,
    select: ["terms", kind],
    create: [],
    update: [`POST attributes/term-assignments/${route}`],
    remove: [],
    prepare(source) {
      for (const name of ["E-mail", ...others]) seedTerm(source, name);
    },
    seed(side, name) {
      add(side, columnOf(side, name), side.term("E-mail"));
      return columnOf(side, name);
    },
    edit(side, urn, mark) {
      drop(side, urn);
      add(side, urn, side.term(mark));
    },
    drop,
    twin: (side) => columnOf(side, "Subject"),
  };
}

const termAssignments = links(
  "term-assignments",
  "batch/assign",
  "termAssignments",
  ({ tenant }, attributeUrn, termUrn) => seedAssignment(tenant, { attributeUrn, termUrn }),
);

const termDenylist = links(
  "term-denylist",
  "denylist/batch/add",
  "termDetectionDenylist",
  ({ tenant }, attributeUrn, termUrn) => seedDenylist(tenant, { attributeUrn, termUrn }),
);

export const catalogSubjects: readonly Subject[] = [
  folders,
  sqlItems,
  entities,
  termAssignments,
  termDenylist,
  itemMetadata,
  attributeMetadata,
  stewardship,
];

import { isObject, type JsonObject } from "../../../src/emulator/json.ts";
import { seedAssignment, seedDenylist, seedStewardship } from "../../../src/emulator/seed.ts";
import type { Attribute } from "../../../src/emulator/state.ts";
import type { Urn } from "../../../src/model/urn.ts";
import {
  configurePrimary,
  instanceOf,
  seedFolder,
  seedMonitor,
  seedRule,
  seedTerm,
} from "../../diff/support/content.ts";
import { type Side, wanted } from "../../diff/support/side.ts";
import type { PlanChanges } from "../../support/world.ts";
import { seedSqlItem } from "./catalog.ts";

/** All that can lie over an SQL item, or refer to what comes with it. */
export const everything: PlanChanges = {
  select: {
    kinds: [
      "folders",
      "sql-items",
      "terms",
      "rules",
      "monitors",
      "term-assignments",
      "term-denylist",
      "item-metadata",
      "attribute-metadata",
      "stewardship",
    ],
  },
};

export interface Seeded {
  readonly item: Urn;
  readonly monitor: Urn;
  readonly primary: Urn;
  readonly email: Urn;
  readonly id: Urn;
}

/** An SQL item of this name, and one of each that needs its attributes. */
export function seedBorn(side: Side, name = "Active"): Seeded {
  const item = seedSqlItem(side, name, seedFolder(side, `Folder of ${name}`));
  const email = side.attribute(name, "EMAIL");
  const id = side.attribute(name, "CUSTOMER_ID");
  const ruleUrn = seedRule(side, `Rule of ${name}`);
  const mapping = {
    mapping: { catalogItemAttributeUrn: email, ruleAttributeUrn: side.part(ruleUrn, "email") },
  };
  const instances = {
    manualRuleInstances: { instance: instanceOf(side, ruleUrn, "Email", { mappings: mapping }) },
  };
  const monitor = seedMonitor(side, ruleUrn, `Monitor of ${name}`, { catalogItemUrn: item, ...instances });
  configurePrimary(side, name, instances);
  seedAssignment(side.tenant, { attributeUrn: email, termUrn: seedTerm(side, `Assigned in ${name}`) });
  seedDenylist(side.tenant, { attributeUrn: id, termUrn: seedTerm(side, `Denied in ${name}`) });
  const attribute = wanted(side.tenant.attributes.get(id), id);
  side.tenant.attributes.put({ ...attribute, description: `The key of ${name}` });
  seedStewardship(side.tenant, { entityUrn: item, groupUrn: side.group("Data stewards") });
  return { item, monitor, primary: side.primary(name), email, id };
}

/** By the target's own books: everything that was seeded, once, and over the right things. */
export function bornAt(side: Side, name = "Active"): JsonObject {
  const { tenant } = side;
  const items = [...tenant.items.values()].filter((item) => item.name === name);
  const [item] = items;
  const columns = item === undefined ? [] : tenant.attributes.valuesIn(`item:${item.urn}`);
  const column = (called: string): Attribute | undefined => columns.find((one) => one.name === called);
  const termName = (urn: string | undefined): string => tenant.terms.get(urn ?? "")?.published?.name ?? "";
  const monitors = item === undefined ? [] : tenant.monitors.valuesIn(`item:${item.urn}`);
  const others = monitors.filter(({ urn }) => urn !== item?.primaryMonitorUrn);
  const over = (body: unknown): string => {
    const instances = isObject(body) ? body["manualRuleInstances"] : undefined;
    const text = JSON.stringify(instances ?? "");
    return columns
      .filter(({ urn }) => text.includes(urn))
      .map((one) => one.name)
      .join();
  };
  return {
    items: items.length,
    columns: columns.map((one) => one.name).sort(),
    monitors: others.map(({ published }) => [published?.["name"] ?? "", over(published)]),
    primary: over(tenant.monitors.get(item?.primaryMonitorUrn ?? "")?.published),
    assigned: (column("EMAIL")?.termAssignments ?? []).map(({ termUrn }) => termName(termUrn)),
    denied: (column("CUSTOMER_ID")?.termDetectionDenylist ?? []).map(termName),
    said: column("CUSTOMER_ID")?.description ?? "",
    steward: tenant.stewards.get(item?.urn ?? ("" as Urn)) === side.group("Data stewards"),
  };
}

export function whole(name = "Active"): JsonObject {
  return {
    items: 1,
    columns: ["CUSTOMER_ID", "EMAIL"],
    monitors: [[`Monitor of ${name}`, "EMAIL"]],
    primary: "EMAIL",
    assigned: [`Assigned in ${name}`],
    denied: [`Denied in ${name}`],
    said: `The key of ${name}`,
    steward: true,
  };
}

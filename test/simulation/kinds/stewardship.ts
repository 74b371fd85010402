import * as seed from "../../../src/emulator/seed.ts";
import type { Urn } from "../../../src/model/urn.ts";
import { sqlItemType } from "../../../src/emulator/catalog/sql-items.ts";
import type { Tenant } from "../../../src/emulator/index.ts";
import type { Given } from "../../properties/estates/given.ts";
import { itemNames } from "../../properties/estates/given.ts";
import type { SimulatedKind } from "./kind.ts";
import { itemsIn, learn } from "./shared.ts";

interface StewardPlan {
  /** Of the given items, and behind those of the SQL items. */
  readonly item: number;
  readonly group: number;
}

const groups = ["owners", "guests"];

function groupOf(given: Given, index: number): Urn {
  return given.all.get(`group ${groups[index % groups.length] ?? ""}`) ?? given.group;
}

function sqlItem({ items }: Tenant, index: number): Urn | undefined {
  const all = [...items.values()].filter(({ type }) => type === sqlItemType);
  return all[index % Math.max(1, all.length)]?.urn;
}

/** Groups that answer for items. */
export const stewardship: SimulatedKind<StewardPlan> = {
  name: "stewardship",
  isOver: true,
  prepare(tenant, given) {
    for (const name of groups) learn(given, `group ${name}`, seed.seedGroup(tenant, { name }).urn);
  },
  draw: (dice) =>
    Array.from({ length: 1 + dice.below(3) }, () => ({ item: dice.below(5), group: dice.below(3) })),
  seed(tenant, given, plans) {
    for (const { item, group } of plans) {
      const entityUrn = item < itemNames.length ? given.item(item) : sqlItem(tenant, item);
      if (entityUrn !== undefined)
        seed.seedStewardship(tenant, { entityUrn, groupUrn: groupOf(given, group) });
    }
  },
  shelves: (tenant) => [
    // With what it lies over it goes as well.
    { rows: tenant.stewards, of: (urn) => (tenant.items.has(urn) ? urn : undefined) },
  ],
  urns: (tenant) => [...tenant.stewards.keys()].filter((urn) => tenant.items.has(urn)),
  body(tenant, urn) {
    if (!tenant.items.has(urn)) return undefined;
    const groupUrn = tenant.stewards.get(urn as Urn);
    return groupUrn === undefined ? {} : { groupUrn };
  },
  label: (_tenant, _body, urn) => `steward of ${urn.slice(-36, -28)}`,
  hows: ["text", "text", "more"],
  put(tenant, urn, { groupUrn }) {
    if (typeof groupUrn === "string") tenant.stewards.set(urn as Urn, groupUrn as Urn);
  },
  change: (_tenant, _body, value, given) => ({ groupUrn: groupOf(given, value) }),
  places: itemsIn,
  writes: ["POST /api/catalog/v1/stewardship/batch/manage"],
};

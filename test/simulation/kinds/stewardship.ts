import * as seed from "../../../src/emulator/seed.ts";
import type { Urn } from "../../../src/model/urn.ts";
import { sqlItemType } from "../../../src/emulator/catalog/sql-items.ts";
import type { Tenant } from "../../../src/emulator/index.ts";
import type { Given } from "../../properties/estates/given.ts";
import { itemNames } from "../../properties/estates/given.ts";
import { entityTypes } from "./entities.ts";
import type { SimulatedKind } from "./kind.ts";
import { itemsIn, learn } from "./shared.ts";

interface StewardPlan {
  /** Of the given items, and behind those of all else that may have one. */
  readonly place: number;
  readonly group: number;
}

const groups = ["owners", "guests"];

function groupOf(given: Given, index: number): Urn {
  return given.all.get(`group ${groups[index % groups.length] ?? ""}`) ?? given.group;
}

/** What is made and moved itself: its steward comes with it, goes with it, and is inherited by what lies in it. */
function movedOf({ items, terms, folders, entities }: Tenant): readonly Urn[] {
  const made = [
    ...[...items.values()].filter(({ type }) => type === sqlItemType),
    ...terms.values(),
    ...folders.values(),
    ...[...entities.values()].filter(({ concreteType }) => entityTypes.includes(concreteType)),
  ];
  return made.map(({ urn }) => urn);
}

function isThere(tenant: Tenant, urn: string): boolean {
  const type = tenant.typeOf(urn);
  return type !== undefined && tenant.model.isStewarded(type);
}

/** Groups that answer for items, terms, folders and entities. */
export const stewardship: SimulatedKind<StewardPlan> = {
  name: "stewardship",
  isOver: true,
  prepare(tenant, given) {
    for (const name of groups) learn(given, `group ${name}`, seed.seedGroup(tenant, { name }).urn);
  },
  draw: (dice) =>
    Array.from({ length: 1 + dice.below(3) }, () => ({ place: dice.below(7), group: dice.below(3) })),
  seed(tenant, given, plans) {
    const moved = movedOf(tenant);
    for (const { place, group } of plans) {
      const behind = moved[(place - itemNames.length) % Math.max(1, moved.length)];
      const entityUrn = place < itemNames.length ? given.item(place) : behind;
      if (entityUrn !== undefined && isThere(tenant, entityUrn))
        seed.seedStewardship(tenant, { entityUrn, groupUrn: groupOf(given, group) });
    }
  },
  shelves: (tenant) => [
    // With what it lies over it goes as well.
    { rows: tenant.stewards, of: (urn) => (isThere(tenant, urn) ? urn : undefined) },
  ],
  urns: (tenant) => [...tenant.stewards.keys()].filter((urn) => isThere(tenant, urn)),
  body(tenant, urn) {
    if (!isThere(tenant, urn)) return undefined;
    const groupUrn = tenant.stewards.get(urn as Urn);
    return groupUrn === undefined ? {} : { groupUrn };
  },
  label: (_tenant, _body, urn) => `steward of ${urn.slice(-36, -28)}`,
  hows: ["text", "text", "more"],
  put(tenant, urn, { groupUrn }) {
    if (typeof groupUrn === "string") tenant.stewards.set(urn as Urn, groupUrn as Urn);
  },
  change: (_tenant, _body, value, given) => ({ groupUrn: groupOf(given, value) }),
  places: (given, tenant) => [...itemsIn(given), ...movedOf(tenant).filter((urn) => isThere(tenant, urn))],
  writes: ["POST /api/catalog/v1/stewardship/batch/manage"],
};

import type { Tenant } from "../../../src/emulator/index.ts";
import { asText, type JsonObject } from "../../../src/emulator/json.ts";
import * as seed from "../../../src/emulator/seed.ts";
import type { Urn } from "../../../src/model/urn.ts";
import type { Given } from "../../properties/estates/given.ts";
import type { SimulatedKind } from "./kind.ts";

interface FolderPlan {
  readonly name: string;
  readonly description: string | undefined;
  /** An earlier one; in the source itself when it says nothing. */
  readonly parent: number | undefined;
}

const names = ["Email", "Phone", "email"];

function sourceIn(given: Given): Urn {
  const urn = given.all.get("source warehouse");
  if (urn === undefined) throw new Error("there is no source");
  return urn;
}

export const folders: SimulatedKind<FolderPlan> = {
  name: "folders",
  draw: (dice) =>
    Array.from({ length: 1 + dice.below(4) }, (_, index) => ({
      name: dice.pick(names),
      description: dice.chance(0.3) ? undefined : dice.pick(["What it means", "", "<b>bold</b>"]),
      parent: index === 0 || dice.chance(0.5) ? undefined : dice.below(index),
    })),
  seed(tenant, given, plans) {
    const made: Urn[] = [];
    for (const { name, description, parent } of plans) {
      const parentUrn = (parent === undefined ? undefined : made[parent]) ?? sourceIn(given);
      const about = description === undefined ? {} : { description };
      made.push(seed.seedFolder(tenant, { name, parentUrn, ...about }).urn);
    }
  },
  rows: (tenant) => tenant.folders,
  label: (tenant, body) => `folder ${pathOf(tenant, body)}`,
  hows: ["text", "text", "rename", "swap", "remove", "remove", "recreate", "create"],
  change: (_tenant, body, value) => ({ ...body, description: `changed ${value}` }),
  create(tenant, given, name, value) {
    const all = [...tenant.folders.values()];
    const parent = value % 2 === 0 ? undefined : all[value % Math.max(1, all.length)];
    return seed.seedFolder(tenant, { name, parentUrn: parent?.urn ?? sourceIn(given) }).urn;
  },
  isHeld: (tenant, urn) => tenant.folders.bucket(`parent:${urn}`).length > 0,
  writes: [
    "POST /api/catalog/v1/folders",
    "PATCH /api/catalog/v1/folders/:urn",
    "DELETE /api/catalog/v1/folders/:urn",
  ],
};

function pathOf(tenant: Tenant, body: JsonObject): string {
  const parent = tenant.folders.get(asText(body["parentUrn"]));
  const name = asText(body["name"]);
  return parent === undefined ? name : `${pathOf(tenant, parent)}/${name}`;
}

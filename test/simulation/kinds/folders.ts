import type { Tenant } from "../../../src/emulator/index.ts";
import { asText, type JsonObject } from "../../../src/emulator/json.ts";
import * as seed from "../../../src/emulator/seed.ts";
import type { Folder } from "../../../src/emulator/state.ts";
import type { Urn } from "../../../src/model/urn.ts";
import type { SimulatedKind } from "./kind.ts";
import { itself, sourceIn } from "./shared.ts";

interface FolderPlan {
  readonly name: string;
  readonly description: string | undefined;
  /** An earlier one; in the source itself when it says nothing. */
  readonly parent: number | undefined;
}

const names = ["Email", "Phone", "email"];

export const folders: SimulatedKind<FolderPlan> = {
  name: "folders",
  isOver: false,
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
  shelves: (tenant) => [{ rows: tenant.folders, of: itself }],
  urns: (tenant) => [...tenant.folders.values()].map(({ urn }) => urn),
  body: (tenant, urn) => tenant.folders.get(urn),
  label: (tenant, body) => `folder ${pathOf(tenant, body)}`,
  hows: ["text", "text", "rename", "swap", "remove", "remove", "recreate", "create"],
  put: (tenant, urn, body) => void tenant.folders.put({ ...body, urn } as never),
  change: (_tenant, body, value) => ({ ...body, description: `changed ${value}` }),
  named: (body, name) => ({ ...body, name }),
  moved(tenant, body, value, given) {
    const places = [...tenant.folders.values()].filter(
      (place) => !isWithin(tenant, place, asText(body["urn"])),
    );
    const all = [sourceIn(given), ...places.map(({ urn }) => urn)].filter((urn) => urn !== body["parentUrn"]);
    const parentUrn = all[value % Math.max(1, all.length)];
    return parentUrn === undefined ? undefined : { ...body, parentUrn };
  },
  create(tenant, given, name, value) {
    const all = [...tenant.folders.values()];
    const parent = value % 2 === 0 ? undefined : all[value % Math.max(1, all.length)];
    seed.seedFolder(tenant, { name, parentUrn: parent?.urn ?? sourceIn(given) });
  },
  remove: (tenant, urn) => void tenant.folders.delete(urn),
  isHeld: (tenant, urn) =>
    tenant.folders.bucket(`parent:${urn}`).length > 0 || tenant.items.bucket(`parent:${urn}`).length > 0,
  writes: [
    "POST /api/catalog/v1/folders",
    "PATCH /api/catalog/v1/folders/:urn",
    "DELETE /api/catalog/v1/folders/:urn",
  ],
};

/** It is this folder, or lies in it. */
function isWithin(tenant: Tenant, { urn, parentUrn }: Folder, folder: string): boolean {
  const parent = tenant.folders.get(parentUrn);
  return urn === folder || (parent !== undefined && isWithin(tenant, parent, folder));
}

export function pathOf(tenant: Tenant, body: JsonObject): string {
  const parent = tenant.folders.get(asText(body["parentUrn"]));
  const name = asText(body["name"]);
  return parent === undefined ? name : `${pathOf(tenant, parent)}/${name}`;
}

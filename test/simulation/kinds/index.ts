import { attributeMetadata } from "./attribute-metadata.ts";
import { entities } from "./entities.ts";
import { folders } from "./folders.ts";
import { itemMetadata } from "./item-metadata.ts";
import type { PlainName, SimulatedKind } from "./kind.ts";
import { sqlItems } from "./sql-items.ts";
import { stewardship } from "./stewardship.ts";
import { termDenylist } from "./term-denylist.ts";

/** Kinds without drafts, in the order in which they are seeded. */
export const plainKinds: readonly SimulatedKind[] = [
  folders,
  sqlItems,
  entities,
  itemMetadata,
  attributeMetadata,
  stewardship,
  termDenylist,
] as readonly SimulatedKind[];

const byName = new Map<string, SimulatedKind>(plainKinds.map((kind) => [kind.name, kind]));

export function isPlain(kind: string): kind is PlainName {
  return byName.has(kind);
}

export function plainKind(name: string): SimulatedKind | undefined {
  return byName.get(name);
}

/** What goes by its name and the URN of what it lies over; anything else goes by its URN. */
export function idOf(kind: string, urn: string): string {
  return byName.get(kind)?.isOver === true ? `${kind} ${urn}` : urn;
}

export function urnOf(id: string): string {
  return id.slice(id.indexOf(" ") + 1);
}

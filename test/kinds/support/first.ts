import type { Urn } from "../../../src/model/urn.ts";
import { type Side, wanted } from "../../diff/support/side.ts";

/** Something of a metadata type that the side has from the start. */
export function firstOf({ tenant }: Side, type: string): Urn {
  return wanted(tenant.entities.valuesIn(`type:${type}`)[0]?.urn, type);
}

/** Where an item of this name lies. */
export function locationOf(side: Side, item: string): Urn {
  return wanted(side.tenant.items.get(side.item(item))?.parentUrn, item);
}

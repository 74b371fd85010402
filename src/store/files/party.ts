import type { Parties, Party } from "../../model/mapping.ts";
import { addressText } from "../../model/address.ts";
import { display } from "../../model/display.ts";
import { z } from "zod";
import { StoreError } from "../store-error.ts";

export const partySchema: z.ZodType<Party> = z.looseObject({
  name: z.string(),
  baseUrl: z.string(),
  tenant: z.string(),
});
export const partiesSchema: z.ZodType<Parties> = z.looseObject({ source: partySchema, target: partySchema });

/**
 * Base address and tenant say who an environment is; its name is a label that a person may change. The way an
 * address is spelt (`plainAddress`) makes no difference.
 */
export function sameParty(one: Party, other: Party): boolean {
  // Nearly always they are spelt the same.
  if (one.baseUrl === other.baseUrl) return one.tenant === other.tenant;
  return partyKey(one) === partyKey(other);
}

/** The same text for the same environment, and for no other one. */
export function partyKey({ baseUrl, tenant }: Party): string {
  return JSON.stringify([addressText(baseUrl), tenant]);
}

export function describeParty(party: Party): string {
  return `${display(party.name)} (${display(party.baseUrl)}, tenant ${display(party.tenant)})`;
}

/** State of other environments is never mixed with ours: a wrong mapping would change the wrong objects. */
export function refuseForeign(path: string, found: Parties, expected: Parties): void {
  for (const side of ["source", "target"] as const) {
    if (sameParty(found[side], expected[side])) continue;
    throw new StoreError(
      "foreign-state",
      path,
      `${path} belongs to other environments: its ${side} is ${describeParty(found[side])}, ` +
        `the plan's is ${describeParty(expected[side])}`,
      "Check the plan's addresses and realms; give environments that differ names that differ, " +
        "or choose another folder with --mappings-dir.",
    );
  }
}

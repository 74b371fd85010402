import type { JsonObject } from "../../../src/emulator/json.ts";
import type { Monitor, Rule } from "../../../src/emulator/state.ts";
import { setMappings } from "../../../src/operations/mappings.ts";
import { formatUrn, parseUrn, type Urn } from "../../../src/model/urn.ts";
import { type Side, wanted } from "../../diff/support/side.ts";
import { editDashboard, editFolder, editTerm } from "../../diff/support/web.ts";
import type { Place } from "./place.ts";

/** Puts something into a published object of the source that the target's own checks refuse. */

/** Detection rules that are joined by a word which is none. */
export function refusedTerm(source: Side, urn: Urn): void {
  editTerm(source, urn, { detectionRules: { operator: "NEITHER" } });
}

/** A description that is no text. */
export function refusedFolder(source: Side, urn: Urn): void {
  const change: JsonObject = { description: 7 };
  editFolder(source, urn, change);
}

/** An input without a data type. */
export function refusedRule(source: Side, urn: Urn): void {
  const body = source.body(urn);
  const text = JSON.stringify(body).replaceAll('"dataType":"STRING"', '"dataType":" "');
  source.tenant.rules.put({ urn, published: JSON.parse(text) as Rule, draftType: "NONE" });
}

/** A threshold above 100 percent; primary monitors as well. */
export function refusedMonitor(source: Side, urn: Urn): void {
  const text = JSON.stringify(source.body(urn)).replaceAll('"value":90', '"value":900');
  source.tenant.monitors.put({ urn, published: JSON.parse(text) as Monitor, draftType: "NONE" });
}

/** A description that is no text. */
export function refusedDashboard(source: Side, urn: Urn): void {
  const change: JsonObject = { description: 7 };
  editDashboard(source, urn, change);
}

/** A pair that a person named, of something that the target does not have. */
export async function unpaired({ world }: Place, urn: Urn): Promise<void> {
  const target = formatUrn({ ...wanted(parseUrn(urn), urn), tenant: "prod" });
  await setMappings(world.migration(), [{ source: urn, target }]);
}

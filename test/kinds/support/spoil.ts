import type { JsonObject } from "../../../src/emulator/json.ts";
import type { Monitor, Rule } from "../../../src/emulator/state.ts";
import type { Urn } from "../../../src/model/urn.ts";
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

/** The item or attribute that is its twin is not there while something is written, and comes back after each request. */
export function goneWhenWritten({ world, source, target }: Place, urn: Urn): void {
  const { items, attributes } = target.tenant;
  const column = source.tenant.attributes.get(urn);
  const name = wanted(source.tenant.items.get(column?.catalogItemUrn ?? urn)?.name, urn);
  const twin = column === undefined ? target.item(name) : target.attribute(name, column.name);
  world.emulator.on(({ phase, entry }) => {
    if (phase !== "before-commit" || entry.tenant !== "prod") return;
    const [item, attribute] = [items.get(twin), attributes.get(twin)];
    items.delete(twin);
    attributes.delete(twin);
    // The request itself is handled before that.
    setImmediate(() => {
      if (item !== undefined) items.put(item);
      if (attribute !== undefined) attributes.put(attribute);
    });
  });
}

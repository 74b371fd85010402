import type { OpenTable, Row } from "../../kinds/kind.ts";
import { digest } from "../../model/canonical.ts";
import type { JsonObject } from "../../model/json.ts";
import { own } from "../../model/json.ts";

/** A row is known by a digest of its key. */
export function keyDigest(key: string): string {
  return digest(key);
}

/** What of a row the source says anything about. */
export type Reading = Pick<OpenTable, "isOurs" | "text">;

/** The same for rows that say the same, as far as the source says anything. */
export function printOf(values: JsonObject, reading: Reading): string {
  let fields = "";
  for (const name of Object.keys(values).sort()) {
    const value = own(values, name) ?? null;
    if (value === null || !reading.isOurs(name)) continue;
    fields += `${fields === "" ? "" : "\n"}${JSON.stringify(name)}${reading.text(name, value)}`;
  }
  return digest(fields).slice(0, 16);
}

export interface ValueChange {
  readonly name: string;
  readonly from: JsonObject[string] | undefined;
  readonly to: JsonObject[string] | undefined;
}

/** What would have to change at the target; what is null is absent. */
export function changesOf(source: Row, target: Row, reading: Reading): readonly ValueChange[] {
  const names = new Set([...Object.keys(source.values), ...Object.keys(target.values)]);
  return [...names].sort().flatMap((name): ValueChange[] => {
    if (!reading.isOurs(name)) return [];
    const [to, from] = [own(source.values, name), own(target.values, name)];
    if (to === undefined && from === undefined) return [];
    if (to !== undefined && from !== undefined && reading.text(name, to) === reading.text(name, from))
      return [];
    return [{ name, from, to }];
  });
}

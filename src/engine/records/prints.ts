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
  const fields = Object.keys(values)
    .filter((name) => reading.isOurs(name) && own(values, name) !== null)
    .sort()
    .map((name) => `${JSON.stringify(name)}${reading.text(name, own(values, name) ?? null)}`);
  return digest(fields.join("\n")).slice(0, 16);
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

import { hash } from "node:crypto";
import type { Pairs } from "../engine/pair/pairing.ts";
import type { Change } from "../model/change.ts";

/**
 * A print of which given things are whose twins, whatever their order: there may be a million. An approved diff that goes
 * on is held against it, where what was to be written cannot be compared with what was approved any more. Of what stands
 * in an object that the diff changes, or makes with all that is in it, it tells nothing.
 */
export function printOfPairs(
  { twins, inside }: Pick<Pairs, "twins" | "inside">,
  changes: readonly Pick<Change, "action" | "source">[],
): string {
  const all = Buffer.alloc(16);
  const add = (source: string, target: string): void => {
    const one = hash("sha256", `${source} ${target}`, "buffer");
    for (let at = 0; at < all.length; at += 1) all[at] = (all[at] ?? 0) ^ (one[at] ?? 0);
  };
  for (const [source, target] of twins) add(source, target);
  const changing = new Set(
    changes.flatMap(({ action, source }) => (action === "unchanged" ? [] : [source?.urn])),
  );
  for (const [source, { holder, twin }] of inside)
    if (twin !== undefined && !changing.has(holder)) add(source, twin);
  return all.toString("hex");
}

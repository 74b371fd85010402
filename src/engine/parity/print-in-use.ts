import type { MovedKind } from "../../kinds/kind.ts";
import { digest, printOf, stableText } from "../../model/canonical.ts";
import type { JsonObject } from "../../model/json.ts";
import type { MappingTable } from "../../model/mapping-table.ts";
import { referenced } from "../../model/walk.ts";

/**
 * A print of a monitor of the target as far as its results hang on it: of what it says, and of the rules that it uses, as
 * the mapping has them. Another one where it would be evaluated otherwise.
 */
export function printInUse(kind: MovedKind, urn: string, body: JsonObject, mapping: MappingTable): string {
  const uses = [...new Set(referenced(body, ["urn"]))].sort().flatMap((value) => {
    const mapped = value === urn ? undefined : mapping.claimedBy(value);
    const isUsed = mapped !== undefined && kind.refersTo.includes(mapped.kind);
    return isUsed ? [[value, mapped.entry.targetFingerprint ?? ""]] : [];
  });
  return digest(stableText([printOf(body, kind.shape), ...uses]));
}

import type { MovedKind } from "../../kinds/kind.ts";
import type { FieldChange } from "../../model/change.ts";
import type { Diagnostic } from "../../model/diagnostic.ts";
import type { Json, JsonObject } from "../../model/json.ts";
import { fromEntries, isArray, isObject, own } from "../../model/json.ts";
import type { MappingEntry } from "../../model/mapping.ts";
import type { Policy } from "../../model/plan.ts";
import { isSubEntityMap } from "../../model/sub-entity.ts";
import { liesOver, onlyAdds } from "../facets/standing.ts";

/**
 * What lies over something given is there on both sides before anything was moved, and people may have configured it
 * at the target. A source that says nothing of a field changes nothing there: the field is left to the target until
 * the source says something of it. `said` is the source's body as it was translated, before policies.
 */
export function fieldsLeft(
  kind: MovedKind,
  row: MappingEntry | undefined,
  policy: Pick<Policy, "targetOnly">,
  said: JsonObject,
  target: JsonObject,
): readonly string[] {
  if (!liesOver(kind) || onlyAdds(kind) || policy.targetOnly === "remove") return [];
  // What the source cleared later is not left: the target has it from there.
  const candidates = row?.sourceFingerprint === undefined ? Object.keys(target) : (row.left ?? []);
  return candidates.filter((field) => saysNothing(own(said, field))).sort();
}

/** The body that is wanted at the target: the source's, but for what is left. */
export function withLeft(tree: JsonObject, left: readonly string[], target: JsonObject): JsonObject {
  if (left.length === 0) return tree;
  const isLeft = ([field]: readonly [string, Json]): boolean => left.includes(field);
  return fromEntries([
    ...Object.entries(tree).filter((entry) => !isLeft(entry)),
    ...Object.entries(target).filter(isLeft),
  ]);
}

/** Absent, switched off or empty, whatever it is made of. */
export function saysNothing(value: Json | undefined): boolean {
  if (value === undefined || value === null || value === false || value === "") return true;
  if (isArray(value)) return value.every(saysNothing);
  if (!isObject(value)) return false;
  // A part is there even when nothing in it is set.
  return !isSubEntityMap(value) && Object.values(value).every(saysNothing);
}

/** So many fields are told with both values; a reviewer finds the rest among the fields of the change. */
const mostTold = 8;
const longestValue = 80;

/** What people configured at the target, and what the source makes of it: said loudly, since it was never ours. */
export function takenOver(fields: readonly FieldChange[]): Omit<Diagnostic, "coordinate"> | undefined {
  const lost = fields.filter(({ from }) => from !== undefined);
  if (lost.length === 0) return undefined;
  const told = lost.slice(0, mostTold).map((field) => {
    const to = field.to === undefined ? "nothing" : valueText(field.to, field.toName);
    return `${field.path}: ${valueText(field.from, field.fromName)} becomes ${to}`;
  });
  const more = lost.length > told.length ? `; and ${lost.length - told.length} more` : "";
  return {
    severity: "warning",
    code: "taken-over",
    summary: `the target has it configured otherwise, and the source's values take the place of its own: ${told.join("; ")}${more}`,
    suggestion:
      "If the target's are to stay, bring the source to them, or leave the object out with select.exclude.",
  };
}

function valueText(value: Json | undefined, name: string | undefined): string {
  const text = name ?? JSON.stringify(value ?? null);
  return text.length > longestValue ? `${text.slice(0, longestValue)}...` : text;
}

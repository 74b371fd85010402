import type { FieldChange } from "../../model/change.ts";
import type { Json } from "../../model/json.ts";
import { isArray } from "../../model/json.ts";
import type { MappingTable } from "../../model/mapping-table.ts";
import { isUrn, uuidOf } from "../../model/urn.ts";
import { withoutPending } from "../diff/names.ts";

type Known = Pick<MappingTable, "twin" | "key">;

/** What was told of a change before the run that was to make what it leads to: that is there by now, or the part of it is. */
export function madeByNow(fields: readonly FieldChange[], mapping: Known): readonly FieldChange[] {
  return fields.map((field) => {
    const { to, toName } = field;
    if (toName === undefined || to === undefined || !isThere(to, mapping)) return field;
    return { ...field, toName: withoutPending(toName) };
  });
}

function isThere(value: Json, mapping: Known): boolean {
  if (isArray(value)) return value.every((one) => isThere(one, mapping));
  if (typeof value !== "string" || !isUrn(value)) return false;
  return mapping.twin(value) !== undefined || mapping.key(uuidOf(value)) !== undefined;
}

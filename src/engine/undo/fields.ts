import type { FieldChange } from "../../model/change.ts";
import { difference } from "../../model/difference.ts";
import type { Json, JsonObject } from "../../model/json.ts";
import { isObject } from "../../model/json.ts";
import { mergePatch } from "../../model/merge-patch.ts";
import { strip } from "../../model/shape.ts";
import type { PlanContext, Planned } from "./plan.ts";

/** Of what comes or goes as a whole a reviewer reads no more. */
const most = 60;

/** What taking it back does, field by field, as a diff shows it. */
export function withFields(planned: Planned, context: Pick<PlanContext, "registry" | "standing">): Planned {
  const fields = fieldsOf(planned, context);
  return fields.length === 0 ? planned : { ...planned, change: { ...planned.change, fields } };
}

function fieldsOf(
  { deed, kind, reverse, change }: Planned,
  { registry, standing }: Pick<PlanContext, "registry" | "standing">,
): readonly FieldChange[] {
  const { shape } = kind;
  const nameOf = (urn: string): string | undefined => {
    const owner = standing.snapshot
      .kinds()
      .find((name) => registry.owns(name) && standing.snapshot.has(name, urn));
    return owner === undefined ? undefined : standing.snapshot.name(owner, urn);
  };
  const between = (then: JsonObject, now: JsonObject): readonly FieldChange[] =>
    difference(then, now, { shape, targetOnly: "remove", keys: {}, nameOf }).fields.map((field) =>
      named(field, nameOf),
    );
  const bodyNow = (urn: string): JsonObject =>
    standing.snapshot.has(kind.name, urn) ? strip(standing.snapshot.body(kind.name, urn), shape) : {};
  if (reverse?.what === "patch") {
    const now = bodyNow(reverse.target);
    const then = mergePatch(now, reverse.patch);
    return isObject(then) ? between(then, now) : [];
  }
  if (reverse?.what === "create") return between(strip(reverse.body, shape), {}).slice(0, most);
  // Also what is only withheld: that is what --allow-delete would take away.
  if (change.action === "delete") return between({}, bodyNow(deed.target)).slice(0, most);
  return [];
}

function named(field: FieldChange, nameOf: (urn: string) => string | undefined): FieldChange {
  const name = (value: Json | undefined): string | undefined =>
    typeof value === "string" ? nameOf(value) : undefined;
  const [fromName, toName] = [name(field.from), name(field.to)];
  return {
    ...field,
    ...(fromName === undefined ? {} : { fromName }),
    ...(toName === undefined ? {} : { toName }),
  };
}

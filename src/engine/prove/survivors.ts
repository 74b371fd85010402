import type { Diagnostic } from "../../model/diagnostic.ts";
import type { JsonObject } from "../../model/json.ts";
import type { MappingTable } from "../../model/mapping-table.ts";
import { once } from "../../model/once.ts";
import { isTemporaryKey, sourceKeyOf, subEntityKeys } from "../../model/sub-entity.ts";
import type { Visit } from "../../model/walk.ts";
import { walk } from "../../model/walk.ts";
import type { SourceMarks } from "../read/source-marks.ts";
import { SourceIds } from "../read/source-marks.ts";
import type { TargetState } from "../read/target.ts";

/**
 * What is left of the source at the target: URNs of its tenant, and ids that belong to its objects and their parts. Only
 * objects that this tool wrote or was told to adopt are looked at.
 */
export function survivors(
  options: SourceMarks & {
    readonly target: Pick<TargetState, "snapshot" | "pairs">;
    readonly mapping: MappingTable;
    /** Without a word, all that were listed. */
    readonly kinds?: readonly string[];
  },
): readonly Diagnostic[] {
  const { target, mapping, kinds = target.snapshot.kinds() } = options;
  const ids = new SourceIds(options);
  const found: Diagnostic[] = [];
  for (const kind of kinds) {
    for (const object of target.snapshot.stream(kind)) {
      if (mapping.claim(kind, object.urn) !== undefined) found.push(...survivorsIn(kind, object, ids));
    }
  }
  return found;
}

/** The same in one object of the target. */
export function survivorsIn(
  kind: string,
  { urn, name, body }: { readonly urn: string; readonly name: string; readonly body: JsonObject },
  ids: Pick<SourceIds, "has">,
): readonly Diagnostic[] {
  const own = once(() => subEntityKeys(body));
  const found: Diagnostic[] = [];
  const survives = (severity: Diagnostic["severity"], value: string, pointer: string): void => {
    found.push({
      severity,
      code: "source-id-at-target",
      coordinate: { kind, urn, name },
      pointer,
      summary: `it still refers to the source: ${value}`,
      suggestion: "Move what it refers to and apply again, or correct the text by hand.",
    });
  };
  const visit: Visit = (form, value, pointer) => {
    // The service has assigned the keys of parts; one that it kept as it was sent is the source's.
    const isKept = form !== "key" || isTemporaryKey(value);
    const isOwn = (): boolean => form === "uuid" && own().has(value);
    if (isKept && !isOwn() && ids.has(sourceKeyOf(value)))
      survives(form === "urn" ? "error" : "warning", value, pointer());
    return value;
  };
  walk(body, visit, (value, pointer) => {
    if (ids.has(value)) survives("warning", value, pointer());
  });
  return found;
}

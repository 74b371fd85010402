import type { Diagnostic } from "../../model/diagnostic.ts";
import type { JsonObject } from "../../model/json.ts";
import type { MappingTable } from "../../model/mapping-table.ts";
import { isUuid, parseUrn } from "../../model/urn.ts";
import type { Visit } from "../../model/walk.ts";
import { walk } from "../../model/walk.ts";
import type { SnapshotReader } from "../../store/index.ts";
import type { SourceMarks } from "../read/source-marks.ts";
import { leadsToSource } from "../read/source-marks.ts";

/**
 * What is left of the source at the target: URNs of its tenant, and ids that belong to its objects. Only objects
 * that this tool wrote or was told to adopt are looked at.
 */
export function survivors(
  options: SourceMarks & {
    readonly target: SnapshotReader;
    readonly mapping: MappingTable;
    /** Without a word, all that were listed. */
    readonly kinds?: readonly string[];
  },
): readonly Diagnostic[] {
  const { target, mapping, kinds = target.kinds() } = options;
  const found: Diagnostic[] = [];
  for (const kind of kinds) {
    for (const object of target.stream(kind)) {
      if (mapping.claim(kind, object.urn) !== undefined) found.push(...survivorsIn(kind, object, options));
    }
  }
  return found;
}

/** The same in one object of the target. */
export function survivorsIn(
  kind: string,
  { urn, name, body }: { readonly urn: string; readonly name: string; readonly body: JsonObject },
  marks: SourceMarks,
): readonly Diagnostic[] {
  const { sourceTenant, sourceIds } = marks;
  const found: Diagnostic[] = [];
  const mark = `:${sourceTenant}:`;
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
    const foreign =
      form === "urn" || form === "embedded"
        ? value.includes(mark) && parseUrn(value)?.tenant === sourceTenant
        : form !== "key" && isUuid(value) && sourceIds.has(value);
    if (foreign) survives(form === "urn" ? "error" : "warning", value, pointer());
    return value;
  };
  walk(body, visit, (value, pointer) => {
    if (leadsToSource(value, marks)) survives("warning", value, pointer());
  });
  return found;
}

import type { Diagnostic } from "../../model/diagnostic.ts";
import type { JsonObject } from "../../model/json.ts";
import type { MappingTable } from "../../model/mapping-table.ts";
import { isUuid, parseUrn } from "../../model/urn.ts";
import { walk } from "../../model/walk.ts";
import type { SnapshotReader } from "../../store/index.ts";

/** By what the source is known again at the target. */
export interface SourceMarks {
  readonly sourceTenant: string;
  /** UUIDs of all that the snapshot holds. */
  readonly sourceIds: Pick<ReadonlySet<string>, "has">;
}

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
  { sourceTenant, sourceIds }: SourceMarks,
): readonly Diagnostic[] {
  const found: Diagnostic[] = [];
  const mark = `:${sourceTenant}:`;
  walk(body, (form, value, pointer) => {
    const foreign =
      form === "urn" || form === "embedded"
        ? value.includes(mark) && parseUrn(value)?.tenant === sourceTenant
        : form !== "key" && isUuid(value) && sourceIds.has(value);
    if (foreign)
      found.push({
        severity: form === "urn" ? "error" : "warning",
        code: "source-id-at-target",
        coordinate: { kind, urn, name },
        pointer: pointer(),
        summary: `it still refers to the source: ${value}`,
        suggestion: "Move what it refers to and apply again, or correct the text by hand.",
      });
    return value;
  });
  return found;
}

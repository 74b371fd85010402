import type { Change } from "../model/change.ts";
import type { Diagnostic } from "../model/diagnostic.ts";
import type { MappingTable } from "../model/mapping-table.ts";
import { isUuid, parseUrn } from "../model/urn.ts";
import { references } from "../model/walk.ts";
import type { SnapshotReader } from "../store/index.ts";

/**
 * What is left of the source at the target: URNs of its tenant, and ids that belong to its objects. Only objects
 * that this tool wrote or was told to adopt are looked at.
 */
export function survivors(options: {
  readonly target: SnapshotReader;
  readonly mapping: MappingTable;
  readonly sourceTenant: string;
  readonly sourceIds: ReadonlySet<string>;
}): readonly Diagnostic[] {
  const { target, mapping, sourceTenant, sourceIds } = options;
  const found: Diagnostic[] = [];
  for (const kind of target.kinds()) {
    for (const { urn, name, body } of target.stream(kind)) {
      if (mapping.claim(kind, urn) === undefined) continue;
      for (const { form, value, pointer } of references(body)) {
        const parts = parseUrn(value);
        const foreign =
          form === "urn" || form === "embedded"
            ? parts?.tenant === sourceTenant
            : form !== "key" && isUuid(value) && sourceIds.has(value);
        if (!foreign) continue;
        found.push({
          severity: form === "urn" ? "error" : "warning",
          code: "source-id-at-target",
          coordinate: { kind, urn, name },
          pointer,
          summary: `it still refers to the source: ${value}`,
          suggestion: "Move what it refers to and apply again, or correct the text by hand.",
        });
      }
    }
  }
  return found;
}

/** Changes that verify does not accept: something is still to be done that policy did not leave to a person. */
export function remaining(changes: readonly Change[]): readonly Change[] {
  return changes.filter((change) => ["create", "update", "replace", "adopt"].includes(change.action));
}

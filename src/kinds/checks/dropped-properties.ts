import type { Diagnostic } from "../../model/diagnostic.ts";
import type { JsonObject } from "../../model/json.ts";
import type { Check, Misfit, ModelTypes } from "../kind.ts";

/** What the plan lets be left out is told once for all objects that have it, and how many those are. */
export function droppedProperties(
  kind: string,
  misfitsOf: (body: JsonObject, types: ModelTypes) => readonly Misfit[],
): Check {
  return {
    name: `dropped-properties-${kind}`,
    run({ changes, policy, source, typesThere }) {
      if (policy.missingProperty !== "drop") return { diagnostics: [] };
      const found = new Map<string, { readonly reason: string; count: number }>();
      for (const change of changes) {
        if (change.kind !== kind || change.source === undefined) continue;
        for (const { about, reason, place } of misfitsOf(source.body(kind, change.source.urn), typesThere)) {
          if (place === undefined) continue;
          const known = found.get(about) ?? { reason, count: 0 };
          known.count += 1;
          found.set(about, known);
        }
      }
      const diagnostics = [...found].map(([about, { reason, count }]): Diagnostic => ({
        severity: "warning",
        code: "property-dropped",
        summary: `${about} is left out, as the plan says (${count} ${count === 1 ? "object has" : "objects have"} it): ${reason}`,
      }));
      return { diagnostics };
    },
  };
}

import type { Diagnostic } from "../../model/diagnostic.ts";
import { isArray, isObject, own } from "../../model/json.ts";
import type { SnapshotReader } from "../../store/index.ts";
import type { DiffInput } from "./input.ts";

/** Fields that no document names: those of the source travel along, those of the target alone count as changed there. */
export function unrecognised({ registry, source, target }: DiffInput): readonly Diagnostic[] {
  const ignoring = (kind: string): string =>
    `policy.ignoreFields: { ${registry.movedKind(kind)?.selectedAs ?? kind}: [field] }.`;
  const here = named(source, "unrecognised");
  const along = [...here].map(([kind, names]): Diagnostic => ({
    severity: "info",
    code: "unrecognised-field",
    summary: `${kind} carry fields that the documents do not name: ${names.join(", ")}`,
    detail: "They travel along as they are; ids in them are rewritten like everywhere else.",
    suggestion: `Where the service fills them itself, say so in the plan: ${ignoring(kind)}`,
  }));
  const stay = [...named(source, "unnamed")].map(([kind, names]): Diagnostic => ({
    severity: "info",
    code: "unrecognised-field",
    summary: `what ${kind} lies over carries fields that the documents do not name: ${names.join(", ")}`,
    detail: "They stay where they are: nobody says whether people write them.",
  }));
  const there = [...named(target.snapshot, "unrecognised")].flatMap(([kind, names]): Diagnostic | [] => {
    const others = names.filter((name) => here.get(kind)?.includes(name) !== true);
    if (others.length === 0) return [];
    return {
      severity: "info",
      code: "unrecognised-field",
      summary: `${kind} of the target alone carry fields that the documents do not name: ${others.join(", ")}`,
      detail: "Whatever was moved, and has them, counts as changed at the target.",
      suggestion: `Where the service fills them itself (it may be newer there), say so in the plan: ${ignoring(kind)}`,
    };
  });
  return [...along, ...stay, ...there];
}

function named({ manifest }: SnapshotReader, note: string): ReadonlyMap<string, readonly string[]> {
  const fields = isObject(manifest.notes) ? own(manifest.notes, note) : undefined;
  if (!isObject(fields)) return new Map();
  return new Map(
    Object.entries(fields).map(([kind, names]) => [kind, isArray(names) ? names.map(String) : []]),
  );
}

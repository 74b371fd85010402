import type { Registry } from "../../kinds/registry.ts";
import type { AppliedChange } from "../../model/change.ts";
import type { Diagnostic } from "../../model/diagnostic.ts";
import type { ReadClient } from "../../service/index.ts";
import type { SnapshotReader } from "../../store/index.ts";

/**
 * What a run has deleted, and the target shows all the same: nothing else would tell it, for no row of the mapping leads there any
 * more. Lists may lag behind, so each is asked for by itself. Throws what the client throws.
 */
export async function notDeleted(
  changes: readonly AppliedChange[],
  target: Pick<SnapshotReader, "has" | "body">,
  { client, registry }: { readonly client: ReadClient; readonly registry: Registry },
): Promise<readonly Diagnostic[]> {
  const shown = changes.flatMap(({ kind, action, outcome, target: deleted }) =>
    action === "delete" && outcome === "done" && deleted !== undefined && target.has(kind, deleted.urn)
      ? [{ kind, ...deleted }]
      : [],
  );
  const found = shown.map(async (deleted): Promise<readonly Diagnostic[]> => {
    const { kind, urn, name } = deleted;
    const moved = registry.movedKind(kind);
    if (moved?.one !== undefined && (await moved.one(client, urn, target.body(kind, urn))) === undefined)
      return [];
    return [
      {
        severity: "error",
        code: "verify-difference",
        coordinate: { kind, urn, name },
        summary: "the target is not as it should be: this run has deleted it, and it is there",
        suggestion: "Look at it in the web application, and delete it there if it is to go.",
      },
    ];
  });
  return (await Promise.all(found)).flat();
}

import type { Diff } from "../engine/diff/index.ts";
import type { Diagnostic } from "../model/diagnostic.ts";
import type { SnapshotReader } from "../store/index.ts";
import type { Migration } from "./migration.ts";
import { draftReader } from "../engine/facets/drafts.ts";

/**
 * Unpublished changes at the source: they stay behind, since only what is published is moved (document 2, Migration
 * rules 5). Lists do not show them, so this costs one request for each selected object that can have a draft; a
 * draft of something that was never published shows nowhere.
 */
export async function sourceDrafts(
  migration: Migration,
  diff: Diff,
  source: SnapshotReader,
): Promise<readonly Diagnostic[]> {
  migration.report({ type: "stage", stage: "look for drafts", detail: migration.plan.source.name });
  const client = migration.source();
  const found = await Promise.all(
    diff.changes.map(async (change): Promise<readonly Diagnostic[]> => {
      const kind = (await migration.kinds("source")).movedKind(change.kind);
      const urn = change.source?.urn ?? "";
      const readDraft = draftReader(kind);
      if (kind === undefined || readDraft === undefined) return [];
      if (!source.has(kind.name, urn)) return [];
      const name = change.source?.name ?? "";
      const draft = await readDraft(client, { urn, name, body: source.body(kind.name, urn) });
      if (draft === undefined) return [];
      return [
        {
          severity: "warning",
          code: "source-draft",
          coordinate: { kind: kind.name, urn, name },
          summary: "it has changes at the source that are not published; they stay behind",
          suggestion: "Publish them at the source and run again, or leave them.",
        },
      ];
    }),
  );
  return found.flat();
}

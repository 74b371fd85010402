import type { LinkKind } from "../../kinds/kind.ts";
import type { Registry } from "../../kinds/registry.ts";
import { passingTrouble } from "../../kinds/trouble.ts";
import type { Change } from "../../model/change.ts";
import type { JsonObject } from "../../model/json.ts";
import type { MappingTable } from "../../model/mapping-table.ts";
import type { ReadClient } from "../../service/index.ts";
import { bounded, looksAtOnce } from "../bounded.ts";
import type { Diff } from "../diff/index.ts";
import { onlyAdds } from "../facets/standing.ts";
import { withHeld } from "./held.ts";

/**
 * Relations that a run has added already, and that the target lacks all the same: somebody has taken them away, or the target has
 * them by its own doing, and keeps them so whoever adds them. In that case each run would add them again. A list of the
 * kind does not tell which of the two it is: what lacks such is asked for by itself.
 */
export async function withoutHadOtherwise(
  diff: Diff,
  {
    registry,
    mapping,
    client,
  }: {
    readonly registry: Pick<Registry, "movedKind">;
    readonly mapping: Pick<MappingTable, "get">;
    readonly client: ReadClient;
  },
): Promise<Diff> {
  const added = diff.changes
    .entries()
    .flatMap(([at, change]) => {
      if (change.action !== "update") return [];
      const kind = registry.movedKind(change.kind);
      return onlyAdds(kind) && wasAdded(change, mapping) ? [{ at, change, kind }] : [];
    })
    .toArray();
  const put = new Map<number, Change>();
  await bounded(added, looksAtOnce, async ({ at, change, kind }) => {
    const { target, work } = change;
    if (target === undefined || work?.patch === undefined) return;
    if (await hasOtherwise(kind, client, target.urn, work.patch)) put.set(at, asItIs(change));
  });
  return withHeld(diff, put);
}

/** The source says what it said when a run has brought it there. */
function wasAdded({ kind, source, target, work }: Change, mapping: Pick<MappingTable, "get">): boolean {
  if (source === undefined || work?.sourceFingerprint === undefined) return false;
  const row = mapping.get(kind, source.urn);
  return row !== undefined && row.target === target?.urn && row.sourceFingerprint === work.sourceFingerprint;
}

/** What cannot be asked is added once more: that makes nothing twice. */
async function hasOtherwise(
  kind: LinkKind,
  client: ReadClient,
  target: string,
  body: JsonObject,
): Promise<boolean> {
  try {
    return (await kind.hasOtherwise?.(client, target, body)) === true;
  } catch (error) {
    passingTrouble(error);
    return false;
  }
}

function asItIs({ work: _work, ...change }: Change): Change {
  const reason = "the target has what it lacks by its own doing, and keeps it so";
  return { ...change, action: "unchanged", reason, fields: [], diagnostics: [], dependsOn: [] };
}

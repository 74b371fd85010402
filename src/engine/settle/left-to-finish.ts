import type { Registry } from "../../kinds/registry.ts";
import { keyText } from "../../model/key.ts";
import type { MappingTable } from "../../model/mapping-table.ts";
import type { ReadClient } from "../../service/index.ts";
import { isDraftOf } from "../drafts.ts";
import { draftReader } from "../facets/drafts.ts";
import { stepNamed } from "../facets/steps.ts";
import type { TargetState } from "../read/target.ts";

/**
 * For looking: keys of the objects whose change an interrupted run has sent and not brought to its end, which the next
 * apply does. What lists show of them is what was there before; that is no change of somebody else. Where a draft shows
 * and is not ours any more, nothing is brought to its end.
 */
export async function leftToFinish({
  client,
  registry,
  mapping,
  target,
  abandoned,
}: {
  readonly client: ReadClient;
  readonly registry: Registry;
  readonly mapping: MappingTable;
  readonly target: Pick<TargetState, "snapshot">;
  readonly abandoned?: { has(kind: string, source: string): boolean } | undefined;
}): Promise<ReadonlySet<string>> {
  const { snapshot } = target;
  const listed = new Set(snapshot.kinds());
  const left = new Set<string>();
  for (const kind of registry.moved()) {
    if (!listed.has(kind.name)) continue;
    const reads = draftReader(kind);
    for (const [source, { name, target: urn, unfinished, targetFingerprint }] of mapping.unfinished(
      kind.name,
    )) {
      if (stepNamed(kind, unfinished)?.settle !== "repeat") continue;
      if (abandoned?.has(kind.name, source) === true || !snapshot.has(kind.name, urn)) continue;
      const draft = await reads?.(client, { urn, name, body: snapshot.body(kind.name, urn) });
      const isOurs =
        reads === undefined || (draft !== undefined && isDraftOf(kind, draft, [targetFingerprint]));
      if (isOurs) left.add(keyText(kind.name, source));
    }
  }
  return left;
}

import type { Registry } from "../../kinds/registry.ts";
import type { Change } from "../../model/change.ts";
import type { Key } from "../../model/key.ts";
import type { MappingEntry } from "../../model/mapping.ts";
import type { MappingTable } from "../../model/mapping-table.ts";
import type { SnapshotReader } from "../../store/index.ts";
import { inherited } from "../diff/compare.ts";
import { liesOver } from "../facets/standing.ts";
import type { TargetState } from "../read/target.ts";
import type { Recorder } from "./recorder.ts";

interface PassOptions {
  readonly registry: Registry;
  readonly changes: readonly Change[];
  readonly forgotten: readonly Key[];
  readonly mapping: MappingTable;
  readonly source: SnapshotReader;
  readonly target: Pick<TargetState, "overlays">;
  readonly recorder: Pick<Recorder, "entry">;
}

/**
 * What the mapping knows no more goes. The row of what lay over something goes on with what lies there by now: whether that is
 * written in this run, and comes to its end, or is left to a person, the next one is to know what was brought there, and what
 * somebody has made of it since.
 */
export async function passOn(options: PassOptions): Promise<void> {
  const { forgotten, mapping, recorder } = options;
  // All are looked for before any goes: two tables may have swapped their names.
  const heirs = [...heirsIn(options)];
  const going = [...forgotten, ...heirs.map(({ before }) => before)].filter(({ kind, id }) =>
    mapping.has(kind, id),
  );
  // Durable together: a run that dies in between would have let go of what nobody has yet.
  await Promise.all([
    ...going.map(async ({ kind, id }) => recorder.entry(kind, id, null)),
    ...heirs.map(async ({ kind, id, row }) => recorder.entry(kind, id, row)),
  ]);
}

interface Heir extends Key {
  readonly row: MappingEntry;
  readonly before: Key;
}

function* heirsIn({ changes, registry, mapping, ...of }: PassOptions): Generator<Heir, void> {
  for (const change of changes) {
    // These are written down with what both sides say now. There may be a million: nothing more of them is looked up.
    if (change.action === "adopt" || change.action === "unchanged") continue;
    const { kind: name, source, target } = change;
    const kind = registry.movedKind(name);
    if (source === undefined || target === undefined || kind === undefined || !liesOver(kind)) continue;
    if (mapping.targetOf(name, source.urn) === target.urn) continue;
    const id = mapping.claim(name, target.urn);
    if (id === undefined) continue;
    const row = inherited({ kind }, target.urn, { mapping, ...of });
    // Of a pair that nothing was brought to there is nothing to know.
    if (row?.sourceFingerprint === undefined) continue;
    yield { kind: name, id: source.urn, row: { ...row, name: source.name }, before: { kind: name, id } };
  }
}

import { join } from "node:path";
import { computeDiff } from "../../src/engine/diff/index.ts";
import { readTargetFor } from "../../src/operations/compare.ts";
import { exportSnapshot } from "../../src/operations/export.ts";
import { Migration, partiesOf } from "../../src/operations/migration.ts";
import { fileStore } from "../../src/store/index.ts";
import { readState } from "../../src/operations/state.ts";
import { registry } from "../../src/kinds/index.ts";
import type { Plan } from "../../src/model/plan.ts";

export interface DiffTask {
  readonly type: "diff";
  readonly plan: Plan;
  readonly folder: string;
  readonly times: number;
}

export interface DiffReport {
  readonly ms: readonly number[];
  readonly changes: number;
  readonly unchanged: number;
}

/** The diff alone, over snapshots on disk: both sides were read before. */
export async function timeDiff({ plan, folder, times }: DiffTask): Promise<DiffReport> {
  const migration = new Migration({
    plan,
    registry,
    tool: "urn-ferry bench",
    version: "bench",
    store: fileStore({
      plan: plan.name,
      parties: partiesOf(plan),
      workDir: join(folder, "plans"),
      mappingsDir: join(folder, "mappings"),
      tool: "urn-ferry bench",
    }),
  });
  const source = await exportSnapshot(migration);
  const { mapping } = await readState(migration);
  const target = await readTargetFor(migration, source, mapping, migration.targetReads());
  const ms: number[] = [];
  let changes: readonly { readonly action: string }[] = [];
  for (let time = 0; time < times; time += 1) {
    const began = performance.now();
    ({ changes } = computeDiff({
      registry,
      plan,
      source,
      target,
      mapping,
      inDoubt: new Set(),
      notOffered: new Set(),
    }));
    ms.push(performance.now() - began);
  }
  await migration.close();
  return {
    ms,
    changes: changes.length,
    unchanged: changes.filter(({ action }) => action === "unchanged").length,
  };
}

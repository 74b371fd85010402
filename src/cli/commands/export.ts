import { shellWord } from "../../model/shell-word.ts";
import { plural } from "../../model/plural.ts";
import { exportSnapshot } from "../../operations/export.ts";
import { resultOf } from "../../operations/result.ts";
import type { CommonFlags } from "../flags.ts";
import type { Io } from "../io.ts";
import { runOnPlan } from "../session.ts";

export async function runExport(io: Io, plan: string, flags: CommonFlags): Promise<number> {
  return runOnPlan({ io, command: "export", plan, flags }, async ({ migration, places }) => {
    const snapshot = await exportSnapshot(migration);
    snapshot.close();
    const { kinds, digest, at } = snapshot.manifest;
    const counts = Object.fromEntries(Object.entries(kinds).map(([kind, { count }]) => [kind, count]));
    const total = Object.values(counts).reduce((sum, count) => sum + count, 0);
    return resultOf(migration, {
      command: "export",
      exitCode: 0,
      headline: `${plural(total, "object")} of ${migration.plan.source.name} in ${places.snapshot}`,
      next: [`ferry diff ${migration.plan.name} --snapshot ${shellWord(places.snapshot)}`],
      details: { folder: places.snapshot, at, digest, kinds: counts },
    });
  });
}

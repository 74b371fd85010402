import type { Migration } from "../migration.ts";
import type { Examination } from "./examination.ts";
import { findModelGaps } from "./model-gaps.ts";

/** Whether the target's metadata model has a place for all that the plan's kinds may carry. */
export async function checkModel(migration: Migration, examination: Examination): Promise<void> {
  const { name } = migration.plan.target;
  await examination.look(name, "types and properties", async () => {
    const gaps = await findModelGaps(migration);
    examination.tell(gaps);
    return gaps.length === 0
      ? `${name} has all types and properties that the plan's kinds may carry`
      : `${name} lacks ${gaps.length} of them`;
  });
}

import { beforeEach } from "vitest";
import { seedTerm } from "../../../src/emulator/seed.ts";
import { furnish } from "./little.ts";
import { useStage } from "./stage.ts";

/** Eight terms that a sync has moved, before each test of the file. */
export function useMovedTerms(): ReturnType<typeof useStage> {
  const stage = useStage();
  beforeEach(async () => {
    furnish(stage().dev);
    for (const name of ["A", "B", "C", "D", "E", "F"]) seedTerm(stage().dev, { name });
    stage().plan({ select: { kinds: ["terms"] } });
    await stage().ferry("sync move --yes");
  });
  return stage;
}

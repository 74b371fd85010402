import { expect, test } from "vitest";
import * as seed from "../../src/emulator/seed.ts";
import type { Result } from "../../src/model/result.ts";
import { exitCodes } from "../../src/model/result.ts";
import { rollbackRun } from "../../src/operations/rollback.ts";
import { countries, rowsStage } from "./support.ts";

/** Rows were written behind the configuration: where they cannot be taken back, that stays as it is. */

test("what a run has made besides rows stays where nobody may take these back", async () => {
  const s = await rowsStage({
    source: countries(2),
    plan: { select: { kinds: ["reference-data", "terms"] } },
  });
  seed.seedTerm(s.dev, { name: "Country" });
  expect((await s.apply()).exitCode).toBe(exitCodes.done);
  s.world.emulator.faults.add({
    match: { tenant: "prod", path: "/\\/draft\\//" },
    effect: { type: "status", code: 403 },
  });
  const back = async (): Promise<Result> =>
    rollbackRun(s.world.migration(s.changes), { allowDelete: true, confirm: async () => true });
  const result = await back();
  expect(result.exitCode).toBe(exitCodes.permission);
  expect(result.changes.find(({ kind }) => kind === "terms")?.outcome).toBe("not-started");
  expect(s.prod.terms.size).toBe(1);
  s.world.emulator.faults.clear();
  expect((await back()).exitCode).toBe(exitCodes.done);
  expect([s.prod.terms.size, s.published()]).toEqual([0, {}]);
});

import { join } from "node:path";
import { describe, expect, it } from "vitest";
import * as seed from "../../src/emulator/seed.ts";
import { diffPlan } from "../../src/operations/diff.ts";
import { rollbackRun } from "../../src/operations/rollback.ts";
import type { RowsStage } from "./support.ts";
import { recordOf, rowsStage } from "./support.ts";

const there = [
  { code: "DE", name: "old" },
  { code: "FR", name: "France" },
];
const source = [
  { code: "DE", name: "shown" },
  { code: "FR", name: "France" },
];

/** A colleague changes the source, and looks what a plan would do: that needs no lock. */
async function lookMeanwhile(stage: RowsStage, code: string, remove = false): Promise<void> {
  const record = recordOf(stage.source, code);
  if (record === undefined) throw new Error(`the source has no ${code}`);
  seed.editRecord(stage.source, record, { name: "never shown" });
  const changes = { ...stage.changes, records: { ...stage.changes.records, remove } };
  await diffPlan(stage.world.migration(changes));
}

describe("while a person is asked, somebody looks at the same plan", () => {
  it.each([false, true])("what was shown is written; approved: %s", async (isApproved) => {
    const stage = await rowsStage({ source, target: there, kept: "files" });
    const diff = join(stage.world.folder, "approved.json");
    await diffPlan(stage.world.migration(stage.changes), { out: diff });
    await stage.apply({
      ...(isApproved ? { diff } : {}),
      verify: false,
      async confirm() {
        for (const code of ["DE", "FR"]) await lookMeanwhile(stage, code);
        return true;
      },
    });
    expect(stage.published()).toMatchObject({ DE: { name: "shown" }, FR: { name: "France" } });
  });

  it("and with deletes: what was not to be deleted stays", async () => {
    const stage = await rowsStage({
      source,
      target: [...there, { code: "X", name: "theirs" }],
      kept: "files",
    });
    await stage.apply({
      allowDelete: true,
      maxDeletes: 0,
      verify: false,
      async confirm() {
        await lookMeanwhile(stage, "FR", true);
        return true;
      },
    });
    expect(stage.published()).toMatchObject({ DE: { name: "shown" }, X: { name: "theirs" } });
  });

  it("a rollback takes back what it has shown", async () => {
    const stage = await rowsStage({ source, target: there, kept: "files" });
    await stage.apply({ verify: false });
    await rollbackRun(stage.world.migration(stage.changes), {
      allowDelete: true,
      async confirm() {
        await lookMeanwhile(stage, "FR");
        return true;
      },
    });
    expect(stage.published()).toMatchObject({ DE: { name: "old" }, FR: { name: "France" } });
  });
});

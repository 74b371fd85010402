import { expect, test } from "vitest";
import { exitCodes } from "../../src/model/result.ts";
import { rollbackRun } from "../../src/operations/rollback.ts";
import { removeFolder, removeMonitor, removeRule } from "../diff/support/web.ts";
import { everything, seedBorn } from "./support/born.ts";
import { itemCalled, removeSqlItem } from "./support/catalog.ts";
import { changeOf, fresh } from "./support/place.ts";

test("a deleted SQL item comes back without what lay over its columns, and a rollback says so", async () => {
  const at = await fresh();
  const { item, monitor } = seedBorn(at.source);
  await at.apply(everything);
  removeMonitor(at.source, monitor);
  removeSqlItem(at.source, item);
  removeRule(at.source, at.source.rule("Rule of Active"));
  removeFolder(at.source, at.source.folder("Folder of Active"));
  expect((await at.apply(everything, { allowDelete: true })).exitCode).toBe(exitCodes.done);
  at.world.emulator.log.clear();

  const back = await rollbackRun(at.world.migration(everything), {
    confirm: async () => true,
    allowDelete: true,
  });
  expect(back.exitCode).toBe(exitCodes.partial);
  expect(itemCalled(at.target, "Active").name).toBe("Active");
  const summaries = (urn: string): readonly string[] =>
    changeOf(back, urn).diagnostics.map(({ summary }) => summary);
  expect(summaries(item).join()).toContain("comes back with columns of its own");
  expect(changeOf(back, monitor)).toMatchObject({ action: "manual" });
  expect(summaries(monitor).join()).toContain("leads to a column of an SQL item that the run deleted");
  // The service was not asked for what it would have refused.
  expect(at.writes().filter(({ status }) => status >= 400)).toEqual([]);
});

import { expect, test } from "vitest";
import * as seed from "../../src/emulator/seed.ts";
import type { Result } from "../../src/model/result.ts";
import { applyPlan } from "../../src/operations/apply.ts";
import type { RowsStage } from "./support.ts";
import { countries, diesAt, recordOf, rowsStage } from "./support.ts";

/** Two plans of the same two environments that move one table: each has a folder of its own, and what is known of rows is one. */

const several = countries(250);

/** The first plan has compared all rows, and is killed while it writes them. */
async function killed(remove = false): Promise<RowsStage> {
  const stage = await rowsStage({
    source: several,
    remove,
    plan: { limits: { concurrency: 1, quietPeriodMs: 10 } },
  });
  expect(await diesAt("send:after", 1, async (hooks) => stage.apply({ verify: false }, { hooks }))).toBe(
    true,
  );
  return stage;
}

const other = ({ world, changes }: RowsStage): ReturnType<RowsStage["world"]["migration"]> =>
  world.migration({ ...changes, name: "other" });

async function applyOther(stage: RowsStage): Promise<Result> {
  return applyPlan(other(stage), { confirm: async () => true, verify: true, allowDelete: true });
}

test("a run that goes on makes nothing again that another plan has brought, and that somebody has removed since", async () => {
  const stage = await killed();
  expect((await applyOther(stage)).exitCode).toBe(0);
  const gone = recordOf(stage.target, "C249");
  if (gone === undefined) throw new Error("the other plan has not brought it");
  seed.removeRecord(stage.target, gone);
  expect((await stage.apply()).summary).toMatchObject({ create: 0, drift: 1 });
  expect(stage.target.publishedCount).toBe(249);
});

test("nor what another plan has brought, and removed again with the source", async () => {
  const stage = await killed(true);
  await applyOther(stage);
  const gone = recordOf(stage.source, "C249");
  if (gone === undefined) throw new Error("the source does not have it");
  seed.removeRecord(stage.source, gone);
  expect((await applyOther(stage)).summary).toMatchObject({ delete: 1 });
  expect((await stage.apply()).summary).toMatchObject({ create: 0 });
  expect(stage.target.publishedCount).toBe(249);
});

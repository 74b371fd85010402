import { expect, test } from "vitest";
import { masterDataBooks as books } from "../../src/emulator/index.ts";
import { exitCodes } from "../../src/model/result.ts";
import type { InstanceEntity, MasterEntity, Stage } from "./masters-stage.ts";
import { author, authored, crmProd, masterParty, party, put, stage } from "./masters-stage.ts";
import { diesAt } from "./support.ts";

/** A run is killed while it removes what only the target has, and the plan's filter looks at fewer of these rows by now. */

const seen =
  /^an interrupted run had begun to delete 1 row \([^()]*\bA\), which the plan does not ask for any more \(records\.remove, a filter, or the source has it by now\): nothing of it stands, and nothing was deleted$/;

async function killed(here: Stage): Promise<void> {
  const dies = diesAt("intent:after", 1, async (hooks) =>
    here.apply({ allowDelete: true, verify: false }, { hooks }),
  );
  expect(await dies).toBe(true);
}

/** The next one, which looks at one of the two. */
async function narrowed(here: Stage, to: InstanceEntity | MasterEntity): Promise<void> {
  await killed(here);
  here.name(to);
  const [foreseen] = (await here.diff()).changes;
  expect(foreseen?.records).toMatchObject({ blocked: 2 });
  expect(foreseen?.diagnostics.map(({ summary }) => summary)).toContainEqual(
    expect.stringMatching(
      /^the row [^:]*\bA: an interrupted run has begun to delete it, which the plan does not ask/,
    ),
  );
  const result = await here.apply({ allowDelete: true });
  expect(result.exitCode).toBe(exitCodes.done);
  expect(result.diagnostics.map(({ summary }) => summary)).toContainEqual(expect.stringMatching(seen));
}

test.each([
  ["another column", { ...masterParty, filter: { published_by: "steward*", cmo_name: "b" } }],
  ["a column of the key", { ...masterParty, filter: { published_by: "steward*", cmo_code: "B" } }],
  ["who has published it", { ...masterParty, filter: { published_by: "steward b" } }],
])("a master that it does not look at stays (%s)", async (_what, to) => {
  const here = await stage([masterParty], true);
  for (const [code, name] of [
    ["A", "a"],
    ["B", "b"],
  ] as const) {
    const attributes = { cmo_code: code, cmo_name: name };
    books.authorMaster(here.prod, { entity: "party", attributes, by: `steward ${name}` });
  }
  await narrowed(here, to);
  expect(Object.keys(authored(here.prod, "party"))).toEqual(["A"]);
});

test.each([
  ["a column", { ...party, filter: { src_name: "b" } }],
  ["the id", { ...party, filter: { source_id: "B" } }],
])("so does an instance (%s)", async (_what, to) => {
  const here = await stage([party], true);
  put(here.prod, "A", { src_name: "a" });
  put(here.prod, "B", { src_name: "b" });
  await narrowed(here, to);
  const activity = ["A", "B"].map((id) => here.prod.byKey("party", crmProd, id)?.activity);
  expect(activity).toEqual([undefined, false]);
});

test("under the filter that it had, all of them go", async () => {
  const here = await stage([masterParty], true);
  for (const code of ["A", "B"]) author(here.prod, { cmo_code: code, cmo_name: code }, "party");
  await killed(here);
  expect((await here.apply({ allowDelete: true })).exitCode).toBe(exitCodes.done);
  expect(authored(here.prod, "party")).toEqual({});
});

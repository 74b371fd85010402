import { expect, test } from "vitest";
import { masterDataBooks as books } from "../../src/emulator/index.ts";
import { exitCodes } from "../../src/model/result.ts";
import { author, authored, crmProd, party, put, segment, stage } from "./masters-stage.ts";
import type { Stage } from "./masters-stage.ts";

/** A deletion whose answer was lost is sent again only where nobody has changed the master since it was sent for the first time. */

/** Of a master, and of an instance. */
const removals = [{ method: "DELETE" }, { method: "PUT", path: "/\\/deactivate$/" }];

/** The first request comes to nothing, and right after it somebody is there. */
function meanwhile({ made }: Stage, act: () => void): void {
  made.emulator.faults.add({
    match: { method: "DELETE" },
    when: { times: 1 },
    effect: { type: "drop-before-commit" },
  });
  let isDone = false;
  made.emulator.on(({ phase, entry }) => {
    if (entry.method !== "DELETE" || phase !== "received" || isDone) return;
    isDone = true;
    act();
  });
}

test("a master that somebody has changed since is left, and named", async () => {
  const here = await stage([segment], true);
  author(here.dev, { cmo_code: "A" });
  author(here.prod, { cmo_code: "X", cmo_name: "only here" });
  meanwhile(here, () => {
    const [row] = books.findMasters(here.prod, "segment", "cmo_code", "X");
    if (row !== undefined) books.writeMaster(here.prod, row, { cmo_name: "somebody's" });
  });
  const result = await here.apply({ allowDelete: true });
  expect([result.exitCode, authored(here.prod)["X"]]).toEqual([
    exitCodes.partial,
    expect.objectContaining({ cmo_name: "somebody's" }),
  ]);
  expect(result.changes.flatMap(({ diagnostics }) => diagnostics)).toContainEqual(
    expect.objectContaining({ summary: expect.stringContaining("the row X: somebody has changed it since") }),
  );
});

test("where nobody was there it is sent again, and where it has arrived after all it is done", async () => {
  for (const type of ["drop-before-commit", "drop-after-commit"] as const) {
    const here = await stage([party, segment], true);
    put(here.prod, "X", { src_name: "only here" });
    author(here.prod, { cmo_code: "X", cmo_name: "only here" });
    for (const match of removals)
      here.made.emulator.faults.add({ match, when: { times: 2 }, effect: { type } });
    expect((await here.apply({ allowDelete: true })).exitCode).toBe(exitCodes.done);
    expect(authored(here.prod)).toEqual({});
    expect(books.findInstance(here.prod, "party", crmProd, "X")?.activity).toBe(false);
  }
});

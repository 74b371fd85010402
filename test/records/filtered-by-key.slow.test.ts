import { expect, test } from "vitest";
import { masterDataBooks as books } from "../../src/emulator/index.ts";
import { exitCodes } from "../../src/model/result.ts";
import { author, authored, crm, party, put, segment, stage } from "./masters-stage.ts";

/**
 * A plan may filter by what rows are known by. Before a row is removed the source is asked for it by its key, and no request names
 * a column twice.
 */

test("masters: what the source has no more is removed", async () => {
  const here = await stage([{ ...segment, filter: { cmo_code: "K*" } }], true);
  const gone = author(here.dev, { cmo_code: "K1" });
  author(here.dev, { cmo_code: "K2" });
  author(here.prod, { cmo_code: "OTHER" });
  expect((await here.apply()).exitCode).toBe(exitCodes.done);
  here.dev.masters("segment")?.delete(gone);
  expect((await here.apply({ allowDelete: true })).exitCode).toBe(exitCodes.done);
  expect(Object.keys(authored(here.prod)).sort()).toEqual(["K2", "OTHER"]);
});

test("instances: the same", async () => {
  const here = await stage([{ ...party, filter: { source_id: "K*" } }], true);
  for (const id of ["K1", "K2"]) put(here.dev, id, { src_name: id });
  put(here.prod, "OTHER", { src_name: "theirs" });
  expect((await here.apply()).exitCode).toBe(exitCodes.done);
  const gone = books.findInstance(here.dev, "party", crm, "K1");
  if (gone !== undefined) here.dev.instances("party")?.delete(gone);
  const removed = await here.apply({ allowDelete: true });
  expect(removed.exitCode).toBe(exitCodes.done);
  expect(removed.changes[0]?.records).toMatchObject({ delete: 1, done: 1 });
});

test.each(["masters", "instances"] as const)(
  "%s: it is asked for the rows that are gone, and its list is read once, however many those are",
  async (what) => {
    const filtered =
      what === "masters"
        ? { ...segment, filter: { cmo_code: "K*" } }
        : { ...party, filter: { source_id: "K*" } };
    const here = await stage([filtered], true);
    for (let number = 0; number < 250; number += 1) {
      if (what === "masters") author(here.dev, { cmo_code: `K${number}` });
      else put(here.dev, `K${number}`, { src_name: "one" });
    }
    expect((await here.apply()).exitCode).toBe(exitCodes.done);
    const table = what === "masters" ? here.dev.masters("segment") : here.dev.instances("party");
    for (const row of [...(table?.rows ?? [])].slice(10)) table?.delete(row as never);
    /** So many times the whole of the list was asked for. */
    const lists = async (): Promise<number> => {
      const { log } = here.made.emulator;
      log.clear();
      const settings = { allowDelete: true, maxDeletes: 240, verify: false };
      expect((await here.apply(settings)).exitCode).toBe(exitCodes.done);
      return log.entries.filter((entry) => entry.tenant === "dev" && JSON.stringify(entry).includes("K*"))
        .length;
    };
    const removing = await lists();
    const active =
      what === "masters" ? here.prod.masters("segment")?.rows : here.prod.instances("party")?.rows;
    expect([...(active ?? [])].filter((row) => row.activity !== false)).toHaveLength(10);
    expect(removing).toBe(await lists());
  },
);

import { expect, test } from "vitest";
import { masterDataBooks as books } from "../../src/emulator/index.ts";
import * as seed from "../../src/emulator/seed.ts";
import { crmProd, party, put, stage } from "./masters-stage.ts";
import { recordOf, rowsStage } from "./support.ts";

/** What a colleague writes beside it while a row is changed is theirs: it is no form in which the service shows what was sent. */

test("into another attribute of a row of reference data, before the run reads it back", async () => {
  const at = await rowsStage({
    source: [{ code: "DE", name: "b" }],
    target: [{ code: "DE", name: "a" }],
  });
  let isPublished = false;
  at.world.emulator.on(({ phase, entry }) => {
    if (phase === "received" && entry.path.endsWith("/draft/publish")) isPublished = true;
    const record = recordOf(at.target, "DE");
    if (!isPublished || phase !== "received" || !entry.path.endsWith("/published/filter")) return;
    isPublished = false;
    if (record !== undefined) seed.editRecord(at.target, record, { area: 77 });
  });
  await at.apply();
  expect(await at.apply()).toMatchObject({ exitCode: 4, changes: [{ records: { drift: 1 } }] });
  const source = recordOf(at.source, "DE");
  if (source === undefined) throw new Error("the source has no DE");
  seed.editRecord(at.source, source, { name: "c" });
  expect((await at.apply()).changes[0]?.records).toMatchObject({ conflict: 1 });
  expect(at.published()["DE"]).toEqual({ code: "DE", name: "b", area: 77 });
});

test("into another column of an instance, before the run writes it", async () => {
  const here = await stage([party]);
  put(here.dev, "P1", { src_name: "b" });
  put(here.prod, "P1", { src_name: "a" });
  let looks = 0;
  here.made.emulator.on(({ phase, entry }) => {
    if (phase !== "received" || entry.tenant !== "prod" || entry.query["source_id"] === undefined) return;
    looks += 1;
    if (looks === 2) put(here.prod, "P1", { src_phone: "theirs" });
  });
  await here.apply();
  expect(await here.apply()).toMatchObject({ exitCode: 4, changes: [{ records: { drift: 1 } }] });
  put(here.dev, "P1", { src_name: "c" });
  expect((await here.apply()).changes[0]?.records).toMatchObject({ conflict: 1 });
  expect(books.findInstance(here.prod, "party", crmProd, "P1")?.source).toMatchObject({
    src_name: "b",
    src_phone: "theirs",
  });
});

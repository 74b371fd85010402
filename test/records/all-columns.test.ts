import { expect, test } from "vitest";
import { masterDataBooks as books } from "../../src/emulator/index.ts";
import { exitCodes } from "../../src/model/result.ts";
import {
  adr,
  adrProd,
  address,
  author,
  authored,
  crm,
  crmProd,
  masterParty,
  party,
  put,
  stage,
} from "./masters-stage.ts";

/** `*` means all columns, and none of what a row has beside them. */
const all = { columns: ["*"], activity: true };

test.each([false, true])(
  "all columns of instances are moved by one pattern (overrides: %s)",
  async (overrides) => {
    const origins = { [crm]: crmProd, [adr]: adrProd };
    const here = await stage([
      { ...party, ...all, overrides, origins, relationships: ["addresses"] },
      { ...address, ...all, overrides, origins },
    ]);
    const one = put(here.dev, "A", { src_name: "A", src_is_vip: true }, { overrides: { src_note: "over" } });
    put(here.dev, "B", { src_name: "B" }, { activity: false, sourceTime: Date.UTC(2026, 0, 1) });
    const fields = { entity: "address", origin: adr, sourceId: "A1", attributes: { src_city: "Bern" } };
    books.relate(here.dev, one, "addresses", books.putInstance(here.dev, fields));
    const first = await here.apply();
    expect([first.exitCode, first.summary.blocked, first.summary.create]).toEqual([exitCodes.done, 0, 3]);
    const before = here.writes();
    const again = await here.apply();
    expect([again.exitCode, here.writes() - before]).toEqual([exitCodes.done, 0]);
    const moved = books.findInstance(here.prod, "party", crmProd, "A");
    expect(moved?.source).toEqual({ src_name: "A", src_is_vip: true });
    expect(moved?.overrides).toEqual(overrides ? { src_note: "over" } : undefined);
  },
);

test("and of masters, with their relations", async () => {
  const master = { ...masterParty, ...all };
  const places = { ...master, entity: "address", key: ["cmo_street", "cmo_zip"], relationships: ["party"] };
  const here = await stage([master, places]);
  const owner = author(here.dev, { cmo_code: "HOUSE", cmo_name: "house" }, "party");
  const shop = author(here.dev, { cmo_street: "1 Market", cmo_zip: "1" }, "address");
  books.relateMasters(here.dev, owner, "addresses", shop);
  books.setActivity(here.dev, author(here.dev, { cmo_code: "GONE" }, "party"), false);
  const first = await here.apply();
  expect([first.exitCode, first.summary.blocked, first.summary.create]).toEqual([exitCodes.done, 0, 3]);
  const before = here.writes();
  const again = await here.apply();
  expect([again.exitCode, again.summary.unchanged, here.writes() - before]).toEqual([exitCodes.done, 3, 0]);
  expect(authored(here.prod, "party")).toMatchObject({ HOUSE: { active: true }, GONE: { active: false } });
});

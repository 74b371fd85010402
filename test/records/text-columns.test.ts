import { expect, test } from "vitest";
import { masterDataBooks as books } from "../../src/emulator/index.ts";
import { author, authored, crmProd, party, put, segment, stage } from "./masters-stage.ts";

/** What an entity's metadata calls text is text, also where it looks like an instant; what it calls a time is one. */

const [before, after] = ["2020-01-01T00:00:00Z", "2020-01-01T01:00:00+01:00"];

test("a text of an instance that looks like an instant moves when it is written otherwise", async () => {
  const here = await stage([party]);
  put(here.dev, "A", { src_note: before });
  await here.apply();
  put(here.dev, "A", { src_note: after });
  expect((await here.apply()).changes[0]?.records).toMatchObject({ update: 1, done: 1 });
  expect(books.findInstance(here.prod, "party", crmProd, "A")?.source["src_note"]).toBe(after);
  here.made.emulator.log.clear();
  await here.apply();
  expect(here.writes()).toBe(0);
});

test("so does one of a master", async () => {
  const here = await stage([segment]);
  const made = author(here.dev, { cmo_code: "k", cmo_name: before });
  await here.apply();
  books.writeMaster(here.dev, made, { cmo_name: after });
  await here.apply();
  expect(authored(here.prod)["k"]?.["cmo_name"]).toBe(after);
});

import { expect, test } from "vitest";
import { masterDataBooks as books } from "../../src/emulator/index.ts";
import { exitCodes } from "../../src/model/result.ts";
import { load, plus } from "../plan/support.ts";
import { crm, crmProd, put, stage } from "./masters-stage.ts";

/** A number in a filter stands for the value of a column: it is asked for as the plan writes it. */

test.each([
  ["leading zeros", "0070", ["70", "0070"]],
  ["more digits than JavaScript can hold", "12345678901234567", ["12345678901234568", "12345678901234567"]],
  ["a sign", "+49", ["49", "+49"]],
  ["zeros in front of a fraction", "00.5", ["0.5", "00.5"]],
  ["a number of another base", "0x1F", ["31", "0x1F"]],
])("with %s it finds what it says, and no other record", async (_what, written, [other = "", meant = ""]) => {
  const { plan } = load(
    plus(
      `records: { masterData: [ { layer: instance, entity: party, origins: { "${crm}": "${crmProd}" }, filter: { src_name: ${written} } } ] }\n`,
    ),
  );
  const here = await stage(plan.records.masterData);
  put(here.dev, "other", { src_name: other });
  put(here.dev, "meant", { src_name: meant });
  expect((await here.apply()).exitCode).toBe(exitCodes.done);
  const there = ["other", "meant"].filter((id) => books.findInstance(here.prod, "party", crmProd, id));
  expect(there).toEqual(["meant"]);
});

test.each([
  ["7", 7],
  ["1.0", 1],
  ["1e3", 1_000],
  ["-0.25", -0.25],
  ['"007"', "007"],
  ["true", true],
])("%s is what it was", (written, value) => {
  const { plan } = load(
    plus(
      `records: { masterData: [ { layer: instance, entity: party, filter: { src_name: ${written} } } ] }\n`,
    ),
  );
  expect(plan.records.masterData[0]?.filter).toEqual({ src_name: value });
});

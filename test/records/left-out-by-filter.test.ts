import { expect, test } from "vitest";
import { exitCodes } from "../../src/model/result.ts";
import { author, authored, masterParty, party, put, stage } from "./masters-stage.ts";
import type { Stage } from "./masters-stage.ts";

/** What a narrowed filter leaves out is not gone at the source, and nobody says so. */

async function goneOf(s: Stage): Promise<readonly string[]> {
  const result = await s.apply();
  expect(result.exitCode).toBe(exitCodes.done);
  return result.diagnostics.filter(({ code }) => code === "row-gone").map(({ summary }) => summary);
}

const either =
  /^1 row that was moved once is not among those .*: gone there, or left out by it; what the target has of it stays$/;

test("of instances", async () => {
  const s = await stage([party]);
  for (const name of ["one", "two"]) put(s.dev, name, { src_name: name });
  expect(await goneOf(s)).toEqual([]);
  s.name({ ...party, filter: { src_name: "one" } });
  expect(await goneOf(s)).toEqual([expect.stringMatching(either)]);
  s.name(party);
  expect(await goneOf(s)).toEqual([]);
});

test("nor of what is removed, which the source may have with other values", async () => {
  const filtered = { ...party, filter: { src_name: "one" } };
  const s = await stage([filtered], true);
  put(s.dev, "A", { src_name: "one" });
  await s.apply();
  put(s.dev, "A", { src_name: "two" });
  const samples = async (): Promise<unknown> => (await s.diff()).changes[0]?.records?.samples;
  expect(await samples()).toMatchObject([
    { action: "delete", reason: "the source shows no such row under the plan's filter" },
  ]);
  s.name(party);
  expect(await samples()).toMatchObject([{ action: "update" }]);
});

test("of masters", async () => {
  const s = await stage([masterParty]);
  for (const code of ["one", "two"]) author(s.dev, { cmo_code: code, cmo_name: code }, "party");
  expect(await goneOf(s)).toEqual([]);
  s.name({ ...masterParty, filter: { ...masterParty.filter, cmo_name: "one" } });
  expect(await goneOf(s)).toEqual([expect.stringMatching(either)]);
  expect(Object.keys(authored(s.prod, "party"))).toEqual(["one", "two"]);
});

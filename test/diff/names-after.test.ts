import { expect, test } from "vitest";
import type { Result } from "../../src/model/result.ts";
import { seedMonitor, seedRule } from "./support/content.ts";
import { plan } from "./support/monitors.ts";
import { apply, changeOf, diff, stage } from "./support/run.ts";

const toCome = [
  "Email (to be created)",
  "email (inputs of rules Email, to be created)",
  "pattern (parameters of rules Email, to be created)",
];
const there = ["Email", "email (inputs of rules Email)", "pattern (parameters of rules Email)"];

test.each([
  ["what a run has made is told as what is there", "dq-monitors", there],
  ["what it has not made is told as what is still to come", "rules", toCome],
] as const)("in what stays behind %s", async (_what, refused, names) => {
  const at = await stage();
  const monitor = seedMonitor(at.source, seedRule(at.source, "Email"), "Customers");
  const namesIn = (result: Result): readonly string[] =>
    (changeOf(result, monitor)?.fields ?? []).flatMap(({ toName = "" }) =>
      /Email/.test(toName) ? [toName] : [],
    );
  expect(namesIn(await diff(at, plan)).toSorted()).toEqual(toCome);
  at.world.emulator.faults.add({
    match: { method: "POST", path: `/api/data-quality/v1/${refused}` },
    effect: { type: "status", code: 400 },
  });
  const result = await apply(at, plan);
  expect(result.exitCode).toBe(4);
  expect(namesIn(result).toSorted()).toEqual(names);
});

import { join } from "node:path";
import { expect, test } from "vitest";
import type { Result } from "../../src/model/result.ts";
import type { PlanChanges } from "../support/world.ts";
import { seedTerm } from "./support/content.ts";
import type { Approved } from "./support/approved.ts";
import { applyApproved, stopAfter } from "./support/approved.ts";
import { apply, diff, stage } from "./support/run.ts";

const plan: PlanChanges = { select: { kinds: ["terms"] } };

function inBriefOf({ changes }: Result): number {
  return changes.filter(({ inBrief }) => inBrief === true).length;
}

/** A run tells of fewer creates what they hold than a diff does, and what was approved is told as it was approved. */
test("of many creates an approved diff goes on where it was stopped, and a run by itself tells what the first of them hold", async () => {
  const at = await stage();
  for (let number = 1; number <= 5_100; number += 1) seedTerm(at.source, `Term ${number}`);
  const out = join(at.world.folder, "approved.json");
  expect(inBriefOf(await diff(at, plan, out))).toBe(100);
  const made = { at, out } as unknown as Approved;
  const stopped = await applyApproved(made, { stop: stopAfter(at, 1) }, plan);
  expect(stopped.exitCode).not.toBe(0);
  expect(inBriefOf(stopped)).toBe(100);
  const result = await applyApproved(made, {}, plan);
  expect(result).toMatchObject({ exitCode: 0, summary: { unchanged: expect.any(Number) } });
  expect(at.target.tenant.terms.size).toBe(5_100);

  for (let number = 1; number <= 1_100; number += 1) seedTerm(at.source, `Later ${number}`);
  const later = await apply(at, plan);
  expect(later.summary.create).toBe(1_100);
  expect(inBriefOf(later)).toBe(100);
  const told = later.diagnostics.find(({ code }) => code === "creates-in-brief");
  expect(told?.summary).toContain("100 of 1,100 creates are listed without what they will hold");
  // They are there: a diff would show nothing of them.
  expect(told?.suggestion).toBeUndefined();
});

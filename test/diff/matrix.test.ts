import { describe, expect, it } from "vitest";
import type { Result } from "../../src/model/result.ts";
import type { PlanChanges } from "../support/world.ts";
import { arrange } from "./support/arrange.ts";
import { cellOf, type Expected, sourceStates, targetStates } from "./support/cells.ts";
import { writes, written } from "./support/log.ts";
import { apply, changeOf, diff, stage } from "./support/run.ts";
import { subjects } from "./support/subjects.ts";

const cells = subjects.flatMap((subject) =>
  sourceStates.flatMap((source) =>
    targetStates.map((target) => ({ subject, source, target, cell: cellOf(subject.kind, source, target) })),
  ),
);

function expectCell(result: Result, urn: string, { action, reason }: Expected): void {
  const change = changeOf(result, urn);
  if (action === "nothing" || action === "unchanged") {
    expect(change).toBeUndefined();
    expect(result.changes).toEqual([]);
    return;
  }
  expect({ action: change?.action, reason: change?.reason }).toEqual({
    action,
    reason: expect.stringContaining(reason),
  });
  // Nothing else is touched: neither the neighbour nor what was there before.
  expect(result.changes).toHaveLength(1);
}

describe.each(subjects)("$kind", (subject) => {
  const rows = cells.flatMap(({ subject: other, source, target, cell }) =>
    other !== subject || "impossible" in cell
      ? []
      : [{ subject, source, target, expected: cell, action: cell.action }],
  );

  it.each(rows)("source $source, target $target: $action", async (row) => {
    const at = await stage();
    const plan: PlanChanges = { select: { kinds: subject.select } };
    const { urn, twin } = await arrange(at, subject, row, plan);
    const { expected } = row;
    expectCell(await diff(at, plan), urn, expected);
    const done = await apply(at, plan, { allowDelete: true });
    expectCell(done, urn, expected);
    expect(written(at.world)).toEqual(expected.writes === "none" ? [] : subject[expected.writes]);
    if (expected.writes === "update" || expected.writes === "remove") {
      // The twin and nothing else, whatever else has its name.
      const address = subject.kind === "primary-monitors" ? "/primary" : (twin ?? "no twin");
      for (const { path } of writes(at.world)) expect(decodeURIComponent(path)).toContain(address);
    }

    const settled = ["unchanged", "nothing", "create", "update", "adopt", "delete"].includes(expected.action);
    const again = await apply(at, plan, { allowDelete: true });
    expect(written(at.world)).toEqual([]);
    if (settled) expect(again.changes).toEqual([]);
    else expectCell(again, urn, expected);
  });
});

describe("the table", () => {
  it("has an answer or a reason for every cell", () => {
    expect(cells).toHaveLength(subjects.length * sourceStates.length * targetStates.length);
    const impossible = cells.filter(({ cell }) => "impossible" in cell);
    // same and changed of what was never applied, for four kinds; a second primary monitor, for one.
    expect(impossible).toHaveLength(4 * 2 + 4 * 3);
  });
});

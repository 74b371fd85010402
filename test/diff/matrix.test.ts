import { describe, expect, it } from "vitest";
import { registry } from "../../src/kinds/index.ts";
import type { Diff } from "../../src/engine/diff/index.ts";
import { cellOf, sourceStates, targetStates } from "./support/cells.ts";
import { cellUnder, policies } from "./support/policy-cells.ts";
import { arrange, subjects } from "./tables/subjects.ts";

const cells = subjects.flatMap((subject) =>
  sourceStates.flatMap((source) =>
    targetStates.map((target) => ({
      subject,
      kind: subject.sort.kind.name,
      source,
      target,
      cell: cellOf(subject.sort.kind.name, source, target),
    })),
  ),
);

/** All that the diff says, but for what is as it should be: of each kind and policy it is one object at most. */
function said({ changes }: Diff): readonly object[] {
  return changes
    .filter(({ action }) => action !== "unchanged")
    .map(({ action, source, target, reason, work }) => ({
      action,
      urn: source?.urn,
      target: target?.urn,
      reason,
      patched: Object.keys(work?.patch ?? {}),
    }));
}

describe.each(subjects)("$sort.kind.name", (subject) => {
  const { sort, select, fields } = subject;
  const kind = sort.kind.name;
  const rows = cells.flatMap((row) =>
    row.subject !== subject || "impossible" in row.cell ? [] : [{ ...row, action: row.cell.action }],
  );

  it.each(rows)("source $source, target $target: $action, under every policy", async ({ source, target }) => {
    const { tables, urn, twin } = arrange(subject, source, target);
    const diff = await tables.diff({ select: { kinds: select } });
    // The twin and nothing else, whatever else has its name; what was never moved has none but what is adopted.
    const isNowhere = sort.kind.mode === "overlay" && target === "gone";
    const isBare = source === "new" && (sort.kind.mode === "entity" || isNowhere);
    const of = (action: string): unknown => {
      if (!isBare) return twin;
      return ["adopt", "replace", "manual"].includes(action) ? sort.urn(tables.target, "Another") : undefined;
    };
    const heard = await Promise.all(
      policies.map(async (policy) => ({ policy, said: said(await diff(policy)) })),
    );
    expect(heard).toEqual(
      policies.map((policy) => {
        const { action, reason } = cellUnder(policy, kind, source, target);
        if (action === "nothing" || action === "unchanged") return { policy, said: [] };
        const change = {
          action,
          urn,
          target: of(action),
          reason: expect.stringContaining(reason) as unknown,
          patched: action === "update" ? fields : expect.any(Array),
        };
        return { policy, said: [change] };
      }),
    );
  });
});

describe("the table", () => {
  it("is about every kind that is moved", () => {
    expect(subjects.map(({ sort }) => sort.kind.name).sort()).toEqual(
      registry
        .moved()
        .map(({ name }) => name)
        .sort(),
    );
  });

  it("has an answer or a reason for every cell", () => {
    expect(cells).toHaveLength(subjects.length * sourceStates.length * targetStates.length);
    const impossible = cells.filter(({ cell }) => "impossible" in cell);
    // same and changed of what was never applied, for seven kinds; a second primary monitor, list or word, for six.
    expect(impossible).toHaveLength(7 * 2 + 6 * 4 * 3);
  });

  it("knows every answer of a policy, and every two together", () => {
    const texts = new Set(policies.map((policy) => JSON.stringify(policy)));
    expect(texts.size).toBe(1 + 8 + (8 * 7) / 2 - 1);
  });
});

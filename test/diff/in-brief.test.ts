import { describe, expect, onTestFinished, test } from "vitest";
import { computeDiff } from "../../src/engine/diff/index.ts";
import type { Diff } from "../../src/engine/diff/index.ts";
import type { Tenant } from "../../src/emulator/index.ts";
import { seedTerm } from "../../src/emulator/seed.ts";
import { registry } from "../../src/kinds/index.ts";
import { MappingTable } from "../../src/model/mapping-table.ts";
import { readSides } from "../../src/operations/compare.ts";
import { renderHtml, renderMarkdown, renderText } from "../../src/report/index.ts";
import { resultOf } from "../report/fixtures.ts";
import { world } from "../support/world.ts";

/** Nobody approves blind: what is not shown is said, and everything but creates always has its fields. */
async function diffOf(detailed: number, only?: (source: Tenant) => void): Promise<Diff> {
  const made = await world(only === undefined ? "demo" : "empty");
  only?.(made.emulator.tenant("dev"));
  onTestFinished(async () => made.close());
  const migration = made.migration();
  const mapping = new MappingTable((kind) => registry.owns(kind));
  const { source, target } = await readSides(migration, mapping, migration.targetReads(), undefined);
  const { plan } = migration;
  const kinds = await migration.kinds("target");
  return computeDiff({ registry: kinds, plan, source, target, mapping, inDoubt: new Set() }, detailed);
}

describe("more creates than are listed with their fields", () => {
  test("the first have them, the rest says that it has not; updates have them always", async () => {
    const { changes, diagnostics } = await diffOf(20);
    const creates = changes.filter(({ action }) => action === "create");
    const [shown, brief] = [
      creates.filter(({ inBrief }) => inBrief !== true),
      creates.filter(({ inBrief }) => inBrief === true),
    ];
    expect(shown).toHaveLength(20);
    for (const { fields } of shown) expect(fields.length).toBeGreaterThan(0);
    expect(brief.length).toBeGreaterThan(100);
    for (const { action, fields } of changes)
      if (["update", "replace", "drift", "conflict"].includes(action))
        expect(fields.length).toBeGreaterThan(0);
    const told = diagnostics.find(({ code }) => code === "creates-in-brief");
    expect(told).toMatchObject({
      severity: "warning",
      summary: expect.stringContaining(`${brief.length} of ${creates.length} creates are listed without`),
      suggestion: expect.stringMatching(/ferry diff test --include "\w+:/),
    });
  });

  test("every format says it, and none says that it has all of it", async () => {
    const { changes, diagnostics } = await diffOf(20);
    const result = resultOf(changes, { diagnostics });
    for (const text of [renderText(result), renderMarkdown(result), renderHtml(result)])
      expect(text.replaceAll(/\s+/g, " ")).toContain("creates are listed without what they will hold");
    const cut = renderMarkdown(result, { maxBytes: 9_000 });
    expect(cut).toMatch(/Cut to fit.*but for what \d+ creates will hold/);
    expect(renderHtml(result)).toContain("the fields of this one are not listed");
  });

  test("the example is one word of a shell, whatever its name", async () => {
    const name = "$(touch here)";
    const { diagnostics } = await diffOf(0, (source) => seedTerm(source, { name, description: "d" }));
    const told = diagnostics.find(({ code }) => code === "creates-in-brief");
    expect(told?.suggestion).toMatch(/ --include 'terms:\$\(touch here\)'$/);
  });

  test("nothing is said where all have them", async () => {
    const { changes, diagnostics } = await diffOf(5_000);
    expect(changes.some(({ inBrief }) => inBrief === true)).toBe(false);
    expect(diagnostics.map(({ code }) => code)).not.toContain("creates-in-brief");
  });
});

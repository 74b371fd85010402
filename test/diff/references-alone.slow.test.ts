import { describe, expect, onTestFinished, test } from "vitest";
import { computeDiff } from "../../src/engine/diff/index.ts";
import type { DiffInput } from "../../src/engine/diff/index.ts";
import { registry } from "../../src/kinds/index.ts";
import type { Change } from "../../src/model/change.ts";
import { MappingTable } from "../../src/model/mapping-table.ts";
import { readSides } from "../../src/operations/compare.ts";
import { type PlanChanges, world } from "../support/world.ts";

/** Both sides of a scenario as a diff gets them, with the index that was made as the source was read. */
async function inputOf(scenario: string, changes: PlanChanges = {}): Promise<DiffInput> {
  const made = await world(scenario);
  onTestFinished(async () => made.close());
  const migration = made.migration(changes);
  const mapping = new MappingTable((kind) => registry.owns(kind));
  const { source, target, index } = await readSides(migration, mapping, migration.targetReads(), undefined);
  const { plan } = migration;
  return {
    registry: await migration.kinds("target"),
    plan,
    source,
    target,
    mapping,
    inDoubt: new Set(),
    index: index.take(),
  };
}

/** Without what only a reviewer of few objects reads. */
function outline({ fields: _fields, inBrief: _brief, work, ...rest }: Change): object {
  const { sourceFingerprint: _print, leadsTo: _references, ...others } = work ?? {};
  return { ...rest, work: rest.action === "create" ? others : work };
}

const everything: PlanChanges = {
  select: { kinds: ["terms", "rules", "monitors", "dashboards", "term-assignments"] },
};

describe.each([
  ["demo", {}],
  ["demo", everything],
  ["demo", { pairing: { sources: {}, connections: {}, paths: [] } }],
  ["demo", { select: { kinds: ["monitors"], dependencies: "mapped-only" } }],
  ["demo", { policy: { schedules: "disable", missingGroup: "drop" } }],
] as const satisfies readonly (readonly [string, PlanChanges])[])(
  "a diff of %s under %j",
  (scenario, changes) => {
    test("is the same from references alone as from bodies, but for the fields", async () => {
      const input = await inputOf(scenario, changes);
      // A diff lets go of what was seen of the source: the other one looks into the snapshot.
      const few = await computeDiff(input);
      const many = await computeDiff({ ...input, index: undefined }, 0);
      expect(few.changes.some(({ action }) => action === "create")).toBe(true);
      // Whatever would be translated has a print; some of it was not.
      const printed = ({ action, work }: Change): boolean =>
        action === "create" && work?.sourceFingerprint !== undefined;
      expect(many.changes.filter(printed).length).toBeLessThan(few.changes.filter(printed).length);
      expect(many.changes.map(outline)).toEqual(few.changes.map(outline));
      // That the fields are not there is said once, loudly.
      const brief = many.diagnostics.filter(({ code }) => code === "creates-in-brief");
      expect(brief).toHaveLength(many.changes.some(({ action }) => action === "create") ? 1 : 0);
      expect(many.diagnostics.filter((found) => !brief.includes(found))).toEqual(few.diagnostics);
      expect(many.forgotten).toEqual(few.forgotten);
    });

    test("is the same from the snapshot as from what was seen while it was made", async () => {
      const input = await inputOf(scenario, changes);
      expect(input.index).toBeDefined();
      const without = await computeDiff({ ...input, index: undefined });
      expect(without).toEqual(await computeDiff(input));
    });
  },
);

import { rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { demoPairing } from "../../src/emulator/scenarios/index.ts";
import type { Tenant } from "../../src/emulator/index.ts";
import type { Result } from "../../src/model/result.ts";
import { differences } from "../support/meaning.ts";
import { world, type World } from "../support/world.ts";
import { filesBelow, only, outline, run, uuidsIn, writes } from "./support.ts";

/** The logic of these was made in the condition builder (document 2, Migration rules 6). */
const builtRules = ["Fuel level (built)", "Supplier has a contact (built)"];

describe("the demo, moved as a whole", () => {
  let demo: World;
  let source: Tenant;
  let target: Tenant;
  let sourceBefore: string;
  let targetBefore: string;
  let first: Result;
  let writesAtSource: number;

  beforeAll(async () => {
    demo = await world("demo");
    source = demo.emulator.tenant("dev");
    target = demo.emulator.tenant("prod");
    sourceBefore = JSON.stringify(source.dump());
    targetBefore = JSON.stringify(target.dump());
    first = await run(demo, {}, { verify: true });
    writesAtSource = writes(demo.emulator, "dev").length;
  });
  afterAll(async () => demo.close());

  test("means the same on both sides, but for the two rules of the condition builder", () => {
    const except = builtRules.map((name) => `rule ${name}`);
    expect(differences(source, target, { renames: demoPairing, except })).toEqual([]);
    // Not by being empty.
    const { terms, rules, monitors, dashboards } = target.counts();
    const there = source.counts();
    expect({ terms, rules, monitors, dashboards }).toEqual({
      terms: there.terms,
      rules: there.rules - builtRules.length,
      monitors: there.monitors,
      dashboards: there.dashboards,
    });
    expect(there.rules).toBeGreaterThan(40);
  });

  test("leaves the rules of the condition builder to a person, and says why", () => {
    const manual = only(first.changes, "manual");
    expect(outline(manual)).toEqual(builtRules.map((name) => `manual rules ${name}`));
    for (const change of manual) {
      expect(change.kind).toBe("rules");
      expect(change.reason).toBe(
        "its logic was made in the condition builder, which the interface does not give out",
      );
      expect(change.diagnostics.map((diagnostic) => diagnostic.code)).toContain("condition-builder");
      expect(change.diagnostics[0]?.suggestion).toMatch(/^Rewrite the condition at the source/);
    }
    expect(first.summary).toMatchObject({
      manual: 2,
      blocked: 0,
      failed: 0,
      inDoubt: 0,
      drift: 0,
      conflict: 0,
    });
    expect(first.exitCode).toBe(4);
    // What needs a person is not part of what was verified.
    expect(first.headline).toContain("Some objects need a person. Verified what was done.");
  });

  test("leaves nothing of the source anywhere at the target, drafts included", () => {
    const text = JSON.stringify(target.dump());
    expect(text).not.toMatch(/urn:[^:"]*:dev:/);
    expect(text).not.toContain("new_");
    const sourceIds = uuidsIn(sourceBefore);
    // The two sides share no id to begin with, so whatever they share now was carried over.
    expect([...uuidsIn(targetBefore)].filter((id) => sourceIds.has(id))).toEqual([]);
    expect([...uuidsIn(text)].filter((id) => sourceIds.has(id))).toEqual([]);
  });

  test("publishes everything: no draft is left at the target", () => {
    expect(target.counts().drafts).toBe(0);
    for (const collection of [target.terms, target.rules, target.monitors, target.dashboards]) {
      for (const row of collection.values()) {
        expect(row.published, row.urn).toBeDefined();
        expect(row.draftType, row.urn).toBe("NONE");
      }
    }
  });

  test("does not carry over what was never published at the source", () => {
    const text = JSON.stringify(target.dump());
    expect(sourceBefore).toContain("Movements (not published yet)");
    expect(text).not.toContain("Movements (not published yet)");
    expect(sourceBefore).toContain("no longer than ten minutes");
    expect(text).not.toContain("no longer than ten minutes");
  });

  test("changes nothing at the source and sends it no write at all", () => {
    expect(JSON.stringify(source.dump())).toBe(sourceBefore);
    expect(writesAtSource).toBe(0);
  });

  test("touches no given thing of the target", () => {
    const given = [
      "metadataModel",
      "entities",
      "folders",
      "items",
      "attributes",
      "dimensions",
      "transformations",
    ];
    const [before, after] = [JSON.parse(targetBefore) as Record<string, unknown>, target.dump()];
    for (const name of given) expect(after[name], name).toEqual(before[name]);
  });

  test("writes nothing the second time, and its mapping files stay byte by byte", async () => {
    const mapping = join(demo.folder, "mappings");
    const files = filesBelow(mapping);
    const state = JSON.stringify(target.dump());
    expect([...files.keys()].filter((name) => name.endsWith(".json"))).toHaveLength(5);
    demo.emulator.log.clear();
    const second = await run(demo, {}, { verify: true });
    expect(writes(demo.emulator, "prod")).toEqual([]);
    expect(writes(demo.emulator, "dev")).toEqual([]);
    expect(second.summary).toMatchObject({
      create: 0,
      update: 0,
      replace: 0,
      adopt: 0,
      delete: 0,
      manual: 2,
    });
    expect(second.summary.unchanged).toBe(
      first.summary.create + first.summary.update + first.summary.adopt + first.summary.unchanged,
    );
    expect(second.requests.target.writes).toBe(0);
    expect(second.run).toBeUndefined();
    expect(filesBelow(mapping)).toEqual(files);
    expect(JSON.stringify(target.dump())).toBe(state);
  });

  test("finds its objects again when the journal and the snapshot are gone", async () => {
    rmSync(join(demo.folder, "plans"), { recursive: true });
    const third = await run(demo);
    expect(third.summary).toMatchObject({ create: 0, update: 0, adopt: 0 });
  });

  test("adopts what is identical when the mapping is lost, and makes nothing twice", async () => {
    rmSync(join(demo.folder, "mappings"), { recursive: true });
    demo.emulator.log.clear();
    const again = await run(demo, {}, { verify: true });
    expect(again.summary).toMatchObject({ create: 0, update: 0, blocked: 0, failed: 0 });
    expect(again.summary.adopt).toBe(first.summary.create);
    expect(writes(demo.emulator, "prod")).toEqual([]);
    expect(
      differences(source, target, { renames: demoPairing, except: builtRules.map((name) => `rule ${name}`) }),
    ).toEqual([]);
  });
});

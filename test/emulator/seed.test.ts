import { describe, expect, test } from "vitest";
import { Problem } from "../../src/emulator/index.ts";
import * as seed from "../../src/emulator/seed.ts";
import type { Urn } from "../../src/model/urn.ts";
import {
  at,
  attributeOf,
  catalog,
  quality,
  resultOf,
  seedEmailRule,
  seedEstate,
  startWorld,
} from "./support.ts";

const nobody = "urn:data:dev:catalog:term:11111111-1111-4111-8111-111111111111" as Urn;

describe("seeds put published objects in place, without a request", () => {
  test("keys and urns are found again by local key, by path where a key is not the only one", async () => {
    const { dev } = await startWorld();
    const estate = seedEstate(dev);
    const { value, keys, urns } = seed.seedRule(dev, {
      name: "R",
      inputGroups: {
        a: { joined: false, inputs: { x: { name: "x", dataType: "STRING" } } },
        b: {
          joined: true,
          inputs: { x: { name: "x", dataType: "STRING" }, y: { name: "y", dataType: "LONG" } },
        },
      },
      implementation: { dqDimensionUrn: estate.dimension.urn, conditions: {} },
    });
    expect(keys["x"]).toBeUndefined();
    const [a, inner] = [keys["a"] ?? "", keys["inputGroups.a.inputs.x"] ?? ""];
    expect(at(value, `inputGroups.${a}.inputs.${inner}.urn`)).toBe(urns["inputGroups.a.inputs.x"]);
    expect(urns["y"]).toMatch(/^urn:data:dev:data-quality:rule-attribute:/);
    expect(JSON.stringify(value)).not.toContain("new_");
  });

  test("what they put there is served as if the interface had made it", async () => {
    const { api, dev } = await startWorld();
    const estate = seedEstate(dev);
    const rule = seedEmailRule(dev, estate);
    const catalogItemUrn = estate.customers.item.urn;
    const { urn } = seed.seedMonitor(dev, {
      catalogItemUrn,
      name: "M",
      manualRuleInstances: { i: { ruleUrn: rule.urn } },
    });
    seed.seedDashboard(dev, { name: "D", dqMonitorUrns: [urn] });
    seed.seedPrimaryMonitor(dev, catalogItemUrn, { overallDqThresholds: { t: { value: 90 } } });
    expect((await api.get(`${quality}/dq-dashboards`)).body).toMatchObject({
      data: [{ name: "D", dqMonitorUrns: [urn] }],
    });
    expect(JSON.stringify((await api.get(`${quality}/dq-monitors`)).body)).toContain('"value":90');
    expect(dev.counts()).toMatchObject({ rules: 1, monitors: 3, dashboards: 1, drafts: 0 });
  });

  test("drafts can be left behind, in every type", async () => {
    const { dev } = await startWorld();
    const estate = seedEstate(dev);
    const catalogItemUrn = estate.customers.item.urn;
    const monitor = (): Urn => seed.seedMonitor(dev, { catalogItemUrn, name: "M" }).urn;
    seed.seedMonitor(dev, { catalogItemUrn }, "NEW");
    expect(seed.leaveMonitorDraft(dev, monitor(), "CHANGE", { name: "N" }).draftType).toBe("CHANGE");
    expect(seed.leaveMonitorDraft(dev, monitor(), "DELETE").draftType).toBe("DELETE");
    expect(seed.leaveMonitorDraft(dev, monitor(), "RESURRECT").draftType).toBe("RESURRECT");
    const rule = seedEmailRule(dev, estate);
    expect(seed.leaveRuleDraft(dev, rule.urn, "CHANGE", { name: "N" })).toMatchObject({
      draftType: "CHANGE",
    });
    const dashboard = seed.seedDashboard(dev, { name: "D", dqMonitorUrns: [] });
    expect(seed.leaveDashboardDraft(dev, dashboard.urn, "CHANGE", { name: "E" })).toMatchObject({
      draftType: "CHANGE",
    });
    seed.seedDashboard(dev, { name: "New", dqMonitorUrns: [] }, "NEW");
    expect(dev.counts()).toMatchObject({ drafts: 7, monitors: 4, rules: 1, dashboards: 1 });
  });

  test("references are checked as the interface checks them", async () => {
    const { dev } = await startWorld();
    const estate = seedEstate(dev);
    const email = attributeOf(estate.customers, "email");
    const wrong: readonly (() => unknown)[] = [
      () => seed.seedAssignment(dev, { attributeUrn: email, termUrn: nobody }),
      () => seed.seedConnection(dev, { name: "c", sourceUrn: estate.group }),
      () => seed.seedCatalogItem(dev, { name: "i", parentUrn: estate.source }),
      () => seed.seedTerm(dev, { name: "t", extraProperties: { colour: "red" } }),
      () => seed.seedStewardship(dev, { entityUrn: email, groupUrn: estate.source }),
      () => seed.seedMonitor(dev, { catalogItemUrn: nobody, name: "M" }),
      () => seed.seedDashboard(dev, { name: "D", dqMonitorUrns: [nobody] }),
      () => seed.seedRule(dev, { name: "R", implementation: { dqDimensionUrn: resultOf(estate) } }),
      () => seed.linkRuleToTerm(dev, { ruleUrn: nobody, termUrn: seed.seedTerm(dev, { name: "T" }).urn }),
      () => seed.seedMetadataProperty(dev, "unicorn", { name: "x" }),
    ];
    for (const act of wrong) expect(act).toThrow(Problem);
  });

  test("a dump is plain JSON that later changes do not reach, and holds drafts too", async () => {
    const { api, dev } = await startWorld();
    const { customers } = seedEstate(dev);
    const before = dev.dump();
    const text = JSON.stringify(before);
    await api.patch(`${quality}/catalog-items/${customers.item.urn}/dq-monitors/primary`, {
      name: "Draft name",
    });
    await api.patch(`${catalog}/catalog-items/${customers.item.urn}`, { description: "d" });
    expect(JSON.stringify(before)).toBe(text);
    expect(JSON.stringify(dev.dump())).toContain("Draft name");
    expect(Object.keys(before)).toContain("monitors");
  });
});

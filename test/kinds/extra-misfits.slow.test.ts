import { describe, expect, onTestFinished, test } from "vitest";
import {
  changeMetadataProperty,
  removeMetadataProperty,
  removeMetadataType,
} from "../../src/emulator/seed.ts";
import { doctorPlan } from "../../src/operations/doctor/index.ts";
import { diffPlan } from "../../src/operations/diff.ts";
import { applyPlan } from "../../src/operations/apply.ts";
import type { Result } from "../../src/model/result.ts";
import type { World } from "../support/world.ts";
import { world } from "../support/world.ts";

const select = { kinds: ["terms", "item-metadata"] };

async function demo(): Promise<World> {
  const there = await world("demo");
  onTestFinished(async () => there.close());
  return there;
}

function about(result: Result, code: string): readonly string[] {
  return [...result.changes.flatMap(({ diagnostics }) => diagnostics), ...result.diagnostics]
    .filter((found) => found.code === code)
    .map(({ summary }) => summary);
}

describe("an extra property that the target's model has no place for", () => {
  test("blocks what has a value in it, says so once, and lets the rest arrive", async () => {
    const there = await demo();
    removeMetadataProperty(there.emulator.tenant("prod"), "catalogItem", "retentionMonths");
    const result = await applyPlan(there.migration({ select }), { confirm: async () => true });
    const blocked = result.changes.filter(({ action }) => action === "blocked");
    expect(blocked.length).toBeGreaterThan(0);
    for (const { reason } of blocked)
      expect(reason).toBe("prod: its metadata model has no property retentionMonths of catalogItem");
    expect(new Set(blocked.flatMap(({ diagnostics }) => diagnostics.map(({ cause }) => cause?.key)))).toEqual(
      new Set(["not-in-the-model the property retentionMonths of catalogItem"]),
    );
    expect(result.changes.some(({ outcome }) => outcome === "done")).toBe(true);
    expect(result.exitCode).toBe(4);
  });

  test("is left out where the plan says so, which is told once for all", async () => {
    const there = await demo();
    removeMetadataProperty(there.emulator.tenant("prod"), "catalogItem", "retentionMonths");
    const changes = { select, policy: { missingProperty: "drop" as const } };
    const result = await applyPlan(there.migration(changes), { confirm: async () => true, verify: true });
    expect(result.exitCode).toBe(0);
    expect(about(result, "property-dropped")).toHaveLength(1);
    expect(about(result, "property-dropped")[0]).toContain(
      "the property retentionMonths of catalogItem is left out",
    );
    const again = await diffPlan(there.migration(changes));
    expect(again.changes.filter(({ action }) => action !== "unchanged")).toEqual([]);
  });

  test.each([
    ["terms", "term", "confidence", "businessTerm"],
    ["folders", "folder", "costCentre", "folder"],
  ] as const)(
    "blocks %s that have a value in it, and is left out where the plan says so",
    async (kind, type, name, said) => {
      const there = await demo();
      removeMetadataProperty(there.emulator.tenant("prod"), type, name);
      const changes = { select: { kinds: [kind] } };
      const blocked = (await diffPlan(there.migration(changes))).changes.filter(
        ({ action, diagnostics }) =>
          action === "blocked" && diagnostics.some(({ code }) => code === "not-in-the-model"),
      );
      expect(blocked.length).toBeGreaterThan(0);
      expect(blocked.map(({ reason }) => reason)).toContain(
        `prod: its metadata model has no property ${name} of ${said}`,
      );
      const drop = { ...changes, policy: { missingProperty: "drop" as const } };
      const result = await applyPlan(there.migration(drop), { confirm: async () => true, verify: true });
      expect(about(result, "property-dropped")).not.toEqual([]);
      const urns = new Set(blocked.map(({ source }) => source?.urn));
      expect(
        result.changes.filter(({ source }) => urns.has(source?.urn)).map(({ outcome }) => outcome),
      ).toEqual(blocked.map(() => "done"));
      const again = await diffPlan(there.migration(drop));
      expect(again.changes.filter(({ action }) => action === "create" || action === "update")).toEqual([]);
    },
  );

  test("of terms that the target has no type for is not needed: the type blocks them, once for each", async () => {
    const there = await demo();
    const target = there.emulator.tenant("prod");
    removeMetadataType(target, "policyTerm");
    const result = await diffPlan(there.migration({ select: { kinds: ["terms"] } }));
    const blocked = result.changes.filter(
      ({ reason }) => reason === "prod: its metadata model has no type policyTerm",
    );
    const wanted = [...there.emulator.tenant("dev").terms.values()].filter(
      ({ published }) => published?.type === "policyTerm",
    );
    expect(wanted.length).toBeGreaterThan(0);
    expect(blocked).toHaveLength(wanted.length);
  });

  test("that is of another type there is found before anything is sent", async () => {
    const there = await demo();
    changeMetadataProperty(there.emulator.tenant("prod"), "catalogItem", "retentionMonths", {
      scalarType: "boolean",
    });
    const result = await diffPlan(there.migration({ select }));
    expect(about(result, "not-in-the-model")).toContain(
      "prod: there the property retentionMonths of catalogItem is of the type boolean",
    );
  });

  test("is named by the doctor before any object is read, and nothing is where the models are alike", async () => {
    const there = await demo();
    const named = async (): Promise<readonly string[]> =>
      about(await doctorPlan(there.migration({ select })), "not-in-the-model");
    expect(await named()).toEqual([]);
    removeMetadataProperty(there.emulator.tenant("prod"), "catalogItem", "retentionMonths");
    changeMetadataProperty(there.emulator.tenant("prod"), "term", "confidence", { scalarType: "string" });
    expect(await named()).toEqual(
      expect.arrayContaining([
        "prod: there the property retentionMonths of catalogItem is missing",
        "prod: there the property confidence of term is of the type string, and not double",
      ]),
    );
  });
});

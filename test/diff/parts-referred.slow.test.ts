import { join } from "node:path";
import { describe, expect, test } from "vitest";
import * as seed from "../../src/emulator/seed.ts";
import type { Result } from "../../src/model/result.ts";
import type { Urn } from "../../src/model/urn.ts";
import { instanceOf, seedMonitor, seedRule } from "./support/content.ts";
import {
  addInput,
  leadingNowhere,
  mapInput,
  moved,
  movedWithPhone,
  refuseMonitors,
  replaceInput,
  takeOutInput,
} from "./support/inputs.ts";
import { written } from "./support/log.ts";
import { plan } from "./support/monitors.ts";
import { apply, changeOf, diff, expectAtRest, expectChange, twinOf } from "./support/run.ts";
import { keyOf, onlyKey } from "./support/side.ts";
import { editMonitor, editRule, removeMonitor } from "./support/web.ts";

const stillReferred = (name: string): string =>
  `but a part of it goes that monitors "${name}" at the target still refers to`;

test("an input that a colleague's monitor maps is not taken out with that of the source", async () => {
  const at = await moved();
  addInput(at.source, at.rule, "phone");
  await apply(at, plan);
  const theirs = seedMonitor(at.target, at.twin, "Theirs");
  const letGo = mapInput(at.target, theirs, at.target.part(at.twin, "phone"));
  takeOutInput(at.source, at.rule, "phone");
  const result = await apply(at, plan);
  expect(result.exitCode).toBe(4);
  expectChange(result, at.rule, "manual", stillReferred("Theirs"));
  expect(written(at.world)).toEqual([]);
  letGo();
  expectChange(await apply(at, plan), at.rule, "update", "it changed at the source");
  await expectAtRest(at, plan);
});

test("one that a colleague has added is not taken out where they map it, whatever the plan says", async () => {
  const at = await moved();
  addInput(at.target, at.twin, "phone");
  const twin = (await twinOf(at, at.monitor)) as Urn;
  mapInput(at.target, twin, at.target.part(at.twin, "phone"));
  editRule(at.source, at.rule, { description: "new" });
  const removing = { ...plan, policy: { conflict: "source-wins" as const, targetOnly: "remove" as const } };
  const result = await apply(at, removing);
  expect(changeOf(result, at.rule)).toMatchObject({ action: "manual" });
  expect(at.target.part(at.twin, "phone")).toBeDefined();
});

test("where nobody can look who maps it, it goes, and that is told", async () => {
  const at = await moved();
  const rulesOnly = { ...plan, select: { kinds: ["rules"] } };
  addInput(at.source, at.rule, "phone");
  await apply(at, rulesOnly);
  takeOutInput(at.source, at.rule, "phone");
  refuseMonitors(at);
  const result = await apply(at, rulesOnly);
  expect(changeOf(result, at.rule)).toMatchObject({ action: "update", outcome: "done" });
  expect(result.diagnostics.map(({ code }) => code)).toContain("users-unknown");
});

test.each(["only by now", "as it was approved, too"])(
  "an approved diff where nobody can look who maps it (%s) is refused unless it tells that",
  async (when) => {
    const at = await moved();
    const rulesOnly = { ...plan, select: { kinds: ["rules"] } };
    addInput(at.source, at.rule, "phone");
    await apply(at, rulesOnly);
    takeOutInput(at.source, at.rule, "phone");
    const out = join(at.world.folder, "approved.json");
    if (when !== "only by now") refuseMonitors(at);
    await diff(at, rulesOnly, out);
    if (when === "only by now") refuseMonitors(at);
    const applied = apply(at, rulesOnly, { diff: out });
    if (when !== "only by now") expect((await applied).exitCode).toBe(0);
    else {
      await expect(applied).rejects.toMatchObject({ code: "diff-moved" });
      expect(written(at.world)).toEqual([]);
      at.world.emulator.faults.clear();
      expect((await apply(at, rulesOnly, { diff: out })).exitCode).toBe(0);
    }
  },
);

describe("what the same run has let go of it", () => {
  test("goes first", async () => {
    const at = await movedWithPhone();
    at.letGo();
    takeOutInput(at.source, at.rule, "phone");
    const result = await apply(at, plan);
    expect(result.exitCode).toBe(0);
    expect(written(at.world).map((request) => request.split("/")[0])).toEqual([
      "PATCH catalog-items",
      "POST catalog-items",
      "PATCH rules",
      "POST rules",
    ]);
    await expectAtRest(at, plan);
  });

  test("comes second where it maps a new input in its place", async () => {
    const at = await movedWithPhone();
    replaceInput(at);
    expect((await apply(at, plan)).exitCode).toBe(0);
    expect(leadingNowhere(at.target)).toEqual([]);
    await expectAtRest(at, plan);
  });

  test.each(["lets go", "maps a new one in its place"])(
    "keeps it where somebody has a draft of that: it %s",
    async (what) => {
      const at = await movedWithPhone();
      at.letGo();
      takeOutInput(at.source, at.rule, "phone");
      if (what !== "lets go") {
        addInput(at.source, at.rule, "mobile");
        mapInput(at.source, at.second, at.source.part(at.rule, "mobile"));
      }
      seed.leaveMonitorDraft(at.target.tenant, at.secondTwin, "CHANGE", { name: "Theirs" });
      const result = await apply(at, plan);
      expect(result.exitCode).toBe(4);
      expectChange(result, at.rule, "manual", stillReferred("Second"));
      expect(written(at.world)).toEqual([]);
    },
  );

  test("keeps it where it is to be deleted, and somebody has it map that since the diff", async () => {
    const at = await moved();
    addInput(at.source, at.rule, "phone");
    await apply(at, plan);
    const monitor = (await twinOf(at, at.monitor)) as Urn;
    takeOutInput(at.source, at.rule, "phone");
    removeMonitor(at.source, at.monitor);
    const confirm = async (): Promise<boolean> => {
      mapInput(at.target, monitor, at.target.part(at.twin, "phone"));
      return true;
    };
    const result = await apply(at, plan, { allowDelete: true, confirm });
    expect([at.monitor, at.rule].map((urn) => changeOf(result, urn)?.outcome)).toEqual(["failed", "failed"]);
    expect(leadingNowhere(at.target)).toEqual([]);
  });

  test("keeps it where somebody has changed that since the diff", async () => {
    const at = await movedWithPhone();
    at.letGo();
    takeOutInput(at.source, at.rule, "phone");
    const confirm = async (): Promise<boolean> => {
      editMonitor(at.target, at.secondTwin, { name: "Theirs" });
      return true;
    };
    const result = await apply(at, plan, { confirm });
    expect([at.second, at.rule].map((urn) => changeOf(result, urn)?.outcome)).toEqual(["failed", "blocked"]);
    expect(leadingNowhere(at.target)).toEqual([]);
  });

  test("keeps it where that waits for another rule that is held", async () => {
    const at = await movedWithPhone();
    const other = seedRule(at.source, "Other");
    const own = onlyKey(at.source.body(at.second)["manualRuleInstances"]);
    editMonitor(at.source, at.second, {
      manualRuleInstances: { other: instanceOf(at.source, other, "Other", { parameterValues: {} }) },
    });
    await apply(at, plan);
    seedMonitor(at.target, (await twinOf(at, other)) as Urn, "Theirs");
    // It comes to map what the other rule has got, and that one would lose what a colleague gives a value.
    editRule(at.source, other, { parameters: { [at.source.part(other, "pattern").slice(-36)]: null } });
    addInput(at.source, other, "mobile");
    const others = keyOf(at.source.body(at.second)["manualRuleInstances"], "ruleUrn", other);
    mapInput(at.source, at.second, at.source.part(other, "mobile"), others);
    at.letGo();
    takeOutInput(at.source, at.rule, "phone");
    addInput(at.source, at.rule, "mobile");
    mapInput(at.source, at.second, at.source.part(at.rule, "mobile"), own);
    const result = await apply(at, plan);
    expectChange(result, other, "manual", stillReferred("Theirs"));
    expectChange(result, at.second, "blocked", `it waits for rules "Other"`);
    expectChange(result, at.rule, "manual", stillReferred("Second"));
    expect(leadingNowhere(at.target)).toEqual([]);
  });
});

describe("what is gone at the source and maps it", () => {
  test("keeps it as long as nobody allows to delete that", async () => {
    const at = await movedWithPhone();
    removeMonitor(at.source, at.second);
    takeOutInput(at.source, at.rule, "phone");
    const result = await apply(at, plan);
    expect(result.exitCode).toBe(4);
    expectChange(result, at.rule, "blocked", 'a part of it goes that monitors "Second"');
    expect(written(at.world)).toEqual([]);
  });

  test("is deleted first", async () => {
    const at = await movedWithPhone();
    removeMonitor(at.source, at.second);
    takeOutInput(at.source, at.rule, "phone");
    const result = await apply(at, plan, { allowDelete: true });
    expectChange(
      result,
      at.rule,
      "update",
      'a part of it goes once monitors "Second" is deleted (--allow-delete)',
    );
    expect(written(at.world).map((request) => request.split("/")[0])).toEqual([
      "DELETE catalog-items",
      "PATCH rules",
      "POST rules",
    ]);
    await expectAtRest(at, plan);
  });
});

describe("between the diff and the write", () => {
  /** What somebody does while a person looks at the diff. */
  const after = (act: () => void): { readonly confirm: () => Promise<boolean> } => ({
    confirm: async () => {
      act();
      return true;
    },
  });
  const reasonOf = (result: Result, urn: Urn): string =>
    changeOf(result, urn)
      ?.diagnostics.map(({ summary }) => summary)
      .join() ?? "";

  test("what a colleague has come to map is not taken out", async () => {
    const at = await moved();
    addInput(at.source, at.rule, "phone");
    await apply(at, plan);
    const theirs = seedMonitor(at.target, at.twin, "Theirs");
    takeOutInput(at.source, at.rule, "phone");
    const result = await apply(
      at,
      plan,
      after(() => mapInput(at.target, theirs, at.target.part(at.twin, "phone"))),
    );
    expect(result.exitCode).toBe(4);
    expect(changeOf(result, at.rule)?.outcome).toBe("failed");
    expect(reasonOf(result, at.rule)).toContain(
      'monitors "Theirs" at the target refers to a part of it by now that was to go',
    );
    expect(written(at.world)).toEqual([]);
    expectChange(await apply(at, plan), at.rule, "manual", stillReferred("Theirs"));
  });

  test("what a colleague has come to map in a monitor that the plan does not select is not taken out", async () => {
    const at = await moved();
    const rules = { select: { kinds: ["rules"] } };
    addInput(at.source, at.rule, "phone");
    await apply(at, rules);
    takeOutInput(at.source, at.rule, "phone");
    const twin = (await twinOf(at, at.monitor)) as Urn;
    const result = await apply(
      at,
      rules,
      after(() => mapInput(at.target, twin, at.target.part(at.twin, "phone"))),
    );
    expect(changeOf(result, at.rule)?.outcome).toBe("failed");
    expect(leadingNowhere(at.target)).toEqual([]);
  });

  test("what nobody can look for any more is not taken out, and a later run does", async () => {
    const at = await moved();
    addInput(at.source, at.rule, "phone");
    await apply(at, plan);
    const theirs = seedMonitor(at.target, at.twin, "Theirs");
    takeOutInput(at.source, at.rule, "phone");
    let letGo = (): void => undefined;
    const result = await apply(
      at,
      plan,
      after(() => {
        letGo = mapInput(at.target, theirs, at.target.part(at.twin, "phone"));
        refuseMonitors(at);
      }),
    );
    expect({ exitCode: result.exitCode, outcome: changeOf(result, at.rule)?.outcome }).toEqual({
      exitCode: 4,
      outcome: "failed",
    });
    expect(reasonOf(result, at.rule)).toContain("a part of it that was to go by now is not known: ");
    expect(written(at.world)).toEqual([]);
    at.world.emulator.faults.clear();
    letGo();
    expect((await apply(at, plan)).exitCode).toBe(0);
    await expectAtRest(at, plan);
  });

  test.each(["changed", "drafted"])(
    "nothing is taken out where what was to map a new one in its place was %s",
    async (what) => {
      const at = await movedWithPhone();
      replaceInput(at);
      const result = await apply(
        at,
        plan,
        after(() => {
          if (what === "changed") editMonitor(at.target, at.secondTwin, { name: "Theirs" });
          else seed.leaveMonitorDraft(at.target.tenant, at.secondTwin, "CHANGE", { name: "Theirs" });
        }),
      );
      expect([at.rule, at.second].map((urn) => changeOf(result, urn)?.outcome)).toEqual([
        "failed",
        "blocked",
      ]);
      expect(written(at.world)).toEqual([]);
    },
  );

  test("it is looked once for all of them, and not at all where no part goes", async () => {
    const at = await moved();
    const rules = [at.rule, seedRule(at.source, "Phone"), seedRule(at.source, "Name")];
    for (const rule of rules) addInput(at.source, rule, "phone");
    await apply(at, plan);
    const lists = (): number =>
      at.world.emulator.log.entries.filter(
        ({ tenant, route }) => tenant === "prod" && route === "GET /api/data-quality/v1/dq-monitors",
      ).length;
    for (const rule of rules) editRule(at.source, rule, { description: "new" });
    expect((await apply(at, plan)).summary.update).toBe(3);
    expect(lists()).toBe(1);
    for (const rule of rules) takeOutInput(at.source, rule, "phone");
    expect((await apply(at, plan)).summary.update).toBe(3);
    expect(lists()).toBe(2);
  });
});

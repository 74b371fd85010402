import { beforeEach, describe, expect, test } from "vitest";
import { applyPlan } from "../../../src/operations/apply.ts";
import { rollbackRun } from "../../../src/operations/rollback.ts";
import { registry } from "../../../src/kinds/index.ts";
import type { MovedKind } from "../../../src/kinds/kind.ts";
import { Registry } from "../../../src/kinds/registry.ts";
import type { Urn } from "../../../src/model/urn.ts";
import { seedMonitor, seedRule, seedTerm } from "../../diff/support/content.ts";
import { written } from "../../diff/support/log.ts";
import { joined, movedMonitor, plan as monitors } from "../../diff/support/monitors.ts";
import type { Stage } from "../../diff/support/run.ts";
import { apply, entryOf, refusal, stage, twinOf } from "../../diff/support/run.ts";
import {
  editMonitor,
  editRule,
  editTerm,
  removeMonitor,
  removeRule,
  removeTerm,
} from "../../diff/support/web.ts";
import { ended, killedAt, rollback, termNames, terms } from "./support.ts";

describe("what a run deleted", () => {
  let at: Stage;
  let gone: readonly Urn[];

  beforeEach(async () => {
    at = await stage();
    gone = [seedTerm(at.source, "First"), seedTerm(at.source, "Second")];
    await apply(at, terms);
    for (const urn of gone) removeTerm(at.source, urn);
    await apply(at, terms, { allowDelete: true });
    expect(termNames(at)).toEqual([]);
  });

  test("comes back once, however often the rollback is run", async () => {
    expect(await rollback(at, terms)).toMatchObject({ exitCode: 0, summary: { create: 2 } });
    for (let again = 0; again < 2; again += 1) {
      expect(await rollback(at, terms)).toMatchObject({ exitCode: 0, changes: [] });
      expect(written(at.world)).toEqual([]);
      expect(termNames(at)).toEqual(["First", "Second"]);
    }
  });

  test.each(["intent:after", "send:after", "outcome:before", "outcome:after"])(
    "comes back once when the rollback is killed at %s and run again",
    async (point) => {
      await expect(rollback(at, terms, { migration: killedAt(point) })).rejects.toThrow("killed");
      expect((await rollback(at, terms)).exitCode).toBe(0);
      expect(termNames(at)).toEqual(["First", "Second"]);
    },
  );

  test("comes back once when the answer to its creation is lost", async () => {
    const route = "POST /api/catalog/v1/terms/bulk";
    at.world.emulator.faults.add({
      match: { route },
      when: { times: 1 },
      effect: { type: "drop-after-commit" },
    });
    expect(await rollback(at, terms)).toMatchObject({ exitCode: 0, summary: { create: 2, inDoubt: 0 } });
    expect(await rollback(at, terms)).toMatchObject({ exitCode: 0, changes: [] });
    expect(termNames(at)).toEqual(["First", "Second"]);
  });

  test("stays away when somebody made it again by hand", async () => {
    seedTerm(at.target, "First");
    const done = await rollback(at, terms);
    expect(done.exitCode).toBe(4);
    expect(ended(done).toSorted()).toEqual(["create terms done", "manual terms"]);
    expect(done.changes.find(({ action }) => action === "manual")?.reason).toContain("the same natural key");
    expect(termNames(at)).toEqual(["First", "Second"]);
  });
});

test("terms that refer to each other come back with their references", async () => {
  const at = await stage();
  const one = seedTerm(at.source, "One");
  const other = seedTerm(at.source, "Other", { extraProperties: { relatedTerms: [one] } });
  editTerm(at.source, one, { extraProperties: { relatedTerms: [other] } });
  await apply(at, terms);
  for (const urn of [one, other]) removeTerm(at.source, urn);
  for (const name of ["One", "Other"]) at.target.tenant.terms.delete(at.target.term(name));
  // Both are gone at the target too, and the mapping forgets them: they are made and deleted anew below.
  await apply(at, terms);
  const again = [seedTerm(at.source, "One"), seedTerm(at.source, "Other")] as const;
  editTerm(at.source, again[1], { extraProperties: { relatedTerms: [again[0]] } });
  await apply(at, terms);
  for (const urn of again) removeTerm(at.source, urn);
  await apply(at, terms, { allowDelete: true });
  expect(termNames(at)).toEqual([]);
  expect((await rollback(at, terms)).exitCode).toBe(0);
  const related = at.target.body(at.target.term("Other"))["extraProperties"];
  expect(related).toMatchObject({ relatedTerms: [at.target.term("One")] });
  expect(await rollback(at, terms)).toMatchObject({ changes: [] });
});

describe("a rule and its monitor that were deleted together", () => {
  test("come back together: the monitor names the new rule, and its new parts", async () => {
    const { at, rule, urn } = await movedMonitor();
    removeMonitor(at.source, urn);
    removeRule(at.source, rule);
    await apply(at, monitors, { allowDelete: true });
    const done = await rollback(at, monitors);
    expect(ended(done)).toEqual(["create rules done", "create monitors done"]);
    expect(done.exitCode).toBe(0);
    const [back] = [...at.target.tenant.rules.values()];
    const monitor = JSON.stringify(at.target.body(await twinOf(at, urn)));
    expect(monitor).toContain(back?.urn);
    expect(monitor).toContain(at.target.part(back?.urn ?? "", "email"));
    expect(await rollback(at, monitors)).toMatchObject({ exitCode: 0, changes: [] });
    expect(at.target.tenant.counts().rules).toBe(1);
  });

  test("also when the rollback is killed between the two", async () => {
    const { at, rule, urn } = await movedMonitor();
    removeMonitor(at.source, urn);
    removeRule(at.source, rule);
    await apply(at, monitors, { allowDelete: true });
    await expect(rollback(at, monitors, { migration: killedAt("intent:before", 2) })).rejects.toThrow(
      "killed",
    );
    expect(at.target.tenant.counts().rules).toBe(1);
    expect((await rollback(at, monitors)).exitCode).toBe(0);
    const [back] = [...at.target.tenant.rules.values()];
    expect(at.target.tenant.counts().rules).toBe(1);
    const monitor = JSON.stringify(at.target.body(await twinOf(at, urn)));
    expect(monitor).toContain(at.target.part(back?.urn ?? "", "email"));
  });
});

test("a monitor that let go of a rule which the run deleted gets it back under its new name", async () => {
  const { at, rule, urn, twin } = await movedMonitor();
  const other = seedRule(at.source, "Other");
  seedMonitor(at.source, other, "Second");
  await apply(at, monitors);
  const second = [...at.source.tenant.monitors.values()].find(
    ({ published }) => published?.["name"] === "Second",
  );
  removeMonitor(at.source, (second?.urn ?? "") as Urn);
  removeRule(at.source, other);
  await apply(at, monitors, { allowDelete: true });
  expect(at.target.tenant.counts().rules).toBe(1);
  expect((await rollback(at, monitors)).exitCode).toBe(0);
  expect(at.target.tenant.counts().rules).toBe(2);
  expect((await entryOf(at, rule))?.target).toBeDefined();
  expect((await entryOf(at, urn))?.target).toBe(twin);
});

test.each(["send:after", "intent:after"])(
  "what was deleted when the run was killed at %s comes back as well",
  async (point) => {
    const at = await stage();
    const urn = seedTerm(at.source, "One");
    await apply(at, terms);
    removeTerm(at.source, urn);
    const migration = at.world.migration(terms, killedAt(point));
    const killed = applyPlan(migration, { allowDelete: true, confirm: async () => true });
    await expect(killed).rejects.toThrow("killed");
    await apply(at, terms, { allowDelete: true });
    expect(termNames(at)).toEqual([]);
    expect(await rollback(at, terms)).toMatchObject({ exitCode: 0, summary: { create: 1 } });
    expect(await rollback(at, terms)).toMatchObject({ changes: [] });
    expect(termNames(at)).toEqual(["One"]);
  },
);

describe("a delete whose answer was lost and that did not happen", () => {
  let at: Stage;

  beforeEach(async () => {
    at = await stage();
    const urn = seedTerm(at.source, "One");
    await apply(at, terms);
    removeTerm(at.source, urn);
    const { faults } = at.world.emulator;
    faults.add({ match: { method: "DELETE" }, effect: { type: "drop-before-commit" } });
    const migration = at.world.migration(terms, killedAt("send:after"));
    const killed = applyPlan(migration, { allowDelete: true, confirm: async () => true });
    await expect(killed).rejects.toThrow("killed");
    faults.clear();
  });

  test("is nothing to take back: it is there", async () => {
    expect(await rollback(at, terms)).toMatchObject({ exitCode: 0, changes: [] });
    expect(termNames(at)).toEqual(["One"]);
  });

  test("and a list that does not show it: it is asked for by itself, and not created again", async () => {
    const blind = { registry: without(at.target.term("One")) };
    const found = await refusal(async () => rollback(at, terms, { migration: blind }));
    expect(found.code).toBe("incomplete");
    expect(written(at.world)).toEqual([]);
    expect(termNames(at)).toEqual(["One"]);
  });

  test("and a kind that cannot be asked for by itself: it is left, and said so", async () => {
    const blind = { registry: without(at.target.term("One"), false) };
    const done = await rollback(at, terms, { migration: blind });
    expect(ended(done)).toEqual(["manual terms"]);
    expect(termNames(at)).toEqual(["One"]);
  });

  test("but which somebody deleted since: it comes back", async () => {
    removeTerm(at.target, at.target.term("One"));
    expect(await rollback(at, terms)).toMatchObject({ exitCode: 0, summary: { create: 1 } });
    expect(await rollback(at, terms)).toMatchObject({ exitCode: 0, changes: [] });
    expect(termNames(at)).toEqual(["One"]);
  });
});

test.each([["outcome:after"], ["send:after"]])(
  "changed by a run that was killed at %s, and deleted by the one that went on: it is as before both",
  async (point) => {
    const at = await stage();
    const urn = seedTerm(at.source, "One", { description: "v0" });
    await apply(at, terms);
    editTerm(at.source, urn, { description: "v1" });
    const migration = at.world.migration(terms, killedAt(point));
    await expect(applyPlan(migration, { confirm: async () => true })).rejects.toThrow("killed");
    removeTerm(at.source, urn);
    await apply(at, terms, { allowDelete: true });
    expect(termNames(at)).toEqual([]);
    expect(await rollback(at, terms)).toMatchObject({ exitCode: 0, summary: { create: 1 } });
    expect(at.target.body(at.target.term("One"))["description"]).toBe("v0");
    expect(await rollback(at, terms)).toMatchObject({ exitCode: 0, changes: [] });
  },
);

test("a monitor that lost a part in a killed run and was then deleted comes back with the part", async () => {
  const { at, urn } = await movedMonitor(joined, { kept: "files" });
  const [key = ""] = Object.keys((at.source.body(urn)["exportDefinitions"] ?? {}) as object);
  editMonitor(at.source, urn, { exportDefinitions: { [key]: null } });
  const migration = at.world.migration(monitors, killedAt("mapping:before-rename"));
  await expect(applyPlan(migration, { confirm: async () => true })).rejects.toThrow("killed");
  removeMonitor(at.source, urn);
  await apply(at, monitors, { allowDelete: true });
  expect(await rollback(at, monitors)).toMatchObject({ exitCode: 0, summary: { create: 1 } });
  const exported = Object.values(at.target.body(await twinOf(at, urn))["exportDefinitions"] as object);
  expect(exported).toMatchObject([{ name: "Invalid rows" }]);
  expect(await rollback(at, monitors)).toMatchObject({ exitCode: 0, changes: [] });
});

describe("what the run created, and a list that does not show it", () => {
  test("is asked for by itself: nothing is forgotten while it is there", async () => {
    const at = await stage();
    const urn = seedTerm(at.source, "One");
    await apply(at, terms);
    const twin = await twinOf(at, urn);
    const blind = at.world.migration(terms, { registry: without(twin) });
    const found = await refusal(async () => rollbackRun(blind, { confirm: async () => true }));
    expect(found.code).toBe("incomplete");
    expect(await entryOf(at, urn)).toMatchObject({ target: twin });
  });

  test("is forgotten when it is gone indeed", async () => {
    const at = await stage();
    const urn = seedTerm(at.source, "One");
    await apply(at, terms);
    removeTerm(at.target, at.target.term("One"));
    expect(await rollback(at, terms, { allowDelete: true })).toMatchObject({ exitCode: 0, changes: [] });
    expect(await entryOf(at, urn)).toBeUndefined();
  });
});

/** Kinds whose lists pass over an object, and which perhaps cannot be asked for one by itself. */
function without(urn: string, isAskable = true): Registry {
  const moved = registry.moved().map((kind) => {
    const { feed } = kind;
    return {
      ...kind,
      ...(isAskable ? {} : { one: undefined }),
      feed: {
        name: feed.name,
        async *pages(client, context) {
          for await (const page of feed.pages(client, context))
            yield page.filter((body) => body["urn"] !== urn);
        },
      },
    } as MovedKind;
  });
  return new Registry([...registry.given(), ...moved]);
}

test("what a new object took the place of is not made again beside a pair that the source does not have", async () => {
  const at = await stage();
  const replacing = { select: { kinds: ["rules"] }, policy: { replace: "allow" } } as const;
  const rule = seedRule(at.source, "Postcode");
  await apply(at, replacing);
  const { faults } = at.world.emulator;
  faults.add({ match: { tenant: "prod", method: "PATCH" }, effect: { type: "status", code: 405 } });
  editRule(at.source, rule, { description: "another" });
  // The first one finds out that the service offers no update.
  await apply(at, replacing);
  const old = await twinOf(at, rule);
  expect((await apply(at, replacing, { allowDelete: true })).summary).toMatchObject({
    replace: 1,
    delete: 1,
  });
  const done = await rollback(at, replacing, { allowDelete: true });
  expect(done).toMatchObject({ exitCode: 4, summary: { create: 0, delete: 1, manual: 1 } });
  expect(done.changes.find(({ action }) => action === "manual")?.reason).toContain(
    "a new object took its place in the same run",
  );
  // Under the old one's own URN it would be an object of the source that the source has no more.
  expect(await entryOf(at, old ?? "")).toBeUndefined();
  expect(at.target.tenant.rules.size).toBe(0);
});

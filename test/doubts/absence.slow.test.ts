import { describe, expect, it } from "vitest";
import { registry } from "../../src/kinds/index.ts";
import type { Urn } from "../../src/model/urn.ts";
import { diffPlan } from "../../src/operations/diff.ts";
import { arrange } from "../diff/support/arrange.ts";
import { written } from "../diff/support/log.ts";
import { movedMonitor, plan as monitors } from "../diff/support/monitors.ts";
import { apply, entryOf, expectAtRest, refusal, stage } from "../diff/support/run.ts";
import { type Subject, subjects } from "../diff/support/subjects.ts";
import type { PlanChanges } from "../support/world.ts";
import { editMonitor } from "../diff/support/web.ts";
import { applyWith, hiding, killedAt } from "./support.ts";

const same = { source: "same", target: "same" } as const;

async function moved(subject: Subject) {
  const at = await stage();
  const plan: PlanChanges = {
    select: { kinds: subject.select, entityTypes: subject.entityTypes ?? [] },
    policy: { missingTarget: "recreate" },
  };
  const { urn, twin = "" } = await arrange(at, subject, same, plan);
  return { at, plan, urn, twin };
}

/** What lies over something goes with that: no list of its own says whether it is there. */
const entities = subjects.filter(({ kind }) => registry.movedKind(kind)?.mode === "entity");
const deletable = entities.filter(({ remove }) => remove.length > 0);

describe("a list of the source that skips an object", () => {
  it.each(deletable)("($kind) ends the run, and its twin is not deleted", async (subject) => {
    const { at, plan, urn } = await moved(subject);
    const error = await refusal(async () =>
      applyWith(at, plan, { registry: hiding(urn) }, { allowDelete: true }),
    );
    expect(error.code).toBe("incomplete");
    expect(error.message).toContain(`"Subject" (${urn})`);
    expect(error.suggestion).toBe("Nothing new was written. Run it again.");
    expect(written(at.world)).toEqual([]);
    await expectAtRest(at, plan, { allowDelete: true });
  });

  it("ends a dry run as well", async () => {
    for (const subject of deletable) {
      const { at, plan, urn } = await moved(subject);
      const error = await refusal(async () =>
        diffPlan(at.world.migration(plan, { registry: hiding(urn) }), {}),
      );
      expect(error.code).toBe("incomplete");
    }
  });
});

describe("an object that no list ever shows, and that is there", () => {
  it.each(deletable)(
    "at the source ($kind) is left to a person, and its twin is not deleted",
    async (subject) => {
      const { at, plan, urn } = await moved(subject);
      const done = await applyWith(at, plan, { registry: hiding(urn, 100) }, { allowDelete: true });
      expect(done.exitCode).toBe(4);
      expect(done.changes.map(({ action, reason }) => [action, reason])).toContainEqual([
        "manual",
        "it is there at dev, but no list shows it",
      ]);
      expect(written(at.world)).toEqual([]);
    },
  );

  it.each(entities)("at the target ($kind) is left to a person, and not created again", async (subject) => {
    const { at, plan, twin } = await moved(subject);
    const done = await applyWith(at, plan, { registry: hiding(twin, 100) });
    expect(done.exitCode).toBe(4);
    expect(done.changes.map(({ action, reason }) => [action, reason])).toContainEqual([
      "manual",
      "it is there at prod, but no list shows it",
    ]);
    expect(written(at.world)).toEqual([]);
  });
});

describe("a list of the target that skips an object", () => {
  it.each(entities)("($kind) ends the run, and it is not created a second time", async (subject) => {
    const { at, plan, twin } = await moved(subject);
    const error = await refusal(async () => applyWith(at, plan, { registry: hiding(twin) }));
    expect(error.code).toBe("incomplete");
    expect(error.message).toContain(`"Subject" (${twin})`);
    expect(written(at.world)).toEqual([]);
    await expectAtRest(at, plan);
  });

  it.each(entities)("($kind) ends the run, and its pair is not forgotten", async (subject) => {
    const { at, plan, urn, twin } = await moved(subject);
    const entry = await entryOf(at, urn);
    subject.drop(at.source, urn);
    const error = await refusal(async () =>
      applyWith(at, plan, { registry: hiding(twin) }, { allowDelete: true }),
    );
    expect(error.code).toBe("incomplete");
    expect(error.message).toContain(twin);
    expect(written(at.world)).toEqual([]);
    expect(await entryOf(at, urn)).toEqual(entry);
  });
});

describe("a list of the target that skips a monitor whose patch nobody came to publish", () => {
  it.each(["report", "recreate"] as const)(
    "makes no second one (missingTarget: %s)",
    async (missingTarget) => {
      const { at, urn, twin } = await movedMonitor();
      const plan: PlanChanges = { ...monitors, policy: { missingTarget } };
      editMonitor(at.source, urn, { name: "Ours" });
      await killedAt(at, plan, "intent:before", 2);
      const listed = at.target.tenant.monitors.size;
      await applyWith(at, plan, { registry: hiding(twin) }).catch(expectIncomplete);
      expect(written(at.world)).toEqual([]);
      expect(at.target.tenant.monitors.size).toBe(listed);

      expect((await apply(at, plan)).exitCode).toBe(0);
      expect(at.target.body(twin)["name"]).toBe("Ours");
      await expectAtRest(at, plan);
    },
  );
});

function expectIncomplete(error: unknown): void {
  expect(error).toMatchObject({ name: "EngineError", code: "incomplete" });
}

describe("what is truly gone on both sides", () => {
  it.each(entities)("($kind) is forgotten", async (subject) => {
    const { at, plan, urn, twin } = await moved(subject);
    subject.drop(at.source, urn);
    subject.drop(at.target, twin as Urn);
    expect((await apply(at, plan, { allowDelete: true })).exitCode).toBe(0);
    expect(written(at.world)).toEqual([]);
    expect(await entryOf(at, urn)).toBeUndefined();
  });
});

import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { applyPlan } from "../../../src/operations/apply.ts";
import { decide } from "../../../src/operations/decide.ts";
import { exportSnapshot } from "../../../src/operations/export.ts";
import { removeMappings } from "../../../src/operations/mappings.ts";
import type { Result } from "../../../src/model/result.ts";
import { seedTerm } from "../../diff/support/content.ts";
import { writes } from "../../diff/support/log.ts";
import { apply, diff, type Stage } from "../../diff/support/run.ts";
import { editMonitor, editRule, editTerm, removeTerm } from "../../diff/support/web.ts";
import { asked, atRest, held, isAsBefore, plan, repeated } from "./support.ts";
import { allOr } from "../../support/whole.ts";

const files = { kept: "files" } as const;

function told({ diagnostics, durationMs: _durationMs, ...others }: Result): object {
  return { ...others, diagnostics: diagnostics.filter(({ code }) => code !== "as-before") };
}

function plain(value: object): unknown {
  return JSON.parse(JSON.stringify(value));
}

describe("a run that hears what the one before it heard", () => {
  test("asks the same, writes nothing, tells the same, and makes no snapshot of what is there", async () => {
    const at = await atRest(files, { verify: true });
    const whole = await apply(at, { ...plan, name: "test" }, { verify: true });
    expect(isAsBefore(whole)).toBe(true);
    const again = asked(at);
    const { snapshot, look } = at.world.places(plan);
    const before = statSync(join(snapshot, "manifest.json")).mtimeMs;
    // The same without what is kept of the run before.
    await at.world.migration(plan).store.work.saveLook(undefined);
    const compared = await apply(at, plan, { verify: true });
    expect(isAsBefore(compared)).toBe(false);
    expect(asked(at)).toEqual(again);
    expect(repeated(again)).toEqual([]);
    expect(told(whole)).toEqual(told(compared));
    expect(whole.summary.unchanged).toBeGreaterThan(120);
    expect(statSync(join(snapshot, "manifest.json")).mtimeMs).toBeGreaterThan(before);
    const next = await apply(at, plan, { verify: true });
    expect([isAsBefore(next), next.requests]).toEqual([true, compared.requests]);
    expect(writes(at.world)).toEqual([]);
    expect(readFileSync(look, "utf8")).not.toContain("-secret");
  });

  test("has no snapshot, no diff and nothing on record of it", async () => {
    const at = await atRest(files);
    const { work, state } = at.world.migration(plan).store;
    const before = [(await work.snapshotKept())?.digest, await work.lastDiff(), await state.archives()];
    const stamp = statSync(join(at.world.places(plan).snapshot, "manifest.json")).mtimeMs;
    expect(isAsBefore(await apply(at, plan))).toBe(true);
    expect(statSync(join(at.world.places(plan).snapshot, "manifest.json")).mtimeMs).toBe(stamp);
    expect([
      (await work.snapshotKept())?.digest,
      await work.lastDiff(),
      JSON.stringify(await state.archives()),
    ]).toEqual([before[0], before[1], JSON.stringify(before[2])]);
  });

  test("goes its whole way the first time that nothing is to be done", async () => {
    const at = await atRest();
    seedTerm(at.source, "Later");
    expect((await apply(at, plan)).changes).toHaveLength(1);
    const first = await apply(at, plan);
    expect([first.changes.length, isAsBefore(first)]).toEqual([0, false]);
    expect(isAsBefore(await apply(at, plan))).toBe(true);
  });
});

interface Act {
  readonly what: string;
  readonly act: (at: Stage) => void;
  /** Of the changes that follow, what is told of each. */
  readonly told: readonly string[];
}

const acts: readonly Act[] = [
  {
    what: "a term is edited at the source",
    act: ({ source }) => editTerm(source, source.term("Term 107"), { description: "Otherwise" }),
    told: ["update"],
  },
  {
    what: "a term is new on the last page of the source",
    act: ({ source }) => void seedTerm(source, "Zuletzt"),
    told: ["create"],
  },
  {
    what: "a term is edited at the target",
    act: ({ target }) => editTerm(target, target.term("Term 3"), { description: "By a colleague" }),
    told: ["drift"],
  },
  {
    what: "a term is gone from the target",
    act: ({ target }) => {
      removeTerm(target, target.term("Term 120"));
    },
    told: ["manual"],
  },
  {
    what: "a term is gone from the source",
    act: ({ source }) => {
      removeTerm(source, source.term("Term 1"));
    },
    told: ["delete"],
  },
  {
    what: "a rule is edited at the source",
    act: ({ source }) => {
      editRule(source, source.rule("Email is set"), { description: "Otherwise" });
    },
    told: ["update"],
  },
  {
    what: "a monitor is edited at the target",
    act: ({ target }) => {
      editMonitor(target, target.monitor("Customer e-mail"), { description: "Otherwise" });
    },
    told: ["drift"],
  },
];

describe("a run that hears otherwise", () => {
  test.each(allOr(acts, (_row, index) => index % 3 === 0))(
    "sees that $what, and asks for each page once",
    async ({ act, told: expected }) => {
      const at = await atRest();
      act(at);
      const seen = await apply(at, plan, { confirm: async () => false }).catch((error: unknown) => error);
      // What is to be written is asked about, and nobody agrees.
      const result = seen instanceof Error ? await diff(at, plan) : (seen as Result);
      expect(result.changes.map(({ action }) => action)).toEqual(expected);
      expect(isAsBefore(result)).toBe(false);
    },
  );

  test("asks for no page twice", async () => {
    const at = await atRest();
    const { source, target } = at;
    editTerm(source, source.term("Term 107"), { description: "Otherwise" });
    editTerm(target, target.term("Term 3"), { description: "By a colleague" });
    const { changes } = await apply(at, plan);
    expect(changes.map(({ action }) => action).sort()).toEqual(["drift", "update"]);
    const reads = asked(at).filter((one) => / GET .*"size":"100"/.test(one));
    // What is read back after it was written has been read before.
    const back = new Set(reads.filter((one) => one.startsWith("prod GET /api/catalog/v1/terms ")));
    expect(repeated(reads).filter((one) => !back.has(one))).toEqual([]);
    expect(reads.filter((one) => one.startsWith("dev ")).length).toBeGreaterThan(4);
  });

  test("goes by what is there when it looks again right before it writes, and not by what was read ahead", async () => {
    const at = await atRest();
    const { source, target } = at;
    const term = source.term("Term 7");
    editTerm(source, term, { description: "Otherwise" });
    const twin = target.term("Term 7");
    const result = await apply(at, plan, {
      confirm: async () => {
        editTerm(target, twin, { description: "A colleague's, while the question was open" });
        return true;
      },
    });
    expect(result.changes.map(({ outcome }) => outcome)).not.toContain("done");
    expect(target.body(twin)["description"]).toBe("A colleague's, while the question was open");
  });
});

const known: readonly {
  readonly what: string;
  readonly change: (at: Stage) => Promise<{
    plan?: typeof plan;
    options?: Parameters<typeof apply>[2];
    tool?: string;
  } | void>;
}[] = [
  {
    what: "a pair is taken out of the mapping",
    change: async (at) => {
      await removeMappings(at.world.migration(plan), [at.source.term("Term 9")]);
    },
  },
  {
    what: "a person has decided",
    change: async (at) => {
      const of = { kind: "terms", urn: at.source.term("Term 9"), name: "Term 9" } as never;
      await decide(at.world.migration(plan), [{ of, choice: "take-source" }]);
    },
  },
  {
    what: "a person has abandoned what was in doubt",
    change: async (at) => {
      const { state } = at.world.migration(plan).store;
      const lease = await held(state);
      const list = await state.abandoned();
      list.set({ kind: "terms", source: at.source.term("Term 9"), name: "Term 9", step: "create", at: "" });
      await state.saveAbandoned(lease, list);
      await lease.release();
    },
  },
  {
    what: "the target was seen not to offer a step",
    change: async (at) => at.world.migration(plan).store.work.saveNotOffered(new Set(["rules/patch"])),
  },
  {
    what: "the plan has another policy",
    change: async () => ({ plan: { ...plan, policy: { drift: "overwrite" } } }),
  },
  {
    what: "the plan leaves a field out",
    change: async () => ({ plan: { ...plan, policy: { ignoreFields: { terms: ["/checkedAt"] } } } }),
  },
  { what: "the plan selects less", change: async () => ({ plan: { select: { kinds: ["terms"] } } }) },
  {
    what: "a finding is acknowledged in the plan",
    change: async () => ({
      plan: { ...plan, acknowledged: [{ kind: "terms", name: "Term *", reason: "known" }] },
    }),
  },
  { what: "deletes are allowed", change: async () => ({ options: { allowDelete: true } }) },
  { what: "deletes are limited", change: async () => ({ options: { maxDeletes: 3 } }) },
  { what: "it is to be verified", change: async () => ({ options: { verify: true } }) },
  { what: "less makes it red", change: async () => ({ options: { failOn: new Set(["drift"] as const) } }) },
  { what: "the tool is another one", change: async () => ({ tool: "urn-ferry 99.0.0" }) },
  {
    what: "the last diff is another one",
    change: async (at) => {
      await diff(at, { select: { kinds: ["terms"] } });
    },
  },
  {
    what: "the snapshot is another one",
    change: async (at) => {
      await exportSnapshot(at.world.migration({ select: { kinds: ["terms"] } }));
    },
  },
  {
    what: "something is left in the journal",
    change: async (at) => {
      const { state } = at.world.migration(plan).store;
      const lease = await held(state);
      const { journal } = await state.openJournal(lease, () => undefined);
      await journal.append({
        type: "baseline",
        run: "r",
        at: "2026-01-01T00:00:00Z",
        kind: "terms",
        uuids: [],
      } as never);
      await journal.close();
      await lease.release();
    },
  },
];

describe("a run that knows otherwise goes its whole way", () => {
  test("and does not, where nothing is otherwise", async () => {
    const at = await atRest();
    expect(isAsBefore(await apply(at, plan))).toBe(true);
  });

  test.each(allOr(known, (_row, index) => index % 3 === 0))("where $what", async ({ change }) => {
    const at = await atRest();
    const otherwise = (await change(at)) ?? {};
    const changes = otherwise.plan ?? plan;
    const { options = {}, tool } = otherwise;
    const migration = at.world.migration(changes, tool === undefined ? {} : { tool });
    const result = await applyPlan(migration, { confirm: async () => true, ...options });
    expect(isAsBefore(result)).toBe(false);
  });
});

describe("what was kept of a run", () => {
  test("is not believed where it is damaged, and kept anew", async () => {
    const at = await atRest();
    const { work } = at.world.migration(plan).store;
    const look = (await work.lastLook()) as { told: { summary: Record<string, number> } };
    look.told.summary["unchanged"] = 1;
    await work.saveLook(look);
    const result = await apply(at, plan);
    expect([isAsBefore(result), result.summary.unchanged]).toEqual([false, 126]);
    expect(isAsBefore(await apply(at, plan))).toBe(true);
  });

  test.each(
    allOr(
      ["", "{", "[]", '{"format":1}', "<<<<<<< ours\n{}\n=======\n{}\n>>>>>>> theirs\n"],
      (text) => text.length > 1,
    ),
  )("is no look where its file says %j", async (text) => {
    const at = await atRest(files);
    writeFileSync(at.world.places(plan).look, text);
    expect(isAsBefore(await apply(at, plan))).toBe(false);
    expect(isAsBefore(await apply(at, plan))).toBe(true);
  });

  test("is of what waits for people as well: that is told as it was", async () => {
    const at = await atRest();
    const { source, target } = at;
    editTerm(target, target.term("Term 3"), { description: "By a colleague" });
    removeTerm(source, source.term("Term 1"));
    const whole = await apply(at, plan, { verify: true });
    const before = await apply(at, plan, { verify: true });
    expect([isAsBefore(whole), isAsBefore(before)]).toEqual([false, true]);
    expect(whole.exitCode).toBe(4);
    expect(whole.changes.map(({ action }) => action).sort()).toEqual(["delete", "drift"]);
    expect(plain(told(before))).toEqual(plain(told(whole)));
  });

  test("goes away as soon as something is otherwise: who changes something in each run asks nothing twice", async () => {
    const at = await atRest();
    seedTerm(at.source, "Later");
    await apply(at, plan);
    expect(await at.world.migration(plan).store.work.lastLook()).toBeUndefined();
  });
});

import { readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { beforeEach, describe, expect, test } from "vitest";
import { failureResult } from "../../src/cli/failure.ts";
import { applyPlan } from "../../src/operations/apply.ts";
import { removeMappings, setMappings } from "../../src/operations/mappings.ts";
import type { Decision } from "../../src/operations/resolve.ts";
import { resolveDoubts } from "../../src/operations/resolve.ts";
import { planStatus } from "../../src/operations/status.ts";
import type { Result } from "../../src/model/result.ts";
import type { Urn } from "../../src/model/urn.ts";
import { seedRule, seedTerm } from "../diff/support/content.ts";
import { written } from "../diff/support/log.ts";
import type { Stage } from "../diff/support/run.ts";
import { apply, changeOf, diff, entryOf, refusal, stage } from "../diff/support/run.ts";
import type { PlanChanges } from "../support/world.ts";
import { killedAt } from "./rollback/support.ts";

const bulk = "POST /api/catalog/v1/terms/bulk";
const plan: PlanChanges = { select: { kinds: ["terms", "rules"] } };

async function resolve(at: Stage, decisions: readonly Decision[], changes = plan): Promise<Result> {
  return resolveDoubts(at.world.migration(changes), { decisions });
}

/** The answer is lost after the commit, and at that moment somebody else makes the same once more. */
function loseAmidTwins(at: Stage, name: string): void {
  at.world.emulator.faults.add({
    match: { route: bulk },
    when: { times: 1 },
    effect: { type: "drop-after-commit" },
  });
  const off = at.world.emulator.on(({ phase, entry }) => {
    if (phase !== "after-commit" || entry.route !== bulk) return;
    off();
    seedTerm(at.target, name);
  });
}

function suggested({ next = [] }: Result): readonly Decision[] {
  return next.flatMap((line): Decision[] => {
    const [, source, target] = /--take (\S+?)=(\S+)/.exec(line) ?? [];
    return source === undefined || target === undefined ? [] : [{ decision: "take", source, target }];
  });
}

describe("identical twins in doubt, and one more at the target", () => {
  let at: Stage;
  let one: Urn;
  let other: Urn;

  beforeEach(async () => {
    at = await stage();
    one = seedTerm(at.source, "Twin");
    other = seedTerm(at.source, "Twin");
    loseAmidTwins(at, "Twin");
    expect((await apply(at, plan)).exitCode).toBe(6);
  });

  test("each is suggested another candidate, and what is suggested works", async () => {
    const decisions = suggested(await resolve(at, []));
    expect(decisions).toHaveLength(2);
    const targets = decisions.map((decision) => (decision.decision === "take" ? decision.target : ""));
    expect(new Set(targets).size).toBe(2);
    expect((await resolve(at, decisions)).exitCode).toBe(0);
    expect((await apply(at, plan)).exitCode).toBe(0);
  });

  test("one object for two is refused before anything is recorded", async () => {
    const [first] = suggested(await resolve(at, []));
    const target = first?.decision === "take" ? first.target : "";
    const found = await refusal(async () =>
      resolve(at, [
        { decision: "take", source: one, target },
        { decision: "take", source: other, target },
      ]),
    );
    expect(found.message).toContain(`${target} cannot be the twin of ${other}: it is that of ${one}`);
    expect(found.suggestion).toMatch(/^Candidates: urn:/);
    expect(await entryOf(at, one)).toBeUndefined();
    expect(failureResult(found, "resolve", "test", "0").exitCode).toBe(64);
  });

  test("an object that is mapped by now is refused, and not offered either", async () => {
    const [first] = suggested(await resolve(at, []));
    const target = first?.decision === "take" ? first.target : "";
    expect((await resolve(at, [{ decision: "take", source: one, target }])).exitCode).toBe(6);
    const found = await refusal(async () => resolve(at, [{ decision: "take", source: other, target }]));
    expect(found.message).toContain(`it is that of ${one}`);
    // Nothing is in the way of the runs that follow.
    seedRule(at.source, "New");
    expect((await apply(at, plan)).exitCode).toBeLessThan(7);
    expect(at.target.tenant.counts().rules).toBe(1);
  });

  test("two decisions on one object are refused", async () => {
    const found = await refusal(async () =>
      resolve(at, [
        { decision: "retry", source: one },
        { decision: "abandon", source: one },
      ]),
    );
    expect(found.message).toContain("two decisions");
  });
});

describe("what a person abandons", () => {
  let at: Stage;
  let urn: Urn;
  const never: PlanChanges = { ...plan, policy: { adopt: "never" } };

  beforeEach(async () => {
    at = await stage({ kept: "files" });
    urn = seedTerm(at.source, "One");
    loseAmidTwins(at, "One");
    expect((await apply(at, never)).exitCode).toBe(6);
    const done = await resolve(at, [{ decision: "abandon", source: urn }], never);
    expect(done).toMatchObject({ exitCode: 0, diagnostics: [{ code: "abandoned" }] });
    expect(done.diagnostics[0]?.suggestion).toBe(`To have it moved again: ferry resolve test --retry ${urn}`);
  });

  test("is not sent again by any run, and the diff says so", async () => {
    for (let run = 0; run < 2; run += 1) {
      const done = await apply(at, never);
      expect(written(at.world)).toEqual([]);
      expect(changeOf(done, urn)).toMatchObject({
        action: "manual",
        reason: expect.stringContaining("abandoned by a person on"),
      });
      expect(done.exitCode).toBe(4);
    }
    const shown = changeOf(await diff(at, never), urn);
    expect(shown?.diagnostics[0]?.suggestion).toContain(`ferry resolve test --retry ${urn}`);
    expect((await resolve(at, [], never)).details).toMatchObject({
      abandoned: [{ source: urn, name: "One" }],
    });
  });

  test("is not moved again by --retry while what was sent may be there", async () => {
    const found = await refusal(async () => resolve(at, [{ decision: "retry", source: urn }], never));
    expect(found.code).toBe("in-doubt");
    expect(found.message).toContain("2 objects at the target look like 1 that were sent");
    expect(found.suggestion).toContain(`ferry mappings test set ${urn} `);
    await apply(at, never);
    expect(at.target.tenant.counts().terms).toBe(2);
  });

  test("is moved again after --retry", async () => {
    for (const term of at.target.tenant.terms.values()) at.target.tenant.terms.delete(term.urn);
    expect((await resolve(at, [{ decision: "retry", source: urn }], never)).exitCode).toBe(0);
    expect(changeOf(await diff(at, never), urn)?.action).toBe("create");
    expect(readdirSync(join(at.world.folder, "mappings", "dev--prod"))).not.toContain("_abandoned.json");
  });

  test("is off the list once the source has it no more, by --retry although what was sent may be there", async () => {
    at.source.tenant.terms.delete(urn);
    const done = await resolve(at, [{ decision: "retry", source: urn }], never);
    expect(done).toMatchObject({ exitCode: 0, diagnostics: [{ code: "abandoned-gone" }] });
    expect(done.details).not.toHaveProperty("abandoned");
    expect(readdirSync(join(at.world.folder, "mappings", "dev--prod"))).not.toContain("_abandoned.json");
  });

  test("is off the list once the source has it no more, by a run, which says so once", async () => {
    at.source.tenant.terms.delete(urn);
    const codes = async (): Promise<readonly string[]> =>
      (await apply(at, never)).diagnostics.map(({ code }) => code);
    expect(await codes()).toEqual(["abandoned-gone"]);
    expect(await codes()).toEqual([]);
    expect(readdirSync(join(at.world.folder, "mappings", "dev--prod"))).not.toContain("_abandoned.json");
    expect(at.target.tenant.counts().terms).toBe(2);
  });

  test("stays on the list where the source cannot be asked, and while a plan only leaves it out", async () => {
    const others: PlanChanges = { ...never, select: { kinds: ["rules"] } };
    expect((await apply(at, others)).diagnostics).toEqual([]);
    at.source.tenant.terms.delete(urn);
    at.world.emulator.faults.add({
      match: { tenant: "dev", route: "GET /api/catalog/v1/terms/:urn" },
      effect: { type: "status", code: 403 },
    });
    expect((await apply(at, others)).diagnostics).toEqual([]);
    expect(changeOf(await diff(at, never), urn)).toBeUndefined();
    expect((await resolve(at, [], never)).details).toMatchObject({ abandoned: [{ source: urn }] });
  });

  test("is moved again when a person names its twin", async () => {
    const target = at.target.term("One");
    await setMappings(at.world.migration(never), [{ source: urn, target }]);
    expect((await apply(at, never)).exitCode).toBe(0);
    expect(await entryOf(at, urn)).toMatchObject({ target });
  });

  test("is kept in a file with a format, for other environments to refuse", async () => {
    const path = join(at.world.folder, "mappings", "dev--prod", "_abandoned.json");
    const file: unknown = JSON.parse(readFileSync(path, "utf8"));
    expect(file).toMatchObject({
      format: 2,
      source: { tenant: "dev" },
      objects: { terms: { [urn]: { step: "create" } } },
    });
  });

  test("another decision than --retry on it is refused, and says how", async () => {
    const found = await refusal(async () => resolve(at, [{ decision: "abandon", source: urn }], never));
    expect(found.suggestion).toContain(`--retry ${urn}`);
  });
});

describe("a doubt that a run settles by itself", () => {
  const slow: PlanChanges = { ...plan, limits: { quietPeriodMs: 800 } };

  async function killed(at: Stage): Promise<Urn> {
    const urn = seedTerm(at.source, "One");
    const migration = at.world.migration(plan, killedAt("send:after"));
    await expect(applyPlan(migration, { confirm: async () => true })).rejects.toThrow("killed");
    return urn;
  }

  test("is left to the next apply: nothing is suggested that could double it", async () => {
    const at = await stage();
    const type = "drop-before-commit";
    at.world.emulator.faults.add({ match: { route: bulk }, when: { times: 1 }, effect: { type } });
    await killed(at);
    expect(await resolve(at, [])).toMatchObject({ exitCode: 5, next: ["ferry apply test"] });
    expect((await apply(at, plan)).exitCode).toBe(0);
    expect(at.target.tenant.counts().terms).toBe(1);
  });

  test("what a decision leaves in doubt does not make the decision an interrupted run", async () => {
    const at = await stage();
    seedTerm(at.source, "Two");
    const urn = await killed(at);
    await resolve(at, [{ decision: "abandon", source: urn }]);
    const { details, headline, next } = await planStatus(at.world.migration(plan));
    expect(details.inDoubt).toHaveLength(1);
    expect(details.interrupted.map(({ command }) => command)).toEqual(["apply"]);
    expect(headline).toMatch(/^The apply of /);
    expect(next).toEqual(["ferry apply test"]);
  });

  test("--retry waits out the quiet period, and is refused when it turns up meanwhile", async () => {
    const at = await stage();
    const effect = { type: "late-commit", ms: 400 } as const;
    at.world.emulator.faults.add({ match: { route: bulk }, when: { times: 1 }, effect });
    const urn = await killed(at);
    const found = await refusal(async () => resolve(at, [{ decision: "retry", source: urn }], slow));
    expect(found.code).toBe("in-doubt");
    expect(found.message).toContain("has turned up meanwhile");
    expect((await apply(at, plan)).exitCode).toBe(0);
    expect(at.target.tenant.counts().terms).toBe(1);
  });

  test("a person who takes longer than the quiet period to answer is told as well that it has turned up meanwhile", async () => {
    const at = await stage();
    const effect = { type: "late-commit", ms: 400 } as const;
    at.world.emulator.faults.add({ match: { route: bulk }, when: { times: 1 }, effect });
    const urn = await killed(at);
    const ask = async (): Promise<Decision> => {
      await setTimeout(900);
      return { decision: "retry", source: urn };
    };
    const migration = at.world.migration({ ...slow, policy: { adopt: "never" } });
    const found = await refusal(async () => resolveDoubts(migration, { decisions: [], ask }));
    expect(found.message).toContain("has turned up meanwhile");
    expect((await apply(at, plan)).exitCode).toBe(0);
    expect(at.target.tenant.counts().terms).toBe(1);
  });

  test("--retry is refused where it is there, and it is not made a second time", async () => {
    const never: PlanChanges = { ...slow, policy: { adopt: "never" } };
    const at = await stage();
    const urn = await killed(at);
    const began = Date.now();
    const found = await refusal(async () => resolve(at, [{ decision: "retry", source: urn }], never));
    expect(Date.now() - began).toBeLessThan(700);
    expect(found).toMatchObject({ code: "in-doubt", suggestion: "Run: ferry apply test" });
    expect(found.message).toBe(
      `terms "One" (${urn}) is not sent again: ${at.target.term("One")} is there, with the same content, and nobody's twin; nothing was recorded`,
    );
    expect((await apply(at, never)).exitCode).toBe(0);
    expect(at.target.tenant.counts().terms).toBe(1);
    expect(await entryOf(at, urn)).toMatchObject({ target: at.target.term("One") });
  });

  test("--retry after the quiet period is sent again, once", async () => {
    const at = await stage();
    const type = "drop-before-commit";
    at.world.emulator.faults.add({ match: { route: bulk }, when: { times: 1 }, effect: { type } });
    const urn = await killed(at);
    const began = Date.now();
    expect((await resolve(at, [{ decision: "retry", source: urn }], slow)).exitCode).toBe(0);
    expect(Date.now() - began).toBeGreaterThanOrEqual(790);
    expect((await apply(at, plan)).exitCode).toBe(0);
    expect(at.target.tenant.counts().terms).toBe(1);
  });
});

describe("a create that was abandoned, and may take effect late", () => {
  const slow: PlanChanges = { ...plan, policy: { adopt: "never" }, limits: { quietPeriodMs: 800 } };

  async function abandoned(at: Stage, effect: Parameters<typeof at.world.emulator.faults.add>[0]["effect"]) {
    at.world.emulator.faults.add({ match: { route: bulk }, when: { times: 1 }, effect });
    const urn = seedTerm(at.source, "One");
    const migration = at.world.migration(slow, killedAt("send:after"));
    await expect(applyPlan(migration, { confirm: async () => true })).rejects.toThrow("killed");
    await resolve(at, [{ decision: "abandon", source: urn }], slow);
    return urn;
  }

  test("is looked for after the quiet period, and its twin is named", async () => {
    const at = await stage();
    const urn = await abandoned(at, { type: "late-commit", ms: 400 });
    const found = await refusal(async () => resolve(at, [{ decision: "retry", source: urn }], slow));
    expect(found.code).toBe("in-doubt");
    expect(found.suggestion).toContain(`ferry mappings test set ${urn} ${at.target.term("One")}`);
    await apply(at, slow);
    expect(at.target.tenant.counts().terms).toBe(1);
  });

  test("is looked for also when an apply has closed the journal since", async () => {
    const at = await stage();
    const urn = await abandoned(at, { type: "drop-after-commit" });
    seedTerm(at.source, "Two");
    await apply(at, slow);
    const found = await refusal(async () => resolve(at, [{ decision: "retry", source: urn }], slow));
    expect(found.code).toBe("in-doubt");
    await apply(at, slow);
    expect(at.target.tenant.counts().terms).toBe(2);
  });

  test("is looked for by its name when no record of it is left", async () => {
    const at = await stage({ kept: "files" });
    const urn = await abandoned(at, { type: "drop-after-commit" });
    seedTerm(at.source, "Two");
    await apply(at, slow);
    rmSync(join(at.world.folder, "plans", "test", "runs"), { recursive: true });
    const found = await refusal(async () => resolve(at, [{ decision: "retry", source: urn }], slow));
    expect(found.suggestion).toContain(at.target.term("One"));
  });

  test("is not sent again while lists at the target do not come to rest", async () => {
    const at = await stage();
    const urn = await abandoned(at, { type: "drop-before-commit" });
    at.world.emulator.on(({ phase, entry }) => {
      if (phase === "answered" && entry.tenant === "prod" && entry.path.endsWith("/terms"))
        seedTerm(at.target, `Theirs ${at.target.tenant.terms.size}`);
    });
    const found = await refusal(async () => resolve(at, [{ decision: "retry", source: urn }], slow));
    expect(found.message).toContain("the listing at the target does not come to rest; nothing was recorded");
  });

  test("is sent again, once, when it did not happen", async () => {
    const at = await stage();
    const urn = await abandoned(at, { type: "drop-before-commit" });
    const began = Date.now();
    expect((await resolve(at, [{ decision: "retry", source: urn }], slow)).exitCode).toBe(0);
    expect(Date.now() - began).toBeGreaterThanOrEqual(500);
    await apply(at, slow);
    expect(at.target.tenant.counts().terms).toBe(1);
  });
});

describe("the mapping of an object whose operation is in doubt", () => {
  test("cannot be set or removed: settling would overrule it", async () => {
    const at = await stage();
    const urn = seedTerm(at.source, "One");
    loseAmidTwins(at, "One");
    await apply(at, plan);
    const target = at.target.term("One");
    for (const work of [
      async () => setMappings(at.world.migration(plan), [{ source: urn, target }]),
      async () => setMappings(at.world.migration(plan), [{ source: urn, target }], { check: true }),
      async () => removeMappings(at.world.migration(plan), [urn]),
    ]) {
      const found = await refusal(work);
      expect(found.code).toBe("in-doubt");
      expect(found.message).toContain("is in doubt");
      expect(found.suggestion).toBe("Decide: ferry resolve test");
    }
    expect((await resolve(at, [{ decision: "take", source: urn, target }])).exitCode).toBe(0);
    expect((await apply(at, plan)).exitCode).toBe(0);
    expect(await entryOf(at, urn)).toMatchObject({ target });
  });

  test("other pairs can be changed meanwhile, also those that stand in the journal only", async () => {
    const at = await stage();
    const rule = seedRule(at.source, "Email");
    await apply(at, { select: { kinds: ["rules"] } });
    const urn = seedTerm(at.source, "One");
    loseAmidTwins(at, "One");
    await apply(at, plan);
    await removeMappings(at.world.migration(plan), [rule]);
    expect(await entryOf(at, rule)).toBeUndefined();
    expect((await resolve(at, [])).exitCode).toBe(6);
    expect(await entryOf(at, urn)).toBeUndefined();
  });

  test("an entry of a journal that is not compacted yet is removed for good", async () => {
    const at = await stage({ kept: "files" });
    const urn = seedTerm(at.source, "One");
    const migration = at.world.migration(plan, killedAt("mapping:before-rename"));
    await expect(applyPlan(migration, { confirm: async () => true })).rejects.toThrow("killed");
    expect(await entryOf(at, urn)).toBeDefined();
    await removeMappings(at.world.migration(plan), [urn]);
    expect(await entryOf(at, urn)).toBeUndefined();
    await apply(at, { ...plan, policy: { adopt: "identical" } });
    expect(at.target.tenant.counts().terms).toBe(1);
  });
});

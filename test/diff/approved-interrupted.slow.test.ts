import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { resolveDoubts } from "../../src/operations/resolve.ts";
import { killedAt } from "../doubts/support.ts";
import type { Result } from "../../src/model/result.ts";
import { planStatus } from "../../src/operations/status.ts";
import { ServiceError } from "../../src/service/index.ts";
import { applyApproved, approved, plan, stopAfter } from "./support/approved.ts";
import { written } from "./support/log.ts";
import type { Urn } from "../../src/model/urn.ts";
import type { PlanChanges } from "../support/world.ts";
import { apply, diff, expectAtRest, refusal, stage, twinOf } from "./support/run.ts";
import type { Stage } from "./support/run.ts";
import { names, wanted } from "./support/side.ts";
import { seedRule, seedTerm } from "./support/content.ts";
import { editTerm, removeTerm } from "./support/web.ts";

interface Row {
  readonly what: string;
  readonly nth: number;
  readonly method?: string;
  readonly end?: string;
}

const rows: readonly Row[] = [
  { what: "the first write", nth: 1 },
  { what: "the second write", nth: 2 },
  { what: "the third write", nth: 3 },
  { what: "the fourth write", nth: 4 },
  { what: "the creation of terms", nth: 1, method: "POST", end: "/terms/bulk" },
  {
    what: "the creation of rules, which a monitor waits for",
    nth: 1,
    method: "POST",
    end: "/rules/batch/create",
  },
  { what: "the creation of monitors", nth: 1, method: "POST", end: "/dq-monitors/batch/create" },
  { what: "a patch that is not published yet", nth: 1, method: "PATCH", end: "/dq-monitors/:monitor" },
  { what: "a patch of a term", nth: 1, method: "PATCH", end: "/terms/:urn" },
];

/** A run that is stopped while it still reads ends with the client's error. */
async function exitCodeOf(run: () => Promise<Result>): Promise<number> {
  try {
    return (await run()).exitCode;
  } catch (error) {
    if (error instanceof ServiceError && error.kind === "aborted") return 5;
    throw error;
  }
}

it("what continues an approved run that was stopped keeps to what was approved, and what does not says so", async () => {
  const made = await approved();
  const { at } = made;
  const first = await applyApproved(made, { stop: stopAfter(at, 2) });
  expect(first.exitCode).toBe(5);
  expect(first.next).toEqual([expect.stringContaining(`--diff ${made.out}`)]);
  const status = await planStatus(at.world.migration(plan));
  expect(status.next).toEqual([expect.stringContaining("--diff FILE")]);
  const unbound = await apply(at, plan);
  expect(unbound.diagnostics.map(({ code }) => code)).toContain("approved-before");
  expect((await apply(at, plan)).diagnostics.map(({ code }) => code)).not.toContain("approved-before");
});

describe("an approved run that was stopped after", () => {
  it.each(rows)(
    "$what goes on with the same approved diff and ends complete",
    async ({ nth, method, end }) => {
      const made = await approved();
      const { at } = made;
      const first = await applyApproved(made, { stop: stopAfter(at, nth, method, end) });
      expect(first.exitCode).toBe(5);
      const before = written(at.world);
      expect(before.length).toBeGreaterThan(0);

      const second = await applyApproved(made);
      expect(second.exitCode).toBe(0);
      // Together they did everything once.
      expect([...before, ...written(at.world)].sort()).toEqual([
        "DELETE terms/:urn",
        "PATCH catalog-items/:item/dq-monitors/:monitor",
        "PATCH terms/:urn",
        "POST catalog-items/:item/dq-monitors/:monitor/publish",
        "POST dq-monitors/batch/create",
        "POST rules/batch/create",
        "POST terms/bulk",
      ]);
      const monitors = names(at.target.tenant.monitors.values()).filter((name) => name !== "Primary monitor");
      expect(monitors).toEqual(["Customers", "Old, renamed"]);
      expect(names(at.target.tenant.terms.values())).toEqual(["Customer", "Order"]);
      await expectAtRest(at, plan, { allowDelete: true });
    },
  );

  it("each write in turn ends complete, however often it is stopped", async () => {
    const made = await approved();
    const { at } = made;
    let runs = 0;
    for (let exitCode: number = 5; exitCode === 5; runs += 1) {
      exitCode = await exitCodeOf(async () => applyApproved(made, { stop: stopAfter(at, 1) }));
      expect([0, 5]).toContain(exitCode);
      expect(runs).toBeLessThan(12);
    }
    expect(runs).toBeGreaterThan(2);
    await expectAtRest(at, plan, { allowDelete: true });
  });

  it("the first write is refused when the rest of the world has moved meanwhile", async () => {
    const made = await approved();
    const { at } = made;
    // One request at a time, so that nothing else is under way when it stops.
    const slowly = { ...plan, limits: { concurrency: 1 } };
    await applyApproved(made, { stop: stopAfter(at, 1, "POST", "/terms/bulk") }, slowly);
    expect(written(at.world)).not.toContain("PATCH catalog-items/:item/dq-monitors/:monitor");
    seedTerm(at.target, "Order");
    const rule = at.target.rule("Old");
    const published = at.target.tenant.rules.get(rule)?.published;
    if (published !== undefined)
      at.target.tenant.rules.put({
        urn: rule,
        published: { ...published, description: "Theirs" },
        draftType: "NONE",
      });
    const error = await refusal(async () => applyApproved(made));
    expect(error.code).toBe("diff-moved");
    expect(error.details.join("\n")).toContain('rules "Old": drift was not in the approved diff');
    expect(error.details.join("\n")).not.toContain('"Order"');
    expect(written(at.world)).toEqual([]);
  });

  it("its first part is not changed back when somebody changed that since, whatever the policy says of drift", async () => {
    const overwriting: PlanChanges = { ...plan, policy: { drift: "overwrite" }, limits: { concurrency: 1 } };
    const made = await approved(overwriting);
    const { at, changed } = made;
    const stop = stopAfter(at, 1, "PATCH", "/terms/:urn");
    expect((await applyApproved(made, { stop }, overwriting)).exitCode).toBe(5);
    const twin = (await twinOf(at, changed.term)) as Urn;
    editTerm(at.target, twin, { description: "Theirs" });
    const error = await refusal(async () => applyApproved(made, {}, overwriting));
    expect(error.details).toEqual([
      'terms "Customer": somebody changed it at the target after an interrupted run of this diff had done its part',
    ]);
    expect(written(at.world)).toEqual([]);
    expect(at.target.body(twin)["description"]).toBe("Theirs");
  });

  it("its first part is not made again when somebody removed it since, whatever the policy says", async () => {
    const recreating: PlanChanges = {
      ...plan,
      policy: { missingTarget: "recreate" },
      limits: { concurrency: 1 },
    };
    const made = await approved(recreating);
    const { at } = made;
    const stop = stopAfter(at, 1, "POST", "/terms/bulk");
    expect((await applyApproved(made, { stop }, recreating)).exitCode).toBe(5);
    at.target.tenant.terms.delete(at.target.term("Order"));
    const error = await refusal(async () => applyApproved(made, {}, recreating));
    expect(error.details).toContain(
      'terms "Order": somebody removed it at the target after an interrupted run of this diff had done its part',
    );
    expect(written(at.world)).toEqual([]);
  });

  it("its first part is not led to what somebody has put in its place since, whatever the policy says", async () => {
    const taking: PlanChanges = {
      ...plan,
      policy: { missingTarget: "recreate", adopt: "by-name" },
      limits: { concurrency: 1 },
    };
    const made = await approved(taking);
    const { at } = made;
    const stop = stopAfter(at, 1, "POST", "/terms/bulk");
    expect((await applyApproved(made, { stop }, taking)).exitCode).toBe(5);
    removeTerm(at.target, at.target.term("Order"));
    const theirs = seedTerm(at.target, "Order", { description: "Theirs" });
    const error = await refusal(async () => applyApproved(made, {}, taking));
    expect(error.details).toEqual([
      'terms "Order": somebody removed it at the target after an interrupted run of this diff had done its part',
    ]);
    expect(written(at.world)).toEqual([]);
    expect(at.target.body(theirs)).toMatchObject({ description: "Theirs" });
  });

  it("the first write goes on without the approved diff as well", async () => {
    const made = await approved();
    const { at } = made;
    await applyApproved(made, { stop: stopAfter(at, 1) });
    const done = await apply(at, plan, { allowDelete: true });
    expect(done.exitCode).toBe(0);
    await expectAtRest(at, plan, { allowDelete: true });
  });
});

describe("of an approved run that was killed as it made a term, and beside which a colleague has made the same", () => {
  const ofTerms: PlanChanges = { select: { kinds: ["terms", "rules"] }, limits: { concurrency: 1 } };

  interface Asked {
    readonly at: Stage;
    readonly out: string;
    readonly urn: Urn;
    readonly theirs: Urn;
  }

  async function asked(): Promise<Asked> {
    const at = await stage();
    const urn = seedTerm(at.source, "Made");
    seedRule(at.source, "Rest");
    const out = join(at.world.folder, "approved.json");
    await diff(at, ofTerms, out);
    await killedAt(at, ofTerms, "send:after", 1, { diff: out });
    return { at, out, urn, theirs: seedTerm(at.target, "Made") };
  }

  const decided = async ({ at, urn }: Asked, how: "take" | "abandon", target: string): Promise<Result> => {
    const of = how === "take" ? { decision: how, source: urn, target } : { decision: how, source: urn };
    return resolveDoubts(at.world.migration(ofTerms), { decisions: [of] });
  };

  it("a person is asked, and no other diff", async () => {
    const { at, out } = await asked();
    const error = await refusal(async () => apply(at, ofTerms, { diff: out }));
    expect(error).toMatchObject({
      code: "in-doubt",
      message:
        "what became of 1 operation of the approved diff is not known, and nothing more of it was written",
      suggestion: "Decide: ferry resolve test",
      details: [expect.stringContaining('terms "Made": it was to create, and now it is blocked')],
    });
    expect(written(at.world)).toEqual([]);
  });

  it.each(["ours", "theirs"] as const)("the rest is applied once one was taken (%s)", async (whose) => {
    const made = await asked();
    const { at, out, urn, theirs } = made;
    const ours = at.target.tenant.terms
      .values()
      .find(({ urn: one, published }) => published?.["name"] === "Made" && one !== theirs);
    const target = whose === "theirs" ? theirs : wanted(ours?.urn, "ours");
    await refusal(async () => apply(at, ofTerms, { diff: out }));
    expect((await decided(made, "take", target)).next).toEqual([
      "ferry apply test --diff FILE  (the file that was approved)",
    ]);
    expect((await apply(at, ofTerms, { diff: out })).exitCode).toBe(0);
    expect(written(at.world)).toEqual(["POST rules/batch/create"]);
    expect(await twinOf(at, urn)).toBe(target);
    await expectAtRest(at, ofTerms);
  });

  it("what somebody has made of the one that was taken is not overwritten", async () => {
    const made = await asked();
    const { at, out, theirs } = made;
    await decided(made, "take", theirs);
    editTerm(at.target, theirs, { description: "theirs" });
    expect((await apply(at, ofTerms, { diff: out })).exitCode).toBe(4);
    expect(at.target.body(theirs)).toHaveProperty("description", "theirs");
  });

  it("where it was abandoned another diff is to be made", async () => {
    const made = await asked();
    const { at, out, theirs } = made;
    expect((await decided(made, "abandon", theirs)).next).toEqual(["ferry diff test"]);
    const error = await refusal(async () => apply(at, ofTerms, { diff: out }));
    expect([error.code, error.details]).toEqual([
      "diff-moved",
      [expect.stringContaining('terms "Made": it was to create, and now it is left to a person')],
    ]);
  });
});

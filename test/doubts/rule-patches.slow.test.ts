import { describe, expect, it } from "vitest";
import { leaveRuleDraft } from "../../src/emulator/seed.ts";
import { patches, written } from "../diff/support/log.ts";
import type { Stage } from "../diff/support/run.ts";
import { apply, changeOf, diff, expectAtRest, expectChange } from "../diff/support/run.ts";
import { editRule } from "../diff/support/web.ts";
import {
  afterCommit,
  applyWith,
  befallen,
  killedAt,
  lose,
  losePatchOfRule,
  more,
  movedRule,
  partNames,
  routes,
  rules,
} from "./support.ts";

const once = ["PATCH rules/:urn", "POST rules/:urn/publish"];

/** A moved rule that has got a parameter at the source; the emulated service does not show drafts of rules. */
async function grown(): Promise<
  Awaited<ReturnType<typeof movedRule>> & { readonly parameters: () => readonly unknown[] }
> {
  const moved = await movedRule();
  editRule(moved.at.source, moved.urn, more);
  return { ...moved, parameters: () => partNames(moved.at.target.body(moved.twin)["parameters"]) };
}

describe("a patch that adds a part to a rule, and no read shows the draft", () => {
  it.each([{ verify: false }, { verify: true }])(
    "is not sent twice when its answer is lost after the commit (verify: $verify)",
    async ({ verify }) => {
      const { at, urn, parameters } = await grown();
      losePatchOfRule(at, { type: "drop-after-commit" });
      const done = await apply(at, rules, { verify });
      expect(befallen(at)).toEqual(patches(at.world));
      expect(done.exitCode).toBe(0);
      expect(changeOf(done, urn)?.outcome).toBe("done");
      expect(written(at.world)).toEqual(once);
      expect(parameters()).toEqual(["more", "pattern"]);
      await expectAtRest(at, rules);
    },
  );

  it("is sent once more when it was lost before the commit, and only after the quiet period", async () => {
    const { at, parameters } = await grown();
    losePatchOfRule(at, { type: "drop-before-commit" });
    const sent: number[] = [];
    const done = await applyWith(
      at,
      { ...rules, limits: { quietPeriodMs: 300 } },
      { report: ({ type }) => void (type === "waiting" && sent.push(written(at.world).length)) },
    );
    expect(done.exitCode).toBe(0);
    const asked = at.world.emulator.log.entries.find(({ route }) => route === routes.patchRule);
    expect(asked?.body).toEqual({});
    expect(befallen(at)).toHaveLength(1);
    expect(sent).toEqual([1]);
    expect(written(at.world)).toEqual(["PATCH rules/:urn", ...once]);
    expect(parameters()).toEqual(["more", "pattern"]);
    await expectAtRest(at, rules);
  });

  it.each([{ read: "the published rule" }, { read: "404" }])(
    "is not sent twice when it takes effect late (a read answers with $read)",
    async ({ read }) => {
      const { at, twin, parameters } = await grown();
      losePatchOfRule(at, { type: "late-commit", ms: 100 });
      if (read === "404")
        at.world.emulator.faults.add({
          match: { route: routes.readRule },
          effect: { type: "status", code: 404 },
        });
      const done = await apply(at, { ...rules, limits: { quietPeriodMs: 350 } });
      await at.world.emulator.idle();
      expect(done.exitCode).toBe(0);
      expect(written(at.world)).toEqual(once);
      expect(parameters()).toEqual(["more", "pattern"]);
      expect(at.target.tenant.rules.get(twin)?.draftType).toBe("NONE");
    },
  );

  it("is sent once when it was the question before it that had no answer", async () => {
    const { at, parameters } = await grown();
    lose(at, routes.patchRule, { type: "drop-after-commit" });
    const done = await apply(at, rules);
    expect(done.exitCode).toBe(0);
    expect(befallen(at)).toEqual([{}]);
    expect(written(at.world)).toEqual(once);
    expect(parameters()).toEqual(["more", "pattern"]);
  });

  it("of a run that was killed after the commit is published by the next run", async () => {
    const { at, parameters } = await grown();
    await killedAt(at, rules, "send:after");
    expect(parameters()).toEqual(["pattern"]);
    const done = await apply(at, rules);
    expect(done.exitCode).toBe(0);
    expect(written(at.world)).toEqual(["POST rules/:urn/publish"]);
    expect(parameters()).toEqual(["more", "pattern"]);
    await expectAtRest(at, rules);
  });

  it("of a run that was killed before it was sent is sent by the next run", async () => {
    const { at, parameters } = await grown();
    await killedAt(at, rules, "intent:after");
    const done = await apply(at, rules);
    expect(done.exitCode).toBe(0);
    expect(written(at.world)).toEqual(once);
    expect(parameters()).toEqual(["more", "pattern"]);
    await expectAtRest(at, rules);
  });
});

it("what somebody else added to the draft of a lost patch is not published with it", async () => {
  const { at, urn, twin, parameters } = await grown();
  losePatchOfRule(at, { type: "drop-after-commit" });
  afterCommit(at, routes.patchRule, () => {
    leaveRuleDraft(at.target.tenant, twin, "CHANGE", {
      parameters: { theirs: { name: "theirs", dataType: "LONG" } },
    });
  });
  const done = await apply(at, rules);
  expect(befallen(at)).toEqual(patches(at.world));
  expect(done.exitCode).toBe(6);
  expect(changeOf(done, urn)?.outcome).toBe("in-doubt");
  expect(parameters()).toEqual(["pattern"]);
  expect((await apply(at, rules)).exitCode).toBe(6);
  expect(written(at.world)).toEqual([]);
});

it.each([
  {
    what: "change",
    asks: 1,
    loses: (at: Stage): void => losePatchOfRule(at, { type: "drop-after-commit" }),
  },
  {
    what: "publish",
    asks: 2,
    loses: (at: Stage): void => lose(at, routes.publishRule, { type: "drop-before-commit" }),
  },
])(
  "is not taken for gone when one answer says that it does not exist, and the target shows it: a lost $what",
  async ({ asks, loses }) => {
    const { at, urn, parameters } = await grown();
    loses(at);
    const works = at.world.emulator.faults.add({
      match: { route: routes.patchRule },
      when: { skip: asks },
      effect: { type: "status", code: 404 },
    });
    const first = await apply(at, rules);
    expect([first.exitCode, changeOf(first, urn)?.outcome]).toEqual([5, "in-doubt"]);
    works();
    expect((await apply(at, rules)).exitCode).toBe(0);
    expect(parameters()).toEqual(["more", "pattern"]);
    await expectAtRest(at, rules);
  },
);

it("what a killed run has patched and not published is told as that by who only looks, though no read shows the draft", async () => {
  const { at, urn, twin } = await movedRule();
  editRule(at.source, urn, { description: "after" });
  await killedAt(at, rules, "intent:before", 2);
  expectChange(await diff(at, rules), urn, "update", "its publish is still to be done");
  const told: unknown[] = [];
  await apply(at, rules, {
    confirm: async ({ changes }) => {
      told.push(...changes.map(({ action }) => action));
      return true;
    },
  });
  expect(told).toEqual(["update"]);
  expect(at.target.body(twin)["description"]).toBe("after");
  await expectAtRest(at, rules);
});

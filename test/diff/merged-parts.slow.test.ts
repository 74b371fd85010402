import { expect, test } from "vitest";
import type { Urn } from "../../src/model/urn.ts";
import { seedMonitor, seedRule } from "./support/content.ts";
import { written } from "./support/log.ts";
import { plan, update } from "./support/monitors.ts";
import { apply, decideOne, expectAtRest, expectChange, stage, twinOf } from "./support/run.ts";
import { onlyKey } from "./support/side.ts";
import { editMonitor, rekeyMonitor } from "./support/web.ts";

const merging = { ...plan, policy: { conflict: "merge" as const } };

test.each([true, false])(
  "what the source has changed of a part that a colleague has made anew is not lost in a merge (met by a run before: %s)",
  async (isMet) => {
    const at = await stage({ kept: "files" });
    const rule = seedRule(at.source, "Email");
    const monitor = seedMonitor(at.source, rule, "Customers");
    await apply(at, plan);
    const twin = (await twinOf(at, monitor)) as Urn;
    rekeyMonitor(at.target, twin, [onlyKey(at.target.body(twin)["manualRuleInstances"])]);
    if (isMet) expect((await apply(at, plan)).exitCode).toBe(0);
    editMonitor(at.target, twin, { description: "theirs" });
    const instance = onlyKey(at.source.body(monitor)["manualRuleInstances"]);
    editMonitor(at.source, monitor, { manualRuleInstances: { [instance]: { enabled: false } } });
    const isEnabled = (): unknown =>
      Object.values(at.target.body(twin)["manualRuleInstances"] ?? {})[0]?.enabled;

    const done = await apply(at, merging);
    const [action, why] = isMet
      ? (["update", "in different fields"] as const)
      : (["conflict", "both sides"] as const);
    expectChange(done, monitor, action, why);
    expect(written(at.world)).toEqual(isMet ? update : []);
    if (!isMet) {
      await decideOne(at, merging, "take-source");
      expect((await apply(at, merging)).exitCode).toBe(0);
    }
    expect(isEnabled()).toBe(false);
    await expectAtRest(at, merging);
  },
);

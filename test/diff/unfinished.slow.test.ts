import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../src/emulator/json.ts";
import type { Result } from "../../src/model/result.ts";
import { removeMappings } from "../../src/operations/mappings.ts";
import { verifyPlan } from "../../src/operations/verify.ts";
import { leaveMonitorDraft } from "../../src/emulator/seed.ts";
import type { Urn } from "../../src/model/urn.ts";
import { wanted } from "./support/side.ts";
import { seedMonitor, seedRule } from "./support/content.ts";
import { written } from "./support/log.ts";
import type { Stage } from "./support/run.ts";
import { apply, changeOf, diff, expectAtRest, refusal, stage, twinOf } from "./support/run.ts";
import { editMonitor } from "./support/web.ts";
import { onArrival } from "../doubts/support.ts";

const moved = { select: { kinds: ["rules", "monitors"] } };
const publishRoute = "POST /api/data-quality/v1/catalog-items/:item/dq-monitors/:monitor/publish";
const at = (hour: number): { readonly schedule: { readonly cronExpression: string } } => ({
  schedule: { cronExpression: `0 0 ${hour} * * ?` },
});

/** A run has patched a monitor, and its publish was refused: the target still runs what it ran before. */
async function halfChanged(): Promise<{
  readonly stage: Stage;
  readonly monitor: Urn;
  readonly hour: () => unknown;
}> {
  const here = await stage({ kept: "files" });
  const monitor = seedMonitor(here.source, seedRule(here.source, "Email"), "Customers");
  editMonitor(here.source, monitor, at(6));
  await apply(here, moved);
  editMonitor(here.source, monitor, at(9));
  const works = here.world.emulator.faults.add({
    match: { tenant: "prod", route: publishRoute },
    effect: { type: "status", code: 400 },
  });
  await apply(here, moved);
  works();
  const hour = (): unknown => {
    const { schedule } = here.target.body(here.target.monitor("Customers")) as { schedule?: typeof at };
    return /^0 0 (\d+) /.exec((schedule as unknown as { cronExpression: string }).cronExpression)?.[1];
  };
  return { stage: here, monitor, hour };
}

/** Somebody publishes a change of what is published, and the draft that is open stays as it is. */
function publishPast({ target }: Stage, change: JsonObject): void {
  const urn = target.monitor("Customers");
  const monitor = wanted(target.tenant.monitors.get(urn), urn);
  target.tenant.monitors.put({ ...monitor, published: { ...wanted(monitor.published, urn), ...change } });
}

function discard({ target }: Stage): void {
  const urn = target.monitor("Customers");
  const { draft: _gone, ...monitor } = wanted(target.tenant.monitors.get(urn), urn);
  target.tenant.monitors.put({ ...monitor, draftType: "NONE" });
}

const told = (result: Result, source: string): readonly unknown[] => {
  const change = changeOf(result, source);
  return [change?.action, change?.reason];
};
const left = "an interrupted run changed it at the target; its publish is still to be done";

describe("a change that was sent and not published", () => {
  test("is no drift: a diff and a verify tell what the next apply does, which does it", async () => {
    const { stage: here, monitor, hour } = await halfChanged();
    const looked = await diff(here, moved);
    expect(told(looked, monitor)).toEqual(["update", left]);
    expect(looked.headline).toMatch(/^1 change to make\./);
    expect(changeOf(looked, monitor)?.fields.map(({ path }) => path)).toEqual(["/schedule/cronExpression"]);
    const verified = await verifyPlan(here.world.migration(moved));
    expect([verified.exitCode, ...told(verified, monitor)]).toEqual([7, "update", left]);
    expect(hour()).toBe("6");

    const result = await apply(here, moved);
    expect([result.exitCode, hour()]).toEqual([0, "9"]);
    expect(result.headline).toBe("1 object of an interrupted run published. Nothing else to do.");
    expect(result.diagnostics.map(({ code }) => code)).toContain("finished");
    await expectAtRest(here, moved);
  });

  test("a person is asked before it is published", async () => {
    const { stage: here, monitor, hour } = await halfChanged();
    const asked: unknown[] = [];
    const refused = await refusal(async () =>
      apply(here, moved, {
        async confirm({ changes }) {
          asked.push(changes.find(({ source }) => source?.urn === monitor)?.reason, hour());
          return false;
        },
      }),
    );
    expect([refused.code, ...asked]).toEqual(["not-confirmed", left, "6"]);
    expect([written(here.world), hour()]).toEqual([[], "6"]);
    let questions = 0;
    await apply(here, moved, { confirm: async () => Boolean((questions += 1)) });
    expect([questions, hour()]).toEqual([1, "9"]);
  });

  test("what the source has taken back since is told as a change, and taken back", async () => {
    const { stage: here, monitor, hour } = await halfChanged();
    editMonitor(here.source, monitor, at(6));
    expect(told(await diff(here, moved), monitor)).toEqual([
      "update",
      `${left}; it changed at the source since, and is brought to that after it`,
    ]);
    await apply(here, moved);
    expect(hour()).toBe("6");
    await expectAtRest(here, moved);
  });

  test("an approved diff that tells of it brings it to its end, also where the source has moved since", async () => {
    for (const then of [9, 6, 12]) {
      const { stage: here, monitor, hour } = await halfChanged();
      if (then !== 9) editMonitor(here.source, monitor, at(then));
      const approved = join(here.world.folder, "approved.json");
      await diff(here, moved, approved);
      const result = await apply(here, moved, { diff: approved });
      expect([result.exitCode, hour()]).toEqual([0, String(then)]);
      await expectAtRest(here, moved);
    }
  });

  test("an approved diff that does not tell of it publishes nothing of it", async () => {
    const { stage: here, monitor, hour } = await halfChanged();
    const others = { select: { kinds: ["rules"] } };
    const approved = join(here.world.folder, "approved.json");
    await diff(here, others, approved);
    await apply(here, others, { diff: approved }).catch(() => undefined);
    expect([written(here.world), hour()]).toEqual([[], "6"]);
    expect(told(await diff(here, moved), monitor)).toEqual(["update", left]);
  });

  test("a draft that somebody else has changed since is not ours to publish", async () => {
    const { stage: here, monitor, hour } = await halfChanged();
    const draft = here.target.monitor("Customers");
    leaveMonitorDraft(here.target.tenant, draft, "CHANGE", at(23));
    expect(told(await diff(here, moved), monitor)[0]).not.toBe("update");
    expect(hour()).toBe("6");
  });

  test("what somebody has published past our draft meanwhile is not taken back by its publish", async () => {
    const { stage: here, monitor, hour } = await halfChanged();
    publishPast(here, at(15));
    expect(told(await diff(here, moved), monitor)[0]).toBe("drift");
    const result = await apply(here, moved);
    expect([result.exitCode, hour()]).toEqual([4, "15"]);
    expect(JSON.stringify(result.diagnostics)).toContain("somebody published another version of it");

    // Ours is discarded: what is published is drift from then on, and nothing is left to be done.
    discard(here);
    expect((await apply(here, moved)).diagnostics.map(({ code }) => code)).not.toContain("unfinished");
    expect([told(await diff(here, moved), monitor)[0], hour()]).toEqual(["drift", "15"]);
  });

  test("nor where the answer to its publish was lost, and theirs came in between", async () => {
    const { stage: here, monitor, hour } = await halfChanged();
    const answers = here.world.emulator.faults.add({
      match: { tenant: "prod", route: publishRoute },
      effect: { type: "drop-before-commit" },
    });
    const lost = await apply(here, moved).catch((error: unknown) => error);
    expect(JSON.stringify(lost)).toContain("doubt");
    answers();
    publishPast(here, at(15));
    const result = await apply(here, moved);
    expect([result.exitCode, hour()]).toEqual([4, "15"]);
    expect(told(await diff(here, moved), monitor)[0]).toBe("drift");
  });

  test("nor is it published a second time when theirs comes before the first one is looked for", async () => {
    const { stage: here, monitor, hour } = await halfChanged();
    here.world.emulator.faults.add({
      match: { tenant: "prod", route: publishRoute },
      when: { times: 1 },
      effect: { type: "drop-before-commit" },
    });
    onArrival(here, publishRoute, () => publishPast(here, at(15)));
    const result = await apply(here, moved);
    expect([result.exitCode, hour()]).toEqual([4, "15"]);
    expect(written(here.world).filter((line) => line.endsWith("publish"))).toHaveLength(1);
    expect(JSON.stringify(result.diagnostics)).toContain("somebody published another version of it");
    expect(told(await diff(here, moved), monitor)[0]).toBe("drift");
  });

  test("one whose publish is refused again, or has no answer, is nobody's drift", async () => {
    const { stage: here, monitor, hour } = await halfChanged();
    const refused = here.world.emulator.faults.add({
      match: { tenant: "prod", route: publishRoute },
      effect: { type: "status", code: 400 },
    });
    const still = await apply(here, moved);
    expect(told(still, monitor)).toEqual([
      "blocked",
      expect.stringContaining("an interrupted run changed it at the target, and that could not be published"),
    ]);
    refused();
    const lost = here.world.emulator.faults.add({
      match: { tenant: "prod", route: publishRoute },
      effect: { type: "drop-before-commit" },
    });
    expect(told(await apply(here, moved), monitor)[0]).toBe("blocked");
    lost();
    await apply(here, moved);
    expect(hour()).toBe("9");
    await expectAtRest(here, moved);
  });
});

test("a pair that is taken away of something drafted and not published says what stays behind: no run knows it from then on", async () => {
  const { stage: here, monitor } = await halfChanged();
  const twin = await twinOf(here, monitor);
  const { diagnostics } = await removeMappings(here.world.migration(moved), [monitor]);
  expect(diagnostics).toMatchObject([
    { code: "pair-unfinished", coordinate: { urn: monitor }, summary: expect.stringContaining(twin) },
  ]);
  const rule = here.source.rule("Email");
  expect((await removeMappings(here.world.migration(moved), [rule])).diagnostics).toEqual([]);
});

import { describe, expect, onTestFinished, test } from "vitest";
import type { FaultRule } from "../../../src/emulator/index.ts";
import * as seed from "../../../src/emulator/seed.ts";
import type { Selection } from "../../../src/model/plan.ts";
import type { Result } from "../../../src/model/result.ts";
import { exitCodes } from "../../../src/model/result.ts";
import { diffPlan } from "../../../src/operations/diff.ts";
import type { Migration } from "../../../src/operations/migration.ts";
import { parityPlan } from "../../../src/operations/parity.ts";
import { refusal } from "../support.ts";
import type { Moved } from "./support.ts";
import { changeAt, itemOf, monitorBody, moved, requestsOf, seedPresent } from "./support.ts";

const api = "/api/data-quality/v1";
const list = `GET ${api}/dq-monitors`;
const one = `GET ${api}/catalog-items/:item/dq-monitors/:monitor`;

function migrationOf({ world }: Moved, select: Partial<Selection>): Migration {
  const migration = world.migration({ select: { kinds: ["rules", "monitors"], ...select } });
  onTestFinished(() => migration.close());
  return migration;
}

function namesIn({ parity }: Result): readonly string[] {
  return (parity ?? []).map(({ source }) => source.name);
}

describe("what is compared is what the plan selects, as a diff has it", () => {
  test.each(["include", "exclude"] as const)(
    "a typo in %s is refused, with the name that was meant",
    async (key) => {
      const there = await moved();
      const select = { [key]: [{ kind: "monitors", name: "Custmers" }] };
      const refused = await refusal(parityPlan(migrationOf(there, select)));
      expect(refused).toMatchObject({ code: "selection" });
      expect(refused).toMatchObject({ suggestion: expect.stringContaining('did you mean "Customers"?') });
      expect(refused.message).toBe((await refusal(diffPlan(migrationOf(there, select)))).message);
    },
  );

  test("by what monitors are called at the source now, in the report as well", async () => {
    const there = await moved();
    there.runBoth(0);
    changeAt(there.dev, there.source, { name: "Sandbox" });
    const including = (name: string) => ({ include: [{ kind: "monitors", name }] });
    expect(namesIn(await parityPlan(migrationOf(there, including("Sandbox"))))).toEqual(["Sandbox"]);
    const excluded = { exclude: [{ kind: "monitors", name: "Sandbox" }] };
    expect(namesIn(await parityPlan(migrationOf(there, excluded)))).toEqual([]);
    expect(await refusal(parityPlan(migrationOf(there, including("Customers"))))).toMatchObject({
      code: "selection",
    });
  });

  test("primary monitors by what their items are called now", async () => {
    const there = await moved(undefined, (dev) => {
      const rule = seedPresent(dev, "Is present, too");
      seed.seedPrimaryMonitor(dev, itemOf(dev).urn, monitorBody(dev, rule));
    });
    const item = itemOf(there.dev);
    there.dev.items.put({ ...item, name: "CLIENT" });
    const select = { include: [{ kind: "monitors", name: "CLIENT (primary)" }] };
    const { parity } = await parityPlan(migrationOf(there, select));
    expect(parity?.map(({ source }) => source.urn)).toEqual([item.primaryMonitorUrn]);
  });

  test.each([
    ["no monitors", { kinds: ["rules"] }],
    ["a monitor that was not moved", { include: [{ kind: "monitors", name: "Later" }] }],
    ["what fits none of them", { include: [{ name: "Is present" }] }],
  ])("%s: it is not said that nothing was moved", async (_what, select) => {
    const there = await moved();
    const rule = seedPresent(there.dev, "Is late");
    const catalogItemUrn = itemOf(there.dev).urn;
    seed.seedMonitor(there.dev, { ...monitorBody(there.dev, rule), catalogItemUrn, name: "Later" });
    expect(await parityPlan(migrationOf(there, select))).toMatchObject({
      exitCode: exitCodes.done,
      parity: [],
      headline: "Nothing to compare: nothing of the selection is a monitor that was moved.",
      next: [],
    });
  });
});

describe("what a list does not show", () => {
  const stale = (tenant: string): FaultRule => ({
    match: { tenant, route: list },
    effect: { type: "stale-list", ms: 600_000 },
  });

  test.each(["dev", "prod"])("at %s is asked for by itself, and compared", async (tenant) => {
    const there = await moved();
    there.runBoth(0);
    there.world.emulator.faults.add(stale(tenant));
    const result = await there.parity();
    expect(result.exitCode).toBe(exitCodes.done);
    expect(result.parity?.map(({ outcome }) => outcome)).toEqual(["equal"]);
  });

  test("asks for nothing besides where the lists show all", async () => {
    const there = await moved();
    there.runBoth(0);
    await there.parity();
    for (const tenant of ["dev", "prod"]) expect(requestsOf(there, tenant)).not.toContain(one);
  });

  test("primary monitors of which the list shows some are looked for like those of which it shows none", async () => {
    const there = await moved(undefined, (dev) => {
      const rule = seedPresent(dev, "Is present, too");
      seed.seedPrimaryMonitor(dev, itemOf(dev).urn, monitorBody(dev, rule));
    });
    there.runBoth(0);
    const urn = itemOf(there.prod).primaryMonitorUrn ?? ("" as never);
    seed.seedRun(there.dev, itemOf(there.dev).primaryMonitorUrn ?? ("" as never));
    seed.seedRun(there.prod, urn);
    const migration = migrationOf(there, {});
    const client = migration.targetReads();
    const monitors: typeof client.quality.monitors = async function* (query) {
      for await (const page of client.quality.monitors(query))
        yield { ...page, items: page.items.filter((body) => body["urn"] !== urn) };
    };
    const targetReads = () => ({ ...client, quality: { ...client.quality, monitors } });
    const { parity } = await parityPlan(Object.assign(migration, { targetReads }));
    expect(parity?.map(({ outcome }) => outcome)).toEqual(["equal", "equal"]);
  });

  test("and cannot be read by itself is not said to be gone", async () => {
    const there = await moved();
    there.runBoth(0);
    there.world.emulator.faults.add(stale("prod"));
    there.world.emulator.faults.add({
      match: { tenant: "prod", route: one },
      effect: { type: "status", code: 403 },
    });
    const { reason } = await there.pair();
    expect(reason).toContain("no list shows it, and it cannot be read at prod");
    expect(reason).not.toContain("any more");
  });
});

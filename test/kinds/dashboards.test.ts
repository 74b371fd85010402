import { describe, expect, test } from "vitest";
import { createDashboard } from "../../src/emulator/quality/dashboards.ts";
import type { Urn } from "../../src/model/urn.ts";
import { dashboards } from "../../src/kinds/dashboards.ts";
import { exitCodes } from "../../src/model/result.ts";
import { seedDashboard } from "../diff/support/content.ts";
import type { Side } from "../diff/support/side.ts";
import { contract } from "./contract.ts";
import { changeOf, fresh, type Place } from "./support/place.ts";
import { refusedDashboard } from "./support/spoil.ts";
import { times } from "./support/times.ts";
import { inWhole } from "../support/whole.ts";

const plan = { select: { kinds: ["dashboards"] } };
const publish = "POST /api/data-quality/v1/dq-dashboards/:urn/publish";

contract({
  kind: dashboards,
  plan,
  routes: { create: "POST /api/data-quality/v1/dq-dashboards", publish },
  seed: (from) => times(3, (number) => seedDashboard(from, `Dashboard ${number}`)),
  spoil: ({ source }, urn) => refusedDashboard(source, urn),
  stays: true,
});

/** No document says that drafts are not in the list. */
describe("where the list shows dashboards that nobody has published", () => {
  async function showing(): Promise<Place> {
    const at = await fresh();
    for (const side of [at.source, at.target]) side.tenant.quirks.newDashboards = "shown";
    return at;
  }

  /** What `seedDashboard` publishes. */
  function leftAsDraft(side: Side, name: string): Urn {
    const dqMonitorUrns = [side.primary("CUSTOMER"), side.primary("SALES_ORDER")];
    return createDashboard(side.tenant, { name, description: `Shows ${name}`, dqMonitorUrns }).urn;
  }

  function publishedAt({ tenant }: Side): readonly unknown[] {
    return [...tenant.dashboards.values()].flatMap(({ published }) => published?.["name"] ?? []);
  }

  test("one of the source stays behind, and is named", async () => {
    const at = await showing();
    const draft = leftAsDraft(at.source, "Half done");
    seedDashboard(at.source, "Done");
    const result = await at.apply(plan);
    expect(result.exitCode).toBe(exitCodes.partial);
    expect(changeOf(result, draft)).toMatchObject({
      action: "manual",
      diagnostics: [{ code: "not-published" }],
    });
    expect(publishedAt(at.target)).toEqual(["Done"]);
  });

  test("one that somebody has at the target is no twin of what the source has published", async () => {
    const at = await showing();
    const source = seedDashboard(at.source, "Done");
    const theirs = leftAsDraft(at.target, "Done");
    const result = await at.apply(plan);
    expect(result.exitCode).toBe(exitCodes.partial);
    const change = changeOf(result, source);
    expect(change).toMatchObject({ action: "blocked", diagnostics: [{ code: "not-published" }] });
    expect(at.writes()).toEqual([]);
    expect(at.target.tenant.dashboards.get(theirs)?.draftType).toBe("NEW");
  });

  inWhole(
    "one of ours that was refused to be published is still to be, for each run until it is",
    async () => {
      const at = await showing();
      const source = seedDashboard(at.source, "Done");
      const { faults } = at.world.emulator;
      faults.add({ match: { tenant: "prod", route: publish }, effect: { type: "status", code: 400 } });
      for (let run = 0; run < 3; run += 1) {
        expect((await at.apply(plan)).exitCode).toBe(exitCodes.partial);
        expect(changeOf(await at.diff(plan), source)).toMatchObject({
          action: "create",
          reason: "an interrupted run created it at the target; its publish is still to be done",
        });
      }
      faults.clear();
      expect((await at.apply(plan)).exitCode).toBe(exitCodes.done);
      expect([publishedAt(at.target), at.target.tenant.dashboards.size]).toEqual([["Done"], 1]);
      expect(await at.apply(plan)).toMatchObject({ exitCode: exitCodes.done, changes: [] });
      expect(at.writes()).toEqual([]);
    },
  );
});

import { describe, expect, test } from "vitest";
import type { Tenant } from "../../src/emulator/index.ts";
import type { Urn } from "../../src/model/urn.ts";
import { demoPairing } from "../../src/emulator/scenarios/index.ts";
import { leaveMonitorDraft, seedCatalogItem, seedDashboard } from "../../src/emulator/seed.ts";
import type { PlanChanges, World } from "../support/world.ts";
import { onDemo } from "./on-demo.ts";
import { run, writes } from "./support.ts";

let demo: World;
let source: Tenant;
let target: Tenant;
onDemo((at) => ({ demo, source, target } = at));

const table = "SALES_ORDER";
const kinds = ["terms", "rules", "monitors", "dashboards"];
const moved: PlanChanges = { select: { kinds } };
/** From now on the table's twin is another one, that stands beside the one before. */
const placedElsewhere: PlanChanges = {
  ...moved,
  pairing: {
    ...demoPairing,
    paths: [...demoPairing.paths, { pattern: `^${table}$`, replace: `${table}_V2` }],
  },
};

/** At the source. */
function primary(): Urn {
  const urn = [...source.items.values()].find(({ name }) => name === table)?.primaryMonitorUrn;
  if (urn === undefined) throw new Error(`the source has no primary monitor of ${table}`);
  return urn;
}

/** What the target's table came to, and its successor with a primary monitor of its own. */
function succeed(): { readonly former: Urn; readonly successor: Urn } {
  const old = [...target.items.values()].find(({ name }) => name === table);
  if (old === undefined) throw new Error(`the target has no ${table}`);
  const attributes = target.attributes
    .valuesIn(`item:${old.urn}`)
    .map(({ name, dataType, columnType }) => ({ name, dataType, columnType }));
  const { parentUrn, connectionUrn, originPath, primaryMonitorUrn } = old;
  if (parentUrn === undefined || primaryMonitorUrn === undefined) throw new Error(`${table} stands nowhere`);
  const made = seedCatalogItem(target, {
    name: `${table}_V2`,
    parentUrn,
    ...(connectionUrn === undefined ? {} : { connectionUrn }),
    originPath: originPath ?? "",
    attributes,
  });
  return { former: primaryMonitorUrn, successor: made.primaryMonitor.urn };
}

describe("a table that has another twin by now", () => {
  test("its primary monitor is changed and published there, and what a colleague drafts at the former one stays", async () => {
    await run(demo, moved);
    const { former, successor } = succeed();
    leaveMonitorDraft(target, former, "CHANGE", {
      schedule: { cronExpression: "0 0 0 1 1 ?", enabled: false },
    });
    const before = structuredClone(target.monitors.get(former));

    await run(demo, placedElsewhere, { verify: true });

    expect(target.monitors.get(former)).toEqual(before);
    const there = target.monitors.get(successor);
    expect(there?.draftType).toBe("NONE");
    const said = source.monitors.get(primary())?.published;
    expect(there?.published?.["schedule"]).toMatchObject(said?.["schedule"] as object);

    demo.emulator.log.clear();
    await run(demo, placedElsewhere);
    expect(writes(demo.emulator, "prod")).toEqual([]);
  });

  test.each([
    ["that moves with it", kinds],
    ["that is no longer selected", ["terms", "rules", "dashboards"]],
  ])("what refers to its primary monitor %s leads to the new one", async (_, selected) => {
    await run(demo, moved);
    const { successor } = succeed();
    seedDashboard(source, { name: "New board", dqMonitorUrns: [primary()] });

    await run(demo, { ...placedElsewhere, select: { kinds: selected } });

    const board = [...target.dashboards.values()].find(
      ({ published }) => published?.["name"] === "New board",
    );
    expect(board?.published?.["dqMonitorUrns"]).toEqual([successor]);
  });
});

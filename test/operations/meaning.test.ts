import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { JsonObject, Tenant } from "../../src/emulator/index.ts";
import { seedDashboard, seedMonitor, seedRule } from "../../src/emulator/seed.ts";
import { demoPairing } from "../../src/emulator/scenarios/index.ts";
import type { Collection } from "../../src/emulator/collection.ts";
import type { Versioned } from "../../src/emulator/state.ts";
import { compareMeanings, differences, meaningOf, type Meaning } from "../support/meaning.ts";
import { disturbed, leaves, type Path } from "../support/meaning/disturb.ts";
import { noRenames } from "../support/meaning/given.ts";
import { allOr } from "../support/whole.ts";
import { text } from "../support/meaning/json.ts";
import { world, type World } from "../support/world.ts";
import { run } from "./support.ts";

/** The comparison that the other tests rely on is itself tried: it must see every single difference. */
interface Subject {
  readonly label: string;
  readonly body: JsonObject;
  put(body: JsonObject): void;
}

function subjects<T extends JsonObject>(
  rows: Collection<Versioned<T>>,
  labelOf: (body: T) => string,
): Subject[] {
  return [...rows.values()].flatMap((row) => {
    const { published } = row;
    if (published === undefined) return [];
    return [
      {
        label: labelOf(published),
        body: published,
        put: (body: JsonObject) => rows.put({ ...row, published: body as T }),
      },
    ];
  });
}

describe("the comparison by meaning", () => {
  let demo: World;
  let source: Tenant;
  let target: Tenant;
  let meant: Meaning;

  beforeAll(async () => {
    demo = await world("demo");
    source = demo.emulator.tenant("dev");
    target = demo.emulator.tenant("prod");
    await run(demo);
    const whole = meaningOf(source, demoPairing);
    meant = { ...whole, things: whole.things.filter(({ label }) => !label.endsWith("(built)")) };
  });
  afterAll(async () => demo.close());

  const noticed = (): readonly string[] => compareMeanings(meant, meaningOf(target, noRenames));
  const ignored = (path: Path): boolean =>
    path.join("/") === "urn" || path.join("/") === "extraProperties/usageCount";

  /**
   * Disturbs the same leaf number of many objects that do not refer to each other, one comparison for all. Every leaf
   * is changed; removed and joined by another is every third.
   */
  function disturbTogether(all: readonly Subject[], how: "change" | "remove" | "add"): number {
    const open = all.map((subject) => ({
      subject,
      paths: leaves(subject.body).filter((path) => !ignored(path)),
    }));
    const most = Math.max(...open.map(({ paths }) => paths.length));
    let count = 0;
    for (let index = 0; index < most; index += how === "change" ? 1 : 3) {
      const expected = new Map<string, Path[]>();
      const touched: Subject[] = [];
      for (const { subject, paths } of open) {
        const path = paths[index];
        if (path === undefined) continue;
        subject.put(disturbed(subject.body, path, how));
        touched.push(subject);
        expected.set(subject.label, [...(expected.get(subject.label) ?? []), path]);
        count += 1;
      }
      const lines = noticed();
      for (const [label, paths] of expected) {
        const found = lines.filter((line) => line.startsWith(`${label} `) && !line.endsWith("only"));
        expect(found.length, `${how} ${label} at ${JSON.stringify(paths)}`).toBeGreaterThanOrEqual(
          paths.length,
        );
      }
      for (const subject of touched) subject.put(subject.body);
    }
    return count;
  }

  const itemOf = (body: JsonObject): string => {
    const item = target.items.get(text(body, "catalogItemUrn"));
    const place = text(target.entities.get(item?.sourceUrn ?? "")?.properties, "name");
    return `item source ${place}/${item?.originPath ?? ""}/${item?.name ?? ""}`;
  };
  const monitorLabel = (body: JsonObject): string => {
    const isPrimary = target.items.get(text(body, "catalogItemUrn"))?.primaryMonitorUrn === body["urn"];
    return isPrimary ? `primary monitor of ${itemOf(body)}` : `monitor ${itemOf(body)}/${text(body, "name")}`;
  };

  test("finds both sides equal before anything is disturbed", () => {
    expect(noticed()).toEqual([]);
    expect(meant.things.length).toBeGreaterThan(150);
  });

  /** Every third leaf, where not everything is tried. */
  const ways = allOr(["change", "remove", "add"] as const, (how) => how === "remove");

  test.each(ways)("sees a leaf of a rule: %s", (how) => {
    expect(
      disturbTogether(
        subjects(target.rules, (rule) => `rule ${rule.name}`),
        how,
      ),
    ).toBeGreaterThan(how === "change" ? 900 : 300);
  });

  test.each(ways)("sees a leaf of a monitor, primary or not: %s", (how) => {
    expect(disturbTogether(subjects(target.monitors, monitorLabel), how)).toBeGreaterThan(
      how === "change" ? 1000 : 300,
    );
  });

  test.each(["change", "remove", "add"] as const)("sees a leaf of a dashboard: %s", (how) => {
    const all = subjects(target.dashboards, (dashboard) => `dashboard ${text(dashboard, "name")}`);
    expect(disturbTogether(all, how)).toBeGreaterThan(how === "change" ? 30 : 10);
  });

  const waysOfTerms = allOr(["change", "remove"] as const, (how) => how === "remove");

  // Terms refer to each other, so that one at a time is disturbed.
  test.each(waysOfTerms)("sees a leaf of a term: %s", (how) => {
    const all = subjects(target.terms, (term) => `term ${term.type}/${term.name}`);
    const richest = all
      .sort((left, right) => leaves(right.body).length - leaves(left.body).length)
      .slice(0, 8);
    const counts = richest.map((subject) => disturbTogether([subject], how));
    expect(counts.reduce((sum, count) => sum + count, 0)).toBeGreaterThan(how === "change" ? 60 : 20);
  });

  test("sees an object that is missing, and one too many", () => {
    const [row] = [...target.rules.values()];
    if (row?.published === undefined) throw new Error("the target has no rule");
    const { name } = row.published;
    target.rules.delete(row.urn);
    expect(noticed().some((line) => line.startsWith(`rule ${name} is not at the target`))).toBe(true);
    target.rules.put(row);
    expect(noticed()).toEqual([]);
    const { urn } = seedDashboard(target, { name: "One too many" });
    expect(noticed()).toEqual(["dashboard One too many is at the target only"]);
    target.dashboards.delete(urn);
  });
});

test("things that neither name nor content tells apart fail the comparison", async () => {
  const bare = await world("empty");
  const tenant = bare.emulator.tenant("dev");
  const [dimension] = [...tenant.dimensions.values()];
  const [item] = [...tenant.items.values()];
  if (dimension === undefined || item === undefined) throw new Error("the scenario has neither");
  const body = (): JsonObject => ({
    name: "Twin",
    inputGroups: { main: { joined: false, inputs: { value: { name: "value", dataType: "STRING" } } } },
    implementation: {
      dqDimensionUrn: dimension.urn,
      conditions: { only: { stringExpression: "value is null", resultUrn: dimension.results[0]?.urn ?? "" } },
    },
  });
  const lines = (): readonly string[] => differences(tenant, tenant, { renames: noRenames });
  const first = seedRule(tenant, body());
  expect(lines()).toEqual([]);
  seedMonitor(tenant, {
    catalogItemUrn: item.urn,
    name: "One",
    manualRuleInstances: { one: { ruleUrn: first.urn, enabled: true } },
  });
  expect(lines()).toEqual([]);
  seedRule(tenant, body());
  expect(lines().some((line) => line.startsWith("ambiguous at the source: rule Twin#"))).toBe(true);
  expect(lines().some((line) => line.startsWith("ambiguous at the target: rule Twin#"))).toBe(true);
  seedDashboard(tenant, { name: "Board", dqMonitorUrns: [] });
  expect(lines().length).toBeGreaterThan(0);
  await bare.close();
});

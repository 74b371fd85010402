import { expect, test } from "vitest";
import type { Json, JsonObject } from "../../src/emulator/json.ts";
import { child, isObject, list, without } from "../../src/emulator/json.ts";
import { seedAssignment, seedDenylist, seedItemAssignment } from "../../src/emulator/seed.ts";
import type { Attribute } from "../../src/emulator/state.ts";
import { exitCodes } from "../../src/model/result.ts";
import { applyPlan } from "../../src/operations/apply.ts";
import { configurePrimary, seedDashboard, seedMonitor, seedRule, seedTerm } from "../diff/support/content.ts";
import { wanted } from "../diff/support/side.ts";
import { front, through } from "../support/front.ts";
import { changeOf, fresh, type Place } from "./support/place.ts";

const plan = { select: { kinds: ["terms", "term-assignments", "term-denylist"] } } as const;
const alone =
  /^GET \/api\/(catalog\/v1\/attributes|data-quality\/v1\/(rules|dq-dashboards|catalog-items\/:\w+\/dq-monitors))\/:\w+$/u;

function hideTerms(at: Place): void {
  for (const { tenant } of [at.source, at.target]) tenant.quirks.attributeLists = "without-terms";
}

function theirs({ target }: Place, name: string): Attribute {
  return wanted(target.tenant.attributes.get(target.attribute("CUSTOMER", name)), name);
}

test("terms of columns that lists do not show, and a column alone does, move", async () => {
  const at = await fresh();
  hideTerms(at);
  const [personal, denied] = [seedTerm(at.source, "Personal"), seedTerm(at.source, "Denied")];
  const attributeUrn = at.source.attribute("CUSTOMER", "EMAIL");
  seedAssignment(at.source.tenant, { attributeUrn, termUrn: personal });
  seedDenylist(at.source.tenant, { attributeUrn, termUrn: denied });
  const result = await at.apply(plan);
  expect([result.exitCode, result.summary.update]).toEqual([exitCodes.done, 2]);
  expect(theirs(at, "EMAIL")).toMatchObject({
    termAssignments: [{ termUrn: at.target.term("Personal"), source: "MANUAL" }],
    termDetectionDenylist: [at.target.term("Denied")],
  });
  expect((await at.apply(plan)).changes).toEqual([]);
  expect(at.writes()).toEqual([]);
});

test("a term that a colleague has assigned there is not deleted because no list shows that", async () => {
  const at = await fresh();
  hideTerms(at);
  const term = seedTerm(at.source, "Personal");
  const terms = { select: { kinds: ["terms"] } } as const;
  await at.apply(terms);
  const termUrn = at.target.term("Personal");
  seedAssignment(at.target.tenant, { attributeUrn: at.target.attribute("CUSTOMER", "EMAIL"), termUrn });
  at.source.tenant.terms.delete(term);
  const result = await at.apply(terms, { allowDelete: true });
  expect(changeOf(result, term).outcome).not.toBe("done");
  expect(theirs(at, "EMAIL").termAssignments.map((one) => one.termUrn)).toEqual([termUrn]);
});

test("nor is one by which the target finds an item whose terms it does not show", async () => {
  const at = await fresh();
  const terms = { select: { kinds: ["terms"] } } as const;
  const { url } = await front(at.world.emulator.baseUrl("prod"), {
    answer(body, path) {
      if (!path.includes("/catalog-items/filter")) return body;
      const said = JSON.parse(body) as JsonObject;
      const data = list(said, "data").map((item) =>
        isObject(item) ? without(item, ["termAssignments"]) : item,
      );
      return JSON.stringify({ ...said, data });
    },
  });
  const apply = (allowDelete: boolean): ReturnType<typeof applyPlan> =>
    applyPlan(at.world.migration(terms, through(at.world, terms, { target: url })), {
      confirm: async () => true,
      allowDelete,
    });
  const term = seedTerm(at.source, "Personal");
  await apply(false);
  const termUrn = at.target.term("Personal");
  seedItemAssignment(at.target.tenant, { catalogItemUrn: at.target.item("CUSTOMER"), termUrn });
  at.source.tenant.terms.delete(term);
  const result = await apply(true);
  expect(changeOf(result, term).outcome).not.toBe("done");
  expect(at.target.tenant.terms.has(termUrn)).toBe(true);
});

/** Lists of rules, monitors and dashboards as names and addresses alone, which is all that documents say of them. */
function namesAlone(body: string, path: string): string {
  if (!/\/(rules|dq-monitors|dq-dashboards)(\?|$)/u.test(path)) return body;
  const said = JSON.parse(body) as JsonObject;
  const named = (thing: Json): JsonObject =>
    isObject(thing)
      ? Object.fromEntries(
          ["urn", "draftType", "name", "catalogItemUrn"].flatMap((field) =>
            thing[field] === undefined ? [] : [[field, thing[field]]],
          ),
        )
      : {};
  return JSON.stringify({ ...said, data: list(said, "data").map(named) });
}

test("rules, monitors and dashboards that lists name alone move with all that they hold", async () => {
  const at = await fresh();
  const rule = seedRule(at.source, "Email is set");
  seedMonitor(at.source, rule, "Customer e-mail");
  configurePrimary(at.source, "CUSTOMER", { anomalyDetectionConfiguration: { enabled: true } });
  seedDashboard(at.source, "Overview");
  const [source, target] = await Promise.all(
    (["dev", "prod"] as const).map(async (name) =>
      front(at.world.emulator.baseUrl(name), {
        answer: (body, path) => namesAlone(body, path),
      }),
    ),
  );
  const urls = { source: wanted(source, "source").url, target: wanted(target, "target").url };
  const all = { select: { kinds: ["rules", "monitors", "dashboards"] } } as const;
  const apply = (): ReturnType<typeof applyPlan> =>
    applyPlan(at.world.migration(all, through(at.world, all, urls)), { confirm: async () => true });
  const result = await apply();
  expect([result.exitCode, result.summary.create, result.summary.update]).toEqual([exitCodes.done, 3, 1]);
  const monitor = at.target.body(at.target.monitor("Customer e-mail"));
  expect(Object.keys(child(monitor, "manualRuleInstances"))).toHaveLength(1);
  expect(at.target.body(at.target.primary("CUSTOMER"))).toMatchObject({
    anomalyDetectionConfiguration: { enabled: true },
  });
  const dashboard = at.target.body(at.target.dashboard("Overview"));
  expect(list(dashboard, "dqMonitorUrns")).toHaveLength(2);
  expect((await apply()).changes).toEqual([]);
});

test("where lists show it nothing is asked for alone", async () => {
  const at = await fresh();
  const termUrn = seedTerm(at.source, "Personal");
  seedAssignment(at.source.tenant, { attributeUrn: at.source.attribute("CUSTOMER", "EMAIL"), termUrn });
  seedMonitor(at.source, seedRule(at.source, "Email is set"), "Customer e-mail");
  seedDashboard(at.source, "Overview");
  await at.diff({
    select: { kinds: ["rules", "monitors", "dashboards", "term-assignments", "term-denylist"] },
  });
  const { entries } = at.world.emulator.log;
  expect(entries.map(({ route }) => route).filter((route) => alone.test(route))).toEqual([]);
});

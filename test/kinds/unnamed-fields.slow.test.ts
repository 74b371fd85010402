import { expect, test } from "vitest";
import type { Json, JsonObject } from "../../src/emulator/json.ts";
import { isObject } from "../../src/emulator/json.ts";
import type { Result } from "../../src/model/result.ts";
import { applyPlan } from "../../src/operations/apply.ts";
import { rollbackRun } from "../../src/operations/rollback.ts";
import { configurePrimary, seedFolder, seedMonitor, seedRule } from "../diff/support/content.ts";
import { bare, seedTable, writeOver } from "../diff/support/metadata.ts";
import { writes } from "../diff/support/log.ts";
import { apply, expectAtRest, stage, type Stage } from "../diff/support/run.ts";
import { editRule } from "../diff/support/web.ts";
import { front, through } from "../support/front.ts";
import type { PlanChanges } from "../support/world.ts";
import { seedProduct, seedSqlItem } from "./support/catalog.ts";

type Urls = Parameters<typeof through>[2];

/**
 * The interface is an early one ("endpoints may change"): answers hold fields that no document names. Each service is
 * asked through a stand-in that lays one more field into what has a URN of a certain kind.
 */
async function withField({ world }: Stage, of: RegExp, field: () => JsonObject): Promise<Urls> {
  const laid = (value: Json): Json => {
    if (Array.isArray(value)) return value.map(laid);
    if (!isObject(value)) return value;
    const inner = Object.fromEntries(Object.entries(value).map(([name, one]) => [name, laid(one)]));
    const { urn } = value;
    const isOne = typeof urn === "string" && of.test(urn) && Object.keys(value).length > 2;
    return isOne ? { ...inner, ...field() } : inner;
  };
  const answer = (body: string): string =>
    body.startsWith("{") ? JSON.stringify(laid(JSON.parse(body) as Json)) : body;
  const at = async (side: "dev" | "prod"): Promise<string> =>
    (await front(world.emulator.baseUrl(side), { answer })).url;
  return { source: await at("dev"), target: await at("prod") };
}

async function applyThere({ world }: Stage, changes: PlanChanges, urls: Urls): Promise<Result> {
  world.emulator.log.clear();
  const migration = world.migration(changes, through(world, changes, urls));
  return applyPlan(migration, { confirm: async () => true });
}

const told = ({ diagnostics }: Result): readonly string[] =>
  diagnostics.filter(({ code }) => code === "unrecognised-field").map(({ summary }) => summary);

/** Every look shows another moment: such a field can be neither compared nor sent. */
const clock = (): (() => JsonObject) => {
  let at = 0;
  return () => ({ checkedAt: `2026-01-01T00:00:${String((at += 1)).padStart(2, "0")}Z` });
};

test("what the plan says the service fills is neither compared nor sent, of every kind", async () => {
  const at = await stage();
  const rule = seedRule(at.source, "R");
  seedSqlItem(at.source, "Active", seedFolder(at.source, "F"));
  seedProduct(at.source, "P");
  const kinds = ["rules", "folders", "sql-items", "entities"];
  const select = { kinds, entityTypes: ["dataProduct"] };
  const policy = { ignoreFields: Object.fromEntries(kinds.map((kind) => [kind, ["checkedAt"]])) };
  const urls = await withField(at, /:(?:rule|folder|catalog-item|data-product):/, clock());
  const first = await applyThere(at, { select, policy }, urls);
  expect([first.exitCode, told(first)]).toEqual([0, []]);
  expect(JSON.stringify(at.world.emulator.log.entries.map(({ body }) => body))).not.toContain("checkedAt");
  const second = await applyThere(at, { select, policy }, urls);
  expect([second.exitCode, second.changes]).toEqual([0, []]);
  // A rule's draft is told from somebody else's by what it says: the field is no word of anybody's there either.
  editRule(at.source, rule, { description: "another" });
  expect((await applyThere(at, { select, policy }, urls)).changes.map(({ outcome }) => outcome)).toEqual([
    "done",
  ]);
});

test("without that it is told, with the way out, and sent like every other field", async () => {
  const at = await stage();
  seedSqlItem(at.source, "Active", seedFolder(at.source, "F"));
  const urls = await withField(at, /:catalog-item:/, () => ({ label: "hello" }));
  const result = await applyThere(at, { select: { kinds: ["folders", "sql-items"] } }, urls);
  expect(told(result)).toEqual(["sql-items carry fields that the documents do not name: label"]);
  expect(JSON.stringify(result.diagnostics)).toContain("policy.ignoreFields: { sql-items: [field] }");
  const creation = at.world.emulator.log.entries.find(
    ({ tenant, method, path }) => tenant === "prod" && method === "POST" && path.endsWith("/catalog-items"),
  );
  expect(creation?.body).toMatchObject({ label: "hello" });
  expect(result.exitCode).toBe(4);
});

test("one that is called as the caller's own id of a batch leaves no creation in doubt", async () => {
  const at = await stage();
  const rule = seedRule(at.source, "R");
  seedMonitor(at.source, rule, "M");
  seedProduct(at.source, "P");
  const exclude = [{ kind: "monitors", name: "*(primary)" }];
  const select = { kinds: ["rules", "monitors", "entities"], entityTypes: ["dataProduct"], exclude };
  const withId = async (id: string): Promise<Urls> =>
    withField(at, /:(?:rule|dq-monitor|data-product):/, () => ({ id }));
  const { source } = await withId("17");
  const { target } = await withId("18");
  const urls = { ...(source === undefined ? {} : { source }), ...(target === undefined ? {} : { target }) };
  const first = await applyThere(at, { select }, urls);
  expect(first.changes.map(({ outcome }) => outcome)).toEqual(["done", "done", "done"]);
  expect(told(first).join()).toContain("rules carry fields that the documents do not name: id");
  const second = await applyThere(at, { select }, urls);
  expect(second.changes.map(({ action }) => action)).toEqual(["drift", "drift", "drift"]);
  const ignoreFields = { rules: ["id"], monitors: ["id"], entities: ["id"] };
  expect((await applyThere(at, { select, policy: { ignoreFields } }, urls)).exitCode).toBe(0);
});

test.each([
  ["a list", ["of dev"], ["of prod"]],
  ["a map", { of: "dev" }, { of: "prod" }],
])(
  "one that the service fills itself (%s) in what has to be published is nobody's draft: it is published, and comes to rest as drift",
  async (_form, here, there) => {
    const at = await stage();
    const plan: PlanChanges = { select: { kinds: ["monitors"] } };
    configurePrimary(at.source, "CUSTOMER", { schedule: { cronExpression: "0 0 5 * * ?" } });
    const filled = async (label: Json): Promise<Urls> => withField(at, /:dq-monitor:/, () => ({ label }));
    const urls: Urls = { ...(await filled(there)), source: (await filled(here)).source ?? "" };
    const first = await applyThere(at, plan, urls);
    expect(first.changes.map(({ action, outcome }) => [action, outcome])).toEqual(
      first.changes.map(() => ["update", "done"]),
    );
    const { schedule } = at.target.body(at.target.primary("CUSTOMER"));
    expect(schedule).toMatchObject({ cronExpression: "0 0 5 * * ?" });
    const second = await applyThere(at, plan, urls);
    expect(second.changes.map(({ action }) => action)).toEqual(first.changes.map(() => "drift"));
    expect([second.changes.length > 0, writes(at.world)]).toEqual([true, []]);
    expect(JSON.stringify(second.diagnostics)).toContain("policy.ignoreFields: { monitors: [field] }");
  },
);

test.each([
  ["a list", "label", ["of dev"], ["of prod"]],
  ["a map", "label", { of: "dev", at: 1 }, { of: "prod", at: 1 }],
  ["with a name that a plan says by its pointer", "/of~1us", ["of dev"], ["of prod"]],
])(
  "one that the service fills itself (%s) comes to rest where drift is overwritten, also once the rule changes, and is told",
  async (_form, named, here, there) => {
    const name = named.replace("/of~1us", "of/us");
    const at = await stage();
    const plan: PlanChanges = { select: { kinds: ["rules"] }, policy: { drift: "overwrite" } };
    const rule = seedRule(at.source, "Email");
    const filled = async (value: Json): Promise<Urls> => withField(at, /:rule:/, () => ({ [name]: value }));
    const urls: Urls = { ...(await filled(there)), source: (await filled(here)).source ?? "" };
    await applyThere(at, plan, urls);
    for (const change of ["it is brought there once more", "the source changes it"]) {
      if (change === "the source changes it") editRule(at.source, rule, { description: change });
      const done = await applyThere(at, plan, urls);
      expect([done.exitCode, done.changes.map(({ outcome }) => outcome)]).toEqual([0, ["done"]]);
      expect(JSON.stringify(done.changes)).toContain(`prod fills ${name} itself`);
      expect(JSON.stringify(done.changes)).toContain(`policy.ignoreFields: { rules: [${named}] }`);
      const again = await applyThere(at, plan, urls);
      expect([again.exitCode, again.changes, writes(at.world)]).toEqual([0, [], []]);
    }
    expect(at.target.body(at.target.rule("Email"))).toMatchObject({ description: "the source changes it" });
    // What somebody changes there is brought back all the same.
    editRule(at.target, at.target.rule("Email"), { description: "theirs" });
    await applyThere(at, plan, urls);
    expect(at.target.body(at.target.rule("Email"))).toMatchObject({ description: "the source changes it" });
  },
);

test("a rollback takes back what was changed beside one that the service fills itself", async () => {
  const at = await stage();
  const plan: PlanChanges = { select: { kinds: ["rules"] }, policy: { drift: "overwrite" } };
  const rule = seedRule(at.source, "Email");
  const filled = async (label: Json): Promise<Urls> => withField(at, /:rule:/, () => ({ label }));
  const urls: Urls = { ...(await filled("of prod")), source: (await filled("of dev")).source ?? "" };
  await applyThere(at, plan, urls);
  await applyThere(at, plan, urls);
  const { description } = at.target.body(at.target.rule("Email"));
  editRule(at.source, rule, { description: "new" });
  await applyThere(at, plan, urls);
  const migration = at.world.migration(plan, through(at.world, plan, urls));
  const back = await rollbackRun(migration, { confirm: async () => true });
  expect([back.exitCode, back.changes.map(({ outcome }) => outcome)]).toEqual([0, ["done"]]);
  expect(at.target.body(at.target.rule("Email"))["description"]).toBe(description);
});

test("one that the target alone has counts as changed there, and is told with the way out", async () => {
  const at = await stage();
  const select = { kinds: ["rules"] };
  seedRule(at.source, "R");
  expect((await apply(at, { select })).exitCode).toBe(0);
  const urls = {
    ...(await withField(at, /:rule:/, () => ({ risk: 3 }))),
    source: at.world.emulator.baseUrl("dev"),
  };
  const drifted = await applyThere(at, { select }, urls);
  expect(drifted.changes.map(({ action }) => action)).toEqual(["drift"]);
  expect(told(drifted)).toEqual([
    "rules of the target alone carry fields that the documents do not name: risk",
  ]);
  expect(JSON.stringify(drifted.diagnostics)).toContain("policy.ignoreFields: { rules: [field] }");
  const ignored = await applyThere(at, { select, policy: { ignoreFields: { rules: ["risk"] } } }, urls);
  expect([ignored.exitCode, ignored.changes, told(ignored)]).toEqual([0, [], []]);
});

test("a field of an item or column that no document names stays, and is told", async () => {
  const at = await stage();
  for (const side of [at.source, at.target]) {
    bare(side);
    seedTable(side, "TAB", ["A"]);
  }
  writeOver(at.source, at.source.item("TAB"), { description: "About it" });
  writeOver(at.source, at.source.attribute("TAB", "A"), { description: "About A" });
  const urls = await withField(at, /:catalog-(?:item|attribute):/, () => ({ rowCount: 3 }));
  const result = await applyThere(at, { select: { kinds: ["item-metadata", "attribute-metadata"] } }, urls);
  expect(told(result).toSorted()).toEqual([
    "what attribute-metadata lies over carries fields that the documents do not name: rowCount",
    "what item-metadata lies over carries fields that the documents do not name: rowCount",
  ]);
  expect(result.exitCode).toBe(0);
});

test("nor is one told in which nothing stands: it is neither sent nor compared", async () => {
  const at = await stage();
  const select = { kinds: ["rules"] };
  seedRule(at.source, "R");
  const urls = await withField(at, /:rule:/, () => ({ risk: null, tags: [], more: {} }));
  for (const sides of [urls, { ...urls, source: at.world.emulator.baseUrl("dev") }]) {
    const result = await applyThere(at, { select }, sides);
    expect([result.exitCode, told(result)]).toEqual([0, []]);
  }
});

test.each([
  ["a field that a document names", { folders: ["name"] }, "the documents name this field of folders"],
  ["all of them", { folders: ["/*"] }, "nothing would be left of folders"],
  ["columns of rows", { "reference-data": ["code"] }, "rows have columns"],
])("%s cannot be ignored", async (_what, ignoreFields, why) => {
  const at = await stage();
  const changes: PlanChanges = { select: { kinds: ["folders"] }, policy: { ignoreFields } };
  expect(() => at.world.migration(changes)).toThrow(
    expect.objectContaining({
      problems: [expect.objectContaining({ summary: expect.stringContaining(why) as string })],
    }) as Error,
  );
});

test("the way out is told in the plan's words", async () => {
  const at = await stage();
  configurePrimary(at.source, "CUSTOMER", { schedule: { enabled: true } });
  const urls = await withField(at, /:dq-monitor:/, () => ({ label: "hello" }));
  const result = await applyThere(at, { select: { kinds: ["monitors"] } }, urls);
  expect(JSON.stringify(result.diagnostics)).toContain("policy.ignoreFields: { monitors: [field] }");
  expect(JSON.stringify(result.diagnostics)).not.toContain("{ primary-monitors: [field] }");
});

test("what says nothing in a list travels as what it is, and in its place", async () => {
  const at = await stage();
  const steps = [{}, [], null, { note: null, name: "A" }, [[], [1]]];
  seedRule(at.source, "Email", { steps });
  const plan: PlanChanges = { select: { kinds: ["rules"] } };
  await apply(at, plan);
  const there = at.target.body(at.target.rule("Email"));
  expect(there["steps"]).toEqual([{}, [], null, { name: "A" }, [[], [1]]]);
  await expectAtRest(at, plan);
});

test.each([
  ["seen/at", "/seen~1at"],
  ["seen~at", "/seen~0at"],
  ["seen~at", "seen~at"],
  ["seen~1at", "seen~1at"],
])("a field called %s is left out by %s (RFC 6901)", async (name, ignored) => {
  const at = await stage();
  seedRule(at.source, "R");
  const plan: PlanChanges = { select: { kinds: ["rules"] }, policy: { ignoreFields: { rules: [ignored] } } };
  const field = clock();
  const urls = await withField(at, /:rule:/, () => ({ [name]: field()["checkedAt"] ?? "" }));
  const first = await applyThere(at, plan, urls);
  expect([first.exitCode, told(first)]).toEqual([0, []]);
  const second = await applyThere(at, plan, urls);
  expect([second.exitCode, second.changes]).toEqual([0, []]);
});

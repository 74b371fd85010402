import { beforeEach, describe, expect, test } from "vitest";
import { seedTerm } from "../../src/emulator/seed.ts";
import { editTerm } from "../diff/support/web.ts";
import type { Little } from "./support/little.ts";
import { furnish } from "./support/little.ts";
import { useStage } from "./support/stage.ts";

/** A diff that was approved is what is applied, or it is refused because the world has moved (promise 6). */
const stage = useStage();
let little: Little;

const apply = "apply move --yes --diff approved.json";

beforeEach(async () => {
  little = furnish(stage().dev);
  stage().plan();
  expect(await stage().json("diff move --out approved.json")).toMatchObject({
    exitCode: 0,
    next: [expect.stringMatching(/^ferry apply move --diff /)],
  });
});

async function expectRefusal(reason: RegExp): Promise<void> {
  const { exitCode, diagnostics, requests } = await stage().json(apply);
  expect(diagnostics.map(({ summary }) => summary).join("\n")).toMatch(reason);
  expect(diagnostics[0]?.suggestion).toContain("ferry diff move --out");
  expect(exitCode).toBe(7);
  expect(requests.target.writes).toBe(0);
  expect(stage().writes()).toEqual([]);
}

test("as long as nothing has moved, it is applied", async () => {
  expect(await stage().json(apply)).toMatchObject({ exitCode: 0, summary: { create: 5 } });
  expect(stage().prod.counts()).toMatchObject({ terms: 2, rules: 1, dashboards: 1 });
});

test("exactly what was approved is applied, though the source has more by now", async () => {
  seedTerm(stage().dev, { name: "Later" });
  expect(await stage().json(apply)).toMatchObject({ exitCode: 0, summary: { create: 5 } });
  expect(stage().prod.counts().terms).toBe(2);
});

test("applied twice, the second time there is nothing to do", async () => {
  await stage().json(apply);
  const { exitCode, summary } = await stage().json(apply);
  expect({ exitCode, create: summary.create }).toEqual({ exitCode: 0, create: 0 });
});

test("refused: the source moved and was exported again", async () => {
  seedTerm(stage().dev, { name: "Later" });
  await stage().json("export move");
  await expectRefusal(/the snapshot is another one/);
});

test("refused: the target moved", async () => {
  seedTerm(stage().prod, { name: "Customer", description: "Who buys." });
  await expectRefusal(/terms "Customer": it was to create, and now it is to adopt/);
});

test("refused: somebody changed at the target what was to be updated", async () => {
  await stage().json(apply);
  const at = (side: "dev" | "prod") => ({
    tenant: stage()[side],
    body: (urn: string) => stage()[side].terms.get(urn)?.published ?? {},
  });
  editTerm(at("dev") as Parameters<typeof editTerm>[0], little.terms.order, { description: "New." });
  await stage().json("diff move --out approved.json");
  const there = [...stage().prod.terms.values()].find(({ published }) => published?.name === "Order");
  stage().emulator.log.clear();
  editTerm(at("prod") as Parameters<typeof editTerm>[0], there?.urn ?? little.terms.order, {
    description: "Other.",
  });
  await expectRefusal(/terms "Order": /);
});

test("refused: the plan was changed", async () => {
  stage().plan({ policy: { adopt: "never" } });
  await expectRefusal(/the plan was changed/);
});

test("a plan that is only faster or slower is the same plan", async () => {
  stage().plan({ limits: { concurrency: 2 } });
  expect(await stage().json(apply)).toMatchObject({ exitCode: 0 });
});

test("refused: a diff of another plan", async () => {
  stage().plan({}, "other");
  const { exitCode } = await stage().json("apply other --yes --diff approved.json");
  expect(exitCode).toBe(7);
  expect(stage().writes()).toEqual([]);
});

test("refused: a diff of another version of the tool", async () => {
  stage().write(
    "approved.json",
    stage()
      .read("approved.json")
      .replace(/"tool": "[^"]*"/, '"tool": "urn-ferry 0.0.1"'),
  );
  await expectRefusal(/the tool: the diff was made by urn-ferry 0\.0\.1/);
});

test("refused: a diff from which a person took something out, or into which one put something", async () => {
  const whole = JSON.parse(stage().read("approved.json")) as { changes: object[] };
  stage().write("approved.json", JSON.stringify({ ...whole, changes: whole.changes.slice(1) }));
  await expectRefusal(/was not in the approved diff/);
  const changes = whole.changes.map((change) =>
    "name" in change ? change : { ...change, action: "delete" },
  );
  stage().write("approved.json", JSON.stringify({ ...whole, changes }));
  await expectRefusal(/it was to delete, and now it is to create/);
});

test.each([
  ["a reason", (text: string) => text.replace(/"reason": "[^"]*"/, '"reason": "as always"')],
  [
    "a note",
    (text: string) => text.replace(/"diagnostics": \[\s*\]/, '"diagnostics": [{ "summary": "fine" }]'),
  ],
])("refused: a diff in which somebody edited %s, which decides nothing", async (_what, edit) => {
  const whole = stage().read("approved.json");
  expect(edit(whole)).not.toBe(whole);
  stage().write("approved.json", edit(whole));
  await expectRefusal(/the file was edited since it was made/);
});

test.each([
  ["another layout is no edit", (diff: object) => diff],
  ["a diff without a sum is one of an earlier version", (diff: object) => ({ ...diff, sum: undefined })],
])("%s: it is applied", async (_what, as) => {
  const whole = JSON.parse(stage().read("approved.json")) as { readonly sum?: string };
  expect(whole.sum).toMatch(/^[0-9a-f]{32}$/);
  stage().write("approved.json", JSON.stringify(as(whole)));
  expect(await stage().json(apply)).toMatchObject({ exitCode: 0, summary: { create: 5 } });
});

test("a file that is no diff is no diff", async () => {
  for (const text of ["{}", "[]", "not JSON", stage().read("approved.json").slice(0, -20)]) {
    stage().write("approved.json", text);
    const { exitCode, diagnostics } = await stage().json(apply);
    expect([1, 64]).toContain(exitCode);
    expect(diagnostics[0]?.summary).toContain("approved.json");
    expect(diagnostics[0]?.code).not.toBe("defect");
  }
  expect(stage().writes()).toEqual([]);
});

test.each([
  ["an empty object", "{}"],
  ["a package.json", JSON.stringify({ name: "x", version: "1.0.0" })],
])("%s is told to be no diff at all", async (_, text) => {
  stage().write("approved.json", text);
  const { exitCode, diagnostics } = await stage().json(apply);
  expect(exitCode).toBe(1);
  expect(diagnostics[0]?.summary).toMatch(
    /approved\.json is not a diff made by `ferry diff move --out FILE`$/,
  );
});

test("so is a report of one", async () => {
  stage().write("approved.json", (await stage().ferry("diff move --json")).stdout);
  const { diagnostics } = await stage().json(apply);
  expect(diagnostics[0]?.summary).toMatch(/is not a diff made by/);
});

describe("with another selection than it was made with", () => {
  test.each([
    ["--kinds terms", "", /made with --kinds terms, and this is without --kinds, --include and --exclude/],
    ["", " --kinds terms", /made without --kinds, --include and --exclude, and this is with --kinds terms/],
    [
      "--exclude Order",
      " --exclude Customer",
      /made with --exclude Order, and this is with --exclude Customer/,
    ],
  ])("made with %j and applied with %j, it says so, and which command fits", async (made, applied, says) => {
    await stage().json(`diff move --out approved.json ${made}`);
    const { exitCode, diagnostics } = await stage().json(`${apply}${applied}`);
    expect(exitCode).toBe(7);
    const told = diagnostics.map(({ summary }) => summary).join("\n");
    expect(told).toMatch(says);
    expect(told).not.toMatch(/the plan was changed|snapshot/);
    const fits = /ferry (apply move.* --diff \S+)/.exec(diagnostics[0]?.suggestion ?? "")?.[1] ?? "";
    expect(fits.split(" --diff")[0]).toBe(`apply move${made === "" ? "" : ` ${made}`}`);
    expect(stage().writes()).toEqual([]);
    expect(await stage().json(`${fits} --yes`)).toMatchObject({ exitCode: 0 });
  });

  test("where the plan was changed as well, that is said", async () => {
    await stage().json("diff move --out approved.json");
    stage().plan({ policy: { adopt: "never" } });
    const { diagnostics } = await stage().json(`${apply} --kinds terms`);
    expect(diagnostics.map(({ summary }) => summary).join("\n")).toMatch(/the plan was changed/);
  });
});

test("an approved diff is asked for all the same", async () => {
  const refused = await stage().ferry("apply move --diff approved.json", { terminal: true, answers: ["n"] });
  expect(refused.code).toBe(1);
  expect(stage().writes()).toEqual([]);
});

test("a diff that says something twice is none that was approved", async () => {
  const text = stage().read("approved.json");
  stage().write("approved.json", text.replace(/\}\s*$/u, ',"changes":[]}'));
  const { exitCode, diagnostics } = await stage().json(apply);
  expect([exitCode, diagnostics[0]?.summary]).toEqual([1, expect.stringContaining('says "changes" twice')]);
  expect(stage().writes()).toEqual([]);
});

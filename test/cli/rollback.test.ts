import { beforeEach, describe, expect, test } from "vitest";
import { seedTerm } from "../../src/emulator/seed.ts";
import type { Little } from "./support/little.ts";
import { furnish } from "./support/little.ts";
import { useStage } from "./support/stage.ts";
import { inWhole } from "../support/whole.ts";

const stage = useStage();
let little: Little;
let before: string;

beforeEach(() => {
  little = furnish(stage().dev);
  stage().plan();
  before = withoutDashboards();
});

/** The service offers no delete of a dashboard, so that it stays. */
function withoutDashboards(): string {
  const { dashboards: _stay, ...rest } = stage().prod.dump();
  return JSON.stringify(rest);
}

function edit(side: "dev" | "prod", urn: string, description: string): void {
  const row = stage()[side].terms.get(urn);
  if (row?.published === undefined) throw new Error(`there is no ${urn}`);
  stage()[side].terms.put({ ...row, published: { ...row.published, description } });
}

/** The twin of a term of dev at the target. */
function twin(name: string): string {
  return [...stage().prod.terms.values()].find(({ published }) => published?.name === name)?.urn ?? "";
}

test("what a run created goes; what cannot go is named", async () => {
  const { run } = await stage().json("sync move --yes");
  const { exitCode, changes, headline } = await stage().json("rollback move --yes --allow-delete");
  expect(exitCode).toBe(4);
  expect(headline).toContain(run);
  expect(changes.map(({ action, kind, outcome }) => `${action} ${kind} ${outcome ?? ""}`.trim())).toEqual([
    "manual dashboards",
    "delete monitors done",
    "delete rules done",
    "delete terms done",
    "delete terms done",
  ]);
  expect(changes[0]?.reason).toContain("no way to delete one");
  expect(withoutDashboards()).toBe(before);
  // What is advised works as it stands, in JSON as well; once it is followed, there is no pair to be dropped.
  const remove = `mappings move remove ${little.dashboard}`;
  expect(changes[0]?.diagnostics[0]?.suggestion).toContain(`then drop its pair: ferry ${remove}. To keep it`);
  expect((await stage().ferry(remove)).code).toBe(0);
  const again = await stage().json("rollback move --yes --allow-delete");
  expect(again.changes[0]?.diagnostics[0]?.suggestion).toMatch(/^Remove it in the web application\. To keep/);
});

inWhole("a second rollback finds nothing more to do, and sends nothing", async () => {
  await stage().json("sync move --yes --kinds terms");
  expect(await stage().json("rollback move --yes --allow-delete")).toMatchObject({
    exitCode: 0,
    summary: { delete: 2 },
  });
  stage().emulator.log.clear();
  expect(await stage().json("rollback move --yes --allow-delete")).toMatchObject({
    exitCode: 0,
    changes: [],
  });
  expect(stage().writes()).toEqual([]);
});

inWhole(
  "the beginning of a name that is that of several runs says which, and takes none of them back",
  async () => {
    const { run: one = "" } = await stage().json("sync move --yes --kinds terms");
    const { run: other = "" } = await stage().json("sync move --yes --kinds rules");
    stage().emulator.log.clear();
    for (const words of ["--yes --allow-delete", "--dry-run", ""]) {
      const { exitCode, diagnostics } = await stage().json(`rollback move --run 2 ${words}`.trim());
      expect(exitCode).toBe(64);
      expect(diagnostics[0]).toMatchObject({
        summary: "2 runs begin or end with 2",
        suggestion: `Say which: ${one}, ${other}.`,
      });
    }
    expect(stage().emulator.log.entries).toEqual([]);
  },
);

inWhole("a rollback taken back by its name creates nothing out of nothing", async () => {
  await stage().json("sync move --yes --kinds terms");
  const { run = "" } = await stage().json("rollback move --yes --allow-delete");
  stage().emulator.log.clear();
  const { exitCode, changes } = await stage().json([
    "rollback",
    "move",
    "--yes",
    "--allow-delete",
    "--run",
    run,
  ]);
  expect(exitCode).toBe(4);
  expect(changes.map(({ action }) => action)).toEqual(["manual", "manual"]);
  expect(stage().writes()).toEqual([]);
});

inWhole("afterwards the same plan can be applied again", async () => {
  await stage().json("sync move --yes --kinds terms,rules,monitors");
  await stage().json("rollback move --yes --allow-delete");
  expect(await stage().json("verify move --kinds terms,rules,monitors")).toMatchObject({ exitCode: 7 });
  expect(await stage().json("sync move --yes --kinds terms,rules,monitors")).toMatchObject({
    exitCode: 0,
    summary: { create: 4 },
  });
  expect(stage().prod.counts()).toMatchObject({ terms: 2, rules: 1, monitors: 41 });
});

test("what a run changed is as it was before", async () => {
  await stage().json("sync move --yes");
  before = JSON.stringify(stage().prod.dump());
  edit("dev", little.terms.order, "Other words.");
  expect(await stage().json("sync move --yes")).toMatchObject({ exitCode: 0, summary: { update: 1 } });
  expect(JSON.stringify(stage().prod.dump())).not.toBe(before);
  expect(await stage().json("rollback move --yes --allow-delete")).toMatchObject({
    exitCode: 0,
    summary: { update: 1 },
  });
  expect(JSON.stringify(stage().prod.dump())).toBe(before);
});

test("what a run deleted is there again, under another URN", async () => {
  await stage().json("sync move --yes");
  const old = twin("Order");
  const content = stage().prod.terms.get(old)?.published;
  stage().dev.terms.delete(little.terms.order);
  expect(await stage().json("sync move --yes --allow-delete")).toMatchObject({
    exitCode: 0,
    summary: { delete: 1 },
  });
  expect(twin("Order")).toBe("");
  expect(await stage().json("rollback move --yes --allow-delete")).toMatchObject({
    exitCode: 0,
    summary: { create: 1 },
  });
  expect(twin("Order")).not.toBe(old);
  expect(stage().prod.terms.get(twin("Order"))?.published).toEqual({ ...content, urn: twin("Order") });
});

inWhole("an older run by its name", async () => {
  const first = await stage().json("sync move --yes --kinds terms");
  await stage().json("sync move --yes --kinds rules");
  const { exitCode } = await stage().json([
    "rollback",
    "move",
    "--yes",
    "--allow-delete",
    "--run",
    first.run ?? "",
  ]);
  expect(exitCode).toBe(0);
  expect(stage().prod.counts()).toMatchObject({ terms: 0, rules: 1 });
});

test("a run that was interrupted can be taken back too", async () => {
  const stop = new AbortController();
  stage().emulator.on(({ phase, entry }) => {
    if (phase === "after-commit" && entry.route === "POST /api/catalog/v1/terms/bulk") stop.abort();
  });
  await stage().json("sync move --yes --kinds terms,rules,monitors", { stop });
  expect(stage().prod.counts().terms).toBe(2);
  expect(await stage().json("rollback move --yes --allow-delete")).toMatchObject({ exitCode: 0 });
  expect(withoutDashboards()).toBe(before);
});

inWhole("one that is interrupted says so in status, and goes on with the next", async () => {
  stage().plan({ limits: { concurrency: 1 } });
  await stage().json("sync move --yes --kinds terms");
  const stop = new AbortController();
  stage().emulator.on(({ phase, entry }) => {
    if (phase === "after-commit" && entry.method === "DELETE") stop.abort();
  });
  const cut = await stage().json("rollback move --yes --allow-delete", { stop });
  expect(cut).toMatchObject({ exitCode: 5 });
  // What it has not come to is no more left for good than what an apply has not.
  expect(cut.headline).toMatch(/1 object taken back, 1 left\. It was interrupted: run again to continue\.$/);
  expect(cut.changes.map(({ outcome }) => outcome)).toEqual(["done", "not-started"]);
  const standing = await stage().json("status move");
  expect(standing).toMatchObject({ exitCode: 5, next: ["ferry rollback move"] });
  // Leave to delete is given anew each time; that it was given is not to be lost.
  expect(standing.headline).toContain("It was run with --allow-delete");
  expect(await stage().json("rollback move --yes --allow-delete")).toMatchObject({
    exitCode: 0,
    summary: { delete: 1 },
  });
  expect(await stage().json("status move")).toMatchObject({ exitCode: 0 });
  expect(stage().prod.counts().terms).toBe(0);
});

describe("what was touched since", () => {
  beforeEach(async () => {
    await stage().json("sync move --yes --kinds terms");
  });

  test("is left as it is, and named", async () => {
    edit("prod", twin("Order"), "Mine.");
    const { exitCode, changes } = await stage().json("rollback move --yes --allow-delete");
    expect(exitCode).toBe(4);
    const order = changes.find(({ source }) => source?.name === "Order");
    expect(order).toMatchObject({
      action: "manual",
      reason: expect.stringContaining("changed at the target since"),
    });
    expect(stage().prod.terms.get(twin("Order"))?.published?.["description"]).toBe("Mine.");
    expect(twin("Customer")).toBe("");
  });

  inWhole("that is gone already is no trouble", async () => {
    stage().prod.terms.delete(twin("Order"));
    expect(await stage().json("rollback move --yes --allow-delete")).toMatchObject({
      exitCode: 0,
      summary: { delete: 1 },
    });
    expect(stage().prod.counts().terms).toBe(0);
  });

  inWhole("what others made meanwhile stays", async () => {
    seedTerm(stage().prod, { name: "Somebody's" });
    expect(await stage().json("rollback move --yes --allow-delete")).toMatchObject({ exitCode: 0 });
    expect([...stage().prod.terms.values()].map(({ published }) => published?.name)).toEqual(["Somebody's"]);
  });
});

describe("deletes need their own flag", () => {
  beforeEach(async () => {
    await stage().json("sync move --yes");
    edit("dev", little.terms.order, "Other words.");
    seedTerm(stage().dev, { name: "Newcomer" });
    await stage().json("sync move --yes");
    stage().emulator.log.clear();
  });

  inWhole("without it what the run created stays, and is named; what it changed is taken back", async () => {
    const { exitCode, changes, headline, next, run } = await stage().json("rollback move --yes");
    expect(exitCode).toBe(4);
    expect(changes.map(({ action, outcome, source }) => [action, outcome, source?.name])).toEqual(
      expect.arrayContaining([
        ["delete", "withheld", "Newcomer"],
        ["update", "done", "Order"],
      ]),
    );
    expect(headline).toMatch(/1 delete withheld: it needs --allow-delete/);
    expect(next?.[0]).toMatch(/^ferry rollback move --run .* --allow-delete$/);
    expect(run).toBeDefined();
    expect(stage().prod.counts().terms).toBe(3);
    // The command that is named does the rest, and takes what is as before for nobody's change.
    const rest = await stage().json([...(next?.[0] ?? "").split(" ").slice(1), "--yes"]);
    expect(rest.changes.map(({ action, outcome }) => `${action} ${outcome ?? ""}`)).toEqual(["delete done"]);
    expect(rest.exitCode).toBe(0);
    expect(stage().prod.counts().terms).toBe(2);
  });

  inWhole("a terminal's word does not stand for it", async () => {
    const { asked } = await stage().ferry("rollback move", { terminal: true, answers: ["yes"] });
    expect(asked).toHaveLength(1);
    expect(stage().prod.counts().terms).toBe(3);
  });
});

describe("--dry-run", () => {
  test("says the same as is then done, sends nothing, asks nobody, needs no consent", async () => {
    const { run = "" } = await stage().json("sync move --yes");
    stage().emulator.log.clear();
    const state = JSON.stringify(stage().prod.dump());
    const dry = await stage().json("rollback move --dry-run");
    expect(dry).toMatchObject({
      exitCode: 0,
      headline: expect.stringMatching(
        `^Run ${run}, the sync of \\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d UTC \\(5 created\\): 4 objects would be taken back under --allow-delete, 1 left. Nothing was written.$`,
      ),
      details: { run: { id: run, command: "sync", created: 5, changed: 0, deleted: 0, assigned: 0 } },
      next: [`ferry rollback move --run ${run} --allow-delete`],
      summary: { delete: 4, manual: 1 },
    });
    expect(stage().writes()).toEqual([]);
    expect(JSON.stringify(stage().prod.dump())).toBe(state);
    const { stdout } = await stage().ferry("rollback move --dry-run");
    expect(stdout).toContain("the run created it");
    const done = await stage().json("rollback move --yes --allow-delete");
    expect(done.changes.map(({ outcome: _outcome, ...change }) => change)).toEqual(dry.changes);
  });

  inWhole("also of a run that was interrupted; it stays what it is", async () => {
    const stop = new AbortController();
    stage().emulator.on(({ phase, entry }) => {
      if (phase === "after-commit" && entry.route === "POST /api/catalog/v1/terms/bulk") stop.abort();
    });
    const { run = "" } = await stage().json("sync move --yes --kinds terms,rules,monitors", { stop });
    const dry = await stage().json("rollback move --dry-run");
    expect(dry.headline).toContain(run);
    expect(dry.summary.delete).toBeGreaterThanOrEqual(2);
    expect(await stage().json("status move")).toMatchObject({ exitCode: 5 });
    // The run that goes on answers for both, by either name.
    await stage().json("sync move --yes --kinds terms,rules,monitors");
    expect(await stage().json(["rollback", "move", "--dry-run", "--run", run])).toMatchObject({
      exitCode: 0,
      summary: { delete: 4 },
    });
  });
});

inWhole("a dashboard that stays is a person's work in the next diff: nobody changed it", async () => {
  await stage().json("sync move --yes");
  const { changes: back } = await stage().json("rollback move --yes --allow-delete");
  const board = back.find(({ kind }) => kind === "dashboards");
  expect(board?.diagnostics[0]?.suggestion).toContain("ferry mappings move remove");
  const { changes, summary } = await stage().json("diff move");
  expect(summary).toMatchObject({ conflict: 0, drift: 0, manual: 1, create: 4 });
  const left = changes.find(({ kind }) => kind === "dashboards");
  expect(left).toMatchObject({ action: "manual", reason: expect.stringContaining("no way to change one") });
  expect(JSON.stringify(left?.diagnostics)).not.toContain("conflict");
  // What the rollback advises: remove it by hand, drop the pair; then it is created like everything else.
  stage().prod.dashboards.delete(left?.target?.urn ?? "");
  await stage().json(["mappings", "move", "remove", little.dashboard]);
  expect(await stage().json("sync move --yes")).toMatchObject({ exitCode: 0, summary: { create: 5 } });
});

describe("the question", () => {
  beforeEach(async () => {
    stage().plan({ target: { confirm: "prod" } });
    await stage().json("sync move --yes --kinds terms");
    stage().emulator.log.clear();
  });

  test("shows what would be taken back, and asks for the word of the plan", async () => {
    const { code, asked, stderr } = await stage().ferry("rollback move --allow-delete", {
      terminal: true,
      answers: ["yes"],
    });
    expect(asked).toEqual([
      expect.stringMatching(
        /^Run \S+, the (sync|apply) of [\d-]+ [\d:]+ UTC \(2 created\)\. Take this back at prod\? Type prod: $/,
      ),
    ]);
    expect(stderr).toMatch(/!!! .*DELETE.* \(2\) !!!/);
    expect(code).toBe(1);
    expect(stage().writes()).toEqual([]);
  });

  test("with the right word it is done", async () => {
    const { code } = await stage().ferry("rollback move --allow-delete", {
      terminal: true,
      answers: ["prod"],
    });
    expect(code).toBe(0);
    expect(stage().prod.counts().terms).toBe(0);
  });
});

test("a dry run shows field by field what changes back, what goes, and what comes again", async () => {
  const { run: created } = await stage().json("sync move --yes --kinds terms,rules");
  edit("dev", little.terms.customer, "another text");
  const { changes: applied } = await stage().json("sync move --yes --kinds terms");
  const forth = applied.find(({ action }) => action === "update")?.fields ?? [];
  expect(forth).toHaveLength(1);
  const { changes } = await stage().json("rollback move --dry-run");
  const back = changes.find(({ action }) => action === "update");
  expect(back?.fields).toEqual(forth.map(({ path, from, to }) => ({ path, from: to, to: from })));
  const text = (await stage().ferry("rollback move --dry-run")).stdout;
  expect(text).toContain("another text");
  // The run before created them: their content goes, references by their names.
  const { changes: gone } = await stage().json(`rollback move --dry-run --run ${created}`);
  const rule = gone.find(({ action, kind }) => action === "delete" && kind === "rules");
  expect(rule?.fields.some(({ path, to }) => path === "/name" && to === undefined)).toBe(true);
});

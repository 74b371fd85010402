import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { applyPlan } from "../../src/operations/apply.ts";
import { diffPlan } from "../../src/operations/diff.ts";
import { rollbackRun } from "../../src/operations/rollback.ts";
import type { Result } from "../../src/model/result.ts";
import { renderText } from "../../src/report/index.ts";
import type { JsonObject } from "../../src/emulator/json.ts";
import type { Side } from "../diff/support/side.ts";
import { seedTerm } from "../diff/support/content.ts";
import { changeOf, type Stage, stage } from "../diff/support/run.ts";
import { front, through } from "../support/front.ts";
import type { PlanChanges } from "../support/world.ts";

/** Numbers that no JavaScript holds and nesting that no stack holds, over real HTTP. */
const plan: PlanChanges = { select: { kinds: ["terms"] } };

/** What the emulator has in place of what it could not keep. */
const numbers: Readonly<Record<string, string>> = {
  "1e400": "770001",
  "9007199254740993": "770002",
  "1.10": "770003",
  "0.1234567890123456789": "770004",
  "-0.0": "770005",
};
const outwards = (body: string): string =>
  Object.entries(numbers).reduce((text, [written, stand]) => text.replaceAll(stand, written), body);
const inwards = (body: string): string =>
  Object.entries(numbers).reduce(
    (text, [written, stand]) => text.replaceAll(`:${written}`, `:${stand}`),
    body,
  );

function edit({ tenant }: Side, urn: string, fields: JsonObject): void {
  const stored = tenant.terms.get(urn);
  if (stored?.published === undefined) throw new Error(`there is no ${urn}`);
  tenant.terms.put({ ...stored, published: { ...stored.published, ...fields } });
}

function published({ tenant }: Side): readonly JsonObject[] {
  return [...tenant.terms.values()].flatMap(({ published: term }) => term ?? []);
}

function named(side: Side, name: string): string {
  const urn = published(side).find((term) => term["name"] === name)?.["urn"];
  return typeof urn === "string" ? urn : "";
}

async function run(at: Stage, urls: { source?: string; target?: string }): Promise<Result> {
  const { world } = at;
  const migration = world.migration(plan, through(world, plan, urls));
  return applyPlan(migration, { confirm: async () => true });
}

describe("numbers", () => {
  test("are sent as they were written, equal to what is read back, and shown and undone so", async () => {
    const at = await stage({ kept: "files" });
    const values = Object.fromEntries(
      Object.values(numbers).map((stand, index) => [`n${index}`, Number(stand)]),
    );
    const term = seedTerm(at.source, "Exact", { measures: values });
    const [source, target] = await Promise.all([
      front(at.world.emulator.baseUrl("dev"), { answer: outwards }),
      front(at.world.emulator.baseUrl("prod"), { answer: outwards, request: inwards }),
    ]);
    const urls = { source: source.url, target: target.url };
    const first = await run(at, urls);
    expect(changeOf(first, term)).toMatchObject({ action: "create", outcome: "done" });
    const written = Object.keys(numbers).map((number, index) => `"n${index}":${number}`);
    const sent = target.sent.find((request) => request.includes("/terms/bulk")) ?? "";
    for (const field of written) expect(sent).toContain(field);
    const snapshot = readFileSync(join(at.world.folder, "plans/test/snapshot/terms.ndjson"), "utf8");
    for (const field of written) expect(snapshot).toContain(field);

    const before = target.sent.length;
    expect((await run(at, urls)).changes).toEqual([]);
    expect(target.sent.slice(before).filter((request) => !/\/(token|filter)/u.test(request))).toEqual([]);

    const changed = { ...values, n0: 770_002 };
    edit(at.source, term, { measures: changed });
    const out = join(at.world.folder, "diff.json");
    const looked = await diffPlan(at.world.migration(plan, through(at.world, plan, urls)), { out });
    expect(changeOf(looked, term)?.fields).toHaveLength(1);
    expect(readFileSync(out, "utf8")).toMatch(/"from": 1e400,\s*"to": 9007199254740993/u);
    expect(renderText(looked, { verbose: 1 })).toMatch(/1e400.*9007199254740993/u);
    const second = await applyPlan(at.world.migration(plan, through(at.world, plan, urls)), {
      confirm: async () => true,
      diff: out,
    });
    expect(changeOf(second, term)).toMatchObject({ action: "update", outcome: "done" });
    expect(target.sent.at(-1)).toContain('"n0":9007199254740993');
    await rollbackRun(at.world.migration(plan, through(at.world, plan, urls)), { confirm: async () => true });
    expect(target.sent.at(-1)).toContain('"n0":1e400');
  });
});

const deep = (levels: number): string => '{"a":['.repeat(levels / 2) + "1e400" + "]}".repeat(levels / 2);

describe.each([1_500, 100_000])("an object of %i levels", (levels) => {
  const deepen = { answer: (body: string) => body.replaceAll('"DEEP"', deep(levels)) };

  test("at the source is blocked by name, and everything else arrives", async () => {
    const at = await stage();
    const [one] = ["One", "Other"].map((name) =>
      seedTerm(at.source, name, name === "One" ? { depth: "DEEP" } : {}),
    );
    const { url } = await front(at.world.emulator.baseUrl("dev"), deepen);
    for (const _again of [1, 2]) {
      const result = await run(at, { source: url });
      const change = changeOf(result, one ?? "");
      expect(change?.action).toBe("blocked");
      expect(change?.reason).toBe("it is nested deeper than 200 levels (in depth), and cannot be compared");
      expect(change?.diagnostics[0]).toMatchObject({
        code: "too-deep",
        coordinate: { kind: "terms", name: "One" },
        suggestion: expect.stringContaining("Make it flatter at the source"),
      });
      expect(result.exitCode).toBe(4);
    }
    expect(published(at.target).map(({ name }) => name)).toEqual(["Other"]);
  });

  test("at the target is neither overwritten nor taken for equal, gone or deletable", async () => {
    const at = await stage();
    const [one, other, gone] = ["One", "Other", "Gone"].map((name) => seedTerm(at.source, name));
    const { url } = await front(at.world.emulator.baseUrl("prod"), deepen);
    await run(at, { target: url });
    for (const source of ["One", "Gone"]) edit(at.target, named(at.target, source), { depth: "DEEP" });
    for (const source of [one, other]) edit(at.source, source ?? "", { description: "New" });
    at.source.tenant.terms.delete(gone ?? "");
    const { world } = at;
    const result = await applyPlan(world.migration(plan, through(world, plan, { target: url })), {
      confirm: async () => true,
      allowDelete: true,
    });
    expect(changeOf(result, one ?? "")?.reason).toMatch(
      /^its twin at the target is nested deeper than 200 levels/u,
    );
    expect(changeOf(result, one ?? "")?.action).toBe("blocked");
    expect(changeOf(result, other ?? "")).toMatchObject({ action: "update", outcome: "done" });
    expect(changeOf(result, gone ?? "")?.action).toBe("manual");
    const back = await rollbackRun(world.migration(plan, through(world, plan, { target: url })), {
      confirm: async () => true,
      allowDelete: true,
    });
    expect(back.exitCode).not.toBe(1);
    expect(published(at.target).filter(({ depth }) => depth === "DEEP")).toHaveLength(2);
  });

  test("that has the name of one to be created is no room for a second one", async () => {
    const at = await stage();
    const one = seedTerm(at.source, "One");
    seedTerm(at.target, "One", { depth: "DEEP" });
    const user = seedTerm(at.source, "User", { description: `See ${one}`, refersTo: one });
    const { url } = await front(at.world.emulator.baseUrl("prod"), deepen);
    const result = await run(at, { target: url });
    const change = changeOf(result, one);
    expect(changeOf(result, user)?.action).toBe("blocked");
    expect(change).toMatchObject({ action: "blocked", diagnostics: [{ code: "too-deep" }] });
    expect(published(at.target)).toHaveLength(1);
  });
});

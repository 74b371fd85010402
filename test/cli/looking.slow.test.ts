import { existsSync } from "node:fs";
import { beforeEach, describe, expect, test } from "vitest";
import { parse } from "yaml";
import { seedGroup } from "../../src/emulator/seed.ts";
import { uuidOf } from "../../src/model/urn.ts";
import { furnish } from "./support/little.ts";
import { useStage } from "./support/stage.ts";

/** doctor, export, diff, verify, status: they look and write nothing but their own files. */
const stage = useStage();

beforeEach(() => {
  furnish(stage().dev);
  stage().plan();
});

const looking = [
  "doctor move",
  "export move",
  "diff move",
  "sync move --dry-run",
  "sync move --dry-run --yes",
  "verify move",
  "status move",
  "resolve move",
  "mappings move list",
  "mappings move suggest",
];

test.each(looking)("ferry %s sends no write, and leaves both sides as they were", async (words) => {
  const before = JSON.stringify([stage().dev.dump(), stage().prod.dump()]);
  const { requests } = await stage().json(words);
  expect(requests.target.writes).toBe(0);
  expect(stage().writes("dev")).toEqual([]);
  expect(stage().writes("prod")).toEqual([]);
  expect(JSON.stringify([stage().dev.dump(), stage().prod.dump()])).toBe(before);
});

test.each(looking)("ferry %s works where the client may not write", async (words) => {
  for (const side of [stage().dev, stage().prod]) {
    for (const area of ["catalog", "data-quality", "processing"] as const)
      side.restrict(area, { write: false });
  }
  const { exitCode } = await stage().json(words);
  expect(exitCode).toBe(words.startsWith("verify") ? 7 : 0);
});

test("the source is never written, not even by a sync", async () => {
  stage().dev.restrict("catalog", { write: false });
  stage().dev.restrict("data-quality", { write: false });
  const before = JSON.stringify(stage().dev.dump());
  expect(await stage().json("sync move --yes")).toMatchObject({ exitCode: 0, summary: { create: 5 } });
  expect(stage().writes("dev")).toEqual([]);
  expect(JSON.stringify(stage().dev.dump())).toBe(before);
});

describe("doctor", () => {
  test("tells what can be read on both sides", async () => {
    const { details, headline, next } = await stage().json("doctor move");
    const checks = (details as { checks: { side: string; name: string; state: string }[] }).checks;
    expect(checks.every(({ state }) => state === "ok")).toBe(true);
    for (const side of ["dev", "prod"]) {
      expect(checks.filter((check) => check.side === side).map(({ name }) => name)).toEqual(
        expect.arrayContaining(["sign-in", "terms", "rules", "monitors", "dashboards"]),
      );
    }
    expect(headline).toMatch(/Both sides can be read/);
    expect(next).toEqual(["ferry diff move"]);
  });

  test("tells every trouble at once: a wrong secret on one side does not hide the other side", async () => {
    stage().prod.restrict("data-quality", { read: false });
    const { exitCode, diagnostics } = await stage().json("doctor move", {
      env: { DEV_CLIENT_SECRET: "wrong" },
    });
    expect(exitCode).toBe(3);
    const told = diagnostics.map(({ summary }) => summary).join("\n");
    expect(told).toMatch(/^dev: sign-in: /m);
    expect(told).toMatch(/^prod: rules: /m);
    expect(told).toMatch(/^prod: monitors: /m);
  });

  test("an answer of another shape is told with its interface", async () => {
    stage().emulator.faults.add({
      match: { tenant: "prod", route: "GET /api/data-quality/v1/rules" },
      effect: { type: "garbage" },
    });
    const { exitCode, diagnostics } = await stage().json("doctor move");
    expect(exitCode).toBe(1);
    expect(diagnostics.map(({ summary }) => summary).join("\n")).toMatch(/^prod: rules: /m);
  });
});

test.each([
  { quietPeriod: "5s", requestTimeout: "60s", warned: true },
  { quietPeriod: "60s", requestTimeout: "60s", warned: false },
])(
  "doctor on a quiet period of $quietPeriod beside a timeout of $requestTimeout",
  async ({ warned, ...limits }) => {
    stage().plan({ limits });
    const { exitCode, diagnostics } = await stage().json("doctor move");
    expect(
      diagnostics.some(({ code, severity }) => code === "quiet-period-short" && severity === "warning"),
    ).toBe(warned);
    expect(exitCode).toBe(0);
  },
);

describe("doctor and what has no twin", () => {
  test("lists it, with a section for the plan in which what is missing is a comment", async () => {
    stage().plan({ pairing: undefined });
    const { exitCode, headline, details, diagnostics, next } = await stage().json("doctor move");
    expect(exitCode).toBe(0);
    expect(headline).toContain("Without a twin: 3 sources, 4 connections.");
    const { checks, pairing } = details as { checks: { side: string }[]; pairing: string };
    expect(checks.find(({ side }) => side === "both")).toMatchObject({ name: "pairing", state: "warning" });
    expect(parse(pairing)).toEqual({ pairing: { sources: {}, connections: {}, paths: [], groups: {} } });
    expect(pairing).toContain('    # "Snowflake DEV": "Snowflake PROD",  # a guess by name');
    expect(diagnostics.map(({ summary }) => summary)).toContainEqual(
      expect.stringMatching(/^sources of dev without a twin at prod: "Snowflake DEV", /),
    );
    expect(next?.at(-1)).toBe("ferry diff move");
    const { stdout } = await stage().ferry("doctor move");
    // At the margin, so that it can be pasted.
    expect(stdout).toMatch(/^pairing:\n {2}sources: \{\n {4}# "/m);
    expect(stdout).toMatch(/\nNext:\n(?: {2}.+\n)+$/);
  });

  test("groups are known after an export, and are paired by the plan alone", async () => {
    const group = seedGroup(stage().dev, { name: "Stewards" }).urn;
    const [rule] = stage().dev.rules.values();
    if (rule?.published === undefined) throw new Error("there is a rule");
    stage().dev.rules.put({ ...rule, published: { ...rule.published, groupUrn: group } });
    const before = await stage().json("doctor move");
    expect(JSON.stringify(before.details)).toContain("groups are known after `ferry export`");
    await stage().json("export move");
    const { details } = await stage().json("doctor move");
    expect((details as { pairing: string }).pairing).toContain(`# "${uuidOf(group)}": "<uuid>",`);
  });

  test("a failure ends with what to mend and the same command", async () => {
    const { next, diagnostics } = await stage().json("doctor move", { env: { PROD_CLIENT_SECRET: "wrong" } });
    expect(diagnostics[0]?.suggestion).toBe("Check realm, clientId and clientSecret of prod in the plan.");
    expect(next).toEqual(["ferry doctor move"]);
  });
});

test("a diff with nothing to write says so when something waits for a person all the same", async () => {
  await stage().json("sync move --yes");
  const [term] = stage().prod.terms.values();
  if (term?.published === undefined) throw new Error("there is a term");
  stage().prod.terms.put({ ...term, published: { ...term.published, description: "Other words." } });
  const { exitCode, headline, summary } = await stage().json("diff move");
  expect(exitCode).toBe(0);
  expect(summary).toMatchObject({ create: 0, update: 0, drift: 1 });
  expect(headline).toBe("Nothing to do. Some objects need a person.");
  const { stdout } = await stage().ferry("status move");
  expect(stdout).toMatch(/^Nothing read or written, in /m);
});

describe("a diff in which nearly everything is blocked", () => {
  test("says what one line of the plan would mend, and does not advise to apply", async () => {
    await stage().json("sync move --yes --kinds rules");
    stage().plan({ pairing: undefined });
    const { headline, next } = await stage().json("diff move --kinds monitors,dashboards");
    expect(headline).toMatch(/^Nothing can be done yet: \d+ objects are blocked\.$/);
    const line =
      'In the plan, under pairing.paths, add `- { pattern: "^DEV_", replace: "PROD_" }` (a guess: check it)';
    expect(next).toEqual([line, "ferry diff move --kinds monitors,dashboards"]);
    // Nor does apply advise to try it again.
    const applied = await stage().json("apply move --yes --kinds monitors,dashboards");
    expect(applied.headline).toBe("Nothing was done. Some objects need a person.");
    expect(applied.next).toEqual([line, "ferry diff move --kinds monitors,dashboards"]);
  });
});

describe("export and the snapshot", () => {
  test("export says what it took and where it lies", async () => {
    const { headline, details, next } = await stage().json("export move");
    expect(headline).toMatch(/^\d+ objects of dev in /);
    expect(details).toMatchObject({ kinds: { terms: 2, rules: 1, monitors: 1, dashboards: 1 } });
    expect(existsSync(stage().path("plans/move/snapshot/manifest.json"))).toBe(true);
    expect(next?.[0]).toMatch(/^ferry diff move --snapshot /);
  });

  test.each(["diff move", "apply move --yes", "verify move"])(
    "%s --snapshot asks the source nothing",
    async (words) => {
      await stage().json("export move");
      stage().emulator.log.clear();
      const { requests } = await stage().json([...words.split(" "), "--snapshot", "plans/move/snapshot"]);
      expect(requests.source.reads).toBe(0);
      expect(stage().emulator.log.count({ tenant: "dev" })).toBe(0);
      expect(requests.target.reads).toBeGreaterThan(0);
    },
  );

  test("what fails on the way leaves the snapshot of before", async () => {
    await stage().json("export move");
    const before = stage().read("plans/move/snapshot/manifest.json");
    stage().dev.restrict("data-quality", { read: false });
    expect(await stage().json("export move")).toMatchObject({ exitCode: 3 });
    expect(stage().read("plans/move/snapshot/manifest.json")).toBe(before);
  });
});

test("the diff is the same whether it comes from diff or from sync --dry-run, but for the name", async () => {
  const one = await stage().json("diff move");
  const other = await stage().json("sync move --dry-run");
  expect(other.command).toBe("sync");
  expect(other.changes).toEqual(one.changes);
  expect(other.summary).toEqual(one.summary);
  expect(other.requests).toEqual(one.requests);
  expect(one.next).toEqual(["ferry apply move"]);
  expect(other.next).toEqual(["ferry sync move"]);
});

test("status reads files only", async () => {
  await stage().json("sync move --yes");
  await stage().emulator.pause();
  const { exitCode, details, requests } = await stage().json("status move");
  await stage().emulator.resume();
  expect(exitCode).toBe(0);
  expect(details).toMatchObject({
    mapped: { terms: 2, rules: 1, dashboards: 1 },
    inDoubt: [],
    unfinished: [],
  });
  expect(requests).toEqual({ source: { reads: 0 }, target: { reads: 0, writes: 0 } });
});

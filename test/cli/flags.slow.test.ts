import { existsSync, readdirSync, writeFileSync } from "node:fs";
import { beforeEach, describe, expect, test } from "vitest";
import { seedTerm } from "../../src/emulator/seed.ts";
import type { ResultDocument } from "./support/document.ts";
import type { Little } from "./support/little.ts";
import { furnish, seedFilledRule } from "./support/little.ts";
import { useStage } from "./support/stage.ts";

/** What the flags common to all commands do, and that they win over the plan. */
const stage = useStage();
let little: Little;

beforeEach(() => {
  little = furnish(stage().dev);
  seedFilledRule(stage().dev, "Phone is filled");
  seedTerm(stage().dev, { name: "Email address" });
  stage().plan();
});

function created({ changes }: ResultDocument): readonly string[] {
  return changes.map(({ kind, source }) => `${kind} ${source?.name ?? ""}`).sort();
}

test("a selector of the plan for all kinds may match nothing among those that --kinds leaves", async () => {
  stage().plan({ select: { kinds: ["terms", "rules"], exclude: [{ name: "Phone*" }] } });
  expect(created(await stage().json("diff move --kinds terms"))).toEqual([
    "terms Customer",
    "terms Email address",
    "terms Order",
  ]);
  stage().plan({ select: { kinds: ["terms"], exclude: [{ name: "Phone*" }] } });
  expect((await stage().json("diff move --kinds terms")).exitCode).toBe(64);
});

describe("--kinds, --include and --exclude", () => {
  test.each<[flags: string, moved: readonly string[]]>([
    ["--kinds rules", ["rules Email is filled", "rules Phone is filled"]],
    [
      "--kinds rules,terms --include rules:Email*",
      ["rules Email is filled", "terms Customer", "terms Email address", "terms Order"],
    ],
    ["--kinds rules,terms --include Email*", ["rules Email is filled", "terms Email address"]],
    ["--kinds rules,terms --include Email* --exclude terms:Email*", ["rules Email is filled"]],
    ["--kinds terms --include Cust?mer --include Order", ["terms Customer", "terms Order"]],
    ["--kinds terms --exclude *r", ["terms Email address"]],
    ["--kinds terms --kinds rules --include Email*", ["rules Email is filled", "terms Email address"]],
    ["--kinds monitors", ["monitors Customers", "rules Email is filled"]],
    ["--kinds dashboards", ["dashboards Board", "monitors Customers", "rules Email is filled"]],
  ])("%s", async (flags, moved) => {
    const document = await stage().json(["diff", "move", ...flags.split(" ")]);
    expect(document.exitCode).toBe(0);
    expect(created(document)).toEqual(moved);
  });

  test.each([
    ["diff", "--kinds", "terms", "--include", "Order", "move"],
    ["diff", "--kinds", "terms", "--exclude", "Customer", "--exclude", "Email*", "move"],
  ])("the plan's name may stand behind any flag: %j", async (...words) => {
    expect(created(await stage().json(words))).toEqual(["terms Order"]);
  });

  test.each(["diff move", "apply move --yes", "sync move --yes"])(
    "%s: what leaves out everything is not told as if all were well",
    async (words) => {
      const { exitCode, headline } = await stage().json([...words.split(" "), "--exclude", "*"]);
      expect(exitCode).toBe(0);
      expect(headline).toMatch(/^Nothing to do: the source shows nothing that is selected\./);
    },
  );

  test("a URN is a selector too", async () => {
    const document = await stage().json([
      "diff",
      "move",
      "--kinds",
      "terms",
      "--include",
      little.terms.order,
    ]);
    expect(created(document)).toEqual(["terms Order"]);
  });

  test("what comes along says who needs it", async () => {
    const { changes } = await stage().json("diff move --kinds monitors");
    const rule = changes.find(({ kind }) => kind === "rules");
    expect(rule?.pulledInBy).toMatchObject({ kind: "monitors", name: "Customers" });
  });

  test("the flag wins over the plan, and drops the selectors of kinds that it leaves out", async () => {
    stage().plan({ select: { kinds: ["terms", "rules"], include: [{ kind: "terms", name: "Order" }] } });
    expect(created(await stage().json("diff move"))).toEqual([
      "rules Email is filled",
      "rules Phone is filled",
      "terms Order",
    ]);
    expect(created(await stage().json("diff move --kinds rules"))).toEqual([
      "rules Email is filled",
      "rules Phone is filled",
    ]);
  });

  test("the selectors of flags come to those of the plan", async () => {
    stage().plan({ select: { kinds: ["terms"], exclude: [{ name: "Order" }] } });
    expect(created(await stage().json("diff move --exclude Customer"))).toEqual(["terms Email address"]);
  });

  test.each(["--include terms:Nobody", "--exclude Nobody*", "--include Email* --include Nobody"])(
    "%s: what matches nothing is an error, and no write happens",
    async (flags) => {
      for (const command of [
        ["diff", "move"],
        ["sync", "move", "--yes"],
      ]) {
        const { exitCode, diagnostics } = await stage().json([...command, ...flags.split(" ")]);
        expect(exitCode).toBe(64);
        expect(diagnostics[0]?.summary).toContain("Nobody");
      }
      expect(stage().writes()).toEqual([]);
    },
  );

  test("is told as a person writes it, with the names that are near", async () => {
    const { diagnostics } = await stage().json(
      "diff move --kinds rules,terms --include rules:Emial* --exclude terms:custmer",
    );
    expect(diagnostics[0]?.summary).toBe(
      'nothing at the source matches include: kind rules, name "Emial*"; exclude: kind terms, name "custmer"',
    );
    expect(diagnostics[0]?.suggestion).toContain('For "Emial*", did you mean "Email is filled"?');
    expect(diagnostics[0]?.suggestion).toContain('For "custmer", did you mean "Customer"?');
  });

  test("what was moved before and is not selected now is not an orphan", async () => {
    await stage().json("sync move --yes");
    const { summary } = await stage().json("sync move --yes --kinds rules --include Phone* --allow-delete");
    expect(summary).toMatchObject({ delete: 0, unchanged: 1 });
    expect(stage().prod.counts()).toMatchObject({ terms: 3, rules: 2 });
  });
});

describe("precedence: the flag, then the plan", () => {
  /** In flight at one of the two environments: the limit is of each. */
  async function mostInFlight(words: string): Promise<number> {
    const now = new Map<string, number>();
    let most = 0;
    const off = stage().emulator.on(({ phase, entry: { tenant } }) => {
      const change = phase === "received" ? 1 : phase === "answered" ? -1 : 0;
      now.set(tenant, (now.get(tenant) ?? 0) + change);
      most = Math.max(most, ...now.values());
    });
    stage().emulator.faults.add({ match: { method: "GET" }, effect: { type: "delay", ms: 5 } });
    expect(await stage().json(words)).toMatchObject({ exitCode: 0 });
    stage().emulator.faults.clear();
    off();
    return most;
  }

  test("--concurrency", async () => {
    stage().plan({ limits: { concurrency: 4 } });
    expect(await mostInFlight("diff move")).toBeGreaterThan(1);
    expect(await mostInFlight("diff move --concurrency 1")).toBe(1);
    stage().plan({ limits: { concurrency: 1 } });
    expect(await mostInFlight("diff move")).toBe(1);
    expect(await mostInFlight("diff move --concurrency 4")).toBeGreaterThan(1);
  });

  test("--timeout", async () => {
    const slow = {
      match: { tenant: "dev", method: "GET" },
      when: { times: 1 },
      effect: { type: "delay", ms: 400 },
    } as const;
    const timeouts = async (words: string): Promise<number> => {
      const off = stage().emulator.faults.add(slow);
      const { stderr } = await stage().ferry(words);
      off();
      return stderr.match(/timeout/g)?.length ?? 0;
    };
    expect(await timeouts("export move -vv")).toBe(0);
    expect(await timeouts("export move -vv --timeout 100ms")).toBeGreaterThan(0);
  });
});

describe("files and folders", () => {
  test("--work-dir and --mappings-dir", async () => {
    const words = "sync move --yes --work-dir build/work --mappings-dir build/state";
    expect(await stage().json(words)).toMatchObject({ exitCode: 0 });
    expect(existsSync(stage().path("build/work/move/snapshot/manifest.json"))).toBe(true);
    expect(existsSync(stage().path("build/work/move/report.html"))).toBe(true);
    expect(existsSync(stage().path("build/state/dev--prod/terms.json"))).toBe(true);
    expect(existsSync(stage().path("plans/move"))).toBe(false);
    expect(existsSync(stage().path("mappings"))).toBe(false);
  });

  test.each(["plans/move.yaml", "./plans/move.yaml", "move.yaml", "move"])("the plan as %s", async (plan) => {
    expect(await stage().json(["status", plan])).toMatchObject({ exitCode: 0, plan: "move" });
  });

  test.each(["--work-dir", "--mappings-dir", "--env-file", "--out", "--snapshot"])(
    "%s with nothing behind it is no place: nothing is asked of anybody, and nothing written",
    async (flag) => {
      stage().plan();
      const before = readdirSync(stage().folder);
      const { exitCode, diagnostics, requests } = await stage().json(["diff", "move", flag, ""]);
      expect(exitCode).toBe(64);
      expect(diagnostics[0]?.summary).toBe(`${flag} names no file and no folder`);
      expect(requests).toMatchObject({ source: { reads: 0 }, target: { reads: 0 } });
      expect(readdirSync(stage().folder)).toEqual(before);
    },
  );

  test("--env-file: one in UTF-16, with its mark or without, is told as what it is", async () => {
    stage().plan();
    for (const mark of ["", "\uFEFF"]) {
      writeFileSync(stage().path("wide.env"), Buffer.from(`${mark}DEV_CLIENT_ID=x\n`, "utf16le"));
      const { code, stdout } = await stage().ferry("diff move --env-file wide.env");
      expect(code).toBe(64);
      expect(stdout).toContain("--env-file wide.env is not text in UTF-8");
    }
  });

  test("--env-file: what it sets is used, and what is set already wins", async () => {
    const env = { PROD_CLIENT_ID: undefined };
    stage().write(".env", "# a comment\nPROD_CLIENT_ID=prod-client\nDEV_CLIENT_SECRET=other\n");
    expect(await stage().json("diff move", { env })).toMatchObject({ exitCode: 64 });
    expect(await stage().json("diff move --env-file .env", { env })).toMatchObject({ exitCode: 0 });
    const own = { DEV_CLIENT_SECRET: undefined };
    expect(await stage().json("diff move --env-file .env", { env: own })).toMatchObject({ exitCode: 3 });
  });

  test("a .env is not read unless it is asked for", async () => {
    stage().write(".env", "PROD_CLIENT_ID=prod-client\n");
    const { exitCode, diagnostics } = await stage().json("diff move", { env: { PROD_CLIENT_ID: undefined } });
    expect(exitCode).toBe(64);
    expect(diagnostics[0]?.summary).toContain("PROD_CLIENT_ID");
  });
});

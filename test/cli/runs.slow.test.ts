import {
  copyFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { dirname } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { seedEntity, seedMetadataProperty, seedMetadataType } from "../../src/emulator/seed.ts";
import { furnish } from "./support/little.ts";
import type { RunOnRecord } from "../../src/operations/kept-runs.ts";
import { useStage } from "./support/stage.ts";

/** What was done, when and by whom is there also after later runs. */
const stage = useStage();

beforeEach(() => {
  furnish(stage().dev);
  stage().plan();
});

const runsIn = (document: { readonly details?: unknown }): readonly RunOnRecord[] =>
  (document.details as { readonly runs: readonly RunOnRecord[] }).runs;

describe("a run is kept", () => {
  test("with its reports, which a later diff does not take the place of", async () => {
    const applied = await stage().json("sync move --yes");
    const before = stage().read("plans/move/report.html");
    await stage().ferry("diff move");
    const folder = `plans/move/runs/${applied.run ?? ""}`;
    expect(stage().read(folder, "report.html")).toBe(before);
    expect(stage().read("plans/move/report.html")).not.toBe(before);
    for (const file of ["report.txt", "report.md", "report.json"])
      expect(existsSync(stage().path(folder, file))).toBe(true);
  });

  test("with when it was in UTC, which is said: who reads it sits elsewhere, as does the runner", async () => {
    await stage().json("sync move --yes");
    expect((await stage().ferry("runs move")).stdout).toContain("times are in UTC");
    const shown = (await stage().ferry("runs move show")).stdout;
    expect(shown).toMatch(/^ferry sync move --yes --json, \d{4}-\d\d-\d\d \d\d:\d\d UTC, by /);
  });

  test("with when, who, the command and what it came to", async () => {
    await stage().json("sync move --yes");
    await stage().json("diff move", {
      env: {
        GITHUB_ACTIONS: "",
        GITHUB_RUN_ID: "77",
        GITHUB_REPOSITORY: "acme/data",
        GITHUB_ACTOR: "ann",
      },
    });
    const [sync, diff] = runsIn(await stage().json("runs move"));
    expect(sync).toMatchObject({
      command: "ferry sync move --yes --json",
      exitCode: 0,
      summary: { create: 5 },
      canBeTakenBack: true,
      by: { user: expect.any(String), host: expect.any(String) },
    });
    expect(diff).toMatchObject({
      command: "ferry diff move --json",
      canBeTakenBack: false,
      by: { user: "ann", job: "https://github.com/acme/data/actions/runs/77" },
    });
  });

  test("behind those before it, also where the clock was set back since", async () => {
    await stage().ferry("diff move");
    const [first] = runsIn(await stage().json("runs move"));
    const ahead = "2999-01-01T00-00-00-000Z-abcdef";
    const about = stage().path("plans/move/runs", ahead, "run.json");
    renameSync(stage().path("plans/move/runs", first?.run ?? ""), dirname(about));
    const kept = JSON.parse(readFileSync(about, "utf8")) as { readonly run: object };
    const at = "2999-01-01T00:00:00.000Z";
    writeFileSync(about, JSON.stringify({ ...kept, run: { ...kept.run, run: ahead, at } }));
    await stage().ferry("diff move");
    await stage().ferry("sync move --yes");
    await stage().ferry("verify move");
    const runs = runsIn(await stage().json("runs move"));
    const words = runs.map(({ command = "" }) => command.split(" ")[1]);
    expect(words).toEqual(["diff", "diff", "sync", "verify"]);
  });

  test("also when it failed, and then the report that somebody may be reading stays", async () => {
    await stage().ferry("sync move --yes");
    const before = stage().read("plans/move/report.html");
    await stage().ferry("diff move", { env: { DEV_CLIENT_SECRET: "wrong" } });
    expect(stage().read("plans/move/report.html")).toBe(before);
    expect(runsIn(await stage().json("runs move")).map(({ exitCode }) => exitCode)).toEqual([0, 3]);
    const lines = (await stage().ferry("runs move")).stdout.replaceAll(/\s+/g, " ");
    expect(lines).toMatch(/diff move by [^:]+: sign-in or permission \([^)]+\): [^]*refused/);
  });

  test("of those that wrote nothing only the last twenty", async () => {
    await stage().ferry("sync move --yes");
    for (let times = 0; times < 22; times += 1) await stage().ferry("diff move --kinds terms");
    const runs = runsIn(await stage().json("runs move"));
    expect(runs).toHaveLength(21);
    expect(runs[0]?.command).toBe("ferry sync move --yes");
    const folders = readdirSync(stage().path("plans/move/runs")).filter((name) => !name.endsWith(".ndjson"));
    expect(folders).toHaveLength(21);
  });
});

test("what was mistyped takes the place of no report of a run that looked", async () => {
  await stage().ferry("diff move --kinds terms");
  for (let times = 0; times < 22; times += 1)
    await stage().ferry(times % 2 === 0 ? "diff move --include terms:Nothing" : "sync move");
  const runs = runsIn(await stage().json("runs move"));
  expect(runs).toHaveLength(20);
  expect(runs.map(({ exitCode }) => exitCode).filter((code) => code !== 64)).toEqual([0]);
});

describe("ferry runs", () => {
  test("lists them in a line each; the status does, too", async () => {
    await stage().ferry("sync move --yes");
    const line = /- \d{4}-\d\d-\d\d \d\d:\d\d ferry sync move --yes by \S+: done, 5 create, 40 unchanged \(/;
    expect((await stage().ferry("runs move")).stdout.replaceAll(/\n\s+/g, " ")).toMatch(
      /ferry sync move --yes by \S+: done, 5 create/,
    );
    expect((await stage().ferry("status move")).stdout).toMatch(line);
    // At a terminal no line is left for it to break within a word.
    for (const words of ["runs move", "status move", "mappings move list"]) {
      const { stdout } = await stage().ferry(words, { terminal: true });
      for (const told of stdout.split("\n")) expect(told.length).toBeLessThanOrEqual(100);
    }
  });

  test("lists the last twenty and says how many are older; all with --all, and for machines", async () => {
    const archived = (day: number): string => `2020-01-${String(day).padStart(2, "0")}T00-00-00-abcdef`;
    await stage().ferry("sync move --yes");
    const folder = stage().path("plans/move/runs");
    const archive = readdirSync(folder).find((name) => name.endsWith(".ndjson")) ?? "";
    for (let day = 1; day <= 25; day += 1)
      copyFileSync(`${folder}/${archive}`, `${folder}/${archived(day)}.ndjson`);
    const { stdout } = await stage().ferry("runs move");
    expect(stdout).toContain("26 runs kept");
    const listed = stdout
      .split("\n")
      .map((line) => line.trim())
      .filter((line) => line.startsWith("- "));
    expect(listed).toHaveLength(21);
    expect(listed[0]).toBe("- … 6 older; --all shows them");
    expect(listed[1]).toContain(archived(7));
    expect(listed.at(-1)).toContain("ferry sync move --yes");
    expect((await stage().ferry("runs move list --all")).stdout).toContain(archived(1));
    expect(runsIn(await stage().json("runs move"))).toHaveLength(26);
    expect(await stage().json("runs move show --all")).toMatchObject({ exitCode: 64 });
  });

  test("show tells the report again; json is a document of its own", async () => {
    const applied = await stage().json("sync move --yes");
    await stage().ferry("diff move");
    const { stdout } = await stage().ferry(`runs move show ${applied.run?.slice(-6) ?? ""}`);
    expect(stdout).toContain("5 changes made");
    expect((await stage().ferry(`runs move show ${applied.run ?? ""} --format html`)).stdout).toMatch(
      /^<!doctype/,
    );
    expect(await stage().json(`runs move show ${applied.run ?? ""}`)).toMatchObject({
      details: { run: { run: applied.run }, report: { command: "sync", run: applied.run } },
    });
    expect((await stage().ferry("runs move show")).stdout).toContain("Nothing to do.");
  });

  test("open names the file where nothing can show it", async () => {
    await stage().ferry("diff move");
    const { code, stdout } = await stage().ferry("runs move open");
    expect(code).toBe(0);
    expect(stdout).toMatch(/^report: .*plans.move.runs.*report\.html$/m);
  });

  test("a name that is not there, and one that several have, are told with what to do", async () => {
    expect((await stage().ferry("runs move show")).stdout).toContain("no run of move is kept");
    await stage().ferry("diff move");
    await stage().ferry("diff move");
    expect((await stage().ferry("runs move show 1999")).stdout).toMatch(
      /no kept run of move is called 1999[\s\S]*`ferry runs move`/,
    );
    expect((await stage().ferry("runs move show 2")).stdout).toContain(
      "2 kept runs of move begin or end with 2",
    );
    expect(await stage().json("runs move lst")).toMatchObject({ exitCode: 64 });
  });
});

test("a run that did not make all its changes says how many it made", async () => {
  stage().emulator.faults.add({
    match: { tenant: "prod", method: "POST", path: "/api/data-quality" },
    effect: { type: "status", code: 400 },
  });
  const result = await stage().json("sync move --yes");
  const made = result.changes.filter(({ outcome }) => outcome === "done").length;
  expect(made).toBeGreaterThan(0);
  expect(result.changes.length).toBeGreaterThan(made);
  expect((await stage().ferry("runs move")).stdout.replaceAll(/\s+/g, " ")).toMatch(
    new RegExp(`: [a-z -]+, ${made} made of 5 create`),
  );
});

test("one that is interrupted after it has finished what an earlier one began is one run, and was not killed", async () => {
  stage().plan({ limits: { concurrency: 1 } });
  const cut = async (route: string): Promise<string | undefined> => {
    const stop = new AbortController();
    const off = stage().emulator.on(({ phase, entry }) => {
      if (phase === "after-commit" && entry.route === route) stop.abort();
    });
    const { exitCode, run } = await stage().json("apply move --yes", { stop });
    off();
    expect(exitCode).toBe(5);
    return run;
  };
  const told = [
    await cut("POST /api/data-quality/v1/dq-dashboards"),
    await cut("POST /api/data-quality/v1/dq-dashboards/:urn/publish"),
  ];
  expect(stage().prod.dashboards.size).toBe(1);
  const kept = runsIn(await stage().json("runs move"));
  expect(kept.map(({ run }) => run)).toEqual(told);
  for (const { ending, command } of kept)
    expect({ ending, command }).toEqual({ ending: undefined, command: "ferry apply move --yes --json" });
  // Also once the next one has put their journal away.
  const last = await stage().json("apply move --yes");
  expect(last.exitCode).toBe(0);
  expect(runsIn(await stage().json("runs move")).map(({ run }) => run)).toEqual([...told, last.run]);
});

test("a run of which everything was refused says so, and why, once", async () => {
  for (const path of ["/api/catalog/v1/terms", "/api/data-quality"])
    stage().emulator.faults.add({
      match: { tenant: "prod", method: "POST", path },
      effect: { type: "status", code: 400 },
    });
  const { headline = "", exitCode, summary } = await stage().json("sync move --yes");
  expect({ exitCode, create: summary["create"] }).toEqual({ exitCode: 4, create: 5 });
  expect(headline).toMatch(/^Nothing was done\. Some objects need a person\. Not part of it: \d failed/);
  expect(headline).not.toMatch(/Nothing to do|Verified/);
  const { stdout } = await stage().ferry("sync move --yes");
  expect(stdout.replaceAll(/\s+/g, " ")).toMatch(/refused \(400\): The gateway gave this answer/);
});

test("a run that is at work is told as such, whoever asks meanwhile, and can begin though it is asked after", async () => {
  const told: Awaited<ReturnType<ReturnType<typeof stage>["json"]>>[] = [];
  let listed: readonly RunOnRecord[] = [];
  let isAsked = false;
  await stage().ferry("sync move --yes", {
    hooks: {
      reached: async (point) => {
        if (point !== "send:after" || isAsked) return;
        isAsked = true;
        told.push(await stage().json("status move"));
        listed = runsIn(await stage().json("runs move"));
        told.push(await stage().json("diff move"));
        told.push(await stage().json("verify move"));
      },
    },
  });
  expect(told[0]).toMatchObject({
    exitCode: 8,
    headline: expect.stringMatching(
      /^The sync of \S+ is at work at the target: the run \S+ of the plan "move" of .+\(process \d+\), since \S+\. As it stands: \d/,
    ),
    next: ["ferry status move"],
    details: {
      isLocked: true,
      interrupted: [],
      inDoubt: expect.arrayContaining([expect.stringMatching(/: it is on its way$/)]),
    },
  });
  expect(told[1]).toMatchObject({
    exitCode: 0,
    headline: expect.stringMatching(/A run is at work at the target: wait for it\.$/),
    diagnostics: expect.arrayContaining([
      expect.objectContaining({
        code: "run-at-work",
        summary: expect.stringMatching(
          /^The sync of \S+ is at work at the target: the run \S+ of the plan "move" of .+; \d+ operations? of it (is|are) on the way/,
        ),
      }),
    ]),
    next: ["ferry status move", "ferry diff move"],
  });
  expect(told[2]).toMatchObject({
    exitCode: 7,
    headline: expect.stringMatching(/A run is at work at the target: wait for it\.$/),
    diagnostics: expect.arrayContaining([
      expect.objectContaining({
        code: "run-at-work",
        suggestion: expect.stringMatching(/ then run: ferry verify move$/),
      }),
    ]),
    next: ["ferry status move", "ferry verify move"],
  });
  for (const result of told.slice(1))
    expect(JSON.stringify(result)).not.toMatch(/earlier r(un|equest)|ferry apply|ferry resolve/);
  expect(listed).toMatchObject([
    { ending: "at-work", headline: expect.stringMatching(/^It is at work:.* [1-9]\d* on the way\.$/) },
  ]);
  expect(listed[0]?.summary).not.toHaveProperty("inDoubt");
  const after = await stage().json("status move");
  expect(after).toMatchObject({ exitCode: 0, details: { isLocked: false } });
});

test("a diff says of what a run has on its way that it is, and leaves nobody to settle it", async () => {
  let told: Awaited<ReturnType<ReturnType<typeof stage>["json"]>> | undefined;
  const off = stage().emulator.on(async ({ phase, entry }) => {
    if (phase !== "before-commit" || entry.route !== "POST /api/catalog/v1/terms/bulk") return;
    off();
    told = await stage().json("diff move");
  });
  await stage().ferry("sync move --yes");
  const waiting = told?.changes.filter(({ kind }) => kind === "terms");
  expect(waiting).toMatchObject([
    { action: "blocked", diagnostics: [{ code: "on-its-way" }] },
    { action: "blocked", diagnostics: [{ code: "on-its-way" }] },
  ]);
  expect(JSON.stringify(told)).not.toMatch(/earlier r(un|equest)|ferry apply|ferry resolve/);
});

describe("a run that was killed", () => {
  /** What a killed process leaves: its journal up to some moment, the note beside its lock, and no report. */
  const killedAfter = async (
    outcomes: number,
    narrowed: readonly string[] = [],
    at = "send:after",
  ): Promise<void> => {
    let seen = 0;
    const note = "mappings/dev--prod/lock.holder";
    let left = "";
    await stage().ferry(["sync", "move", "--yes", ...narrowed], {
      hooks: {
        reached: (point) => {
          if (point !== at || (seen += 1) <= outcomes) return;
          left = stage().read(note);
          throw new Error("killed");
        },
      },
    });
    for (const name of readdirSync(stage().path("plans/move/runs")))
      rmSync(stage().path("plans/move/runs", name), { recursive: true, force: true });
    stage().write(note, left);
  };

  test("is listed with what the journal knows, by runs and by the status", async () => {
    await killedAfter(1);
    const [run] = runsIn(await stage().json("runs move"));
    expect(run).toMatchObject({
      command: "ferry sync move",
      ending: "killed",
      by: { user: expect.any(String), host: expect.any(String) },
      summary: { create: expect.any(Number), inDoubt: expect.any(Number) },
    });
    for (const words of ["runs move", "status move"])
      expect((await stage().ferry(words)).stdout).toMatch(
        /ferry sync move by \S+: killed, \d create, \d in doubt/,
      );
    const shown = await stage().ferry("runs move show");
    expect({ code: shown.code, told: shown.stdout.replaceAll(/\s+/g, " ") }).toMatchObject({
      code: 0,
      told: expect.stringMatching(/The journal knows of \d objects? done and \d in doubt\./),
    });
    const opened = await stage().ferry("runs move open");
    expect(opened.code).toBe(64);
    expect(opened.stdout).toContain("has no report");
  });

  test("counts what it made once, also where references that lead in a circle followed", async () => {
    for (const tenant of [stage().dev, stage().prod]) {
      seedMetadataType(tenant, { name: "report" });
      seedMetadataProperty(tenant, "report", { name: "name" });
      seedMetadataProperty(tenant, "report", {
        name: "after",
        type: "ARRAY_REFERENCE",
        entityName: "report",
      });
    }
    const { dev } = stage();
    const made = ["Month", "Quarter"].map((name) =>
      seedEntity(dev, { concreteType: "report", parentProperty: "reports", properties: { name } }),
    );
    const after = made.map(({ urn }) => urn);
    for (const row of made) dev.entities.put({ ...row, properties: { ...row.properties, after } });
    stage().plan({ select: { kinds: ["entities"], entityTypes: ["report"] } });
    await killedAfter(1, [], "outcome:after");
    expect(
      stage()
        .writes()
        .map(({ path }) => path.split("/").at(-1)),
    ).toEqual(["create", "patch"]);
    expect(runsIn(await stage().json("runs move"))).toMatchObject([
      { ending: "killed", summary: { create: 2 } },
    ]);
    expect((await stage().ferry("status move")).stdout).toMatch(
      /ferry sync move by \S+: killed, 2 create \(/,
    );
  });

  test("is gone on with as it was narrowed, whoever says what comes next", async () => {
    await killedAfter(1, ["--kinds", "terms,rules", "--include", "terms:*"]);
    const again = "ferry sync move --kinds terms,rules --include 'terms:*'";
    expect((await stage().json("status move")).next).toEqual([again]);
    expect((await stage().json("resolve move")).next?.[0]).toBe(again);
  });

  test("stays listed, as killed, when the next run has finished its work", async () => {
    await killedAfter(1);
    const [open] = runsIn(await stage().json("runs move"));
    expect((await stage().ferry("sync move --yes")).code).toBe(0);
    const [killed, next, ...others] = runsIn(await stage().json("runs move"));
    expect(others).toEqual([]);
    expect(killed).toMatchObject({ run: open?.run, ending: "killed", summary: open?.summary, by: open?.by });
    expect(next).toMatchObject({ exitCode: 0, command: "ferry sync move --yes" });
    expect(next?.ending).toBeUndefined();
    expect((await stage().ferry("runs move")).stdout).toContain(": killed, ");
  });

  test("one that told how it ended is not listed a second time", async () => {
    const stop = stage().emulator.faults.add({
      match: { tenant: "prod", method: "POST", path: "/api/data-quality" },
      effect: { type: "drop-after-commit" },
    });
    await stage().ferry("sync move --yes");
    stop();
    const runs = runsIn(await stage().json("runs move"));
    expect(runs).toHaveLength(1);
    expect(runs[0]?.ending).toBeUndefined();
  });
});

test("what reads files alone needs no secrets", async () => {
  await stage().ferry("sync move --yes");
  const env = { DEV_CLIENT_ID: undefined, DEV_CLIENT_SECRET: undefined, PROD_CLIENT_SECRET: undefined };
  for (const words of [
    "status move",
    "runs move",
    "runs move show",
    "mappings move list",
    "mappings move export a.json",
  ])
    expect({ words, code: (await stage().ferry(words, { env })).code }).toEqual({ words, code: 0 });
  const [row] = [...stage().prod.terms.values()];
  expect((await stage().ferry(`mappings move show ${row?.urn ?? ""}`, { env })).code).toBe(0);
  const { code, stdout } = await stage().ferry("diff move", { env });
  expect(code).toBe(64);
  expect(stdout).toContain(
    "these environment variables are not set: DEV_CLIENT_ID (line 6), DEV_CLIENT_SECRET (line",
  );
});

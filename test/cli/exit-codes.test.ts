import { describe, expect, test } from "vitest";
import { seedDashboard, seedTerm } from "../../src/emulator/seed.ts";
import { acquireLock } from "../../src/store/files/index.ts";
import { furnish } from "./support/little.ts";
import { useStage } from "./support/stage.ts";
import { allOr, inWhole } from "../support/whole.ts";

/** Every exit code of the table, reached for real; `json` checks that the document says the same. */
const stage = useStage();

const bulk = "POST /api/catalog/v1/terms/bulk";

test("0: done, and nothing to do", async () => {
  furnish(stage().dev);
  stage().plan();
  expect(await stage().json("sync move --yes")).toMatchObject({ exitCode: 0, summary: { create: 5 } });
  expect(await stage().json("sync move --yes")).toMatchObject({ exitCode: 0, summary: { create: 0 } });
  expect(await stage().json("verify move")).toMatchObject({ exitCode: 0 });
  expect(await stage().json("diff move --detailed-exitcode")).toMatchObject({ exitCode: 0 });
  expect(await stage().json("resolve move")).toMatchObject({
    exitCode: 0,
    headline: "Nothing is in doubt.",
    next: ["ferry diff move"],
  });
});

describe("1: failed", () => {
  test.each(allOr(["doctor", "diff", "apply --yes"], (command) => command === "diff"))(
    "%s: a host that does not exist, told within seconds",
    async (command) => {
      stage().plan({ source: { baseUrl: "http://no-such-host.invalid", authUrl: "http://no..host" } });
      const [verb = "", ...flags] = command.split(" ");
      const started = performance.now();
      const { exitCode, diagnostics, requests } = await stage().json([verb, "move", ...flags]);
      expect(exitCode).toBe(1);
      expect(performance.now() - started).toBeLessThan(8_000);
      expect(
        diagnostics.some(({ severity, summary }) => severity === "error" && summary.includes("dev")),
      ).toBe(true);
      expect(requests.target.writes).toBe(0);
    },
  );

  test("an answer of the service that is no answer", async () => {
    furnish(stage().dev);
    stage().plan();
    stage().emulator.faults.add({
      match: { tenant: "dev", route: "GET /api/data-quality/v1/rules" },
      effect: { type: "status", code: 501 },
    });
    const { exitCode, changes } = await stage().json("apply move --yes");
    expect(exitCode).toBe(1);
    expect(changes).toEqual([]);
    expect(stage().writes()).toEqual([]);
    // Who asks later is told why as well.
    const kept = { runs: [{ headline: expect.stringMatching(/^It could not go on: .*\(501\)/) }] };
    expect(await stage().json("runs move")).toMatchObject({ details: kept });
  });

  test("a person who does not confirm", async () => {
    furnish(stage().dev);
    stage().plan();
    const { code } = await stage().ferry("apply move", { terminal: true, answers: ["no"] });
    expect(code).toBe(1);
    expect(stage().writes()).toEqual([]);
  });
});

test.each(["", " prod ", "two\nlines"])(
  "64: a plan with %j as the word to type: the Enter key alone would do, or nothing would",
  async (word) => {
    furnish(stage().dev);
    stage().plan({ target: { confirm: word } });
    const { code, stdout } = await stage().ferry("apply move", { terminal: true, answers: [word] });
    expect(code).toBe(64);
    expect(stdout).toContain('"target.confirm": write a word that can be typed');
    expect(stage().writes()).toEqual([]);
  },
);

test("2: there are changes, and --detailed-exitcode asks for it", async () => {
  furnish(stage().dev);
  stage().plan();
  expect(await stage().json("diff move")).toMatchObject({ exitCode: 0, summary: { create: 5 } });
  expect(await stage().json("diff move --detailed-exitcode")).toMatchObject({ exitCode: 2 });
  expect(await stage().json("sync move --dry-run")).toMatchObject({ exitCode: 0 });
  expect(await stage().json("sync move --dry-run --detailed-exitcode")).toMatchObject({ exitCode: 2 });
});

describe("3: sign-in or permission", () => {
  test.each(["doctor", "export", "diff", "verify", "sync --yes", "apply --yes"])(
    "%s: a wrong secret",
    async (command) => {
      furnish(stage().dev);
      stage().plan();
      const [verb = "", ...flags] = command.split(" ");
      const { exitCode, diagnostics } = await stage().json([verb, "move", ...flags], {
        env: { DEV_CLIENT_SECRET: "another" },
      });
      expect(exitCode).toBe(3);
      expect(diagnostics[0]?.summary).toContain("dev");
      expect(stage().writes()).toEqual([]);
    },
  );

  test("a source that may not be read", async () => {
    furnish(stage().dev);
    stage().plan();
    stage().dev.restrict("data-quality", { read: false });
    for (const command of ["doctor move", "export move", "diff move", "sync move --yes"]) {
      expect(await stage().json(command)).toMatchObject({ exitCode: 3 });
    }
    expect(stage().writes()).toEqual([]);
  });

  test("a target that may not be written", async () => {
    furnish(stage().dev);
    stage().plan();
    stage().prod.restrict("data-quality", { write: false });
    expect(await stage().json("diff move")).toMatchObject({ exitCode: 0 });
    const { exitCode, diagnostics } = await stage().json("apply move --yes");
    expect(exitCode).toBe(3);
    expect(JSON.stringify(diagnostics)).not.toContain("defect");
    const { headline, next } = await stage().json("status move");
    expect(headline).toMatch(/It said: Stopped after \d+ changes?: .* no permission for this \(403\)/);
    expect(headline).not.toContain("interrupted");
    expect(next).toEqual(["ferry doctor move", "ferry apply move"]);
    stage().prod.restrict("data-quality", { write: true });
    expect(await stage().json("apply move --yes")).toMatchObject({ exitCode: 0 });
    expect(stage().prod.counts()).toMatchObject({ terms: 2, rules: 1, dashboards: 1 });
  });
});

test("4: done in part", async () => {
  furnish(stage().dev);
  stage().plan();
  // The same name with other content at the target: nothing is adopted by surprise.
  seedTerm(stage().prod, { name: "Customer", description: "Somebody else." });
  const { exitCode, summary, changes } = await stage().json("apply move --yes");
  expect(exitCode).toBe(4);
  expect(summary).toMatchObject({ create: 4, blocked: 1 });
  expect(changes.find(({ action }) => action === "blocked")?.diagnostics[0]?.suggestion).toBeDefined();
});

describe("5: interrupted", () => {
  test.each(["export", "diff", "verify", "doctor", "sync --yes", "apply --yes"])(
    "%s, before it began",
    async (command) => {
      furnish(stage().dev);
      stage().plan();
      const stop = new AbortController();
      stop.abort();
      const [verb = "", ...flags] = command.split(" ");
      expect(await stage().json([verb, "move", ...flags], { stop })).toMatchObject({ exitCode: 5 });
      expect(stage().writes()).toEqual([]);
    },
  );

  test("in the middle of an apply: it goes on with the next one, and nothing is there twice", async () => {
    furnish(stage().dev);
    stage().plan();
    const stop = new AbortController();
    stage().emulator.on(({ phase, entry }) => {
      if (phase === "after-commit" && entry.route === bulk) stop.abort();
    });
    const { exitCode, headline, next } = await stage().json("apply move --yes", { stop });
    expect(exitCode).toBe(5);
    expect(headline).toMatch(/nothing is lost/);
    expect(next).toContain("ferry apply move");
    expect(stage().prod.counts()).toMatchObject({ terms: 2, monitors: 40 });
    const status = await stage().json("status move");
    expect(status).toMatchObject({
      exitCode: 5,
      details: { mapped: { terms: 2 }, inDoubt: [], interrupted: [{ command: "apply" }] },
      next: ["ferry apply move"],
    });
    expect(status.headline).toMatch(/^The apply of .* did not come to its end: 0 operations in doubt/);
    const second = await stage().json("apply move --yes");
    expect(second.exitCode).toBe(0);
    expect(await stage().json("status move")).toMatchObject({ exitCode: 0, next: ["ferry diff move"] });
    // What was in flight with the terms may have finished as well.
    expect(second.summary.unchanged).toBeGreaterThanOrEqual(42);
    expect(stage().prod.counts()).toMatchObject({ terms: 2, rules: 1, monitors: 41, dashboards: 1 });
  });

  inWhole(
    "what is created and not published is told to be begun, with its URN and the step that is left",
    async () => {
      const { monitor } = furnish(stage().dev);
      seedDashboard(stage().dev, { name: "Second board", dqMonitorUrns: [monitor] });
      stage().plan({ limits: { concurrency: 1 } });
      const stop = new AbortController();
      const route = "POST /api/data-quality/v1/dq-dashboards";
      stage().emulator.on(({ phase, entry }) => {
        if (phase === "after-commit" && entry.route === route) stop.abort();
      });
      const cut = await stage().json("sync move --yes", { stop });
      const [made, ...others] = stage().prod.dashboards.values();
      expect(others).toEqual([]);
      const urn = made?.urn ?? "";
      expect(cut).toMatchObject({
        exitCode: 5,
        headline: "Interrupted after 4 changes, and 1 more begun; nothing is lost. Run again to continue.",
      });
      expect(cut.changes.filter(({ kind }) => kind === "dashboards")).toMatchObject([
        {
          outcome: "begun",
          left: "publish",
          target: { urn, name: made?.draft?.["name"] },
          diagnostics: [{ code: "begun", summary: expect.stringContaining(urn) }],
        },
        { outcome: "not-started" },
      ]);
      for (const format of ["text", "markdown", "html"]) {
        const { stdout } = await stage().ferry(`runs move show --format ${format}`);
        expect(stdout).toContain("begun, publish is left");
        expect(stdout).toContain(urn);
      }
      expect(await stage().json("sync move --yes")).toMatchObject({ exitCode: 0, summary: { create: 1 } });
      expect(stage().prod.dashboards.size).toBe(2);
    },
  );

  inWhole("a run that comes to its end with nothing to write ends the interrupted one too", async () => {
    furnish(stage().dev);
    stage().plan();
    const stop = new AbortController();
    stage().emulator.on(({ phase, entry }) => {
      if (phase === "after-commit" && entry.route === bulk) stop.abort();
    });
    // The run itself and whoever asks later say the same.
    const next = ["ferry sync move"];
    expect(await stage().json("sync move --yes", { stop })).toMatchObject({ exitCode: 5, next });
    expect(await stage().json("status move")).toMatchObject({ exitCode: 5, next });
    expect(await stage().json("sync move --yes --kinds terms")).toMatchObject({
      exitCode: 0,
      summary: { create: 0 },
    });
    expect(await stage().json("status move")).toMatchObject({ exitCode: 0, details: { interrupted: [] } });
  });

  inWhole("while it waits for an answer that may still come", async () => {
    furnish(stage().dev);
    stage().plan({ limits: { quietPeriod: "1h" } });
    stage().emulator.faults.add({
      match: { route: bulk },
      when: { times: 1 },
      effect: { type: "drop-before-commit" },
    });
    for (const words of ["apply move --yes", "sync move --yes"]) {
      const stop = new AbortController();
      const listings = stage().emulator.log.count({ tenant: "prod", route: "GET /api/catalog/v1/terms" });
      stage().emulator.on(({ phase, entry }) => {
        // The first listing is the diff's, the second one settles; then the quiet period begins.
        const seen =
          stage().emulator.log.count({ tenant: "prod", route: "GET /api/catalog/v1/terms" }) - listings;
        if (phase === "answered" && entry.tenant === "prod" && seen >= 2) setTimeout(() => stop.abort(), 100);
      });
      const { exitCode, diagnostics } = await stage().json(words, { stop });
      expect(exitCode).toBe(5);
      expect(JSON.stringify(diagnostics)).not.toContain("unexpected");
    }
  });

  test("at the question: leaving it with an interrupt is no defect", async () => {
    furnish(stage().dev);
    stage().plan();
    const stop = new AbortController();
    const { code, stdout } = await stage().ferry("apply move --json", { terminal: true, stop, leave: true });
    expect(code).toBe(5);
    expect(stdout).not.toContain("unexpected");
    expect(stage().writes()).toEqual([]);
  });
});

test("7: verify finds differences", async () => {
  furnish(stage().dev);
  stage().plan();
  expect(await stage().json("verify move")).toMatchObject({ exitCode: 7, summary: { create: 5 } });
});

test("8: another run holds the lock, and the message says who", async () => {
  furnish(stage().dev);
  stage().plan();
  const note = {
    owner: "ada",
    host: "runner-7",
    pid: 4711,
    run: "2026-01-01T00-00-00Z-abcdef",
    since: "2026-01-01T00:00:00Z",
  };
  const held = acquireLock(stage().path("mappings", "dev--prod", "lock"), note);
  if (!held.ok) throw new Error("the lock is not free");
  for (const command of [
    "apply move --yes",
    "sync move --yes",
    "resolve move",
    "rollback move --yes",
    "mappings move remove urn:a",
  ]) {
    const { exitCode, diagnostics } = await stage().json(command);
    expect(exitCode).toBe(8);
    expect(diagnostics[0]?.summary).toMatch(/ada on runner-7 \(process 4711\)/);
  }
  expect(stage().emulator.log.entries).toEqual([]);
  // Looking needs no lock.
  expect(await stage().json("diff move")).toMatchObject({ exitCode: 0 });
  expect(await stage().json("status move")).toMatchObject({ exitCode: 0 });
  held.lock.release();
  expect(await stage().json("apply move --yes")).toMatchObject({ exitCode: 0 });
});

test("64: usage or plan", async () => {
  stage().plan({ polcy: {} });
  expect(await stage().json("sync move --yes")).toMatchObject({ exitCode: 64 });
});

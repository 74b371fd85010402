import { mkdirSync, rmSync } from "node:fs";
import { beforeEach, describe, expect, test } from "vitest";
import { furnish } from "./support/little.ts";
import { useStage } from "./support/stage.ts";
import { visible } from "./support/visible.ts";

/** stdout is the result; log lines and progress go to stderr. */
const stage = useStage();
// oxlint-disable-next-line no-control-regex -- finding them is the purpose
const escape = /\u001b/;

beforeEach(() => {
  furnish(stage().dev);
  stage().plan();
});

const commands = ["doctor move", "export move", "diff move", "sync move --yes", "verify move", "status move"];

const stages: Readonly<Record<string, readonly string[]>> = {
  "doctor move": [],
  "export move": ["export dev"],
  "diff move": ["export dev", "read target prod", "diff"],
  "verify move": ["export dev", "read target prod", "diff"],
  "status move": [],
};

test.each([...commands, "diff move --json"])("ferry %s: the result on stdout, no colours", async (words) => {
  const { stdout, stderr } = await stage().ferry(words);
  if (words.endsWith("--json")) expect(() => JSON.parse(stdout) as unknown).not.toThrow();
  else expect(stdout).toMatch(new RegExp(`^ferry ${words.split(" ")[0]} move: dev -> prod`));
  expect(stdout).toMatch(/\n$/);
  expect(stdout + stderr).not.toMatch(escape);
});

test.each(Object.entries(stages))(
  "ferry %s off a terminal: a line a stage on stderr",
  async (words, lines) => {
    const { stderr } = await stage().ferry(words);
    expect(stderr.split("\n").slice(0, -1).toSorted()).toEqual([...lines].toSorted());
    expect(visible((await stage().ferry(words, { terminal: true })).stderr)).toBe("");
  },
);

test("ferry sync move --yes: every stage and the diff on stderr, what became of it on stdout", async () => {
  const { stdout, stderr } = await stage().ferry("sync move --yes");
  expect(stderr).toMatch(/^export dev\n(?:.+\n)*diff\nferry diff move: dev -> prod\n/);
  expect(stderr).toMatch(/^apply prod\nverify prod\n/m);
  expect(stderr).toContain("Email is filled");
  // What was done is named where it is few, and told in full on stderr alone.
  expect(stdout).toMatch(
    /^Done \(5\)\n {2}create {2}terms "Customer", "Order", rules "Email is filled", monitors "Customers", dashboards\s+"Board"$/m,
  );
  expect(stdout).toMatch(/^Every change: plans.move.report\.html$/m);
});

test("a failure is a result too: on stdout, with what to do", async () => {
  const { stdout, stderr } = await stage().ferry("diff move", { env: { DEV_CLIENT_SECRET: "wrong" } });
  expect(stdout).toContain("ferry diff move");
  expect(stdout).toContain("ferry doctor");
  expect(stdout).not.toMatch(escape);
  expect(stderr).not.toContain("ferry");
});

describe("colours", () => {
  const person = { terminal: true, answers: ["no"] };

  test("are there for a person", async () => {
    const { stdout, stderr } = await stage().ferry("apply move", person);
    expect(stdout).toMatch(escape);
    expect(stderr).toMatch(escape);
  });

  test.each([
    ["--no-color", {}],
    ["", { NO_COLOR: "1" }],
  ])("are away with %s %o, on stderr as well", async (flag, env) => {
    const { stdout, stderr } = await stage().ferry(`apply move ${flag}`.trim(), { ...person, env });
    expect(stderr).toContain("5 create");
    expect(stdout).not.toMatch(escape);
    expect(visible(stderr)).not.toMatch(escape);
    const rolled = await stage().ferry(`sync move --yes ${flag}`.trim(), { terminal: true, env });
    expect(rolled.stdout).not.toMatch(escape);
    const back = await stage().ferry(`rollback move --allow-delete ${flag}`.trim(), { ...person, env });
    expect(back.stderr).toContain("4 delete");
    expect(visible(back.stderr)).not.toMatch(escape);
  });

  test("a terminal that is dumb is asked on and gets no control characters: a line a stage, as a log", async () => {
    const { stdout, stderr } = await stage().ferry("apply move", { ...person, env: { TERM: "dumb" } });
    expect(stderr).toContain("5 create");
    expect(stderr).toMatch(/^export dev$/m);
    expect(`${stdout}${stderr}`).not.toContain("\u001b");
  });

  test("an empty NO_COLOR is none", async () => {
    expect((await stage().ferry("diff move", { terminal: true, env: { NO_COLOR: "" } })).stdout).toMatch(
      escape,
    );
  });

  test.each(["json", "markdown", "html"])("are never in --format %s", async (format) => {
    const { stdout } = await stage().ferry(`status move --format ${format}`, { terminal: true });
    expect(stdout).not.toMatch(escape);
  });
});

describe("how much is told", () => {
  test("-v tells the stages, -vv every request; stdout does not change for it", async () => {
    const verbose = await stage().ferry("diff move -v");
    expect(verbose.stderr).toMatch(/^verbose: export dev$/m);
    expect(verbose.stderr).not.toContain("/api/");
    const debug = await stage().ferry("diff move -vv --json");
    expect(debug.stderr).toMatch(/source GET \/api\/data-quality\/v1\/rules 200/);
    expect(() => JSON.parse(debug.stdout) as unknown).not.toThrow();
  });

  test("doctor -vv of what is well: sentences and requests, nothing like a trace", async () => {
    const { code, stderr } = await stage().ferry("doctor move -vv");
    expect(code).toBe(0);
    for (const line of stderr.trim().split("\n")) {
      expect(line).toMatch(
        /^debug: (source|target)(: signed in, for \d+ s|: from now on at most \d+ requests at once| (GET|POST) \/api\/\S+ 200 \d+ ms)$/,
      );
    }
  });

  test("--log-format json: every line on stderr is a document of its own", async () => {
    const { stderr } = await stage().ferry("diff move -vv --log-format json");
    const lines = stderr
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(lines.length).toBeGreaterThan(20);
    for (const line of lines) {
      expect(line).toMatchObject({
        level: expect.any(String),
        message: expect.any(String),
        timestamp: expect.any(String),
      });
    }
  });

  test("a stack trace is shown with -vv only", async () => {
    const wrong = { env: { DEV_CLIENT_SECRET: "wrong" } };
    const trace = /\n\s+at .+:\d+:\d+/;
    for (const flags of ["", " -v", " --json"]) {
      const { stdout, stderr } = await stage().ferry(`diff move${flags}`, wrong);
      expect(stdout + stderr).not.toMatch(trace);
    }
    const { stdout, stderr } = await stage().ferry("diff move -vv", wrong);
    expect(stdout).not.toMatch(trace);
    expect(stderr).toMatch(trace);
  });

  test("a failed item is told while the run goes on", async () => {
    stage().emulator.faults.add({
      match: { route: "POST /api/catalog/v1/terms/bulk" },
      effect: { type: "status", code: 422 },
    });
    const { code, stderr } = await stage().ferry("apply move --yes");
    expect(code).toBe(4);
    expect(stderr).toMatch(/^warn: terms "Customer" create failed/m);
  });
});

test("a longer wait before another attempt is told, so that nobody has to wonder", async () => {
  stage().emulator.faults.add({
    match: { tenant: "dev", route: "GET /api/data-quality/v1/rules" },
    when: { times: 1 },
    effect: { type: "status", code: 503, retryAfter: 1 },
  });
  const { code, stderr } = await stage().ferry("export move");
  expect(code).toBe(0);
  expect(stderr).toMatch(
    /^warn: dev: GET \/rules answered 503; trying again in [12] s \(attempt 2, for at most 2 minutes\)$/m,
  );
});

describe("--format", () => {
  test("html on a terminal says where the report is in place of printing it", async () => {
    const { stdout } = await stage().ferry("diff move --format html", { terminal: true });
    expect(stdout).toMatch(/^The report is in .*report\.html\n$/);
  });

  test("html on a terminal is told as text where no page of it was written: the one that is there is an earlier run's", async () => {
    await stage().ferry("diff move");
    const before = stage().read("plans/move/report.html");
    const env = { DEV_CLIENT_SECRET: "another" };
    const failed = await stage().ferry("diff move --format html", { terminal: true, env });
    expect(stage().read("plans/move/report.html")).toBe(before);
    expect(failed.code).toBe(3);
    expect(failed.stdout).not.toContain("The report is in");
    expect(failed.stdout).toContain("invalid_client");

    rmSync(stage().path("plans/move/report.html"));
    mkdirSync(stage().path("plans/move/report.html"));
    const { stdout, stderr } = await stage().ferry("diff move --format html", { terminal: true });
    expect(stderr).toContain("the reports cannot be written");
    expect(stdout).not.toContain("The report is in");
    expect(stdout).toContain("ferry diff move: dev -> prod");
  });

  test("json is the same document as --json", async () => {
    const one = JSON.parse((await stage().ferry("status move --format json")).stdout) as object;
    const other = JSON.parse((await stage().ferry("status move --json")).stdout) as object;
    expect({ ...one, durationMs: 0 }).toEqual({ ...other, durationMs: 0 });
  });

  test("--json wins over --format", async () => {
    await stage().json("status move --format markdown");
  });
});

test("a person whose output goes to a file is told on the terminal why there is none", async () => {
  const { stdout, stderr } = await stage().ferry("diff nosuch --format html", {
    terminal: true,
    redirected: true,
  });
  expect(stdout).toContain("<html");
  expect(stderr).toMatch(/^ferry: .*nosuch.*\n$/);
  expect((await stage().ferry("diff nosuch", { terminal: true })).stderr).not.toContain("ferry: ");
});

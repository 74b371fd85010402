import { mkdirSync, readdirSync, renameSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { furnish, seedFilledRule } from "./support/little.ts";
import { useStage } from "./support/stage.ts";
import { nextSteps, withAdvice } from "../../src/cli/next-steps.ts";
import { adviceFor } from "../../src/report/states.ts";

/** What a run says comes next works as it is: it says again where things are, and is no wider than what was looked at. */
const stage = useStage();

const nextOf = async (words: readonly string[], env = {}): Promise<readonly string[]> =>
  (await stage().json(words, { env })).next ?? [];

test("with the env file that this one needed", async () => {
  furnish(stage().dev);
  stage().plan();
  const lines = Object.entries(stage().env).map(([name, value]) => `${name}=\`${value}\``);
  stage().write("secrets of prod.env", lines.join("\n"));
  const env = Object.fromEntries(Object.keys(stage().env).map((name) => [name, undefined]));
  const [next] = await nextOf(["diff", "move", "--env-file", "secrets of prod.env"], env);
  expect(next).toBe("ferry apply move --env-file 'secrets of prod.env'");
  expect(await nextOf(["diff", "move"])).toEqual(["ferry apply move"]);
});

test("with the path of a plan that lies elsewhere, and of its folders", async () => {
  furnish(stage().dev);
  stage().plan();
  stage().write("elsewhere/moved.yaml", stage().read("plans/move.yaml"));
  const at = ["--work-dir", "elsewhere/work", "--mappings-dir", "elsewhere/mappings"];
  expect(await nextOf(["diff", "elsewhere/moved.yaml", ...at])).toEqual([
    `ferry apply elsewhere/moved.yaml ${at.join(" ")}`,
  ]);
  // By its path or by its name: in plans/ the name does.
  expect(await nextOf(["diff", "plans/move.yaml"])).toEqual(["ferry apply move"]);
});

test("narrowed as this one was, where the next one moves what the plan selects", async () => {
  furnish(stage().dev);
  stage().plan();
  const narrow = ["--kinds", "terms,rules", "--include", "terms:Cust*", "--exclude", "Order"];
  expect(await nextOf(["diff", "move", ...narrow])).toEqual([
    "ferry apply move --kinds terms,rules --include 'terms:Cust*' --exclude Order",
  ]);
  expect(await nextOf(["status", "move", "--kinds", "terms"])).toEqual(["ferry diff move"]);
});

test("an explanation stays behind its command", async () => {
  stage().plan({ pairing: { sources: { "Snowflake DEV": "Snowflake PRD" } } });
  const steps = await nextOf(["doctor", "move", "--mappings-dir", "elsewhere"]);
  for (const step of steps.filter((one) => one.startsWith("ferry ")))
    expect(step).toMatch(/^ferry \w+ move( --write)? --mappings-dir elsewhere( {2,}\(.*)?$/);
  expect(steps.some((step) => step.startsWith("ferry "))).toBe(true);
});

test("so does what is advised for one object, in the middle of a sentence", () => {
  const flags = { workDir: "w", mappingsDir: "mappings", envFile: "/dev/fd/63", verbose: 0 } as never;
  const said = {
    plan: "my plans/p.yaml",
    name: "p",
    path: "/x/my plans/p.yaml",
    cwd: "/x",
    command: "diff",
    flags,
  };
  const found = (suggestion: string) =>
    ({ severity: "warning", code: "conflict", summary: "s", suggestion }) as const;
  const change = { diagnostics: [found("Decide: `ferry decide p urn:a`, or `ferry diff pp`.")] } as never;
  const told = withAdvice({ changes: [change], diagnostics: [found("Then: ferry apply p.")] }, said);
  expect(told).toEqual({
    changes: [
      {
        diagnostics: [
          found("Decide: `ferry decide 'my plans/p.yaml' --work-dir w urn:a`, or `ferry diff pp`."),
        ],
      },
    ],
    diagnostics: [found("Then: ferry apply 'my plans/p.yaml' --work-dir w.")],
  });
});

test("and what is advised once for all that one thing blocks, there and among what comes next", async () => {
  for (const name of ["Filled", "Short", "Long"]) seedFilledRule(stage().dev, name);
  stage().plan({ select: { kinds: ["rules"] } });
  stage().write("my plans/moved.yaml", stage().read("plans/move.yaml"));
  const at = ["--work-dir", "w d", "--mappings-dir", "m d"];
  const [source = ""] = [...stage().dev.dimensions.values()].map(({ urn }) => urn);
  const gone = source.replace(":dev:", ":prod:").replace(/[^-]+$/, "000000000000");
  await stage().ferry(["mappings", "my plans/moved.yaml", "set", source, gone, "--force", ...at]);
  const { stdout } = await stage().ferry(["diff", "my plans/moved.yaml", ...at]);
  const plan = "'my plans/moved.yaml' --work-dir 'w d' --mappings-dir 'm d'";
  const [group = "", steps = ""] = stdout.split("\nNext:\n");
  expect(group).toContain(`\`ferry mappings ${plan} remove ${source}\``);
  expect(steps).toContain(`\`ferry mappings ${plan} remove ${source}\``);
  expect(stdout).not.toMatch(/ferry \w+ (?:moved|PLAN)(?! ?:)/);
});

test("and what is advised of an object where nobody knows better, of what was asked and of what became of it", async () => {
  seedFilledRule(stage().dev, "Filled");
  stage().plan({ select: { kinds: ["rules"] } });
  stage().write("my plans/moved.yaml", stage().read("plans/move.yaml"));
  const refused = { method: "POST", path: "/api/data-quality/v1/rules" };
  stage().emulator.faults.add({ match: refused, effect: { type: "status", code: 400 } });
  const { stdout } = await stage().ferry(["apply", "my plans/moved.yaml", "--yes", "--work-dir", "w d"]);
  const step = "run ferry apply 'my plans/moved.yaml' --work-dir 'w d' again, with the flags of this run";
  expect(stdout.replaceAll(/\s+/g, " ")).toContain(step);
  expect(stdout).not.toMatch(/ferry \w+ (?:moved|PLAN)(?! ?:)/);
});

test("so is what is advised in what is shown before it is done", async () => {
  furnish(stage().dev);
  stage().plan({ select: { kinds: ["terms", "rules"] } });
  stage().write("my plans/moved.yaml", stage().read("plans/move.yaml"));
  const [source = ""] = [...stage().dev.dimensions.values()].map(({ urn }) => urn);
  const gone = source.replace(":dev:", ":prod:").replace(/[^-]+$/, "000000000000");
  await stage().ferry(["mappings", "my plans/moved.yaml", "set", source, gone, "--force"]);
  const { stderr } = await stage().ferry(["apply", "my plans/moved.yaml", "--yes"]);
  expect(stderr).toContain(`ferry mappings 'my plans/moved.yaml' remove ${source}`);
  expect(stderr).not.toMatch(/ferry \w+ (?:moved|PLAN)(?! ?:)/);
});

test("what is advised once for several is no advice for the first of them alone", async () => {
  for (const name of ["Filled", "Short", "Long"]) seedFilledRule(stage().dev, name);
  stage().plan({ select: { kinds: ["rules"] } });
  await stage().ferry("apply move --yes");
  for (const { urn } of stage().prod.rules.values()) stage().prod.rules.delete(urn);
  const { stdout } = await stage().ferry("diff move");
  expect(stdout.replaceAll(/\s+/g, " ")).toContain(
    "its twin was removed at the target: 3 rules manual next: To have each of them made again, set policy.missingTarget to recreate, or drop the pair: `ferry mappings move remove <source urn>`.",
  );
});

test("of a sentence that names two commands both work", () => {
  const said = { plan: "p", name: "p", path: "/x/p.yaml", cwd: "/x", command: "diff" };
  const flags = { workDir: "w", mappingsDir: "mappings" } as never;
  const steps = nextSteps(["ferry mappings p remove A, and then ferry mappings p set A B"], {
    ...said,
    flags,
  });
  expect(steps).toEqual([
    "ferry mappings p --work-dir w remove A, and then ferry mappings p --work-dir w set A B",
  ]);
});

test("what only looks, where nobody can be asked, looks at the same", async () => {
  furnish(stage().dev);
  stage().plan();
  stage().write("my plans/moved.yaml", stage().read("plans/move.yaml"));
  const words = ["my plans/moved.yaml", "--work-dir", "w d", "--kinds", "rules"];
  await stage().ferry(["apply", ...words, "--yes"]);
  // A run that is not there is not advised to be looked at.
  const runs = stage().path("w d", "moved", "runs");
  const kept = readdirSync(runs).find((file) => file.endsWith(".ndjson")) ?? "";
  renameSync(join(runs, kept), join(runs, "that one.ndjson"));
  const advised = async (command: readonly string[]): Promise<string> =>
    (await stage().ferry(command)).stdout.replaceAll(/\s+/g, " ");
  expect(await advised(["apply", ...words])).toContain(
    "run `ferry diff 'my plans/moved.yaml' --kinds rules --work-dir 'w d'` for a dry run",
  );
  expect(await advised(["rollback", ...words.slice(0, 3), "--run", "that one"])).toContain(
    "run `ferry rollback 'my plans/moved.yaml' --work-dir 'w d' --run 'that one' --dry-run` for a dry run",
  );
  expect(await advised(["sync", ...words, "--dry-run", "--parity"])).toContain(
    "ferry parity 'my plans/moved.yaml' --work-dir 'w d'",
  );
});

test("a path with a space in it is one word, whoever names it", async () => {
  stage().plan();
  const cwd = stage().path("my folder");
  mkdirSync(cwd);
  const lines = async (words: readonly string[], at = {}): Promise<string> =>
    (await stage().ferry(words, at)).stdout.replaceAll(/\s+/g, " ");
  const snapshot = stage().path("w d", "move", "snapshot");
  expect(await lines(["export", "move", "--work-dir", "w d"])).toContain(` --snapshot '${snapshot}' `);
  await lines(["diff", "move", "--work-dir", "w d", "--include", "rules:*"]);
  expect(await lines(["runs", "move", "--work-dir", "w d"])).toContain(
    "ferry diff move --work-dir 'w d' --include 'rules:*'",
  );
  expect(await lines(["init", "my plans/new.yaml"])).toContain("ferry doctor 'my plans/new.yaml'");
  expect(await lines(["diff", "none"], { cwd })).toContain(`ferry init '${cwd}/plans/none.yaml'`);
});

test("what is advised without knowing the plan names it all the same", async () => {
  stage().plan();
  const { code, stdout } = await stage().ferry("flow move start Impor --connection wh");
  expect(code).toBe(64);
  expect(stdout.replaceAll(/\s+/g, " ")).toContain("`ferry flow move list`");
  const found = (suggestion: string) =>
    ({ severity: "error", code: "row-in-doubt", summary: "s", suggestion }) as const;
  const said = { plan: "p", name: "p", path: "/x/p.yaml", cwd: "/x", command: "apply", flags: {} as never };
  const told = withAdvice(
    { changes: [], diagnostics: [found('then: ferry resolve PLAN --abandon "reference-data:A"')] },
    said,
  );
  expect(told.diagnostics).toEqual([found('then: ferry resolve p --abandon "reference-data:A"')]);
});

describe("a run that was stopped is gone on with as it was approved", () => {
  const stopped = async (words: readonly string[]): Promise<readonly string[]> => {
    const stop = new AbortController();
    stage().emulator.on(({ phase, entry }) => {
      if (phase === "after-commit" && entry.route === "POST /api/catalog/v1/terms/bulk") stop.abort();
    });
    const { exitCode, next } = await stage().json(words, { stop });
    expect(exitCode).toBe(5);
    return next ?? [];
  };

  test("with the flags that decide what is done and how it ends", async () => {
    furnish(stage().dev);
    stage().plan();
    const flags = ["--allow-delete", "--max-deletes", "7", "--fail-on", "drift,conflict"];
    expect(await stopped(["sync", "move", "--yes", ...flags])).toEqual([
      `ferry sync move ${flags.join(" ")}`,
    ]);
  });

  test("with the file of the approved diff, as a shell takes it", async () => {
    furnish(stage().dev);
    stage().plan();
    const [next] = await nextOf(["diff", "move", "--out", "so approved.json"]);
    const file = `'${stage().path("so approved.json")}'`;
    expect(next).toBe(`ferry apply move --diff ${file}`);
    const words = ["apply", "move", "--yes", "--allow-delete", "--diff", "so approved.json"];
    expect(await stopped(words)).toEqual([`ferry apply move --diff ${file} --allow-delete`]);
  });
});

test("also in what is advised of one object; of what another command does it says nothing", () => {
  const found = (suggestion: string) =>
    ({ severity: "error", code: "in-doubt", summary: "s", suggestion }) as const;
  const flags = { diff: "a b.json", allowDelete: true } as never;
  const said = { plan: "p", name: "p", path: "/x/plans/p.yaml", cwd: "/x", command: "apply", flags };
  const told = (suggestion: string) =>
    withAdvice({ changes: [], diagnostics: [found(suggestion)] }, said).diagnostics[0]?.suggestion;
  expect(told("Run again: ferry apply p")).toBe("Run again: ferry apply p --diff 'a b.json' --allow-delete");
  expect(told("Run `ferry apply p --diff F`, or `ferry sync p`.")).toBe(
    "Run `ferry apply p --allow-delete --diff F`, or `ferry sync p`.",
  );
});

test("in a report it is said that the flags belong to it", () => {
  expect(adviceFor("failed", "p", "apply")).toMatch(/ferry apply p again, with the flags of this run:/);
});

import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { CommanderError } from "@commander-js/extra-typings";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { commandLine } from "../../src/cli/program.ts";
import { Screen } from "../cli/support/screen.ts";
import { keptOfRows } from "../support/kept-of-rows.ts";

/** What people copy must be right as it stands: its YAML, its shell, and every call of the command. */
const root = join(import.meta.dirname, "../../.ci/recipes");
const files = readdirSync(root, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map((entry) => relative(root, join(entry.parentPath, entry.name)));
const text = (file: string): string => readFileSync(join(root, file), "utf8");
const yamls = files.filter((file) => file.endsWith(".yml"));

interface Step {
  readonly run?: string;
  readonly uses?: string;
  readonly with?: Readonly<Record<string, string>>;
  readonly shell?: string;
}
type Job = Readonly<Record<string, unknown>> & { readonly steps?: readonly Step[] };

/** The steps of a workflow or of a composite action. */
function stepsOf(file: string): readonly Step[] {
  const document = parse(text(file)) as {
    readonly jobs?: Readonly<Record<string, Job>>;
    readonly runs?: Job;
  };
  return [...Object.values(document.jobs ?? {}), document.runs ?? {}].flatMap(({ steps = [] }) => steps);
}

/** All that a shell runs, by where it stands. */
function scriptsOf(file: string): readonly string[] {
  if (file.endsWith(".sh")) return [text(file)];
  if (file === "Containerfile")
    return [...text(file).matchAll(/^RUN ((?:.*\\\n)*.*)$/gm)].map(([, script = ""]) => script);
  if (file.endsWith(".gitlab-ci.yml")) {
    const jobs = Object.values(parse(text(file)) as Readonly<Record<string, Job>>);
    return jobs.flatMap((job) =>
      ["before_script", "script", "after_script"].flatMap((key) => (job[key] ?? []) as readonly string[]),
    );
  }
  return file.endsWith(".yml") ? stepsOf(file).flatMap(({ run }) => (run === undefined ? [] : [run])) : [];
}

/** Each call of the command, as the words that it gets. */
function callsIn(script: string): readonly (readonly string[])[] {
  return script
    .replaceAll("\\\n", " ")
    .split("\n")
    .flatMap((line) =>
      [...line.matchAll(/(?:^|&&|;|\|\||- )\s*ferry ([^&|;#>]*)/g)].map(([, words = ""]) => words),
    )
    .map((words) =>
      (words.match(/"[^"]*"|\S+/g) ?? [])
        .map((word) => word.replaceAll('"', "").replace(/\$\{?PLAN\}?/g, "prod"))
        .filter((word) => word !== "${words[@]}"),
    );
}

/** What the real command line says of these words; nothing is run. */
function refusal(words: readonly string[]): string | undefined {
  const { io } = new Screen({ cwd: "/" });
  const program = commandLine({ io, version: () => "1.0.0" }, async () => {});
  const quiet = { writeOut: () => {}, writeErr: () => {} };
  program.exitOverride().configureOutput(quiet);
  for (const command of program.commands)
    command
      .exitOverride()
      .configureOutput(quiet)
      .action(() => {});
  try {
    program.parse([...words], { from: "user" });
    return undefined;
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    return error.exitCode === 0 ? undefined : error.message;
  }
}

test("the parser refuses what is wrong", () => {
  expect(refusal(["diff", "prod", "--out", "a.json"])).toBeUndefined();
  expect(refusal(["diff", "prod", "--uot", "a.json"])).toContain("unknown option");
  expect(refusal(["dif", "prod"])).toContain("unknown command");
  expect(refusal(["apply"])).toContain("missing required argument");
});

test.each(yamls)("%s is YAML without a word of warning", (file) => {
  expect(parse(text(file), { strict: true, logLevel: "error" })).toBeTypeOf("object");
});

test.each(files.filter((file) => scriptsOf(file).length > 0))("%s: what a shell runs is shell", (file) => {
  for (const script of scriptsOf(file)) {
    const { status, stderr } = spawnSync("bash", ["-n"], { input: script, encoding: "utf8" });
    expect([status, stderr]).toEqual([0, ""]);
  }
});

describe("every call of the command is one that it takes", () => {
  const calls = files.flatMap((file) =>
    scriptsOf(file).flatMap((script) => callsIn(script).map((words) => [file, words] as const)),
  );
  // The composite action puts its call together of what a workflow gives it.
  const composed = yamls.flatMap((file) =>
    stepsOf(file)
      .filter(({ uses }) => uses === "./.github/actions/ferry")
      .map(({ with: given = {} }) => {
        const words = (given["arguments"] ?? "").split(" ").filter((word) => word !== "");
        return [file, [given["command"] ?? "", given["plan"] ?? "", ...words]] as const;
      }),
  );

  test.each(
    [...calls.filter(([, words]) => !words.includes("$COMMAND")), ...composed].map(
      ([file, words]) => [file, words.join(" "), words] as const,
    ),
  )("%s: ferry %s", (_file, _line, words) => {
    expect(refusal(words)).toBeUndefined();
  });

  test("all of them were found", () => {
    const found = [...calls, ...composed].map(([, words]) => words[0]);
    for (const command of ["diff", "apply", "sync", "--version"]) expect(found).toContain(command);
    // Whatever looks like a call and was not read as one.
    for (const file of files.filter((name) => name.endsWith(".yml") || name.endsWith(".sh"))) {
      const scripts = scriptsOf(file);
      const looks = scripts.join("\n").match(/^\s*ferry (?:[a-z]|"\$)/gm) ?? [];
      expect(scripts.flatMap(callsIn).length).toBeGreaterThanOrEqual(looks.length);
    }
  });

  test("the composite action is given inputs that it has, and none that it needs is missing", () => {
    const { inputs } = parse(text("github/action/action.yml")) as {
      readonly inputs: Readonly<Record<string, { readonly required?: boolean }>>;
    };
    const needed = Object.keys(inputs).filter((name) => inputs[name]?.required === true);
    for (const file of yamls)
      for (const { uses, with: given = {} } of stepsOf(file)) {
        if (uses !== "./.github/actions/ferry") continue;
        expect(Object.keys(inputs)).toEqual(expect.arrayContaining(Object.keys(given)));
        expect(Object.keys(given)).toEqual(expect.arrayContaining(needed));
      }
  });
});

describe("what a pipeline must hold to", () => {
  test("whatever writes to the target stands behind a protected environment, one at a time", () => {
    for (const file of ["github/apply.yml", "github/nightly.yml"]) {
      const { jobs, concurrency } = parse(text(file)) as {
        readonly jobs: Readonly<Record<string, { readonly environment?: string }>>;
        readonly concurrency: unknown;
      };
      expect(Object.values(jobs).map(({ environment }) => environment)).toEqual(["production"]);
      expect(concurrency).toEqual({ group: "ferry-prod", "cancel-in-progress": false });
    }
    const gitlab = parse(text("gitlab/ferry.gitlab-ci.yml")) as Readonly<Record<string, object>>;
    for (const job of ["apply", "nightly"])
      expect(gitlab[job]).toMatchObject({
        environment: { name: "production" },
        resource_group: "ferry-prod",
      });
    expect(gitlab["review"]).not.toHaveProperty("environment");
  });

  test("whatever writes to the target begins with the branch as it is when its turn comes", () => {
    for (const file of ["github/apply.yml", "github/nightly.yml"]) {
      const [first] = stepsOf(file);
      expect([file, first?.uses, first?.with]).toEqual([file, "actions/checkout@v4", { ref: "main" }]);
    }
    const gitlab = parse(text("gitlab/ferry.gitlab-ci.yml")) as Readonly<
      Record<string, { readonly script: readonly string[] }>
    >;
    for (const job of ["apply", "nightly"]) expect(gitlab[job]?.script[0]).toBe("bash .ci/newest.sh");
  });

  test("what was last applied is there for each run, and kept after each that writes, however it ends", () => {
    const applied = "mappings/*/applied.ndjson";
    expect(readFileSync(join(root, "../../.gitignore"), "utf8").split("\n")).toContain(applied);
    const paths = [applied, ...keptOfRows];
    const ignored = paths.map((path) => `${path}\n`).join("");
    for (const file of ["github/review.yml", "github/apply.yml", "github/nightly.yml"]) {
      const steps = stepsOf(file);
      const at = (what: string): number => steps.findIndex(({ uses = "" }) => uses.includes(what));
      const [restored, ferry, saved] = ["actions/cache/restore", "actions/ferry", "actions/cache/save"].map(
        at,
      );
      expect(restored).toBeGreaterThanOrEqual(0);
      expect(restored).toBeLessThan(ferry ?? -1);
      expect(steps[restored ?? -1]?.with).toMatchObject({ path: ignored, "restore-keys": "ferry-applied-" });
      if (file.endsWith("review.yml")) {
        // What a pull request writes into a cache is not to be believed.
        expect(saved).toBe(-1);
        continue;
      }
      expect(saved).toBeGreaterThan(ferry ?? Infinity);
      expect(steps[saved ?? -1]).toMatchObject({
        if: "always()",
        with: { path: ignored, key: expect.stringMatching(/^ferry-applied-/) },
      });
    }
    const gitlab = parse(text("gitlab/ferry.gitlab-ci.yml")) as Readonly<Record<string, object>>;
    const cache = { key: "ferry-$PLAN", paths };
    expect(gitlab[".ferry"]).toMatchObject({ cache: { ...cache, when: "always" } });
    expect(gitlab["review"]).toMatchObject({ cache: { ...cache, policy: "pull" } });
  });

  test("a decision about one object is applied like a change of the plan, and a push of the mapping starts nothing", () => {
    const decisions = ["mappings/*/_decided.json", "mappings/*/_abandoned.json"];
    const { on } = parse(text("github/apply.yml")) as {
      readonly on: { readonly push: { readonly paths: unknown } };
    };
    expect(on.push.paths).toEqual(expect.arrayContaining(["plans/**", ...decisions]));
    const gitlab = parse(text("gitlab/ferry.gitlab-ci.yml")) as Readonly<
      Record<string, { readonly rules: readonly { readonly changes?: unknown }[] }>
    >;
    expect(gitlab["apply"]?.rules[0]?.changes).toEqual(expect.arrayContaining(["plans/**/*", ...decisions]));
    for (const file of ["github/apply.yml", "github/nightly.yml"])
      expect(scriptsOf(file).join("\n")).toMatch(/git commit .*\[skip ci\]"/);
  });

  test("no text of a person goes into a script of GitHub: values come through the environment", () => {
    for (const file of yamls)
      for (const { run = "" } of stepsOf(file)) expect(run.match(/\$\{\{(.*?)\}\}/g)).toBeNull();
  });

  test("the recipes' own list of files names each of them", () => {
    const readme = text("README.md");
    for (const file of yamls.filter((name) => !name.includes("/action/")))
      expect(readme).toContain(`(${file})`);
    for (const [, link = ""] of readme.matchAll(/\]\(([^)#]+)\)/g)) expect(files.join(" ")).toContain(link);
  });

  test("the image holds what the launcher needs, and what the scripts call", () => {
    const container = text("Containerfile");
    for (const path of [...container.matchAll(/\/build\/(\S+)/g)].map(([, path = ""]) => path))
      expect(["package.json", "dist/ferry.js", "dist/main.js", "dist/THIRD-PARTY.txt"]).toContain(path);
    const tools = files
      .filter((file) => file.startsWith("gitlab/") && file.endsWith(".sh"))
      .flatMap((file) => text(file).match(/\b(?:curl|jq|git|unzip)\b/g) ?? []);
    for (const tool of new Set(tools)) expect(container).toMatch(new RegExp(`install .*\\b${tool}\\b`));
  });
});

import { existsSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { useStage } from "./support/stage.ts";

const stage = useStage();

test("writes a plan, says what comes next, and the plan can be loaded", async () => {
  const { code, stdout, stderr } = await stage().ferry("init");
  expect(code).toBe(0);
  expect(stdout).toContain("plans/plan.yaml is written");
  expect(stdout).toContain("ferry doctor plans/plan.yaml");
  expect(stderr).toBe("");
  const { exitCode, details } = await stage().json("status plans/plan.yaml");
  expect(exitCode).toBe(0);
  expect(details).toMatchObject({ mapped: {} });
});

test("the example in plans/ is what it writes", async () => {
  await stage().ferry("init");
  const example = new URL("../../plans/example.yaml", import.meta.url);
  expect(readFileSync(example, "utf8")).toBe(stage().read("plans/plan.yaml"));
});

test("makes the folders on the way", async () => {
  expect((await stage().ferry("init some/where/prod.yml")).code).toBe(0);
  expect(stage().read("some/where/prod.yml")).toContain("clientSecret: ${PROD_CLIENT_SECRET}");
});

test("leaves a file that is there as it is", async () => {
  stage().write("plans/plan.yaml", "mine");
  const { code, stdout, stderr } = await stage().ferry("init");
  expect(code).toBe(64);
  expect(stdout + stderr).toMatch(/plans\/plan\.yaml is there already and is left as it is/);
  expect(stage().read("plans/plan.yaml")).toBe("mine");
});

test("a folder that cannot be made is told, without a word of surprise", async () => {
  stage().write("in-the-way", "a file");
  const { code, stdout } = await stage().ferry("init in-the-way/plan.yaml");
  expect(code).toBe(64);
  expect(stdout).toContain("in-the-way/plan.yaml cannot be written");
});

test.each(["plan.json", "plan", "plan.txt"])("%s is no name for a plan", async (file) => {
  const { code, stdout, stderr } = await stage().ferry(["init", file]);
  expect(code).toBe(64);
  expect(stdout + stderr).toContain(`Did you mean ${file.replace(/\.\w+$/, "")}.yaml?`);
  expect(existsSync(stage().path(file))).toBe(false);
});

test("--json is not its flag; the document says so", async () => {
  const { exitCode, diagnostics } = await stage().json("init");
  expect(exitCode).toBe(64);
  expect(diagnostics[0]?.summary).toContain("unknown option '--json'");
});

test.each(["--version", "-V"])("%s prints the version and nothing else", async (flag) => {
  expect(await stage().ferry([flag])).toEqual({ code: 0, stdout: "1.2.3-test\n", stderr: "", asked: [] });
});

test("--help names every command and every exit code", async () => {
  const { code, stdout, stderr } = await stage().ferry("--help");
  expect(code).toBe(0);
  expect(stderr).toBe("");
  const commands = "demo init doctor export diff apply sync verify status resolve rollback mappings emulate";
  for (const command of commands.split(" ")) expect(stdout).toMatch(new RegExp(`^  ${command}\\b`, "m"));
  for (const number of [0, 1, 2, 3, 4, 5, 6, 7, 8, 64])
    expect(stdout).toMatch(new RegExp(`\\b${number} [a-z]`));
});

test.each(["diff", "apply", "sync", "rollback", "mappings", "emulate", "demo"])(
  "%s --help",
  async (command) => {
    const { code, stdout, stderr } = await stage().ferry(`${command} --help`);
    expect(code).toBe(0);
    expect(stdout).toContain(`Usage: ferry ${command}`);
    expect(stderr).toBe("");
  },
);

const common = [
  "--json",
  "--kinds",
  "--include",
  "--exclude",
  "--concurrency",
  "--timeout",
  "--work-dir",
  "--mappings-dir",
  "-v",
  "--log-format",
  "--no-color",
  "--no-input",
  "--env-file",
];
const own: Readonly<Record<string, readonly string[]>> = {
  doctor: [],
  export: [],
  diff: ["--snapshot", "--out", "--format", "--detailed-exitcode"],
  apply: ["--diff", "--yes", "--allow-delete", "--max-deletes"],
  sync: ["--dry-run", "--yes"],
  verify: [],
  status: ["--all"],
  resolve: [],
  rollback: ["--run", "--dry-run", "--yes", "--allow-delete"],
  mappings: [],
};
test.each(Object.entries(own))("%s takes the flags of the design", async (command, flags) => {
  const { stdout } = await stage().ferry(`${command} --help`);
  for (const flag of [...common, ...flags]) expect(stdout).toContain(flag);
});

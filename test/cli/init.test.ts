import { existsSync, readFileSync, rmSync } from "node:fs";
import { describe, expect, test } from "vitest";
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

describe("for editors", () => {
  test("the plan names a schema beside it, which is there, and which --schema prints", async () => {
    await stage().ferry("init");
    const [, named = ""] =
      /^# yaml-language-server: \$schema=(\S+)$/m.exec(stage().read("plans/plan.yaml")) ?? [];
    const { code, stdout, stderr } = await stage().ferry("init --schema");
    expect([code, stderr]).toEqual([0, ""]);
    expect(stage().read("plans", named)).toBe(stdout);
    expect(JSON.parse(stdout)).toMatchObject({ $schema: "http://json-schema.org/draft-07/schema#" });
  });

  test("--schema writes nothing", async () => {
    await stage().ferry("init --schema");
    expect(existsSync(stage().path("plans"))).toBe(false);
  });

  test("an older schema is renewed, and is no plan", async () => {
    stage().write("plans/.schema/plan.json", "{}");
    await stage().ferry("init");
    expect(stage().read("plans/.schema/plan.json")).toContain("A plan of ferry");
    expect((await stage().json("diff plam")).diagnostics[0]?.suggestion).toBe("Did you mean plan?");
  });
});

const filled =
  "--source-name qa --source-url https://qa.acme.org --source-realm acme-qa --target-name live --target-url https://live.acme.org --target-realm acme";
const inPlan =
  /name: qa [\s\S]*baseUrl: https:\/\/qa\.acme\.org\n[\s\S]*realm: acme-qa [\s\S]*\$\{QA_CLIENT_SECRET\}[\s\S]*target:\n {2}name: live\n {2}baseUrl: https:\/\/live\.acme\.org\n[\s\S]*\$\{LIVE_CLIENT_ID\}[\s\S]*confirm: live /;
const env = {
  QA_CLIENT_ID: "one",
  QA_CLIENT_SECRET: "s3cret-one",
  LIVE_CLIENT_ID: "two",
  LIVE_CLIENT_SECRET: "s3cret-two",
};

describe("what it is to say", () => {
  test("comes from flags, and the plan is ready but for its variables", async () => {
    const { code, stdout, asked } = await stage().ferry(`init ${filled}`, { terminal: true });
    expect([code, asked]).toEqual([0, []]);
    expect(stage().read("plans/plan.yaml")).toMatch(inPlan);
    expect(stdout.replaceAll("\n", " ")).toContain(
      "Set the four variables it names (QA_CLIENT_ID, QA_CLIENT_SECRET, LIVE_",
    );
    expect((await stage().json("status plan", { env })).exitCode).toBe(0);
  });

  test.each([
    ["", "Fill in both environments, set"],
    [
      "--source-url https://qa.acme.org --target-url https://live.acme.org",
      "Fill in source.realm and target.realm, set",
    ],
    ["--target-url https://live.acme.org", "Fill in source.baseUrl, source.realm and target.realm, set"],
    [filled.replace(/--target-realm \S+/, "").trim(), "Fill in target.realm, set"],
    [filled.replaceAll(/--(?:source|target)-name \S+/g, "").trim(), "Set"],
  ])("init %s: only what no flag says is to be filled in", async (flags, todo) => {
    const { code, stdout } = await stage().ferry([
      "init",
      ...flags.split(/ +/).filter((word) => word !== ""),
    ]);
    expect(code).toBe(0);
    expect(stdout.replaceAll("\n", " ")).toContain(`is written. ${todo} the four variables`);
  });

  test("is asked for at a terminal; nothing means what stands in brackets, and what does not fit is asked again", async () => {
    const answers = [
      "qa",
      "qa.acme.org",
      "https://qa.acme.org",
      "acme-qa",
      "live",
      "https://live.acme.org",
      "",
    ];
    const { code, stderr, asked } = await stage().ferry("init", { terminal: true, answers });
    expect(code).toBe(0);
    expect(asked).toHaveLength(7);
    expect(asked[1]).toBe("The source: its address [https://qa.example.com]: ");
    expect(stderr).toContain("use an address such as");
    expect(stage().read("plans/plan.yaml")).toMatch(inPlan);
  });

  test("is asked for only where no flag says it, and not under --no-input", async () => {
    const { asked } = await stage().ferry(`init ${filled.replace(/--target-realm \S+/, "")}`.trim(), {
      terminal: true,
      answers: ["acme"],
    });
    expect(asked).toEqual(["The target: its realm, the tenant's name [acme]: "]);
    expect((await stage().ferry("init other.yaml --no-input", { terminal: true })).asked).toEqual([]);
  });

  test("a value that YAML would read otherwise stands in quotes", async () => {
    const words = "init --source-name 007 --target-name on --target-realm 1e3";
    expect((await stage().ferry(words)).code).toBe(0);
    const variables = {
      _007_CLIENT_ID: "one",
      _007_CLIENT_SECRET: "s3cret-one",
      ON_CLIENT_ID: "two",
      ON_CLIENT_SECRET: "s3cret-two",
    };
    expect((await stage().json("status plan", { env: variables })).exitCode).toBe(0);
  });

  test.each([
    ["--source-name a/b", /--source-name a\/b: use letters/],
    ["--target-url ftp://x", /--target-url ftp:\/\/x: use an address/],
    ["--source-url https://me:hunter2@x", /--source-url: leave out user name, password/],
    ["--source-name prod", /source and target have the same name: prod/],
  ])("%s is refused, and nothing is written", async (flags, said) => {
    const { code, stdout } = await stage().ferry(`init ${flags}`);
    expect(code).toBe(64);
    expect(stdout).toMatch(said);
    expect(stdout).not.toContain("hunter2");
    expect(existsSync(stage().path("plans"))).toBe(false);
  });
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
  expect(stdout).toMatch(/in-the-way\/plan.yaml cannot be written: a part of the path is a file/);
});

test("where its schema cannot be written there is no plan either, and the same command does it later", async () => {
  stage().write("plans/.schema", "a file");
  const { code, stdout } = await stage().ferry("init");
  expect({ code, stdout }).toMatchObject({ code: 64, stdout: expect.stringContaining(".schema/plan.json") });
  expect(existsSync(stage().path("plans/plan.yaml"))).toBe(false);
  rmSync(stage().path("plans/.schema"));
  expect((await stage().ferry("init")).code).toBe(0);
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

const commands =
  "demo init doctor export diff apply sync verify parity flow status resolve rollback mappings runs decide ack emulate completion explain".split(
    " ",
  );

test("--help names every command and every exit code", async () => {
  const { code, stdout, stderr } = await stage().ferry("--help");
  expect(code).toBe(0);
  expect(stderr).toBe("");
  for (const command of commands) expect(stdout).toMatch(new RegExp(`^  ${command}\\b`, "m"));
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

test.each(["", ...commands])("the examples of ferry %s fit into 80 columns", async (command) => {
  const { stdout } = await stage().ferry(`${command} --help`.trim());
  const [, examples = ""] = stdout.split(/^(?=Examples:)/m);
  expect(examples.split("\n").filter((line) => line.length > 80)).toEqual([]);
});

test("what makes a run end with 4 when nothing says so is told of each command as it is", async () => {
  const told = async (command: string): Promise<string> =>
    (await stage().ferry(`${command} --help`)).stdout.replaceAll(/\s+/g, " ");
  expect(await told("diff")).toContain("(without it: none)");
  for (const command of ["apply", "sync", "verify"])
    expect(await told(command)).toContain("(without it: all of them)");
});

test("what a command alone takes stands before what all of them take", async () => {
  const { stdout } = await stage().ferry("apply --help");
  const places = [
    "Arguments:",
    "--diff <file>",
    "--help",
    "Options of every command on a plan:",
    "--json",
    "Examples:",
  ];
  const found = places.map((place) => stdout.indexOf(place));
  expect(found).toEqual(found.toSorted((one, other) => one - other));
  expect(found).not.toContain(-1);
});

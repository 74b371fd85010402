import { mkdirSync } from "node:fs";
import { expect, test } from "vitest";
import { furnish } from "./support/little.ts";
import { useStage } from "./support/stage.ts";
import { allOr } from "../support/whole.ts";

/** Mistakes of a person: told with what was probably meant, exit code 64, before any request. */
const stage = useStage();

const commandLines: readonly (readonly [words: string, told: RegExp])[] = [
  ["help dif", /unknown command 'dif'[\s\S]*Did you mean diff\?/],
  ["dif move", /unknown command 'dif'[\s\S]*Did you mean diff\?/],
  ["aply move", /unknown command 'aply'[\s\S]*Did you mean apply\?/],
  ["diff move --knids rules", /unknown option '--knids'[\s\S]*Did you mean --kinds\?/],
  ["apply move --alow-delete --yes", /unknown option '--alow-delete'[\s\S]*Did you mean --allow-delete\?/],
  ["sync move --dryrun", /unknown option '--dryrun'[\s\S]*Did you mean --dry-run\?/],
  ["verify move --yes", /unknown option '--yes'/],
  ["export move --out file.json", /unknown option '--out'/],
  ["emulate --prot 1", /unknown option '--prot'[\s\S]*Did you mean --port\?/],
  ["demo --yes", /unknown option '--yes'/],
  ["diff", /missing required argument 'plan'/],
  ["mappings move", /missing required argument 'action'/],
  ["diff move other", /too many arguments/],
  ["diff move --concurrency many", /--concurrency[\s\S]*whole number/],
  ["diff move --concurrency=", /--concurrency[\s\S]*whole number/],
  ["diff move --concurrency 1.5", /--concurrency[\s\S]*whole number/],
  ["apply move --yes --max-deletes=-1", /--max-deletes[\s\S]*whole number/],
  ["diff move --format yaml", /--format[\s\S]*Allowed choices are text, json, markdown, html/],
  ["diff move --format jsno", /--format[\s\S]*Did you mean json\?/],
  ["diff move --json --format html", /--json and --format html ask for two formats/],
  ["diff move --log-format tezt", /--log-format[\s\S]*Did you mean text\?/],
  ["diff move --out palns/approved.json", /the folder palns does not exist[\s\S]*mkdir -p palns/],
  [
    "diff move --out plans/mvoe/deep/a.json",
    /the folder plans\/mvoe does not exist[\s\S]*mkdir -p plans\/mvoe\/deep/,
  ],
  ["diff move --out plans", /plans is a folder/],
  ["diff move --out plans/move.yaml/a.json", /plans\/move\.yaml is not a folder/],
  ["diff move --out /nosuch/x.json", /the folder \/nosuch does not exist[\s\S]*mkdir -p \/nosuch/],
  ["sync move --dry-run --parity", /--parity says nothing with --dry-run/],
  ["sync move --dry-run --parity --run", /ferry parity move --run/],
  ["sync move --yes --detailed-exitcode", /--detailed-exitcode says nothing without --dry-run/],
  ["mappings move export nowhere/pairs.json", /the folder nowhere does not exist[\s\S]*mkdir -p nowhere/],
  ["mappings move suggest --out nowhere/pairs.json", /the folder nowhere does not exist/],
  ["diff move --log-format xml", /--log-format[\s\S]*Allowed choices are text, json/],
  [
    "rollback move --yes --allow-delete --kinds rules",
    /--kinds does not narrow ferry rollback[\s\S]*all that the run did/,
  ],
  ["rollback move --dry-run --include Email*", /--include does not narrow ferry rollback/],
  ["resolve move --kinds terms", /--kinds does not narrow ferry resolve/],
  ["status move --exclude Email*", /--exclude does not narrow ferry status/],
  ["decide move Email* --keep-target --include Email*", /--include does not narrow ferry decide/],
  ["ack move Email* --reason known --kinds terms", /--kinds does not narrow ferry ack/],
  ["runs move --kinds terms", /--kinds does not narrow ferry runs/],
  ["flow move start Nightly --connection wh --include Email*", /--include does not narrow ferry flow/],
  ["diff move --timeout soon", /--timeout soon: write a time such as 60s or 2m/],
  ["diff move --timeout 0s", /--timeout 0s/],
  ["diff move --kinds rulez", /--kinds: there is no kind "rulez"[\s\S]*Did you mean rules\?/],
  ["diff move --kinds terms,monitor", /--kinds: there is no kind "monitor"[\s\S]*Did you mean monitors\?/],
  ["diff move --kinds=", /--kinds/],
  ["diff move --kinds ,", /--kinds/],
  ["diff move --include rulez:Email*", /there is no kind "rulez"[\s\S]*Did you mean rules\?/],
  ["diff move --exclude dashboard:*", /there is no kind "dashboard"[\s\S]*Did you mean dashboards\?/],
  ["diff move --kinds rules --include terms:*", /terms/],
  ["diff move --env-file nothing.env", /--env-file nothing\.env cannot be read/],
  ["diff moev", /there is no plan "moev"/],
  ["diff plans", /plans is a folder, and no plan[\s\S]*Name a plan: move in /],
  ["diff .", /\. is a folder, and no plan[\s\S]*Name a plan: move in /],
  ["diff ", /there is no plan ""[\s\S]*Name a plan: move in /],
  ["mappings move suggest --min-similarity 200", /--min-similarity[\s\S]*It must be a number from 0 to 100/],
  ["mappings move remove urn:x", /urn:x is not mapped[\s\S]*ferry mappings move list/],
  ["mappings move import one.json two.json", /mappings import: "two\.json" is one word too many/],
  ["mappings move set urn:a urn:b urn:c", /mappings set: "urn:c" is one word too many/],
  ["mappings move show urn:a --kind terms", /--kind says nothing with mappings show[\s\S]*list, set, export/],
  ["mappings move list --include Email*", /--include says nothing with mappings list[\s\S]*suggest/],
  ["mappings move import pairs.json --force", /--force says nothing with mappings import[\s\S]*set/],
  ["mappings move remove urn:a --min-similarity 5", /--min-similarity says nothing with mappings remove/],
  ["flow move list Nightly", /flow list: "Nightly" is one word too many/],
  ["flow move cancel urn:a --no-wait", /--no-wait says nothing with flow cancel[\s\S]*start/],
  ["flow move watch --connection wh", /--connection says nothing with flow watch/],
  ["runs move list last", /runs list: "last" is one word too many/],
  ["ack move --reason known", /--reason says nothing without an object/],
  ["ack move --until 2099-01-01", /--until says nothing without an object/],
  ["mappings move lst", /mappings: there is no "lst"[\s\S]*Did you mean list\?/],
  ["mappings move show", /mappings: it needs the URN to show/],
  [
    "mappings move set urn:a",
    /mappings: it needs a target URN[\s\S]*ferry\s+mappings\s+move\s+set\s+SOURCE\s+TARGET/,
  ],
  ["mappings move remove", /mappings: it needs a source URN/],
  ["mappings move import", /mappings: it needs a file of pairs/],
  ["mappings move import nothing.json", /nothing\.json/],
  [
    "mappings move export",
    /mappings: it needs a file to write[\s\S]*ferry\s+mappings\s+move\s+export\s+FILE/,
  ],
  ["mappings move list --kind rulez", /there is no kind "rulez"[\s\S]*Did you mean rules\?/],
  ["resolve move --take urn:data:dev:catalog:term:1", /write it as <source urn>=<target urn>/],
  ["diff move --snapshot nowhere", /nowhere/],
  ["apply move --yes --diff nothing.json", /nothing\.json/],
  ["rollback move --yes --run 2026-01-01T00-00-00Z-000000", /there is no run 2026-01-01T00-00-00Z-000000/],
  // Nobody is asked for --yes first.
  ["rollback move --run 2026-01-01T00-00-00Z-000000", /there is no run 2026-01-01T00-00-00Z-000000/],
  [
    "rollback move --yes",
    /there is no run to take back[\s\S]*that\s+wrote\s+something[\s\S]*plans\/move\/runs[\s\S]*not\s+in\s+git/,
  ],
  ["apply move", /there is no terminal to confirm on[\s\S]*--yes/],
  ["sync move", /there is no terminal to confirm on[\s\S]*--yes/],
  [
    "rollback move",
    /there is no terminal to confirm on[\s\S]*--yes[\s\S]*ferry\s+rollback\s+move\s+--dry-run/,
  ],
];

test.each(commandLines)("ferry %s", async (words, told) => {
  furnish(stage().dev);
  stage().plan();
  const { code, stdout, stderr } = await stage().ferry(words);
  expect(stdout + stderr).toMatch(told);
  expect(code).toBe(64);
  expect(stage().emulator.log.entries).toEqual([]);
});

test.each(allOr(commandLines, (_line, index) => index % 4 === 0))("ferry %s --json", async (words, told) => {
  furnish(stage().dev);
  stage().plan();
  const document = await stage().json(words);
  expect(document.exitCode).toBe(64);
  const [first] = document.diagnostics;
  expect(first?.severity).toBe("error");
  expect([first?.summary, first?.suggestion].join("\n")).toMatch(told);
  expect(document.command).toBe(words.split(" ")[0]);
  expect(stage().emulator.log.entries).toEqual([]);
});

test("the plan is broken YAML: the first place with its line, and how many more there are", async () => {
  stage().write("plans/broken.yaml", "version: 1\nsource:\n  name: [dev\n  realm: {dev\npolicy: ]\n");
  const { code, stdout } = await stage().ferry("diff broken");
  expect(code).toBe(64);
  expect(stdout).toMatch(/^\d \| .+\n +\^$/m);
  expect(stdout).toMatch(/error: line \d, column \d+: this is not YAML/);
  expect(stdout).toMatch(/and \d+ more\s+behind it/);
  expect(stdout.match(/error:/g)).toHaveLength(1);
  expect(stage().emulator.log.entries).toEqual([]);
});

test.each(["plans/move", "./plans/move", "move"])("a plan is found as %s", async (plan) => {
  stage().plan();
  expect(await stage().json(`diff ${plan}`)).toMatchObject({ exitCode: 0, plan: "move" });
});

test("a name alone is none of a file that lies about, and what is there is not advised to be written", async () => {
  stage().plan();
  stage().write("other.yaml", "nothing: of a plan");
  expect((await stage().json("diff other")).diagnostics[0]?.summary).toMatch(/there is no plan "other"/);
  const [found] = (await stage().json("diff elsewhere/move")).diagnostics;
  expect(found?.suggestion).toMatch(/^Did you mean \S*plans\/move\.yaml\?$/);
});

test.each(["diff", "mappings move", "completion"])("what is missing leads to the help: %s", async (words) => {
  expect((await stage().ferry(words)).stderr).toMatch(
    /missing required argument[\s\S]*add --help for what there is/,
  );
});

test("a command that does not exist is no reason to run another one", async () => {
  const { code, stdout } = await stage().ferry("nothing-like-it");
  expect(code).toBe(64);
  expect(stdout).toBe("");
});

test("without a command the help comes on stderr, with exit code 64", async () => {
  const { code, stdout, stderr } = await stage().ferry([]);
  expect(code).toBe(64);
  expect(stdout).toBe("");
  expect(stderr).toContain("Usage: ferry");
});

test("the list of commands fits on the page", async () => {
  const { stdout } = await stage().ferry("--help");
  expect(stdout.split("\n").filter((line) => line.length > 100)).toEqual([]);
});

test("a terminal does not help where --no-input is said", async () => {
  stage().plan();
  const { code, asked } = await stage().ferry("apply move --no-input", { terminal: true });
  expect(code).toBe(64);
  expect(asked).toEqual([]);
});

test("every problem of a plan is told at once, with its line, before any request", async () => {
  stage().write(
    "plans/bad.yaml",
    "version: 1\nsource:\n  name: dev\n  baseURL: https://dev.example.com\ntraget: {}\npolicy: { adopt: by-nmae }\n",
  );
  const { exitCode, diagnostics } = await stage().json("diff bad");
  expect(exitCode).toBe(64);
  expect(diagnostics.map(({ summary }) => summary)).toEqual(
    expect.arrayContaining([
      expect.stringMatching(/^line 4, column 3: unknown key "source\.baseURL"$/),
      expect.stringMatching(/^line 5, column 1: unknown key "traget"$/),
      expect.stringMatching(/^line 6, column 11: "policy\.adopt": /),
    ]),
  );
  expect(diagnostics.map(({ suggestion }) => suggestion)).toEqual(
    expect.arrayContaining(["Did you mean baseUrl?", "Did you mean target?"]),
  );
  const { stdout } = await stage().ferry("diff bad");
  expect(stdout).toContain('line 5, column 1: unknown key "traget"');
  expect(stdout.split("2 | source:")).toHaveLength(2);
  expect(stdout).toContain("Did you mean target?");
  expect(stage().emulator.log.entries).toEqual([]);
});

// `status` reads files alone, and needs none of them: see runs.test.ts.
test.each(["export", "diff", "doctor", "verify", "resolve"])(
  "a variable that is not set is named by %s",
  async (command) => {
    stage().plan();
    const { exitCode, diagnostics } = await stage().json(`${command} move`, {
      env: { DEV_CLIENT_SECRET: undefined },
    });
    expect(exitCode).toBe(64);
    expect(diagnostics.map(({ summary }) => summary).join()).toContain(
      "the environment variable DEV_CLIENT_SECRET is not set",
    );
    expect(diagnostics[0]?.suggestion).toContain("--env-file");
    expect(stage().emulator.log.entries).toEqual([]);
  },
);

test("what is wrong with a plan is told with its file, since it is called by its name", async () => {
  stage().plan({ polcy: {} });
  const whole = (text: string): string => text.replaceAll(/\s+/g, " ");
  expect(whole((await stage().ferry("diff move")).stdout)).toContain(
    `Nothing was done. The plan is ${stage().path("plans", "move.yaml")}.`,
  );
  stage().write("plans/move.yaml", "");
  const { headline, diagnostics } = await stage().json("diff move");
  expect(headline).toBe(`Nothing was done. The plan is ${stage().path("plans", "move.yaml")}.`);
  expect(diagnostics).toMatchObject([{ suggestion: expect.stringContaining("`ferry init`") }]);
  // Of what is not there nothing can be corrected.
  expect((await stage().json("diff moev")).headline).toBe("Nothing was done.");
});

test("who has mistyped something is not told that nothing was read or written", async () => {
  stage().plan();
  for (const words of ["diff moev", "diff move --out nowhere/a.json"])
    expect((await stage().ferry(words)).stdout).not.toContain("Nothing read or written");
});

test.each(["plans", "plans/move", "mappings/dev--prod"])(
  "whoever is in %s is led to the folder of the plan, and not told to write it anew",
  async (below) => {
    stage().plan();
    const cwd = stage().path(below);
    mkdirSync(cwd, { recursive: true });
    const { code, stdout } = await stage().ferry("diff move", { cwd });
    expect(code).toBe(64);
    const up = below.includes("/") ? "../.." : "..";
    expect(stdout).toContain(`next: Run it in the plan's own folder: cd ${up}\n`);
    expect(stdout).not.toContain("ferry init");
  },
);

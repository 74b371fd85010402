import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { MappingEntry } from "../../src/model/mapping.ts";
import { openMappingStore } from "../../src/store/files/index.ts";
import { launcher } from "../support/launcher.ts";
import { useStage } from "./support/stage.ts";

/** Two branches of one mapping. */
const stage = useStage();
const source = (n: number): string =>
  `urn:ata:dev:dq:rule:00000000-0000-4000-8000-${String(n).padStart(12, "0")}`;
const target = (n: number): string => source(n).replace(":dev:", ":prod:");
const row = (n: number, more: Partial<MappingEntry> = {}): [string, MappingEntry] => [
  source(n),
  { name: `Rule ${n}`, target: target(n), origin: "created", run: "2026-01-01", ...more },
];

/** Writes a version as a run would, and gives its path. */
async function version(
  name: string,
  rows: readonly [string, MappingEntry][],
  kind = "rules",
): Promise<string> {
  const side = (tenant: string): object => ({
    name: tenant,
    baseUrl: stage().emulator.baseUrl(tenant),
    tenant,
  });
  const folder = stage().path(name);
  const parties = { source: side("dev"), target: side("prod") } as never;
  const store = await openMappingStore(folder, { tool: "urn-ferry 1.2.3-test", parties });
  await store.save(kind, new Map(rows));
  return join(folder, `${kind}.json`);
}

async function three(
  base: readonly [string, MappingEntry][],
  ours: readonly [string, MappingEntry][],
  theirs: readonly [string, MappingEntry][],
): Promise<void> {
  stage().plan();
  // Git gives an empty file where there is none.
  if (base.length === 0) stage().write("base/rules.json", "");
  else await version("base", base);
  await version("ours", ours);
  await version("theirs", theirs);
}

const words = "mappings move merge ours/rules.json theirs/rules.json --base base/rules.json";

test("rows of both branches, without a secret and without a request; what is written is what a run writes", async () => {
  await three([row(1), row(2)], [row(1), row(2), row(3)], [row(1, { name: "Renamed" }), row(4)]);
  const { exitCode, details, headline } = await stage().json(`${words} --out merged.json`, {
    env: { DEV_CLIENT_SECRET: undefined, PROD_CLIENT_SECRET: undefined },
  });
  expect(exitCode).toBe(0);
  expect(details).toEqual({ kind: "rules", rows: 3, conflicts: 0 });
  expect(headline).toBe("3 rows of rules, without a conflict; written to merged.json.");
  const expected = await version("expected", [row(1, { name: "Renamed" }), row(3), row(4)]);
  const serial = (text: string): string =>
    text.replace(/"tool": .*\n {2}"kind": "rules",\n {2}"serial": \d+/, "");
  expect(serial(stage().read("merged.json"))).toBe(serial(readFileSync(expected, "utf8")));
  expect(stage().emulator.log.entries).toEqual([]);
});

test("what the run of one branch has made, and that of the other has found there, is no conflict: who made it is known", async () => {
  const made = row(1, { sourceFingerprint: "a", targetFingerprint: "b" });
  const found = row(1, { ...made[1], origin: "adopted", run: "2026-01-02" });
  for (const [ours, theirs] of [
    [made, found],
    [found, made],
  ] as const) {
    await three([], [ours, row(2)], [theirs, row(3)]);
    const { exitCode, details } = await stage().json(`${words} --out merged.json`);
    expect({ exitCode, details }).toEqual({ exitCode: 0, details: { kind: "rules", rows: 3, conflicts: 0 } });
    expect(stage().read("merged.json")).not.toMatch(/adopted|2026-01-02/);
  }
});

test.each([
  ["anything else is between them", [], { targetFingerprint: "c" }],
  ["it was there before", [row(1, { sourceFingerprint: "z" })], {}],
] as const)("where %s, a person decides", async (_what, base, more) => {
  const prints = { sourceFingerprint: "a", targetFingerprint: "b" };
  await three(base, [row(1, prints)], [row(1, { ...prints, origin: "adopted", ...more })]);
  expect(await stage().json(words)).toMatchObject({ exitCode: 1, details: { conflicts: 1 } });
});

test.each([["with its marks"], ["under merge=union, without any", "--union"]])(
  "what git has made of two branches %s is refused with the command that brings them together, and which does",
  async (_what, ...flags) => {
    const place = "mappings/dev--prod/rules.json";
    await three([row(1)], [row(1), row(2)], [row(1), row(3), row(4)]);
    const paths = ["ours", "base", "theirs"].map((name) => stage().path(`${name}/rules.json`));
    stage().write(place, spawnSync("git", ["merge-file", "-p", ...flags, ...paths]).stdout.toString());
    const refused = await stage().json("status move");
    expect([refused.exitCode, JSON.stringify(refused.diagnostics)]).toEqual([
      1,
      expect.stringContaining("ferry mappings move merge OURS THEIRS --base BASE --out FILE"),
    ]);
    expect((await stage().ferry(`${words} --out ${place}`)).code).toBe(0);
    expect((await stage().json("mappings move list")).exitCode).toBe(0);
    expect(stage().read(place)).toContain("Rule 4");
  },
);

test("without --out nothing is written, and it says so", async () => {
  await three([], [row(1)], [row(2)]);
  const { stdout, code } = await stage().ferry(words);
  expect(code).toBe(0);
  expect(stdout).toContain("nothing was written (--out)");
});

describe("conflicts are named by object, and no run takes the file until a person has decided", () => {
  test("a row that both changed differently", async () => {
    await three(
      [row(1), row(9)],
      [row(1, { sourceFingerprint: "a" }), row(9)],
      [row(1, { target: target(7) }), row(9)],
    );
    const { exitCode, diagnostics, next } = await stage().json(`${words} --out merged.json`);
    expect(exitCode).toBe(1);
    expect(diagnostics).toMatchObject([
      { code: "merge-conflict", coordinate: { kind: "rules", urn: source(1), name: "Rule 1" } },
    ]);
    expect(diagnostics[0]?.summary).toContain(target(7));
    expect(next?.join()).toContain("merged.json");
    const text = stage().read("merged.json");
    expect(text).toMatch(/^<<<<<<< ours\n {4}"urn.*"a".*\},\n=======\n.*\n>>>>>>> theirs\n {4}"urn/m);
    await refused(text);
  });

  test.each([
    ["both have made one", {}, {}, /^Both may be at the target.*remove the other one by hand/],
    [
      "one has made one, and the other found another",
      {},
      { origin: "adopted" },
      /^Both may be at the target/,
    ],
    ["neither has made one", { origin: "adopted" }, { origin: "explicit" }, /^Keep the row of the branch/],
    ["both have the same", {}, { target: target(1), name: "New" }, /^Keep the row of the branch/],
  ] as const)(
    "of two targets both are told of, since no run tells of the other one: %s",
    async (_what, mine, their, advice) => {
      await three([], [row(1, mine)], [row(1, { target: target(7), ...their })]);
      const { diagnostics } = await stage().json(words);
      expect(diagnostics).toMatchObject([
        { code: "merge-conflict", suggestion: expect.stringMatching(advice) },
      ]);
    },
  );

  test("one that is taken out here and changed there, and two sources of one target", async () => {
    await three(
      [row(1)],
      [row(2, { target: target(8) })],
      [row(1, { name: "New" }), row(3, { target: target(8) })],
    );
    const { exitCode, diagnostics } = await stage().json(`${words} --out merged.json`);
    expect(exitCode).toBe(1);
    expect(diagnostics.map(({ summary }) => summary)).toEqual([
      expect.stringContaining("ours took it out"),
      `two sources claim the target ${target(8)}: "Rule 2" (${source(2)}) in ours, "Rule 3" (${source(3)}) in theirs`,
    ]);
    await refused(stage().read("merged.json"));
  });

  test("once a side is chosen and the marks are gone, it is a mapping", async () => {
    await three([row(1), row(2)], [row(1, { name: "A" }), row(2)], [row(1, { name: "B" }), row(2)]);
    await stage().ferry(`${words} --out merged.json`);
    const settled = stage()
      .read("merged.json")
      .replace(/<<<<<<< ours\n([\s\S]*?)=======\n[\s\S]*?>>>>>>> theirs\n/, "$1");
    stage().write("mappings/dev--prod/rules.json", settled);
    const { exitCode, details } = await stage().json("mappings move list");
    expect(exitCode).toBe(0);
    expect(JSON.stringify(details)).toContain('"name":"A"');
  });

  async function refused(text: string): Promise<void> {
    stage().write("mappings/dev--prod/rules.json", text);
    const { exitCode, diagnostics } = await stage().json("mappings move list");
    expect(exitCode).not.toBe(0);
    expect(diagnostics[0]?.code).toBe("merge-conflict");
  }
});

describe("refused", () => {
  test("files of two kinds, of other environments, and none", async () => {
    await three([], [row(1)], []);
    await version("theirs", [row(2)], "terms");
    const kinds = await stage().json("mappings move merge ours/rules.json theirs/terms.json");
    expect(kinds.diagnostics[0]?.summary).toContain(
      "theirs/terms.json holds the mapping of terms, not of rules",
    );
    writeFileSync(
      stage().path("theirs/rules.json"),
      stage().read("ours/rules.json").replace('"tenant":"prod"', '"tenant":"other"'),
    );
    const foreign = await stage().json("mappings move merge ours/rules.json theirs/rules.json");
    expect(foreign.diagnostics[0]?.code).toBe("foreign-state");
    expect((await stage().json("mappings move merge ours/rules.json")).exitCode).toBe(64);
    expect((await stage().json("mappings move merge ours/rules.json nothing.json")).exitCode).toBe(64);
  });

  test("the mapping itself while a run holds the target", async () => {
    await three([], [row(1)], [row(2)]);
    mkdirSync(stage().path("mappings/dev--prod"), { recursive: true });
    const out = "--out mappings/dev--prod/rules.json";
    expect((await stage().json(`${words} ${out}`)).exitCode).toBe(0);
    const { fileStore } = await import("../../src/store/index.ts");
    const side = (tenant: string) => ({ name: tenant, baseUrl: stage().emulator.baseUrl(tenant), tenant });
    const { state } = fileStore({
      plan: "other",
      parties: { source: side("dev"), target: side("prod") },
      workDir: stage().path("plans"),
      mappingsDir: stage().path("mappings"),
      tool: "urn-ferry 1.2.3-test",
    });
    const held = await state.lock({ owner: "o", host: "h", pid: 1, run: "r", since: "2026-01-01" });
    if (!held.ok) throw new Error("the lock is free");
    expect((await stage().json(`${words} ${out}`)).exitCode).toBe(8);
    await held.lease.release();
  });
});

const git = (...args: readonly string[]): { readonly status: number | null; readonly output: string } => {
  const { status, stdout, stderr } = spawnSync("git", args, {
    cwd: stage().folder,
    encoding: "utf8",
    env: {
      ...process.env,
      GIT_CONFIG_GLOBAL: "/dev/null",
      GIT_AUTHOR_NAME: "a",
      GIT_AUTHOR_EMAIL: "a@b.c",
      GIT_COMMITTER_NAME: "a",
      GIT_COMMITTER_EMAIL: "a@b.c",
    },
  });
  return { status, output: stdout + stderr };
};
const hasGit = spawnSync("git", ["--version"]).status === 0;

/** As mappings/README.md says, word for word. */
function setUp(): void {
  const readme = readFileSync(new URL("../../mappings/README.md", import.meta.url), "utf8");
  const attributes = /^(mappings\/.* merge=\S+)$/m.exec(readme)?.[1] ?? "";
  const driver = /^git config (merge\.\S+\.driver) "ferry (.*)"$/m.exec(readme);
  expect([attributes, driver?.[2]]).not.toContain(undefined);
  git("init", "--quiet", "-b", "main");
  stage().write(".gitattributes", `${attributes}\n`);
  const command = (driver?.[2] ?? "").replace("mappings prod", "mappings move");
  git("config", driver?.[1] ?? "", `'${process.execPath}' '${launcher}' ${command}`);
}

test.skipIf(!hasGit)(
  "git merges two branches by it, and leaves a conflict to a person",
  async () => {
    stage().plan();
    setUp();
    const write = async (rows: readonly [string, MappingEntry][]): Promise<void> => {
      const path = await version(`version-${Math.random()}`, rows);
      stage().write("mappings/dev--prod/rules.json", readFileSync(path, "utf8"));
    };
    const commit = (message: string): void => {
      git("add", "-f", "mappings", ".gitattributes");
      git("commit", "--quiet", "-m", message);
    };
    await write([row(1), row(2)]);
    commit("base");
    git("switch", "--quiet", "-c", "feature");
    await write([row(1), row(2), row(3)]);
    commit("three");
    git("switch", "--quiet", "main");
    await write([row(1), row(2, { name: "Other" }), row(4)]);
    commit("four");
    expect(git("merge", "--quiet", "--no-edit", "feature")).toMatchObject({ status: 0 });
    const { details } = await stage().json("mappings move list");
    expect(JSON.stringify(details).match(/"Rule \d"|"Other"/g)).toEqual([
      '"Rule 1"',
      '"Other"',
      '"Rule 3"',
      '"Rule 4"',
    ]);

    git("switch", "--quiet", "feature");
    await write([row(1, { name: "Mine" }), row(2), row(3)]);
    commit("mine");
    git("switch", "--quiet", "main");
    await write([row(1, { name: "Yours" }), row(2, { name: "Other" }), row(3), row(4)]);
    commit("yours");
    const failed = git("merge", "--no-edit", "feature");
    expect(failed.status).toBe(1);
    expect(failed.output).toContain('rules "Yours"');
    expect(git("status", "--porcelain").output).toContain("UU mappings/dev--prod/rules.json");
    expect((await stage().json("mappings move list")).diagnostics[0]?.code).toBe("merge-conflict");
  },
  60_000,
);

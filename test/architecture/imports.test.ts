import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { cycles, dangling, unreachable } from "./graph.ts";
import type { Module } from "./modules.ts";
import { parseModule, readModules } from "./modules.ts";
import { breaches, covers, importRules, packageRules, processUses, ruleOf } from "./rules.ts";

const modules = readModules("src");

/** The part takes the whole as a parameter, and the whole calls the part. */
const typeCircles: ReadonlySet<string> = new Set([
  "src/emulator/dump.ts src/emulator/tenant.ts",
  "src/emulator/faults-file.ts src/emulator/faults.ts",
  "src/report/text-field.ts src/report/text-item.ts",
]);

describe("the source", () => {
  test("keeps the import rules", () => {
    expect(modules.flatMap(breaches)).toEqual([]);
  });

  test("has no circles: of two files that need each other neither can be understood or loaded alone", () => {
    expect(cycles(modules, { withTypes: false })).toEqual([]);
  });

  test("has no circles through types, but for pairs of a thing and a part of it that was cut out", () => {
    const found = cycles(modules, { withTypes: true }).map((group) => group.join(" "));
    expect(found.filter((circle) => !typeCircles.has(circle))).toEqual([]);
  });

  test("has nothing that main.ts and index.ts do not lead to", () => {
    expect(unreachable(modules, ["src/main.ts", "src/index.ts"])).toEqual([]);
  });

  test("was read as it is: every file has a rule, and every import leads to a file", () => {
    expect(modules.length).toBeGreaterThan(200);
    expect(dangling(modules)).toEqual([]);
    const free = modules.map(({ path }) => path).filter((path) => ruleOf(path) === undefined);
    expect(free).toEqual(["src/index.ts", "src/main.ts"]);
  });

  test("ferry.js, which any Node must be able to read, imports nothing statically and only main", () => {
    const launcher = readFileSync(new URL("../../src/ferry.js", import.meta.url), "utf8");
    expect(launcher).not.toMatch(/^\s*import\b(?!\()/m);
    expect([...launcher.matchAll(/"(\.\/[^"]*)"/g)].map(([, path]) => path)).toEqual([
      "./main.ts",
      "./main.js",
    ]);
  });

  test("has files that a person reads in one go: the median is at most 90 lines, nine of ten at most 250", () => {
    const lines = modules.map((module) => module.lines).sort((left, right) => left - right);
    expect(lines[Math.floor(lines.length / 2)]).toBeLessThanOrEqual(90);
    expect(lines[Math.floor(lines.length * 0.9)]).toBeLessThanOrEqual(250);
  });
});

test("what follows from the mode of a kind is said in one place: nobody else asks for it", () => {
  const asks = modules
    .map(({ path }) => path)
    .filter(
      (path) => /^src\/(?:engine|operations|cli)\//.test(path) && !path.startsWith("src/engine/facets/"),
    )
    .filter((path) => /\.mode\b/.test(readFileSync(new URL(`../../${path}`, import.meta.url), "utf8")));
  expect(asks).toEqual([]);
});

describe("the rules", () => {
  test("name only folders and files that exist", () => {
    const named = [
      ...importRules.flatMap((rule) => [rule.of, ...rule.may, ...(rule.mayTypes ?? [])]),
      ...packageRules.flatMap((rule) => rule.only),
      ...processUses.map((rule) => rule.of),
    ];
    expect(named.filter((pattern) => !modules.some(({ path }) => covers(pattern, path)))).toEqual([]);
  });

  test("every exception for the process is used", () => {
    for (const { of, members } of processUses) {
      const used = new Set(modules.find(({ path }) => path === of)?.process);
      expect({ of, members: [...members].sort() }).toEqual({ of, members: [...used].sort() });
    }
  });

  const read = (path: string, source: string): Module => parseModule(path, source);

  test.each([
    ["src/model/a.ts", 'import { x } from "../service/index.ts";', "vocabulary"],
    ["src/model/a.ts", 'import type { X } from "../store/index.ts";', "vocabulary"],
    ["src/service/a.ts", 'export { x } from "../kinds/kind.ts";', "requests and answers"],
    ["src/store/a.ts", 'export * from "../service/index.ts";', "on disk"],
    ["src/plan/a.ts", 'import "../kinds/index.ts";', "before anything is opened"],
    ["src/kinds/terms.ts", 'import { rules } from "./rules.ts";', "a kind never imports another kind"],
    ["src/kinds/shared/a.ts", 'import { rules } from "../rules.ts";', "depend on one of them"],
    ["src/kinds/kind.ts", 'import { openReadClient } from "../service/index.ts";', "types alone"],
    ["src/engine/a.ts", 'import { registry } from "../kinds/index.ts";', "never a kind"],
    ["src/engine/diff/a.ts", 'import { terms } from "../../kinds/terms.ts";', "never a kind"],
    ["src/engine/a.ts", 'import { ServiceError } from "../service/index.ts";', "HTTP"],
    ["src/engine/a.ts", 'import { type A, openJournal } from "../store/index.ts";', "disk layout"],
    ["src/engine/a.ts", 'import { readFileSync } from "node:fs";', "files are the store's business"],
    ["src/engine/a.ts", 'const fs = await import("node:fs/promises");', "files are the store's business"],
    ["src/emulator/a.ts", 'import { own } from "../model/json.ts";', "written from the documents"],
    ["src/report/a.ts", 'import { Migration } from "../operations/migration.ts";', "result alone"],
    ["src/operations/a.ts", 'import { renderText } from "../report/index.ts";', "without the command line"],
    ["src/operations/a.ts", 'const { io } = await import("../cli/io.ts");', "without the command line"],
    ["src/operations/a.ts", 'import { registry } from "../kinds/index.ts";', "without the command line"],
    ["src/cli/a.ts", 'import "../main.ts";', "never imports what starts it"],
    ["src/kinds/a.ts", 'import ky from "ky";', "sent by the client alone"],
    ["src/emulator/a.ts", 'import { mkdirSync } from "node:fs";', "files are the store's business"],
    ["src/cli/a.ts", "process.exit(1);", "only main.ts touches the process"],
    ["src/cli/a.ts", "const { env } = process;", "only main.ts touches the process"],
    ["src/operations/run.ts", "const note = { pid: process.pid, cwd: process.cwd() };", "process.cwd"],
    ["src/cli/a.ts", "globalThis.process.exitCode = 1;", "only main.ts touches the process"],
    ["src/model/a.ts", "\n".repeat(401), "asking to be two"],
  ])("%s: %s is found, and what it means is said", (path, source, meaning) => {
    const found = breaches(read(path, source));
    expect(found).toHaveLength(1);
    expect(found[0]).toContain(path);
    expect(found[0]).toContain(meaning);
  });

  test.each([
    ["src/engine/a.ts", 'import type { ReadClient } from "../service/index.ts";'],
    ["src/engine/a.ts", 'import { type ReadClient, type Page } from "../service/index.ts";'],
    ["src/engine/a.ts", '// import { x } from "../kinds/index.ts";\n/* import "node:fs"; */'],
    ["src/engine/a.ts", 'const text = `import { x } from "../kinds/index.ts"; process.exit()`;'],
    ["src/engine/a.ts", "const text = 'process.exit(1)'; const { processings } = client.process;"],
    ["src/engine/a.ts", "const record = { process: 1 };"],
    ["src/operations/run.ts", "const note = { pid: process.pid };"],
    ["src/main.ts", "process.exitCode = await run(process.argv);"],
    [
      "src/kinds/terms.ts",
      'import { ServiceError } from "../service/index.ts";\nimport { one } from "./shared/batch.ts";',
    ],
  ])("%s: %s is no breach", (path, source) => {
    expect(breaches(read(path, source))).toEqual([]);
  });

  test("a circle is found, one through types as well, and a file that imports itself", () => {
    const made = [
      read("src/a.ts", 'import type { B } from "./b.ts";'),
      read("src/b.ts", 'export * from "./c.ts";'),
      read("src/c.ts", 'import { a } from "./a.ts";'),
      read("src/d.ts", 'import { a } from "./a.ts";'),
      read("src/e.ts", 'import { e } from "./e.ts";'),
    ];
    const found = (withTypes: boolean): ReadonlySet<string> =>
      new Set(cycles(made, { withTypes }).map((group) => group.join(" ")));
    expect(found(true)).toEqual(new Set(["src/a.ts src/b.ts src/c.ts", "src/e.ts"]));
    expect(found(false)).toEqual(new Set(["src/e.ts"]));
  });

  test("a file that nothing leads to is found, and an import that leads nowhere", () => {
    const made = [
      read("src/main.ts", 'const { b } = await import("./b.ts");'),
      read("src/b.ts", ""),
      read("src/c.ts", 'import { b } from "./b.ts";\nimport { x } from "./x.ts";'),
    ];
    expect(unreachable(made, ["src/main.ts"])).toEqual(["src/c.ts"]);
    expect(dangling(made)).toEqual(["src/c.ts imports src/x.ts"]);
  });
});
